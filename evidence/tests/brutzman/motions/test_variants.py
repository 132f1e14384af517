"""The three vehicles side by side; one in the place of another is caught."""

import pytest

from evidence.tests.checked import check_part, joined
from pelagos_evidence.brutzman.motions import variants
from pelagos_evidence.brutzman.motions.flights import phoenix
from pelagos_evidence.claim import ClaimVerdict


@pytest.fixture(scope="module")
def findings():
    return variants.run(lambda done: None)


@pytest.fixture(scope="module")
def flown():
    return {key: variants._flown(phoenix(key)) for key in variants.KEYS}


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "variants", findings)


def test_what_is_printed_wrong_is_not_reproduced(findings):
    refuted = {claim.key for claim in findings.claims if claim.verdict is ClaimVerdict.REFUTED}
    assert refuted == {"fin-arms-printed", "reverse-printed", "vertical-printed", "thrusters-author"}


def test_rows_say_where_their_figures_are_from(findings):
    for claim in findings.claims:
        if claim.verdict is ClaimVerdict.REFUTED:
            assert claim.published.startswith("the printed "), claim.key
        elif claim.numbers:
            assert "erratum B" in claim.published and "erratum B" in claim.assumption, claim.key


def test_the_program_has_signs_of_its_own(findings):
    (row,) = (claim for claim in findings.claims if claim.key == "thrusters-author")
    assert row.numbers["heave"] > 0.5 and row.numbers["sway"] < -0.5  # the text: both positive; the print: -, +


def test_a_vehicle_in_the_place_of_another_is_caught(flown):
    exchanged = flown | {"phoenix_published": flown["phoenix_printed"], "phoenix_printed": flown["phoenix_published"]}
    assert {
        claim.key for claim in joined(variants, variants._fins(exchanged)) if claim.verdict is ClaimVerdict.FAILED
    } == {
        "hard-turn",
        "hard-turn-printed",
    }
    other = flown | {"phoenix_author": flown["phoenix_author"].__class__(**{
        **vars(flown["phoenix_author"]), "dive": flown["phoenix_published"].reverse
    })}  # fmt: skip
    assert joined(variants, variants._alike(flown))[0].holds and not joined(variants, variants._alike(other))[0].holds


def test_signed_changes_five_terms_only():
    before, after = phoenix().coefficients, variants.signed(phoenix()).coefficients
    assert sorted(a.name for a, b in zip(before, after, strict=True) if a != b) == sorted(variants.SIGNED)
