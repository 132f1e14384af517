"""Speed through the water: along its axis, at its place, relative to the current; limits of a wheel."""

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.water_speed import WaterSpeed
from tests.sensors.still import instant, instants, readings


def reading(sensor, seed=1, **where):
    return float(readings(sensor, VehicleContext(), seed, [instant(**where)])[1][0, 0])


def test_speed_over_ground_less_the_current_along_its_axis():
    # heading east at 2 m/s over ground in water that goes east at 0.5 and north at 0.3
    sea = {"euler_deg": (0.0, 0.0, 90.0), "nu": (2.0, 0.0, 0.0, 0.0, 0.0, 0.0), "water_n": np.array([0.3, 0.5, 0.0])}
    assert reading(WaterSpeed(), **sea) == pytest.approx(1.5)
    assert reading(WaterSpeed(orientation_deg=(0.0, 0.0, 90.0)), **sea) == pytest.approx(0.3)  # starboard is south


def test_at_its_own_place():
    # r = 0.2 rad/s, 3 m to starboard: -r y ahead
    assert reading(WaterSpeed(position_m=(0.0, 3.0, 0.0)), nu=(1.0, 0, 0, 0, 0, 0.2)) == pytest.approx(0.4)


def test_a_wheel_stands_below_its_threshold_astern_and_in_air():
    wheel = WaterSpeed(threshold_m_s=0.15, both_ways=False, noise_m_s=0.05)
    assert reading(wheel, nu=(0.14, 0, 0, 0, 0, 0)) == 0.0
    assert reading(wheel, nu=(-1.0, 0, 0, 0, 0, 0)) == 0.0
    assert reading(wheel, nu=(1.0, 0, 0, 0, 0, 0), position=(0, 0, 1.0), below_m=-0.1) == 0.0
    assert reading(WaterSpeed(), nu=(-1.0, 0, 0, 0, 0, 0)) == pytest.approx(-1.0)


@pytest.mark.slow
def test_range_noise_and_scale():
    assert reading(WaterSpeed(range_m_s=3.0), nu=(9.0, 0, 0, 0, 0, 0)) == 3.0
    noise = readings(WaterSpeed(noise_m_s=0.1), VehicleContext(), 1, instants(4000, 1.0, nu=(2.0, 0, 0, 0, 0, 0)))[1][
        :, 0
    ]
    assert noise.std() == pytest.approx(0.1, rel=0.045)  # four times 1.1 %
    slopes = [reading(WaterSpeed(scale=0.03), seed, nu=(2.0, 0, 0, 0, 0, 0)) / 2.0 for seed in range(800)]
    assert np.std(slopes) == pytest.approx(0.03, rel=0.1)  # four times 2.5 %
