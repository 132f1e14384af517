"""Commands to the actuators of a batch."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pelagos.batch.batch import Batch
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from tests.batch.started import random_commands


def test_actuators_can_be_set_at_once():
    batch, plant = Batch("bluerov2_heavy", 3), Plant(load_vehicle("bluerov2_heavy"))
    orders = random_commands(batch.vehicle, 3)["thrusters"]
    batch.set_actuators(thrusters=orders, at_once=True)
    plant.set_actuators(thrusters=orders[1], at_once=True)
    np.testing.assert_allclose(batch.thrusters[1], plant.state["actuators"]["thruster"][:8], rtol=1e-12)
    assert (batch.nu == 0.0).all()


def test_commands_to_some_leave_those_of_the_others():
    batch = Batch("bluerov2_heavy", 5)
    batch.set_actuators(thrusters=np.full(8, 0.1))
    batch.set_actuators(thrusters=np.full((2, 8), 0.2), where=[4, 1])
    command = batch._groups[0].command
    commands = command.get(command.fields("actuators.thruster", 8))
    np.testing.assert_allclose(commands[:, 0], [0.1, 0.2, 0.1, 0.1, 0.2], rtol=1e-12)


def test_limits_bind_and_what_they_cut_off_is_counted():
    """remus100 and a kind of it with other limits share lanes: each has its own."""
    remus = load_vehicle("remus100")
    far = dataclasses.replace(remus, surfaces=tuple(dataclasses.replace(s, limit_rad=0.5) for s in remus.surfaces))
    batch = Batch([remus, far, remus])
    batch.place(depth_m=10.0, surge_m_s=1.5)
    batch.set_actuators(thrusters=[[2000.0], [100.0], [100.0]], surfaces=[0.4, 0.0])
    batch.advance(2.0)
    np.testing.assert_allclose(batch.surfaces[:, 0], [math.radians(15.0), 0.4, math.radians(15.0)], rtol=1e-12)
    np.testing.assert_allclose(batch.thrusters[:, 0], [2000.0 * math.pi / 30.0, 100.0, 100.0], rtol=1e-12)
    assert batch.clipped["thrusters"].tolist() == [[1], [0], [0]]
    assert batch.clipped["surfaces"].tolist() == [[1, 0], [0, 0], [1, 0]]
    saved = batch.save()
    batch.set_actuators(surfaces=[0.0, -1.0], where=[2])
    assert batch.clipped["surfaces"][2].tolist() == [1, 1]
    batch.restore(saved)
    batch.reset(where=[0])
    assert batch.clipped["surfaces"].tolist() == [[0, 0], [0, 0], [1, 0]]


def test_an_external_wrench_accelerates_by_the_inverse_mass_matrix():
    """10 N ahead on a vehicle at rest: the acceleration is the inverse mass matrix times the wrench, after one ms."""
    batch = Batch("bluerov2_heavy", 2, step_s=1e-3, control_rate_hz=1000.0)
    batch.place(depth_m=10.0)
    batch.set_external([10.0, 0.0, 0.0, 0.0, 0.0, 0.0], where=[1])
    batch.advance()
    gained = (batch.nu[1] - batch.nu[0]) / 1e-3
    expected = np.linalg.solve(batch._groups[0].plants[0].packed.mass_matrix, [10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(gained, expected, rtol=1e-3, atol=1e-4)  # a millisecond of drag
