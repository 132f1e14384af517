"""Orders and errors of the steppers: analytic-checks D, the Phoenix turning dive of 20 s."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.frames import angle_between
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant

FT = 0.3048
RPM = math.pi / 30.0


def manoeuvre(plant: Plant, dt: float, method: str, seconds: float = 20.0) -> np.ndarray:
    """Bow rudder +10, stern -10, bow planes -5, stern +5 deg, 700 rpm, u = 2 ft/s: position, velocity, angles."""
    plant.reset()
    plant.place(nu=[2.0 * FT, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(thrusters=[700.0 * RPM] * 2, surfaces=np.radians([10.0, -10.0, -5.0, 5.0]))
    n = round(seconds / dt)
    assert plant.advance(dt, n, method) == n
    return np.concatenate([plant.position_n, plant.nu, plant.euler])


@pytest.fixture(scope="module")
def plant() -> Plant:
    """Phoenix with Euler angles, as the table of analytic-checks D was made."""
    return Plant(load_vehicle("phoenix_published"), euler_angles=True)


@pytest.fixture(scope="module")
def exact(plant: Plant) -> np.ndarray:
    """RK4 with the step that analytic-checks D takes as the truth."""
    return manoeuvre(plant, 0.0025, "rk4")


# method: order, position error at dt 0.1 s in ft as published there, and the relative tolerance on that error.
# The table prints two or three digits; 2 % covers its rounding.
TABLE = {
    "euler": (1, 1.21e-1, 0.02),
    "heun": (2, 1.70e-4, 0.02),
    "rk4": (4, 1.3e-7, 0.05),
}


@pytest.mark.parametrize("method", TABLE)
def test_error_and_order(plant: Plant, exact: np.ndarray, method: str) -> None:
    order, published, tolerance = TABLE[method]
    coarse = manoeuvre(plant, 0.1, method) - exact
    fine = manoeuvre(plant, 0.05, method) - exact
    error = np.linalg.norm(coarse[:3]) / FT
    assert error == pytest.approx(published, rel=tolerance)
    for part in (slice(0, 3), slice(3, 9), slice(9, 12)):  # position, velocity, angle
        measured = math.log2(np.linalg.norm(coarse[part]) / np.linalg.norm(fine[part]))
        assert measured == pytest.approx(order, abs=0.25)


def test_orders_hold_with_lags_and_an_unsteady_current() -> None:
    """RK4 keeps its order when actuators lag and the current changes: both are exact at every stage."""
    plant = Plant(load_vehicle("npsauv"))

    def run(dt: float) -> np.ndarray:
        plant.reset()
        plant.place(nu=[1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
        plant.water["current"], plant.water["current_dot"] = [0.3, -0.2, 0.0], [0.01, 0.02, -0.005]
        plant.set_actuators(thrusters=[100.0], surfaces=[0.1, -0.05, 0.0, 0.02])
        n = round(5.0 / dt)
        assert plant.advance(dt, n) == n
        return np.concatenate([plant.position_n, plant.nu])

    exact = run(0.00625)
    measured = math.log2(np.linalg.norm(run(0.1) - exact) / np.linalg.norm(run(0.05) - exact))
    assert measured == pytest.approx(4.0, abs=0.4)


def test_quaternion_and_euler_agree() -> None:
    """60 s of a turning dive: same position and attitude to 1e-12."""
    vehicle = load_vehicle("phoenix_published")
    ends = []
    for euler_angles in (False, True):
        plant = Plant(vehicle, euler_angles=euler_angles)
        manoeuvre(plant, 0.01, "rk4", seconds=60.0)
        ends.append((plant.position_n.copy(), plant.quaternion, plant.nu.copy()))
    (p, q, nu), (p2, q2, nu2) = ends
    assert np.abs(p - p2).max() < 1e-12  # m, after 40 m of track
    assert np.abs(nu - nu2).max() < 1e-12
    assert angle_between(q, q2) < 1e-12


def looping(dt: float, euler_angles: bool) -> tuple[bool, np.ndarray, float]:
    """10 s of looping under a pitch moment: sound, position, and the lowest R_zz seen (-1: upside down)."""
    plant = Plant(load_vehicle("phoenix_published"), euler_angles=euler_angles)
    plant.place(euler=(0.01, 0.0, 0.3), nu=[0.0, 0.0, 0.0, 0.0, math.pi / 2.0, 0.0])  # by the pole, not through it
    plant.command["external"][4] = 250.0  # N m: more than damping and righting moment hold
    lowest = 1.0
    for _ in range(100):
        if plant.advance(dt, round(0.1 / dt)) < round(0.1 / dt):
            return False, plant.position_n.copy(), lowest
        roll, pitch, _ = plant.euler
        lowest = min(lowest, math.cos(roll) * math.cos(pitch))
    return True, plant.position_n.copy(), lowest


def test_only_the_quaternion_passes_through_a_loop() -> None:
    sound, exact, lowest = looping(0.0025, euler_angles=False)
    assert sound and lowest < -0.9  # it has been upside down
    sound, position, _ = looping(0.01, euler_angles=False)
    error = np.linalg.norm(position - exact)
    assert sound and error < 1e-6  # m: RK4 at 0.01 s
    sound, position, _ = looping(0.01, euler_angles=True)
    # near 90 deg the Euler rates grow as 1/cos(theta); what comes out of the loop is another attitude
    assert not sound or np.linalg.norm(position - exact) > 1000.0 * error
