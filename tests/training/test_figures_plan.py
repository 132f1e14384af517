"""The path over the structures: what is drawn where."""

import math

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from pelagos.training.figures import draw_path, is_wide
from pelagos.training.task import load_task

STRAIGHT = {
    "east_m": np.linspace(-9.5, 57.5, 200).tolist(),
    "north_m": np.full(200, 30.0).tolist(),
    "depth_m": np.full(200, 97.5).tolist(),
    "heading_deg": np.full(200, 90.0).tolist(),
}


def drawn(curve, name):
    task = load_task(name)
    world = task.world_for()
    ax = Figure().subplots()
    draw_path(ax, curve, world, task.vehicle(), task.marks(world))
    return ax


def polygons(ax):
    return [
        path.vertices for one in ax.collections if isinstance(one, PolyCollection) for path in one.get_paths()
    ]  # fmt: skip


def test_a_path_along_the_pipe_is_wide():
    assert is_wide(STRAIGHT)
    assert not is_wide(STRAIGHT | {"north_m": STRAIGHT["east_m"]})


def test_the_pipe_is_drawn_where_it_lies_and_the_hull_in_its_size():
    ax = drawn(STRAIGHT, "pipeline")
    boxes = [(p.min(axis=0), p.max(axis=0)) for p in polygons(ax)]
    # the pipe of the world: 70 m by 1 m about (36.25, 36.25), to the north-east: its corners reach 71 m / sqrt(8)
    reach = 71.0 / math.sqrt(8.0)
    assert any(a == pytest.approx([36.25 - reach] * 2) and b == pytest.approx([36.25 + reach] * 2) for a, b in boxes)
    hulls = [(a, b) for a, b in boxes if b - a == pytest.approx([3.0, 1.6])]  # bow to the east
    assert len(hulls) >= 10
    assert min(a[0] for a, _ in hulls) == pytest.approx(-9.5 - 1.5, abs=0.5)


def test_the_hull_turns_with_the_heading():
    turned = drawn(STRAIGHT | {"heading_deg": np.full(200, 0.0).tolist()}, "pipeline")
    sizes = [p.max(axis=0) - p.min(axis=0) for p in polygons(turned)]
    assert sum(size == pytest.approx([1.6, 3.0]) for size in sizes) >= 10


def test_the_current_is_drawn_as_it_flows():
    task = load_task("pipeline")
    world = task.world_for()
    ax = Figure().subplots()
    draw_path(ax, STRAIGHT, world)
    assert not [text for text in ax.texts if "m/s" in text.get_text()]  # the task's own conditions: none
    from pelagos.training.conditions import THESIS

    ax = Figure().subplots()
    draw_path(ax, STRAIGHT, task.world_for(THESIS["cable"]))
    assert [text.get_text() for text in ax.texts if "m/s" in text.get_text()] == ["0.75 m/s"]


def test_rings_lie_where_the_stand_off_is():
    angles = np.linspace(0.0, 2.0 * math.pi, 50)
    circle = {
        "north_m": (10.0 + 3.0 * np.cos(angles)).tolist(), "east_m": (10.0 + 3.0 * np.sin(angles)).tolist(),
        "depth_m": np.full(50, 92.0).tolist(), "heading_deg": np.degrees(angles).tolist(),
    }  # fmt: skip
    ax = drawn(circle, "inspection")
    rings = [line for line in ax.lines if len(line.get_xdata()) == 73]
    assert len(rings) == 3
    for ring in rings:
        x, y = np.asarray(ring.get_xdata()), np.asarray(ring.get_ydata())
        assert np.hypot(x - 10.0, y - 10.0) == pytest.approx(np.full(73, 0.75 + 2.0))  # half the column and 2 m


def test_what_is_too_small_to_be_seen_gets_a_sign_and_what_is_outside_gets_none():
    task = load_task("search")
    world = task.world_for(seed=1)
    curve = {"north_m": [-25.0, -65.0], "east_m": [-20.0, 20.0], "depth_m": [98.0, 98.0], "heading_deg": [0.0, 0.0]}
    ax = Figure().subplots()
    draw_path(ax, curve, world, None, task.marks(world))
    signs = [(line.get_ydata()[0], line.get_xdata()[0]) for line in ax.lines if line.get_marker() == "D"]
    places = [tuple(item.center_n()[:2]) for item in world.structures[-5:]]
    assert np.array(sorted(signs)) == pytest.approx(np.array(sorted(places)), abs=0.02)  # m: mean of an outline
