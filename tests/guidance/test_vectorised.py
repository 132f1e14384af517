"""Vectorised missions: the compiled tick, and n missions against as many scalar ones."""

import math

import numpy as np
import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import CommandError
from pelagos.guidance import Circle, FollowPath, Goto, Hold, Lawnmower, Mission, Steady, Trackline, Waypoints
from pelagos.guidance.vectorised import (
    CONSTANT,
    COURSE,
    GUIDE,
    HEADING,
    NOTHING,
    SCALAR,
    STAY,
    VectorMission,
    follow,
    guide_all,
    keep,
    load,
    store,
)  # fmt: skip
from pelagos.messages import Setpoint, VehicleState
from pelagos.sim.simulation import Simulation
from tests.control.many_flights import DT, difference, move, truths_of, vehicle


class Helm:
    setpoint = Setpoint(depth_m=3.0)

    def command(self, setpoint):
        self.setpoint = setpoint

    def reset(self):
        pass

    def update(self, truth, dt):
        pass


def vehicle_state(time_s=0.0, north=0.0, east=0.0, yaw=0.0, u=1.5):
    nu = np.array([u, 0.1, 0.05, 0.0, 0.0, 0.0])
    return VehicleState(time_s, np.array([north, east, 3.0]), 0.0, 0.02, yaw, nu, nu)


def loaded(*legs, at=None):
    mission = Mission(Helm(), legs)
    mission.update(at or vehicle_state(), 0.1)
    record = np.zeros(1, GUIDE).view(np.recarray)[0]
    load(record, mission)
    return mission, record


@pytest.mark.parametrize("law", ["los", "alos", "ilos", "cross_track"])
def test_every_law_steers_as_the_guide_does(law):
    mission, g = loaded(Trackline(from_m=(0, 0), to_m=(200, 60), law=law, rate_s=2.0, lookahead_m=9.0))
    held = np.full(8, math.nan)
    rng = np.random.default_rng(1)
    for k in range(40):
        state = vehicle_state(0.1 * k, 3.0 + 0.15 * k, rng.normal(0.0, 6.0), rng.normal())
        mission.update(state, 0.1)
        assert follow(g, held, state.pos_n, state.pitch, state.yaw, state.nu, 1.5, 0.1)
        assert held[HEADING] == mission.setpoint.heading_deg  # one text: the same bits
        assert (g.crab, g.cross_m) == (mission._guide.steering.crab, mission._guide.cross_m)
    assert (g.crab != 0.0) == (law != "los")
    assert not follow(g, held, np.array([199.0, 60.0, 3.0]), 0.0, 0.0, np.zeros(6), 1.5, 0.1)  # the end is near


def test_what_has_been_learnt_goes_back_to_the_guide():
    mission, g = loaded(Trackline(from_m=(0, 0), to_m=(200, 0)))
    g.crab, g.unsettled, g.along_m, g.cross_m = 0.2, 0.5, 12.0, -3.0
    store(g, mission)
    course = mission._guide
    assert (course.steering.crab, course.steering.unsettled) == (0.2, 0.5)
    assert (course.along_m, course.cross_m) == (12.0, -3.0)


def test_the_compiled_tick_keeps_a_place_until_an_event():
    leg = Goto(north_m=5.0, east_m=0.0, heading_deg=10.0, tolerance_m=0.5, tolerance_deg=5.0, settle_s=1.0)
    mission, g = loaded(leg)
    assert keep(g, 1.0, np.array([1.0, 0.0, 3.0]), 0.0) and g.along_m == -4.0
    near = np.array([4.8, 0.0, 3.0])
    assert keep(g, 2.0, near, 0.0)  # near, but not at the heading
    assert not keep(g, 3.0, near, math.radians(8.0))  # arrived: an event, which the guide reports
    mission.update(vehicle_state(3.0, 4.8, 0.0, math.radians(8.0)), 0.1)
    load(g, mission)
    assert keep(g, 3.9, near, math.radians(8.0)) and not keep(g, 4.0, near, math.radians(8.0))  # settled
    assert keep(g, 3.95, np.array([1.0, 0.0, 3.0]), 0.0) and math.isnan(g.near_since_s)
    _, g = loaded(Hold(seconds_s=2.0))
    g.near_since_s = 0.0
    assert keep(g, 1.9, np.zeros(3), 0.0) and not keep(g, 2.0, np.zeros(3), 0.0)


