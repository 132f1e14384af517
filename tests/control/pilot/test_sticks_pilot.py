"""Sticks: full stick is the limit, signs are SNAME, what cannot act is refused."""

import numpy as np
import pytest

from pelagos.control import Allocation, Pilot
from pelagos.errors import CommandError
from pelagos.messages import PilotCommand, VehicleState

REST = VehicleState(0.0, np.zeros(3), 0.0, 0.0, 0.0, np.zeros(6), np.zeros(6))


@pytest.mark.parametrize("axis", range(6))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_full_stick_is_the_limit_of_the_axis(rov, axis, sign):
    names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    allocation = Allocation(rov)
    drives = Pilot(rov).command(**{names[axis]: sign}).thrusters
    tau = allocation.b @ [c.thrust(s) for c, s in zip(allocation.curves, drives, strict=True)]
    expected = np.zeros(6)
    expected[axis] = sign * allocation.limit(axis, sign)
    # Drives come from interpolating the table backwards: rounding, and a ten-thousandth of full thrust is dropped.
    assert tau == pytest.approx(expected, abs=1e-2)
    assert np.abs(drives).max() == pytest.approx(1.0, abs=1e-9)


def test_share_scales_force_not_drive(rov):
    allocation = Allocation(rov)
    drives = Pilot(rov, share=0.5).command(heave=1.0).thrusters
    down = (allocation.b @ [c.thrust(s) for c, s in zip(allocation.curves, drives, strict=True)])[2]
    assert down == pytest.approx(0.5 * 4 * 34.5, rel=1e-9)
    with pytest.raises(CommandError, match="pilot share is 0; expected a number above 0 and up to 1"):
        Pilot(rov, share=0.0)


def test_torpedo_sticks_turn_the_right_way(torpedo):
    pilot = Pilot(torpedo)
    # Positive rudder turns to port and positive stern plane pitches down, so the sticks reverse both.
    demand = pilot.command(surge=0.5, yaw=1.0, pitch=0.5)
    assert demand.surfaces.tolist() == pytest.approx([-0.24, -0.12])
    assert demand.thrusters[0] == pytest.approx(160.0 * 0.5**0.5, rel=1e-9)
    assert np.array_equal(pilot.update(REST, 0.1).surfaces, demand.surfaces)


def test_reset_centres_the_sticks(torpedo):
    pilot = Pilot(torpedo)
    pilot.command(surge=1.0, yaw=1.0)
    pilot.reset()
    assert not pilot.update(REST, 0.1).thrusters.any() and not pilot.update(REST, 0.1).surfaces.any()


def test_surfaces_shared_by_two_sticks_stay_in_their_limits(finned):
    demand = Pilot(finned).command(roll=1.0, pitch=1.0, yaw=1.0)
    assert np.abs(demand.surfaces).max() <= 0.35


def test_refusals(torpedo, glider):
    with pytest.raises(CommandError, match="has nothing that acts in heave; it can be piloted in: surge, pitch, yaw"):
        Pilot(torpedo).command(PilotCommand(heave=0.1))
    with pytest.raises(CommandError, match="it can be piloted in: none"):
        Pilot(glider).command(surge=1.0)
    with pytest.raises(CommandError, match="there is no stick 'throttle'; expected one of surge, sway"):
        Pilot(torpedo).command(throttle=1.0)
    with pytest.raises(CommandError, match="yaw is given beside a whole command; expected one or the other"):
        Pilot(torpedo).command(PilotCommand(surge=0.1), yaw=0.2)
    assert Pilot(glider).command().ballast.tolist() == [0.0]
