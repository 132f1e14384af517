"""The server with real sockets: several pages, one pilot, pages that break the rules, and too many connections."""

import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import time

import pytest
from websockets.exceptions import ConnectionClosed

from pelagos.console import clients, server
from pelagos.console.server import Console
from pelagos.errors import CommandError
from pelagos.session.realtime import COLUMNS
from pelagos.session.security import listen_at
from tests.console.browser import ROOT
from tests.console.buoy import Buoy
from tests.console.served import PATIENCE_S, Page, console, get, until


@pytest.fixture
def served():
    with console() as served:
        yield served


def closed(page):
    """Code and reason with which a page is sent away."""
    with pytest.raises(ConnectionClosed) as end:
        while True:
            page.hear()
    return end.value.rcvd.code, end.value.rcvd.reason


def test_a_page_that_comes_is_told_everything_and_then_flies(served):
    with Page(served, "Ann") as page:
        assert page.await_text("status")["phase"] == "ready"
        hello = page.await_text("hello")
        assert hello["columns"] == [*Buoy.columns, *COLUMNS] and hello["source"]["vehicle"]["key"] == "buoy"
        roster = page.await_text("roster")
        assert roster["pilot"] == hello["you"] and roster["instructor"] is None
        assert roster["clients"] == [{"id": hello["you"], "name": "Ann", "role": "pilot"}]
        page.stick(surge=1.0)
        moved = page.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        assert moved.ack == 1 and 0.0 <= 1e3 * time.monotonic() - moved.echo_ms < 20e3
        page.say(type="ping", t=42.5)
        assert page.await_text("pong") == {"type": "pong", "t": 42.5}


def test_only_the_pilots_sticks_and_orders_act(served):
    with Page(served, "Ann") as ann, Page(served, "Bob") as bob:
        ann.stick(surge=0.5)
        bob.stick(surge=-1.0)
        bob.order("lights", level=0.1)
        assert "for the pilot" in bob.await_text("refused", order="lights")["text"]
        ann.order("lights", level=0.2)
        ann.await_text("event", kind="order")
        (source,) = served.sources
        assert {sticks.surge for _, sticks in source.inputs} <= {0.5, 0.0}
        assert [values for _, _, values in source.orders] == [{"level": 0.2}]


def test_the_controls_are_handed_over_on_request_and_the_old_pilot_is_let_go(served):
    with Page(served, "Ann") as ann, Page(served, "Bob") as bob:
        you = {page: page.await_text("hello")["you"] for page in (ann, bob)}
        ann.stick(surge=1.0)
        ann.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        bob.say(type="lease", do="request", role="pilot")
        while not (asks := ann.await_text("roster"))["requests"]:
            pass
        assert asks["pilot"] == you[ann] and asks["requests"][0].items() >= {"id": you[bob], "role": "pilot"}.items()
        assert 0.0 < asks["requests"][0]["left_s"] <= 10.0
        ann.say(type="lease", do="grant", role="pilot", to=you[bob])
        for page in (ann, bob):
            assert "Bob has been given the controls" in page.await_text("event", kind="lease", holder=you[bob])["text"]
            roles = {client["id"]: client["role"] for client in page.await_text("roster", pilot=you[bob])["clients"]}
            assert roles == {you[ann]: "observer", you[bob]: "pilot"}
        bob.await_snapshot(lambda snapshot: snapshot.values[1] == 0.0 and snapshot.ack == 0)  # what Ann held is let go
        ann.stick(surge=-1.0)
        bob.stick(surge=0.25)
        bob.await_snapshot(lambda snapshot: snapshot.values[1] == 0.25)
        assert -1.0 not in {sticks.surge for _, sticks in served.sources[0].inputs}


def test_the_seat_of_a_pilot_who_leaves_can_be_taken(served):
    with Page(served, "Dan") as dan, Page(served, "Eve") as eve, Page(served, "Fay") as fay:
        eve.say(type="lease", do="take", role="pilot")
        assert "another client has it; expected a request" in eve.await_text("refused", order="lease")["text"]
        dan.close()
        eve.await_text("event", kind="lease", holder=None)
        eve.say(type="lease", do="take", role="pilot")
        assert "Eve has taken" in fay.await_text("event", kind="lease", holder="c2")["text"]