def test_each_built_in_leg_has_its_record_and_others_call_their_guide():
    assert loaded(Trackline(from_m=(0, 0), to_m=(50, 0)))[1].kind == COURSE
    assert loaded(Hold())[1].kind == STAY
    assert loaded(Goto(north_m=9.0, east_m=0.0, face=True))[1].kind == SCALAR
    assert loaded(Trackline(from_m=(0, 0), to_m=(50, 0), ground_speed_m_s=1.0))[1].kind == SCALAR
    assert loaded(Circle(center_m=(0, 0), radius_m=20.0, turns=1.0))[1].kind == SCALAR
    mission, g = loaded(Steady(seconds_s=2.0))
    assert (g.kind, g.until_s) == (CONSTANT, 2.0)
    mission.update(vehicle_state(2.0), 0.1)
    load(g, mission)
    assert g.kind == NOTHING and mission.done


def test_a_timeout_of_some_does_not_affect_others():
    guides = np.zeros(4, GUIDE)
    guides["kind"] = CONSTANT, CONSTANT, NOTHING, SCALAR
    guides["until_s"], guides["since_s"] = (5.0, 2.0, 0.0, 0.0), 0.0
    guides["timeout_s"] = (1.0, 9.0, 9.0, 9.0)
    rare, n = np.zeros(4, bool), 4
    motion = (np.full(n, 1.96), np.zeros((n, 3)), np.zeros(n), np.zeros(n), np.zeros((n, 6)), np.zeros((n, 6)))
    # the first has run out of time, the second is over (half a tick early counts), the fourth always calls its guide
    assert guide_all(guides, np.zeros((n, 8)), *motion, 0.1, rare) == 3
    assert rare.tolist() == [True, True, False, True]


SAME = (
    1e-9  # see tests/control/vectorised/test_autopilot_many.py; laws of guidance are the same functions and add nothing
)


class Flown:
    """n scalar missions that fly, and the many beside them."""

    def __init__(self, key, missions, start, **held):
        self.sims = [Simulation(vehicle(key)) for _ in missions]
        self.many = VectorMission(VectorAutopilot(vehicle(key), len(missions)), [()] * len(missions))
        pilot = self.many.controller
        pilot.command(**held)
        self.many = VectorMission(pilot, missions)
        self.scalar = []
        for sim, legs in zip(self.sims, missions, strict=True):
            sim.place(**start)
            helm = Autopilot(vehicle(key))
            helm.schedule._stages = pilot.schedule._stages
            helm.command(None, **held)
            self.scalar.append(Mission(helm, legs))
        self.rare = 0

    def fly(self, ticks):
        worst = 0.0
        for _ in range(ticks):
            state = [sim.state() for sim in self.sims]
            together = self.many.update(truths_of(state), DT)
            self.rare += int(self.many._rare.sum())
            logged = self.many.values()
            for i, (sim, mission) in enumerate(zip(self.sims, self.scalar, strict=True)):
                alone = mission.update(state[i], DT)
                worst = max(worst, difference(alone, together, i))
                assert logged[i] == pytest.approx(mission.values(), rel=1e-12, abs=1e-12, nan_ok=True)
                assert self.many.controller.setpoint(i) == mission.setpoint
                move(sim, alone)
        return worst

    def same_story(self):
        for i, mission in enumerate(self.scalar):
            assert self.many.events(i) == mission.events
            assert (self.many.done[i], self.many.index[i]) == (mission.done, mission.index)


@pytest.mark.slow
def test_lines_are_flown_to_their_ends():
    flown = Flown(
        "remus100",
        [
            [
                Trackline(from_m=(0, 0), to_m=(25, 8), speed_m_s=1.5),
                Waypoints(points_m=((40, 12, 4), (40, 60, 6)), ramp=True),
            ],
            [Lawnmower(corner_m=(5, 5), length_m=20, width_m=20, spacing_m=10, law="ilos", depth_m=2.0)],
            [Waypoints(points_m=((20, 0, 4), (20, 20, 6)), law="cross_track", rate_s=1.0), Steady(seconds_s=5)],
            [
                Steady(seconds_s=6, heading_deg=20, speed_m_s=1.2),
                Trackline(from_m=(0, 0), to_m=(90, 30), ground_speed_m_s=1.5, law="los", timeout_s=9),
            ],
        ],
        {"depth_m": 3.0, "surge_m_s": 1.0},
        depth_m=3.0,
    )  # fmt: skip
    assert flown.fly(500) < SAME
    flown.same_story()
    assert flown.many.done[2] and flown.many.done[3]
    assert flown.rare < 140  # of 2000: points, beginnings and ends, and the 9 s at a speed over ground


