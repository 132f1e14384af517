"""Modes of ArduSub as holds of the autopilot and the reverse, on real flights."""

import pytest
from pymavlink import mavutil

from pelagos.errors import CommandError
from pelagos.links.mavlink.modes import (
    ALT_HOLD,
    AUTO,
    GUIDED,
    MANUAL,
    MODES,
    POSHOLD,
    STABILIZE,
    SURFACE,
    SURFTRAK,
    Modes,
)  # fmt: skip
from pelagos.session.flight import Flight


def test_the_numbers_are_those_of_ardusub():
    theirs = dict(mavutil.mode_mapping_sub)
    for number, mode in MODES.items():
        if number != SURFTRAK:  # later than this table of pymavlink
            assert theirs[number] == mode.name


@pytest.fixture(scope="module")
def rov():
    flight = Flight("bluerov2_heavy", {"depth_m": 30.0}, start={"depth_m": 5.0})
    yield flight
    flight.close()


@pytest.fixture
def modes(rov):
    rov.order("reset", {})
    return Modes(lambda flight: flight.order("hold", {"hold": "mission", "on": True}), lambda: 0.1)


def held(flight):
    return {name for name, on in flight.helm.modes.items() if on}


@pytest.mark.parametrize(
    ("number", "holds"),
    [
        (MANUAL, set()),
        (STABILIZE, {"level", "heading"}),
        (ALT_HOLD, {"depth", "level", "heading"}),
        (SURFTRAK, {"altitude", "level", "heading"}),
        (POSHOLD, {"position", "depth", "level", "heading"}),
        (GUIDED, {"position", "depth", "level", "heading"}),
        (SURFACE, {"depth", "level", "heading"}),
    ],
)
def test_each_mode_holds_what_it_says_from_every_other(rov, modes, number, holds):
    for before in (MANUAL, POSHOLD, SURFTRAK):
        modes.enter(rov, before)
        modes.enter(rov, number)
        assert held(rov) == holds
        assert modes.now(rov) == number
        assert rov.waits is False


def test_a_hold_that_goes_on_is_not_begun_anew(rov, modes):
    modes.enter(rov, ALT_HOLD)
    rov.order("hold", {"hold": "depth", "on": True, "value": 7.0})
    modes.enter(rov, POSHOLD)
    assert rov.helm.setpoint.depth_m == 7.0
    modes.enter(rov, SURFACE)
    assert rov.helm.setpoint.depth_m == 0.1


def test_what_the_pilot_of_a_page_does_is_seen(rov, modes):
    assert modes.now(rov) == STABILIZE  # as a pilot finds it: level
    modes.enter(rov, GUIDED)
    rov.order("hold", {"hold": "position", "on": False})
    assert modes.now(rov) == ALT_HOLD
    rov.order("hold", {"hold": "position", "on": True})
    assert modes.now(rov) == GUIDED  # the same is held as when the station asked for it
    modes.enter(rov, SURFACE)
    rov.order("hold", {"hold": "depth", "on": True, "value": 3.0})
    assert modes.now(rov) == ALT_HOLD
    for what in ("depth", "level", "heading"):
        rov.order("hold", {"hold": what, "on": False})
    assert modes.now(rov) == MANUAL


def test_modes_that_are_not_there_or_cannot_be_are_refused_and_nothing_changes(rov, modes):
    modes.enter(rov, POSHOLD)
    for number, reason in ((7, "CIRCLE"), (1, "ACRO"), (12345, "12345"), (AUTO, "no mission")):
        with pytest.raises(CommandError, match=reason):
            modes.enter(rov, number)
        assert modes.now(rov) == POSHOLD


def test_an_auv_with_fins_holds_depth_but_no_place():
    flight = Flight("remus100", start={"depth_m": 5.0})
    try:
        modes = Modes(lambda flight: None, lambda: 0.1)
        modes.enter(flight, ALT_HOLD)
        assert modes.now(flight) == ALT_HOLD and {"depth", "heading"} <= held(flight)
        before = held(flight)
        with pytest.raises(CommandError, match="cannot hold position"):
            modes.enter(flight, POSHOLD)
        assert held(flight) == before
        modes.enter(flight, MANUAL)
        assert modes.now(flight) == MANUAL
    finally:
        flight.close()
