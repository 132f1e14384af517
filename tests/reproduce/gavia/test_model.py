"""The printed matrices against the engine, and that a wrong model would be noticed."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.gavia import model, printed
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import mass_matrix
from tests.reproduce.checked import check_rows


@pytest.fixture(scope="module")
def findings():
    return model.run(lambda done: None)


def by_key(claims):
    return {claim.key: claim for claim in claims}


def test_rows(findings):
    check_rows("gavia", findings)
    found = {key for claim in findings.claims for key in claim.proof.errata}
    assert {f"G{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16)} <= found


def test_signs_of_the_input_matrix():
    ours, lift = model.fin_matrix(load_vehicle("gavia")), printed.lift_of_fins()
    assert lift == pytest.approx(6.20e-3, rel=1e-3)  # by hand: 1028/2 * 0.0012 * 0.0016 * 2 pi
    np.testing.assert_array_equal(np.sign(np.where(np.abs(ours) > 1e-9, ours, 0.0))[[1, 2, 4, 5]], [
        [0, 1, 1, 0, 0], [0, 0, 0, -1, -1], [0, 0, 0, -1, -1], [0, -1, -1, 0, 0],
    ])  # fmt: skip


def test_a_fin_turned_round_is_noticed():
    gavia = load_vehicle("gavia")
    first = replace(gavia.fins[0], normal_b=(0.0, -1.0, 0.0))
    rows = by_key(model.input_claims(replace(gavia, fins=(first, *gavia.fins[1:]))))
    assert {rows[key].verdict for key in ("inputs-y", "inputs-n", "lift-of-fins")} == {Verdict.FAILED}


def test_a_wrong_damping_is_noticed():
    gavia = load_vehicle("gavia")
    wrong = tuple(replace(c, value=3.1) if c.name == "M_w|w|" else c for c in gavia.coefficients)
    rows = by_key(model.whole_model(replace(gavia, coefficients=wrong)))
    assert rows["state-equation"].verdict is Verdict.FAILED
    assert rows["values-of-the-report"].verdict is Verdict.FAILED


def test_a_wrong_centre_of_gravity_is_noticed():
    gavia = load_vehicle("gavia")
    rows = by_key(model.restoring_claims(replace(gavia, body=replace(gavia.body, cg_b=(0.0, 0.0, 0.01)))))
    assert {rows[key].verdict for key in ("centre-of-gravity", "restoring-matrix")} == {Verdict.FAILED}


def test_only_the_matrix_of_the_notes_is_refused():
    gavia = load_vehicle("gavia")
    assert "-0.579" in model.refused(gavia, printed.mass(printed.DIAGONAL))
    assert model.refused(gavia, mass_matrix(gavia)) == ""
