"""The twin against closed forms: structure, conservation, currents, steady states of the Phoenix."""

from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest

from tests.reference import kinematics as kin
from tests.reference import rigid_body as rb
from tests.reference.everything import everything, situation
from tests.reference.phoenix import FORCE_TO_LBF, FT, LBF, NU_FROM_FT, RPM, SLUG, hand_built_phoenix
from tests.reference.textbook import TERMS, Commands, Textbook

PHOENIX = hand_built_phoenix()
UNITS = np.array([1.0] * 3 + [FT] * 3)  # M in slug, slug ft, slug ft^2 = M / (SLUG outer(UNITS, UNITS))
RNG_SEED = 20240


def random_body(rng):
    """Mass, CG and inertia about O of a cloud of points: always a possible rigid body."""
    points, masses = rng.normal(size=(6, 3)), rng.uniform(0.5, 2.0, 6)
    mass = masses.sum()
    inertia = sum(rb.point_inertia(m, p) for m, p in zip(masses, points, strict=True))
    return mass, (masses @ points) / mass, inertia


def bare(vehicle, coriolis="none", **changes):
    """The vehicle without damping and thrust, floating indifferently: only inertia is left."""
    body = replace(vehicle.body, cb_b=vehicle.body.cg_b)
    bared = replace(vehicle, body=body, coefficients=(), crossflow=None, thrusters=(), surfaces=(), coriolis=coriolis)
    return replace(bared, **changes)


def rest(vehicle):
    """Actuator arguments of `forces` with everything at zero."""
    return np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), np.zeros(len(vehicle.ballast))


# ---- structure --------------------------------------------------------------------------------------------------


def test_coriolis_matrices_are_skew_and_do_no_work():
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(200):
        mass, cg, inertia = random_body(rng)
        nu = rng.normal(size=6)
        m = rb.mass_matrix_rb(mass, cg, inertia)
        a = rng.normal(size=(6, 6))
        added = a @ a.T
        for c in (
            rb.m2c(m, nu),
            rb.coriolis_blocks(mass, cg, inertia, nu),
            rb.coriolis_explicit(mass, cg, inertia, nu),
            rb.m2c(added, nu),
        ):
            scale = np.abs(c).max() * (nu @ nu)
            assert np.abs(c + c.T).max() <= 1e-15 * np.abs(c).max()
            assert abs(nu @ c @ nu) <= 1e-12 * scale  # a sum of 36 rounded products


def test_published_coriolis_forms_agree():
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(200):
        mass, cg, inertia = random_body(rng)
        nu = rng.normal(size=6)
        force = rb.m2c(rb.mass_matrix_rb(mass, cg, inertia), nu) @ nu
        # rounding only: about 20 products of size max|force| each
        tolerance = 6e-14 * max(1.0, np.abs(force).max())
        assert np.abs(rb.coriolis_blocks(mass, cg, inertia, nu) @ nu - force).max() < tolerance
        assert np.abs(rb.coriolis_explicit(mass, cg, inertia, nu) @ nu - force).max() < tolerance
        assert np.abs(rb.inertial_terms_written_out(mass, cg, inertia, nu) + force).max() < tolerance


def test_added_mass_coriolis_written_out_agrees_with_m2c():
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(50):
        a, nu = rng.normal(size=(6, 6)), rng.normal(size=6)
        added = a @ a.T
        np.testing.assert_allclose(rb.added_coriolis_explicit(added, nu), rb.m2c(added, nu), rtol=0, atol=1e-13)


def test_phoenix_mass_matrix_has_its_published_eigenvalues():
    m = Textbook(PHOENIX).mass_matrix() / (SLUG * np.outer(UNITS, UNITS))
    np.testing.assert_allclose(m, m.T, atol=1e-12)
    expected = [7.45435, 14.5757, 25.66892, 48.40348, 55.34867, 168.26007]
    np.testing.assert_allclose(np.linalg.eigvalsh(m), expected, atol=1e-5)  # quoted to five decimals


# ---- kinematics -------------------------------------------------------------------------------------------------


