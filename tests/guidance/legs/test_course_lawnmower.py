"""Survey lines."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.guidance import Lawnmower
from tests.guidance.kinematic import fly


@pytest.mark.parametrize("overrun", [0.0, 15.0])
@pytest.mark.parametrize("direction", [0.0, 37.0, -120.0])
def test_length_is_that_of_the_formula(overrun, direction):
    leg = Lawnmower(
        corner_m=(3.0, -4.0), length_m=100.0, width_m=45.0, spacing_m=10.0, direction_deg=direction, overrun_m=overrun
    )
    assert leg.lines == 5  # at 0, 10, 20, 30, 40
    assert leg.length_of_track_m == pytest.approx(5 * (100.0 + 2 * overrun) + 4 * 10.0, rel=1e-12)


@pytest.mark.parametrize(("side", "sign"), [("starboard", 1.0), ("port", -1.0)])
def test_the_area_lies_on_its_side(side, sign):
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=50.0, width_m=20.0, spacing_m=20.0, direction_deg=90.0, side=side)
    first, second, third, fourth = leg.points()
    assert first == pytest.approx((0.0, 0.0), abs=1e-9)
    assert second == pytest.approx((0.0, 50.0), abs=1e-9)
    assert third == pytest.approx((-sign * 20.0, 50.0), abs=1e-9)  # to starboard of east is south
    assert fourth == pytest.approx((-sign * 20.0, 0.0), abs=1e-9)


def test_every_part_of_the_area_is_passed_within_half_a_spacing():
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=30.0, spacing_m=10.0, overrun_m=8.0, acceptance_m=2.0,
                    speed_m_s=1.0, lookahead_m=4.0)  # fmt: skip
    flight = fly(leg, 1000.0, at=(-20.0, 0.0, 0.0))
    assert flight.over
    grid = np.stack(np.meshgrid(np.arange(0.0, 61.0, 2.0), np.arange(0.0, 31.0, 1.0)), -1).reshape(-1, 2)
    track = np.column_stack([flight.north, flight.east])
    nearest = np.min(np.hypot(*(grid[:, None] - track[None]).transpose(2, 0, 1)), axis=1)
    assert nearest.max() < 5.0 + 0.3  # half a spacing and what the turns onto the lines leave
    # corners cut by the radius of acceptance and rounded by the look-ahead make it a little shorter or longer
    flown = np.hypot(np.diff(flight.north), np.diff(flight.east)).sum()
    assert flown == pytest.approx(leg.length_of_track_m + 12.0, rel=0.06)


def test_short_lines_across_are_left_out_where_the_radius_covers_them():
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=4.0, spacing_m=4.0, acceptance_m=5.0, speed_m_s=1.0)
    flight = fly(leg, 400.0)
    index = [kind for kind, _ in flight.guide.news]
    assert flight.over and len(index) == 3  # on the spot of the first corner: line, across, line
    turning = (flight.heading > 60.0) & (flight.heading < 120.0)
    # 6.4 m from the next corner when it is within 5 m of the first: it closes to 5 m at no less than 1 m/s, 1.4 s
    assert turning.sum() <= 20


def test_too_many_lines_are_refused():
    with pytest.raises(ScenarioError, match="20001 lines"):
        Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=2000.0, spacing_m=0.1)
    with pytest.raises(ScenarioError, match="spacing_m"):
        Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=20.0, spacing_m=math.nan)
