"""Missions: legs in order, through any helm."""

import math
from typing import Any

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import CommandError
from pelagos.guidance import GUIDE_COLUMNS, Hold, Lawnmower, Mission, Steady, Waypoints
from pelagos.messages import Actuation, Setpoint
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from tests.guidance.kinematic import vehicle_state


class Paper:
    """A helm that records its commands."""

    def __init__(self) -> None:
        self.setpoint = Setpoint()
        self.commands: list[Setpoint] = []

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Any:
        assert setpoint is not None and not changes
        self.setpoint = setpoint
        self.commands.append(setpoint)

    def reset(self) -> None:
        self.commands.clear()

    def update(self, truth, dt) -> Actuation:
        return Actuation()


def run(mission, places, dt=1.0):
    for k, place in enumerate(places):
        mission.update(vehicle_state(*place, time_s=k * dt), dt)


def test_legs_follow_each_other_within_a_tick():
    mission = Mission(Paper(), [Steady(seconds_s=2.0, depth_m=3.0), Steady(seconds_s=2.0, heading_deg=90.0)])
    run(mission, [(0.0, 0.0, 0.0)] * 6)
    assert [(s.depth_m, s.heading_deg) for s in mission.controller.commands] == [
        (3.0, None),
        (3.0, 90.0),
    ]  # what is not named stays
    assert mission.done and mission.leg is None
    assert [(e.time_s, e.kind) for e in mission.events] == [(0.0, "leg"), (2.0, "leg"), (4.0, "mission_done")]


def test_a_leg_ends_at_its_timeout():
    mission = Mission(Paper(), [Waypoints(points_m=((1e4, 0.0),), timeout_s=3.0, name="out")])
    run(mission, [(0.0, 0.0, 0.0)] * 5)
    assert mission.done
    assert [(e.time_s, e.kind) for e in mission.events][1:] == [(3.0, "timeout"), (3.0, "mission_done")]
    assert "out" in mission.events[1].text


def test_what_guides_report_becomes_events():
    mission = Mission(Paper(), [Waypoints(points_m=((10.0, 0.0), (20.0, 0.0)), acceptance_m=2.0)])
    run(mission, [(north, 0.0, 0.0) for north in (0.0, 5.0, 8.5, 12.0, 19.0)])
    waypoints = [(e.time_s, e.kind, e.text) for e in mission.events if e.kind == "waypoint"]
    assert [(t, k) for t, k, _ in waypoints] == [(2.0, "waypoint"), (4.0, "waypoint")]
    assert "point 1 of 2 reached, 1.5 m off" in waypoints[0][2]


def test_altitude_depth_place_and_attitude_put_each_other_out():
    legs = [
        Hold(north_m=1.0, east_m=2.0, seconds_s=1.0, depth_m=4.0),
        Steady(seconds_s=1.0, altitude_m=3.0, pitch_deg=10.0),
        Steady(seconds_s=1.0, speed_m_s=1.0),
        Steady(seconds_s=1.0, depth_m=2.0),
    ]
    mission = Mission(Paper(), legs)
    run(mission, [(1.0, 2.0, 4.0)] * 4)
    first, second, third, fourth = mission.controller.commands
    assert (first.north_m, first.east_m, first.depth_m) == (1.0, 2.0, 4.0)
    assert (second.north_m, second.depth_m, second.altitude_m, second.pitch_deg) == (1.0, None, 3.0, 10.0)
    assert (third.north_m, third.altitude_m, third.pitch_deg) == (None, 3.0, None)  # a course is no place
    assert (fourth.depth_m, fourth.altitude_m, fourth.speed_m_s) == (2.0, None, 1.0)
    for setpoint in mission.controller.commands:
        assert Setpoint(**vars(setpoint)) == setpoint  # sound, though it was not checked


def test_the_log_gets_what_the_guide_knows():
    mission = Mission(Paper(), [Steady(seconds_s=1.0), Waypoints(points_m=((10.0, 0.0),))])
    assert mission.columns == GUIDE_COLUMNS
    run(mission, [(0.0, 0.0, 0.0)])
    assert np.isnan(mission.values()[1:]).all() and mission.values()[0] == 0.0
    mission.update(vehicle_state(0.0, 0.0, time_s=1.0), 1.0)
    mission.update(vehicle_state(4.0, 0.5, time_s=2.0), 1.0)
    assert mission.values() == pytest.approx([1.0, 0.0, 0.5, 4.0, 10.0, 0.0])


@pytest.mark.parametrize(
    ("key", "message"),
    [("cross_trak_m", 'did you mean "cross_track_m"'), ("leg", "expected any of target, cross_track_m, along_track_m")],
)
def test_what_the_log_has_no_column_for_is_refused(key, message):
    class Talking(Steady):
        def make(self, state):
            guide = super().make(state)
            guide.values = lambda: {key: 1.0}
            return guide

    mission = Mission(Paper(), [Talking(seconds_s=5.0, name="own")])
    run(mission, [(0.0, 0.0, 0.0)])
    with pytest.raises(CommandError, match=rf"leg 0, own: values\(\) has '{key}'; .*{message}"):
        mission.values()


def test_reset_starts_again():
    mission = Mission(Paper(), [Steady(seconds_s=1.0, depth_m=3.0)])
    run(mission, [(0.0, 0.0, 0.0)] * 3)
    mission.reset()
    assert not mission.done and mission.events == [] and math.isnan(mission.values()[1])
    assert Mission(Paper(), []).done


def test_a_users_guide_needs_no_events():
    class Level:
        def update(self, state, dt):
            return Setpoint(depth_m=5.0) if state.time_s < 2.0 else None

        def values(self):
            return {}

    class Own(Steady):
        def make(self, state):
            return Level()

    mission = Mission(Paper(), [Own(seconds_s=1.0)])
    run(mission, [(0.0, 0.0, 0.0)] * 3)
    assert mission.done and mission.controller.commands[0].depth_m == 5.0


@pytest.mark.slow
def test_remus_mows_a_field_in_a_current():
    """Four lines of 100 m, 20 m apart, 0.25 m/s across: the drift learnt on one line serves the next."""
    from pelagos.world.spec import World

    sim = Simulation(load_vehicle("remus100"), World(depth_m=40.0, current_m_s=0.25, current_to_deg=90.0))
    sim.place(depth_m=5.0, north_m=-40.0, surge_m_s=1.5)
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=100.0, width_m=60.0, spacing_m=20.0, overrun_m=30.0, speed_m_s=1.5,
                    depth_m=5.0)  # fmt: skip
    mission = Mission(Autopilot(sim.vehicle, sim.water), [leg])
    sim.control(mission)
    off = []
    for _ in range(9000):
        sim.tick()
        if mission.done:
            break
        _, target, cross, along, *_ = mission.values()
        if target % 2 == 1 and 70.0 < along < 130.0:  # on a line, over the area's last 60 m
            off.append(cross)
    assert mission.done
    assert len(off) > 4 * 35 * 10  # four lines of 60 m at less than 1.7 m/s, 10 Hz
    # half of what plain line of sight leaves, Delta tan(asin(0.25 / 1.5)) = 2.0 m, and a twentieth of the spacing
    assert np.abs(off).max() < 1.0
