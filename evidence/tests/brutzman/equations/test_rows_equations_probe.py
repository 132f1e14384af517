"""Asking the engine: rates of a known motion, forces and accelerations in feet and pounds."""

import math

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman.equations.rows import acceleration_ft, forces_lb, phoenix, put, world_rates


def test_rates_of_simple_motions():
    """Heading east at 2 ft/s; turning about the vertical at 0.1 rad/s."""
    plant = Plant(phoenix(), euler_angles=True)
    found = world_rates(plant, [0.0, 0.0, math.pi / 2.0], np.array([2.0, 0, 0, 0, 0, 0.1]))
    np.testing.assert_allclose(found, [0.0, 2.0, 0.0, 0.0, 0.0, 0.1], atol=1e-15)
    found = world_rates(Plant(phoenix()), [0.0, 0.0, 0.0], np.array([0.0, 0, 0, 0, 0, 0.1]))
    np.testing.assert_allclose(found[3:], [0.0, 0.0, 0.0, 0.05], atol=1e-15)


def test_the_current_does_not_move_a_velocity_over_ground():
    plant = Plant(phoenix(), euler_angles=True)
    found = world_rates(plant, [0.0, 0.0, 0.0], np.array([1.0, 0, 0, 0, 0, 0]), current_ft=(0.0, 3.0, 0.0))
    np.testing.assert_allclose(found[:3], [1.0, 0.0, 0.0], atol=1e-15)


def test_forces_and_accelerations():
    """24 V on one lateral thruster: 2 lb to starboard at 1.92 ft; the acceleration is M^-1 of it."""
    plant = put(Plant(phoenix()), np.zeros(3), np.zeros(6), np.zeros(4), np.array([0, 0, 0, 0, 24.0, 0]))
    force = forces_lb(plant, ["thrusters"])
    np.testing.assert_allclose(force, [0, 2.0, 0, 0, 0, 3.84], atol=1e-12)
    assert forces_lb(plant) == pytest.approx(force, abs=1e-12)  # nothing else at rest and level
    lb, ft = 4.4482216152605, 0.3048
    newtons = force * np.array([lb] * 3 + [lb * ft] * 3)
    rates = np.linalg.solve(plant.packed.mass_matrix, newtons)
    np.testing.assert_allclose(acceleration_ft(plant), rates / np.array([ft] * 3 + [1.0] * 3), rtol=1e-9, atol=1e-12)