def test_rotation_is_orthogonal_and_rates_invert():
    rng = np.random.default_rng(RNG_SEED)
    for phi, theta, psi in rng.uniform(-1.5, 1.5, (50, 3)):
        r = kin.rotation(phi, theta, psi)
        np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-15)
        assert np.linalg.det(r) == pytest.approx(1.0, abs=1e-15)
        # T grows as 1/cos(theta): 15 at 1.5 rad
        np.testing.assert_allclose(kin.euler_rates(phi, theta) @ kin.body_rates(phi, theta), np.eye(3), atol=1e-14)
        np.testing.assert_allclose(kin.rotation_of(kin.quaternion(phi, theta, psi)), r, atol=1e-15)
        np.testing.assert_allclose(kin.euler_angles(kin.quaternion(phi, theta, psi)), (phi, theta, psi), atol=2e-14)


def test_hamilton_product():
    identity, i, j, k = np.eye(4)
    np.testing.assert_array_equal(kin.hamilton(identity, j), j)
    np.testing.assert_array_equal(kin.hamilton(i, j), k)
    rng = np.random.default_rng(RNG_SEED)
    for _ in range(50):
        a, b = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 4)))
        product = kin.hamilton(a, b)
        assert np.linalg.norm(product) == pytest.approx(1.0, abs=4e-16)
        np.testing.assert_allclose(
            kin.rotation_of(product), kin.rotation_of(a) @ kin.rotation_of(b), atol=2e-15
        )  # three roundings of unit size


def test_quaternion_rate_turns_the_rotation():
    """R-dot = R S(omega), by central difference along the quaternion rate."""
    rng = np.random.default_rng(RNG_SEED)
    q, omega, h = kin.quaternion(0.3, -0.7, 2.0), rng.normal(size=3), 1e-5
    step = h * kin.quaternion_rate(q, omega)
    difference = (kin.rotation_of(q + step) - kin.rotation_of(q - step)) / (2 * h)
    np.testing.assert_allclose(difference, kin.rotation_of(q) @ kin.skew(omega), atol=1e-9)  # h^2 and rounding / h


@pytest.mark.parametrize(("phi", "theta", "psi"), [(0.0, 0.0, pi), (pi, 0.0, 0.0), (pi, 0.2, 0.4)])
def test_half_turns_survive(phi, theta, psi):
    angles = kin.euler_angles(kin.quaternion(phi, theta, psi))
    assert abs(angles[0]) == pytest.approx(phi, abs=1e-15)  # +pi and -pi are one angle
    assert angles[1] == pytest.approx(theta, abs=1e-15)
    assert abs(angles[2]) == pytest.approx(psi, abs=1e-15)


def test_poles_keep_what_exists():
    """Nose up only phi - psi exists, nose down only phi + psi."""
    phi, psi = 0.3, 1.1
    up = kin.euler_angles(kin.quaternion(phi, pi / 2, psi))
    down = kin.euler_angles(kin.quaternion(phi, -pi / 2, psi))
    # asin loses half the digits at the pole
    assert up[1] == pytest.approx(pi / 2, abs=3e-8)
    assert up[0] - up[2] == pytest.approx(phi - psi, abs=1e-15)
    assert down[1] == pytest.approx(-pi / 2, abs=3e-8)
    assert down[0] + down[2] == pytest.approx(phi + psi, abs=1e-15)


# ---- conservation -----------------------------------------------------------------------------------------------


def coast(vehicle, seconds=4.0, dt=0.01):
    """A tumbling start in ft and rad: (energy in ft lbf, impulse in world axes) before and after."""
    twin = Textbook(vehicle)
    nu = np.array([1.0, 0.5, -0.3, 0.4, 0.2, -0.3]) * NU_FROM_FT
    state = twin.start(nu, (0.1, 0.2, 0.3))
    m = twin.mass_matrix()

    def figures(s):
        momentum = kin.rotation(*s.euler) @ (m @ s.nu)[:3]
        return 0.5 * s.nu @ m @ s.nu / (LBF * FT), momentum / (LBF)

    end = twin.rk4(state, Commands(*rest(vehicle)), dt, round(seconds / dt))
    return figures(state), figures(end)


@pytest.mark.slow
def test_rigid_body_keeps_energy_and_momentum():
    before, after = coast(bare(PHOENIX, added_mass=np.zeros((6, 6))))
    assert before[0] == pytest.approx(12.126881, abs=1e-6)
    assert after[0] == pytest.approx(before[0], abs=1e-10)  # RK4 at 0.01 s
    np.testing.assert_allclose(after[1], before[1], atol=1e-10)


