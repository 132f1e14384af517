"""Righting: periods against the eigenvalues of the whole engine, and a wrong lever is caught."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part
from pelagos.vehicle.check.procedures import compute
from pelagos_evidence.brutzman.motions import righting
from pelagos_evidence.brutzman.motions.flights import phoenix


@pytest.fixture(scope="module")
def findings():
    return righting.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "righting", findings)


@pytest.mark.parametrize("axis", ["roll", "pitch"])
@pytest.mark.parametrize("coupled", [True, False])
def test_the_timed_period_is_that_of_lever_and_mass_matrix(findings, axis, coupled):
    key = f"{axis}-period" + ("" if coupled else "-alone")
    (row,) = (claim for claim in findings.claims if claim.key == key)
    (other,) = compute(phoenix(), "righting_period", {"axis": axis, "coupled": coupled})
    assert row.numbers["ours"] == pytest.approx(other, rel=1e-5)  # timing by straight lines, swing of 0.2 deg


@pytest.mark.slow
def test_a_wrong_lever_is_caught(monkeypatch):
    vehicle = phoenix()
    x, y, z = vehicle.body.cg_b
    deeper = replace(vehicle, body=replace(vehicle.body, cg_b=(x, y, 1.01 * z)))
    monkeypatch.setattr(righting, "phoenix", lambda: deeper)
    failed = {claim.key for claim in righting.run(lambda done: None).claims if claim.holds is False}
    assert failed == {"roll-period", "roll-period-alone", "pitch-period", "pitch-period-alone"}
