"""Equations 6.54-6.60: rows hold; the printed variant has another matrix; components off their places are found."""

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.equations import mass
from pelagos_evidence.brutzman.equations.rows import phoenix


@pytest.fixture(scope="module")
def findings():
    return mass.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "mass", findings)


def test_another_vehicle_is_found(monkeypatch):
    monkeypatch.setattr(mass, "phoenix", lambda: phoenix("phoenix_printed"))
    claims = {claim.key: claim.holds for claim in joined(mass, mass._matrix())}
    assert claims["eq-mass-matrix"] is False
    assert claims["eq-mass-matrix-every-term"] is True


def test_left_sides_as_printed_miss_the_matrix_in_four_places(findings):
    row = next(claim for claim in findings.claims if claim.key == "eq-left-sides-printed")
    assert row.ours.endswith("(4,2), (5,3), (5,5) and (6,1)")


@pytest.mark.parametrize("misprint", ["B47", "B49", "B53"])
def test_a_left_side_that_is_not_mended_is_found(monkeypatch, misprint):
    typed = mass.printed.left_hand_sides
    kept = typed.__defaults__[0] - {misprint}
    monkeypatch.setattr(mass.printed, "left_hand_sides", lambda c, mended=kept: typed(c, mended))
    claims = {claim.key: claim.holds for claim in joined(mass, mass._matrix())}
    assert claims["eq-left-sides"] is False


def test_products_of_inertia_with_the_wrong_sign_are_found(monkeypatch):
    combine = mass.combine
    monkeypatch.setattr(mass, "combine", lambda parts: (*combine(parts)[:2], -combine(parts)[2]))
    claims = {claim.key: claim.holds for claim in joined(mass, mass._inertia())}
    assert claims["eq-moments-of-inertia"] is False
    assert claims["eq-products-of-inertia"] is False


def test_numbers_of_the_printed_matrix(findings):
    """By hand: -(rho/2 L^4) (-0.178) + m x_G = 491.0; the sway-yaw block has the determinant -1038."""
    row = next(claim for claim in findings.claims if claim.key == "eq-mass-printed")
    assert "M26 = 491.0" in row.ours and "-1038" in row.ours and "refused" in row.ours
