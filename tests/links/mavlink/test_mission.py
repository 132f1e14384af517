"""Missions: items become legs, checked by an independent geodesy, and are flown, interrupted, resumed and replaced."""

import math
from types import SimpleNamespace

import numpy as np
import pymap3d
import pytest

from pelagos.errors import CommandError
from pelagos.geodesy import Origin
from pelagos.guidance.legs.kinds import KINDS
from pelagos.links.mavlink import mission
from pelagos.links.mavlink.mission import (
    ACTIVE,
    BURST_S,
    COMPLETE,
    NONE,
    NOT_STARTED,
    PAUSED,
    SHARE,
    Item,
    ItemError,
    MissionLimits,
    MissionPlan,
    TooSoonError,
    check,
    legs_of,
)
from pelagos.links.mavlink.modes import AUTO, POSHOLD, STABILIZE
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from tests.links.mavlink.deck import Deck

ORIGIN = Origin(36.8, -121.9)
HOVERS = MissionLimits(ORIGIN, True, 0.5, 1.0, 4.0, 0.1)
CRUISES = HOVERS._replace(hovers=False, speed_m_s=1.5, radius_m=5.0)


def item(north=30.0, east=-40.0, alt=-6.0, command=mission.WAYPOINT, frame=6, params=(0.0, 0.0, 0.0, math.nan), seq=3):
    lat, lon, _ = pymap3d.ned2geodetic(north, east, 0.0, ORIGIN.lat_deg, ORIGIN.lon_deg, 0.0)
    return Item(seq, frame, command, params, round(lat * 1e7), round(lon * 1e7), alt)


def sound(legs):
    """Legs that a scenario could have; gives them back."""
    for leg in legs:
        KINDS[leg["kind"]](**{
            key: tuple(map(tuple, value)) if key == "points_m" else tuple(value) if isinstance(value, list) else value
            for key, value in leg.items() if key != "kind"
        })  # fmt: skip
    return legs


def test_a_waypoint_is_a_place_to_go_to_at_minus_its_altitude():
    (leg,) = sound(legs_of(item(), HOVERS, {}))
    assert leg["kind"] == "goto" and leg["face"] is True
    assert (leg["north_m"], leg["east_m"]) == pytest.approx((30.0, -40.0), abs=0.02)  # 1e-7 deg are 11 mm
    assert leg["depth_m"] == 6.0 and leg["speed_m_s"] == 0.5 and leg["tolerance_m"] == 1.0
    (near,) = legs_of(item(params=(0.0, 2.5, 0.0, 0.0)), HOVERS, {})
    assert near["tolerance_m"] == 2.5


def test_a_waypoint_with_a_time_is_stayed_at():
    going, staying = sound(legs_of(item(params=(7.0, 0.0, 0.0, 0.0)), HOVERS, {}))
    assert (going["kind"], staying["kind"]) == ("goto", "hold")
    assert staying["seconds_s"] == 7.0 and staying["north_m"] == going["north_m"]


def test_one_that_cannot_hover_passes_and_circles():
    (leg,) = sound(legs_of(item(), CRUISES, {}))
    assert leg["kind"] == "waypoints" and leg["acceptance_m"] == 5.0
    assert leg["points_m"][0] == pytest.approx([30.0, -40.0], abs=0.02)
    _, circle = sound(legs_of(item(command=mission.LOITER_TIME, params=(60.0, 0.0, -12.0, 0.0)), CRUISES, {}))
    assert circle["kind"] == "circle" and circle["side"] == "port" and circle["radius_m"] == 12.0
    assert circle["timeout_s"] == 60.0


def test_other_commands():
    held = {"depth_m": 9.0}
    _, forever = sound(legs_of(item(command=mission.LOITER), HOVERS, held))
    assert forever["seconds_s"] >= 1e5
    (home,) = sound(legs_of(item(command=mission.RETURN), HOVERS, held))
    assert (home["north_m"], home["east_m"], home["depth_m"]) == (0.0, 0.0, 9.0)
    there, up = sound(legs_of(item(command=mission.LAND), HOVERS, held))
    assert there["depth_m"] == 9.0 and up["kind"] == "surface" and up["surface_depth_m"] == 0.1
    (here,) = sound(legs_of(item(command=mission.LAND)._replace(x=0, y=0), HOVERS, held))
    assert here["kind"] == "surface"
    (wait,) = sound(legs_of(item(command=mission.DELAY, params=(3.0, 0.0, 0.0, 0.0)), HOVERS, held))
    assert wait["kind"] == "hold" and wait["seconds_s"] == 3.0 and wait["depth_m"] == 9.0
    assert legs_of(item(command=mission.CHANGE_SPEED), HOVERS, held) == []


