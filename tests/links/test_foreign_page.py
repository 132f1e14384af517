"""A page of another site in a real browser tries every TCP port that Pelagos listens at.

Its name is mapped to this machine, as DNS rebinding does it, so that it may also call a port its own. What counts is
what the simulation did: nothing that the page asked for.
"""

import http.server
import json
import threading

import pytest

from tests.console.browser import CHROMIUM, FLAGS, LIMIT_MS
from tests.links.robot.linked import Client, tank_host
from tests.links.robot.linked import served as robot_link

served = pytest.importorskip("tests.console.served", reason="the console is not installed")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")]
FOREIGN = "evil.example"
# every way in which a page sends what it likes to whom it likes
POST = """async ([port, body]) => {
  const where = `http://127.0.0.1:${port}/`;
  const sent = (init) => fetch(where, {mode: "no-cors", ...init}).then(() => "answered", () => "failed");
  await sent({method: "POST", body});
  await sent({method: "POST", body, mode: "cors"});
  await sent({method: "GET"});
  navigator.sendBeacon(where, body);
  const form = document.createElement("form");
  Object.assign(form, {method: "POST", action: where, enctype: "text/plain", target: "sink"});
  const field = document.createElement("textarea");
  Object.assign(field, {name: body.split("=")[0], value: body.split("=").slice(1).join("=")});
  form.append(field);
  document.body.append(form);
  form.submit();
}"""
SOCKET = """(where) => new Promise((done) => {
  const socket = new WebSocket(where);
  socket.onopen = () => done("open");
  socket.onerror = () => done("refused");
})"""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A web site."""

    def do_GET(self):
        body = b"<!doctype html><iframe name=sink></iframe>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing in the terminal."""


@pytest.fixture(scope="module")
def browser():
    mapped = f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1"
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, mapped])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    page = browser.new_page()
    page.goto(f"http://{FOREIGN}:{site.server_address[1]}/", timeout=LIMIT_MS)
    yield page
    page.close()
    site.shutdown()
    thread.join()
    site.server_close()


def test_it_neither_drives_nor_ends_the_robot_link(page):
    lines = [
        {"type": "hello", "schema": 1, "session": "dive"},  # even if it has guessed the word of the robot
        {"type": "order", "seq": 50, "sticks": {"surge": 1.0}},
        {"type": "bye", "end": True},
    ]
    body = "\r\n=\r\n" + "".join(json.dumps(line) + "\r\n" for line in lines)
    with robot_link(tank_host()) as server, Client(server) as robot:
        robot.hello(session="dive")
        assert robot.ask("order", seq=1)["tick"] == 1
        page.evaluate(POST, [server.port, body])
        assert page.evaluate(SOCKET, f"ws://127.0.0.1:{server.port}/") == "refused"
        tried = ("dropped_malformed", "dropped_misuse")
        served.until(lambda: sum(server.counts[name] for name in tried) >= 6 or not server.thread.is_alive())
        assert server.protocol.over == "" and server.thread.is_alive()
        assert robot.ask("order", seq=2)["tick"] == 2
        # five requests and a socket, perhaps some twice: of each one line was heard
        assert server.counts["received"] - 3 == server.counts["dropped_malformed"] < server.counts["connections"]


def test_it_gets_no_socket_of_rosbridge(page):
    rosbridge = pytest.importorskip("pelagos.links.ros.rosbridge.link")
    bridge = rosbridge.Rosbridge(port=0)
    try:
        order = {"op": "publish", "topic": "/setpoint", "msg": {"depth_m": 40.0}}
        page.evaluate(POST, [bridge.port, "\r\n=\r\n" + json.dumps(order)])
        for host in ("127.0.0.1", "localhost", FOREIGN):
            assert page.evaluate(SOCKET, f"ws://{host}:{bridge.port}/") == "refused"
        assert bridge.counts() == {"dropped_stranger": 3}
        page.goto(f"http://{FOREIGN}:{bridge.port}/", timeout=LIMIT_MS)  # a page of that very port, as it seems
        assert page.evaluate(SOCKET, f"ws://{FOREIGN}:{bridge.port}/") == "refused"
        assert bridge.counts() == {"dropped_stranger": 4}
    finally:
        bridge.close()


def test_it_gets_neither_page_nor_socket_of_the_console(page):
    with served.console() as console:
        assert page.evaluate(SOCKET, f"ws://127.0.0.1:{console.port}/ws?token={console.token}") == "refused"
        page.evaluate(POST, [console.port, '\r\n=\r\n{"type":"order","name":"lights","level":1}'])
        for path in ("", f"?token={console.token}"):  # by a name of its own, and even with the token
            answer = page.goto(f"http://{FOREIGN}:{console.port}/{path}", timeout=LIMIT_MS)
            assert answer.status == 400 and "does not go by that name" in page.content()
        assert page.evaluate(SOCKET, f"ws://{FOREIGN}:{console.port}/ws?token={console.token}") == "refused"
        assert console.sources[0].orders == [] and console.clients.all == {}
