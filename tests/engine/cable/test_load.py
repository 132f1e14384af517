"""Drag on a piece of cable and its derivatives, by hand and against differences."""

import math

import numpy as np
import pytest

from tests.engine.chain_probe import ask_drag, ask_uniaxial

CN, CT = 12.3, 1.6  # N/m per (m/s)^2


def drag(u, t):
    force, by_u, by_t = np.zeros(3), np.zeros(9), np.zeros(9)
    ask_drag(CN, CT, np.asarray(u, float), np.asarray(t, float), force, by_u, by_t)
    return force, by_u.reshape(3, 3), by_t.reshape(3, 3)


@pytest.mark.parametrize(
    ("u", "t", "expected"),
    [
        ((2.0, 0.0, 0.0), (0.0, 0.0, 1.0), (4.0 * CN, 0.0, 0.0)),  # across
        ((0.0, 0.0, -2.0), (0.0, 0.0, 1.0), (0.0, 0.0, -4.0 * CT)),  # along, backwards
        # 45 degrees: each part is sqrt(2) m/s, 2 CN across, 2 CT along
        (
            (2.0, 0.0, 0.0),
            (math.sqrt(0.5), math.sqrt(0.5), 0.0),
            (math.sqrt(2.0) * (CN + CT), math.sqrt(2.0) * (CT - CN), 0.0),
        ),
        ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0)),
    ],
)
def test_force_by_hand(u, t, expected):
    np.testing.assert_allclose(drag(u, t)[0], expected, rtol=1e-14, atol=1e-13)  # rounding of a few products


def samples():
    rng = np.random.default_rng(7)
    for _ in range(30):
        t = rng.normal(size=3)
        yield rng.normal(size=3), t / np.linalg.norm(t), rng.normal(size=3)


def test_derivative_by_the_velocity():
    """Central differences of 1e-6 err by 1e-12 of the third derivative and 1e-10 by rounding: 1e-7 leaves room."""
    for u, t, way in samples():
        difference = (drag(u + 1e-6 * way, t)[0] - drag(u - 1e-6 * way, t)[0]) / 2e-6
        np.testing.assert_allclose(drag(u, t)[1] @ way, difference, rtol=1e-7, atol=1e-7)


def test_derivative_by_the_turning_of_the_cable():
    """By the vector from end to end, at length 1: t = d/|d|. Tolerance as above."""
    for u, t, way in samples():
        forces = []
        for step in (1e-6, -1e-6):
            d = t + step * way
            forces.append(drag(u, d / np.linalg.norm(d))[0])
        np.testing.assert_allclose(drag(u, t)[2] @ way, (forces[0] - forces[1]) / 2e-6, rtol=1e-7, atol=1e-7)


def test_lengthening_does_not_turn():
    for u, t, _ in samples():
        np.testing.assert_allclose(drag(u, t)[2] @ t, 0.0, atol=1e-12)


@pytest.mark.parametrize("u", [(0.0, 0.0, 0.0), (0.0, 0.0, 1.3)])
def test_finite_where_the_flow_has_no_part_across(u):
    """|Un| has no derivative there; the force has, and it is that of the tangential part alone."""
    force, by_u, by_t = drag(u, (0.0, 0.0, 1.0))
    np.testing.assert_allclose(by_u, np.diag([0.0, 0.0, 2.0 * CT * abs(u[2])]), atol=1e-12)
    np.testing.assert_allclose(by_t, np.diag([1.0, 1.0, 0.0]) * CT * u[2] ** 2, atol=1e-12)
    np.testing.assert_allclose(force, (0.0, 0.0, CT * u[2] ** 2), atol=1e-12)


def test_along_and_across():
    for _, t, way in samples():
        out = np.zeros(9)
        ask_uniaxial(t, 3.0, 5.0, out)
        along = (way @ t) * t
        np.testing.assert_allclose(out.reshape(3, 3) @ way, 3.0 * along + 5.0 * (way - along), atol=1e-13)
