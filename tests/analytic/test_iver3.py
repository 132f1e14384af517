"""E: the Iver3 of Hunt and Whitcomb."""

from dataclasses import replace
from math import pi, sqrt

import numpy as np
import pytest

from pelagos.vehicle.plant import Plant
from tests.engine.probe import put, still, term, vehicle

IVER3 = vehicle("iver3")


def jacobian(of, u):
    """d(nu-dot, phi-dot, theta-dot)/d(nu, phi, theta) at a level run, by central differences of Plant.acceleration.

    The step is small because w|w| has no slope at 0 but h across +-h: 1210 h/69.5 must stay below the tolerance.
    """
    plant, h, columns = Plant(of), 1e-8, []
    for i in range(8):
        ends = []
        for sign in (1, -1):
            x = np.zeros(8)
            x[0] = u
            x[i] += sign * h
            now = still(of, nu=x[:6], euler=np.array([x[6], x[7], 0.0]), depth=50.0)
            rates = [x[3] + x[5] * np.tan(x[7]), x[4] * np.cos(x[6]) - x[5] * np.sin(x[6])]
            ends.append(np.append(put(plant, now).acceleration(), rates))
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns).T


def test_E1_level_rise():
    rising = Plant(replace(IVER3, free=(False, False, True, False, False, False)))
    rising.place(position_n=(0, 0, 100.0))
    rising.advance(0.05, 6000)
    assert rising.nu[2] == pytest.approx(-sqrt(3.53 / 1210.0), rel=1e-9)
    assert rising.nu[2] == pytest.approx(-0.0540125, abs=5e-8)


def test_E2_thrust_at_cruise():
    drag = term(IVER3, "coefficients", nu=np.array([1.3, 0, 0, 0, 0, 0]))[0]
    assert -drag == pytest.approx(27.04, rel=1e-12)


@pytest.mark.parametrize(("axis", "quoted"), [(3, 7.9078), (4, 18.5710)])
def test_E3_periods(axis, quoted):
    """2 pi sqrt(M/12.5 N m per rad): a quarter period after release from 1e-3 rad the vehicle is level."""
    exact = 2 * pi * sqrt((19.8 if axis == 3 else 109.2) / 12.5)
    assert exact == pytest.approx(quoted, abs=5e-5)
    # the drag of 70 (404) N m per (rad/s)^2 at some 1e-3 rad/s does not show
    free = tuple(i == axis for i in range(6))
    plant = Plant(replace(IVER3, free=free))
    angles = [0.0, 0.0, 0.0]
    angles[axis - 3] = 1e-6
    plant.place(euler=tuple(angles))
    plant.advance(exact / 400.0, 100)
    # quadratic drag at this angle leaves 1.2e-6 of it
    assert plant.euler[axis - 3] == pytest.approx(0.0, abs=1e-6 * 2e-6)
    assert plant.nu[axis] == pytest.approx(-1e-6 * 2 * pi / exact, rel=1e-4)


def test_E7_open_loop_roots():
    """At 1.3 m/s: +-0.46936 in sway and yaw, +-0.31495 in heave and pitch; no linear damping in the table."""
    a = jacobian(IVER3, 1.3)
    lateral = np.linalg.eigvals(a[np.ix_([1, 5], [1, 5])])
    np.testing.assert_allclose(sorted(lateral.real), [-0.46936, 0.46936], atol=1e-5)
    vertical = np.linalg.eigvals(a[np.ix_([2, 4, 7], [2, 4, 7])])
    np.testing.assert_allclose(sorted(vertical.real), [-0.31495, 0.0, 0.31495], atol=1e-5)
    np.testing.assert_allclose(vertical.imag, 0.0, atol=1e-6)
