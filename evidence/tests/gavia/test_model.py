"""The printed matrices against the engine; a wrong model makes the rows fail."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import model, printed


@pytest.fixture(scope="module")
def findings():
    return model.run(lambda done: None)


def by_key(claims):
    return {claim.key: claim for claim in claims}


def test_rows(findings):
    check_part("gavia", "model", findings)
    cited = {key for claim in findings.claims for key in claim.proof.errata}
    assert {f"G{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16)} <= cited


def test_a_wrong_damping_is_noticed():
    gavia = load_vehicle("gavia")
    wrong = tuple(replace(c, value=3.1) if c.name == "M_w|w|" else c for c in gavia.coefficients)
    rows = by_key(joined(model, model.whole_model(replace(gavia, coefficients=wrong))))
    assert rows["state-equation"].verdict is ClaimVerdict.FAILED
    assert rows["values-of-the-report"].numbers["ours"] == 19.0
    doubled = tuple(replace(c, value=2.0 * c.value) if "|" in c.name else c for c in gavia.coefficients)
    rows = by_key(joined(model, model.whole_model(replace(gavia, coefficients=doubled))))
    assert rows["values-of-the-report"].verdict is ClaimVerdict.FAILED


def test_a_wrong_centre_of_gravity_is_noticed():
    gavia = load_vehicle("gavia")
    rows = by_key(
        joined(model, model.restoring_values(replace(gavia, body=replace(gavia.body, cg_b=(0.0, 0.0, 0.01)))))
    )
    assert {rows[key].verdict for key in ("centre-of-gravity", "restoring-matrix")} == {ClaimVerdict.FAILED}
    rows = by_key(
        joined(model, model.restoring_values(replace(gavia, body=replace(gavia.body, cb_b=(0.0, 0.001, 0.0)))))
    )
    assert rows["centre-of-gravity"].verdict is ClaimVerdict.FAILED


def test_a_coupling_that_the_notes_do_not_have_is_noticed():
    gavia = load_vehicle("gavia")
    coupled = gavia.added_mass.copy()
    coupled[1, 5] = coupled[5, 1] = 0.5
    assert (
        by_key(joined(model, model.mass_values(replace(gavia, added_mass=coupled))))["mass-form"].verdict
        is ClaimVerdict.FAILED
    )


def test_the_engine_is_pushed_on_every_axis():
    gavia = load_vehicle("gavia")
    np.testing.assert_allclose(model.pushed(gavia), np.linalg.inv(mass_matrix(gavia)), atol=1e-14)


def test_only_the_matrix_of_the_notes_is_refused():
    gavia = load_vehicle("gavia")
    assert "-0.579" in model.refused(gavia, printed.mass(printed.DIAGONAL))
    assert model.refused(gavia, mass_matrix(gavia)) == ""
