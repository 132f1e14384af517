"""Drag, Reynolds number and the lost graph."""

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.derive import drag
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.nav import printed, resistance
from pelagos_evidence.nav.hulls import LAUV, REMUS


@pytest.fixture(scope="module")
def findings():
    return resistance.run(lambda done: None)


@pytest.mark.slow
def test_rows(findings):
    check_part("nav", "drag", findings)
    assert {"N11", "N12", "N13", "N14"} <= {key for claim in findings.claims for key in claim.proof.errata}


def test_drag_across_by_hand(findings):
    """C_D 1.21, 0.644 of it at L/D 6.96, on 1.33 m by 0.191 m of side; LAUV resists with 23 v as well."""
    side, turning = resistance.across(REMUS)
    assert side == pytest.approx(-0.5 * 1030.0 * 1.21 * 0.644 * 1.33 * 0.191 * 0.09, rel=2e-3)
    assert turning / side == pytest.approx(1.33**3 / 32.0 * (0.2 / 0.3) ** 2, rel=1e-12)
    row = next(claim for claim in findings.claims if claim.key == "drag-across-lauv")
    assert row.numbers["vehicle"] == pytest.approx(-(23.0 * 0.3 + 80.0 * 0.09), rel=1e-12)


def test_viscosity_is_that_of_the_tables():
    """ITTC: fresh water at 5 and 20 deg C."""
    assert resistance.viscosity(5.0, 0.0, 999.97) == pytest.approx(1.5182e-6, rel=2e-3)
    assert resistance.viscosity(20.0, 0.0, 998.2) == pytest.approx(1.0034e-6, rel=2e-3)


def test_another_graph_is_noticed(monkeypatch):
    """Strips with the loss at the ends left out, and on the Reynolds number of another diameter."""
    assert joined(resistance, resistance.graph_values())[0].verdict is ClaimVerdict.ASSUMED
    monkeypatch.setattr(drag, "end_factor", lambda aspect, re: 1.0)
    assert joined(resistance, resistance.graph_values())[0].verdict is ClaimVerdict.FAILED
    rows = {claim.key: claim.verdict for claim in joined(resistance, resistance.hull_values(LAUV))}
    assert rows["drag-across-lauv"] is rows["drag-turning-lauv"] is ClaimVerdict.FAILED
    monkeypatch.undo()
    right = drag.crossflow_from_hull
    monkeypatch.setattr(
        resistance, "crossflow_from_hull", lambda **given: right(**{**given, "viscosity_m2_s": 1.19e-6})
    )
    assert joined(resistance, resistance.graph_values())[0].verdict is ClaimVerdict.FAILED


def test_the_law_of_the_print_is_distinguished_from_the_square(monkeypatch):
    at = resistance.force(resistance.load_vehicle("torpedo"), "coefficients", 0, 1.5)
    monkeypatch.setattr(resistance, "force", lambda vehicle, name, axis, speed: at * speed / 1.5)
    same, law = joined(resistance, resistance.formula_values())
    assert same.verdict is ClaimVerdict.ASSUMED  # at one speed nothing is seen
    assert law.numbers["ours"] == pytest.approx(2.0, rel=1e-12)
    monkeypatch.setattr(resistance, "force", lambda vehicle, name, axis, speed: -at * speed / 1.5)
    assert joined(resistance, resistance.formula_values())[0].verdict is ClaimVerdict.FAILED


def test_the_transcribed_graph_has_its_jump():
    assert printed.drag_coefficient(1.9e5, 10.0) == pytest.approx(1.21 * 0.68)
    assert printed.drag_coefficient(2.1e5, 10.0) == pytest.approx(1.21 * 0.82)
    assert np.isclose(printed.reynolds(0.3, 0.2, 1.56e-6), 38461.5)
