"""Lines on the chart."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.guidance.steering import Segment, check_rows, compass_deg, segments, track_length, wrap

ROUNDING = 1e-9  # m, of a few operations on numbers of a hundred


def test_starboard_is_positive():
    north_going = Segment((0.0, 0.0), (100.0, 0.0))
    assert north_going.errors(30.0, 4.0) == pytest.approx((30.0, 4.0), abs=ROUNDING)  # east of it is to starboard
    west_going = Segment((0.0, 0.0), (0.0, -100.0))
    assert west_going.errors(5.0, -20.0) == pytest.approx((20.0, 5.0), abs=ROUNDING)  # north of it is to starboard


def test_errors_are_those_of_complex_division():
    """(p - a) / e^(i chi), with north as the real axis and east as the imaginary one."""
    rng = np.random.default_rng(1)
    for a, b, p in rng.uniform(-50.0, 50.0, (20, 3, 2)):
        piece = Segment(tuple(a), tuple(b))
        line = complex(*b) - complex(*a)
        offset = (complex(*p) - complex(*a)) / (line / abs(line))
        assert piece.errors(*p) == pytest.approx((offset.real, offset.imag), abs=ROUNDING)
        assert piece.at(offset.real) == pytest.approx(
            tuple(p - offset.imag * np.array([-math.sin(piece.chi), math.cos(piece.chi)])), abs=ROUNDING
        )


def test_length_of_a_broken_line():
    assert track_length([(0.0, 0.0), (3.0, 4.0), (3.0, 10.0)]) == pytest.approx(11.0, rel=1e-12)
    assert len(segments([(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)])) == 1  # a point twice makes no segment


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 3])
def test_angles_come_back_from_any_number_of_turns(turns):
    assert wrap(1.0 + turns * 2.0 * math.pi) == pytest.approx(1.0, abs=1e-12)
    assert compass_deg(-math.pi / 2 + turns * 2.0 * math.pi) == pytest.approx(270.0, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((), "at least 1 rows"),
        (((0.0, 1.0, -2.0),), "depth of 0 to 12000 m"),  # above the surface
        (((0.0,),), "north, east"),
        (((0.0, math.nan),), "north, east"),
        (((0.0, 1.0), (0.0, 1.0, 2.0)), "in every row or in none"),
    ],
)
def test_rows_that_are_no_places_are_refused(rows, said):
    with pytest.raises(ScenarioError, match=said):
        check_rows("points_m", rows, 1)
