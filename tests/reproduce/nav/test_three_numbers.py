"""Vehicles from length, radius and mass, flown."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.nav import three_numbers
from pelagos.reproduce.nav.hulls import LAUV, REMUS
from tests.reproduce.checked import check_rows


@pytest.fixture(scope="module")
def flown():
    return [three_numbers.fly(hull) for hull in (REMUS, LAUV)]


def test_rows(flown):
    claims = tuple(claim for one in flown for claim in three_numbers.claims_of(one))
    figures = (three_numbers.flight_figure(flown), three_numbers.push_figure(flown))
    check_rows("nav", three_numbers.Findings(claims, figures))


def test_a_push_ends_at_the_balance(flown):
    """REMUS 100 as published: 10 N against 131 v|v|."""
    made, published = flown[0].curves[1]
    assert published[-1] == pytest.approx(np.sqrt(10.0 / 131.0), rel=1e-3)
    assert 0.5 < made[-1] / published[-1] < 2.0


def test_a_vehicle_that_is_not_neutral_or_held_is_noticed(flown):
    one = flown[0]
    heavy = replace(one.made, body=replace(one.made.body, mass_kg=31.0), free=(True,) * 5 + (False,))
    rows = {claim.key: claim.verdict for claim in three_numbers.claims_of(replace(one, made=heavy))}
    assert rows["neutral-remus100"] is rows["three-numbers-remus100"] is Verdict.FAILED
