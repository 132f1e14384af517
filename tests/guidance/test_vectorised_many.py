"""Missions of many against as many scalar missions, flown: same demands, same log, same events."""

import numpy as np
import pytest

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import CommandError
from pelagos.guidance import FollowPath, Goto, Hold, Lawnmower, Mission, Steady, Trackline, Waypoints
from pelagos.guidance.vectorised import VectorMission
from pelagos.sim.simulation import Simulation
from tests.control.many_flights import DT, difference, move, truths_of, vehicle

SAME = (
    1e-9  # see tests/control/vectorised/test_autopilot_many.py; laws of guidance are the same functions and add nothing
)


class Flown:
    """n scalar missions that fly, and the many beside them."""

    def __init__(self, key, missions, start, **held):
        self.sims = [Simulation(vehicle(key)) for _ in missions]
        self.many = VectorMission(VectorAutopilot(vehicle(key), len(missions)), [()] * len(missions))
        pilot = self.many.helm
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
                assert self.many.helm.setpoint(i) == mission.setpoint
                move(sim, alone)
        return worst

    def same_story(self):
        for i, mission in enumerate(self.scalar):
            assert self.many.events(i) == mission.events
            assert (self.many.done[i], self.many.index[i]) == (mission.done, mission.index)


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


def test_a_refusal_is_one_vehicles_own_if_the_others_shall_go_on():
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
    with pytest.raises(CommandError, match="legs of 2 vehicles were given; expected 3"):
        VectorMission(VectorAutopilot(vehicle("remus100"), 3), [[Steady(seconds_s=1)]] * 2)
