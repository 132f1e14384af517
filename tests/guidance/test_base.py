"""Checks of the keys that all legs share."""

import math

import pytest

from pelagos.errors import ScenarioError
from pelagos.guidance import Steady
from pelagos.messages import Setpoint


def test_a_sound_setpoint_is_one_like_any_other():
    assert Setpoint.unchecked(depth_m=3.0, heading_deg=20.0) == Setpoint(depth_m=3.0, heading_deg=20.0)
    assert Setpoint.unchecked().quantities == ()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"depth_m": -0.1}, "mission: depth_m = -0.1: expected a number from 0 to 12000"),
        ({"depth_m": math.nan}, "depth_m"),
        ({"timeout_s": -1.0}, "timeout_s = -1.0: expected a number of at least 0"),
        ({"speed_m_s": 31.0}, "speed_m_s"),
        ({"altitude_m": 1.0, "depth_m": 1.0}, "altitude_m = 1.0: not together with depth_m"),
    ],
)
def test_what_no_leg_can_do_is_refused(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Steady(seconds_s=1.0, **keys)


def test_depths_known_beforehand():
    assert Steady(seconds_s=1.0, depth_m=4.0).depths() == (4.0,)
    assert Steady(seconds_s=1.0).depths() == () and Steady(seconds_s=1.0).places() == ()