def test_a_page_that_is_loaded_again_has_the_controls_again(served):
    with Page(served, "Ann") as before, Page(served, "Ann") as after:  # the new socket may come before the old one ends
        assert after.await_text("roster")["pilot"] == "c1"
        before.close()
        assert after.await_text("roster", pilot="c2")["clients"] == [{"id": "c2", "name": "Ann", "role": "pilot"}]


def test_the_orders_of_the_instructor_are_the_pilots_only_while_there_is_none(served):
    with Page(served, "Ann") as ann, Page(served, "Ida") as ida:
        ann.order("message", text="mine")
        ann.await_text("event", kind="order", text="message")
        ida.say(type="lease", do="take", role="instructor")
        ida.await_text("roster", pilot="c1", instructor="c2")
        ann.order("fault", kind="thruster_lost", thruster="t1")
        assert "instructor" in ann.await_text("refused", order="fault")["text"]
        ida.order("fault", kind="thruster_lost", thruster="t1")
        ida.await_text("event", kind="order", text="fault")
        names = [name for _, name, _ in served.sources[0].orders]
        assert names == ["message", "fault"]


def test_what_the_source_refuses_is_told_to_who_asked_only(served):
    with Page(served) as ann, Page(served) as bob:
        ann.order("hold", hold="depth", on=True)
        assert ann.await_text("refused")["text"] == "a buoy holds nothing"
        bob.say(type="ping", t=1)
        bob.await_text("pong")
        assert not [text for text in bob.texts if text["type"] == "refused"]


BROKEN = [
    "", "nonsense", "[]", "null", '{"type":"order"}', '{"type":"order","name":"explode"}',
    '{"type":"input","seq":1,"t":0,"sticks":{"surge":2}}', '{"type":"input","seq":1,"t":0,"sticks":{"surge":NaN}}',
    '{"type":"order","name":"lights","level":"full"}', '{"type":"order","name":"lights","level":0.5,"extra":1}',
    '{"type":"lease","do":"take"}', '{"type":"name"}', b"\x00\xff", "[" * 4000,
]  # fmt: skip


def test_broken_messages_never_reach_the_source(served):
    (source,) = served.sources
    with Page(served) as page:
        for raw in BROKEN:
            page.socket.send(raw)
            assert page.await_text("refused")["text"]
        page.order("lights", level=0.5)  # in order: all before it have been looked at
        page.await_text("event", kind="order")
        assert [name for _, name, _ in source.orders] == ["lights"] and source.inputs == []


def test_who_sends_nothing_but_nonsense_is_sent_away(served):
    with Page(served) as page:
        for _ in range(clients.MOST_MISTAKES):
            page.socket.send("nonsense")
        code, reason = closed(page)
    assert code == 1008 and "could not be read" in reason
    assert served.sources[0].orders == [] and served.sources[0].inputs == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [5000, 70_000])
def test_a_message_that_is_too_long_ends_the_connection(served, size):
    with Page(served) as page, Page(served) as other:
        page.say(type="name", name="x" * size)
        code, _ = closed(page)
        assert code == 1009
        other.await_snapshot()


FLOODS = [
    {"type": "input", "seq": 1, "t": 0, "sticks": {}}, {"type": "ping", "t": 1}, {"type": "name", "name": "Eve"},
    {"type": "lease", "do": "request", "role": "pilot"}, {"type": "order", "name": "trim_reset"},
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("message", FLOODS, ids=[message["type"] for message in FLOODS])
def test_a_flood_ends_the_connection_and_others_fly_on(served, message):
    with Page(served) as other, Page(served) as page:
        other.await_text("roster")
        with pytest.raises(ConnectionClosed):
            for _ in range(50_000):
                page.say(**message)
        code, reason = closed(page)
        assert code == 1008 and "200 messages a second" in reason
        other.stick(surge=1.0)
        other.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)
        assert [sticks.surge for _, sticks in served.sources[0].inputs][-1] == 1.0


def test_too_many_orders_are_refused_without_ending_the_connection(served):
    with Page(served) as page:
        for _ in range(150):
            page.order("trim_reset")
        assert "orders a second" in page.await_text("refused", order="trim_reset")["text"]
        page.say(type="ping", t=3)
        page.await_text("pong")
        assert len(served.sources[0].orders) < 150


