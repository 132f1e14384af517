"""The common tick of a leg against the guide itself, and what is left to it."""

import math

import numpy as np
import pytest

from pelagos.guidance import Circle, Goto, Hold, Mission, Steady, Trackline
from pelagos.guidance.vectorised import (
    CONSTANT,
    COURSE,
    GUIDE,
    HEADING,
    NOTHING,
    SCALAR,
    STAY,
    follow,
    guide_all,
    keep,
    load,
    store,
)  # fmt: skip
from pelagos.messages import Setpoint, VehicleState


class Helm:
    setpoint = Setpoint(depth_m=3.0)

    def command(self, setpoint):
        self.setpoint = setpoint

    def reset(self):
        pass

    def update(self, truth, dt):
        pass


def truth(time_s=0.0, north=0.0, east=0.0, yaw=0.0, u=1.5):
    nu = np.array([u, 0.1, 0.05, 0.0, 0.0, 0.0])
    return VehicleState(time_s, np.array([north, east, 3.0]), 0.0, 0.02, yaw, nu, nu)


def loaded(*legs, at=None):
    mission = Mission(Helm(), legs)
    mission.update(at or truth(), 0.1)
    record = np.zeros(1, GUIDE).view(np.recarray)[0]
    load(record, mission)
    return mission, record


@pytest.mark.parametrize("law", ["los", "alos", "ilos", "cross_track"])
def test_every_law_steers_as_the_guide_does(law):
    mission, g = loaded(Trackline(from_m=(0, 0), to_m=(200, 60), law=law, rate_s=2.0, lookahead_m=9.0))
    held = np.full(8, math.nan)
    rng = np.random.default_rng(1)
    for k in range(40):
        seen = truth(0.1 * k, 3.0 + 0.15 * k, rng.normal(0.0, 6.0), rng.normal())
        mission.update(seen, 0.1)
        assert follow(g, held, seen.pos_n, seen.pitch, seen.yaw, seen.nu, 1.5, 0.1)
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


def test_a_place_is_kept_until_something_is_to_be_told():
    leg = Goto(north_m=5.0, east_m=0.0, heading_deg=10.0, tolerance_m=0.5, tolerance_deg=5.0, settle_s=1.0)
    mission, g = loaded(leg)
    assert keep(g, 1.0, np.array([1.0, 0.0, 3.0]), 0.0) and g.along_m == -4.0
    near = np.array([4.8, 0.0, 3.0])
    assert keep(g, 2.0, near, 0.0)  # near, but not at the heading
    assert not keep(g, 3.0, near, math.radians(8.0))  # come: an event, for the guide to tell
    mission.update(truth(3.0, 4.8, 0.0, math.radians(8.0)), 0.1)
    load(g, mission)
    assert keep(g, 3.9, near, math.radians(8.0)) and not keep(g, 4.0, near, math.radians(8.0))  # settled
    assert keep(g, 3.95, np.array([1.0, 0.0, 3.0]), 0.0) and math.isnan(g.near_since_s)
    _, g = loaded(Hold(seconds_s=2.0))
    g.near_since_s = 0.0
    assert keep(g, 1.9, np.zeros(3), 0.0) and not keep(g, 2.0, np.zeros(3), 0.0)


def test_each_kind_of_leg_has_its_record_and_others_are_asked_themselves():
    assert loaded(Trackline(from_m=(0, 0), to_m=(50, 0)))[1].kind == COURSE
    assert loaded(Hold())[1].kind == STAY
    assert loaded(Goto(north_m=9.0, east_m=0.0, face=True))[1].kind == SCALAR
    assert loaded(Trackline(from_m=(0, 0), to_m=(50, 0), ground_speed_m_s=1.0))[1].kind == SCALAR
    assert loaded(Circle(center_m=(0, 0), radius_m=20.0, turns=1.0))[1].kind == SCALAR
    mission, g = loaded(Steady(seconds_s=2.0))
    assert (g.kind, g.until_s) == (CONSTANT, 2.0)
    mission.update(truth(2.0), 0.1)
    load(g, mission)
    assert g.kind == NOTHING and mission.done


def test_time_runs_out_for_some_and_others_are_left_alone():
    guides = np.zeros(4, GUIDE)
    guides["kind"] = CONSTANT, CONSTANT, NOTHING, SCALAR
    guides["until_s"], guides["since_s"] = (5.0, 2.0, 0.0, 0.0), 0.0
    guides["timeout_s"] = (1.0, 9.0, 9.0, 9.0)
    rare, n = np.zeros(4, bool), 4
    motion = (np.full(n, 1.96), np.zeros((n, 3)), np.zeros(n), np.zeros(n), np.zeros((n, 6)), np.zeros((n, 6)))
    # the first has run out of time, the second is over (half a tick early counts), the fourth is always asked
    assert guide_all(guides, np.zeros((n, 8)), *motion, 0.1, rare) == 3
    assert rare.tolist() == [True, True, False, True]
