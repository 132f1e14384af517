"""The figure of chapter 5 tells what the detector says."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from pelagos_evidence.royer import collision as figure


def test_outline_is_a_rectangle_of_the_vehicle():
    corners = figure.outline(2.0, 3.0, math.radians(90.0))
    np.testing.assert_allclose(corners.mean(axis=0), (3.0, 2.0))  # east, north
    assert np.ptp(corners[:, 0]) == pytest.approx(3.0) and np.ptp(corners[:, 1]) == pytest.approx(1.6)


def test_vehicles_without_a_corner_near_the_cube_are_green():
    ax = Figure().subplots()
    figure._areas(ax)
    colours = set()
    for patch in ax.patches:
        if isinstance(patch, Polygon):
            corners = patch.get_xy()[:4]
            inside = (np.abs(corners) < 2.5).all(axis=1).any()
            colour = to_hex(patch.get_edgecolor()).upper()
            colours.add(colour)
            if inside:
                assert colour == figure.HIT
            if np.hypot(*corners.mean(axis=0)) > 2.5 * math.sqrt(2.0) + 1.7:
                assert colour == figure.FREE
    assert colours == {figure.HIT, figure.FREE}


def test_the_flown_panel_shows_one_vehicle_stopped_and_one_not():
    ax = Figure().subplots()
    figure._flown(ax)
    through, _, stopped, _ = (line.get_ydata() for line in ax.get_lines())
    assert through[-1] < -1.0 and abs(stopped[-1]) < 0.02
