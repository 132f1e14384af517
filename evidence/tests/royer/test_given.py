"""The numbers of the vehicle, a body with G anywhere, and the rows of equations."""

import numpy as np
import pytest

from pelagos_evidence.claim import ClaimVerdict, Row
from pelagos_evidence.royer.given import INERTIA, body_with, equation, sea_grant, worst


def test_inertias_about_p_stay_as_printed_wherever_g_is():
    G = np.array([0.1, 0.05, 0.2])
    tensor = body_with(G).vehicle.body.inertia_o
    np.testing.assert_allclose(np.diag(tensor), INERTIA)
    assert tensor[0, 2] == pytest.approx(-400.0 * 0.1 * 0.2)
    np.testing.assert_allclose(body_with(np.array([0.0, 0.0, 0.2])).packed.mass_matrix, body_with_file())


def body_with_file():
    from pelagos.vehicle.pack.records import mass_matrix

    return mass_matrix(sea_grant())


def test_worst_is_relative_to_the_largest():
    assert worst([np.array([1.0, 10.0])], [np.array([1.5, 10.0])]) == pytest.approx(0.05)


def test_a_row_of_equality_holds_or_not():
    row = equation(Row("a", "b", "c"), "d", 1e-12)
    assert row.verdict is ClaimVerdict.REPRODUCED and "200 random states" in row.ours
    assert equation(Row("a", "b", "c"), "d", 1e-3).verdict is ClaimVerdict.FAILED
    assert equation(Row("a", "b", "c"), "d", float("nan")).verdict is ClaimVerdict.FAILED
    assert equation(Row("a", "b", "c"), "d", 0.0, states=0, misprint="Off.").ours == "equal. Off."
    assert equation(Row("a", "b", "c", "so"), "d", 0.0).verdict is ClaimVerdict.ASSUMED
