"""Tables 6.1 and 6.2: rows hold; one wrong coefficient, angle or place is found."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman import tables
from pelagos_evidence.brutzman.equations.rows import phoenix
from pelagos_evidence.brutzman.printed_tables import PRINTED
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def findings():
    return tables.run(lambda done: None)


def test_rows(findings):
    check_part("brutzman", "tables", findings)


def test_every_line_of_the_table_is_in_a_row(findings):
    text = " ".join(claim.what for claim in findings.claims)
    for entry in PRINTED:
        assert entry.symbol in text or (entry.name or "?") in text, entry.symbol


def test_a_wrong_coefficient_is_found():
    of = phoenix()
    changed = replace(
        of,
        coefficients=tuple(
            replace(c, published=1.001 * c.published) if c.name == "Y_uv" else c for c in of.coefficients
        ),
    )
    holds = {claim.key: claim.holds for claim in joined(tables, tables._groups(changed))}
    assert holds["table-sway"] is False
    assert sum(value is False for value in holds.values()) == 1


def test_a_coefficient_that_must_be_zero_is_found():
    of = phoenix()
    added = np.array(of.added_mass)
    added[0, 2] = added[2, 0] = 1.0
    holds = {claim.key: claim.holds for claim in joined(tables, tables._groups(replace(of, added_mass=added)))}
    assert holds["table-surge"] is False


def test_a_thruster_elsewhere_is_found():
    of = phoenix()
    thrusters = (*of.thrusters[:4], replace(of.thrusters[4], position_b=(0.5, 0.0, 0.0)), of.thrusters[5])
    holds = {claim.key: claim.holds for claim in joined(tables, tables._groups(replace(of, thrusters=thrusters)))}
    assert holds["table-places"] is False


def test_feet_volume_and_speed_come_from_the_vehicle_file(monkeypatch):
    of = phoenix()
    fat = replace(of.crossflow, height_m=tuple(1.1 * h for h in of.crossflow.height_m))
    moved = replace(of, crossflow=fat, body=replace(of.body, cg_b=(0.004, 0.0, 0.03)))
    slow = replace(moved, thrusters=tuple(replace(t, k_forward=0.9 * t.k_forward) for t in of.thrusters))
    monkeypatch.setattr(tables, "phoenix", lambda: slow)
    claims = (*joined(tables, tables._rounded()), *joined(tables, tables._others()))
    wrong = {claim.key for claim in claims if claim.verdict is ClaimVerdict.FAILED}
    assert wrong == {"table-inch-x-g", "table-inch-z-g", "table-stations", "table-speed-per-rpm", "table-width-height"}


def test_values_that_differ_from_print_have_the_printed_file_beside_them(findings):
    row = next(claim for claim in findings.claims if claim.key == "table-z-wdot")
    assert (row.numbers["published"], row.numbers["ours"]) == (-9.43e-2, pytest.approx(-9.34e-2))
    assert "-0.0943 in phoenix_printed" in row.ours
