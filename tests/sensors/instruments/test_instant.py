"""Rows of an instant: of one vehicle, of many, of one at several times, and what is read of them."""

import numpy as np
import pytest

from pelagos.sensors.instruments.base import depth_of, in_air, place_n, velocity_b
from pelagos.sensors.instruments.instant import BELOW, POSITION, TIME, Instant
from tests.sensors.instruments.flown import N, instant_at, many, track
from tests.sensors.still import instant


def test_a_point_of_a_turning_body():
    now = instant(position=(1.0, 2.0, 10.0), euler_deg=(0.0, 0.0, 90.0), nu=(1.0, 0.0, 0.0, 0.0, 0.0, 0.5))
    for place in (place_n(now.motion[0], (2.0, 0.0, 1.0)), now.place_n((2.0, 0.0, 1.0))[0]):
        assert place == pytest.approx([1.0, 4.0, 11.0])
    # omega x r = (0, 0, 0.5) x (2, 0, 1) = (0, 1, 0)
    assert velocity_b(now.motion[0], (2.0, 0.0, 1.0)) == pytest.approx([1.0, 1.0, 0.0])


def test_depth_of_a_point_is_under_the_moving_surface_or_under_zero():
    bow = (1.0, 0.0, 0.0)
    pitched = {"euler_deg": (0.0, 30.0, 0.0), "position": (0.0, 0.0, 3.0)}
    assert depth_of(instant(**pitched).motion[0], bow) == pytest.approx(2.5)  # bow up by sin 30 deg
    assert depth_of(instant(**pitched, below_m=4.0).motion[0], bow) == pytest.approx(3.5)


def test_a_point_is_in_the_air_above_the_surface_of_a_hull_that_is_not_wholly_wet():
    up = instant(position=(0.0, 0.0, -1.0), wet_share=0.0, below_m=-1.0).motion[0]
    assert in_air(up, (0.0, 0.0, 0.5)) and not in_air(up, (0.0, 0.0, 1.5))


def test_rows_of_many_are_those_of_each():
    row = track(N, 3)[2]
    together = many(row)
    for i in range(N):
        alone = instant_at(row, i)
        np.testing.assert_array_equal(together.motion[i], alone.motion[0])
        np.testing.assert_allclose(together.R_nb[i], alone.R_nb[0], rtol=1e-15, atol=1e-15)  # normalised by other sums
        np.testing.assert_array_equal(together.thrusters[i], alone.thrusters[0])
    part = together.some(np.array([1, 3]))
    np.testing.assert_array_equal(part.motion, together.motion[[1, 3]])
    np.testing.assert_array_equal(part.surfaces, together.surfaces[[1, 3]])
    assert together.some(np.arange(N)) is together and len(part) == 2


def test_a_later_instant_is_deeper_by_what_the_vehicle_has_sunk():
    now = instant(1.0, position=(0.0, 0.0, 5.0), below_m=5.2, power_w=7.0)
    later = now.later(1.02, np.array([0.1, 0.0, 5.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    assert later.time_s == later.motion[0, TIME] == 1.02
    assert later.motion[0, POSITION : POSITION + 3] == pytest.approx([0.1, 0.0, 5.5])
    assert later.motion[0, BELOW] == pytest.approx(5.7) and now.motion[0, BELOW] == 5.2


def test_a_series_has_the_instants_of_one_vehicle_as_rows():
    series = Instant.series([instant(0.1 * i) for i in range(4)])
    assert len(series) == 4 and series.time_s == pytest.approx([0.0, 0.1, 0.2, 0.3])
