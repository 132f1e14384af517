"""Dormand-Prince with error control."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant


def turn(tolerance: float | None) -> np.ndarray:
    """20 s of npsauv turning with lagging actuators: by tolerance, or by small RK4 steps."""
    plant = Plant(load_vehicle("npsauv"))
    plant.place(nu=[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for demand in (0.2, -0.1):
        plant.set_actuators(thrusters=[120.0], surfaces=[demand, 0.05, 0.0, 0.0])
        if tolerance is None:
            assert plant.advance(0.0025, 4000) == 4000
        else:
            plant.tolerance = tolerance
            assert plant.advance(0.1, 100, "adaptive") == 100
    assert plant.time_s == pytest.approx(20.0, abs=1e-9)
    return np.concatenate([plant.position_n, plant.nu, plant.euler])


def test_error_follows_the_tolerance() -> None:
    exact = turn(None)
    errors = [float(np.abs(turn(tolerance) - exact).max()) for tolerance in (1e-4, 1e-6, 1e-8)]
    # local error control: the global error is the tolerance times a factor of the problem, some tens here
    for error, tolerance in zip(errors, (1e-4, 1e-6, 1e-8), strict=True):
        assert error < 100.0 * tolerance
    assert errors[0] > errors[1] > errors[2]


def test_actuators_end_where_their_lag_says() -> None:
    plant = Plant(load_vehicle("npsauv"))
    plant.set_actuators(surfaces=[0.2, 0.0, 0.0, 0.0])
    plant.advance(0.05, 1, "adaptive")
    assert plant.state["actuators"]["surface"][0] == pytest.approx(0.2 * (1.0 - math.exp(-0.5)), rel=1e-12)


def test_a_stop_is_reported_with_the_last_sound_state() -> None:
    plant = Plant(load_vehicle("phoenix"))
    plant.command["external"][0] = 1e30
    assert plant.advance(0.1, 10, "adaptive") == 0
    assert np.isfinite(plant.nu).all()
