"""Vehicles from length, radius and mass, flown."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.nav import three_numbers
from pelagos_evidence.nav.hulls import LAUV, REMUS


@pytest.fixture(scope="module")
def flown():
    return [three_numbers.fly(hull) for hull in (REMUS, LAUV)]


@pytest.mark.slow
def test_rows(flown):
    claims = tuple(claim for flight in flown for claim in joined(three_numbers, three_numbers.values_of(flight)))
    figures = (three_numbers.flight_figure(flown), three_numbers.push_figure(flown))
    check_part("nav", "vehicle", three_numbers.Findings(claims, figures))
    assert "goes 1.2 (REMUS 100) and 1.7 (LAUV) times as fast sideways" in figures[1].caption


@pytest.mark.slow
def test_a_push_ends_at_the_balance(flown):
    """REMUS 100 as published: 10 N against 131 v|v|."""
    _, published = flown[0].curves[1]
    assert published[-1] == pytest.approx(np.sqrt(10.0 / 131.0), rel=1e-3)


def test_a_held_or_uncontrolled_vehicle_is_noticed(flown):
    flight = flown[0]
    held = replace(flight.made, free=(True,) * 5 + (False,))
    rows = {
        claim.key: claim.verdict for claim in joined(three_numbers, three_numbers.values_of(replace(flight, made=held)))
    }
    assert rows["three-numbers-remus100"] is ClaimVerdict.FAILED
    exchanged = replace(flight, log=flown[1].log)  # a run that reached another speed
    rows = {claim.key: claim.verdict for claim in joined(three_numbers, three_numbers.values_of(exchanged))}
    assert rows["flies-remus100"] is ClaimVerdict.FAILED
