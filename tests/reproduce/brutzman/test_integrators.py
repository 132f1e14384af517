"""Orders and errors of the steppers; a first-order method in the place of Heun is caught."""

import numpy as np
import pytest

from pelagos.reproduce.brutzman import integrators
from pelagos.reproduce.claim import Verdict
from tests.reproduce.checked import check_part


@pytest.fixture(scope="module")
def findings():
    return integrators.run(lambda done: None)


def test_sound_and_told(findings):
    check_part("brutzman", "integrators", findings)


def test_the_printed_mixture_is_not_second_order(findings):
    (row,) = (claim for claim in findings.claims if claim.verdict is Verdict.NOT_REPRODUCIBLE)
    assert row.key == "order-printed" and row.numbers["ours"] == pytest.approx(1.0, abs=0.1)


def errors(orders):
    """Made up: errors that fall with the given orders."""
    steps = np.array(integrators.STEPS_S)
    sizes = {"euler": 1.21, "brutzman_printed": 2.03, "brutzman_author": 1.4, "brutzman_summary": 0.133, "heun": 0.017}
    return {
        method: integrators.Errors(sizes.get(method, 1e-6) * 0.1 * (steps / 0.1) ** order, 1e-3 * steps**order)
        for method, order in orders.items()
    }


def test_a_wrong_order_or_a_wrong_error_is_caught():
    orders = {"euler": 1, "brutzman_printed": 1, "brutzman_author": 1, "brutzman_summary": 1, "heun": 1, "rk4": 4}
    failed = {claim.key for claim in integrators._stepping(errors(orders)) if claim.holds is False}
    assert failed >= {"order-heun", "error-heun"} and "order-euler" not in failed and "error-euler" not in failed
    failed = {claim.key for claim in integrators._stepping(errors(orders | {"euler": 2})) if claim.holds is False}
    assert "order-euler" in failed


def test_motions_that_part_are_caught():
    apart = np.array([1e-13, 1e-9])
    assert [claim.holds for claim in integrators._attitude(apart, apart)] == [False, True]
