"""Drag, Reynolds number and the lost graph."""

import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.nav import resistance
from pelagos.reproduce.nav.hulls import HULLS, REMUS
from tests.reproduce.checked import check_rows


@pytest.fixture(scope="module")
def findings():
    return resistance.run(lambda done: None)


def test_rows(findings):
    check_rows("nav", findings)
    assert {"N11", "N12", "N13", "N14"} <= {key for claim in findings.claims for key in claim.proof.errata}


def test_drag_across_by_hand():
    """C_D 1.21, 0.644 of it at L/D 6.96, on 1.33 m by 0.191 m of side."""
    side, turning = resistance.across(REMUS)
    assert side == pytest.approx(-0.5 * 1030.0 * 1.21 * 0.644 * 1.33 * 0.191, rel=2e-3)
    assert turning / side == pytest.approx(1.33**3 / 32.0, rel=1e-12)


def test_what_is_called_not_reproducible_does_miss():
    for hull in HULLS:
        for claim in resistance.hull_claims(hull):
            missed = not 0.5 <= claim.numbers["ratio"] <= 2.0
            assert missed == (claim.verdict is Verdict.NOT_REPRODUCIBLE), claim.key


def test_a_drag_of_another_size_is_noticed(monkeypatch):
    monkeypatch.setattr(resistance, "cylinder_cd", lambda re: 0.1)
    monkeypatch.setattr(resistance, "axial_drag", lambda *a, **k: (-0.1, ""))
    failed = {claim.key for claim in resistance.hull_claims(REMUS) if claim.verdict is Verdict.FAILED}
    assert failed == {"drag-ahead-remus100", "drag-across-remus100"}
