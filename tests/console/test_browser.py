"""The console in a real browser: flown by keys and by a gamepad, into a column, through its views, and replayed.

The server is the real command in a process of its own, so that it can be stopped and killed. Nothing here asserts how
fast anything is: every wait is for something to be seen, with a long limit.
"""

import re
import signal
import threading
import time

import numpy as np
import pytest

from pelagos.engine.waiting import WATCH
from tests.console.browser import CHROMIUM, FLAGS, LIMIT_MS, Console, Server, finished_logs
from tests.console.buoy import Buoy

served = pytest.importorskip("pelagos.console.server", reason="the console is not installed")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed"),
    pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be stopped here"),
]
SIZE = {"width": 960, "height": 540}
# Column 1 of Royer's field stands at 10 m north, 10 m east, 1.5 m wide: 7 m ahead of this start, in still water.
COLUMN_NORTH_M, COLUMN_EAST_M, HALF_M = 10.0, 10.0, 0.75
FLIGHT = [
    "bluerov2_heavy", "--world", "royer_field", "--current", "0", "--north-m", "17", "--east-m", "10",
    "--depth-m", "20", "--heading-deg", "180",
]  # fmt: skip
DRAWN = "window.pelagos.app.camera.rate.times.length > 1"
BANNER = "document.getElementById('banner').textContent"
LINK_LOST = f"{BANNER}.includes('LINK LOST')"
# A gamepad that a test moves: the page reads the pad in one place only, through navigator.getGamepads.
FAKE_PAD = """
window.fakePad = {axes: [0, 0, 0, 0], buttons: Array(17).fill(0)};
navigator.getGamepads = () => [{
  id: "fake", index: 0, connected: true, mapping: "standard", timestamp: 0, axes: window.fakePad.axes,
  buttons: window.fakePad.buttons.map((value) => ({value, pressed: value > 0.5, touched: value > 0})),
}];
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("flight")


@pytest.fixture(scope="module")
def server(folder):
    server = Server(folder, *FLIGHT)
    yield server
    server.close()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_console(browser):
    """Opens pages that end with the test; an error in one of them is an error of the test."""
    contexts, problems = [], []

    def open_page(address: str, script: str = "", drawn: str = DRAWN) -> Console:
        context = browser.new_context(viewport=SIZE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        if script:
            page.add_init_script(script)
        page.goto(f"{address}&quality=low&name=Ann", timeout=LIMIT_MS)
        console = Console(page)
        console.until(drawn)
        return console

    yield open_page
    for context in contexts:
        context.close()
    on_purpose = re.compile(r"WebSocket|ERR_CONNECTION|Failed to load resource|WebGL")  # of servers that were killed
    assert [text for text in problems if not on_purpose.search(text)] == []


@pytest.fixture
def console(server, open_console):
    console = open_console(server.address)
    console.until("window.pelagos.link.steering()")
    console.reset()
    return console


def test_the_page_shows_what_is_compiled_and_the_seconds_go_on(browser):
    compiled = threading.Event()

    def build():
        WATCH.begin("core.integrate.advance")
        WATCH.stage("function 7, drag")
        compiled.wait(LIMIT_MS / 1e3)
        WATCH.end(made=False)
        return Buoy()

    shown = re.compile(r"compiling core\.integrate\.advance, ([\d:]+)(?: s)?: function 7, drag")
    session = served.Console(build)
    session.start()
    try:
        with browser.new_context(viewport=SIZE) as context:
            page = context.new_page()
            page.goto(f"{session.address}&quality=low&name=Ann", timeout=LIMIT_MS)
            banner, seconds, end = page.locator("#banner"), set(), time.monotonic() + LIMIT_MS / 1e3
            while len(seconds) < 2 and time.monotonic() < end:
                seconds |= set(shown.findall(banner.inner_text()))
                page.wait_for_timeout(100)
            assert len(seconds) == 2 and banner.is_visible()
            compiled.set()
            while "compiling" in banner.inner_text() and time.monotonic() < end:
                page.wait_for_timeout(100)
            assert "compiling" not in banner.inner_text()
    finally:
        compiled.set()
        session.stop()


def test_keys_fly_the_vehicle_and_move_the_picture(console):
    north, depth, before = console.get("north_m"), console.get("depth_m"), console.picture()
    with console.held("w"):
        console.until("s.get('stick_surge') === 1 && s.get('north_m') < x - 0.5", north)  # heading 180: ahead is south
    console.until("s.get('stick_surge') === 0")
    with console.held("f"):
        console.until("s.get('depth_m') > x + 0.3", depth)
    with console.held("d"):
        console.until("s.get('east_m') < 9.8")  # to starboard, facing south, is west
    console.order("pause", on=True)
    console.until("s.get('paused') > 0")
    # The banner of the pause covers a part; a column that comes closer changes the whole middle. 2 % of the range is
    # ten times what particles do to blocks of this size.
    assert np.abs(console.picture() - before).mean() > 0.02
    console.order("pause", on=False)
    assert console.page.inner_text("#role") == "pilot: Ann"


def test_full_ahead_does_not_tumble_it(console):
    console.page.evaluate(
        "() => { window.worst = 0; window.pelagos.link.addEventListener('snapshot', () => { window.worst ="
        " Math.max(window.worst, Math.abs(window.pelagos.history.latest().get('pitch_deg'))); }); }"
    )
    began = console.page.evaluate("window.pelagos.history.latest().time")
    with console.held("w"):
        console.until("s.get('stick_surge') > 0.5 && s.time > x + 3", began)
    assert console.get("collisions") == 0
    assert console.page.evaluate("window.worst") < 15.0  # a pilot still sees the bottom and the structure ahead


def test_a_gamepad_flies_it(server, open_console):
    console = open_console(server.address, FAKE_PAD)
    console.until("window.pelagos.link.steering()")
    console.reset()
    console.page.evaluate("window.fakePad.axes = [0, 0, 0, -1]")
    console.until("s.get('stick_surge') === 1 && s.get('north_m') < 16.7")
    console.page.evaluate("window.fakePad.axes = [1, 0, 0, 0]")
    console.until("s.get('stick_surge') === 0 && s.get('yaw_rate_deg_s') > 5")
    console.page.evaluate("window.fakePad.axes = [0, 0, 0, 0]; window.fakePad.buttons[0] = 1")
    console.until("Number.isFinite(s.get('hold_depth_m'))")
    page = console.page
    page.click("#btn-settings")
    page.click("#bind-pad-record")
    page.evaluate("window.fakePad.buttons[16] = 1")
    page.wait_for_selector("#bind-pad-record:text('Home')", timeout=LIMIT_MS)
    assert page.evaluate("document.activeElement.id") == "bind-pad-record"


def test_a_column_is_hit_heard_and_marked(console):
    page = console.page
    with console.held("w"):
        console.until("s.get('collisions') >= 1")
    console.until("document.getElementById('toasts').textContent.includes('column 1')")
    # crash lines: the share of strongly red pixels of the overlay while the crash is young
    red = """(() => { const c = document.getElementById('overlay'), p = c.getContext('2d');
      const d = p.getImageData(0, 0, c.width, c.height).data; let n = 0;
      for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 60 && d[i] > 150 && d[i] > 1.7 * d[i + 1]) n += 1;
      return n / (d.length / 4); })()"""
    console.until(f"window.pelagos.app.top.crashes.length > 0 && {red} > 0.005")
    assert console.page.evaluate("window.pelagos.app.sound.rung") >= 1
    north, east = console.get("crash_north_m"), console.get("crash_east_m")
    # the place is on the north face of the column; the hull sinks in by a few centimetres
    assert abs(north - (COLUMN_NORTH_M + HALF_M)) < 0.15
    assert abs(east - COLUMN_EAST_M) < HALF_M
    marked = page.evaluate("window.pelagos.app.top.crashes[0]")
    assert marked == pytest.approx({"north": north, "east": east}, abs=1e-3)
    console.until(f"s.get('crash_age_s') > 3 && {red} < 0.001")


def test_views_and_modes_are_switched(console):
    page = console.page
    page.keyboard.press("2")
    page.wait_for_selector('.lamp.on[data-lamp="depth"]', timeout=LIMIT_MS)
    held = console.get("hold_depth_m")
    console.until("s.time > x + 3", page.evaluate("window.pelagos.history.latest().time"))
    assert console.get("depth_m") == pytest.approx(held, abs=0.1)  # steady in still water to a few centimetres
    page.keyboard.press("2")
    page.wait_for_selector('.lamp:not(.on)[data-lamp="depth"]', timeout=LIMIT_MS)

    before = console.picture()
    page.keyboard.press("v")
    page.wait_for_selector('#btn-chase[aria-pressed="true"]', timeout=LIMIT_MS)
    drawn = page.evaluate("window.pelagos.app.camera.rate.times.at(-1)")
    console.until("window.pelagos.app.camera.rate.times.at(-1) > x + 500", drawn)
    assert np.abs(console.picture() - before).mean() > 0.02
    page.click("#btn-camera")
    page.wait_for_selector('#btn-camera[aria-pressed="true"]', timeout=LIMIT_MS)

    page.keyboard.press("n")
    assert page.inner_text("#btn-top-form") == "north up"
    page.keyboard.press("Shift+N")
    assert page.get_attribute("#btn-top", "aria-pressed") == "false"
    assert not page.is_visible("#top")
    page.keyboard.press("h")
    assert page.is_visible("#panel-help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#panel-help")


def test_keys_are_let_go_when_the_page_loses_the_keyboard(console):
    page = console.page
    with console.held("w"):
        console.until("s.get('stick_surge') === 1")
        page.evaluate("window.dispatchEvent(new Event('blur'))")
        console.until("s.get('stick_surge') === 0")
    with console.held("w"):
        console.until("s.get('stick_surge') === 1")
        page.click("#btn-session")
        page.focus("#session-name")
        console.until("s.get('stick_surge') === 0")
    page.keyboard.type("wwww")
    assert page.input_value("#session-name").endswith("wwww")
    assert page.evaluate("window.pelagos.app.keyboard.held.size") == 0


def test_a_key_is_given_to_another_action_and_kept(console):
    page = console.page
    page.click("#btn-settings")
    page.click("#bind-keys-pause")
    page.keyboard.press("b")
    assert page.inner_text("#bind-keys-pause") == "B"
    assert "B: " in page.inner_text("#binding-conflicts")  # it switches the frame of the sticks, too
    assert "sticks follow" in page.inner_text("#bind-keys-pause-also")  # said where one looks
    assert page.evaluate("document.activeElement.id") == "bind-keys-pause"
    page.click("#bind-keys-record")
    page.evaluate("document.getElementById('panel-settings').querySelector('.close').click()")
    page.keyboard.press("b")  # not for recording: the sheet is closed
    assert page.evaluate("JSON.parse(localStorage.getItem('pelagos.bindings')).keys") == {"pause": ["KeyB"]}
    console.until("s.get('paused') > 0")
    page.keyboard.press("b")
    console.until("s.get('paused') === 0")


def test_another_watches_and_gets_the_controls_when_they_are_handed_over(server, console, open_console):
    other = open_console(server.address)
    other.until("window.pelagos.link.roster && !window.pelagos.link.steering()")
    other.page.click("#btn-session")
    other.page.click("#seat-pilot")
    console.until("document.getElementById('handover').textContent.includes('Ann asks for the controls')")
    assert re.search(r"handed over in \d+ s", console.page.inner_text("#handover"))
    console.page.click("#handover-refuse", timeout=LIMIT_MS)
    other.until("document.getElementById('seat-pilot').textContent === 'Ask for the controls'")
    assert not other.page.is_visible("#handover")
    other.page.click("#seat-pilot")
    console.page.click("#handover-grant", timeout=LIMIT_MS)
    other.until("window.pelagos.link.steering()")
    console.until("!window.pelagos.link.steering()")


def test_buttons_do_what_keys_do(console):
    page = console.page
    page.click("#btn-controls")
    for _ in range(3):  # faster than states come: each step goes on from the one before
        page.evaluate("document.getElementById('do-trim_surge_up').click()")
    console.until("Math.abs(s.get('trim_surge') - 0.15) < 1e-6")
    page.click("#do-trim_reset")
    console.until("s.get('trim_surge') === 0")
    before = console.get("tilt_deg")
    page.hover("#do-tilt_up")
    page.mouse.down()
    console.until("s.get('tilt_deg') > x + 3", before)
    page.mouse.up()
    page.focus("#do-roll_starboard")
    with console.held(" "):
        console.until("s.get('stick_roll') === 1")
    console.until("s.get('stick_roll') === 0")
    assert not page.query_selector("#do-winch_in")  # there is no tether


def test_without_webgl_the_rest_goes_on(server, open_console):
    no_webgl = """
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
    };"""
    console = open_console(server.address, no_webgl, "window.pelagos.app.camera.failed !== ''")
    assert "no WebGL" in console.page.inner_text("#camera-off")
    console.until("window.pelagos.link.steering()")
    with console.held("f"):
        console.until("s.get('stick_heave') === 1")
    assert console.page.inner_text("#clock-time") != "00:00.0"


def test_a_server_that_stands_still_is_a_lost_link(server, console):
    server.send(signal.SIGSTOP)
    try:
        # in one look: on a busy machine messages that were under way end a first, short loss
        console.until(f"{LINK_LOST} && window.pelagos.link.lost")
    finally:
        server.send(signal.SIGCONT)
    console.until(f"!{LINK_LOST}")


@pytest.mark.slow
def test_a_recording_is_replayed_with_its_time_bar(server, console, open_console, folder):
    page = console.page
    page.keyboard.press("o")
    console.until("s.get('recording') > 0")
    with console.held("w"):
        console.until("s.get('north_m') < 16")
    page.keyboard.press("o")
    console.until("s.get('recording') === 0")
    logs = finished_logs(folder)
    assert len(logs) == 1
    replay = Server(folder, "--replay", logs[0].name)
    try:
        shown = open_console(replay.address)
        end = shown.page.evaluate("window.pelagos.link.hello.source.duration_s")
        assert end > 1.0
        shown.page.select_option("#replay-speed", "0.1")
        shown.until("s.get('time_scale') < 0.2")
        shown.page.focus("#replay-play")
        shown.page.keyboard.press("Shift+Home")
        shown.until("s.time < 0.5 && document.getElementById('replay-play').textContent === 'Pause'")
        shown.page.click("#replay-play")
        shown.until("s.get('paused') > 0")
        shown.page.evaluate(
            "(x) => { const bar = document.getElementById('replay-time'); bar.value = x;"
            " bar.dispatchEvent(new Event('input')); }",
            str(end),
        )
        shown.until("s.get('north_m') < 16.1 && s.time > x", end - 0.5)
        shown.page.focus("#replay-play")
        shown.page.keyboard.press("Shift+ArrowRight")  # past the end is the end
        shown.until("Math.abs(s.time - x) < 0.05", end)
        shown.page.keyboard.press("Shift+Home")
        shown.until("s.time < 0.5 && s.get('north_m') > 16.5")
        assert "refused" not in shown.page.inner_html("#toasts")
        assert not shown.page.is_visible("#btn-record") and not shown.page.is_visible("#role")
        shown.until("document.getElementById('replay-text').textContent.startsWith('0:00.')")
        assert not shown.page.evaluate("window.pelagos.link.steering()")
    finally:
        replay.close()


@pytest.mark.slow
def test_a_server_that_is_gone_and_one_that_came_instead(server, console):
    assert console.page.inner_text("#role") == "pilot: Ann"
    server.send(signal.SIGKILL)
    server.process.wait(20)
    console.until(f"{BANNER}.includes('SERVER STOPPED') && {BANNER}.includes('trying again')")
    assert console.page.evaluate("window.pelagos.link.state") == "closed"
    assert not console.page.is_visible("#role")
    console.until("window.pelagos.link.tries >= 2")  # it goes on trying
    another = served.Console(Buoy, port=int(re.findall(r":(\d+)/", server.address)[0]))
    another.start()
    try:
        console.until(f"{BANNER}.includes('SERVER RESTARTED') && {BANNER}.includes('open the address')")
    finally:
        another.stop()
