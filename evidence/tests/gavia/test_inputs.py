"""The input matrix K against the engine; a reversed fin makes the rows fail."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.gavia import inputs, printed


def by_key(claims):
    return {claim.key: claim for claim in claims}


def test_signs_of_the_input_matrix():
    ours, lift = inputs.fin_matrix(load_vehicle("gavia")), printed.lift_of_fins()
    assert lift == pytest.approx(6.20e-3, rel=1e-3)  # by hand: 1028/2 * 0.0012 * 0.0016 * 2 pi
    np.testing.assert_array_equal(np.sign(np.where(np.abs(ours) > 1e-9, ours, 0.0))[[1, 2, 4, 5]], [
        [0, 1, 1, 0, 0], [0, 0, 0, -1, -1], [0, 0, 0, -1, -1], [0, -1, -1, 0, 0],
    ])  # fmt: skip


def test_a_fin_turned_round_is_noticed():
    gavia = load_vehicle("gavia")
    first = replace(gavia.fins[0], normal_b=(0.0, -1.0, 0.0))
    rows = by_key(inputs.input_claims(replace(gavia, fins=(first, *gavia.fins[1:]))))
    assert {rows[key].verdict for key in ("inputs-y", "inputs-n", "lift-of-fins")} == {ClaimVerdict.FAILED}


def test_fins_in_another_order_are_noticed():
    gavia = load_vehicle("gavia")
    upper, lower, right, left = gavia.fins
    assert joined(inputs, inputs.fin_names(gavia))[0].verdict is ClaimVerdict.ASSUMED
    assert (
        joined(inputs, inputs.fin_names(replace(gavia, fins=(lower, upper, right, left))))[0].verdict
        is ClaimVerdict.FAILED
    )
    assert (
        joined(inputs, inputs.fin_names(replace(gavia, fins=(upper, lower, left, right))))[0].verdict
        is ClaimVerdict.FAILED
    )


def test_fins_that_act_while_coasting_are_noticed():
    gavia = load_vehicle("gavia")
    in_flow = replace(gavia, fins=tuple(replace(fin, hull_flow=1.0) for fin in gavia.fins))
    assert by_key(inputs.input_claims(in_flow))["coasting"].verdict is ClaimVerdict.FAILED
