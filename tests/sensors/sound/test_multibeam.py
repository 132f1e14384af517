"""Multibeam echo sounder: soundings over level and sloping bottoms, spacing of beams, noise, refused settings."""

import math

import numpy as np
import pytest

from pelagos import Seabed, World, load_world
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler
from pelagos.sensors.sound.multibeam import Multibeam
from tests.sensors.sounding import at_work, instant

EXACT = 1e-12  # relative: the rays are exact but for rounding


def test_over_a_level_bottom_each_beam_is_h_over_cosine():
    sensor = Multibeam(n_beams=31, swath_deg=120.0)
    ranges = at_work(sensor).measure_single(instant(), World(depth_m=30.0))
    assert ranges == pytest.approx(20.0 / np.cos(np.radians(np.linspace(-60.0, 60.0, 31))), rel=EXACT)


def test_across_a_slope_starboard_is_deeper():
    # heading north, bottom sinks to the east by 10 deg: r (cos a - tan 10 sin a) = 20
    world = World(seabed=Seabed(kind="slope", depth_m=30.0, slope_deg=10.0, down_to_deg=90.0))
    sensor = Multibeam(n_beams=11, swath_deg=100.0)
    a = np.radians(sensor.angles_deg)
    ranges = at_work(sensor).measure_single(instant(), world)
    assert ranges == pytest.approx(20.0 / (np.cos(a) - math.tan(math.radians(10.0)) * np.sin(a)), rel=EXACT)
    assert ranges[-1] > ranges[0]


def test_equidistant_soundings_are_evenly_apart():
    sensor = Multibeam(n_beams=21, swath_deg=120.0, spacing="equidistant")
    ranges = at_work(sensor).measure_single(instant(), World(depth_m=30.0))
    east = ranges * np.sin(np.radians(sensor.angles_deg))
    assert np.diff(east) == pytest.approx(np.full(20, 2.0 * 20.0 * math.sqrt(3.0) / 20.0), rel=1e-11)


def test_soundings_lie_on_the_bottom():
    world = load_world("gavia_bottom")
    sensor = Multibeam(n_beams=64, position_m=(0.4, 0.1, 0.2), orientation_deg=(3.0, 10.0, -5.0), max_range_m=200.0)
    euler = (8.0, -6.0, 75.0)
    now = instant((5.0, 90.0, 20.0), euler)
    points = sensor.soundings_n(
        at_work(sensor).measure_single(now, world), now.motion[0, 1:4], rotation_from_euler(*np.radians(euler))
    )
    # 1e-9 m: a hit lies on the bilinear surface but for rounding
    assert points[:, 2] == pytest.approx(world.bottom_m(points[:, 0], points[:, 1]), abs=1e-9)
    assert np.ptp(points[:, 1]) + np.ptp(points[:, 0]) > 50.0


def test_noise_limits_and_determinism():
    world = World(depth_m=30.0)
    sensor = Multibeam(n_beams=50, swath_deg=150.0, max_range_m=60.0, noise_m=0.1)
    first, other = at_work(sensor, 4), at_work(sensor, 4)
    rows = np.array([first.measure_single(instant(), world) for _ in range(200)])
    assert np.array_equal(other.measure_single(instant(), world), rows[0], equal_nan=True)
    within = 20.0 / np.cos(np.radians(sensor.angles_deg)) <= 60.0
    assert 0 < within.sum() < 50
    assert (np.isfinite(rows) == within).all()
    apart = rows[:, within] - 20.0 / np.cos(np.radians(sensor.angles_deg[within]))
    assert apart.std() == pytest.approx(0.1, rel=4.0 / math.sqrt(2 * apart.size))  # 4 sigma of the estimate


@pytest.mark.parametrize(("key", "value"), [("n_beams", 1), ("swath_deg", 400.0), ("spacing", "random")])
def test_what_no_sounder_has_is_refused(key, value):
    with pytest.raises(ScenarioError, match=key):
        Multibeam(**{key: value})
