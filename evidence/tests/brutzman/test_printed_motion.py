"""The typed-in right-hand sides by themselves: hand calculations and what each misprint changes."""

import math

import numpy as np
import pytest

from pelagos_evidence.brutzman.printed import (
    MENDED,
    State,
    crossflow_integrals,
    crossflow_speed,
    propeller_force,
    propulsion,
    right_hand_sides,
    thruster_force,
)
from pelagos_evidence.brutzman.printed_tables import corrected

C = corrected()
LEVEL = np.zeros(3)


def at(nu=(0, 0, 0, 0, 0, 0), **more):
    return State(np.array(nu, dtype=float), more.pop("angles", LEVEL), **more)


def test_at_rest_nothing_acts_and_read_literally_nothing_is_defined():
    np.testing.assert_array_equal(right_hand_sides(at(), C), 0.0)
    assert np.isnan(right_hand_sides(at(), C, MENDED - {"B57"})[1])


def test_drag_and_thrust_at_the_design_point():
    """2 ft/s and 700 rpm: rho/2 L^2 C_d0 4 = 1.6096 lb each way."""
    assert right_hand_sides(at((2, 0, 0, 0, 0, 0)), C)[0] == pytest.approx(-1.609552, abs=1e-5)
    assert propulsion(np.full(2, 700.0), 2.0, C) == pytest.approx(0.0, abs=1e-12)
    assert propeller_force(700.0, 2.0, C) == pytest.approx(0.804776, abs=1e-6)
    assert propeller_force(700.0, 2.0, C, frozenset()) == pytest.approx(0.804776 - 1.609552, abs=1e-6)


def test_righting():
    """Rolled and pitched by 0.1 rad: z_G W = 38.7875 ft lb per radian."""
    K = right_hand_sides(at(angles=np.array([0.1, 0.0, 0.0])), C)[3]
    assert pytest.approx(-38.7875 * math.sin(0.1), rel=1e-6) == K


def test_sway_drag_of_the_side_area():
    """v = 1 ft/s: rho/2 C_dy 5.281285 ft2; with height and breadth exchanged the plan area instead."""
    state = at((0, 1, 0, 0, 0, 0))
    assert crossflow_integrals(state, C)[0] == pytest.approx(0.5 * 5.281285, rel=1e-6)
    assert crossflow_integrals(state, C, MENDED - {"B22"})[0] == pytest.approx(0.5 * 9.598507, rel=1e-6)
    assert crossflow_speed(2.0, 1.0, 0.5, 0.1, 0.2) == pytest.approx(math.hypot(1.4, 0.3))


@pytest.mark.parametrize(
    ("misprint", "axis", "state"),
    [
        ("B44", 2, at(volts=np.array([24.0, 24.0, 0, 0]))),
        ("B54", 5, at((0, 0.5, 0.5, 0, 0, 0.2))),
        ("B58", 1, at((-1, 0.5, 0, 0, 0, 0))),
    ],
)
def test_a_misprint_changes_its_own_equation(misprint, axis, state):
    change = right_hand_sides(state, C, MENDED - {misprint}) - right_hand_sides(state, C)
    assert abs(change[axis]) > 0.1


def test_thrusters():
    assert thruster_force(24.0) == 2.0
    assert thruster_force(-12.0) == -0.5
    both = right_hand_sides(at(volts=np.array([24.0, 0, 0, 24.0])), C)
    np.testing.assert_allclose(both, [0, 2.0, 2.0, 0, -1.41 * 2.0, -1.92 * 2.0], atol=1e-12)
