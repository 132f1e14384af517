"""Clocks of the robot link: lockstep, real time and scaled, with a clock that the test moves."""

import pytest
from pytest import approx

from pelagos.errors import CommandError
from pelagos.links.robot.clock import LONGEST_WAIT_S, Clock


class Wall:
    """A clock on the wall that a test moves; quarters of a second are exact in binary."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def test_lockstep_is_never_due():
    clock = Clock("lockstep", 0.1)
    clock.start()
    assert not clock.free and not clock.running and not clock.due()
    assert clock.wait_s() == LONGEST_WAIT_S


def test_realtime_is_due_once_an_interval_and_does_not_drift():
    wall = Wall()
    clock = Clock("realtime", 0.125, now=wall)
    assert not clock.due()  # not started
    clock.start()
    due = 0
    for _ in range(800):  # 100 s in steps that the interval is a multiple of
        wall.now += 0.125
        wall.now += 0.03125  # the work of an exchange
        due += clock.due()
        wall.now -= 0.03125
    assert due == 800
    assert (clock.overruns, clock.slipped_s) == (0, 0.0)
    assert clock.wait_s() == approx(0.125)


def test_scaled_goes_as_many_times_as_fast():
    wall = Wall()
    clock = Clock("scaled", 0.5, speed=4.0, now=wall)
    clock.start()
    wall.now += 0.124
    assert not clock.due()
    wall.now += 0.001
    assert clock.due()


def test_what_is_late_is_counted_and_caught_up_while_it_is_little():
    wall = Wall()
    clock = Clock("realtime", 0.0625, now=wall)
    clock.start()
    wall.now += 0.25  # four are due
    assert [clock.due() for _ in range(5)] == [True, True, True, True, False]
    assert clock.overruns == 2  # the first two came when the next was due already, and more than that
    assert clock.slipped_s == 0.0


def test_far_behind_the_deadlines_are_moved_and_the_time_given_up_is_told():
    wall = Wall()
    clock = Clock("realtime", 0.125, now=wall)
    clock.start()
    wall.now += 10.125
    assert clock.due() and not clock.due()
    assert clock.slipped_s == approx(10.0)
    assert clock.overruns == 1
    wall.now += 0.125
    assert clock.due()
    assert clock.overruns == 1


def test_it_stands_still_until_started_again():
    wall = Wall()
    clock = Clock("realtime", 0.125, now=wall)
    clock.start()
    clock.stop()
    wall.now += 5.0
    assert not clock.due()
    clock.start()
    assert not clock.due()
    wall.now += 0.125
    assert clock.due()


def test_what_makes_no_clock_is_refused():
    with pytest.raises(CommandError, match='did you mean "realtime"'):
        Clock("real-time", 0.1)
    with pytest.raises(CommandError, match="expected 1 with the clock"):
        Clock("realtime", 0.1, speed=2.0)
    with pytest.raises(CommandError, match="speed"):
        Clock("scaled", 0.1, speed=0.0)
