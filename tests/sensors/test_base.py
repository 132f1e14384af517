"""What all sensors have: axes, and keys that no sensor has."""

import math

import pytest

from pelagos.errors import ScenarioError
from pelagos.sensors.base import Sensor
from pelagos.sensors.depth import Depth


def test_axes_of_the_instrument():
    sensor = Sensor(orientation_deg=(0.0, 0.0, 90.0))
    assert sensor.R_bs @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 1.0, 0.0])  # its x looks to starboard


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rate_hz": 0.0}, "sensor: rate_hz = 0.0: expected a number from 1e-06 to 10000"),
        ({"dropout": 1.5}, "sensor: dropout = 1.5: expected a number from 0 to 1"),
        ({"latency_s": math.nan}, "sensor: latency_s = nan: expected a number from 0 to 3600"),
        ({"latency_s": "soon"}, 'sensor: latency_s = "soon": expected a number from 0 to 3600'),
        ({"position_m": (1.0, 2.0)}, "sensor: position_m = [1.0, 2.0]: expected three finite numbers"),
        ({"name": "my depth"}, 'sensor: name = "my depth": expected letters, digits and _, for the names of columns'),
        ({"noise_m": -1.0}, "sensor: noise_m = -1.0: expected a number from 0 to 10000"),
    ],
)
def test_what_no_instrument_has_is_refused_in_a_sentence(keys, message):
    with pytest.raises(ScenarioError) as caught:
        Depth(**keys)
    assert str(caught.value) == message
