"""Orders and errors of the steppers; a first-order method in the place of Heun is caught, and an error off by 1 %."""

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.motions import integrators
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def findings():
    return integrators.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "integrators", findings)


@pytest.mark.slow
def test_the_printed_mixture_is_not_second_order(findings):
    rows = {claim.key: claim for claim in findings.claims if claim.verdict is ClaimVerdict.REFUTED}
    assert set(rows) == {"order-printed", "order-author", "new-velocity"}
    for key in ("order-printed", "order-author"):
        assert rows[key].numbers["ours"] == pytest.approx(1.0, abs=0.1)


def errors(orders, factor=1.0):
    """Made up: errors that fall with the given orders."""
    steps = np.array(integrators.STEPS_S)
    sizes = {"euler": 1.21, "brutzman_printed": 2.03, "brutzman_author": 1.4, "brutzman_summary": 0.133, "heun": 0.0017}
    return {
        method: integrators.StepErrors(
            factor * sizes.get(method, 1e-6) * 0.1 * (steps / 0.1) ** order,
            (2.0 if method == "euler" else 1.0) * 1e-3 * steps**order,
        )
        for method, order in orders.items()
    }


def failed(orders, factor=1.0):
    return {
        claim.key
        for claim in joined(integrators, integrators._stepping(errors(orders, factor)))
        if claim.verdict is ClaimVerdict.FAILED
    }


RIGHT = {"euler": 1, "brutzman_printed": 1, "brutzman_author": 1, "brutzman_summary": 1, "heun": 2, "rk4": 4}


def test_a_wrong_order_is_caught():
    assert failed(RIGHT) == set()
    assert "order-heun" in failed(RIGHT | {"heun": 1}) and "order-euler" in failed(RIGHT | {"euler": 2})


def test_an_error_off_by_one_percent_is_caught():
    three_digits = {"error-euler", "error-brutzman-printed", "error-brutzman-summary"}
    assert failed(RIGHT, 1.01) == three_digits  # that of Heun has two
    assert failed(RIGHT, 1.05) == three_digits | {"error-heun"}
