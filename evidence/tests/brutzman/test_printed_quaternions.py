"""The typed-in quaternion equations by themselves."""

import math

import numpy as np
import pytest

from pelagos_evidence.brutzman import printed

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
