"""Vehicle and tether where it is hard: calm water, the end of a slack cable, short and stiff ones, drums, breaking."""

from __future__ import annotations

import numpy as np
import pytest

import pelagos
from pelagos.tether.spec import Cable, Status, Tether
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body
from pelagos.vehicle.towed import MOST_STEPS, PHASE
from pelagos.world.spec import World
from tests.engine.probe import RHO, G, ball
from tests.vehicle.test_towed import down

CALM = World(surface=False)


def count(log, status: Status) -> int:
    return sum(bool(int(s) & status) for s in log["tether_status"])


@pytest.mark.parametrize("step_s", [0.02, 0.005])
@pytest.mark.parametrize(
    ("key", "length", "speed", "force"), [("seagrant1", 30.0, 2.0, 500.0), ("bluerov2_heavy", 20.0, 2.0, 60.0)]
)
def test_a_slack_cable_in_calm_water_brings_the_vehicle_up(key, length, speed, force, step_s):
    """Neutral cable, still water, the vehicle runs on at speed under thrust until nothing is slack any more.

    The stretch that takes up its energy is v sqrt(m/(EA L)) of the length, below 1.5 % for both; drag only lessens it.
    """
    rigged = Tether(length_m=length, step_s=step_s, ship_north_m=0.0, ship_east_m=0.0, ship_depth_m=20.0)
    sim = pelagos.Simulation(key, CALM, control_rate_hz=50.0, tether=rigged)
    sim.place(north_m=0.6 * length, depth_m=20.0, surge_m_s=speed)
    sim.external((force, 0.0, 0.0, 0.0, 0.0, 0.0))
    log = sim.run(0.8 * length / speed + 20.0)
    assert count(log, Status.NOT_CONVERGED) == 0
    assert (1.0 / log["tether_ratio"]).max() < 1.015
    assert log["tether_tension_N"][-1] == pytest.approx(force, rel=0.1)  # holds the thrust, in the end


@pytest.mark.parametrize("mode", ["dynamic", "static"])
@pytest.mark.parametrize("ship_depth_m", [-3.0, 0.0, 0.5])
def test_a_calm_sea_is_no_hard_case(mode, ship_depth_m):
    """Neutral cable, no current: nothing but the dry part weighs; every number stays one."""
    sim = pelagos.Simulation(
        "bluerov2_heavy", World(depth_m=200.0), tether=Tether(mode=mode, ship_depth_m=ship_depth_m)
    )
    sim.place(depth_m=20.0)
    sim.pilot(surge=0.3)
    log = sim.run(10.0)
    assert count(log, Status.NOT_CONVERGED) == 0
    assert np.isfinite(sim.tether.head["end_stiffness"]).all()
    assert log["tether_tension_N"].max() < 10.0
    dry = max(-ship_depth_m, 0.0) * sim.tether.cable.mass_in(1025.0) * G
    assert log["tether_ship_tension_N"][-1] == pytest.approx(dry, abs=1.0 if mode == "dynamic" else 0.35)


@pytest.mark.parametrize("integrator", ["rk4", "heun", "euler"])
@pytest.mark.parametrize("length", [1.0, 2.0, 5.0])
def test_an_umbilical_of_a_few_metres_holds_a_light_vehicle_still(integrator, length):
    """EA/L up to 1e7 N/m on 13 kg: the vehicle takes as many steps as that needs; the pull is the 100 N it holds."""
    rigged = Tether(cable="work_umbilical", length_m=length, shortest_m=0.5)
    sim = pelagos.Simulation("bluerov2_heavy", CALM, control_rate_hz=50.0, integrator=integrator, tether=rigged)
    sim.place(depth_m=length - 0.01)
    sim.external(down(100.0))
    log = sim.run(15.0)
    late = log["tether_tension_N"][log["time_s"] > 10.0]
    assert late.mean() == pytest.approx(100.0, rel=0.05)
    assert late.std() < 0.5


def test_the_lightest_thing_a_fairlead_moves():
    """A ball of 100 kg (150 with its added mass), I = 5 kg m^2 about y, tied 2 m out: across it a force meets
    1/(1/m + r^2/I), less than the mass by far."""
    plant = Plant(ball(body=Body(100.0, 100.0 / RHO, (0, 0, 0), (0, 0, 0), np.diag([4.0, 5.0, 6.0]))))
    plant.tie((0.0, 0.0, 0.0))
    assert plant.lightest_at_fairlead == pytest.approx(150.0)
    plant.tie((2.0, 0.0, 0.0))
    assert plant.lightest_at_fairlead == pytest.approx(1.0 / (1.0 / 150.0 + 4.0 / 5.0))
    assert MOST_STEPS * min(PHASE.values()) > 500.0


@pytest.mark.parametrize("step_s", [0.02, 0.01, 0.005])
def test_whether_it_breaks_does_not_depend_on_the_step(step_s):
    """5 kg at 0.5 m/s into an EA of 1e7 over 2 m: the pull is v sqrt(k m) = 2.5 kN, whatever a step foresees."""
    light = Body(5.0, 5.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.5 * np.eye(3))
    cable = Cable(diameter_m=0.01, neutral=True, stiffness_N=1e7, breaking_load_N=20_000.0)
    rigged = Tether(
        cable=cable, length_m=2.0, step_s=step_s, parts=True, ship_north_m=0.0, ship_east_m=0.0, ship_depth_m=10.0
    )
    sim = pelagos.Simulation(ball(body=light, added_mass=np.zeros((6, 6))), CALM, control_rate_hz=50.0, tether=rigged)
    sim.place(north_m=1.9, depth_m=10.0, surge_m_s=0.5)
    log = sim.run(3.0)
    assert count(log, Status.PARTED) == 0
    assert np.abs(log["surge_m_s"]).max() < 0.55  # thrown back no faster than it came


def test_a_tension_winch_keeps_a_light_vehicle_in_hand():
    """Set to 20 N, full speed a tenth more: flown about in calm water the pull at the ship stays below 25 N."""
    sim = pelagos.Simulation(
        "bluerov2_heavy", World(depth_m=50.0), tether=Tether(payout="tension", tension_N=20.0, length_m=35.0)
    )
    sim.place(depth_m=10.0)
    most = 0.0
    for sticks in ({"surge": 1.0}, {"surge": -1.0, "yaw": 0.3}, {"sway": 1.0}):
        sim.pilot(**sticks)
        log = sim.run(15.0)
        most = max(most, log["tether_tension_N"].max(), log["tether_ship_tension_N"].max())
        assert count(log, Status.NOT_CONVERGED) == 0
    assert most < 25.0
    assert log["tether_ship_tension_N"][-1] == pytest.approx(20.0, rel=0.15)
