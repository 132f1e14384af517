"""Records refuse bad numbers with a sentence and keep good ones."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import Actuation, PilotCommand, Setpoint, VehicleState


def test_setpoint_keeps_what_is_given_and_leaves_the_rest_open():
    wish = Setpoint(depth_m=5, heading_deg=-90)
    assert wish.depth_m == 5.0 and isinstance(wish.depth_m, float)
    assert wish.quantities == ("depth_m", "heading_deg")
    assert wish.speed_m_s is None


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("depth_m", math.nan, "depth_m is nan; expected a number from 0 to 12000"),
        ("depth_m", -3.0, "depth_m is -3"),
        ("heading_deg", 1000.0, "heading_deg is 1000; expected a number from -360 to 360"),
        ("pitch_deg", 91.0, "pitch_deg is 91"),
        ("speed_m_s", math.inf, "speed_m_s is inf"),
        ("roll_deg", "left", "roll_deg is 'left'; expected a number"),
        pytest.param("depth_m", 10**400, "depth_m is 1000", id="400 digits"),
        ("depth_m", "5", "depth_m is '5'; expected a number from 0 to 12000"),
        ("depth_m", True, "depth_m is True; expected a number"),
        ("depth_m", np.ones((9, 9)), "depth_m is array"),
    ],
)
def test_setpoint_names_the_wrong_value(field, value, words):
    with pytest.raises(CommandError) as error:
        Setpoint(**{field: value})
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_sticks_stay_within_one():
    assert PilotCommand(surge=1, yaw=-0.5).axes == (1.0, 0.0, 0.0, 0.0, 0.0, -0.5)
    with pytest.raises(CommandError, match=r"pilot heave is 1\.2; expected a number from -1 to 1"):
        PilotCommand(heave=1.2)
    with pytest.raises(CommandError, match="pilot yaw is nan"):
        PilotCommand(yaw=math.nan)


def test_truth_has_the_right_shapes():
    state = VehicleState(0.0, np.zeros(3), 0.0, 0.1, 0.2, np.zeros(6), np.ones(6))
    assert state.nu_r.sum() == 6.0
    with pytest.raises(CommandError, match=r"shape of state nu is \(5,\); expected 6 numbers"):
        VehicleState(0.0, np.zeros(3), 0.0, 0.0, 0.0, np.zeros(5), np.zeros(6))
    with pytest.raises(CommandError, match="state yaw is nan"):
        VehicleState(0.0, np.zeros(3), 0.0, 0.0, math.nan, np.zeros(6), np.zeros(6))


def test_actuation_names_the_bad_entry():
    assert Actuation().thrusters.size == 0
    with pytest.raises(CommandError, match=r"actuation surfaces\[1\] is nan"):
        Actuation(surfaces=np.array([0.0, math.nan]))
    for bad in ("ab", ["1", "2"], [1, [2]], [None]):
        with pytest.raises(CommandError, match=r"actuation thrusters is .*; expected a flat list of numbers"):
            Actuation(thrusters=bad)  # type: ignore[arg-type]


def test_records_cannot_be_changed():
    with pytest.raises(AttributeError):
        Setpoint().depth_m = 3.0  # type: ignore[misc]
