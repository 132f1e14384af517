"""Links in a real browser: a contact that another program tells of is drawn in every view, and counts are shown.

The contact comes by the order `contact` of a link, as that of DIS gives it. Nothing here asserts how fast anything is:
every wait is for something to be seen, with a long limit.
"""

import numpy as np
import pytest

from pelagos.session.links import LinkSet
from pelagos.world.spec import World
from tests.console.browser import CHROMIUM, FLAGS, LIMIT_MS, Console

served = pytest.importorskip("tests.console.served", reason="the console is not installed")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
flight = pytest.importorskip("pelagos.session.flight", reason="the console is not installed")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")]
SUBMARINE = {
    "key": "1:1:7", "name": "Dolphin", "kind": "submarine", "length_m": 4.0, "beam_m": 1.0, "height_m": 1.0,
    "position_m": [5.0, 0.0, 5.0], "quaternion": [0.7071067811865476, 0.0, 0.0, 0.7071067811865476],
    "velocity_m_s": [0.0, 0.0, 0.0], "algorithm": 2, "time_s": 0.0,
}  # fmt: skip
# share of pixels of a canvas that have the green of contacts: r, g, b about 0, 158, 115
GREEN = """(id) => {
  const canvas = document.getElementById(id);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let green = 0;
  for (let i = 0; i < data.length; i += 4) green += data[i + 1] > 60 && data[i + 1] > 1.25 * data[i + 2]
    && data[i + 1] > 2 * data[i];
  return green / (data.length / 4);
}"""
# colour of the top view where a point of the world lies
AT = """([north, east]) => {
  const { top } = window.pelagos.app;
  const [x, y] = top.projection.screen(north, east);
  const scale = top.canvas.width / top.canvas.clientWidth;
  return [...top.canvas.getContext("2d").getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3);
}"""


class Tower:
    """A link that tells of what the test hands it, and counts what the test says."""

    name = "tower"

    def __init__(self):
        self.orders, self.counted, self.given = [], {"received": 3, "sent": 12}, None

    def begin(self, afloat):
        """Nothing yet."""

    def before(self, afloat):
        """Give the orders that wait."""
        while self.orders:
            afloat.order(*self.orders.pop(0))

    def after(self, afloat, events):
        """Nothing to hear."""

    idle = before

    def counts(self):
        """As the test has it."""
        return dict(self.counted)

    def close(self):
        """Nothing to close."""


@pytest.fixture(scope="module")
def page():
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 960, "height": 540})
        yield page
        browser.close()


def test_a_contact_is_drawn_and_links_are_counted(page, tmp_path):
    tower, problems = Tower(), []
    links = LinkSet([tower])
    page.on("pageerror", lambda error: problems.append(str(error)))

    def build():
        start = {"north_m": 0.0, "east_m": 0.0, "depth_m": 5.0, "heading_deg": 0.0}
        return flight.Flight("bluerov2_heavy", World(depth_m=30.0), start=start, record_dir=tmp_path, results=tmp_path)

    with served.console(build, links=links) as running:
        page.goto(f"{running.address}&quality=low&name=Ann", timeout=LIMIT_MS)
        console = Console(page)
        console.until("window.pelagos.app.camera.rate.times.length > 1 && s.get('waiting') > 0")
        empty, water = console.picture(), page.evaluate(AT, [5.0, 1.0])
        assert page.evaluate(GREEN, "top") == page.evaluate(GREEN, "side") == 0.0

        tower.orders.append(("contact", SUBMARINE))
        console.until("window.pelagos.app.contacts.list.length === 1")
        console.until("window.pelagos.app.camera.view.contacts.shown.size === 1")
        page.wait_for_timeout(500)  # some frames
        # it lies across the bow, 5 m ahead: in the middle of the picture, and as wide as four fifths of it
        changed = np.abs(console.picture() - empty).mean(axis=2)
        rows, columns = changed.shape
        middle = changed[rows // 3 : -(rows // 3), columns // 4 : -(columns // 4)]
        assert middle.mean() > 0.05  # of full brightness, on its grey and yellow; nothing else has moved
        red, green, blue = page.evaluate(AT, [5.0, 1.0])  # on its hull, beside the middle
        assert green > 2 * red and green > 1.2 * blue
        assert not water[1] > 2 * water[0]  # what was there before is not of that green
        assert page.evaluate(GREEN, "side") > 0.0

        page.click("#btn-session")
        page.wait_for_selector("#links span:text('tower')", timeout=LIMIT_MS)
        # cell by cell: the text of a row has tabs in it only once it has been laid out
        assert page.locator("#links tbody tr").count() == 1
        assert page.locator("#links tbody td, #links tbody th").all_text_contents() == ["tower", "3", "12", "0"]
        assert page.locator("#links .caution").count() == 0
        tower.counted = {"received": 4, "sent": 12, "dropped_malformed": 2, "dropped_flood": 5}
        page.wait_for_selector("#links .caution:text('7')", timeout=LIMIT_MS)
        assert "dropped flood 5, dropped malformed 2" in page.inner_text("#links")
        links.post("tower: a message of 3 bytes is no message")
        page.wait_for_selector("#toasts li[data-event='link']:text('no message')", timeout=LIMIT_MS)

        lamp = page.locator("[data-lamp='armed']")
        assert not lamp.is_visible() and page.locator("[data-warning='disarmed']").count() == 0
        tower.orders.append(("arm", {"on": False}))  # as a ground station does it
        page.wait_for_selector("[data-warning='disarmed']:text('disarmed, thrusters off')", timeout=LIMIT_MS)
        assert lamp.inner_text() == "Disarmed" and "Press to arm" in lamp.get_attribute("title")
        lamp.click()  # the pilot at the page arms it again
        console.until("s.get('armed') === 1")
        page.wait_for_selector("[data-warning='disarmed']", state="detached", timeout=LIMIT_MS)
        assert not lamp.is_visible()
        tower.orders.append(("actuators", {"thrusters": {"front_port": 0.1}}))
        page.wait_for_selector("[data-warning='by-link']:text('a link has the thrusters')", timeout=LIMIT_MS)
        with console.held("w"):  # pulled for a moment: the pilot has them
            console.until("s.get('by_link') === 0")

        tower.orders.append(("contact_gone", {"key": "1:1:7"}))
        console.until("window.pelagos.app.contacts.list.length === 0")
        console.until("window.pelagos.app.camera.view.contacts.shown.size === 0")
        page.wait_for_timeout(500)
        assert page.evaluate(GREEN, "top") == page.evaluate(GREEN, "side") == 0.0
        page.goto("about:blank")
    assert problems == []
