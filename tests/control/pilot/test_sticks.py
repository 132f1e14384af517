"""Sticks as wrenches, angles, directions and ballast rates; `Pilot` alone; manual commands added to an autopilot."""

import math

import numpy as np
import pytest

from pelagos.control import Allocation, Autopilot, Pilot
from pelagos.control.autopilot.switching import wrench_of
from pelagos.control.base import AxisDrag
from pelagos.control.pilot.sticks import DirectionLimits, ManualCommand, Sticks
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.messages import PilotCommand, VehicleState


def make_state(nu=(0.0,) * 6, depth=4.0):
    return VehicleState(0.0, np.array([0.0, 0.0, depth]), 0.0, 0.0, 0.0, np.array(nu), np.array(nu))


def by_hand(sticks, stick):
    return ManualCommand(sticks.wrench(stick), sticks.angles(stick), sticks.surface_limits)


def test_full_stick_is_the_limit_of_the_thrusters_in_its_sense(rov):
    schedule = Schedule(rov)
    sticks = Sticks(schedule)
    stick = np.array([1.0, -1.0, 0.5, 0.0, 0.0, -0.25])
    limit = schedule.allocation.limit
    expected = [limit(0, 1.0), -limit(1, -1.0), 0.5 * limit(2, 1.0), 0.0, 0.0, -0.25 * limit(5, -1.0)]
    assert sticks.wrench(stick).tolist() == pytest.approx(expected, rel=1e-12)
    assert Sticks(schedule, 0.5).wrench(stick).tolist() == pytest.approx([0.5 * x for x in expected], rel=1e-12)


def test_sticks_without_an_autopilot_give_what_the_pilot_gives(rov, torpedo, finned):
    """At rest, where the inflow that an autopilot makes up for is none."""
    for vehicle, stick in ((rov, [0.4, -0.3, 0.2, 0.1, 0.0, -0.5]), (torpedo, [0.5, 0, 0, 0, 0.4, -0.6]),
                           (finned, [0.5, 0.0, 0.0, 0.2, -0.3, 0.4])):  # fmt: skip
        autopilot = Autopilot(vehicle)
        sticks = Sticks(autopilot.schedule)
        stick = np.array([s if i in sticks.axes else 0.0 for i, s in enumerate(stick)])
        autopilot.manual = by_hand(sticks, stick)
        names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
        actuation = Pilot(vehicle).command(**dict(zip(names, stick.tolist(), strict=True)))
        got = autopilot.update(make_state(), 0.1)
        assert got.thrusters.tolist() == actuation.thrusters.tolist()
        assert got.surfaces.tolist() == pytest.approx(actuation.surfaces.tolist(), abs=1e-15)


def test_hand_and_loops_add_up_in_one_allocation(rov):
    """Inside the limits the wrench of both is the sum of the two: the allocation is linear there."""
    state = make_state((0.1, 0.0, 0.0, 0.0, 0.0, 0.02))
    loops, both = Autopilot(rov), Autopilot(rov)
    stick = np.array([0.2, 0.1, 0.0, 0.0, 0.0, 0.0])
    for autopilot in (loops, both):
        autopilot.command(depth_m=4.1, heading_deg=2.0)
    both.manual = by_hand(Sticks(both.schedule), stick)
    stage = loops.schedule.stage(0.1)
    alone, together = (np.array(wrench_of(a.schedule, stage, a.update(state, 0.1), state)) for a in (loops, both))
    # the table of drives is read backwards, and a ten-thousandth of full thrust is dropped
    assert together - alone == pytest.approx(both.manual.thrust, abs=0.05)


