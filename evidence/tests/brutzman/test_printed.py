"""The printed equations as typed in: closed forms and hand calculations, and the effect of each misprint."""

import math

import numpy as np
import pytest

from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.general import coefficients
from pelagos_evidence.brutzman.printed import (
    MENDED,
    State,
    crossflow_integrals,
    crossflow_speed,
    expanded,
    left_hand_sides,
    mass_matrix,
    previous_surge,
    propeller_force,
    propulsion,
    right_hand_sides,
    thruster_force,
    x_prop,
)
from pelagos_evidence.brutzman.printed_tables import corrected


def test_single_rotations():
    """90 deg of yaw turns the bow from north to east, of pitch up, of roll turns starboard down."""
    quarter = math.pi / 2.0
    np.testing.assert_allclose(printed.rotation_entries(0, 0, quarter) @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(printed.rotation_entries(0, quarter, 0) @ [1, 0, 0], [0, 0, -1], atol=1e-15)
    np.testing.assert_allclose(printed.rotation_entries(quarter, 0, 0) @ [0, 1, 0], [0, 0, 1], atol=1e-15)


def test_entries_are_the_product():
    np.testing.assert_allclose(
        printed.rotation_entries(0.3, -0.7, 2.1), printed.rotation_product(0.3, -0.7, 2.1), atol=1e-15
    )


def test_rates_there_and_back():
    rates = printed.angle_rates(0.4, 0.9, 0.1, -0.2, 0.3)
    np.testing.assert_allclose(printed.rates_matrix(0.4, 0.9) @ [0.1, -0.2, 0.3], rates, atol=1e-15)
    np.testing.assert_allclose(printed.body_rates(0.4, 0.9, *rates), [0.1, -0.2, 0.3], atol=1e-15)
    np.testing.assert_allclose(printed.inverse_rates_matrix(0.4, 0.9) @ rates, [0.1, -0.2, 0.3], atol=1e-15)


def test_six_by_six_there_and_back():
    both = printed.world_to_body(0.4, 0.9, -2.0) @ printed.body_to_world(0.4, 0.9, -2.0)
    np.testing.assert_allclose(both, np.eye(6), atol=1e-15)


C = corrected()


def test_entries_by_hand():
    """rho/2 L^3 = 377.66965 slug: M11 = 13.52023 + 377.66965 * 2.82e-3, and so on."""
    M = mass_matrix(C)
    np.testing.assert_allclose(np.diag(M), [14.58526, 26.4743, 48.79458, 7.5330, 167.85941, 54.46463], rtol=1e-5)
    assert M[1, 5] == M[5, 1] == pytest.approx(5.04968, abs=1e-5)
    np.testing.assert_allclose(left_hand_sides(C), M, atol=1e-12)


def test_the_general_matrix_is_symmetric_only_with_the_misprint_mended():
    table = coefficients()
    M, literal = mass_matrix(table), mass_matrix(table, MENDED - {"B56"})
    np.testing.assert_allclose(M, M.T, atol=1e-12)
    assert abs(literal[3, 2] - literal[2, 3]) > 1e-3


@pytest.mark.parametrize(("misprint", "entry"), [("B47", (3, 1)), ("B49", (4, 4)), ("B53", (5, 0))])
def test_misprints_of_the_left_sides(misprint, entry):
    table = C | {"y_G": 0.01}
    change = left_hand_sides(table, MENDED - {misprint}) - left_hand_sides(table)
    assert abs(change[entry]) > 0.01
    change[entry] = 0.0
    assert np.abs(change).max() < (10.0 if misprint == "B49" else 1e-12)  # M_wdot goes with M_qdot


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


def test_propulsion_vanishes_at_the_design_point_and_has_the_sign_of_the_excess():
    C = corrected()
    assert x_prop(700.0, 2.0, C) == pytest.approx(0.0, abs=1e-15)
    assert expanded(700.0, 2.0, C) == pytest.approx(0.0, abs=1e-12)
    assert expanded(700.0, 1.0, C) > 0.0 > expanded(700.0, 3.0, C)
    with pytest.raises(ZeroDivisionError):
        x_prop(700.0, 0.0, C)
    assert expanded(700.0, 0.0, C) == pytest.approx(1.609552, abs=1e-5)


def test_the_weight_term_is_the_only_one_that_a_pitched_vehicle_at_rest_feels():
    table = coefficients()
    pitched = State(np.zeros(6), np.array([0.0, 0.3, 0.0]))
    weight = (table["W"] - table["B"]) * np.sin(0.3)
    assert previous_surge(pitched, np.zeros(6), table, frozenset()) == pytest.approx(-weight)
    assert previous_surge(pitched, np.zeros(6), table, frozenset({"B37"})) == pytest.approx(weight)


ONE, I, J, K = np.eye(4)


def test_hamiltons_rules_and_the_print():
    np.testing.assert_array_equal(printed.product(I, J), K)
    np.testing.assert_array_equal(printed.product(J, K), I)
    np.testing.assert_array_equal(printed.product(ONE, J), J)
    np.testing.assert_array_equal(printed.product(ONE, J, mended=False), -J)
    np.testing.assert_array_equal(printed.product(I, J, mended=False), -K)


def test_a_quarter_turn_about_the_vertical():
    right = math.pi / 2.0
    Q = printed.from_axis(right, right, 0.0, right)
    np.testing.assert_allclose(Q, [math.sqrt(0.5), 0, 0, math.sqrt(0.5)], atol=1e-15)
    np.testing.assert_allclose(printed.extracted(*Q), [0, 0, right], atol=1e-7)  # arccos near 0 has half the digits


def test_rates_are_half_the_product_with_the_rate_of_turn():
    Q, omega = np.array([0.5, 0.5, -0.5, 0.5]), np.array([0.1, -0.2, 0.3])
    np.testing.assert_allclose(
        printed.rates(*Q, *omega), 0.5 * printed.product(Q, np.concatenate([[0.0], omega])), atol=1e-16
    )


def test_extraction_fails_where_the_print_says_it_must():
    assert printed.extracted(0.0, 0.0, 0.0, 1.0)[2] == 0.0  # heading south
    assert printed.extracted(math.cos(0.4), 0.0, math.sin(0.4), 0.0)[1] == pytest.approx(0.8)
