"""Figures of training hold the data: the curves of an attempt, its path over the structures, scores over attempts."""

import dataclasses
import math

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from pelagos.analysis.page import UNWRITTEN
from pelagos.errors import CommandError
from pelagos.training.conditions import THESIS
from pelagos.training.figures import draw_attempt, draw_path, draw_progress, is_wide
from pelagos.training.task import load_task
from tests.training.test_results import make_result, measures


def hovering(**more):
    """An attempt at the wellhead that goes into the cube for a while."""
    t = np.arange(0.0, 60.0, 0.2)
    curve = {
        "time_s": t, "north_m": 34.5 + np.cos(t / 9.0), "east_m": -15.0 + 0.5 * np.sin(t / 7.0),
        "depth_m": 0.0 * t + 97.5, "heading_deg": 180.0 + 3.0 * np.sin(t), "progress": t / 60.0,
        "altitude_m": 0.0 * t + 2.5,
        "distance_m": np.where((t > 20.0) & (t < 30.0), -0.6, 0.3 + 0.01 * t),
        "altitude_error_m": 0.1 * np.sin(t / 3.0), "heading_error_deg": 3.0 * np.sin(t),
    }  # fmt: skip
    rms = measures(distance_rms_m=0.44, altitude_error_rms_m=0.07, heading_error_rms_deg=2.1)
    lists = {name: values.tolist() for name, values in curve.items()}
    return make_result(title="Hover at the wellhead", measures=rms, curve=lists, conditions=THESIS["current"], **more)


def line_of(ax, length):
    """The data of the line with so many points."""
    (line,) = [line for line in ax.lines if len(line.get_xdata()) == length]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_the_curves_of_figure_7_3_hold_the_data():
    result = hovering()
    figure = draw_attempt(result, UNWRITTEN)
    plan, distance, altitude, heading = figure.axes
    for ax, name in ((distance, "distance_m"), (altitude, "altitude_error_m"), (heading, "heading_error_deg")):
        x, y = line_of(ax, len(result.curve["time_s"]))
        assert x.tolist() == list(result.curve["time_s"])
        assert y.tolist() == list(result.curve[name])
    assert "negative in the structure" in distance.get_title("left")
    (shade,) = distance.collections  # the part in the cube, and no other
    (area,) = [path.vertices for path in shade.get_paths()]
    assert area[:, 0].min() == pytest.approx(20.0, abs=0.21) and area[:, 0].max() == pytest.approx(30.0, abs=0.21)
    assert "rms 0.44 m" in [text.get_text() for text in distance.texts]
    x, y = line_of(plan, len(result.curve["time_s"]))
    assert x.tolist() == list(result.curve["east_m"]) and y.tolist() == list(result.curve["north_m"])


def test_the_title_says_who_and_how():
    title = draw_attempt(hovering(pilot="Zoë", score=63.2), UNWRITTEN).get_suptitle()
    assert all(text in title for text in ("Hover at the wellhead", "Zoë", "63 points", "completed", "1 m/s"))


def test_an_attempt_at_a_task_that_is_gone_is_still_drawn():
    figure = draw_attempt(hovering(task="of last year"), UNWRITTEN)
    assert not [item for item in figure.axes[0].collections if isinstance(item, PolyCollection)]
    assert line_of(figure.axes[0], 300)


def test_an_attempt_without_a_curve_is_refused():
    with pytest.raises(CommandError, match="too short"):
        draw_attempt(make_result(curve={}), UNWRITTEN)
    with pytest.raises(CommandError, match="no results"):
        draw_progress([], UNWRITTEN)


def test_progress_holds_every_score():
    easy = [make_result(score=20.0 + 5.0 * k) for k in range(6)]
    hard = [dataclasses.replace(result, conditions=THESIS["cable"], score=result.score / 2.0) for result in easy[:3]]
    figure = draw_progress([*easy, *hard, make_result(task="search", score=80.0)], UNWRITTEN)
    hover, search = figure.axes
    dots = [line for line in hover.lines if line.get_marker() == "o"]
    assert [list(line.get_ydata()) for line in dots] == [[item.score for item in group] for group in (easy, hard)]
    assert [list(line.get_xdata()) for line in dots] == [[1, 2, 3, 4, 5, 6], [1, 2, 3]]
    trends = [line for line in hover.lines if line.get_marker() != "o"]
    slope = np.diff(np.asarray(trends[0].get_ydata()))
    assert slope == pytest.approx([5.0] * 5)  # points an attempt
    assert search.get_title("left") == "search"
    assert "trend +5.0" in hover.get_legend().texts[0].get_text()


@pytest.mark.slow
def test_files_are_written(tmp_path):
    draw_attempt(hovering(), tmp_path / "attempt.png")
    draw_progress([hovering()], tmp_path / "progress.svg")
    assert (tmp_path / "attempt.png").stat().st_size > 20_000
    assert "attempt" in (tmp_path / "progress.svg").read_text()
    assert math.isfinite(hovering().score)


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
        path.vertices for item in ax.collections if isinstance(item, PolyCollection) for path in item.get_paths()
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
