"""Dead reckoning against numerical integration of its definition, closed forms, and the matrices of the standard."""

import math

import numpy as np
import pytest

from pelagos.dead_reckoning import (
    ACCELERATED,
    ALGORITHMS,
    IN_BODY_AXES,
    TURNING,
    check_algorithm,
    coefficients,
    reckon,
)
from pelagos.errors import CommandError
from pelagos.frames import angle_between, quaternion_from_euler, quaternion_product, rotation_from_quaternion
from pelagos.geodesy import Origin

RNG = np.random.default_rng(7)
POSITION = np.array([10.0, -20.0, 5.0])
ATTITUDE = quaternion_from_euler(0.3, -0.4, 2.0)
V, A, W = np.array([1.2, -0.4, 0.3]), np.array([0.2, 0.5, -0.1]), np.array([0.3, -0.5, 0.7])


def integrated(algorithm, t, n=4000):
    """p' = velocity in world axes, q' = q (0, w) / 2, by Runge-Kutta: the definitions, step by step."""
    turning, body, accelerated = algorithm in TURNING, algorithm in IN_BODY_AXES, algorithm in ACCELERATED
    w = W if turning else np.zeros(3)

    def rate(s, y):
        v = np.zeros(3) if algorithm == 1 else V + (s * A if accelerated else 0.0)
        go = rotation_from_quaternion(y[3:]) @ v if body else v
        return np.concatenate([go, 0.5 * quaternion_product(y[3:], np.array([0.0, *w]))])

    y, h = np.concatenate([POSITION, ATTITUDE]), t / n
    for k in range(n):
        s = k * h
        k1 = rate(s, y)
        k2 = rate(s + h / 2, y + h / 2 * k1)
        k3 = rate(s + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(s + h, y + h * k3))
    return y[:3], y[3:]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_each_algorithm_is_the_integral_of_its_definition(algorithm):
    place, attitude = reckon(algorithm, 4.0, POSITION, ATTITUDE, V, A, W)
    where, turned = integrated(algorithm, 4.0, 800)
    # Runge-Kutta of 5 ms steps is good to (0.005 * 0.9)^4, 4e-10 of the motion; k2 and k3 share one midpoint
    assert place == pytest.approx(where, abs=1e-8)
    assert angle_between(attitude, turned) < 1e-8
    assert np.linalg.norm(attitude) == pytest.approx(1.0, abs=1e-14)


def test_a_steady_turn_is_a_circle():
    """u and r constant: radius u / r, back where it began after a full turn, a diameter away after half of one."""
    u, r = 1.5, 0.25
    for algorithm in (7, 8):
        half, attitude = reckon(algorithm, math.pi / r, (0, 0, 0), (1, 0, 0, 0), (u, 0, 0), (0, 0, 0), (0, 0, r))
        assert half == pytest.approx([0.0, 2.0 * u / r, 0.0], abs=1e-12)
        assert angle_between(attitude, quaternion_from_euler(0.0, 0.0, math.pi)) < 1e-12
        back, _ = reckon(algorithm, 2.0 * math.pi / r, (0, 0, 0), (1, 0, 0, 0), (u, 0, 0), (0, 0, 0), (0, 0, r))
        assert back == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_speeding_up_in_a_turn_is_the_integral_of_the_spiral():
    """u = a t at turn rate r: x = a (cos h + h sin h - 1) / r^2, y = a (sin h - h cos h) / r^2 with h = r t."""
    a, r, t = 0.3, 0.4, 3.0
    place, _ = reckon(8, t, (0, 0, 0), (1, 0, 0, 0), (0, 0, 0), (a, 0, 0), (0, 0, r))
    h = r * t
    x, y = a / r**2 * (math.cos(h) + h * math.sin(h) - 1.0), a / r**2 * (math.sin(h) - h * math.cos(h))
    assert place == pytest.approx([x, y, 0.0], rel=1e-13)


