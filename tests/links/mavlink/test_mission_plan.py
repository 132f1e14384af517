"""A mission is flown, interrupted, resumed and replaced on a real flight, ticked by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pymap3d
import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.mission import (
    ACTIVE,
    BURST_S,
    COMPLETE,
    NONE,
    NOT_STARTED,
    PAUSED,
    SHARE,
    Item,
    MissionPlan,
    TooSoonError,
)
from pelagos.links.mavlink.modes import AUTO, POSHOLD, STABILIZE
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from tests.links.mavlink.deck import Deck

TURNS = 6000  # two minutes


def item(seq, north, east, alt, command=16, params=(0.0, 0.0, 0.0, math.nan)):
    lat, lon, _ = pymap3d.ned2geodetic(north, east, 0.0, 36.8, -121.9, 0.0)
    return Item(seq, 6, command, params, round(lat * 1e7), round(lon * 1e7), alt)


def square():
    return (item(0, 0, 0, 0), item(1, 3, 0, -6), item(2, 3, 3, -7, params=(2.0, 0.3, 0.0, 0.0)), item(3, 0, 3, -5))


@pytest.fixture
def deck():
    with Deck() as made:
        made.link.parameters.set("WPNAV_RADIUS", 50.0)
        yield made


def fly(deck, until):
    for _ in range(TURNS):
        deck.turn()
        if until():
            return
    raise AssertionError("it was not flown in time")


def place(deck):
    return deck.flight.sim.plant.position_n.copy()


def test_without_a_mission_there_is_no_auto(deck):
    assert deck.link.plan.state(deck.flight) == NONE
    with pytest.raises(CommandError, match="no mission"):
        deck.link.modes.enter(deck.flight, AUTO)
    deck.link.plan.put((item(0, 0, 0, 0),))  # home alone
    with pytest.raises(CommandError, match="upload one"):
        deck.link.modes.enter(deck.flight, AUTO)


@pytest.mark.slow
def test_all_items_are_reached_in_turn_and_the_place_is_right(deck):
    plan = deck.link.plan
    plan.put(square())
    assert (plan.state(deck.flight), plan.current()) == (NOT_STARTED, 1)
    deck.link.modes.enter(deck.flight, AUTO)
    assert (deck.mode, plan.state(deck.flight)) == (AUTO, ACTIVE)
    passed = {}
    deck.beat()

    def sample():
        passed.setdefault(plan.current(), []).append(place(deck))
        return plan.state(deck.flight) == COMPLETE

    fly(deck, sample)
    for seq, there in ((1, (3, 0, 6)), (2, (3, 3, 7)), (3, (0, 3, 5))):
        near = min(float(np.linalg.norm(position[:2] - there[:2])) for position in passed[seq])
        assert near <= (0.3 if seq == 2 else 0.5) + 0.02  # its own radius, or WPNAV_RADIUS; and a step
        assert abs(passed[seq][-1][2] - there[2]) <= 0.52  # depth within the same
    assert list(passed) == [1, 2, 3]
    deck.until(lambda: len(deck.station.of("MISSION_ITEM_REACHED")) == 3)
    assert [message.seq for message in deck.station.of("MISSION_ITEM_REACHED")] == [1, 2, 3]
    assert deck.mode == AUTO  # it stays at the last place
    deck.turn(500)
    assert np.linalg.norm(place(deck) - (0, 3, 5)) < 0.2  # m: settled by then


def test_it_goes_on_where_it_was_left_or_begins_anew(deck):
    plan, modes = deck.link.plan, deck.link.modes
    plan.put(square())
    modes.enter(deck.flight, AUTO)
    fly(deck, lambda: plan.current() == 2)
    modes.enter(deck.flight, POSHOLD)
    assert plan.state(deck.flight) == PAUSED and plan.current() == 2
    modes.enter(deck.flight, AUTO)
    deck.turn()
    assert plan.current() == 2
    modes.enter(deck.flight, POSHOLD)
    deck.link.parameters.set("MIS_RESTART", 1)
    modes.enter(deck.flight, AUTO)
    fly(deck, lambda: plan.current() == 3)  # three metres from the first place
    modes.enter(deck.flight, POSHOLD)
    modes.enter(deck.flight, AUTO)
    deck.turn()
    assert plan.current() == 1


def test_another_item_can_be_chosen_before_and_under_way(deck):
    plan = deck.link.plan
    plan.put(square())
    plan.set_current(deck.flight, 2)
    assert plan.current() == 2
    deck.link.modes.enter(deck.flight, AUTO)
    deck.turn()
    assert plan.current() == 2
    plan.set_current(deck.flight, 3)
    deck.turn()
    assert plan.current() == 3 and deck.mode == AUTO
    with pytest.raises(CommandError, match="mission item is 4; expected one of the 4 items of the mission"):
        plan.set_current(deck.flight, 4)


def test_who_pulls_the_sticks_has_the_vehicle(deck):
    deck.link.plan.put(square())
    deck.link.modes.enter(deck.flight, AUTO)
    deck.arrives(("manual_control", 1, 1000, 0, 500, 0, 0))
    deck.turn(30)
    assert not deck.flight.flies_mission and deck.mode == STABILIZE


def test_speeds_and_depths_carry_on_from_item_to_item(deck):
    plan = deck.link.plan
    plan.put((
        item(0, 0, 0, 0), item(1, 3, 0, -6), item(2, 0, 0, 0, 178, (1.0, 0.3, 0.0, 0.0)), item(3, 5, 0, -7),
        item(4, 0, 0, 0, 20), item(5, 0, 0, 0, 21)._replace(x=0, y=0),
    ))  # fmt: skip
    legs, seqs = plan.legs(deck.link._limits(deck.flight))
    assert seqs == [1, 3, 4, 5]
    cruise = deck.flight.helm.schedule.cruise
    assert [leg["speed_m_s"] for leg in legs] == pytest.approx([cruise, 0.3, 0.3, 0.3], abs=0.01)
    assert [leg.get("depth_m") for leg in legs] == [6.0, 7.0, 7.0, None]
    assert plan.legs(deck.link._limits(deck.flight), 4)[1] == [4, 5]


def test_an_impossible_route_is_refused_and_the_mode_stays(deck):
    deck.link.plan.put((item(0, 0, 0, 0), item(1, 3, 0, -9000)))
    with pytest.raises(CommandError):
        deck.link.modes.enter(deck.flight, AUTO)
    assert deck.mode == STABILIZE
    assert deck.command(300) == 2  # denied
    assert deck.mode == STABILIZE


@pytest.mark.slow
def test_an_auv_passes_its_points():
    with Deck("remus100", start={"depth_m": 4.0}) as deck:
        plan = deck.link.plan
        plan.put((item(0, 0, 0, 0), item(1, 60, 0, -5), item(2, 60, 60, -5)))
        assert deck.command(300) == 0 and deck.mode == AUTO
        nearest = {1: math.inf, 2: math.inf}

        def sample():
            for seq, there in ((1, (60, 0)), (2, (60, 60))):
                nearest[seq] = min(nearest[seq], float(np.linalg.norm(place(deck)[:2] - there)))
            return plan.state(deck.flight) == COMPLETE

        fly(deck, sample)
        assert nearest[1] < 5.0 and nearest[2] < 15.0  # m: turns are wide, and a point abeam counts as passed


def test_a_reset_keeps_the_mission_aboard(deck):
    deck.link.plan.put(square())
    deck.link.modes.enter(deck.flight, AUTO)
    deck.turn(10)
    deck.flight.order("reset", {})
    deck.link.begin(deck.flight)
    assert deck.link.plan.state(deck.flight) == NOT_STARTED and deck.mode == STABILIZE
    assert deck.command(300) == 0 and deck.mode == AUTO


@pytest.mark.parametrize("clear", [("mission_clear_all", 1, 1, 0), ("mission_count", 1, 1, 0, 0)])
def test_a_mission_that_was_cleared_is_not_flown(deck, clear):
    deck.link.plan.put(square())
    assert deck.command(176, 1, AUTO) == 0
    assert deck.command(176, 1, POSHOLD) == 0
    deck.arrives(clear)
    assert deck.command(176, 1, AUTO) == 2 and deck.command(300) == 2  # denied
    assert deck.mode == POSHOLD
    assert any("there is no mission with an item to fly" in text for text in deck.texts())


def test_the_mission_of_a_scenario_is_flown_as_long_as_none_is_uploaded():
    with Deck(flight=Flight(scenario=load_scenario("first-dive"))) as deck:
        assert deck.mode == AUTO
        assert deck.command(176, 1, STABILIZE) == 0 and deck.mode == STABILIZE
        assert deck.command(176, 1, AUTO) == 0 and deck.mode == AUTO


@pytest.mark.slow
def test_taking_up_routes_has_a_share_of_the_time_and_no_more(deck):
    now = SimpleNamespace(s=0.0, takes_s=0.2)

    def limits(flight):
        now.s += now.takes_s  # a long mission
        return deck.link._limits(flight)

    plan = MissionPlan(limits, lambda: False, lambda: now.s)
    plan.put(square())
    taken = refused = 0
    for _ in range(2000):  # every 0.02 s, for 40 s and what the routes take
        now.s += 0.02
        try:
            plan.set_current(deck.flight, 1)
            plan.fly(deck.flight)
            taken += 1
        except TooSoonError:
            refused += 1
    spent = taken * now.takes_s
    assert spent <= BURST_S + SHARE * now.s + now.takes_s  # the last one may overdraw
    assert taken > 10 and refused > 1000
    with pytest.raises(TooSoonError):
        for _ in range(10):
            plan.set_current(deck.flight, 2)
    assert plan.current() == 1  # a refusal changes nothing
