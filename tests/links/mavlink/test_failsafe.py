"""Failsafes with a manual clock: lost stick input and lost heartbeats."""

import pytest

from pelagos.links.mavlink.modes import ALT_HOLD, MANUAL, POSHOLD, STABILIZE, SURFACE
from pelagos.session.authority import Authority
from pelagos.session.source import CENTRED, Input
from tests.links.mavlink.deck import Deck


@pytest.fixture(autouse=True)
def anew(deck):
    deck.flight.order("reset", {})
    deck.link.begin(deck.flight)
    for name in ("FS_GCS_ENABLE", "FS_PILOT_INPUT"):
        deck.link.parameters.set(name, deck.link.parameters.table[name].value)
    deck.link.failsafe.station_lost, deck.link.failsafe._received_s = False, None
    deck.turn(400)  # the budget of texts fills up
    deck.station.heard.clear()
    deck.station.texts.clear()


def ticks(seconds):
    return round(seconds * 50)


def state(deck):
    deck.turn(60)
    deck.until(lambda: deck.station.of("HEARTBEAT"))
    return deck.station.of("HEARTBEAT")[-1].system_status


def test_sticks_that_stay_away_go_to_the_middle_and_it_is_said(deck):
    deck.arrives(("manual_control", 1, 700, 0, 500, 0, 0))
    assert deck.flight.sticks == Input(surge=0.7)
    deck.turn(ticks(0.9))
    assert deck.flight.sticks == Input(surge=0.7)
    deck.turn(ticks(0.2))
    assert deck.flight.sticks == CENTRED
    deck.until(lambda: any("no sticks" in text for text in deck.texts()))
    assert deck.flight.armed and state(deck) == 5  # critical
    deck.station.heard.clear()
    deck.arrives(("manual_control", 1, 0, 0, 500, 0, 0))
    assert not deck.link.failsafe.active


def test_they_may_disarm_too(deck):
    deck.link.parameters.set("FS_PILOT_INPUT", 2)
    deck.arrives(("manual_control", 1, 700, 0, 500, 0, 0))
    deck.turn(ticks(1.2))
    assert not deck.flight.armed and deck.flight.sticks == CENTRED


def test_or_say_nothing(deck):
    deck.link.parameters.set("FS_PILOT_INPUT", 0)
    deck.arrives(("manual_control", 1, 700, 0, 500, 0, 0))
    deck.turn(ticks(1.2))
    assert deck.flight.sticks == CENTRED and not deck.link.failsafe.active


def test_override_times_out_as_well(deck):
    deck.arrives(("rc_channels_override", 1, 1, 65535, 65535, 65535, 1900, 65535, 65535, 65535, 65535))
    assert deck.flight.sticks == Input(yaw=1.0)
    deck.turn(ticks(1.2))
    assert deck.flight.sticks == CENTRED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "mode", "armed"),
    [(0, MANUAL, True), (1, MANUAL, True), (2, MANUAL, False), (3, POSHOLD, True), (4, SURFACE, True)],
)
def test_a_station_that_is_gone(deck, action, mode, armed):
    deck.link.parameters.set("FS_GCS_ENABLE", action)
    deck.beat()
    assert deck.command(176, 1, MANUAL) == 0
    deck.beat()
    deck.turn(ticks(4.8))
    assert deck.mode == MANUAL and deck.flight.armed and not deck.link.failsafe.active
    deck.turn(ticks(0.4))
    assert (deck.mode, deck.flight.armed) == (mode, armed)
    assert deck.link.failsafe.station_lost == (action > 0)
    assert (deck.flight.authority.state is Authority.FAILSAFE) == (action > 0 and armed)
    if action:
        deck.until(lambda: any("no heartbeat" in text for text in deck.texts()))
        deck.beat()
        assert not deck.link.failsafe.station_lost
        deck.until(lambda: any("is back" in text for text in deck.texts()))
        deck.turn(1)
        assert deck.flight.authority.state is (Authority.PILOT if armed else Authority.DISARMED)


def test_a_station_that_only_listened_changes_nothing_when_it_goes(deck):
    deck.beat()
    deck.turn(ticks(5.5))
    assert deck.link.failsafe.station_lost and deck.mode == STABILIZE


def test_a_station_that_goes_with_its_sticks_held_is_gone_all_the_same(deck):
    """The time-out of the sticks may be longer than that of the heartbeats."""
    deck.link.parameters.set("FS_GCS_TIMEOUT", 2.0)
    deck.link.parameters.set("FS_PILOT_TIMEOUT", 3.0)
    try:
        assert deck.command(176, 1, MANUAL) == 0
        deck.beat()
        deck.arrives(("manual_control", 1, 700, 0, 500, 0, 0))
        deck.turn(ticks(2.2))
        assert deck.link.failsafe.station_lost and deck.mode == POSHOLD
    finally:
        deck.link.parameters.set("FS_GCS_TIMEOUT", 5.0)
        deck.link.parameters.set("FS_PILOT_TIMEOUT", 1.0)


def test_a_pilot_at_the_sticks_of_the_page_keeps_them(deck):
    deck.beat()
    deck.command(176, 1, ALT_HOLD)
    deck.flight.input(Input(surge=0.2))
    deck.turn(ticks(6.0))
    assert deck.link.failsafe.station_lost and deck.mode == ALT_HOLD and deck.flight.sticks == Input(surge=0.2)


def test_only_the_station_that_controls_counts(deck):
    other = deck.call(77)
    deck.arrives(("heartbeat", 6, 8, 0, 0, 4, 3), caller=other)
    deck.turn(ticks(6.0))
    assert not deck.link.failsafe.station_lost


@pytest.mark.slow
def test_one_that_can_hold_no_place_holds_its_depth():
    with Deck("remus100") as auv:
        auv.beat()
        assert auv.command(176, 1, MANUAL) == 0
        auv.turn(ticks(6.0))
        assert auv.mode == ALT_HOLD and auv.flight.armed
