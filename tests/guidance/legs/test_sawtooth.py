"""Sawtooth legs: a glider by its ballast, and a REMUS by its planes."""

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import ScenarioError
from pelagos.guidance import BallastController, Mission, Sawtooth
from pelagos.sim.simulation import Simulation
from tests.guidance.kinematic import vehicle_state


def test_it_turns_a_little_before_each_depth():
    guide = Sawtooth(shallow_m=5.0, deep_m=30.0, yos=2, turn_within_m=2.0).make(vehicle_state())
    setpoints = [guide.update(vehicle_state(depth=z), 0.1) for z in (0.0, 27.9, 28.0, 20.0, 7.1, 7.0, 28.1, 6.9)]
    assert [setpoint and setpoint.depth_m for setpoint in setpoints] == [30.0, 30.0, 5.0, 5.0, 5.0, 30.0, 5.0, None]
    assert guide.values()["target"] == 2.0


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"shallow_m": 5.0, "deep_m": 4.0}, "deep_m = 4.0"),
        ({"shallow_m": -5.0, "deep_m": 40.0}, "shallow_m = -5.0"),
        ({"shallow_m": 5.0, "deep_m": 40.0, "depth_m": 3.0}, "give shallow_m and deep_m"),
    ],
)
def test_what_is_no_sawtooth_is_refused(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Sawtooth(**keys)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slocum", "seawing"])
def test_a_glider_flies_yos_without_a_propeller(name):
    sim = Simulation(name, control_rate_hz=2.0)
    sim.place(depth_m=10.0)
    mission = Mission(BallastController(sim.vehicle), [Sawtooth(shallow_m=10.0, deep_m=40.0, yos=2)])
    sim.control(mission)
    log = sim.run(1500)
    depth, north = np.asarray(log["depth_m"]), np.asarray(log["north_m"])
    assert mission.done
    turns = [event.time_s for event in mission.events if event.kind == "turn"]
    assert len(turns) == 4
    flown = np.asarray(log["time_s"]) <= turns[-1]
    # it goes on while the pump works: 300 cm3 at 20 cm3/s (10 in the Sea-Wing) and a sink of 0.2 m/s
    assert 39.0 <= depth[flown].max() < 48.0
    assert depth[flown][np.asarray(log["time_s"])[flown] > turns[0]].min() > 5.0
    assert np.hypot(north[flown][-1], np.asarray(log["east_m"])[flown][-1]) > 60.0  # four slopes no steeper than 63 deg


@pytest.mark.slow
def test_a_propelled_vehicle_flies_yos_too():
    sim = Simulation("remus100")
    sim.place(depth_m=4.0, surge_m_s=1.5)
    leg = Sawtooth(shallow_m=3.0, deep_m=10.0, yos=2, speed_m_s=1.5, heading_deg=0.0)
    mission = Mission(Autopilot(sim.vehicle, sim.water), [leg])
    sim.control(mission)
    log = sim.run(300)
    assert mission.done
    depth = np.asarray(log["depth_m"])
    assert 9.0 <= depth.max() < 11.0
