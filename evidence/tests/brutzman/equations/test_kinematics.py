"""Equations 6.1-6.23: rows hold; a wrong sign in an equation is found."""

import numpy as np
import pytest

from evidence.tests.checked import check_part
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations import kinematics


@pytest.fixture(scope="module")
def findings():
    return kinematics.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "kinematics", findings)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("rotation_entries", "eq-velocity-to-world"),
        ("angle_rates", "eq-roll-rate"),
        ("rotation_product", "eq-rotation-product"),
    ],
)
def test_a_wrong_sign_is_found(monkeypatch, name, row):
    right = getattr(printed, name)
    monkeypatch.setattr(printed, name, lambda *a: right(a[0], -a[1], *a[2:]))
    claims = {claim.key: claim for claim in kinematics.run(lambda done: None).claims}
    assert claims[row].holds is False
    assert claims["eq-rates-differ"].holds is True


def test_turns_about_own_axes_are_the_columns_of_R():
    turned = kinematics._turned_about_own_axes(np.array([[0.3, 0.5, 0.8]]))[0]
    np.testing.assert_allclose(turned, printed.rotation_product(0.3, 0.5, 0.8), atol=1e-15)
    assert abs(turned - printed.rotation_product(0.8, 0.5, 0.3)).max() > 0.1
