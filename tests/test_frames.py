"""Attitude conversions: round trips, poles, half turns, Hamilton's product, transforms."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos import frames
from tests.reference import kinematics as kin

ROLL = st.floats(-3.14, 3.14)
PITCH = st.floats(-1.5, 1.5)


@given(ROLL, PITCH, ROLL)
def test_rotations_of_euler_angles_and_of_their_quaternion_agree(phi, theta, psi):
    r = frames.rotation_from_euler(phi, theta, psi)
    np.testing.assert_allclose(r, kin.rotation(phi, theta, psi), atol=1e-15)
    # nine sums of three products of numbers below 1
    np.testing.assert_allclose(
        frames.rotation_from_quaternion(frames.quaternion_from_euler(phi, theta, psi)), r, atol=2e-15
    )
    np.testing.assert_allclose(r.T @ r, np.eye(3), atol=2e-15)
    assert np.linalg.det(r) == pytest.approx(1.0, abs=2e-15)


@given(ROLL, PITCH, ROLL)
def test_angles_come_back(phi, theta, psi):
    angles = frames.euler_from_quaternion(frames.quaternion_from_euler(phi, theta, psi))
    # near the pole roll and yaw are known to rounding over cos(theta) >= 0.07
    np.testing.assert_allclose(angles, (phi, theta, psi), atol=2e-14)


@pytest.mark.parametrize(("phi", "theta", "psi"), [(0.0, 0.0, pi), (pi, 0.0, 0.0), (pi, 0.2, 0.4), (0.3, -0.2, -pi)])
def test_half_turns_survive(phi, theta, psi):
    """Errata B13: arccos with a sign loses psi = pi; +pi and -pi are one angle."""
    angles = frames.euler_from_quaternion(frames.quaternion_from_euler(phi, theta, psi))
    for angle, expected in zip(angles, (phi, theta, psi), strict=True):
        assert abs(frames.wrap_angle(angle - expected)) < 1e-15


@pytest.mark.parametrize(("theta", "sign"), [(pi / 2, -1), (-pi / 2, 1)])
def test_poles_keep_what_exists(theta, sign):
    """Errata B10: nose up only phi - psi exists, nose down only phi + psi; arctan2 keeps the digits of pitch."""
    phi, psi = 0.3, 1.1
    angles = frames.euler_from_quaternion(frames.quaternion_from_euler(phi, theta, psi))
    assert angles[0] == 0.0
    assert angles[1] == pytest.approx(theta, abs=1e-15)
    assert angles[0] + sign * angles[2] == pytest.approx(phi + sign * psi, abs=1e-15)


def test_hamilton_product():
    """Errata B11: (6.64) prints 1 * j = -j and i * j = -k."""
    identity, i, j, k = np.eye(4)
    np.testing.assert_array_equal(frames.quaternion_product(identity, j), j)
    np.testing.assert_array_equal(frames.quaternion_product(i, j), k)
    np.testing.assert_array_equal(frames.quaternion_product(j, i), -k)
    a, b = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in np.random.default_rng(17).normal(size=(2, 50, 4)))
    product = frames.quaternion_product(a, b)
    np.testing.assert_allclose(np.linalg.norm(product, axis=1), 1.0, atol=4e-16)
    rotations = frames.rotation_from_quaternion(a) @ frames.rotation_from_quaternion(b)
    np.testing.assert_allclose(frames.rotation_from_quaternion(product), rotations, atol=2e-15)


def test_a_quaternion_and_its_negative_are_one_attitude():
    """Errata B14; the angle between two attitudes is that of the turn from one to the other."""
    q = frames.quaternion_from_euler(0.3, -0.7, 2.0)
    assert frames.angle_between(q, -q) == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(frames.euler_from_quaternion(-q), (0.3, -0.7, 2.0), atol=1e-15)
    turned = frames.quaternion_product(q, frames.quaternion_from_euler(0.0, 0.0, 1e-6))
    assert frames.angle_between(q, turned) == pytest.approx(1e-6, rel=1e-9)  # small angles keep their digits


def test_quaternions_need_not_be_normalised():
    q = frames.quaternion_from_euler(0.3, -0.7, 2.0)
    np.testing.assert_allclose(frames.rotation_from_quaternion(3.0 * q), frames.rotation_from_quaternion(q), atol=1e-15)


def test_a_whole_log_converts_at_once():
    euler = np.random.default_rng(18).uniform(-1.4, 1.4, (7, 5, 3))
    q = frames.quaternion_from_euler(*np.moveaxis(euler, -1, 0))
    assert q.shape == (7, 5, 4)
    assert frames.rotation_from_euler(*np.moveaxis(euler, -1, 0)).shape == (7, 5, 3, 3)
    np.testing.assert_allclose(frames.euler_from_quaternion(q), euler, atol=1e-14)


def test_transforms_take_points_to_the_world():
    q, place = frames.quaternion_from_euler(0.3, -0.7, 2.0), np.array([10.0, -20.0, 5.0])
    t = frames.transform(place, q)
    point = np.array([1.0, 2.0, 3.0, 1.0])
    expected = place + frames.rotation_from_quaternion(q) @ point[:3]
    np.testing.assert_allclose((t @ point)[:3], expected, atol=1e-14)


@pytest.mark.parametrize(
    ("angle", "expected"), [(0.0, 0.0), (pi, pi), (-pi, pi), (3 * pi, pi), (pi + 0.1, -pi + 0.1), (-7.0, -7.0 + 2 * pi)]
)
def test_wrap(angle, expected):
    assert frames.wrap_angle(angle) == pytest.approx(expected, abs=1e-14)
