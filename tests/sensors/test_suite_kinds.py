"""The kinds: every word a file may use makes a description of that kind, with keys that tables can read."""

import pytest

from pelagos.files.reader import keys_of
from pelagos.sensors.base import Sensor
from pelagos.sensors.suite import KINDS

WORDS = (
    "imu depth compass water_speed rpm planes battery gps leak dvl altimeter usbl lbl navigation_sonar multibeam "
    "imaging_sonar"
).split()


def test_all_are_there_in_order():
    assert list(KINDS) == WORDS


@pytest.mark.parametrize("word", WORDS)
def test_a_kind_is_a_sensor_that_files_can_describe(word):
    spec = KINDS[word]
    assert issubclass(spec, Sensor) and spec.kind == word
    assert {"name", "rate_hz", "latency_s", "position_m", "orientation_deg", "dropout"} <= set(keys_of(spec))