def test_places_are_kept_and_followed():
    flown = Flown(
        "bluerov2_heavy",
        [
            [Hold(seconds_s=4), Goto(north_m=1.0, east_m=0.3, depth_m=3.5)],
            [Goto(north_m=1.5, east_m=1.0, face=True), Hold(heading_deg=50.0, seconds_s=5)],
            [FollowPath(points_m=((0, 0, 3), (2, 0, 4), (2, 2, 4)), speed_m_s=0.3)],
        ],
        {"depth_m": 3.0, "surge_m_s": 0.1},
        depth_m=3.0,
    )
    assert flown.fly(200) < SAME
    flown.same_story()
    assert flown.many.index[0] == 1 and flown.many.index[1] >= 0


def test_a_refusal_stops_one_vehicle_if_the_others_continue():
    pilot = VectorAutopilot(vehicle("remus100"), 2)
    pilot.command(depth_m=3.0)
    legs = [[Steady(seconds_s=1), Steady(seconds_s=1, pitch_deg=3.0)], [Steady(seconds_s=9)]]
    sim = Simulation(vehicle("remus100"))
    sim.place(depth_m=3.0, surge_m_s=1.0)
    strict, lenient = VectorMission(pilot, legs), None
    with pytest.raises(CommandError, match="pitch and depth at once"):
        for _ in range(15):
            strict.update(truths_of([sim.state()] * 2), DT)
            sim._ticks += 1
    sim._ticks = 0
    lenient = VectorMission(pilot, legs, keep_going=True)
    lenient.reset()
    for _ in range(15):
        lenient.update(truths_of([sim.state()] * 2), DT)
        sim._ticks += 1
    assert list(lenient.refused) == [0] and lenient.index.tolist() == [1, 0]


def test_a_reset_of_some_begins_their_missions_anew():
    pilot = VectorAutopilot(vehicle("remus100"), 3)
    pilot.command(depth_m=[1.0, 2.0, 3.0])
    mission = VectorMission(pilot, [Steady(seconds_s=0.2, depth_m=9.0)])
    sim = Simulation(vehicle("remus100"))
    for _ in range(4):
        mission.update(truths_of([sim.state()] * 3), DT)
        sim._ticks += 1
    assert mission.done.all() and (pilot.held[:, 0] == 9.0).all()
    mission.reset(np.array([False, True, False]))
    assert mission.done.tolist() == [True, False, True]
    assert pilot.held[:, 0].tolist() == [9.0, 2.0, 9.0]
    assert mission.values()[:, 0].tolist() == [1.0, 0.0, 1.0] and mission.events(1) == []


def test_legs_of_another_number_of_vehicles_are_refused():
    with pytest.raises(CommandError, match="number of vehicles with legs is 2; expected 3"):
        VectorMission(VectorAutopilot(vehicle("remus100"), 3), [[Steady(seconds_s=1)]] * 2)


@pytest.mark.slow
def test_setpoints_and_skips_within_legs_act_as_on_scalar_missions():
    """On a line, at a place, in a steady leg, before the first leg, and after the last."""
    line, steady = Trackline(from_m=(0, 0), to_m=(300, 0), speed_m_s=1.5), Steady(heading_deg=30.0, seconds_s=40.0)
    missions = [[line, steady], [steady, line], [Steady(seconds_s=1.0)], [steady, steady]]
    flown = Flown("remus100", missions, {"depth_m": 5.0, "surge_m_s": 1.4}, depth_m=5.0, heading_deg=0.0, speed_m_s=1.5)

    def command(i, **changes):
        scalar = flown.scalar[i]
        scalar.controller.command(None, **changes)
        flown.many.command(i, scalar.setpoint)

    def skip(i):
        state = [sim.state() for sim in flown.sims]
        flown.scalar[i].skip(state[i])
        flown.many.skip(i, truths_of(state))
        assert flown.many.values()[i] == pytest.approx(flown.scalar[i].values(), nan_ok=True)

    skip(3)
    worst = flown.fly(30)
    for i in range(4):
        command(i, depth_m=7.0 + i, heading_deg=80.0)
    worst = max(worst, flown.fly(30))
    skip(0)
    skip(1)
    skip(3)
    worst = max(worst, flown.fly(30))
    flown.same_story()
    assert worst < SAME and flown.many.done.tolist() == [False, False, True, True]
    assert flown.many.controller.setpoint(2).heading_deg == 80.0  # no leg commands another
    assert flown.rare < 20  # the compiled tick takes over again