@pytest.mark.parametrize("h", [1e-12, 1e-6, 1e-3, 0.1, 0.499, 0.501, 1.0, 6.0])
def test_the_matrices_are_those_of_the_standard(h):
    """IEEE 1278.1 annex E writes R1 and R2 with w w^T; in wide numbers, so that small angles lose nothing there."""
    axis = np.array([0.6, -0.48, 0.64], np.longdouble)
    w, t = axis * np.longdouble(h), np.longdouble(1)
    n = np.sqrt((w * w).sum())
    Wx = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    s, c, outer, eye = np.sin(n * t), np.cos(n * t), np.outer(w, w), np.eye(3, dtype=np.longdouble)
    R1 = (n * t - s) / n**3 * outer + s / n * eye + (1 - c) / n**2 * Wx
    R2 = (
        (n**2 * t**2 / 2 - c - n * t * s + 1) / n**4 * outer
        + (c + n * t * s - 1) / n**2 * eye
        + (s - n * t * c) / n**3 * Wx
    )
    # the differences of the standard lose n^-4 of the 1e-19 of these numbers, ours nothing
    slack = 1e-13 + 1e-18 / h**4
    if slack > 0.1:
        R1, R2, slack = eye + Wx / 2, eye / 2 + Wx / 3, 1e-13 + h * h  # the first terms of the limit
    for k in range(3):
        e = np.eye(3)[k]
        moved, _ = reckon(7, 1.0, (0, 0, 0), (1, 0, 0, 0), e, (0, 0, 0), w.astype(float))
        assert moved == pytest.approx(R1[:, k].astype(float), abs=slack)
        moved, _ = reckon(8, 1.0, (0, 0, 0), (1, 0, 0, 0), (0, 0, 0), e, w.astype(float))
        assert moved == pytest.approx(R2[:, k].astype(float), abs=slack)


def test_series_and_closed_form_meet_where_one_gives_way_to_the_other():
    below, above = coefficients(0.5 - 1e-15), coefficients(0.5)
    assert below == pytest.approx(above, rel=1e-13)  # the closed form has lost h^-4 = 16 of its 1e-16
    assert coefficients(0.0) == pytest.approx((1 / 2, 1 / 6, 1 / 3, 1 / 8), rel=1e-15)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_ned_and_geocentric_axes_agree(algorithm):
    """Reckoned in NED and carried to the earth, or carried first and reckoned there."""
    origin = Origin(-33.9, 151.2)
    place, attitude = reckon(algorithm, 7.0, POSITION, ATTITUDE, V, A, W)
    R_en = origin.R_en
    turn = np.eye(3) if algorithm in IN_BODY_AXES else R_en
    q_en = _quaternion(R_en)
    there, turned = reckon(
        algorithm, 7.0, origin.to_geocentric(POSITION), quaternion_product(q_en, ATTITUDE), turn @ V, turn @ A, W
    )
    assert there == pytest.approx(origin.to_geocentric(place), abs=1e-8)  # one bit of 6e6 m is 1e-9 m
    assert angle_between(turned, quaternion_product(q_en, attitude)) < 1e-12


def test_time_runs_back_too():
    for algorithm in (2, 3, 6, 7):  # without acceleration, rates and velocity are the same at both ends
        place, attitude = reckon(algorithm, 3.0, POSITION, ATTITUDE, V, A, W)
        back, first = reckon(algorithm, -3.0, place, attitude, V, A, W)
        assert back == pytest.approx(POSITION, abs=1e-12)
        assert angle_between(first, ATTITUDE) < 1e-12


@pytest.mark.parametrize("wrong", [0, 10, -1, True, 4.0, "RVW", None])
def test_an_algorithm_is_one_of_nine(wrong):
    with pytest.raises(CommandError, match="expected one of 1 static, 2 FPW"):
        check_algorithm(wrong)
    assert check_algorithm(8) == 8


def _quaternion(R):
    """Largest component first, from the trace and the diagonal."""
    w = 0.5 * math.sqrt(max(0.0, 1.0 + np.trace(R)))
    x, y, z = (0.5 * math.sqrt(max(0.0, 1.0 + 2.0 * R[k, k] - np.trace(R))) for k in range(3))
    signs = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    x, y, z = (math.copysign(value, sign) for value, sign in zip((x, y, z), signs, strict=True))
    q = np.array([w, x, y, z])
    assert np.allclose(rotation_from_quaternion(q), R, atol=1e-12)
    return q / np.linalg.norm(q)
