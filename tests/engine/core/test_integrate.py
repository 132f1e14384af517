"""Entry points of the kernel: a run stops at its last valid state, and forces are evaluated."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import TERMS, Plant


@pytest.mark.parametrize("method", [name for name in METHODS if name != "adaptive"])
def test_a_diverging_step_is_not_taken(method: str) -> None:
    """A step far too long: the kernel stops, and the state is the last one that was sound."""
    plant = Plant(load_vehicle("bluerov2_heavy"))
    plant.place(nu=[2.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    done = plant.advance(5.0, 100, method)
    assert done < 100
    assert np.isfinite(plant.nu).all() and np.abs(plant.nu).sum() < 1e4
    assert plant.time_s == pytest.approx(5.0 * done)


def test_evaluate_sums_to_the_acceleration() -> None:
    """(M_RB + M_A) nu_dot = sum of the terms, for a vehicle with everything free."""
    plant = Plant(load_vehicle("npsauv"))
    plant.place(nu=[1.5, 0.2, -0.1, 0.05, 0.02, 0.1], euler=(0.1, -0.2, 1.0))
    plant.set_actuators(thrusters=[100.0], surfaces=[0.1, 0.05, 0.02, -0.02], at_once=True)
    forces = plant.forces()
    assert tuple(forces) == TERMS
    total = np.sum(list(forces.values()), axis=0)
    np.testing.assert_allclose(plant.packed.mass_matrix @ plant.acceleration(), total, rtol=1e-10, atol=1e-8)


def test_the_state_keeps_the_acceleration_of_the_last_step() -> None:
    plant = Plant(load_vehicle("phoenix"))
    plant.set_actuators(thrusters=[50.0, 50.0])
    plant.advance(0.01, 1)
    before = plant.save()
    expected = plant.acceleration()
    plant.advance(0.01, 1)
    np.testing.assert_allclose(plant.state["nu_dot"], expected, rtol=1e-12, atol=1e-15)
    plant.restore(before)
    np.testing.assert_allclose(plant.acceleration(), expected, rtol=0, atol=0)
