"""What the figures of chapter 3 show: read off the drawn lines."""

import math

import numpy as np
import pytest
from matplotlib.figure import Figure

from pelagos_evidence.royer import search as figures
from pelagos_evidence.royer.search import TARGET_M, far_and_close


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
