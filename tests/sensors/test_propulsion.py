"""Shaft rates and plane positions: a column for each actuator, in its unit, with noise, steps and limits."""

import math

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.vehicle.load.sensors import load_sensor
from tests.sensors.still import instant, instants, readings

RPM = 30.0 / math.pi
FIT = VehicleContext(
    thrusters=("screw", "tunnel"), thruster_units=(("rpm", RPM), ("V", 1.0)), surfaces=("rudder", "stern", "bow")
)
TURNING = {"thrusters": np.array([100.0 / RPM, -12.0]), "surfaces": np.radians([10.0, -5.0, 0.26])}


def reading(sensor, seed=1):
    return readings(sensor, FIT, seed, [instant(**TURNING)])[1][0]


def test_columns_have_the_units_of_the_log():
    assert Tachometer().columns_on(FIT) == ("screw_rpm", "tunnel_V")
    assert PlanePosition().columns_on(FIT) == ("rudder_deg", "stern_deg", "bow_deg")


def test_exact_without_errors():
    assert reading(Tachometer()) == pytest.approx([100.0, -12.0])
    assert reading(PlanePosition()) == pytest.approx([10.0, -5.0, 0.26])


def test_steps_and_limits_are_those_of_shaft_rates_and_angles():
    assert reading(Tachometer(resolution_rpm=30.0)) == pytest.approx([90.0, -12.0])
    assert reading(Tachometer(range_rpm=5.0)) == pytest.approx([5.0, -12.0])
    assert reading(PlanePosition(resolution_deg=0.5, range_deg=8.0)) == pytest.approx([8.0, -5.0, 0.5])


def test_noise_and_bias():
    rows = readings(Tachometer(noise_rpm=4.0), FIT, 1, instants(4000, 0.1, **TURNING))[1]
    assert rows[:, 0].std() == pytest.approx(4.0, rel=0.045)  # four times 1.1 %
    assert rows[:, 1].std() < 1e-12  # not a shaft rate
    biases = np.array([reading(PlanePosition(bias_deg=0.5), seed) for seed in range(400)]) - [10.0, -5.0, 0.26]
    assert biases.std() == pytest.approx(0.5, rel=0.08)  # 1200 draws: 2 %; four of these


def test_a_vehicle_without_any_has_no_columns():
    assert readings(PlanePosition(), VehicleContext(), 1, [instant()])[1].shape == (1, 0)


def test_the_parts_read_as_well_as_they_say():
    tachometer, pickoff = load_sensor("hall_tachometer"), load_sensor("plane_potentiometer")
    shafts = readings(tachometer, FIT, 1, instants(2000, 0.1, **TURNING))[1][:, 0]
    step = tachometer.resolution_rpm
    assert shafts / step == pytest.approx(np.round(shafts / step), abs=1e-9)
    # noise and the steps, whose variance is a twelfth of their square, within 10 %: noise is half a step only
    assert shafts.std() == pytest.approx(math.hypot(tachometer.noise_rpm, step / math.sqrt(12.0)), rel=0.1)
    assert shafts.mean() == pytest.approx(100.0, abs=0.3)  # four of 2.4 / sqrt(2000), and the scale
    angles = np.array([reading(pickoff, seed)[0] for seed in range(400)]) - 10.0
    spread = math.hypot(pickoff.bias_deg, 10.0 * pickoff.scale, pickoff.noise_deg, 0.1 / math.sqrt(12.0))
    assert angles.std() == pytest.approx(spread, rel=4.0 / math.sqrt(800.0))  # four sigma
