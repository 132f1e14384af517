"""The three vehicles side by side; one in the place of another is caught."""

import pytest

from pelagos.reproduce.brutzman import variants
from pelagos.reproduce.brutzman.flights import phoenix
from pelagos.reproduce.claim import Verdict
from tests.reproduce.checked import check_part


@pytest.fixture(scope="module")
def findings():
    return variants.run(lambda done: None)


@pytest.fixture(scope="module")
def flown():
    return {key: variants._flown(phoenix(key)) for key in variants.KEYS}


def test_sound_and_told(findings):
    check_part("brutzman", "variants", findings)


def test_what_is_printed_wrong_is_not_reproduced(findings):
    told = {claim.key for claim in findings.claims if claim.verdict is Verdict.NOT_REPRODUCIBLE}
    assert told == {"fin-arms-printed", "reverse-printed", "vertical-printed"}


def test_a_vehicle_in_the_place_of_another_is_caught(flown):
    exchanged = flown | {"phoenix": flown["phoenix_printed"], "phoenix_printed": flown["phoenix"]}
    assert {claim.key for claim in variants._fins(exchanged) if claim.holds is False} == {
        "hard-turn",
        "hard-turn-printed",
    }
    same = flown | {"phoenix_author": flown["phoenix"]}
    assert [claim.key for claim in variants._tunnels(same) if claim.holds is False] == ["thrusters-author"]


def test_signed_changes_five_terms_only():
    before, after = phoenix().coefficients, variants.signed(phoenix()).coefficients
    assert sorted(a.name for a, b in zip(before, after, strict=True) if a != b) == sorted(variants.SIGNED)