@pytest.mark.slow
def test_added_mass_with_its_coriolis_keeps_energy_and_impulse():
    before, after = coast(bare(PHOENIX, coriolis="full"))
    assert before[0] == pytest.approx(18.040780, abs=1e-6)
    assert after[0] == pytest.approx(before[0], rel=1e-9)  # the Munk moment turns it faster than the bare body
    np.testing.assert_allclose(after[1], before[1], rtol=1e-8)


@pytest.mark.slow
def test_added_mass_without_its_coriolis_keeps_energy_but_not_impulse():
    before, after = coast(bare(PHOENIX))
    assert after[0] == pytest.approx(before[0], abs=1e-10)
    assert np.abs(after[1] - before[1]).max() > 1.0  # a property of the published set, not of rounding


def test_damping_never_gives_energy():
    twin, rng = Textbook(PHOENIX), np.random.default_rng(RNG_SEED)
    for _ in range(200):
        nu = rng.normal(size=6) * [1.0, 0.5, 0.5, 0.3, 0.3, 0.3]
        terms = twin.forces(nu, (0, 0, 0), 0.0, *rest(PHOENIX))
        assert nu @ terms["coefficients"] < 0.0
        assert nu @ terms["crossflow"] < 0.0


# ---- currents ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coriolis", ["none", "full"])
def test_a_steady_current_only_carries_the_vehicle(coriolis):
    """Galileo: acceleration through the water in a steady uniform current equals that in still water."""
    vehicle = replace(everything(), coriolis=coriolis)
    twin, rng = Textbook(vehicle), np.random.default_rng(RNG_SEED)
    for _ in range(20):
        now = situation(vehicle, rng)
        still = replace(now, current_n=np.zeros(3), current_dot_n=np.zeros(3))
        c_b = kin.rotation(*now.euler).T @ now.current_n
        carried = replace(now, nu=now.nu + np.append(c_b, np.zeros(3)), current_dot_n=np.zeros(3))
        nu_dot = twin.acceleration(*carried.arguments())
        nu_dot[:3] += np.cross(now.nu[3:], c_b)  # d/dt of R^T c
        np.testing.assert_allclose(nu_dot, twin.acceleration(*still.arguments()), rtol=1e-9, atol=1e-11)


def test_water_shaped_body_follows_an_accelerating_current():
    """A homogeneous neutral body at rest in the water takes the acceleration of the water."""
    vehicle = bare(PHOENIX, coriolis="full")
    vehicle = replace(vehicle, body=replace(vehicle.body, cg_b=(0, 0, 0), cb_b=(0, 0, 0)))
    euler, c_dot = np.array([0.2, -0.4, 1.0]), np.array([0.1, -0.2, 0.05])
    nu_dot = Textbook(vehicle).acceleration(np.zeros(6), euler, 0.0, *rest(vehicle), current_dot_n=c_dot)
    np.testing.assert_allclose(kin.rotation(*euler) @ nu_dot[:3], c_dot, atol=1e-15)
    np.testing.assert_allclose(nu_dot[3:], 0.0, atol=1e-15)


# ---- the Phoenix at rest, under way and hovering --------------------------------------------------------------


def test_terminal_speed_and_drag():
    twin = Textbook(PHOENIX)
    screws = np.array([700 * RPM, 700 * RPM, 0, 0, 0, 0])
    terms = twin.forces([2 * FT, 0, 0, 0, 0, 0], (0, 0, 0), 0.0, screws, np.zeros(4), [])
    assert terms["thrusters"][0] / LBF == pytest.approx(1.609552, abs=1e-6)
    assert terms["coefficients"][0] == pytest.approx(-terms["thrusters"][0], rel=1e-14)


@pytest.mark.parametrize(("axis", "speed_ft_s"), [(2, 0.846188), (1, 1.249653)])
def test_hover_speeds_balance_two_tunnel_thrusters(axis, speed_ft_s):
    """Pure heave and sway at 4 lbf; the other axes are held, so only one balance counts."""
    nu = np.zeros(6)
    nu[axis] = speed_ft_s * FT
    drag = Textbook(PHOENIX).forces(nu, (0, 0, 0), 0.0, *rest(PHOENIX))["crossflow"] * FORCE_TO_LBF
    assert drag[axis] == pytest.approx(-4.0, rel=2e-6)  # the speed is quoted to six digits


