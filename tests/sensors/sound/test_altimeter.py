"""Altimeter: ranges over level and sloping bottoms in closed form, mounting, limits and noise."""

import math

import numpy as np
import pytest

from pelagos import Seabed, Structure, World
from pelagos.errors import ScenarioError
from pelagos.sensors.sound.altimeter import Altimeter
from tests.sensors.sounding import at_work, instant, reading

FLAT = World(depth_m=30.0)
EXACT = 1e-12  # relative: the rays are exact but for rounding


def altitude(sensor, now, world=FLAT):
    return reading(sensor, now, world)["altitude_m"]


@pytest.mark.parametrize("pitch", [0.0, 12.0, -35.0])
def test_a_single_ray_over_a_level_bottom_is_h_over_cosine(pitch):
    ray = Altimeter(beam_width_deg=0.0)
    assert altitude(ray, instant(euler_deg=(0.0, pitch, 40.0))) == pytest.approx(
        20.0 / math.cos(math.radians(pitch)), rel=EXACT
    )


def test_a_cone_reads_the_nearest_ray():
    # pitched by 15 deg with half an opening of 15: a ray of the outer ring points straight down
    assert altitude(Altimeter(beam_width_deg=30.0), instant(euler_deg=(0.0, 15.0, 0.0))) == pytest.approx(
        20.0, rel=EXACT
    )
    # pitched by 40: the nearest ray is 40 - 3 off the vertical
    narrow = Altimeter(beam_width_deg=6.0)
    expected = 20.0 / math.cos(math.radians(37.0))
    assert altitude(narrow, instant(euler_deg=(0.0, 40.0, 0.0))) == pytest.approx(expected, rel=EXACT)


def test_over_a_slope():
    # bottom 30 m deep at the origin, sinking to the north by 20 deg: 20 m straight down; pitched nose up by 20 deg the
    # axis leans forward and down the slope; r (cos 20 - tan 20 sin 20) = 20
    slope = World(seabed=Seabed(kind="slope", depth_m=30.0, slope_deg=20.0, down_to_deg=0.0))
    ray = Altimeter(beam_width_deg=0.0)
    assert altitude(ray, instant(), slope) == pytest.approx(20.0, rel=EXACT)
    a = math.radians(20.0)
    expected = 20.0 / (math.cos(a) - math.tan(a) * math.sin(a))
    assert altitude(ray, instant(euler_deg=(0.0, 20.0, 0.0)), slope) == pytest.approx(expected, rel=EXACT)


def test_mounting_moves_and_turns_it():
    low = Altimeter(beam_width_deg=0.0, position_m=(3.0, 0.0, 0.5))
    # nose up by 10 deg: the point 3 m ahead rises by 3 sin 10 and sinks by 0.5 cos 10
    a = math.radians(10.0)
    height = 20.0 + 3.0 * math.sin(a) - 0.5 * math.cos(a)
    assert altitude(low, instant(euler_deg=(0.0, 10.0, 0.0))) == pytest.approx(height / math.cos(a), rel=EXACT)
    ahead = Altimeter(beam_width_deg=0.0, orientation_deg=(0.0, 90.0, 0.0))  # z of the instrument to x of the body
    wall = World(structures=(Structure(kind="box", center_m=(13.0, 0.0, 10.0), size_m=(2.0, 40.0, 40.0)),))
    assert altitude(ahead, instant(), wall) == pytest.approx(12.0, rel=EXACT)


def test_range_limits_leave_nan():
    sensor = Altimeter(min_range_m=1.0, max_range_m=15.0)
    assert math.isnan(altitude(sensor, instant()))  # 20 m
    assert altitude(sensor, instant((0.0, 0.0, 20.0))) == pytest.approx(10.0, rel=EXACT)
    assert math.isnan(altitude(sensor, instant((0.0, 0.0, 29.5))))
    assert math.isnan(altitude(sensor, instant(), World()))  # a sea without a bottom


def test_noise_and_determinism():
    sensor = Altimeter(noise_m=0.05)
    now = instant()
    first, second = at_work(sensor, 3), at_work(sensor, 3)
    values = np.array([first.measure_single(now, FLAT)[0] for _ in range(2000)])
    assert [second.measure_single(now, FLAT)[0] for _ in range(5)] == values[:5].tolist()
    assert values.std() == pytest.approx(0.05, rel=4.0 / math.sqrt(4000))  # 4 sigma of the estimate
    assert values.mean() == pytest.approx(20.0, abs=4.0 * 0.05 / math.sqrt(2000))


def test_a_bad_opening_is_refused():
    with pytest.raises(ScenarioError, match="beam_width_deg"):
        Altimeter(beam_width_deg=200.0)
