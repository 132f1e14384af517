"""The typed-in equations by themselves: closed forms that need no engine."""

import math

import numpy as np

from pelagos_evidence.brutzman import printed


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
