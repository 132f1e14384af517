"""The newest input acts; when none comes for half a second, none does."""

from pelagos.session.realtime import DEAD_MAN_S, DeadMan, moved
from pelagos.session.source import CENTRED, Input, StampedInput

AHEAD, BACK = Input(surge=1.0), Input(surge=-1.0)


def test_the_newest_wins():
    dead_man = DeadMan()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    dead_man.put(StampedInput(BACK, 2, 20.0), 0.01)
    newest, turned = dead_man.take(0.02)
    assert newest == (BACK, 2, 20.0)
    assert not turned and not dead_man.lost


def test_silence_lets_go_of_the_sticks_and_is_told_once():
    dead_man = DeadMan()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    assert dead_man.take(DEAD_MAN_S) == ((AHEAD, 1, 10.0), False)
    newest, turned = dead_man.take(DEAD_MAN_S + 0.001)
    assert newest.sticks == CENTRED and newest.seq == 1 and turned and dead_man.lost
    assert dead_man.take(DEAD_MAN_S + 1.0)[1] is False


def test_a_link_that_is_back_acts_again():
    dead_man = DeadMan()
    dead_man.put(StampedInput(AHEAD, 1, 10.0), 0.0)
    dead_man.take(2.0)
    dead_man.put(StampedInput(BACK, 2, 20.0), 2.1)
    assert dead_man.take(2.1) == ((BACK, 2, 20.0), True)
    assert not dead_man.lost


def test_before_the_first_input_nothing_is_lost():
    dead_man = DeadMan()
    assert dead_man.take(99.0) == ((CENTRED, 0, 0.0), False)


def test_another_pilot_begins_with_sticks_in_the_middle_and_time_to_come():
    dead_man = DeadMan()
    dead_man.put(StampedInput(AHEAD, 5, 10.0), 0.0)
    dead_man.clear(0.4)
    assert dead_man.take(0.8) == ((CENTRED, 0, 0.0), False)
    assert dead_man.take(0.4 + DEAD_MAN_S + 0.01)[1]  # nobody has come


def test_looking_round_leaves_the_sticks_to_whoever_has_them():
    of_a_station = Input(surge=0.5, yaw=-0.2, pan=0.3)
    looks = Input(pan=1.0, zoom=-1.0)
    assert moved(looks, CENTRED, of_a_station) == Input(surge=0.5, yaw=-0.2, pan=1.0, zoom=-1.0)
    assert moved(CENTRED, looks, of_a_station) == Input(surge=0.5, yaw=-0.2)  # the camera rests, the vehicle goes on
    pulls = Input(heave=0.1, pan=1.0)
    assert moved(pulls, looks, of_a_station) == pulls
    assert moved(CENTRED, AHEAD, AHEAD) == CENTRED  # letting go is moving too
