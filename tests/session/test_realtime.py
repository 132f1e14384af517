"""Deadlines without drift, counts of overruns, and sticks centred without input."""

import pytest

from pelagos.session.realtime import BEHIND_S, DEAD_MAN_S, DeadManSwitch, Pacer, merged_input
from pelagos.session.source import CENTRED, Input, StampedInput


def flown(pacer, seconds, work_s, late_s=0.0):
    """Tick for some wall time: each tick begins at its deadline or when the last is over, plus a lateness."""
    now, ticks = pacer.due_s, 0
    end_s = now + seconds
    while now < end_s - 1e-9:
        begin = now + late_s
        now = begin + work_s
        pacer.ticked(begin, now)
        pacer.watch(now)
        ticks += 1
        now = max(now, pacer.due_s)
    return ticks


def test_lateness_does_not_add_up():
    pacer = Pacer(0.02, 0.0)
    assert flown(pacer, 100.0, work_s=0.001, late_s=0.003) == 5000  # 50 Hz for 100 s, each tick 3 ms late
    assert pacer.due_s == pytest.approx(100.02, abs=1e-9)
    assert pacer.take_lateness_s() == pytest.approx(0.003, abs=1e-9)
    assert pacer.take_lateness_s() == 0.0
    assert pacer.overruns == 0


@pytest.mark.parametrize("scale", [0.1, 1.0, 20.0])
def test_the_scale_divides_the_period(scale):
    pacer = Pacer(0.02, 5.0)
    pacer.rescale(scale, 7.0)
    assert pacer.due_s == pytest.approx(7.0 + 0.02 / scale)
    assert flown(pacer, 10.0, work_s=0.0) == pytest.approx(10.0 * 50.0 * scale, abs=1)


def test_a_short_hitch_is_caught_up():
    pacer = Pacer(0.02, 0.0)
    assert pacer.ticked(0.02, 0.02 + BEHIND_S) == 0
    assert pacer.due_s == pytest.approx(0.04)  # the deadlines stay where they were
    assert pacer.overruns == 0


def test_a_long_hitch_is_given_up_and_counted():
    pacer = Pacer(0.02, 0.0)
    lost = pacer.ticked(0.02, 1.04)  # one second late for the deadline at 0.04
    assert lost == pytest.approx(50, abs=1)
    assert pacer.overruns == lost
    assert 1.02 < pacer.due_s <= 1.04 + 1e-9  # the next is due at once, and on the old grid
    assert pacer.due_s / 0.02 == pytest.approx(round(pacer.due_s / 0.02), abs=1e-6)


def test_what_is_made_and_what_is_given_up_fill_the_time():
    pacer = Pacer(0.02, 0.0)
    ticks = flown(pacer, 60.0, work_s=0.03)  # a machine that needs 30 ms for 20 ms
    assert ticks == pytest.approx(2000, abs=1)
    assert ticks + pacer.overruns == pytest.approx(3000, abs=BEHIND_S / 0.02 + 1)  # what is behind now is still open


def test_the_load_is_the_share_of_the_time_at_work():
    pacer = Pacer(0.02, 0.0)
    flown(pacer, 3.0, work_s=0.005)
    assert pacer.load_percent == pytest.approx(25.0, abs=1.0)  # 5 ms of 20; the window ends within a tick


AHEAD, BACK = Input(surge=1.0), Input(surge=-1.0)


def test_the_newest_wins():
    dead_man = DeadManSwitch()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    dead_man.put(StampedInput(BACK, 2, 20.0), 0.01)
    newest, turned = dead_man.take(0.02)
    assert newest == (BACK, 2, 20.0)
    assert not turned and not dead_man.lost


def test_silence_lets_go_of_the_sticks_and_is_told_once():
    dead_man = DeadManSwitch()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    assert dead_man.take(DEAD_MAN_S) == ((AHEAD, 1, 10.0), False)
    newest, turned = dead_man.take(DEAD_MAN_S + 0.001)
    assert newest.sticks == CENTRED and newest.seq == 1 and turned and dead_man.lost
    assert dead_man.take(DEAD_MAN_S + 1.0)[1] is False


def test_a_link_that_is_back_acts_again():
    dead_man = DeadManSwitch()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    dead_man.take(2.0)
    dead_man.put(StampedInput(BACK, 2, 20.0), 2.1)
    assert dead_man.take(2.1) == ((BACK, 2, 20.0), True)
    assert not dead_man.lost


def test_before_the_first_input_nothing_is_lost():
    dead_man = DeadManSwitch()
    assert dead_man.take(99.0) == ((CENTRED, 0, 0.0), False)


def test_another_pilot_begins_with_sticks_in_the_middle_and_time_to_come():
    dead_man = DeadManSwitch()
    dead_man.put(StampedInput(AHEAD, 5, 10.0), 0.0)
    dead_man.clear(0.4)
    assert dead_man.take(0.8) == ((CENTRED, 0, 0.0), False)
    assert dead_man.take(0.4 + DEAD_MAN_S + 0.01)[1]  # nobody has come


def test_looking_round_leaves_the_sticks_to_whoever_has_them():
    of_a_station = Input(surge=0.5, yaw=-0.2, pan=0.3)
    looks = Input(pan=1.0, zoom=-1.0)
    assert merged_input(looks, CENTRED, of_a_station) == Input(surge=0.5, yaw=-0.2, pan=1.0, zoom=-1.0)
    assert merged_input(CENTRED, looks, of_a_station) == Input(
        surge=0.5, yaw=-0.2
    )  # the camera rests, the vehicle goes on
    pulls = Input(heave=0.1, pan=1.0)
    assert merged_input(pulls, looks, of_a_station) == pulls
    assert merged_input(CENTRED, AHEAD, AHEAD) == CENTRED  # letting go is moving too
