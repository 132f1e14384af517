"""The typed-in mass matrix by itself."""

import numpy as np
import pytest

from pelagos_evidence.brutzman.equations.general import coefficients
from pelagos_evidence.brutzman.printed import MENDED, left_hand_sides, mass_matrix
from pelagos_evidence.brutzman.printed_tables import corrected

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
