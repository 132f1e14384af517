"""Speeds: no row fails, and a wrong drag, mass or thruster makes rows fail."""

from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.motions import speeds
from pelagos_evidence.brutzman.motions.flights import phoenix
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def findings():
    return speeds.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "speeds", findings)
    assert {"terminal-speed", "run-up-60s", "coast-120s", "heave", "sway", "hover-yaw"} <= {
        c.key for c in findings.claims
    }


def test_the_measured_spin_is_not_reproduced(findings):
    (row,) = (claim for claim in findings.claims if claim.verdict is ClaimVerdict.NOT_MET)
    assert row.key == "hover-yaw-measured" and 13.0 < row.numbers["ours"] < 13.5


def changed(name, factor):
    """The Phoenix with one coefficient off."""
    vehicle = phoenix()
    some = tuple(replace(c, value=c.value * factor) if c.name == name else c for c in vehicle.coefficients)
    return replace(vehicle, coefficients=some)


@pytest.mark.parametrize(
    ("name", "factor", "caught"),
    [
        ("X_u|u|", 1.01, {"terminal-speed", "speed-by-rpm"}),
        ("N_r|r|", 1.01, {"hover-yaw"}),
        ("Z_uw", 0.0, {"heave-free"}),
    ],
)
def test_a_wrong_coefficient_is_caught(monkeypatch, name, factor, caught):
    monkeypatch.setattr(speeds, "phoenix", lambda: changed(name, factor))
    claims = joined(speeds, speeds._screws(lambda done: None)) if name == "X_u|u|" else joined(speeds, speeds._hover())
    assert {claim.key for claim in claims if claim.verdict is ClaimVerdict.FAILED} == caught
