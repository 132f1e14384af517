"""What a step makes of velocity, attitude and current. One Euler step shows the rate itself: (after - before) / h."""

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.engine.probe import ball, put, still, terms
from tests.reference import kinematics as kin

H = 2.0**-10  # a power of two: dividing by it costs no digit
STATES = [
    (np.array(euler), np.array(nu))
    for euler, nu in zip(
        np.random.default_rng(12).uniform(-1, 1, (10, 3)) * [3, 1.4, 3],
        np.random.default_rng(13).normal(size=(10, 6)),
        strict=True,
    )
]


@pytest.mark.parametrize("euler_angles", [False, True])
@pytest.mark.parametrize(("euler", "nu"), STATES)
def test_position_follows_the_velocity_over_ground(euler, nu, euler_angles):
    plant = Plant(ball(), euler_angles=euler_angles)
    plant.place(position_n=(3.0, -4.0, 20.0), euler=tuple(euler), nu=nu)
    plant.water["current"] = [0.3, 0.2, -0.1]  # nu is over ground: the current does not add once more
    assert plant.advance(H, 1, "euler") == 1
    rate = (plant.position_n - [3.0, -4.0, 20.0]) / H
    np.testing.assert_allclose(rate, kin.rotation(*euler) @ nu[:3], rtol=0, atol=1e-11)  # 20 m * 2e-16 / H


@pytest.mark.parametrize(("euler", "nu"), STATES)
def test_quaternion_rate(euler, nu):
    """q + h q-dot with q-dot = q (0, omega) / 2, then made a unit again."""
    plant = Plant(ball())
    plant.place(euler=tuple(euler), nu=nu)
    q = plant.quaternion
    plant.advance(H, 1, "euler")
    expected = q + H * kin.quaternion_rate(q, nu[3:])
    np.testing.assert_allclose(plant.quaternion, expected / np.linalg.norm(expected), rtol=0, atol=1e-15)


@pytest.mark.parametrize(("euler", "nu"), STATES)
def test_euler_angle_rate(euler, nu):
    plant = Plant(ball(), euler_angles=True)
    plant.place(euler=tuple(euler), nu=nu)
    plant.advance(H, 1, "euler")
    rate = (plant.euler - euler) / H
    np.testing.assert_allclose(rate, kin.euler_rates(euler[0], euler[1]) @ nu[3:], rtol=1e-11, atol=1e-12)


def test_drag_sees_the_velocity_through_the_water_in_body_axes():
    euler, current, nu = np.array([0.3, -0.5, 2.0]), np.array([0.4, -0.3, 0.2]), np.array([1.0, 0.2, -0.3, 0, 0, 0])
    drag = ball(coefficients=terms({"X u": -1.0, "Y v": -1.0, "Z w": -1.0}))
    found = put(Plant(drag), still(drag, nu=nu, euler=euler, current_n=current)).forces()["coefficients"]
    np.testing.assert_allclose(found[:3], -(nu[:3] - kin.rotation(*euler).T @ current), rtol=1e-14)


def test_a_changing_current_is_taken_along_inside_the_call():
    """RK4 on u-dot = -k (u - c0 - c1 t): the exact lag behind a ramp, with added mass and Froude-Krylov out of it."""
    k, c0, c1, t = 0.4, 0.2, 0.05, 4.0
    massless = ball(
        added_mass=np.zeros((6, 6)),
        coefficients=terms({"X u": -100.0 * k}),
        free=(True, False, False, False, False, False),
    )
    plant = Plant(massless)
    plant.water["current"], plant.water["current_dot"] = [c0, 0, 0], [c1, 0, 0]
    plant.command["external"] = [-100.0 * c1, 0, 0, 0, 0, 0]  # cancels rho V c-dot of the neutral body
    plant.advance(0.02, 200)
    lag = c1 / k
    exact = c0 + c1 * t - lag + (lag - c0) * np.exp(-k * t)
    assert plant.nu[0] == pytest.approx(exact, abs=1e-10)  # RK4: (0.4 * 0.02)^4 / 120
