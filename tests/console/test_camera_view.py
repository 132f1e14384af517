"""Pictures of the camera view in a real browser: what a shader draws can be seen in its pixels only.

The page is a bare one with the view alone; files come from the package, no server runs. Pictures are 240 by 136 of low
quality: some milliseconds each. Brightness is that of the screen, 0..1.
"""

import base64
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.load import load_world
from tests.console.browser import CHROMIUM, FLAGS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")]
STATIC = Path(__file__).parents[2] / "pelagos" / "console" / "static"
WIDTH, HEIGHT = 240, 136
ADDRESS = "http://console.test"
PAGE = """<!doctype html><canvas id="c"></canvas><script type="module">
import { CameraView } from "/js/view/camera_view.js";
window.draw = ({ source, columns, mode }) => {
  window.view ??= new CameraView(document.getElementById("c"), { quality: "low", keep: true });
  view.setHello({ type: "hello", source });
  view.resize(WIDTH, HEIGHT, 1);
  view.render({ time: 1, seq: 0, get: (name) => columns[name] ?? NaN }, 0, { mode });
  const gl = view.renderer.getContext(), data = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, data);
  let text = "";
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text);
};
</script>""".replace("WIDTH", str(WIDTH)).replace("HEIGHT", str(HEIGHT))


@pytest.fixture(scope="module")
def page():
    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS).lstrip("/")
        kind = "text/javascript" if path else "text/html"
        body = (STATIC / path).read_text(encoding="utf-8") if path.endswith(".js") else "" if path else PAGE
        route.fulfill(body=body, content_type=kind)

    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.route(f"{ADDRESS}/**", answer)
        page.goto(ADDRESS)
        yield page
        browser.close()


@pytest.fixture(scope="module")
def picture(page):
    """Rows from above, red, green, blue, 0..1."""
    worlds = {name: world_scene(load_world(name)) for name in ("royer_field", "test_tank", "open_ocean")}
    vehicles: dict[str, Any] = {}

    def draw(world: str, columns: dict[str, float], vehicle="bluerov2_heavy", mode="pilot", **source: Any):
        if vehicle not in vehicles:
            vehicles[vehicle] = vehicle_scene(load_vehicle(vehicle)) | {"axes": [], "can": []}
        yaw = math.radians(columns.get("heading_deg", 0.0)) / 2
        state = {"q0": math.cos(yaw), "q1": 0.0, "q2": 0.0, "q3": math.sin(yaw), "lights": 1.0, **columns}
        source_table = {"vehicle": vehicles[vehicle], "scene": worlds[world], **source}
        call = {"source": json.loads(json.dumps(source_table)), "columns": state, "mode": mode}
        flat = np.frombuffer(base64.b64decode(page.evaluate("(x) => window.draw(x)", call)), np.uint8)
        return flat.reshape(HEIGHT, WIDTH, 4)[::-1, :, :3] / 255.0

    return draw


def place(north: float, east: float, depth: float, **more: float) -> dict[str, float]:
    return {"north_m": north, "east_m": east, "depth_m": depth, **more}


def test_a_planned_path_that_passes_the_eye_is_a_thin_line(picture):
    at = place(20.0, 40.0, 60.0)
    path = [[5.0, 40.1, 60.1], [40.0, 40.1, 60.1]]  # from behind to ahead, 10 cm from the lens
    changed = np.abs(picture("royer_field", at, waypoints=path) - picture("royer_field", at)).max(axis=2) > 0.1
    # two and a half pixels wide from the middle towards a corner, with the mark of the far waypoint: a few hundred
    assert 20 < changed.sum() < 0.03 * WIDTH * HEIGHT


def test_what_the_vehicle_touches_is_not_seen_through(picture):
    # Column 1 is 1.5 m wide at 10 m north, 10 m east; the lens is 0.19 m before the vehicle's middle.
    for gap in (0.04, 0.0, -0.02):
        image = picture("royer_field", place(10.75 + gap + 0.19, 10.0, 93.0, heading_deg=180.0))
        # open water at 93 m is blue; rust, growth and steel in lamp light are not
        assert (image[..., 2] <= image[..., 0] + 0.12).all()
        assert image.mean() > 0.08


def test_a_bottom_close_to_the_lamps_keeps_its_texture(picture):
    views = [
        ("royer_field", place(20.0, 4.0, 99.7, tilt_deg=-30.0)),
        ("royer_field", place(20.0, 4.0, 98.0, tilt_deg=-30.0)),
        ("test_tank", place(0.0, 0.0, 2.7, tilt_deg=-30.0, heading_deg=20.0)),
        ("test_tank", place(0.0, 0.0, 1.2, heading_deg=20.0)),
    ]
    for world, at in views:
        grey = picture(world, at).mean(axis=2)
        assert (grey > 0.85).mean() < 0.002  # pale: nothing is left there for a pattern to show
        assert 0.1 < grey[HEIGHT // 2 :].mean() < 0.8
        assert grey[HEIGHT // 2 :].std() > 0.02


@pytest.mark.parametrize("vehicle", ["iver3", "remus100", "phoenix"])
def test_a_vehicle_can_be_made_out_from_outside_where_it_is_dark(picture, vehicle):
    for world, at in (("royer_field", place(50.0, 60.0, 60.0)), ("open_ocean", place(0.0, 0.0, 60.0))):
        grey = picture(world, at, vehicle, mode="chase").max(axis=2)
        middle = grey[HEIGHT // 3 : 2 * HEIGHT // 3, WIDTH // 3 : 2 * WIDTH // 3]
        # a tenth of the screen's range between two areas is seen at a glance; the brightest fiftieth is hull
        assert np.quantile(middle, 0.98) > np.median(grey) + 0.2


def test_the_ship_is_seen_from_below_with_a_tether_only(picture):
    at = place(6.0, 3.0, 5.0, tilt_deg=40.0, heading_deg=-140.0)
    without = picture("royer_field", at)
    with_ship = picture("royer_field", at | {"ship_north_m": 0.0, "ship_east_m": 0.0, "ship_depth_m": 0.0})
    darker = (without - with_ship).mean(axis=2) > 0.05
    assert darker.mean() > 0.05
