"""Table I, measured: the rows hold, and a wrong number in the vehicle is caught."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.hunt import table

IVER3 = load_vehicle("iver3")


@pytest.fixture(scope="module")
def findings():
    return table.run(lambda done: None)


def failed(of):
    return {claim.key for claim in joined(table, table.table_values(of)) if claim.verdict is ClaimVerdict.FAILED}


def test_rows_hold_and_cover_the_table(findings):
    check_part("hunt", "table", findings)
    places = {claim.place for claim in findings.claims}
    assert {"table I, M", "table I, D", "table I, (ρV - m) g", "table I, r ρV g", "table I, θ_A"} <= places


def test_the_actuator_vector_is_not_claimed(findings):
    actuators = next(claim for claim in findings.claims if claim.key == "table-actuators")
    assert actuators.verdict is ClaimVerdict.NO_DATA and "H13" in actuators.proof.errata


def test_drag_is_measured_both_ways():
    np.testing.assert_allclose(table.felt_drag(IVER3, 0.7), table.felt_drag(IVER3, -0.7))


def test_wrong_numbers_are_caught():
    drag = tuple(replace(c, value=1.1 * c.value) if c.name == "X_u|u|" else c for c in IVER3.coefficients)
    assert {"table-drag", "cruise-thrust"} <= failed(replace(IVER3, coefficients=drag))
    driven = tuple(replace(c, factors=("u", "u")) if c.name == "X_u|u|" else c for c in IVER3.coefficients)
    assert "table-drag" in failed(replace(IVER3, coefficients=driven))  # as printed: D v
    lighter = replace(IVER3, body=replace(IVER3.body, mass_kg=IVER3.body.mass_kg - 0.01))
    assert {"table-mass", "table-buoyancy"} <= failed(lighter)
    rounded = replace(IVER3, body=replace(IVER3.body, cb_b=(0.0, 0.0, -0.03903)))
    assert {"table-righting-roll", "roll-period"} <= failed(rounded)


def test_numbers_that_are_not_printed_say_so(findings):
    row = {claim.key: claim for claim in findings.claims}
    for key in ("cruise-thrust", "rise-speed", "roll-period", "pitch-period", "open-loop-root"):
        assert "not printed" in row[key].published, key
    assert "not printed" not in row["knots"].published


def test_the_rating_is_kept():
    assert table.too_deep_is_refused(IVER3)
    assert not table.too_deep_is_refused(replace(IVER3, depth_rating_m=200.0))