def test_hover_yaw_rate():
    terms = Textbook(PHOENIX).forces(
        [0, 0, 0, 0, 0, np.radians(13.32133)], (0, 0, 0), 0.0, np.array([0, 0, 0, 0, 24.0, -24.0]), np.zeros(4), []
    )
    moments = {name: term[5] * FORCE_TO_LBF[5] for name, term in terms.items()}
    assert moments["thrusters"] == pytest.approx(7.68, rel=1e-12)
    assert moments["coefficients"] + moments["crossflow"] == pytest.approx(-7.68, rel=1e-6)


def test_at_rest_nothing_acts_and_nothing_warns():
    terms = Textbook(PHOENIX).forces(np.zeros(6), (0, 0, 0), 0.0, *rest(PHOENIX))
    assert tuple(terms) == TERMS
    for term in terms.values():
        np.testing.assert_allclose(term, 0.0, atol=1e-12)


def test_undamped_periods_of_roll_and_pitch():
    """Generalised eigenvalues of M and the slope of g; sway and surge couple through z_G."""
    twin, h = Textbook(PHOENIX), 1e-6
    stiffness = np.zeros((6, 6))
    for i in (0, 1):
        angles = np.zeros(3)
        angles[i] = h
        stiffness[:, 3 + i] = -twin.forces(np.zeros(6), angles, 0.0, *rest(PHOENIX))["restoring"] / h
    squares = np.linalg.eigvals(np.linalg.solve(twin.mass_matrix(), stiffness))
    periods = sorted(2 * pi / sqrt(s.real) for s in squares if s.real > 1e-6)
    assert periods == pytest.approx([2.75868, 13.02970], abs=1e-5)


# ---- free axes, water, integration ------------------------------------------------------------------------------


def test_held_axes_leave_the_mass_matrix():
    held = replace(PHOENIX, free=(True, False, False, False, False, False))
    nu = np.array([0.5, 0.1, 0.0, 0.0, 0.1, 0.2])
    arguments = (nu, (0.1, 0.1, 0.0), 0.0, np.array([50.0, 50.0, 0, 0, 0, 0]), np.zeros(4), [])
    twin = Textbook(held)
    total = sum(twin.forces(*arguments).values())
    nu_dot = twin.acceleration(*arguments)
    assert nu_dot[0] == pytest.approx(total[0] / twin.mass_matrix()[0, 0], rel=1e-14)
    np.testing.assert_array_equal(nu_dot[1:], 0.0)


def test_hydrodynamics_scale_with_density_and_weight_does_not():
    vehicle, rng = everything(), np.random.default_rng(RNG_SEED)
    reference, heavy = Textbook(vehicle), Textbook(vehicle, density=1.1 * vehicle.water.density_kg_m3)
    jets = [i for i, item in enumerate(vehicle.thrusters) if item.lag_on == "thrust"]
    for _ in range(20):
        now = situation(vehicle, rng)
        denser = now.thruster_states.copy()
        denser[jets] *= 1.1  # a lagged thrust is a state in newtons
        reference_forces = reference.forces(*now.arguments())
        heavy_forces = heavy.forces(*replace(now, thruster_states=denser).arguments())
        for name in ("added_mass", "coefficients", "crossflow", "lift_drag", "fins", "thrusters"):
            assert np.abs(reference_forces[name]).max() > 0.0
            np.testing.assert_allclose(heavy_forces[name], 1.1 * reference_forces[name], rtol=1e-12, atol=1e-11)
        np.testing.assert_array_equal(heavy_forces["rigid_body"], reference_forces["rigid_body"])
    at_rest = (np.zeros(6), (0, 0, 0), 0.0, *rest(PHOENIX))
    lift = Textbook(PHOENIX, density=1.1 * PHOENIX.water.density_kg_m3).forces(*at_rest)["restoring"][2]
    assert lift == pytest.approx(-0.1 * PHOENIX.body.mass_kg * PHOENIX.water.gravity_m_s2, rel=1e-12)


def test_rk4_is_of_fourth_order():
    twin = Textbook(PHOENIX)
    commands = Commands(np.array([700 * RPM] * 2 + [0.0] * 4), np.radians([10, -10, -5, 5]), np.zeros(0))
    start = twin.start([2 * FT, 0, 0, 0, 0, 0])
    ends = [np.concatenate([(s := twin.rk4(start, commands, 2.0 / n, n)).nu, s.euler]) for n in (5, 10, 40)]
    ratio = np.abs(ends[0] - ends[2]).max() / np.abs(ends[1] - ends[2]).max()
    assert 12.0 < ratio < 24.0  # 16 in the limit
