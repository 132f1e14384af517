"""Statements of the text: rows hold; a vehicle with nothing to right it does not."""

from dataclasses import replace

import pytest

from pelagos.reproduce.brutzman import equations_statements
from pelagos.reproduce.brutzman.equations_probe import phoenix
from tests.reproduce.checked import check_part


@pytest.fixture(scope="module")
def findings():
    return equations_statements.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "statements", findings)


def test_a_vehicle_that_is_not_righted_is_found(monkeypatch):
    body = replace(phoenix().body, cg_b=(0.003175, 0.0, 0.0))
    monkeypatch.setattr(equations_statements, "phoenix", lambda: replace(phoenix(), body=body))
    claims = {claim.key: claim.holds for claim in equations_statements._stability()}
    assert claims == {"text-righting": False, "text-inverting": False}


def test_a_missing_extension_is_found(monkeypatch):
    monkeypatch.setitem(equations_statements.LATER, "flight", "pelagos.engine.tow.no_such_thing")
    assert equations_statements._section_i()[0].holds is False


def test_gravity_over_thrust(findings):
    """By hand: 4 lb on 26.474 slug is 0.151 ft/s2; 32.174 over it is 213."""
    row = next(claim for claim in findings.claims if claim.key == "text-gravity-ten")
    assert row.numbers["ours"] == pytest.approx(32.174 / (4.0 / 26.4743), rel=1e-5)
