"""Dormand-Prince with error control."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant


def turn(tolerance: float | None) -> np.ndarray:
    """20 s of npsauv turning with lagging actuators: by tolerance, or by small RK4 steps."""
    plant = Plant(load_vehicle("npsauv"))
    plant.place(nu=[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for command in (0.2, -0.1):
        plant.set_actuators(thrusters=[120.0], surfaces=[command, 0.05, 0.0, 0.0])
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
    assert np.abs(plant.nu).sum() < 300.0  # the last one that was of this world


def test_a_servo_at_its_limit_is_exact_in_one_long_call() -> None:
    """20 deg at 60 deg/s with a lag of 0.1 s: at the limit for 14 deg, then 6 deg exp(-t/0.1)."""
    vehicle = load_vehicle("npsauv")
    slow = tuple(replace(s, rate_rad_s=math.radians(60.0), time_constant_s=0.1) for s in vehicle.surfaces)
    plant = Plant(replace(vehicle, surfaces=slow))
    plant.set_actuators(surfaces=[math.radians(20.0), 0.0, 0.0, 0.0])
    plant.advance(0.4, 1, "adaptive")
    expected = 20.0 - 6.0 * math.exp(-(0.4 - 14.0 / 60.0) / 0.1)
    assert math.degrees(plant.state["actuators"]["surface"][0]) == pytest.approx(expected, rel=1e-12)
