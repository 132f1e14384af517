"""Figures of training hold the data: the curves of an attempt, its path, scores over attempts."""

import dataclasses
import math

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from matplotlib.collections import PolyCollection

from pelagos.analysis.page import UNWRITTEN
from pelagos.errors import CommandError
from pelagos.training.conditions import THESIS
from pelagos.training.figures import draw_attempt, draw_progress
from tests.training.test_results_result import a_result, measures


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
    said = measures(distance_rms_m=0.44, altitude_error_rms_m=0.07, heading_error_rms_deg=2.1)
    kept = {name: values.tolist() for name, values in curve.items()}
    return a_result(title="Hover at the wellhead", measures=said, curve=kept, conditions=THESIS["current"], **more)


def line_of(ax, length):
    """The data of the line with so many points."""
    (found,) = [line for line in ax.lines if len(line.get_xdata()) == length]
    return np.asarray(found.get_xdata()), np.asarray(found.get_ydata())


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
    assert not [one for one in figure.axes[0].collections if isinstance(one, PolyCollection)]
    assert line_of(figure.axes[0], 300)


def test_an_attempt_without_a_curve_is_refused():
    with pytest.raises(CommandError, match="too short"):
        draw_attempt(a_result(curve={}), UNWRITTEN)
    with pytest.raises(CommandError, match="no results"):
        draw_progress([], UNWRITTEN)


def test_progress_holds_every_score():
    easy = [a_result(score=20.0 + 5.0 * k) for k in range(6)]
    hard = [dataclasses.replace(one, conditions=THESIS["cable"], score=one.score / 2.0) for one in easy[:3]]
    figure = draw_progress([*easy, *hard, a_result(task="search", score=80.0)], UNWRITTEN)
    hover, search = figure.axes
    dots = [line for line in hover.lines if line.get_marker() == "o"]
    assert [list(line.get_ydata()) for line in dots] == [[one.score for one in easy], [one.score for one in hard]]
    assert [list(line.get_xdata()) for line in dots] == [[1, 2, 3, 4, 5, 6], [1, 2, 3]]
    trends = [line for line in hover.lines if line.get_marker() != "o"]
    slope = np.diff(np.asarray(trends[0].get_ydata()))
    assert slope == pytest.approx([5.0] * 5)  # points an attempt
    assert search.get_title("left") == "search"
    assert "trend +5.0" in hover.get_legend().texts[0].get_text()


def test_files_are_written(tmp_path):
    draw_attempt(hovering(), tmp_path / "attempt.png")
    draw_progress([hovering()], tmp_path / "progress.svg")
    assert (tmp_path / "attempt.png").stat().st_size > 20_000
    assert "attempt" in (tmp_path / "progress.svg").read_text()
    assert math.isfinite(hovering().score)
