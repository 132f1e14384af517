"""The transcription of the Gavia notes: its own closed forms."""

import numpy as np
import pytest

from pelagos_evidence.gavia import printed


def test_mass_matrix_of_the_notes_is_not_positive_definite():
    matrix = printed.mass(printed.DIAGONAL)
    np.testing.assert_array_equal(matrix, matrix.T)
    assert np.linalg.eigvalsh(matrix)[0] == pytest.approx(-0.57913, abs=5e-6)
    block = matrix[np.ix_([1, 3], [1, 3])]
    assert np.linalg.det(block) == pytest.approx(34.0 * 0.04 - 4.627**2, rel=1e-12)


def test_restoring_matrix_is_the_slope_of_the_force():
    weight, buoyancy, h = 453.5, 454.5, 1e-5
    matrix = printed.restoring(printed.CG_BELOW_M * weight, weight, buoyancy)
    for column, step in ((3, (h, 0.0)), (4, (0.0, h))):
        ahead = printed.restoring_force(*step, weight, buoyancy)
        back = printed.restoring_force(-step[0], -step[1], weight, buoyancy)
        np.testing.assert_allclose((ahead - back) / (2.0 * h), matrix[:, column], atol=1e-7)  # h^2 of 45 N m/rad


def test_runge_kutta_of_a_linear_system_is_that_of_the_method():
    a, c = np.array([[0.0, 1.0], [-4.0, -0.2]]), np.array([0.0, 1.0])
    integrated = printed.runge_kutta(a, c, np.array([1.0, 0.0]), 0.1, 30)
    x = np.array([1.0, 0.0])
    for _ in range(30):
        k1 = a @ x + c
        k2 = a @ (x + 0.05 * k1) + c
        k3 = a @ (x + 0.05 * k2) + c
        k4 = a @ (x + 0.1 * k3) + c
        x = x + 0.1 / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)
    np.testing.assert_allclose(integrated[-1], x, rtol=1e-12)  # rounding of 30 steps


def test_coriolis_forces_do_no_work():
    matrix = printed.mass((50.0, 90.0, 90.0, 0.7, 25.0, 25.0))
    for nu in np.random.default_rng(1).normal(size=(50, 6)):
        assert abs(nu @ printed.turning(matrix, nu)) < 1e-10  # products of some hundred W
    ahead = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    off = printed.coriolis_ahead(2.0, 50.0)
    assert abs(ahead @ off @ ahead) == 0.0
    np.testing.assert_array_equal(np.abs(off), np.abs(off).T)
