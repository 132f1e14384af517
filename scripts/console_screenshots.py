"""Pictures of the console for the pages: every view, taken from the running program in a real browser.

    python scripts/console_screenshots.py                  all of them, into docs/images/
    python scripts/console_screenshots.py chase hover      some

Needs Chromium and the package playwright. Without a graphics card a picture takes some seconds.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
FLAGS = (
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
)  # fmt: skip
STILL_S = 4.0  # of a paused flight: some frames at the speed of software rendering
Act = Callable[["Page"], None]


class Page:
    """The console in the browser."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def order(self, name: str, **values: Any) -> None:
        """As a button would."""
        self.page.evaluate("([name, values]) => window.pelagos.link.order(name, values)", [name, values])

    def get(self, column: str) -> float:
        """A column of the newest state."""
        return float(self.page.evaluate("(name) => window.pelagos.history.latest()?.get(name) ?? NaN", column))

    def until(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait for something."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise SystemExit("the page did not come to where the picture is taken")
            time.sleep(0.1)

    def press(self, *keys: str) -> None:
        """Keys of the default bindings."""
        for key in keys:
            self.page.keyboard.press(key)
            time.sleep(0.3)

    def hold(self, key: str, seconds: float) -> None:
        """A stick by its key, for some simulated time."""
        began = self.page.evaluate("() => window.pelagos.history.latest().time")
        self.page.keyboard.down(key)
        self.until(lambda: self.page.evaluate("() => window.pelagos.history.latest().time") - began > seconds)
        self.page.keyboard.up(key)

    def freeze(self) -> None:
        """Stop time so that the picture catches up; what would only say so is hidden."""
        self.order("pause", on=True)
        hide = "() => ['banner', 'toasts'].forEach((id) => { document.getElementById(id).style.display = 'none'; })"
        self.page.evaluate(hide)
        time.sleep(STILL_S)


@dataclass(frozen=True)
class Shot:
    """One picture: what is started, what is done before it is taken."""

    arguments: tuple[str, ...]
    act: Act
    size: tuple[int, int] = (1280, 720)
    touch: bool = False
    before: tuple[str, ...] = field(default=())  # a `pelagos` command to run first, in the same folder


def _hover(page: Page) -> None:
    page.order("hold", hold="depth", on=True)
    page.order("hold", hold="heading", on=True)
    page.hold("w", 2.0)
    page.order("hold", hold="position", on=True)
    time.sleep(3.0)


def _look_up(page: Page) -> None:
    _hover(page)
    page.order("camera", tilt_deg=40.0)


def _chase(page: Page) -> None:
    _hover(page)
    page.page.click("[data-view='chase'], #view-chase, button:has-text('Chase')")


def _crash(page: Page) -> None:
    page.order("hold", hold="depth", on=True)
    page.page.keyboard.down("w")
    page.until(lambda: page.get("collisions") > 0)
    page.order("pause", on=True)
    page.page.keyboard.up("w")


def _task(page: Page) -> None:
    page.order("task_start")
    page.hold("w", 2.0)
    time.sleep(2.0)


def _panel(name: str) -> Act:
    def act(page: Page) -> None:
        page.order("hold", hold="depth", on=True)
        page.page.click(f"button:has-text('{name}')")

    return act


def _north_up(page: Page) -> None:
    page.order("hold", hold="depth", on=True)
    page.hold("w", 4.0)
    page.hold("d", 3.0)
    page.page.click("button:has-text('heading up')")


def _replayed(page: Page) -> None:
    page.until(lambda: page.get("depth_m") > 0.0)
    page.order("seek", time_s=45.0)
    page.order("pause", on=True)


def _company(page: Page) -> None:
    """Another program tells of an AUV that comes by before the camera, once a second as an exercise would."""
    import math
    import socket

    from pelagos.frames import rotation_from_euler
    from pelagos.geodesy import DEFAULT_ORIGIN, geocentric_euler
    from pelagos.links.dis.wire.entity_state import EntityState
    from pelagos.links.dis.wire.pdu import encode
    from pelagos.links.dis.wire.records import EntityId, EntityType

    _hover(page)
    heading = math.radians(page.get("heading_deg"))
    north, east, depth = (page.get(name) for name in ("north_m", "east_m", "depth_m"))
    bearing = heading - math.radians(12.0)
    place = (north + 3.2 * math.cos(bearing), east + 3.2 * math.sin(bearing), depth + 0.2)
    facing = rotation_from_euler(0.0, 0.0, heading + math.radians(110.0))
    auv = EntityState(
        EntityId(7, 1, 1),
        EntityType.of("1:4:225:8"),
        tuple(DEFAULT_ORIGIN.to_geocentric(place).tolist()),
        orientation=geocentric_euler(DEFAULT_ORIGIN.R_en @ facing),
        marking="VISITOR",
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for _ in range(4):
            line.sendto(encode(auv), ("127.0.0.1", LISTENS))
            time.sleep(1.0)


LISTENS = 3001  # port at which the console receives DIS for the picture of contacts
FLOWN = ("run", "rov-pipeline", "--duration", "90", "--no-figure", "--out", "pipeline")
WELLHEAD = ("--current", "0.1", "--depth-m", "97.2")
SHOTS = {
    "camera": Shot(WELLHEAD, _hover),
    "chase": Shot((*WELLHEAD, "--tether"), _chase),
    "crash": Shot(("--current", "0"), _crash),
    "surface": Shot(("--north-m", "16", "--east-m", "10", "--depth-m", "5", "--heading-deg", "180"), _look_up),
    "wreck": Shot(("--world", "wreck_slope"), _hover),
    "auv": Shot(("iver3", "--world", "gavia_bottom"), lambda page: (page.hold("w", 6.0), _chase(page))[0]),
    "tether": Shot(("seagrant1", "--world", "royer_field", "--current", "0.75", "--tether"), _hover),
    "north-up": Shot(("--current", "0.3"), _north_up),
    "hover": Shot(("--task", "hover", "--pilot", "Ann"), _task),
    "pipeline": Shot(("--task", "pipeline", "--pilot", "Ann"), _task),
    "instructor": Shot(WELLHEAD, _panel("Instructor")),
    "help": Shot(WELLHEAD, _panel("Help")),
    "contacts": Shot((*WELLHEAD, "--dis", f"127.0.0.1:3000/{LISTENS}", "--mavlink"), _company),
    "tablet": Shot(WELLHEAD, _hover, (1024, 768), touch=True),
    "replay": Shot(("--replay", "pipeline.csv"), _replayed, before=FLOWN),
}


def take(browser: Any, name: str, shot: Shot, folder: Path) -> Path:
    """Start the program, fly, take the picture."""
    place = {**os.environ, "PYTHONPATH": str(ROOT), "PELAGOS_DATA_DIR": str(folder / "data")}
    program = [sys.executable, "-m", "pelagos"]
    if shot.before:
        subprocess.run([*program, *shot.before], cwd=folder, env=place, check=True, stdout=subprocess.DEVNULL)
    command = [*program, "fly", *shot.arguments, "--no-browser", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, env=place, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        match = re.search(r"http://\S+", server.stdout.readline())
        if match is None:
            raise SystemExit(f"{name}: the program gave no address")
        try:
            width, height = shot.size
            context = browser.new_context(viewport={"width": width, "height": height}, has_touch=shot.touch)
            opened = context.new_page()
            opened.goto(f"{match[0]}&quality=high&name=Ann")
            page = Page(opened)
            page.until(lambda: opened.evaluate("() => Boolean(window.pelagos?.history.latest())"), 300.0)
            shot.act(page)
            page.freeze()
            path = IMAGES / f"console-{name}.jpg"
            opened.screenshot(path=str(path), type="jpeg", quality=82)
            context.close()
        finally:
            server.send_signal(signal.SIGINT)
    return path


def main(names: list[str]) -> None:
    """Take those of these names, or all."""
    from playwright.sync_api import sync_playwright

    unknown = [name for name in names if name not in SHOTS]
    if unknown:
        raise SystemExit(f"there is no picture {unknown[0]}; expected some of {', '.join(SHOTS)}")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("Chromium is missing: install it with the system's packages")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for name in names or SHOTS:
            path = take(browser, name, SHOTS[name], Path(folder))
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
