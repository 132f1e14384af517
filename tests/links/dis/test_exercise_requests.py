"""Whom a manager means, when, and what it is told."""

import pytest

from pelagos.links.dis.exercise import MOST, Freeze, answer, is_for
from pelagos.links.dis.wire.header import ClockTime
from pelagos.links.dis.wire.management import Answered, Frozen, RemoveEntity, Response, StartResume, StopFreeze
from pelagos.links.dis.wire.records import EntityId

MANAGER, US = EntityId(9, 9, 1), EntityId(1, 2, 3)
NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("receiver", "meant"),
    [
        ((1, 2, 3), True),
        ((1, 2, 4), True),
        ((1, 2, 5), False),
        ((1, 2, 0), True),
        ((1, 2, 0xFFFF), True),
        ((1, 0xFFFF, 0xFFFF), True),
        ((0xFFFF, 0xFFFF, 0xFFFF), True),
        ((1, 3, 0xFFFF), False),
        ((2, 2, 3), False),
    ],
)
def test_an_address_means_us_by_each_of_its_parts(receiver, meant):
    assert is_for(EntityId(*receiver), 1, 2, {3, 4}) is meant


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (StartResume(MANAGER, US, request=77), Answered.START_RESUME),
        (StopFreeze(MANAGER, US, request=77), Answered.STOP_FREEZE),
        (RemoveEntity(MANAGER, US, request=77), Answered.REMOVE_ENTITY),
    ],
)
def test_the_answer_names_the_request(request_, kind):
    said = answer(request_, US, able=True)
    assert (said.sender, said.receiver, said.answered, said.request) == (US, MANAGER, kind, 77)
    assert said.response == Response.ABLE and answer(request_, US, able=False).response == Response.UNABLE


def test_at_once_unless_the_time_lies_ahead():
    freeze = Freeze()
    assert not freeze.frozen and freeze.transmit and freeze.receive
    assert freeze.ask(StopFreeze(MANAGER), NOW)
    assert freeze.frozen and not freeze.transmit and not freeze.receive
    later = ClockTime.of(NOW + 10.0, absolute=True)
    assert freeze.ask(StartResume(MANAGER, real_time=later), NOW)
    freeze.check(NOW + 9.9)
    assert freeze.frozen
    freeze.check(NOW + 10.1)
    assert not freeze.frozen and freeze.transmit


@pytest.mark.parametrize(
    "when", [ClockTime.of(NOW - 5.0, True), ClockTime.of(NOW + 1e6, True), ClockTime.of(NOW + 5.0)]
)
def test_a_time_that_is_past_or_of_another_clock_means_now(when):
    freeze = Freeze()
    freeze.ask(StopFreeze(MANAGER, real_time=when), NOW)
    assert freeze.frozen


def test_what_goes_on_meanwhile():
    freeze = Freeze()
    freeze.ask(StopFreeze(MANAGER, frozen=Frozen.TRANSMIT), NOW)
    assert freeze.transmit and not freeze.receive
    freeze.ask(StopFreeze(MANAGER, frozen=Frozen.RECEIVE | Frozen.RUN_CLOCK), NOW)
    assert not freeze.transmit and freeze.receive and freeze.frozen


def test_those_that_wait_are_followed_in_the_order_of_their_times():
    freeze = Freeze()
    freeze.ask(StartResume(MANAGER, real_time=ClockTime.of(NOW + 20.0, True)), NOW)
    freeze.ask(StopFreeze(MANAGER, real_time=ClockTime.of(NOW + 10.0, True)), NOW)
    freeze.check(NOW + 15.0)
    assert freeze.frozen
    freeze.check(NOW + 25.0)
    assert not freeze.frozen


def test_only_so_many_may_wait():
    freeze = Freeze()
    asked = [
        freeze.ask(StopFreeze(MANAGER, real_time=ClockTime.of(NOW + 60.0 + k, True)), NOW) for k in range(MOST + 3)
    ]
    assert asked == [True] * MOST + [False] * 3
