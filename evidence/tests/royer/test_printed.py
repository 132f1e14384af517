"""The transcriptions by other routes: momentum differentiated, rotations multiplied, crosses taken."""

import numpy as np
import pytest

from pelagos_evidence.royer import printed

RNG = np.random.default_rng(4)
M, I, G = 400.0, np.array([30.0, 100.0, 100.0]), np.array([0.08, 0.05, 0.2])


def spin(axis, angle):
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def test_forces_and_moments_are_rates_of_momentum():
    nu, rate, h = RNG.normal(size=6), RNG.normal(size=6), 1e-5
    about_g = np.diag(printed.about_G(M, I, G))

    def momentum(t):  # in fixed axes that are those of the body at t = 0; about G
        now = nu + t * rate
        turned = spin(nu[3:], t * np.linalg.norm(nu[3:])) if np.linalg.norm(nu[3:]) else np.eye(3)
        return turned @ (M * (now[:3] + np.cross(now[3:], G))), turned @ (about_g @ now[3:])

    (p1, l1), (p0, l0) = momentum(h), momentum(-h)
    force, moment_g = (p1 - p0) / (2 * h), (l1 - l0) / (2 * h)
    np.testing.assert_allclose(printed.force_on_body(M, G, nu, rate), force, rtol=1e-6, atol=1e-4)
    np.testing.assert_allclose(printed.moment_about_G(np.diag(about_g), nu, rate), moment_g, rtol=1e-6, atol=1e-4)
    about_p = moment_g + np.cross(G, force)
    np.testing.assert_allclose(printed.moment_about_P(M, I, G, nu, rate), about_p, rtol=1e-6, atol=1e-4)
    assert np.abs(printed.moment_about_P(M, I, G, nu, rate, printed="2.2") - about_p).max() > 0.1  # R3


def test_the_turn_is_yaw_then_pitch_then_roll():
    psi, phi, theta = 0.4, -0.7, 1.1
    whole = spin((1, 0, 0), theta).T @ spin((0, 1, 0), phi).T @ spin((0, 0, 1), psi).T
    np.testing.assert_allclose(printed.turn(psi, phi, theta), whole, atol=1e-15)


def test_rates_are_each_others_inverse_and_the_prints_are_not():
    phi, theta, p, q, r = 0.5, -0.8, 0.3, 0.2, -0.4
    angles = printed.angle_rates(phi, theta, p, q, r)
    np.testing.assert_allclose(printed.body_rates(phi, theta, *angles), (p, q, r), atol=1e-15)
    assert abs(printed.body_rates(phi, theta, *angles, printed=True)[0] - p) > 0.01
    assert abs(printed.angle_rates(phi, theta, p, q, r, printed=True)[0] - angles[0]) > 0.01


def test_weight_is_down_and_its_moment_a_cross_product():
    phi, theta, at = 0.3, -0.6, np.array([0.1, 0.0, 0.2])
    down = printed.turn(0.0, phi, theta) @ (0.0, 0.0, 50.0)
    np.testing.assert_allclose(printed.weight(50.0, phi, theta), down, atol=1e-13)
    np.testing.assert_allclose(printed.weight_moment(50.0, at, phi, theta), np.cross(at, down), atol=1e-13)
    assert not np.allclose(printed.weight(50.0, phi, theta, printed=True), down)
    assert not np.allclose(printed.weight_moment(50.0, at, phi, theta, printed=True), np.cross(at, down))


def test_tether_and_thrusters_are_cross_products():
    F = RNG.normal(size=3)
    np.testing.assert_allclose(printed.tether_moment(0.3, -0.4, F), np.cross((0.3, 0.0, -0.4), F), atol=1e-15)
    P, (y12, z12, x3, z3, y56, x56) = RNG.normal(size=5), (0.5, 0.1, 0.2, -0.1, 0.4, 0.3)
    places = ((0.0, -y12, z12), (0.0, y12, z12), (x3, 0.0, z3), (x56, -y56, 0.0), (x56, y56, 0.0))
    ways = ((1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 1))
    whole = sum(
        np.concatenate([p * np.array(w), np.cross(r, p * np.array(w))]) for p, r, w in zip(P, places, ways, strict=True)
    )
    np.testing.assert_allclose(printed.thrusters(P, y12, z12, x3, z3, y56, x56), whole, atol=1e-14)


def test_drag_opposes_on_every_axis():
    v = np.array([1.0, -2.0, 0.5, 0.0, 3.0, -1.0])
    drag = printed.drag(np.full(6, 2.0), np.full(6, 3.0), v)
    np.testing.assert_allclose(drag, -2.0 * v * abs(v) - 3.0 * v)


@pytest.mark.parametrize("added", [np.zeros(6), np.array([250.0, 400.0, 400.0, 20.0, 100.0, 100.0])])
def test_the_two_sets_are_the_matrix_only_without_added_mass(added):
    at, nu, load = np.array([0.0, 0.0, 0.2]), 0.4 * RNG.normal(size=6), 100.0 * RNG.normal(size=6)
    still = np.zeros(6)
    coriolis = np.concatenate([printed.force_on_body(M, at, nu, still), printed.moment_about_P(M, I, at, nu, still)])
    exact = np.linalg.solve(printed.mass_matrix(M, I, added, at), load - coriolis)
    same = np.allclose(printed.sets_1_and_2(M, I, added, at, nu, load), exact, rtol=1e-9)
    assert same == (not added.any())


def test_the_printed_matrix_is_not_symmetric():
    right = printed.mass_matrix(M, I, np.zeros(6), G)
    np.testing.assert_array_equal(right, right.T)
    wrong = printed.mass_matrix(M, I, np.zeros(6), G, printed=True)
    assert wrong[3, 1] != wrong[1, 3] and wrong[3, 5] == 0.0
