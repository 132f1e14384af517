"""All parts of the equations together: every number from 6.1 to 6.68 has a row, with code and tests behind it."""

import re
from collections import Counter

import pytest

from pelagos_evidence.brutzman import DOCUMENT
from pelagos_evidence.claim import ClaimVerdict

pytestmark = pytest.mark.slow  # the module makes its reports or runs every part once

PARTS = DOCUMENT.parts[:9]  # those before the motions that are flown


@pytest.fixture(scope="module")
def claims():
    shares = []
    every = [claim for part in PARTS for claim in part.run(shares.append).claims]
    assert max(shares) <= 1.0
    return every


def equations_in(place):
    """Numbers of "equations 6.24, 6.28" and "equations 6.48-6.53"."""
    numbers = set()
    for first, last in re.findall(r"6\.(\d+)(?:-6\.(\d+))?", place if place.startswith("equation") else ""):
        numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def test_every_equation_has_a_row(claims):
    covered = set().union(*(equations_in(claim.place) for claim in claims))
    assert covered == set(range(1, 69))


def test_every_row_of_an_equation_says_where_it_is_implemented_and_tested(claims):
    for claim in claims:
        if equations_in(claim.place):
            assert claim.proof.code and claim.proof.tests, claim.key


def test_every_equation_is_reproduced_apart_from_the_one_that_is_a_sketch(claims):
    good = (ClaimVerdict.REPRODUCED, ClaimVerdict.ASSUMED)
    covered = set().union(*(equations_in(claim.place) for claim in claims if claim.verdict in good))
    assert set(range(1, 69)) - covered == {29, 30}


def test_keys_are_unique(claims):
    assert Counter(claim.key for claim in claims).most_common(1)[0][1] == 1


def test_what_cannot_be_reproduced_says_why_and_gives_a_number_or_a_misprint(claims):
    rows = [claim for claim in claims if claim.verdict is ClaimVerdict.REFUTED]
    assert len(rows) >= 15
    for claim in rows:
        assert len(claim.why) > 40 and claim.ours, claim.key
        assert claim.proof.errata, claim.key
        assert claim.numbers["off"] > claim.numbers["limit"], claim.key
