"""Search for the cable's end: K calculated by hand, a wrong sign that must fail, the lines of chapter 3."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure

from evidence.tests.checked import joined
from pelagos_evidence.royer import search
from pelagos_evidence.royer import search as figures
from pelagos_evidence.royer.search import TARGET_M, far_and_close


def by_key(rows):
    return {row.key: row for row in rows}


def test_k_is_positive_where_the_end_lies_below_the_line():
    line = np.array([(0.0, -10.0), (1.0, -10.0), (2.0, -10.5), (3.0, -11.0)])
    assert search.k_test(line, np.array([1.1, -12.0])) > 0.0  # deeper: more tension
    assert search.k_test(line, np.array([1.1, -8.0])) < 0.0
    backwards = line[::-1]  # the order of the trials does not matter
    assert search.k_test(backwards, np.array([1.1, -12.0])) > 0.0


def test_the_wrong_sign_is_caught(monkeypatch):
    right = search.k_test
    monkeypatch.setattr(search, "k_test", lambda points, target: -right(points, target))
    assert not joined(search, search._k_values())[0].holds


def test_a_search_that_ignores_where_it_was_is_caught(monkeypatch):
    far, _ = search.far_and_close()
    monkeypatch.setattr(search, "far_and_close", lambda: (far, far))
    assert not by_key(joined(search, search.search_values()))["figures-3-10-3-11"].holds


def test_both_searches_end_within_a_metre():
    for history in search.far_and_close():
        best = history[history[:, 4].argmin()]
        assert best[4] < 1.0
        assert abs(best[2] - search.TARGET_M[0]) < 1.0 and abs(best[3] - search.TARGET_M[1]) < 1.0


def test_ends_are_those_of_the_walk():
    (end,) = search.ends(200.0, np.radians([-20.0]))
    np.testing.assert_allclose(end, (-61.5, -63.7), atol=0.06)  # figure 3.5 with 50 steps


@pytest.fixture
def ax():
    return Figure().subplots()


def ends_of(ax):
    return [line.get_xydata()[-1] for line in ax.get_lines() if len(line.get_xydata()) > 20]


def test_figure_3_5_has_three_cables_and_the_heavy_one_hangs_least_deep(ax):
    figures.figure_3_5(ax)
    light, neutral, heavy = ends_of(ax)
    assert light[1] < neutral[1] < heavy[1] < 0.0
    assert neutral == pytest.approx((-61.5, -63.7), abs=0.06)


def test_figure_3_6_ends_lie_apart_in_the_order_of_the_steps(ax):
    figures.figure_3_6(ax)
    fifty, hundred, thousand = ends_of(ax)
    assert math.dist(fifty, thousand) == pytest.approx(6.5, abs=0.1)
    assert math.dist(hundred, thousand) < math.dist(fifty, thousand)


@pytest.mark.parametrize("draw", [figures.figure_3_7, figures.figure_3_8, figures.figure_3_9])
def test_lines_stay_within_the_panel(ax, draw):
    draw(ax)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    for line in ax.get_lines():
        x, y = np.asarray(line.get_xydata()).T
        assert left <= x.min() and x.max() <= right and low <= y.min() and y.max() <= high


def test_the_note_at_figure_3_9_is_true():
    from pelagos.engine.cable.royer import ANGLES
    from pelagos_evidence.royer.search import ends, k_test

    signs = [k_test(ends(tension, ANGLES), np.array(TARGET_M)) > 0.0 for tension in (100.0, 200.0, 400.0)]
    assert signs == [True, True, False]


def test_the_convergence_ends_at_the_target(ax):
    far, _ = far_and_close()
    figures.convergence(ax, far, "")
    widest = max(
        (line for line in ax.get_lines() if len(line.get_xydata()) == 51), key=lambda line: line.get_linewidth()
    )
    assert math.dist(widest.get_xydata()[-1], TARGET_M) < 1.0
