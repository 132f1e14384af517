"""Untuned vehicles fly acceptably: every one of the library that can, a new torpedo, and changed ones.

Criteria, of a step of 3 m (or a length) in depth, 60 degrees in heading, and a tenth of the top speed in speed:

- overshoot at most 10 % of the step;
- steady error at the end at most 3 % of the step;
- settled to 5 % of the step within the time that the pace of the vehicle allows: three times the way at the pace it
  is asked to take, and ten times 1 / w of its loop. A loop that hunts or creeps does not make that.
"""

import math

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import CommandError
from pelagos.files.writer import to_toml
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.derive.torpedo import torpedo
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.world.spec import World

GLIDERS = ("slocum", "seawing")
NAMES = [entry.key for entry in list_vehicles() if entry.key not in GLIDERS]
LONGER = """extends = "remus100"
geometry.length_m = 1.7
body.mass_kg = 36.0
body.neutral = true
"""
CHANGED = {
    "torpedo by formula": lambda: loads(to_toml(torpedo(1.6, 0.095, 40.0)), "fresh.toml"),
    "heavier ROV": lambda: loads('extends = "bluerov2_heavy"\n[body]\nmass_kg = 18.0\nneutral = true\n', "heavy.toml"),
    "longer REMUS": lambda: loads(LONGER, "long.toml"),
}  # fmt: skip


def settled(t, error, band):
    out = np.flatnonzero(np.abs(error) > band)
    return 0.0 if out.size == 0 else math.inf if out[-1] == t.size - 1 else float(t[out[-1] + 1])


def judge(quantity, log, values, start, goal, allowed_s):
    step = goal - start
    progress = (np.asarray(values) - start) / step
    t = np.asarray(log["time_s"]) - log["time_s"][0]
    assert progress.max() < 1.10, f"{quantity}: overshoot {100 * (progress.max() - 1):.0f} %"
    assert abs(progress[-1] - 1.0) < 0.03, f"{quantity}: {100 * (progress[-1] - 1):+.1f} % off at the end"
    took = settled(t, progress - 1.0, 0.05)
    assert took < allowed_s, f"{quantity}: settled after {took:.0f} s, allowed {allowed_s:.0f} s"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, *CHANGED])
def test_flies_acceptably_without_tuning(name):
    vehicle = CHANGED[name]() if name in CHANGED else load_vehicle(name)
    sim = Simulation(vehicle)
    pilot = Autopilot(vehicle, sim.water)
    s = pilot.schedule
    hovers = s.heave.works
    way = 0.0 if hovers else s.cruise
    deep = 5.0 + vehicle.length_m
    sim.place(depth_m=deep, surge_m_s=way)
    sim.control(pilot)
    can = {q: pilot.can(q) for q in ("depth_m", "heading_deg", "speed_m_s")}
    assert can["depth_m"] or can["heading_deg"]
    held = {"depth_m": deep, "heading_deg": 0.0}
    pilot.command(**{q: value for q, value in held.items() if can[q]})
    if can["speed_m_s"] and not hovers:
        pilot.command(speed_m_s=way)
    sim.run(10.0)
    stage = s.stage(way)
    goal = deep + max(3.0, vehicle.length_m)
    seconds = 30.0
    if can["depth_m"]:
        if hovers:
            pace, w = s.heave.error_limit / s.heave.approach_s, s.heave.frequency
        else:
            pace, w = way * math.sin(stage.pitch_limit), stage.dive.frequency
        depth_s = 3.0 * (goal - deep) / pace + 10.0 / w
        seconds = max(seconds, 1.2 * depth_s)
        pilot.command(depth_m=goal)
    if can["heading_deg"]:
        turn_s = 3.0 * math.radians(60.0) / (stage.yaw.error_limit / stage.yaw.approach_s) + 10.0 / stage.yaw.frequency
        seconds = max(seconds, 1.2 * turn_s)
        pilot.command(heading_deg=60.0)
    log = sim.run(min(seconds, 240.0))
    if can["depth_m"]:
        judge("depth", log, log["depth_m"], deep, goal, depth_s)
    if can["heading_deg"]:
        heading = (np.asarray(log["heading_deg"]) + 180.0) % 360.0 - 180.0
        judge("heading", log, heading, 0.0, 60.0, turn_s)
    if can["speed_m_s"]:
        now = float(log["surge_m_s"][-1])
        faster = now + 0.1 * s.top_speed
        pilot.command(speed_m_s=faster)
        speed_s = 10.0 / s.surge.frequency + 10.0
        log = sim.run(1.5 * speed_s)
        judge("speed", log, log["surge_m_s"], now, faster, speed_s)


def test_a_hull_that_would_nose_over_gets_no_such_speed():
    pilot = Autopilot(load_vehicle("bluerov2"))
    with pytest.raises(CommandError, match=r"the oncoming water turns it over; expected a speed_m_s of at most 0\.498"):
        pilot.command(depth_m=5.0, speed_m_s=1.0)


@pytest.mark.slow
def test_altitude_is_held_over_a_slope_by_thrusters_and_by_planes():
    for name, speed in (("bluerov2_heavy", 0.4), ("lauv", 1.4)):
        vehicle = load_vehicle(name)
        sim = Simulation(vehicle, World(depth_m=30.0))
        pilot = Autopilot(vehicle, sim.water)
        rng = np.random.default_rng(1)
        sim.place(depth_m=20.0, surge_m_s=speed)
        pilot.command(altitude_m=6.0, heading_deg=0.0, speed_m_s=speed)
        heights = []
        for k in range(1500):
            state = sim.state()
            north, _, depth = state.pos_n
            height = 30.0 - 0.05 * north - depth  # a bottom that rises one in twenty
            echo = math.nan if k % 50 < 15 else height + 0.05 * rng.standard_normal()
            noisy = type(state)(
                state.time_s, state.pos_n, state.roll, state.pitch, state.yaw, state.nu, state.nu_r, echo
            )
            sim.control(_Fixed(pilot.update(noisy, 0.1)))
            sim.tick()
            heights.append(height)
        late = np.array(heights[900:])
        # 1.5 s without an echo at 0.07 m/s of slope is 0.1 m; noise of 5 cm is filtered to 1 cm
        assert np.abs(late - 6.0).max() < 0.35, name
        assert abs(late.mean() - 6.0) < 0.12, name


class _Fixed:
    """A controller that has decided already."""

    def __init__(self, command):
        self.command = command

    def reset(self):
        pass

    def update(self, state, dt):
        return self.command


@pytest.mark.slow
def test_station_is_kept_on_a_tether_in_a_current():
    vehicle = load_vehicle("bluerov2_heavy")
    sim = Simulation(vehicle, World(depth_m=60.0, current_m_s=0.4, current_to_deg=60.0), tether=True)
    sim.place(depth_m=5.0)
    pilot = Autopilot(vehicle, sim.water)
    pilot.command(north_m=3.0, east_m=-2.0, depth_m=6.0, heading_deg=20.0)
    sim.control(pilot)
    sim.run(40.0)
    pilot.command(heading_deg=200.0)  # what was learnt of the pull must hold the other way round
    log = sim.run(30.0)
    away = np.hypot(np.asarray(log["north_m"]) - 3.0, np.asarray(log["east_m"]) + 2.0)
    assert away.max() < 0.25 and away[-1] < 0.05
    assert log["depth_m"][-1] == pytest.approx(6.0, abs=0.05)
