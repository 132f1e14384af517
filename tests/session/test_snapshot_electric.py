import numpy as np
import pytest

from pelagos.sensors.battery import Battery
from pelagos.session.flight import Flight
from pelagos.session.source import Input


def test_power_is_what_hangs_on_the_battery_and_what_the_thrusters_draw():
    flight = Flight("bluerov2_heavy")
    battery = next(sensor for sensor in flight.sim.vehicle.sensors if isinstance(sensor, Battery))
    flight.tick()
    assert flight.electric.values()[0] == pytest.approx(battery.hotel_W)  # sticks in the middle
    flight.input(Input(surge=1.0))
    used = 0.0
    for _ in range(500):
        flight.tick()
        watts, _, volts = flight.electric.values()
        used += watts / volts * 0.02 / 3600.0  # Ah, if the gauge's volts hold for the interval
    left = flight.electric.values()[1]
    flight.close()
    # by hand against the gauge, which has errors of some per cent
    assert 100.0 * (1.0 - used / battery.capacity_Ah) == pytest.approx(left, abs=0.1 * (100.0 - left) + 0.05)


def test_without_a_battery_its_numbers_are_not_known():
    flight = Flight("seagrant1")
    flight.tick()
    watts, percent, volts = flight.electric.values()
    flight.close()
    assert watts >= 0.0
    has_one = any(sensor.kind == "battery" for sensor in flight.sim.vehicle.sensors)
    assert has_one or (np.isnan(percent) and np.isnan(volts))


def test_a_lost_gauge_says_nothing_until_it_is_back():
    flight = Flight("bluerov2_heavy")
    for _ in range(100):
        flight.tick()
    before = flight.electric.values()
    flight.order("fault", {"kind": "sensor_loss", "sensor": flight.electric._name})
    flight.tick()
    assert np.isnan(flight.electric.values()[1:]).all() and not np.isnan(before[1:]).any()
    flight.order("clear_faults", {})
    for _ in range(100):
        flight.tick()
    assert flight.electric.values()[1] == pytest.approx(before[1], abs=1.0)
    flight.close()
