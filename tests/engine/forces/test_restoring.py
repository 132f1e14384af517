"""Weight and buoyancy: printed lines, twin, energy, compressibility, stratification, accelerating water."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.engine.probe import (
    EVERY,
    LIBRARY,
    RHO,
    TWIN,
    G,
    ball,
    differs_from_twin,
    plant_of,
    put,
    still,
    term,
    vehicle,
)
from tests.reference import hull
from tests.reference.kinematics import rotation

BODY = replace(ball().body, volume_m3=0.11, cg_b=(0.05, -0.02, 0.04), cb_b=(0.02, 0.01, -0.03))


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "restoring") < TWIN


def test_equals_the_printed_lines_of_brutzman():
    """Restoring terms of (6.48)-(6.53) at any attitude."""
    for phi, theta, psi in np.random.default_rng(2).uniform(-3.0, 3.0, (20, 3)) * [1, 0.5, 1]:
        printed = hull.restoring_written_out(100.0 * G, BODY.cg_b, RHO * 0.11 * G, BODY.cb_b, phi, theta)
        computed = term(ball(body=BODY), "restoring", euler=np.array([phi, theta, psi]))
        np.testing.assert_allclose(computed, printed, rtol=0, atol=1e-11)  # rounding of differences of 1100 N


def test_heading_makes_no_difference():
    """The vertical seen from the body does not turn with heading."""
    north = term(ball(body=BODY), "restoring", euler=np.array([0.3, -0.5, 0.0]))
    for psi in (0.5, 2.0, -3.0):
        turned = term(ball(body=BODY), "restoring", euler=np.array([0.3, -0.5, psi]))
        np.testing.assert_allclose(turned, north, rtol=0, atol=1e-12 * 1e3)


def test_a_low_centre_of_mass_rights_the_vehicle():
    """z_G W sin(angle), against the inclination."""
    righting = 100.0 * G * 0.02
    roll = term(ball(), "restoring", euler=np.array([0.1, 0.0, 0.0]))
    pitch = term(ball(), "restoring", euler=np.array([0.0, -0.2, 0.0]))
    # the cancelled weight of 981 N leaves 1e-13 N
    np.testing.assert_allclose(roll, [0, 0, 0, -righting * np.sin(0.1), 0, 0], atol=1e-12)
    np.testing.assert_allclose(pitch, [0, 0, 0, 0, righting * np.sin(0.2), 0], atol=1e-12)


# the energy of a compressed hull or of ballast is not this one
@pytest.mark.parametrize(
    "key", [key for key in LIBRARY if not vehicle(key).ballast and not vehicle(key).body.compressibility_1_pa]
)
def test_is_the_slope_of_the_potential_energy(key):
    """nu . tau = -dV/dt with V = -(m g z_G - rho g V z_B) in world axes, by a central difference along the motion."""
    of, plant = vehicle(key), plant_of(key)
    body = of.body
    mass, volume = body.mass_kg, body.volume_m3
    weight, buoyancy = mass * of.water.gravity_m_s2, of.water.density_kg_m3 * volume * of.water.gravity_m_s2

    def height(depth, r_nb):
        return weight * (depth + (r_nb @ body.cg_b)[2]) - buoyancy * (depth + (r_nb @ body.cb_b)[2])

    euler, nu, h = np.array([0.3, -0.4, 1.0]), np.array([0.5, -0.2, 0.3, 0.2, -0.1, 0.4]), 1e-5
    power = nu @ put(plant, still(of, nu=nu, euler=euler, depth=10.0)).forces()["restoring"]
    r_nb = rotation(*euler)
    omega = np.array([[0, -nu[5], nu[4]], [nu[5], 0, -nu[3]], [-nu[4], nu[3], 0]])
    fall = (r_nb @ nu[:3])[2]
    slope = [height(10.0 + s * h * fall, r_nb @ (np.eye(3) + s * h * omega)) for s in (1, -1)]
    # difference of two energies of up to W * 10 m divided by 2 h
    assert power == pytest.approx((slope[0] - slope[1]) / (2 * h), abs=1e-9 * max(weight, 1.0))


def test_compressed_hull_loses_buoyancy_with_depth_and_only_below_the_surface():
    soft = ball(body=replace(ball().body, compressibility_1_pa=5e-10))
    for depth in (0.0, 100.0, 400.0):
        lost = 100.0 * G * 5e-10 * RHO * G * depth
        assert term(soft, "restoring", depth=depth)[2] == pytest.approx(lost, abs=1e-11)
    assert term(soft, "restoring", depth=-1.0)[2] == pytest.approx(0.0, abs=1e-11)


def test_denser_water_below_lifts():
    """rho(z) = rho_0 + rho' z: at 50 m with 0.01 kg/m^4 a neutral 100 kg body is lifted by 0.5/rho of its weight."""
    plant = Plant(ball(), density_gradient_kg_m4=0.01)
    plant.place(position_n=(0, 0, 50.0))
    assert plant.forces()["restoring"][2] == pytest.approx(-100.0 * G * 0.5 / RHO, rel=1e-10)


def test_accelerating_water_pushes_where_buoyancy_acts():
    """Froude-Krylov: rho V c-dot at the centre of buoyancy, in body axes."""
    euler, c_dot = np.array([0.2, -0.4, 1.0]), np.array([0.1, -0.2, 0.05])
    quiet = term(ball(body=BODY), "restoring", euler=euler)
    moved = term(ball(body=BODY), "restoring", euler=euler, current_dot_n=c_dot)
    push = RHO * 0.11 * rotation(*euler).T @ c_dot
    np.testing.assert_allclose(moved - quiet, [*push, *np.cross(BODY.cb_b, push)], rtol=0, atol=1e-11)


def test_gravity_of_another_place():
    plant = Plant(ball(body=BODY), gravity_m_s2=1.62)
    assert plant.forces()["restoring"][2] == pytest.approx((100.0 - RHO * 0.11) * 1.62, rel=1e-12)
