"""Rows of equations: agreement, and rates, forces and accelerations of the engine in feet and pounds."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman.equations.rows import (
    acceleration_ft,
    angles,
    equation,
    forces_lb,
    largest,
    listed,
    phoenix,
    put,
    velocities,
    world_rates,
)
from pelagos_evidence.claim import ClaimVerdict, Row

ROW = Row("a", "equation 6.1", "w")


def test_largest_difference_is_relative_to_large_values_and_absolute_for_small_ones():
    assert largest([1e-3, 0.0], [0.0, 0.0]) == 1e-3
    assert largest([101.0, 0.0], [100.0, 0.0]) == 0.01
    assert largest([math.nan], [0.0]) == math.inf
    assert largest([math.inf], [math.inf]) == math.inf


def test_agreed_holds_up_to_its_tolerance():
    assert equation(ROW, "p", 1e-13).verdict is ClaimVerdict.REPRODUCED
    assert equation(ROW, "p", 1e-11).verdict is ClaimVerdict.FAILED
    assert equation(ROW, "p", math.nan).verdict is ClaimVerdict.FAILED
    assumed = equation(replace(ROW, assumption="silent"), "p", 0.0, states="three bodies")
    assert assumed.verdict is ClaimVerdict.ASSUMED
    assert assumed.ours == "the same; largest difference 0.0e+00 over three bodies"


def test_random_states_reach_their_range_and_stay_the_same():
    drawn = angles(1000, 1)
    assert np.abs(drawn[:, 1]).max() < 1.4 and np.abs(drawn[:, 0]).max() > 3.0
    np.testing.assert_array_equal(drawn, angles(1000, 1))
    assert (velocities(100, 2) < 0).any(axis=0).all() and (velocities(100, 2) > 0).any(axis=0).all()


def test_listed():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == "none"


def test_rates_of_simple_motions():
    """Heading east at 2 ft/s; turning about the vertical at 0.1 rad/s."""
    plant = Plant(phoenix(), euler_angles=True)
    moved = world_rates(plant, [0.0, 0.0, math.pi / 2.0], np.array([2.0, 0, 0, 0, 0, 0.1]))
    np.testing.assert_allclose(moved, [0.0, 2.0, 0.0, 0.0, 0.0, 0.1], atol=1e-15)
    moved = world_rates(Plant(phoenix()), [0.0, 0.0, 0.0], np.array([0.0, 0, 0, 0, 0, 0.1]))
    np.testing.assert_allclose(moved[3:], [0.0, 0.0, 0.0, 0.05], atol=1e-15)


def test_the_current_does_not_move_a_velocity_over_ground():
    plant = Plant(phoenix(), euler_angles=True)
    moved = world_rates(plant, [0.0, 0.0, 0.0], np.array([1.0, 0, 0, 0, 0, 0]), current_ft=(0.0, 3.0, 0.0))
    np.testing.assert_allclose(moved[:3], [1.0, 0.0, 0.0], atol=1e-15)


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
