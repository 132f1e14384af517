"""Formulas beside REMUS 100 and LAUV."""

import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.nav import estimates
from pelagos.reproduce.nav.hulls import HULLS, REMUS
from tests.reproduce.checked import check_rows


@pytest.fixture(scope="module")
def findings():
    return estimates.run(lambda done: None)


def test_rows(findings):
    check_rows("nav", findings)
    keys = {claim.key for claim in findings.claims}
    for key in ("x-udot", "y-vdot", "k-pdot", "m-qdot", "j-x", "j-y"):
        assert {f"formula-{key}", f"{key}-remus100", f"{key}-lauv"} <= keys
    assert {"N2", "N3", "N4", "N15"} <= {key for claim in findings.claims for key in claim.proof.errata}


def test_ratios_by_hand(findings):
    rows = {claim.key: claim.numbers for claim in findings.claims}
    # REMUS 100: pi 1030 0.0955^2 1.33 = 39.25 kg against 35.5; LAUV: 18 kg (3 0.075^2 + 1.08^2)/12 = 1.775 against 0.8
    assert rows["y-vdot-remus100"]["ratio"] == pytest.approx(39.25 / 35.5, rel=1e-3)
    assert rows["j-y-lauv"]["ratio"] == pytest.approx(1.775 / 0.8, rel=1e-3)


def test_only_what_misses_by_more_than_the_factor_is_excused():
    """A row that is called not reproducible does miss; none is excused that would pass."""
    for hull in HULLS:
        for key, _, _, theirs, ours, _ in estimates.table(hull):
            missed = not 1.0 / estimates.FACTOR <= ours / theirs <= estimates.FACTOR
            assert missed == (f"{key}-{hull.key}" in estimates.OFF), key


def test_a_formula_without_the_density_is_noticed(monkeypatch):
    right = estimates.cylinder_added_mass
    monkeypatch.setattr(estimates, "cylinder_added_mass", lambda l, d, rho, m: right(l, d, rho / 1000.0, m))
    failed = {claim.key for claim in estimates.formula_claims() if claim.verdict is Verdict.FAILED}
    failed |= {claim.key for claim in estimates.hull_claims(REMUS) if claim.verdict is Verdict.FAILED}
    assert {"formula-y-vdot", "formula-m-qdot", "y-vdot-remus100", "m-qdot-remus100"} <= failed
