"""Formulas for the sizes of REMUS 100 and LAUV."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.nav import estimates
from pelagos_evidence.nav.hulls import LAUV, REMUS


@pytest.fixture(scope="module")
def findings():
    return estimates.run(lambda done: None)


@pytest.mark.slow
def test_rows(findings):
    check_part("nav", "estimates", findings)
    keys = {claim.key for claim in findings.claims}
    for key in ("x-udot", "y-vdot", "k-pdot", "m-qdot", "j-x", "j-y", "m-11", "m-22", "m-55"):
        assert {f"{key}-remus100", f"{key}-lauv"} <= keys
    assert {"N2", "N3", "N4", "N15"} <= {key for claim in findings.claims for key in claim.proof.errata}


def test_numbers_by_hand(findings):
    rows = {claim.key: claim.numbers for claim in findings.claims}
    # REMUS 100: pi 1030 0.0955^2 1.33 = 39.25 kg against 35.5; LAUV: 18 kg (3 0.075^2 + 1.08^2)/12 = 1.775 against 0.8
    assert rows["y-vdot-remus100"]["published"] == pytest.approx(-39.25, abs=5e-3)
    assert rows["y-vdot-remus100"]["ratio"] == pytest.approx(39.25 / 35.5, rel=1e-3)
    assert rows["j-y-lauv"]["ratio"] == pytest.approx(1.775 / 0.8, rel=1e-3)


def test_the_ratio_is_shown_and_does_not_judge(findings):
    """An estimate three times too large is still the formula; that it is too large stands in the row."""
    row = next(claim for claim in findings.claims if claim.key == "x-udot-remus100")
    assert row.verdict is ClaimVerdict.REPRODUCED
    assert row.numbers["ratio"] > 3.0 and "3.28 times" in row.ours and "-0.93 kg" in row.ours


def test_another_vehicle_and_another_rule_are_noticed():
    def failed(hull, made):
        claims = joined(estimates, estimates.hull_values(hull, made))
        return {claim.key for claim in claims if claim.verdict is ClaimVerdict.FAILED}

    for hull, other in ((REMUS, LAUV), (LAUV, REMUS)):
        keys = {f"{key}-{hull.key}" for key in estimates.table(hull, hull.by_formula())}
        assert failed(hull, other.by_formula()) >= keys - {f"k-pdot-{hull.key}"}
    assert {"x-udot-remus100", "y-vdot-remus100", "m-qdot-remus100", "m-55-remus100"} <= failed(REMUS, REMUS.derived())
    made = LAUV.by_formula()
    rolling = replace(made, added_mass=made.added_mass + np.diag([0.0, 0.0, 0.0, 0.005, 0.0, 0.0]))
    assert failed(LAUV, rolling) == {"k-pdot-lauv"}
