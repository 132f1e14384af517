"""The transcription of the hand-written notes: its own closed forms."""

import numpy as np
import pytest

from pelagos_evidence.nav import printed


def test_skew_is_a_cross_product_and_the_print_is_not():
    a, b = np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 2.0])
    np.testing.assert_allclose(printed.skew(a) @ b, np.cross(a, b))
    assert np.abs(printed.skew_printed(a) + printed.skew_printed(a).T).max() == 2.0  # not skew


def test_cylinder_by_hand():
    np.testing.assert_allclose(
        printed.cylinder_derivatives(2.0, 0.1, 64.4, 1025.0),
        [-6.44, -64.403, -64.403, 0.0, -21.468, -21.468],
        atol=5e-4,
    )
    np.testing.assert_allclose(printed.cylinder_inertia(2.0, 0.1, 64.4), [0.322, 21.628, 21.628], atol=5e-4)


def test_drag_as_printed_is_linear():
    assert printed.drag(2.0, 0.3, 0.03, 1000.0) == 4.0 * printed.drag(1.0, 0.3, 0.03, 1000.0)
    assert printed.drag_printed(2.0, 0.3, 0.03, 1000.0) == 2.0 * printed.drag_printed(1.0, 0.3, 0.03, 1000.0)


def test_restoring_is_zero_upright_only():
    at = np.array([0.0, 0.0, 0.02])
    assert np.abs(printed.restoring(600.0, 600.0, at, np.zeros(3), 0.0, 0.0)).max() == 0.0
    assert printed.restoring(600.0, 600.0, at, np.zeros(3), 0.1, 0.0)[3] == pytest.approx(12.0 * np.sin(0.1))


def test_rates_of_euler_angles():
    level = printed.euler_rates(0.0, 0.0, np.pi / 2.0, np.array([1.0, 0.0, 0.0, 0.1, 0.2, 0.3]))
    np.testing.assert_allclose(level, [0.0, 1.0, 0.0, 0.1, 0.2, 0.3], atol=1e-15)