def test_there_is_room_for_sixteen(served):
    pages = [Page(served) for _ in range(clients.MOST_CLIENTS)]
    try:
        with Page(served) as late:
            code, reason = closed(late)
        assert code == 1013 and "too many" in reason
        pages.pop().close()
        until(lambda: len(served.clients.all) == clients.MOST_CLIENTS - 1)
        with Page(served) as page:
            page.await_snapshot(lambda snapshot: snapshot.values[3 + COLUMNS.index("clients")] == clients.MOST_CLIENTS)
    finally:
        for page in pages:
            page.close()


@pytest.mark.slow
def test_a_page_that_stops_reading_is_dropped_and_the_others_do_not_notice(served, monkeypatch):
    monkeypatch.setattr(server, "SEND_S", 2.0)  # a busy machine may keep even a page that reads waiting for long
    with Page(served, "Ann") as ann, _deaf(served) as deaf:
        ann.await_text("roster")
        until(lambda: len(served.clients.all) == 2)
        big = {"type": "event", "time_s": 0.0, "kind": "message", "text": "x" * 200_000}
        for _ in range(20):  # more than the kernel keeps for it: then its writer waits
            served.clients.publish_message(big)
        until(lambda: len(served.clients.all) == 1)
        assert "nothing was read" in served.dropped[-1] or "too slow" in served.dropped[-1]
        ann.stick(surge=0.5)
        ann.await_snapshot(lambda snapshot: snapshot.values[1] == 0.5)
        until(lambda: _is_cut(deaf))  # not left half open


def test_a_page_whose_texts_pile_up_is_dropped(served):
    with Page(served, "Ann") as ann, _deaf(served):
        ann.await_text("roster")
        until(lambda: len(served.clients.all) == 2)
        big = {"type": "event", "time_s": 0.0, "kind": "message", "text": "x" * 100_000}
        for _ in range(300):
            served.clients.publish_message(big)
            ann.await_text("event", kind="message")
        until(lambda: len(served.clients.all) == 1)
        assert "too slow" in served.dropped[-1]


@contextlib.contextmanager
def _deaf(served):
    """A page that shakes hands and then never reads, with little room before it."""
    with socket.socket() as line:
        yield _shaken(line, served)


def _shaken(line, served):
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", served.port))
    line.sendall(
        f"GET /ws?token={served.token} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return line


def _is_cut(line):
    """Whether the other side has cut the line: writing to it fails."""
    try:
        line.sendall(struct.pack("!BB4s", 0x8A, 0x80, b"\0\0\0\0"))  # an empty pong, masked
    except OSError:
        return True
    return False


def test_names_are_fit_to_be_shown_and_can_be_changed(served):
    with Page(served, "%3Cb%3E%0A%0Aeve%00") as page:
        assert page.await_text("roster")["clients"][0]["name"] == "<b> eve"
        page.say(type="name", name="Ann " * 30)
        assert len(page.await_text("roster")["clients"][0]["name"]) <= 32


@pytest.mark.slow
def test_a_failure_is_shown_to_all_and_the_server_stays_up():
    with console(lambda: Buoy(diverges_at=25)) as served, Page(served) as page:
        assert "diverged" in page.await_text("status", phase="failed")["text"]
        with Page(served) as late:
            assert "diverged" in late.await_text("status", phase="failed")["text"]
        page.order("reset")
        page.await_text("status", phase="ready")
        page.await_snapshot()
        assert len(served.sources) == 2 and served.sources[0].closed == 1


def test_stopping_closes_the_source_and_the_port():
    with console() as served:
        port = served.port
        with Page(served) as page:
            page.await_snapshot()
    assert served.sources[0].closed == 1
    listen_at("127.0.0.1", port).close()  # it is free again


def test_a_port_that_is_taken_is_a_sentence():
    taken = listen_at("127.0.0.1", 0)
    taken.listen()
    port = taken.getsockname()[1]
    with pytest.raises(CommandError, match=rf'{port}": cannot listen there \(Address already in use\)'):
        Console(Buoy, port=port)
    with pytest.raises(CommandError, match=r'the console: address = "203\.0\.113\.7:\d+": cannot listen there'):
        Console(Buoy, host="203.0.113.7")  # an address of documentation, on no machine
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:99999"):
        Console(Buoy, port=99999)
    taken.close()


def test_the_address_carries_the_token_and_the_messages_are_json():
    server = Console(Buoy, token="abc")
    assert server.address == f"http://127.0.0.1:{server.port}/?token=abc"
    server.socket.close()
    assert json.loads(clients._addressed('{"type":"hello","a":1}', "c7")) == {"you": "c7", "type": "hello", "a": 1}


MANY = 500
LARGE = "/vendor/three.js"  # half a megabyte
SERVED = """
import resource, sys
from tests.console.served import console
from tests.console.buoy import Buoy
with console() as one:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    print(one.port, one.token, flush=True)
    while sys.stdin.readline():
        print(len(one._server.server_state.connections), flush=True)
"""


@pytest.fixture
def room_for_many():
    """Descriptors for the clients, which are in this process too."""
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 4096), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def opened(stack, port, sent=b"", n=1, **options):
    """Connections that have said something, or nothing."""
    lines = []
    for _ in range(n):
        line = stack.enter_context(socket.socket())
        line.settimeout(PATIENCE_S)
        for option, value in options.items():
            line.setsockopt(socket.SOL_SOCKET, getattr(socket, option), value)
        line.connect(("127.0.0.1", port))
        with contextlib.suppress(ConnectionError):  # it was cut already
            line.sendall(sent)
        lines.append(line)
    return lines


