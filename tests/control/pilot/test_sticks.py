"""Stick positions as wrenches and angles, and a hand on top of the loops of an autopilot."""

import numpy as np
import pytest

from pelagos.control import Autopilot, Pilot
from pelagos.control.autopilot.switching import wrench_of
from pelagos.control.pilot.sticks import ManualCommand, Sticks
from pelagos.control.tuning.schedule import Schedule
from pelagos.messages import VehicleState


def truth(nu=(0.0,) * 6, depth=4.0):
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


def test_a_hand_alone_gives_what_the_pilot_gives(rov, torpedo, finned):
    """At rest, where the inflow that an autopilot makes up for is none."""
    for vehicle, stick in ((rov, [0.4, -0.3, 0.2, 0.1, 0.0, -0.5]), (torpedo, [0.5, 0, 0, 0, 0.4, -0.6]),
                           (finned, [0.5, 0.0, 0.0, 0.2, -0.3, 0.4])):  # fmt: skip
        autopilot = Autopilot(vehicle)
        sticks = Sticks(autopilot.schedule)
        stick = np.array([s if i in sticks.axes else 0.0 for i, s in enumerate(stick)])
        autopilot.by_hand = by_hand(sticks, stick)
        names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
        wanted = Pilot(vehicle).command(**dict(zip(names, stick.tolist(), strict=True)))
        got = autopilot.update(truth(), 0.1)
        assert got.thrusters.tolist() == wanted.thrusters.tolist()
        assert got.surfaces.tolist() == pytest.approx(wanted.surfaces.tolist(), abs=1e-15)


def test_hand_and_loops_add_up_in_one_allocation(rov):
    """Inside the limits the wrench of both is the sum of the two: the allocation is linear there."""
    seen = truth((0.1, 0.0, 0.0, 0.0, 0.0, 0.02))
    loops, both = Autopilot(rov), Autopilot(rov)
    stick = np.array([0.2, 0.1, 0.0, 0.0, 0.0, 0.0])
    for autopilot in (loops, both):
        autopilot.command(depth_m=4.1, heading_deg=2.0)
    both.by_hand = by_hand(Sticks(both.schedule), stick)
    stage = loops.schedule.stage(0.1)
    alone, together = (np.array(wrench_of(a.schedule, stage, a.update(seen, 0.1), seen)) for a in (loops, both))
    # the table of drives is read backwards, and a ten-thousandth of full thrust is dropped
    assert together - alone == pytest.approx(both.by_hand.thrust, abs=0.05)


def test_surfaces_stop_at_their_limits(torpedo):
    schedule = Schedule(torpedo)
    sticks = Sticks(schedule)
    hand = by_hand(sticks, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]))
    stage = schedule.stage(schedule.cruise)
    twice, moments = hand.on_top_of(hand.angles.copy(), stage)
    assert twice.tolist() == pytest.approx(np.sign(hand.angles) * sticks.surface_limits, abs=1e-15)
    assert moments[5] == pytest.approx(float((stage.mix.reach @ twice)[5]))
    assert hand.wrench(stage)[5] == pytest.approx(float((stage.mix.reach @ hand.angles)[5]))


def test_without_a_hand_nothing_is_done_where_nothing_is_asked(rov):
    autopilot = Autopilot(rov)
    assert not autopilot.update(truth(), 0.1).thrusters.any()
    autopilot.by_hand = by_hand(Sticks(autopilot.schedule), np.zeros(6))
    assert not autopilot.update(truth(), 0.1).thrusters.any()
