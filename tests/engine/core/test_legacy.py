"""Brutzman's steppers as published: first order, with the errors of analytic-checks D, and the author's clamps."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Legacy
from tests.engine.core.test_steppers import FT, manoeuvre

# position error at dt 0.1 s in ft as published there; it prints three digits, 2 % covers its rounding
TABLE = {"brutzman_printed": 2.03e-1, "brutzman_summary": 1.33e-2, "brutzman_author": 1.40e-1}
PHOENIX = load_vehicle("phoenix_published")


@pytest.fixture(scope="module")
def plant() -> Plant:
    """Phoenix with Euler angles, as the table was made."""
    return Plant(PHOENIX, euler_angles=True)


@pytest.mark.parametrize("method", TABLE)
def test_error_and_order(plant: Plant, method: str) -> None:
    exact = manoeuvre(plant, 0.0025, "rk4")
    coarse = manoeuvre(plant, 0.1, method) - exact
    fine = manoeuvre(plant, 0.05, method) - exact
    assert np.linalg.norm(coarse[:3]) / FT == pytest.approx(TABLE[method], rel=0.02)
    for part in (slice(0, 3), slice(3, 9), slice(9, 12)):  # position, velocity, angle
        measured = math.log2(np.linalg.norm(coarse[part]) / np.linalg.norm(fine[part]))
        assert measured == pytest.approx(1.0, abs=0.25)  # errata B7, B8: order 1, all three


def pushed(legacy: Legacy, method: str, newtons: float = 1e4, roll_n_m: float = 0.0) -> np.ndarray:
    """Velocity after one second under a push ahead and a moment about x."""
    plant = Plant(replace(PHOENIX, legacy=legacy))
    plant.command["external"][[0, 3]] = newtons, roll_n_m
    assert plant.advance(0.1, 10, method) == 10
    return plant.nu.copy()


def test_the_authors_program_clamps_accelerations_and_surge() -> None:
    limits = Legacy(acceleration_limit=0.1, angular_acceleration_limit=0.2)
    nu = pushed(limits, "brutzman_author", roll_n_m=1e4)
    # nine and a half steps of 0.1 s at the limit: the first counts half, since the acceleration before it was 0
    assert nu[[0, 3]] == pytest.approx([0.095, 0.19], rel=1e-9)
    assert pushed(Legacy(surge_limit_m_s=0.5), "brutzman_author", 1e3)[0] == 0.5
    assert pushed(limits, "brutzman_printed", 1e3)[0] > 1.0  # his book has no clamps


def test_a_run_that_diverges_stops_at_its_last_sound_step() -> None:
    plant = Plant(PHOENIX)
    plant.command["external"][0] = 1e12
    done = plant.advance(1.0, 50, "brutzman_summary")
    assert done < 50
    assert np.isfinite(plant.nu).all()