def test_surfaces_stop_at_their_limits(torpedo):
    schedule = Schedule(torpedo)
    sticks = Sticks(schedule)
    hand = by_hand(sticks, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
    stage = schedule.stage(schedule.cruise)
    twice, moments = hand.add_to(hand.angles.copy(), stage)
    assert twice.tolist() == pytest.approx(np.sign(hand.angles) * sticks.surface_limits, abs=1e-15)
    assert moments[5] == pytest.approx(float((stage.mix.reach @ twice)[5]))
    assert hand.wrench(stage)[5] == pytest.approx(float((stage.mix.reach @ hand.angles)[5]))


def test_without_sticks_or_setpoints_there_is_no_actuation(rov):
    autopilot = Autopilot(rov)
    assert not autopilot.update(make_state(), 0.1).thrusters.any()
    autopilot.manual = by_hand(Sticks(autopilot.schedule), np.zeros(6))
    assert not autopilot.update(make_state(), 0.1).thrusters.any()


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
    with pytest.raises(CommandError, match="pilot share is 0; expected a number above 0, at most 1"):
        Pilot(rov, share=0.0)


def test_torpedo_sticks_turn_the_right_way(torpedo):
    pilot = Pilot(torpedo)
    # Positive rudder turns to port and positive stern plane pitches down, so the sticks reverse both.
    command = pilot.command(surge=0.5, yaw=1.0, pitch=0.5)
    assert command.surfaces.tolist() == pytest.approx([-0.24, -0.12])
    assert command.thrusters[0] == pytest.approx(160.0 * 0.5**0.5, rel=1e-9)
    assert np.array_equal(pilot.update(REST, 0.1).surfaces, command.surfaces)


def test_reset_centres_the_sticks(torpedo):
    pilot = Pilot(torpedo)
    pilot.command(surge=1.0, yaw=1.0)
    pilot.reset()
    assert not pilot.update(REST, 0.1).thrusters.any() and not pilot.update(REST, 0.1).surfaces.any()


def test_surfaces_shared_by_two_sticks_stay_in_their_limits(finned):
    command = Pilot(finned).command(roll=1.0, pitch=1.0, yaw=1.0)
    assert np.abs(command.surfaces).max() <= 0.35


def test_refusals(torpedo, glider):
    with pytest.raises(
        CommandError, match=r"stick heave is .* has no actuator for heave; expected one of surge, pitch, yaw"
    ):
        Pilot(torpedo).command(PilotCommand(heave=0.1))
    with pytest.raises(CommandError, match="has no actuator for surge; expected none"):
        Pilot(glider).command(surge=1.0)
    with pytest.raises(CommandError, match="there is no stick 'throttle'; expected one of surge, sway"):
        Pilot(torpedo).command(throttle=1.0)
    with pytest.raises(CommandError, match=r"yaw is .*; a whole command is given too; expected one or the other"):
        Pilot(torpedo).command(PilotCommand(surge=0.1), yaw=0.2)
    assert Pilot(glider).command().ballast.tolist() == [0.0]


@pytest.fixture(scope="module")
def directed(rov):
    schedule = Schedule(rov)
    sticks = Sticks(schedule)
    return DirectionLimits(schedule, sticks), sticks, schedule


def test_drag_and_its_inverse():
    drag = AxisDrag(3.0, 2.0)
    assert drag.at(1.5) == 3.0 * 1.5 + 2.0 * 1.5**2
    assert drag.rate(drag.at(1.5), 20.0) == pytest.approx(1.5, rel=1e-12)
    assert AxisDrag(4.0, 0.0).rate(10.0, 20.0) == 2.5


def test_along_an_axis_it_is_the_share_itself(directed):
    law, _, _ = directed
    for turn, expected in ((0.0, (0.6, 0.0)), (math.pi / 2, (0.0, 0.6)), (math.pi, (-0.6, 0.0))):
        assert law.shares(0.6, 0.0, turn) == pytest.approx(expected, abs=1e-6)
    assert law.shares(0.0, 0.6, 0.0) == pytest.approx((0.0, 0.6), abs=1e-6)
    assert law.shares(0.0, 0.0, 1.0) == (0.0, 0.0)


@pytest.mark.parametrize("size", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("turn_deg", [20.0, 50.0, 135.0, -70.0, -160.0])
def test_the_forces_are_the_drag_of_a_motion_in_that_direction(directed, turn_deg, size):
    """F_i = share_i limit_i against the published drag of this ROV, X = 13.7 u + 141 u|u|, Y = 217 v|v|: the speeds at
    which they balance lie in the direction asked for, and one of the shares is the length of the stick."""
    law, sticks, _ = directed
    shares = law.shares(size, 0.0, math.radians(turn_deg))
    assert max(abs(s) for s in shares) == pytest.approx(size, rel=1e-9)
    x, y = sticks.wrench(np.array([*shares, 0.0, 0.0, 0.0, 0.0]))[:2]
    u = math.copysign((math.sqrt(13.7**2 + 4.0 * 141.0 * abs(x)) - 13.7) / (2.0 * 141.0), x)
    v = math.copysign(math.sqrt(abs(y) / 217.0), y)
    # the fit goes through two points of drag laws of just this form: rounding of a bisection is left
    assert math.degrees(math.atan2(v, u)) == pytest.approx(turn_deg, abs=1e-3)


def test_a_stick_is_never_longer_than_one(directed):
    law, _, _ = directed
    assert law.shares(1.0, 1.0, -math.pi / 4) == pytest.approx(law.shares(1.0, 0.0, 0.0), abs=1e-9)


def test_a_vehicle_that_cannot_go_sideways_has_no_directions(torpedo):
    schedule = Schedule(torpedo)
    law = DirectionLimits(schedule, Sticks(schedule))
    assert not law.works and law.shares(1.0, 0.0, 0.5) == (0.0, 0.0)
