"""Equations 6.54-6.60: rows hold; the printed variant has another matrix; components off their places are found."""

import pytest

from pelagos.reproduce.brutzman import equations_mass
from pelagos.reproduce.brutzman.equations_probe import phoenix
from tests.reproduce.checked import check_part


@pytest.fixture(scope="module")
def findings():
    return equations_mass.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "mass", findings)


def test_another_vehicle_is_found(monkeypatch):
    monkeypatch.setattr(equations_mass, "phoenix", lambda: phoenix("phoenix_printed"))
    claims = {claim.key: claim.holds for claim in equations_mass._matrix()}
    assert claims["eq-mass-matrix"] is False
    assert claims["eq-mass-matrix-every-term"] is True


def test_products_of_inertia_with_the_wrong_sign_are_found(monkeypatch):
    combine = equations_mass.combine
    monkeypatch.setattr(equations_mass, "combine", lambda parts: (*combine(parts)[:2], -combine(parts)[2]))
    claims = {claim.key: claim.holds for claim in equations_mass._inertia()}
    assert claims["eq-moments-of-inertia"] is False
    assert claims["eq-products-of-inertia"] is False


def test_numbers_of_the_printed_matrix(findings):
    """By hand: -(rho/2 L^4) (-0.178) + m x_G = 491.0; the sway-yaw block has the determinant -1038."""
    row = next(claim for claim in findings.claims if claim.key == "eq-mass-printed")
    assert "M26 = 491.0" in row.ours and "-1038" in row.ours and "refused" in row.ours
