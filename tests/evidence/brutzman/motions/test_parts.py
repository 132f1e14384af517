"""The parts that are flown: in place, described, and their keys do not meet those of the equations."""

import re

from pelagos_evidence.brutzman import DOCUMENT
from pelagos_evidence.brutzman.motions.parts import PARTS
from tests.evidence.page_rows import ROOT


def test_parts_are_in_the_document():
    keys = [part.key for part in DOCUMENT.parts]
    assert len(keys) == len(set(keys))
    assert [part.key for part in PARTS] == keys[-len(PARTS) :]


def test_leads_are_a_few_sentences_with_links_that_exist():
    for part in PARTS:
        assert 2 <= len(re.findall(r"[.!?](?:\s|$)", part.about)) <= 6, part.key
        for page in re.findall(r"\]\(([^)]+)\)", part.about):
            assert (ROOT / "docs" / page).exists(), (part.key, page)
