"""A vehicle in a whole world: drift with currents, refused obstacles and starts, runs within their tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError, ScenarioError
from pelagos.vehicle.spec import Body
from pelagos.world.current.kinds import Series
from tests.engine.probe import RHO, ball, terms

# CG, CB and origin in one point: accelerating water turns nothing
BODY = Body(100.0, 100.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), np.diag([4.0, 5.0, 6.0]))
ADDED = np.diag([50.0, 120.0, 130.0, 1.0, 6.0, 7.0])
DRIFTER = ball(body=BODY, added_mass=ADDED, coefficients=terms({"X u |u|": -40.0, "Y v |v|": -90.0, "Z w": -30.0}))

STEADY = pelagos.Uniform(speed_m_s=0.7, to_deg=120.0, down_m_s=0.05)
TIDE = pelagos.Tidal(speed_m_s=0.8, to_deg=30.0, period_h=0.05, phase_deg=20.0, minor_m_s=0.2)
WANDER = pelagos.GaussMarkov(speed_m_s=0.4, to_deg=200.0, sigma_m_s=0.2, time_constant_s=20.0, seed=5)
GUSTS = pelagos.Turbulence(sigma_m_s=0.1, length_scale_m=5.0, mean_speed_m_s=0.5, seed=2, components=16)
MEASURED = Series(rows=((0.0, 0.1, 0.0, 0.0), (30.0, 0.5, 0.2, 0.0), (70.0, -0.2, 0.4, 0.0), (200.0, 0.0, 0.0, 0.0)))
# Straight between rows, its rate jumps by 0.031 m/s2 at 30 s: the step that ends there takes h/6 of the jump with it
KINK = 0.01 / 6.0 * 0.031 * 1.1


@pytest.mark.slow
@pytest.mark.parametrize("currents", [(STEADY,), (TIDE,), (WANDER,), (GUSTS,), (MEASURED,), (STEADY, TIDE, GUSTS)])
def test_a_neutral_drifter_follows_any_uniform_current_exactly(currents):
    """Released with the water, turned and rolled, it moves as the water moves: errata B15.

    What is left is the error of RK4 at 10 ms on the gusts, whose fastest component has a period of 0.2 s: below 3e-5.
    """
    world = pelagos.World(currents=currents)
    sim = pelagos.Simulation(DRIFTER, world, step_s=0.01)
    sim.place(depth_m=20.0, heading_deg=70.0, roll_deg=20.0)
    start = world.water_velocity([[0.0, 0.0, 20.0]], 0.0)[0]
    sim.plant.place(nu=[*(pelagos.frames.rotation_from_quaternion(sim.plant.quaternion).T @ start), 0, 0, 0])
    log = sim.run(60)
    times = np.arange(0.0, 60.0 + 1e-9, 0.1)
    flow = np.array([world.water_velocity([[0.0, 0.0, 20.0]], t)[0] for t in times])
    drift = np.stack([log["current_north_m_s"], log["current_east_m_s"], log["current_down_m_s"]], axis=1)
    np.testing.assert_allclose(drift, flow, atol=1e-12)
    fine = np.linspace(0.0, 60.0, 6001)
    fine_flow = pelagos.world.current.kinds.velocity_at(currents, np.tile([0.0, 0.0, 20.0], (6001, 1)), fine)
    way = np.trapezoid(fine_flow, fine, axis=0)
    # the trapezoid of the water's way is good to h^2 c''/12 * 60 s: 1e-5 m for the gusts, the fastest of these
    tolerance = 60.0 * KINK if MEASURED in currents else 3e-5
    assert log["north_m"][-1] == pytest.approx(way[0], abs=tolerance)
    assert log["east_m"][-1] == pytest.approx(way[1], abs=tolerance)
    nu = np.stack([log["surge_m_s"], log["sway_m_s"], log["heave_m_s"]], axis=1)
    R = pelagos.frames.rotation_from_quaternion(sim.plant.quaternion)
    np.testing.assert_allclose(nu @ R.T, flow, atol=KINK if MEASURED in currents else 3e-5)
    assert np.abs(log["roll_deg"] - 20.0).max() < 1e-3


def test_a_sheared_current_carries_a_vehicle_by_its_depth():
    """At rest in the layer it drifts with the layer's own velocity."""
    profile = pelagos.Profile(rows=((0.0, 1.0, 0.0), (50.0, 0.0, 0.0)))
    for depth, speed in ((10.0, 0.8), (40.0, 0.2)):
        sim = pelagos.Simulation(DRIFTER, pelagos.World(currents=(profile,)))
        sim.place(depth_m=depth, surge_m_s=speed)
        log = sim.run(30)
        assert log["north_m"][-1] == pytest.approx(30.0 * speed, rel=1e-9)


