"""Hull in flow axes: by hand, against the twin; drag removes energy and lift does no work."""

from dataclasses import replace
from math import atan, atan2, cos, radians, sin, sqrt

import numpy as np
import pytest

from pelagos.vehicle.spec import LiftDrag
from tests.engine.probe import EVERY, TWIN, ball, differs_from_twin, plant_of, put, still, term, vehicle

WING = LiftDrag(1.0, 130.0, 2.0, 45.0, 20.0, -3.0, -4.0, 0.5, -60.0, -70.0, 10.0, -12.0)


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "lift_drag") < TWIN


@pytest.mark.parametrize("degrees", [-12.0, 0.0, 5.0])
def test_a_gliding_wing_in_the_vertical_plane(degrees):
    a, speed2 = radians(degrees), 0.25
    drag, lift = (2.0 + 45.0 * a * a) * speed2, (1.0 + 130.0 * a) * speed2
    force = term(ball(lift_drag=WING), "lift_drag", nu=[0.5 * cos(a), 0, 0.5 * sin(a), 0, 0.1, 0])
    expected = [-drag * cos(a) + lift * sin(a), 0, -drag * sin(a) - lift * cos(a)]
    np.testing.assert_allclose(force[:3], expected, rtol=1e-13, atol=1e-15)
    assert force[4] == pytest.approx((0.5 - 60.0 * a - 70.0 * 0.1) * speed2, rel=1e-13)


def test_sideslip_turns_the_axes():
    """Pure sway and surge: D along the flow, S across it, moments with beta = asin(v/U)."""
    u, v = 1.0, 0.2
    speed2, b = u * u + v * v, atan2(v, u)
    force = term(ball(lift_drag=replace(WING, lift_0=0.0)), "lift_drag", nu=[u, v, 0, 0.3, 0, -0.2])
    drag, side = 2.0 * speed2, 20.0 * b * speed2
    expected = [-drag * cos(b) - side * sin(b), -drag * sin(b) + side * cos(b), 0]
    np.testing.assert_allclose(force[:3], expected, rtol=1e-13, atol=1e-15)
    moments = [(-3.0 * b - 4.0 * 0.3) * speed2, 0.5 * speed2, (10.0 * b + 12.0 * 0.2) * speed2]
    np.testing.assert_allclose(force[3:], moments, rtol=1e-13)


def test_without_sideslip_only_incidence_turns_the_axes():
    flat = ball(lift_drag=LiftDrag(drag_0=2.0, side_b=9.0, yaw_b=3.0, sideslip=False))
    np.testing.assert_allclose(term(flat, "lift_drag", nu=[1.0, 0.5, 0, 0, 0, 0]), [-2.5, 0, 0, 0, 0, 0], atol=1e-15)


def test_lift_points_up_for_flow_from_below():
    force = term(ball(lift_drag=LiftDrag(lift_a=100.0)), "lift_drag", nu=[1.0, 0, 0.1, 0, 0, 0])
    assert force[2] == pytest.approx(-100.0 * atan(0.1) * 1.01 / sqrt(1.01), rel=1e-13)


@pytest.mark.parametrize("key", ["seawing", "slocum", "everything"])
def test_only_drag_does_work(key):
    """A6 for the forces: v . F = -(drag_0 + drag_aa alpha^2) U^3 below 0; lift and side force do none."""
    of, plant = vehicle(key), plant_of(key)
    wing = of.lift_drag
    assert wing is not None
    sideways = wing.sideslip
    for velocity in np.random.default_rng(9).normal(size=(200, 3)) * [0.5, 0.3 * sideways, 0.5]:
        force = put(plant, still(of, nu=np.array([*velocity, 0, 0, 0]))).forces()["lift_drag"][:3]
        alpha, speed = atan2(velocity[2], velocity[0]), float(np.linalg.norm(velocity))
        expected = -(wing.drag_0 + wing.drag_aa * alpha**2) * speed**3
        size = np.abs(force * velocity).sum()  # lift does work of both signs along x and z that cancels
        assert force @ velocity == pytest.approx(expected, abs=1e-12 * size)
        assert force @ velocity < 0.0


def test_nothing_at_rest_and_finite_in_pure_sway():
    wing = ball(lift_drag=WING)
    np.testing.assert_array_equal(term(wing, "lift_drag"), 0.0)
    sway = term(wing, "lift_drag", nu=[0, 0.5, 0, 0, 0, 0])
    assert sway[1] == pytest.approx(-2.0 * 0.25, rel=1e-9)  # beta = 90 deg: all drag, S along x
    assert np.all(np.isfinite(sway))
