"""Battery: equal readings alone and among others, and the charge of many vehicles."""

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from tests.sensors.instruments.flown import same_alone_and_among_others

SENSORS = [
    Battery(name="curved", rate_hz=3.0, curve=((0.0, 9.0), (0.5, 12.0), (1.0, 13.0)), resistance_ohm=0.1, hotel_W=9.0,
            capacity_Ah=0.004),
    Battery(rate_hz=10.0, noise_V=0.1, noise_A=0.2, voltage_bias_V=0.1, voltage_walk_V_sqrt_h=1.0, voltage_scale=0.01,
            current_bias_A=0.1, current_walk_A_sqrt_h=1.0, current_scale=0.05, resolution_V=0.01, dropout=0.1),
]  # fmt: skip


@pytest.mark.parametrize("sensor", SENSORS, ids=lambda sensor: sensor.name or sensor.kind)
def test_a_vehicle_reads_alone_what_it_reads_among_others(sensor):
    assert same_alone_and_among_others(sensor).max() > 1


def test_each_vehicle_uses_its_own_charge():
    flat = Battery(capacity_Ah=10.0, voltage_full_V=20.0, voltage_empty_V=20.0)
    pack = flat.make(VehicleContext(), Noise(1, np.arange(3)))
    power_w = np.array([0.0, 20.0, 60.0])
    for t in (0.0, 1800.0, 3600.0):
        now = Instant(np.full(3, t), np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), power_w=power_w)
        pack.watch(now)
    values, _ = pack.measure(now, None)
    # P / U for an hour
    assert values[:, 2] == pytest.approx(power_w / 20.0, rel=1e-12)
    assert values[:, 3] == pytest.approx(10.0 - power_w / 20.0, rel=1e-12)