def test_random_currents_do_not_depend_on_how_long_the_run_is():
    """A run in pieces, drawn further and further, and a run in one go: the same bytes."""
    world = pelagos.World(currents=(WANDER,))
    ends = []
    for pieces in (1, 4):
        sim = pelagos.Simulation("remus100", world)
        sim.place(depth_m=10.0)
        for _ in range(pieces):
            sim.run(40 / pieces)
        ends.append(sim.plant.position_n.copy())
    np.testing.assert_array_equal(ends[0], ends[1])


COLUMN = pelagos.Structure(kind="cylinder", name="column", from_m=(4.0, 0.0, 0.0), to_m=(4.0, 0.0, 30.0), radius_m=0.5)


def test_a_vehicle_in_a_structure_is_refused():
    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0, structures=(COLUMN,)))
    sim.place(north_m=4.0, depth_m=5.0)
    with pytest.raises(CommandError, match="inside column; expected a place in open water"):
        sim.run(1)


def test_a_vehicle_in_the_seabed_is_refused():
    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(depth_m=3.0))
    sim.place(depth_m=5.0)
    with pytest.raises(CommandError, match="inside seabed"):
        sim.run(1)


def test_land_at_the_start_is_refused():
    slope = pelagos.Seabed(kind="slope", depth_m=2.0, slope_deg=10.0, down_to_deg=0.0)
    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(seabed=slope))
    sim.place(north_m=-50.0)
    with pytest.raises(ScenarioError, match="above the surface at the start"):
        sim.run(1)


def test_a_measured_current_must_cover_the_run():
    sim = pelagos.Simulation("remus100", pelagos.World(currents=(MEASURED,)))
    with pytest.raises(ScenarioError, match="200"):
        sim.run(300)


def test_the_log_says_what_was_touched():
    """Driven into the column at full surge it stops there, as log and summary report."""
    from pelagos.analysis.summary import summarise

    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0, structures=(COLUMN,)))
    sim.place(depth_m=5.0)
    sim.pilot(surge=1.0)
    log = sim.run(15)
    assert log["contact_with"][-1] == 0.0 and log["contact_N"][-1] > 5.0
    assert log["north_m"].max() < 4.0 - 0.5 - 0.46 / 2.0 + 0.01
    assert "touched column first at t =" in summarise(log)


def test_a_vehicle_moved_elsewhere_forgets_what_it_touched():
    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0, structures=(COLUMN,)))
    sim.place(depth_m=5.0, north_m=2.9)
    sim.pilot(surge=1.0)
    assert sim.run(5)["contact_N"][-1] > 0.0
    sim.place(north_m=-10.0)
    assert sim.run(1)["contact_N"][0] == 0.0


def test_a_vehicle_that_cannot_be_stopped_raises_an_error():
    """The DSRV's data hold surge: it would sail through the wall."""
    wall = pelagos.Structure(kind="plane", name="wall", point_m=(30.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0))
    sim = pelagos.Simulation("dsrv", pelagos.World(structures=(wall,)))
    sim.place(depth_m=50.0)
    with pytest.raises(
        CommandError, match=r"overlap_m at t = .* s is 0\.\d+; dsrv is inside wall, and its file holds surge"
    ):
        sim.run(30)


def test_a_restored_autopilot_flies_on_to_the_last_bit():
    """In gusts it designs gains for new speeds after the restore; they must be those of the run that went on."""
    world = pelagos.World(currents=(WANDER,))
    ends = []
    for again in (False, True):
        sim = pelagos.Simulation("remus100", world)
        sim.place(depth_m=10.0, surge_m_s=0.5)
        sim.command(depth_m=10.0, heading_deg=60.0, speed_m_s=1.5)
        sim.run(5)
        if again:
            saved, sim = sim.save(), pelagos.Simulation("remus100", world)
            sim.restore(saved)
        sim.run(25)
        ends.append(sim.plant.save()["state"])
    np.testing.assert_array_equal(ends[0], ends[1])


def test_the_water_of_a_world_floats_the_vehicle():
    """In the sea a hull displaces more weight than in the fresh water its numbers hold for."""
    rov = pelagos.load_vehicle("bluerov2_heavy")
    buoyancy = []
    for preset in ("fresh", "sea"):
        sim = pelagos.Simulation(rov, pelagos.World(water=pelagos.Water(preset=preset)))
        sim.place(depth_m=10.0)
        buoyancy.append(-sim.plant.forces()["restoring"][2])
    density = [pelagos.Water(preset=preset).density(10.0) for preset in ("fresh", "sea")]
    gained = float(density[1] - density[0]) * rov.body.volume_m3 * rov.water.gravity_m_s2
    assert buoyancy[1] - buoyancy[0] == pytest.approx(gained, rel=1e-6)


def test_setpoints_below_the_bottom_are_refused():
    sim = pelagos.Simulation("remus100", pelagos.World(seabed=pelagos.Seabed(kind="flat", depth_m=12.0)))
    with pytest.raises(CommandError, match="12 m deep"):
        sim.command(depth_m=15.0)
    assert math.isinf(float(pelagos.World().bottom_m(0.0, 0.0)))
