"""Conversions against closed forms and against rotation matrices, which are independent of the quaternion formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.links.ros import frames
from pelagos.links.ros.frames import enu, flu, quaternion_enu

angle = st.floats(-math.pi, math.pi)
NEAR = 1e-12  # a handful of products of numbers of size 1 in double precision


def matrix(q):
    """Rotation of (x, y, z, w) by rotating the unit vectors: v + 2 w (u x v) + 2 u x (u x v)."""
    u, w = np.asarray(q[:3]), q[3]
    columns = [v + 2.0 * w * np.cross(u, v) + 2.0 * np.cross(u, np.cross(u, v)) for v in np.eye(3)]
    return np.column_stack(columns)


def test_north_east_down_becomes_east_north_up():
    assert enu([1.0, 2.0, 3.0]).tolist() == [2.0, 1.0, -3.0]
    assert enu(enu([4.0, 5.0, 6.0])).tolist() == [4.0, 5.0, 6.0]


def test_starboard_and_down_become_left_and_up():
    assert flu([1.0, 2.0, 3.0]).tolist() == [1.0, -2.0, -3.0]
    assert flu(flu([4.0, 5.0, 6.0])).tolist() == [4.0, 5.0, 6.0]


@pytest.mark.parametrize(("heading", "yaw"), [(0.0, 90.0), (90.0, 0.0), (180.0, -90.0), (45.0, 45.0), (270.0, 180.0)])
def test_yaw_is_ninety_degrees_minus_the_heading(heading, yaw):
    x, y, z, w = quaternion_enu(quaternion_from_euler(0.0, 0.0, math.radians(heading)))
    half = math.radians(yaw) / 2.0
    assert abs(z * math.sin(half) + w * math.cos(half)) == pytest.approx(1.0, abs=NEAR)  # q and -q are one
    assert (x, y) == pytest.approx((0.0, 0.0), abs=NEAR)
    computed = frames.heading_deg((x, y, z, w))
    assert 0.0 <= computed < 360.0
    assert math.remainder(computed - heading, 360.0) == pytest.approx(0.0, abs=1e-9)


def test_a_bow_that_is_up_points_up_and_has_a_negative_pitch():
    q = quaternion_enu(quaternion_from_euler(0.0, math.radians(20.0), math.radians(90.0)))
    bow = matrix(q)[:, 0]
    assert bow == pytest.approx([math.cos(math.radians(20.0)), 0.0, math.sin(math.radians(20.0))], abs=NEAR)
    x, y, z, w = q
    assert math.asin(2.0 * (w * y - z * x)) == pytest.approx(math.radians(-20.0))  # zyx pitch of ROS


@given(angle, angle, angle)
def test_quaternions_agree_with_matrices(phi, theta, psi):
    R_nb = rotation_from_euler(phi, theta, psi)
    P = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]])
    F = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]])
    q = quaternion_enu(quaternion_from_euler(phi, theta, psi))
    assert np.abs(matrix(q) - P @ R_nb @ F).max() < NEAR
    assert q[3] >= 0.0
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=NEAR)


@given(angle, angle, angle, st.lists(st.floats(-10.0, 10.0), min_size=3, max_size=3))
def test_a_velocity_is_the_same_by_both_ways(phi, theta, psi, v_b):
    """Body to NED to ENU, and body to FLU to ENU."""
    by_vector = enu(rotation_from_euler(phi, theta, psi) @ v_b)
    other = matrix(quaternion_enu(quaternion_from_euler(phi, theta, psi))) @ flu(v_b)
    assert np.abs(by_vector - other).max() < 1e-10  # m/s of tens of m/s


@given(angle, angle, angle)
def test_a_matrix_becomes_its_quaternion(phi, theta, psi):
    R = rotation_from_euler(phi, theta, psi)
    assert np.abs(matrix(frames.quaternion_of(R)) - R).max() < NEAR


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_half_turns_have_a_quaternion_too(axis):
    R = -np.eye(3)
    R[axis, axis] = 1.0
    assert np.abs(matrix(frames.quaternion_of(R)) - R).max() < NEAR


def test_covariances_follow_samples():
    """The covariance of converted samples is the converted covariance: linear, so exact but for rounding."""
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((50, 3)) @ rng.standard_normal((3, 3))
    S = np.cov(samples.T)
    assert np.abs(np.cov(enu(samples).T) - frames.covariance_enu(S)).max() < 1e-12
    assert np.abs(np.cov(flu(samples).T) - frames.covariance_flu(S)).max() < 1e-12


def test_six_by_six_covariances_stand_row_by_row():
    S = np.array(frames.covariance_6(np.diag([1.0, 2.0, 3.0]), np.full((3, 3), 7.0))).reshape(6, 6)
    assert S[:3, :3].tolist() == np.diag([1.0, 2.0, 3.0]).tolist()
    assert (S[3:, 3:] == 7.0).all() and not S[:3, 3:].any() and not S[3:, :3].any()