@pytest.mark.parametrize(("frame", "key"), [(0, "depth_m"), (3, "depth_m"), (5, "depth_m"), (6, "depth_m")])
def test_frames_with_an_altitude(frame, key):
    assert legs_of(item(frame=frame), HOVERS, {})[0][key] == 6.0
    (leg,) = legs_of(item(frame=10, alt=2.0), HOVERS, {})
    assert leg["altitude_m"] == 2.0 and "depth_m" not in leg


@pytest.mark.parametrize(
    ("wrong", "result", "reason"),
    [
        (item(alt=3.0), 12, "above the water"),
        (item(alt=-1.0, frame=11), 12, "above the bottom .m. is -1"),
        (item(command=22), 3, "command of item 3 is 22"),
        (item(frame=1), 2, "frame of item 3 is 1"),
        (item(params=(-1.0, 0.0, 0.0, 0.0)), 6, "hold time of item 3"),
        (item()._replace(x=0, y=0), 10, "distance of item 3 from the origin"),
        (item()._replace(x=1_000_000_000), 10, "latitude and longitude of item 3"),
    ],
)
def test_what_cannot_be_flown_is_refused_by_its_number(wrong, result, reason):
    with pytest.raises(ItemError, match=reason) as refusal:
        check(wrong, HOVERS)
    assert refusal.value.result == result
    check(wrong._replace(seq=0), HOVERS)  # home is not flown


@pytest.mark.parametrize(
    ("wrong", "result", "reason"),
    [
        (item(alt=-81.0), 12, "at most 80, the depth rating"),
        (item(north=-30.0, alt=-45.0), 12, "less than 40, the depth of the bottom"),
        (item(north=-30.0, alt=41.0, frame=10), 12, "at most 40, the depth of the bottom"),
        (item(alt=20.0, frame=11), 12, "rated for 80 m"),  # 120 - 20 m
        (item(command=mission.CHANGE_SPEED, params=(1.0, 2.5, -1.0, 0.0)), 7, "at most 2, the top speed"),
        (item(alt=math.nan), 12, "altitude of item 3: is missing"),
    ],
)
def test_what_this_vehicle_or_this_sea_does_not_allow_is_refused_at_once(wrong, result, reason):
    here = HOVERS._replace(top_m_s=2.0, rated_m=80.0, bottom_m=lambda north, east: 120.0 if north > 0.0 else 40.0)
    with pytest.raises(ItemError, match=reason) as refusal:
        check(wrong, here)
    assert refusal.value.result == result
    for sound in (item(alt=-79.0), item(north=-30.0, alt=-39.0), item(alt=41.0, frame=10),
                  item(command=mission.CHANGE_SPEED, params=(1.0, 1.9, -1.0, 0.0))):  # fmt: skip
        check(sound, here)
    with pytest.raises(ItemError, match="no bottom"):
        check(item(alt=2.0, frame=10), HOVERS)  # no bottom


def message(kind="MISSION_ITEM_INT", **other):
    fields = {"seq": 1, "frame": 2, "command": 16, "autocontinue": 1, "x": 0, "y": 0, "z": 0.0}
    return SimpleNamespace(**(fields | {f"param{i}": 0.0 for i in range(1, 5)} | other), get_type=lambda: kind)


@pytest.mark.parametrize("kind", ["MISSION_ITEM_INT", "MISSION_ITEM"])
def test_numbers_that_a_command_does_not_use_may_be_none(kind):
    """NaN is how MAVLink says that a parameter is not used; INT32_MAX for x and y as integers."""
    unused = {"x": 0x7FFFFFFF, "y": 0x7FFFFFFF} if kind.endswith("INT") else {"x": math.nan, "y": math.nan}
    for command in (mission.RETURN, mission.CHANGE_SPEED, mission.DELAY):
        check(Item.of(message(kind, command=command, z=math.nan, param3=math.nan, **unused)), HOVERS)
    with pytest.raises(ItemError, match="altitude of item 1: is missing"):
        place_there = {"x": 368000000, "y": -1219000000} if kind.endswith("INT") else {"x": 36.8, "y": -121.9}
        check(Item.of(message(kind, frame=3, z=math.nan, **place_there)), HOVERS)


