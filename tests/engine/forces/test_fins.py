"""Fins by geometry: lift and stall ahead and astern, drag, wash, twin, passivity."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.vehicle.spec import ControlSurface, Fin, Thruster
from tests.engine.probe import EVERY, LIBRARY, RHO, TWIN, ball, differs_from_twin, plant_of, put, still, term, vehicle

PLANE = Fin("plane", 0, (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0), 0.01, 3.0, stall_rad=0.4)
SCREW = Thruster("screw", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), "rate", -100.0, 100.0, k_forward=0.02, k_reverse=0.02)
PRESSURE = 0.5 * RHO * 0.01  # rho/2 S
# The floor of 1e-9 m/s under the flow takes 1e-9 of the angle of attack at 1 m/s
FLOOR = 2e-9


def force(fin, nu, delta=0.0, shaft=0.0):
    """Wrench of one fin on a body that has nothing else but a screw."""
    body = ball(surfaces=(ControlSurface("planes", "ds", 1.0),), fins=(fin,), thrusters=(SCREW,))
    now = still(body, nu=np.asarray(nu, float), fin_angles=np.array([delta]), thruster_states=np.array([shaft]))
    return term(body, "fins", now)


@pytest.mark.parametrize("key", EVERY)
def test_equals_the_textbook(key):
    assert differs_from_twin(key, "fins") < TWIN


@pytest.mark.parametrize("u", [2.0, -2.0])
def test_lift_of_a_turned_fin_ahead_and_astern(u):
    size = PRESSURE * 4.0 * 3.0 * 0.1 * np.sign(u)
    np.testing.assert_allclose(force(PLANE, [u, 0, 0, 0, 0, 0], 0.1), [0, 0, -size, 0, -size, 0], rtol=FLOOR)


@pytest.mark.parametrize("u", [2.0, -2.0])
def test_a_fixed_fin_damps_pitch_both_ways(u):
    """q at x = -1 m gives 0.1 m/s of flow from below; the moment is against q whichever way the hull goes.

    C_L = 0.05 * 3.0: u^2 C_L along the normal, u v_n C_L along x, ahead.
    """
    computed = force(replace(PLANE, surface=-1), [u, 0, 0, 0, 0.1, 0])
    assert computed[4] == pytest.approx(-PRESSURE * 4.0 * 3.0 * 0.05, rel=FLOOR)
    assert computed[0] == pytest.approx(np.sign(u) * PRESSURE * 2.0 * 0.1 * 3.0 * 0.05, rel=FLOOR)


@pytest.mark.parametrize(
    ("delta", "lift"),
    [(0.2, 0.6), (0.4, 1.2), (0.7, 1.2 - 2.0 * 0.3), (-0.7, -0.6), (1.0, 0.0), (1.5, 0.0), (-1.5, 0.0)],
)
def test_stall(delta, lift):
    """Straight to 0.4 rad, then falling with -2 per rad, never lifting backwards."""
    stalling = replace(PLANE, slope_after_stall_1_rad=-2.0)
    z = force(stalling, [1.0, 0, 0, 0, 0, 0], delta)[2]
    assert z == pytest.approx(-PRESSURE * lift, rel=1e-8, abs=PRESSURE * 1e-8)


def test_drag_grows_with_the_angle_and_opposes_the_motion():
    draggy = replace(PLANE, drag_0=0.01, drag_a=0.2, drag_aa=1.0, position_b=(-1.0, 0.3, 0.2))
    for u in (2.0, -2.0):
        computed = force(draggy, [u, 0, 0, 0, 0, 0], 0.1)
        drag = PRESSURE * 4.0 * (0.01 + 0.02 + 0.01) * np.sign(u)
        assert computed[0] == pytest.approx(-drag, rel=1e-8)
        lift = -PRESSURE * 4.0 * 0.3 * np.sign(u)
        expected = [0.3 * lift, -0.2 * drag + lift, 0.3 * drag]  # r x F with r = (-1, 0.3, 0.2)
        np.testing.assert_allclose(computed[3:], expected, rtol=1e-8)


def test_gain_and_hull_flow():
    plain = force(PLANE, [2.0, 0, 0, 0, 0, 0], 0.1)
    np.testing.assert_allclose(force(replace(PLANE, gain=0.5), [2.0, 0, 0, 0, 0, 0], 0.1), 0.5 * plain, rtol=FLOOR)
    slow = force(replace(PLANE, hull_flow=0.8), [2.0, 0, 0, 0, 0, 0], 0.1)
    np.testing.assert_allclose(slow, 0.64 * plain, rtol=FLOOR)


def test_wash_of_the_shaft_works_at_rest():
    """hull_flow 0, slipstream = 0.04 m times the shaft rate (Gavia): 2 m/s at 50 rad/s."""
    washed = replace(PLANE, hull_flow=0.0, wash_thruster=0, wash_m=0.04)
    ahead = force(washed, np.zeros(6), 0.1, 50.0)
    np.testing.assert_allclose(ahead[2], -PRESSURE * 4.0 * 0.3, rtol=FLOOR)
    np.testing.assert_array_equal(force(washed, [2.0, 0, 0, 0, 0, 0], 0.1, 0.0), 0.0)


def test_wash_by_momentum_adds_to_the_square_of_the_flow():
    """u|u| grows by wash_momentum T: with 50 N and 0.1 (m/s)^2/N from 2 m/s to 3 m/s."""
    washed = replace(PLANE, wash_thruster=0, wash_momentum=0.1)
    lift = force(washed, [2.0, 0, 0, 0, 0, 0], 0.1, 50.0)[2]  # 0.02 * 50^2 = 50 N
    assert lift == pytest.approx(-PRESSURE * 9.0 * 0.3, rel=FLOOR)
    reversed_flow = force(washed, [1.0, 0, 0, 0, 0, 0], 0.1, -50.0)[2]  # 1 - 5: flow from astern of 2 m/s
    assert reversed_flow == pytest.approx(PRESSURE * 4.0 * 0.3, rel=FLOOR)


def test_oblique_fin_pushes_along_its_normal():
    leaning = replace(PLANE, normal_b=(0.0, 0.6, 0.8), position_b=(0.0, 0.0, 0.0))
    np.testing.assert_allclose(
        force(leaning, [1.0, 0, 0, 0, 0, 0], 0.1)[1:3], PRESSURE * 0.3 * np.array([0.6, 0.8]), rtol=FLOOR
    )
    side = force(leaning, [1.0, 0.1, 0, 0, 0, 0])[1:3]  # v_n = 0.06
    expected = -PRESSURE * 3.0 * 0.06
    np.testing.assert_allclose(side, expected * np.array([0.6, 0.8]), rtol=FLOOR)


def test_at_rest_in_cross_flow_the_stalled_fin_stays_finite():
    computed = force(replace(PLANE, surface=-1), [0, 0, 0.5, 0, 0, 0])
    np.testing.assert_array_equal(computed, 0.0)  # that drag is the hull's
    for u in (1e-6, -1e-6):  # and it stays smooth as the flow turns
        assert np.abs(force(replace(PLANE, surface=-1), [u, 0, 0.5, 0, 0, 0])).max() < 1e-4
    np.testing.assert_array_equal(force(PLANE, np.zeros(6), 0.3), 0.0)


@pytest.mark.parametrize("key", [key for key in LIBRARY if vehicle(key).fins])
def test_undeflected_fins_never_give_energy(key):
    """A6: lift stands across the flow and does no work, drag takes energy, ahead and astern."""
    of, plant = vehicle(key), plant_of(key)
    for nu in np.random.default_rng(3).normal(size=(200, 6)):
        parts = nu * put(plant, still(of, nu=nu)).forces()["fins"]
        assert parts.sum() <= 1e-8 * np.abs(parts).sum()  # the floor of 1e-9 m/s under the flow


@pytest.mark.parametrize("delta", [-0.3, 0.0, 0.1, 0.35])
def test_lift_does_no_work_whatever_the_deflection(delta):
    """A turned fin without drag on a body that moves in every way: nu . tau = 0."""
    for nu in np.random.default_rng(21).normal(size=(50, 6)):
        parts = nu * force(replace(PLANE, position_b=(-0.8, 0.2, 0.1)), nu, delta)
        assert abs(parts.sum()) <= 1e-8 * np.abs(parts).sum()  # rounding, and the floor of 1e-9 m/s under the flow


def test_flow_of_a_rolling_fin():
    """p at y = 0.3 m: the plane meets 0.03 m/s from below and damps roll."""
    plane = replace(PLANE, surface=-1, position_b=(0.0, 0.3, 0.0))
    computed = force(plane, [2.0, 0, 0, 0.1, 0, 0])
    lift = PRESSURE * 3.0 * 0.015
    z, x = -lift * 4.0, lift * 2.0 * 0.03
    np.testing.assert_allclose(computed, [x, 0, z, 0.3 * z, 0, -0.3 * x], rtol=FLOOR)
