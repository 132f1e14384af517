"""Rates from velocity, attitude and current. One Euler step shows the rate itself: (after - before) / h."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from pelagos.engine.water.flow import sample_flow
from pelagos.engine.water.waves import sample_waves
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Body
from pelagos.world.current.kinds import Profile, Uniform
from pelagos.world.spec import World
from pelagos.world.waves import Waves
from tests.engine.probe import RHO, ball, put, still, terms
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
    computed = put(Plant(drag), still(drag, nu=nu, euler=euler, current_n=current)).forces()["coefficients"]
    np.testing.assert_allclose(computed[:3], -(nu[:3] - kin.rotation(*euler).T @ current), rtol=1e-14)


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


SWELL = Waves(kind="regular", height_m=2.0, period_s=7.0, to_deg=30.0, phase_deg=90.0)
SHEAR = Profile(rows=((0.0, 0.0, 0.0), (40.0, 2.0, 70.0)))
WATERS = {
    "waves": (World(waves=SWELL), (0.0, 0.0, 0.0)),
    "a sea": (World(waves=Waves(height_m=2.0, period_s=7.0, spreading=10.0), depth_m=12.0), (0.0, 0.0, 0.0)),
    "waves and a uniform current": (World(waves=SWELL), (0.6, -0.8, 0.0)),
    "waves and a current of the world": (World(waves=SWELL, currents=(Uniform(speed_m_s=1.0),)), (0.0, 0.0, 0.0)),
    "waves and a shear": (World(waves=SWELL, currents=(SHEAR,)), (0.0, 0.0, 0.0)),
    "a shear and a downward current": (World(currents=(SHEAR,), surface=False), (0.0, 0.0, 0.2)),
}


def particle(sea, current, start):
    """The rate of a particle's position, and where it goes."""

    def velocity(time, at):
        flow, waves = np.zeros((1, 6)), np.zeros((1, 9))
        sample_flow(sea, np.array([at]), np.array([time]), flow)
        sample_waves(sea, np.array([at]), np.array([time]), waves)
        return current + flow[0, :3] + waves[0, 3:6]

    return velocity, lambda end: solve_ivp(velocity, (0.0, end), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]


def released(sea, current, start):
    """A neutral body with the velocity of the water, added mass but no drag that could hide a wrong force."""
    body = Body(100.0, 100.0 / RHO, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 4.0 * np.eye(3))
    plant = Plant(replace(ball(body=body), added_mass=np.diag([30.0, 30.0, 30.0, 0.0, 0.0, 0.0])), sea=sea)
    plant.water["current"] = current
    velocity, path = particle(sea, np.array(current), start)
    plant.place(position_n=start, nu=(*velocity(0.0, np.array(start)), 0.0, 0.0, 0.0))
    return plant, path


@pytest.mark.parametrize("name", WATERS)
def test_a_neutral_body_released_with_the_water_follows_it(name):
    """Three periods of water that takes it through metres: RK4 and the two forces leave 1e-6 m.

    From 6 m it stays below the layer that is stretched to the moving surface, at whose edge the slope jumps.
    """
    world, current = WATERS[name]
    plant, path = released(world.packed(), current, (3.0, -2.0, 6.0))
    plant.advance(0.01, 2100)
    computed = plant.position_n
    np.testing.assert_allclose(computed, path(21.0), rtol=0, atol=1e-6)
    assert np.linalg.norm(computed - [3.0, -2.0, 6.0]) > 0.1


def test_it_follows_through_the_stretched_layer_and_keeps_its_depth():
    """From 3 m, in waves of 2 m: within the layer and 40 times across its edge at 4 m.

    There the acceleration jumps by 0.01 m/s^2 or less: a step of 10 ms is off by 1e-4 m/s at most, of either sign, and
    0.5 mm are left after 20 periods. Its orbit is 1.4 m high; after twenty periods of its own (it drifts with the
    waves, so they are longer) it is at its depth again.
    """
    sea, start = World(waves=replace(SWELL, to_deg=0.0, phase_deg=0.0)).packed(), (0.0, 0.0, 3.0)
    plant, path = released(sea, (0.0, 0.0, 0.0), start)
    plant.advance(0.01, 14_000)
    north, _, depth = plant.position_n
    np.testing.assert_allclose([north, depth], path(140.0)[[0, 2]], rtol=0, atol=5e-4)
    omega = math.tau / 7.0
    late = omega / 9.81 * north  # s, k north/omega: so much later the crest of the start is over it
    plant.advance(0.01, round(late / 0.01))
    assert plant.position_n[2] == pytest.approx(3.0, abs=0.01)
    assert north / 140.0 > 0.03  # m/s, with the waves
