"""Pull at the fairlead: force turned into the body, Royer's moment, end stiffness, and nothing without a tether."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pelagos.engine.core import layout as lay
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from tests.engine.core.test_lanes import fleet_of, run_lanes, run_scalar
from tests.engine.probe import RHO, G, ball
from tests.reference.kinematics import rotation

FAIRLEAD = np.array([0.3, -0.1, -0.4])


def tied(seed: int) -> tuple[Plant, dict[str, np.ndarray]]:
    """A tied plant in a random situation with a random pull, and what was set."""
    rng = np.random.default_rng(seed)
    plant = Plant(ball())
    plant.attach_tether(FAIRLEAD)
    euler, nu, position = rng.uniform(-1.2, 1.2, 3), rng.uniform(-1.0, 1.0, 6), rng.uniform(-5.0, 5.0, 3)
    plant.place(position_n=position, euler=euler.tolist(), nu=nu)
    pull = {"force": rng.uniform(-100, 100, 3), "stiffness": rng.uniform(-50, 50, 9), "place": rng.uniform(-5, 5, 3)}
    for name, value in pull.items():
        plant.command["pull"][name] = value
    return plant, {**pull, "euler": euler, "nu": nu, "position": position}


@pytest.mark.parametrize("span", [0.0, 0.02])
def test_equals_the_formula(span):
    """F_0 - K (r + h v - r_0) in NED, turned into the body, with its moment about O; rounding of 1000 N."""
    for seed in range(10):
        plant, was = tied(seed)
        plant.command["pull"]["span"] = span
        R = rotation(*was["euler"])
        velocity = R @ (was["nu"][:3] + np.cross(was["nu"][3:], FAIRLEAD))
        bound_for = was["position"] + R @ FAIRLEAD + span * velocity
        force = R.T @ (was["force"] - was["stiffness"].reshape(3, 3) @ (bound_for - was["place"]))
        np.testing.assert_allclose(plant.forces()["tether"], [*force, *np.cross(FAIRLEAD, force)], atol=1e-10)


def test_moment_is_that_of_the_thesis():
    """Royer 2.4.d: a tether in the plane of symmetry at (x_T, 0, z_T) gives (-z_T Y, z_T X - x_T Z, x_T Y)."""
    plant = Plant(ball())
    plant.attach_tether((0.5, 0.0, -0.4))
    X, Y, Z = 10.0, -20.0, 30.0
    plant.command["pull"]["force"] = X, Y, Z
    np.testing.assert_allclose(plant.forces()["tether"], [X, Y, Z, 0.4 * Y, -0.4 * X - 0.5 * Z, 0.5 * Y], atol=1e-12)


def test_a_vehicle_without_a_tether_feels_nothing():
    plant = Plant(ball())
    plant.command["pull"]["force"] = 1e3
    assert not plant.forces()["tether"].any()


def test_fairlead_is_where_rigid_body_kinematics_puts_it():
    plant, was = tied(3)
    place, velocity = plant.fairlead()
    R = rotation(*was["euler"])
    np.testing.assert_allclose(place, was["position"] + R @ FAIRLEAD, atol=1e-14)
    np.testing.assert_allclose(velocity, R @ (was["nu"][:3] + np.cross(was["nu"][3:], FAIRLEAD)), atol=1e-14)


def test_reset_keeps_the_fairlead_and_drops_the_pull():
    plant, _ = tied(1)
    plant.reset()
    np.testing.assert_array_equal(plant.command["pull"]["fairlead"], FAIRLEAD)
    assert not plant.forces()["tether"].any()


def test_tying_one_plant_ties_no_other():
    vehicle = ball()
    single, other = Plant(vehicle), Plant(vehicle)
    single.attach_tether(FAIRLEAD)
    other.command["pull"]["force"] = 1.0
    assert not other.forces()["tether"].any()


def test_a_spring_at_the_centre_swings_at_its_frequency():
    """A neutral ball without drag, CG at the fairlead, on a spring of four times its mass: omega = 2 rad/s.

    RK4 at 10 ms is off by (omega h)^4/120 of the phase: 1e-9 in the 3.14 s of one swing.
    """
    plant = Plant(ball(body=replace(ball().body, cg_b=(0.0, 0.0, 0.0))), density_kg_m3=RHO, gravity_m_s2=G)
    plant.attach_tether((0.0, 0.0, 0.0))
    mass = plant.packed.mass_matrix[0, 0]
    plant.command["pull"]["stiffness"] = (4.0 * mass * np.eye(3)).ravel()
    plant.place(position_n=(1.0, 0.0, 0.0))
    n = round(np.pi / 0.01)
    plant.advance(0.01, n)
    assert plant.position_n[0] == pytest.approx(np.cos(2.0 * 0.01 * n), abs=1e-7)


def test_lanes_equal_the_scalar_kernel():
    """Eleven BlueROVs, each on a pull of its own, 200 steps; same tolerance as all other forces in lanes."""
    states, models, structure, waters, commands = fleet_of("bluerov2_heavy", 11)
    tethered = structure.copy()
    tethered[lay.STRUCTURE.offset("tethered")[0]] = 1
    rng = np.random.default_rng(5)
    for row in commands:
        pull = row.view(lay.COMMAND.dtype)[0]["pull"]
        pull["fairlead"], pull["force"], pull["place"] = rng.normal(0, 0.2, 3), rng.normal(0, 20, 3), (0.0, 0.0, 10.0)
        half = rng.normal(0.0, 5.0, (3, 3))
        pull["stiffness"], pull["span"], pull["most"] = (
            (half @ half.T).ravel(),
            0.01,
            15.0 if row is commands[3] else np.inf,
        )
    parts = (states, models, tethered, waters, commands)
    scalar, lanes = run_scalar(parts), run_lanes(parts, np.float64)
    size = np.abs(scalar).max(axis=0) + 1e-3
    assert (np.abs(scalar - lanes) / size).max() < 1e-12
    free = run_scalar((states, models, structure, waters, commands))
    assert np.abs(free - scalar)[:, :3].max() > 0.1  # the pulls do act


def test_library_vehicles_have_their_fairlead_where_the_file_says():
    mount = load_vehicle("seagrant1").tether
    assert mount is not None and mount.fairlead_b == (-0.5, 0.0, -0.4)  # errata R18, Royer 7.5
