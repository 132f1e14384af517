"""Statements of the text: rows hold; a vehicle with nothing to right it does not."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman import printed, printed_tables
from pelagos_evidence.brutzman.equations import statements
from pelagos_evidence.brutzman.equations.rows import phoenix
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def findings():
    return statements.run(lambda done: None)


@pytest.mark.slow
def test_rows(findings):
    check_part("brutzman", "statements", findings)


def test_a_vehicle_that_is_not_righted_is_found(monkeypatch):
    body = replace(phoenix().body, cg_b=(0.003175, 0.0, 0.0))
    monkeypatch.setattr(statements, "phoenix", lambda: replace(phoenix(), body=body))
    claims = {claim.key: claim.holds for claim in joined(statements, statements._stability())}
    assert claims == {"text-righting": False, "text-inverting": False}


def test_only_the_linear_dampings_carry_a_unit(monkeypatch):
    names = [name for name in statements.TERMS if not statements.is_pure_number(name)]
    assert names == ["K_p", "M_q", "N_r"]
    assert statements.is_pure_number("C_d0")
    monkeypatch.setattr(statements, "is_pure_number", lambda name: name[0] in "XYZ")
    assert joined(statements, statements._section_d())[0].holds is False


def test_munks_moment_by_hand(findings):
    """N = (X_udot - Y_vdot) u v of the added masses, -(26.474 - 14.585) slug 2 ft/s 0.2 ft/s."""
    row = next(claim for claim in findings.claims if claim.key == "text-added-mass-velocities")
    assert row.numbers["published"] == 0.0
    assert row.numbers["ours"] == pytest.approx(-(26.4743 - 14.58526) * 2.0 * 0.2, rel=1e-5)


def test_gravity_over_thrust(findings):
    """Of a class of vehicles; for Phoenix 4 lb to the side through the typed-in mass matrix, which couples sway."""
    push = np.array([0.0, 4.0, 0.0, 0.0, 0.0, 0.0])
    sway = np.linalg.solve(printed.mass_matrix(printed_tables.corrected()), push)[1]
    row = next(claim for claim in findings.claims if claim.key == "text-gravity-ten")
    assert row.numbers["phoenix"] == pytest.approx(32.174 / sway, rel=0.02)  # the screws, turning it, add a little
    assert row.numbers["phoenix"] > 100.0
    assert row.verdict is ClaimVerdict.ASSUMED and "slow" in row.what