def test_a_cruiser_cannot_wait_where_it_is():
    with pytest.raises(ItemError, match="cannot stay"):
        check(item(command=mission.DELAY, params=(3.0, 0.0, 0.0, 0.0)), CRUISES)


def test_the_old_form_holds_degrees():
    fields = {"seq": 1, "frame": 3, "command": 16, "autocontinue": 1, "x": 36.8001, "y": -121.9002, "z": -2.0}
    message = SimpleNamespace(**fields, **{f"param{i}": 0.0 for i in range(1, 5)}, get_type=lambda: "MISSION_ITEM")
    assert Item.of(message)[4:6] == (368001000, -1219002000)
    for wrong in ({"x": math.nan}, {"z": math.inf}, {"param1": -math.inf}, {"y": 1e9}):
        broken = SimpleNamespace(**{**vars(message), **wrong})
        with pytest.raises(ItemError):
            Item.of(broken)


TURNS = 6000  # two minutes


def entry(seq, north, east, alt, command=16, params=(0.0, 0.0, 0.0, math.nan)):
    lat, lon, _ = pymap3d.ned2geodetic(north, east, 0.0, 36.8, -121.9, 0.0)
    return Item(seq, 6, command, params, round(lat * 1e7), round(lon * 1e7), alt)


def square():
    return (
        entry(0, 0, 0, 0),
        entry(1, 3, 0, -6),
        entry(2, 3, 3, -7, params=(2.0, 0.3, 0.0, 0.0)),
        entry(3, 0, 3, -5),
    )


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


def position(deck):
    return deck.flight.sim.plant.position_n.copy()


def test_without_a_mission_there_is_no_auto(deck):
    assert deck.link.plan.state(deck.flight) == NONE
    with pytest.raises(CommandError, match="no mission"):
        deck.link.modes.enter(deck.flight, AUTO)
    deck.link.plan.put((entry(0, 0, 0, 0),))  # home alone
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
        passed.setdefault(plan.current(), []).append(position(deck))
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
    assert np.linalg.norm(position(deck) - (0, 3, 5)) < 0.2  # m: settled by then


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
        entry(0, 0, 0, 0), entry(1, 3, 0, -6), entry(2, 0, 0, 0, 178, (1.0, 0.3, 0.0, 0.0)), entry(3, 5, 0, -7),
        entry(4, 0, 0, 0, 20), entry(5, 0, 0, 0, 21)._replace(x=0, y=0),
    ))  # fmt: skip
    legs, seqs = plan.legs(deck.link._limits(deck.flight))
    assert seqs == [1, 3, 4, 5]
    cruise = deck.flight.helm.schedule.cruise
    assert [leg["speed_m_s"] for leg in legs] == pytest.approx([cruise, 0.3, 0.3, 0.3], abs=0.01)
    assert [leg.get("depth_m") for leg in legs] == [6.0, 7.0, 7.0, None]
    assert plan.legs(deck.link._limits(deck.flight), 4)[1] == [4, 5]


def test_an_impossible_route_is_refused_and_the_mode_stays(deck):
    deck.link.plan.put((entry(0, 0, 0, 0), entry(1, 3, 0, -9000)))
    with pytest.raises(CommandError):
        deck.link.modes.enter(deck.flight, AUTO)
    assert deck.mode == STABILIZE
    assert deck.command(300) == 2  # denied
    assert deck.mode == STABILIZE


@pytest.mark.slow
def test_an_auv_passes_its_points():
    with Deck("remus100", start={"depth_m": 4.0}) as deck:
        plan = deck.link.plan
        plan.put((entry(0, 0, 0, 0), entry(1, 60, 0, -5), entry(2, 60, 60, -5)))
        assert deck.command(300) == 0 and deck.mode == AUTO
        nearest = {1: math.inf, 2: math.inf}

        def sample():
            for seq, there in ((1, (60, 0)), (2, (60, 60))):
                nearest[seq] = min(nearest[seq], float(np.linalg.norm(position(deck)[:2] - there)))
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
