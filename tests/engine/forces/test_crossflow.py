"""Strips: one strip by hand, twin, passivity, rest, curves."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from pelagos.vehicle.spec import Crossflow
from tests.engine.probe import EVERY, LIBRARY, RHO, TWIN, ball, differs_from_twin, plant_of, put, still, term, vehicle

STRIP = Crossflow((2.0,), (0.5,), (0.4,), (1.5,), (1.1,), (0.9,))
NU = np.array([0.7, 0.1, -0.3, 0.5, 0.1, 0.15])
A, B = 0.1 + 2 * 0.15, -0.3 - 2 * 0.1  # side and down velocity of the strip
STRIPPED = [key for key in LIBRARY if vehicle(key).crossflow]


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "crossflow") < TWIN


def test_one_strip_in_oblique_flow():
    each = 0.5 * RHO * 1.5 * (1.1 * 0.5 * A * A + 0.9 * 0.4 * B * B) / sqrt(A * A + B * B)
    expected = [0, -each * A, -each * B, 0, 2 * each * B, -2 * each * A]
    np.testing.assert_allclose(term(ball(crossflow=STRIP), "crossflow", nu=NU), expected, rtol=1e-14)


def test_planes_apart():
    y = -0.5 * RHO * 1.5 * 1.1 * 0.5 * A * abs(A)
    z = -0.5 * RHO * 1.5 * 0.9 * 0.4 * B * abs(B)
    apart = ball(crossflow=replace(STRIP, flow="independent"))
    np.testing.assert_allclose(term(apart, "crossflow", nu=NU), [0, y, z, 0, -2 * z, 2 * y], rtol=1e-14)


def test_guard_of_a_published_program():
    speed = sqrt(A * A + B * B)
    plain = term(ball(crossflow=STRIP), "crossflow", nu=NU)
    guarded = term(ball(crossflow=replace(STRIP, guard_m_s=0.1)), "crossflow", nu=NU)
    np.testing.assert_allclose(guarded, plain * speed / (speed + 0.1), rtol=1e-14)


@pytest.mark.parametrize(
    ("speed", "factor"),
    [(0.0, 2.0), (0.5, 2.0), (1.0, 2.0), (1.5, 3.0), (1.999999, 3.999998), (2.0, 1.0), (9.0, 1.0)],
)
def test_drag_curve_is_straight_between_points_and_jumps_where_two_meet(speed, factor):
    strip = Crossflow((0.0,), (1.0,), (1.0,), (1.0,), (1.0,), (1.0,), curve=((1.0, 2.0), (2.0, 4.0), (2.0, 1.0)))
    force = term(ball(crossflow=strip), "crossflow", nu=[0, speed, 0, 0, 0, 0])
    assert force[1] == pytest.approx(-0.5 * RHO * factor * speed**2, rel=1e-12)


def test_drag_is_quadratic_down_to_the_smallest_flow():
    """No epsilon in the denominator: at 1e-9 m/s the force still is the square law (errata B57)."""
    slow = term(ball(crossflow=STRIP), "crossflow", nu=1e-9 * NU)
    np.testing.assert_allclose(slow, 1e-18 * term(ball(crossflow=STRIP), "crossflow", nu=NU), rtol=1e-12)


@pytest.mark.parametrize("key", [*STRIPPED, "everything"])
def test_no_force_at_rest(key):
    """C16: exactly zero, and pytest turns any warning into an error."""
    np.testing.assert_array_equal(put(plant_of(key), still(vehicle(key))).forces()["crossflow"], 0.0)


def test_neither_rolling_nor_going_ahead_meets_strips():
    np.testing.assert_array_equal(term(ball(crossflow=STRIP), "crossflow", nu=[3.0, 0, 0, 2.0, 0, 0]), 0.0)


@pytest.mark.parametrize("key", [*STRIPPED, "everything"])
def test_never_gives_energy(key):
    """A6: each strip's force opposes its velocity, so the power is below zero for every motion."""
    of, plant = vehicle(key), plant_of(key)
    for nu in np.random.default_rng(8).normal(size=(200, 6)):
        parts = nu * put(plant, still(of, nu=nu)).forces()["crossflow"]
        assert parts.sum() < 0.0
