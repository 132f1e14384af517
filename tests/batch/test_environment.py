"""The water about each vehicle of a batch: currents in time and place, the bottom, held velocities."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from pelagos.batch.batch import Batch
from pelagos.batch.clock import BatchClock
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import Groups
from pelagos.errors import CommandError, ScenarioError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.current.kinds import GaussMarkov, Series
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from tests.batch.started import random_commands


def test_a_batch_moves_as_single_simulations():
    """In a current that changes with time and place, over a bottom: motion, flow and altitude of `Simulation`."""
    world = World(depth_m=60.0, current=lambda t: (0.2 * math.sin(t), 0.1, 0.0),
                  currents=(GaussMarkov(to_deg=0.0, sigma_m_s=0.1, time_constant_s=10.0),))  # fmt: skip
    headings = np.linspace(0.0, 300.0, 10)
    batch = Batch("lauv", 10, world)
    batch.place(depth_m=20.0, heading_deg=headings, surge_m_s=1.2)
    commands = random_commands(batch.vehicle, 10)
    batch.actuators.set(**commands)
    batch.advance(4.0)
    state = batch.view.states()
    for i in (0, 9):
        sim = Simulation("lauv", world)
        sim.place(depth_m=20.0, heading_deg=float(headings[i]), surge_m_s=1.2)
        sim.thrust(commands["thrusters"][i].tolist())
        sim.deflect(commands["surfaces"][i].tolist())
        sim.run(4.0)
        expected = sim.state()
        for name in ("pos_n", "nu", "nu_r"):
            np.testing.assert_allclose(getattr(state, name)[i], getattr(expected, name), atol=1e-12)
        angles = [state.roll[i], state.pitch[i], state.yaw[i]]
        np.testing.assert_allclose(angles, [expected.roll, expected.pitch, expected.yaw], atol=1e-12)
        assert state.altitude_m[i] == pytest.approx(expected.altitude_m, abs=1e-12)
        assert state.time_s[i] == expected.time_s


def test_held_velocities_are_relative_to_the_water():
    """dsrv keeps its surge by file: in a current along its nose it goes that much faster over ground."""
    batch = Batch("dsrv", 2)
    batch.environment.set_current([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0]])
    speed = batch.vehicle.held_speed_m_s
    np.testing.assert_allclose(batch.view.nu[:, 0], [speed, speed + 0.5], rtol=1e-12)
    batch.advance(1.0)
    np.testing.assert_allclose(batch.view.nu_r[:, 0], speed, rtol=1e-9)


def test_without_a_batch_the_water_follows_world_clock_and_motion():
    """A current that grows by 0.1 m/s each second, at the times 0, 1 and 2 s of a vehicle over a bottom at 30 m."""
    groups = Groups([Plant(load_vehicle("remus100"))], np.zeros(2, np.int64), "float64")
    clock = BatchClock(2, 1.0)
    water = BatchEnvironment(groups, clock, World(depth_m=30.0, current=lambda t: (0.1 * t, 0.0, 0.0)))
    water.set_current([0.0, 0.2, 0.0], where=[1])
    groups[0].put_motion(np.arange(2), position_n=np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 8.0]]))
    water.place(np.arange(2))
    for t in range(3):
        np.testing.assert_allclose(water.surroundings("current"), [[0.1 * t, 0.0, 0.0], [0.1 * t, 0.2, 0.0]])
        np.testing.assert_allclose(water.altitude_m(), [25.0, 22.0])
        water.prepare()
        clock.tick()
        groups.mark_changed()


def test_a_start_under_the_seabed_is_refused():
    batch = Batch("remus100", 2, World(depth_m=5.0))
    batch.place(depth_m=[3.0, 9.0])
    with pytest.raises(CommandError, match=r"vehicle 1 .* 4 m under the seabed"):
        batch.tick()
    batch.place([1], depth_m=4.0)
    batch.tick()


def test_held_velocities_follow_a_current_in_time():
    """The flow is that of the instant: after a run, `set_current`, `place` and `reset` put the surge on it."""
    batch = Batch("dsrv", 2, World(current=lambda t: (0.1 * t, 0.0, 0.0)))
    speed = batch.vehicle.held_speed_m_s
    for put in (
        lambda: batch.environment.set_current([0.1, 0.0, 0.0]),
        lambda: batch.place(depth_m=4.0),
        lambda: batch.reset([0]),
    ):
        batch.advance(1.5)
        put()
        np.testing.assert_allclose(batch.view.nu_r[:, 0], speed, rtol=1e-6)  # 1e-7 of it: what the steps make of a ramp


def test_each_vehicle_holds_the_speed_of_its_file():
    fast = load_vehicle("dsrv")
    batch = Batch([fast, dataclasses.replace(fast, held_speed_m_s=2.0)])
    batch.place(depth_m=10.0)
    np.testing.assert_allclose(batch.view.nu[:, 0], [fast.held_speed_m_s, 2.0], rtol=1e-12)


def test_a_start_inside_something_is_refused_as_by_a_simulation():
    wall = Structure(kind="box", name="wall", center_m=(0.0, 0.0, 10.0), size_m=(10.0, 10.0, 10.0))
    batch = Batch("bluerov2_heavy", 3, World(depth_m=30.0, structures=(wall,)))
    batch.place(depth_m=[3.0, 25.0, 10.0])
    with pytest.raises(
        CommandError, match=r"vehicle 2 .* is \(0\.0, 0\.0, 10\.0\); 5\.\d+ m inside wall; expected a pl"
    ):
        batch.tick()
    batch.reset([2])
    batch.tick()
    batch.place([0], depth_m=29.95)
    with pytest.raises(CommandError, match=r"vehicle 0 .* inside seabed"):
        batch.tick()


def test_placing_a_vehicle_ignores_the_positions_of_the_others():
    """dsrv keeps its velocity by file and dives through the bottom: that of the other may still be placed."""
    batch = Batch("dsrv", 2, World(depth_m=30.0))
    batch.place(depth_m=[21.0, 5.0], pitch_deg=[-80.0, 0.0])
    batch.advance(6.0)
    assert batch.view.altitude_m[0] < -1.0
    batch.place([1], depth_m=6.0)
    batch.tick()
    assert batch.view.position_n[1, 2] == pytest.approx(6.0, abs=0.1)


def test_a_run_that_a_measured_current_does_not_cover_is_refused():
    batch = Batch("remus100", 2, World(currents=(Series(rows=((0.0, 0.1, 0.0), (10.0, 0.2, 0.0))),)))
    batch.place(depth_m=5.0)
    batch.advance(0.5)
    for go in (batch.advance, batch.run):
        with pytest.raises(ScenarioError, match=r"covers 0 to 10 s of the run, which needs 0 to 10\.5 s"):
            go(10.0)


def test_a_changing_current_is_interpolated_within_the_interval():
    """Drift of a neutral body that follows the water: the mean of a ramp is half its end."""
    batch, rate = Batch("remus100", 3), 0.2
    batch.environment.set_changing_current([[0.1, 0.0, 0.0]] * 2, [[0.0, 0.0, 0.0], [rate, 0.0, 0.0]], [1, 2])
    sims = [Simulation("remus100") for _ in range(3)]
    for sim, current, dot in zip(sims, (0.0, 0.1, 0.1), (0.0, 0.0, rate), strict=True):
        sim.plant.water["current"], sim.plant.water["current_dot"] = [current, 0.0, 0.0], [dot, 0.0, 0.0]
        sim.plant.advance(sim.step_s, sim.n_steps, batch.integrator)
    saved = batch.save()
    batch.tick()
    assert batch.view.nu == pytest.approx(np.array([sim.plant.nu for sim in sims]), abs=1e-13)
    assert batch.view.nu[2, 0] > batch.view.nu[1, 0] > batch.view.nu[0, 0]
    moved = batch.view.nu
    batch.environment.set_current([0.0, 0.0, 0.0])  # ends the change as well
    batch.restore(saved)
    batch.tick()
    assert batch.view.nu.tobytes() == moved.tobytes()
