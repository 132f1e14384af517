"""The lists at the end of the report: each assumption once, errata with the rows that cite them."""

import re
from dataclasses import replace

from evidence.tests.made_up import OTHER
from pelagos_evidence.claim import Proof, number
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.errata import errata
from pelagos_evidence.report.html import assumptions, errata_section, how_made, unreproduced
from pelagos_evidence.run import run


def twice(tell):
    row = number("a", "page 1", "a", 1.0, 1.0, "m", absolute=0.1, why="x", assumption="<same>")
    other = replace(row, key="b", place="page 2", proof=Proof(errata=("B16",)))
    return Findings((row, other))


DOCUMENT = Document("brutzman", "B", "c", "a", (Part("p", "P", "", twice),))


def test_an_assumption_stands_once_with_its_rows():
    made = assumptions(run([DOCUMENT]))
    assert made.count("&lt;same&gt;") == 1
    assert re.findall(r'href="#([^"]+)"', made) == ["brutzman-a", "brutzman-b"]
    assert "None." in assumptions(run([OTHER]))


def test_what_is_not_reproducible_says_why():
    made = unreproduced(run([OTHER]))
    assert 'href="#other-lost"' in made and "measured track. the curve is lost in the scan" in made
    assert "None." in unreproduced(run([DOCUMENT]))


def test_errata_of_the_document_are_all_there_and_know_who_cites_them():
    made = errata_section(run([DOCUMENT]))
    own = [key for key, entry in errata().items() if entry.document == "brutzman"]
    assert re.findall(r'<tr id="([^"]+)"', made) == own
    row = re.search(r'<tr id="B16">.*?</tr>', made)[0]
    assert "-1.78E-1" in row and "-1.78E-3" in row and 'href="#brutzman-b"' in row and "brutzman-a" not in row
    assert "<strong>S1</strong>" in made


def test_how_it_was_made_is_told():
    made = how_made(run([DOCUMENT]), {"python": "3.<1>"})
    assert "pelagos reproduce brutzman" in made and "3.&lt;1&gt;" in made
