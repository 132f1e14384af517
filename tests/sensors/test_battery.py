"""Battery: ampere-hours against closed forms, the voltage under load, the gauge's own errors."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.suite import SensorSuite
from tests.sensors.still import NOTHING, instant


def drained(sensor, power_w, dt=0.5, seed=1):
    """The suite after it has seen a series of powers dt apart."""
    suite = SensorSuite([sensor], VehicleContext(), seed)
    for i, power in enumerate(power_w):
        suite.sample([instant(i * dt, power_w=float(power))], NOTHING)
    return suite


def test_a_constant_load_at_a_constant_voltage():
    flat = Battery(capacity_Ah=10.0, voltage_full_V=20.0, voltage_empty_V=20.0, hotel_W=15.0)
    suite = drained(flat, np.full(7201, 45.0))
    # 60 W at 20 V is 3 A, for an hour
    assert suite.latest["battery"].values == pytest.approx([20.0, 3.0, 3.0, 7.0], rel=1e-9)


def test_a_falling_voltage_draws_more_and_more():
    # E = E1 (1 - x) + E0 x linear in the charge, P constant: P t = E_full Q - (E_full - E_empty) Q^2 / (2 C)
    cells = Battery(capacity_Ah=4.0, voltage_full_V=16.0, voltage_empty_V=12.0)
    hours, power, slope = 1.0, 30.0, (16.0 - 12.0) / 4.0
    suite = drained(cells, np.full(3601, power), dt=1.0)
    exact = (16.0 - math.sqrt(16.0**2 - 2.0 * slope * power * hours)) / slope
    # the trapezoidal rule of 1 s steps is far better; the current lags one step behind the voltage: 1/3600 of 6 %
    assert suite.instrument("battery").used_Ah == pytest.approx(exact, rel=1e-4)


def test_internal_resistance_costs_voltage():
    # E = 10 V, R = 0.5 ohm, I = 4 A: U = 8 V and P = 32 W
    stiff = Battery(voltage_full_V=10.0, voltage_empty_V=10.0, resistance_ohm=0.5)
    assert drained(stiff, [32.0]).latest["battery"].values[:2] == pytest.approx([8.0, 4.0])
    # more than E^2 / 4R = 50 W cannot be had: half the voltage at E / 2R
    assert drained(stiff, [80.0]).latest["battery"].values[:2] == pytest.approx([5.0, 10.0])


def test_what_is_drawn_between_readings_is_counted():
    flat = Battery(rate_hz=0.01, voltage_full_V=10.0, voltage_empty_V=10.0)
    power = np.zeros(1001)
    power[1:1000:2] = 100.0  # on every other tick, off when it reads
    suite = drained(flat, power, dt=0.1)
    # mean 50 W, 5 A, 100 s
    assert suite.latest["battery"].values[2] == pytest.approx(5.0 * 100.0 / 3600.0, rel=1e-9)


def test_a_curve_and_a_charge():
    bent = Battery(capacity_Ah=10.0, curve=((0.0, 9.0), (0.5, 12.0), (1.0, 13.0)), charge=0.25)
    voltage, _, used, left = drained(bent, [0.0]).latest["battery"].values
    assert (voltage, used, left) == pytest.approx((10.5, 0.0, 2.5))


def test_an_empty_battery_gives_nothing_and_counts_no_further():
    # 10 A out of 0.01 Ah: empty after 3.6 s
    small = Battery(capacity_Ah=0.02, charge=0.5, voltage_full_V=10.0, voltage_empty_V=10.0, noise_V=0.1, noise_A=0.1)
    still = replace(small, noise_V=0.0, noise_A=0.0)
    assert drained(still, np.full(4, 100.0), dt=1.0).latest["battery"].values == pytest.approx(
        [10.0, 10.0, 30.0 / 3600.0, 0.01 - 30.0 / 3600.0]
    )
    for sensor in (small, still):
        for n in (5, 101):
            suite = drained(sensor, np.full(n, 100.0), dt=1.0)
            assert suite.latest["battery"].values.tolist() == [0.0, 0.0, 0.01, 0.0]
            assert suite.instrument("battery").used_Ah == 0.01 and suite.instrument("battery").left_Ah == 0.0


def test_a_gauge_that_counts_too_much_stops_at_the_capacity_and_the_battery_goes_on():
    flat = Battery(capacity_Ah=1.0, voltage_full_V=10.0, voltage_empty_V=10.0, current_bias_A=1.0)
    ends = [drained(flat, np.full(3, 5.0), dt=3000.0, seed=seed) for seed in range(40)]
    values = np.array([suite.latest["battery"].values for suite in ends])
    # 0.5 A for 6000 s are 0.833 Ah; an error above 0.1 A counts beyond 1 Ah, below it not
    assert (values[:, 0] == 10.0).all() and (values[:, 2] <= 1.0).all() and (values[:, 3] >= 0.0).all()
    over = values[:, 1] - 0.5 > 0.1
    assert 0 < over.sum() < 40
    assert (values[over, 2] == 1.0).all() and (values[over, 3] == 0.0).all()
    assert values[~over, 2] == pytest.approx(values[~over, 1] * 6000.0 / 3600.0)


@pytest.mark.slow
def test_the_gauge_counts_with_its_own_error_and_the_battery_without():
    ends = []
    for seed in range(400):
        sensor = Battery(voltage_full_V=10.0, voltage_empty_V=10.0, current_scale=0.05, current_bias_A=0.02)
        suite = drained(sensor, [20.0, 20.0], dt=3600.0, seed=seed)
        ends.append(suite.latest["battery"].values[2])
        assert suite.instrument("battery").used_Ah == pytest.approx(2.0)
    # 2 Ah times 5 %, and 0.02 A for an hour; 400 draws know the deviation to 3.5 %
    assert np.std(ends) == pytest.approx(math.hypot(0.1, 0.02), rel=0.15)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"voltage_full_V": 10.0, "voltage_empty_V": 12.0}, "voltage_empty_V = 12.0: expected at most voltage_full_V"),
        ({"curve": ((0.0, 9.0), (0.9, 12.0))}, "shares ascending from 0 to 1"),
        ({"curve": ((0.0, 0.0), (1.0, 12.0))}, "expected voltages above 0"),
        ({"charge": 2.0}, "charge = 2.0: expected a number from 0 to 1"),
    ],
)
def test_what_no_battery_is(keys, message):
    with pytest.raises(ScenarioError) as caught:
        Battery(**keys)
    assert message in str(caught.value)