def is_closed(line):
    """Whether the other side has closed it; what it said is thrown away."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


SENT = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "half a handshake": b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_a_connection_of_which_nothing_comes_is_cut(monkeypatch, sent):
    monkeypatch.setattr(server, "REQUEST_S", 0.3)
    with console() as served, contextlib.ExitStack() as stack:
        (line,) = opened(stack, served.port, sent)
        until(lambda: is_closed(line))
        until(lambda: not served._server.server_state.connections)


@pytest.mark.slow
def test_a_connection_that_takes_no_answer_is_cut(monkeypatch):
    monkeypatch.setattr(server, "ANSWER_S", 0.3)
    monkeypatch.setattr(server, "SEND_BUFFER", 4096)
    with console() as served, contextlib.ExitStack() as stack:
        request = f"GET {LARGE} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
        opened(stack, served.port, request, SO_RCVBUF=4096)
        until(lambda: served._server.server_state.tasks)
        until(lambda: not served._server.server_state.connections)
        assert served._server.server_state.total_requests == 0  # the answer did not get to its end


@pytest.mark.slow
def test_five_hundred_half_open_connections_do_not_stay(room_for_many):
    with console() as served, Page(served) as pilot, contextlib.ExitStack() as stack:
        lines = opened(stack, served.port, b"GET / HT", MANY)
        for _ in range(3):
            head, body = get(served, f"/?token={served.token}")  # a page gets in among them
            assert head.startswith("http/1.1 200") and b"<script" in body
        open_ = [line for line in lines if not is_closed(line)]
        assert len(open_) <= server.MOST_VISITORS
        assert not open_ or lines.index(open_[0]) >= MANY - server.MOST_VISITORS  # those that came last
        assert len(served._server.server_state.connections) <= server.MOST_VISITORS + 1
        pilot.stick(surge=1.0)
        pilot.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)


@pytest.mark.slow
def test_sockets_that_find_no_place_and_do_not_go_are_cut(room_for_many):
    with console() as served, contextlib.ExitStack() as stack:
        request = (
            f"GET /ws?token={served.token} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        most = clients.MOST_CLIENTS + server.MOST_VISITORS
        lines = opened(stack, served.port, request.encode(), 2 * most)
        assert get(served, f"/check?token={served.token}")[0].startswith("http/1.1 204")
        assert len(served.clients.all) == clients.MOST_CLIENTS
        assert len(served._server.server_state.connections) <= most
        assert sum(not is_closed(line) for line in lines) <= most


@pytest.mark.slow
def test_idle_connections_beyond_the_descriptors_leave_the_loop_and_the_snapshots_alone(room_for_many):
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVED], env=place, **pipes) as child, contextlib.ExitStack() as stack:
        port, token = child.stdout.readline().split()
        opened(stack, int(port), n=400)
        where = type("", (), {"port": int(port), "token": token, "origin": f"http://127.0.0.1:{port}"})
        with Page(where, "Ann") as pilot:
            first = pilot.await_snapshot().seq
            while pilot.await_snapshot().seq < first + 50:
                pass
            child.stdin.write("how many?\n")
            child.stdin.flush()
            assert int(child.stdout.readline()) <= server.MOST_VISITORS + 1
        _, errors = child.communicate(timeout=PATIENCE_S)
    assert errors == ""  # asyncio logs every connection that it could not accept
