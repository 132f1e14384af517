"""Leak sensor: detection from its threshold on, and the share of false alarms."""

import numpy as np
import pytest

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.suite import SensorSuite
from pelagos.vehicle.load.sensors import load_sensor
from tests.sensors.still import NOTHING, instant, instants, readings


def test_it_reports_from_the_threshold_on():
    track = [instant(float(i), flooded_kg=0.01 * i) for i in range(6)]
    assert readings(LeakDetector(threshold_kg=0.03), VehicleContext(), 1, track)[1][:, 0].tolist() == [0, 0, 0, 1, 1, 1]


def test_a_dry_hull_is_dry_even_without_a_threshold():
    assert readings(LeakDetector(threshold_kg=0.0), VehicleContext(), 1, [instant()])[1][0, 0] == 0.0


def test_share_of_false_alarms():
    alarms = readings(LeakDetector(rate_hz=10.0, false_alarm=0.1), VehicleContext(), 1, instants(4000, 0.1))[1][:, 0]
    # binomial: known to sqrt(0.09 / 4000) = 0.5 %; four of these
    assert np.mean(alarms) == pytest.approx(0.1, abs=0.019)


def test_the_part_reports_20_grams_half_a_second_later():
    suite = SensorSuite([load_sensor("bilge_probe")], VehicleContext(), 1)
    first = None
    for i in range(40):  # 10 g at 1 s, 20 g at 2 s, and so on, in ticks of 0.1 s
        reading = suite.sample([instant(0.1 * i, flooded_kg=0.01 * (i // 10))], NOTHING).get("leak")
        if first is None and reading is not None and reading.values[0] == 1.0:
            first = (reading.time_s, 0.1 * i)
    assert first == pytest.approx((2.0, 2.5))
