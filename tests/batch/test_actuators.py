"""Commands to the actuators of a batch."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from pelagos.batch.actuators import BatchActuators
from pelagos.batch.batch import Batch
from pelagos.batch.group import Groups
from pelagos.batch.inputs import LANE_METHODS
from pelagos.messages import Actuations
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from tests.batch.started import random_commands


def test_actuators_can_be_set_at_once():
    batch, plant = Batch("bluerov2_heavy", 3), Plant(load_vehicle("bluerov2_heavy"))
    orders = random_commands(batch.vehicle, 3)["thrusters"]
    batch.actuators.set(thrusters=orders, at_once=True)
    plant.set_actuators(thrusters=orders[1], at_once=True)
    np.testing.assert_allclose(batch.view.thrusters[1], plant.state["actuators"]["thruster"][:8], rtol=1e-12)
    assert (batch.view.nu == 0.0).all()


def test_commands_to_some_leave_those_of_the_others():
    batch = Batch("bluerov2_heavy", 5)
    batch.actuators.set(thrusters=np.full(8, 0.1))
    batch.actuators.set(thrusters=np.full((2, 8), 0.2), where=[4, 1])
    np.testing.assert_allclose(batch.actuators.commands.thrusters[:, 0], [0.1, 0.2, 0.1, 0.1, 0.2], rtol=1e-12)


def test_commands_of_mixed_vehicles_have_the_columns_of_the_one_with_most():
    """remus100 has one thruster and two surfaces, bluerov2_heavy eight thrusters: the columns beyond are zero."""
    groups = Groups(
        [Plant(load_vehicle("remus100")), Plant(load_vehicle("bluerov2_heavy"))], np.array([1, 0]), "float64"
    )
    actuators = BatchActuators(groups, LANE_METHODS["rk4"])
    actuators.command(Actuations(np.full(8, 0.3), np.array([[0.1, 0.2], [0.1, 0.2]]), np.empty(0)))
    thrusters, surfaces, ballast = actuators.commands
    assert thrusters.tolist() == [[0.3] * 8, [0.3] + [0.0] * 7] and ballast.shape == (2, 0)
    assert surfaces.tolist() == [[0.0, 0.0], [0.1, 0.2]]


def test_limits_bind_and_what_they_cut_off_is_counted():
    """remus100 and a kind of it with other limits share lanes: each has its own."""
    remus = load_vehicle("remus100")
    far = dataclasses.replace(remus, surfaces=tuple(dataclasses.replace(s, limit_rad=0.5) for s in remus.surfaces))
    batch = Batch([remus, far, remus])
    batch.place(depth_m=10.0, surge_m_s=1.5)
    batch.actuators.set(thrusters=[[2000.0], [100.0], [100.0]], surfaces=[0.4, 0.0])
    batch.advance(2.0)
    np.testing.assert_allclose(batch.view.surfaces[:, 0], [math.radians(15.0), 0.4, math.radians(15.0)], rtol=1e-12)
    np.testing.assert_allclose(batch.view.thrusters[:, 0], [2000.0 * math.pi / 30.0, 100.0, 100.0], rtol=1e-12)
    assert batch.actuators.clipped["thrusters"].tolist() == [[1], [0], [0]]
    assert batch.actuators.clipped["surfaces"].tolist() == [[1, 0], [0, 0], [1, 0]]
    saved = batch.save()
    batch.actuators.set(surfaces=[0.0, -1.0], where=[2])
    assert batch.actuators.clipped["surfaces"][2].tolist() == [1, 1]
    batch.restore(saved)
    batch.reset(where=[0])
    assert batch.actuators.clipped["surfaces"].tolist() == [[0, 0], [0, 0], [1, 0]]


def test_an_external_wrench_accelerates_by_the_inverse_mass_matrix():
    """10 N ahead on a vehicle at rest: the acceleration is the inverse mass matrix times the wrench, after one ms."""
    batch = Batch("bluerov2_heavy", 2, step_s=1e-3, control_rate_hz=1000.0)
    batch.place(depth_m=10.0)
    batch.set_external([10.0, 0.0, 0.0, 0.0, 0.0, 0.0], where=[1])
    batch.advance()
    gained = (batch.view.nu[1] - batch.view.nu[0]) / 1e-3
    expected = np.linalg.solve(batch.groups[0].plants[0].packed.mass_matrix, [10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(gained, expected, rtol=1e-3, atol=1e-4)  # a millisecond of drag
