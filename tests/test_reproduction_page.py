"""docs/reproduction.md, docs/errata.md and the README's table fit together and are those of today's documents.

That the rows are those of a fresh run is tested where the documents are run: `check_part` in tests/reproduce.
"""

import re
from dataclasses import replace

import pytest

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.document import Findings
from pelagos.reproduce.documents import documents
from pelagos.reproduce.report_page import errata_page, reproduction_page
from pelagos.reproduce.report_words import METHOD
from pelagos.reproduce.report_words_page import COMMAND, REPEAT
from pelagos.reproduce.run import run
from tests.reproduce.checked import check_page, check_rows
from tests.reproduce.made_up import SMALL
from tests.reproduce.page_rows import PAGE, ROOT, page_rows, readme_counts


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text(encoding="utf-8")


def test_the_page_has_every_document_and_part(page):
    assert COMMAND in page and REPEAT in page and METHOD in page  # tested with the words themselves
    there = {(row.document, row.part) for row in page_rows(page)}
    assert there == {(document.key, part.key) for document in documents() for part in document.parts}
    for document in documents():
        assert (
            f'<a id="{document.key}"></a>\n\n## {document.short}\n\n> {document.citation}\n\n{document.about}' in page
        )
        for part in document.parts:
            assert f"### {part.title}\n\n{part.about.strip()}\n" in page, part.key


def test_no_row_of_the_page_fails(page):
    assert [row.key for row in page_rows(page) if row.verdict == Verdict.FAILED] == []


def test_the_table_of_the_readme_counts_the_rows_of_the_page(page):
    said = readme_counts((ROOT / "README.md").read_text(encoding="utf-8"))
    rows = page_rows(page)
    order = (Verdict.REPRODUCED, Verdict.ASSUMED, Verdict.NOT_REPRODUCIBLE, Verdict.FAILED)

    def counted(chosen):
        return [len(chosen), *(sum(row.verdict == verdict for row in chosen) for verdict in order)]

    made = {
        f"[{document.short}](docs/reproduction.md#{document.key})": counted(
            [row for row in rows if row.document == document.key]
        )
        for document in documents()
    }
    assert said == {**made, "**all**": counted(rows)}


def test_pictures_of_the_page_are_those_in_the_folder(page):
    named = set(re.findall(r"\(images/reproduction/([^)]+)\)", page))
    assert named == {path.name for path in (ROOT / "docs/images/reproduction").iterdir()}
    assert len(named) > 20


def test_the_errata_page_is_up_to_date():
    """After a change: python scripts/reproduction_page.py errata."""
    assert (ROOT / "docs/errata.md").read_text(encoding="utf-8") == errata_page()


def test_every_part_is_held_against_the_page_by_a_test_of_its_document():
    for document in documents():
        texts = "".join(path.read_text() for path in (ROOT / "tests/reproduce" / document.key).glob("test_*.py"))
        calls = re.findall(r'check_pa(?:rt|ge)\(\s*"([a-z]+)",\s*("[a-z0-9-]+"|part\b)', texts)
        told = {name.strip('"') for key, name in calls if key == document.key}
        # a test with the parameter `part` goes through all that its module has
        assert "part" in told or told == {part.key for part in document.parts}, document.key


def test_a_page_that_is_out_of_date_is_noticed():
    outcome = run([SMALL], jobs=1)
    text, findings = reproduction_page(outcome), outcome.documents[0].parts[0].findings
    first, *rest = findings.claims
    check_page("small", "speeds", findings, text, pictures=False)
    check_page("small", "speeds", Findings((replace(first, ours="3 ft/s"), *rest)), text)  # our digits are free
    for wrong in (
        replace(first, key="new"),
        replace(first, place="equation 6.38"),
        replace(first, published="2.1 ft/s"),
        replace(first, published="2 m/s"),
        replace(first, assumption="it floats"),
    ):
        with pytest.raises(AssertionError):
            check_page("small", "speeds", Findings((wrong, *rest)), text)
    with pytest.raises(AssertionError):
        check_page("small", "speeds", Findings(tuple(rest)), text)


def test_rows_that_are_not_sound_are_noticed():
    claims = SMALL.parts[0].run(lambda done: None).claims
    check_rows("small", Findings((claims[0], claims[2])))
    proof = claims[0].proof
    for wrong in (
        replace(claims[0], holds=False),
        replace(claims[0], key="Top speed"),
        replace(claims[0], why=""),
        replace(claims[0], proof=replace(proof, errata=("B999",))),
        replace(claims[0], proof=replace(proof, code=("pelagos.engine.motion.no_such",))),
        replace(claims[0], proof=replace(proof, tests=("tests/no_such.py",))),
        replace(claims[0], proof=replace(proof, figures=("small-none",))),
    ):
        with pytest.raises(AssertionError):
            check_rows("small", Findings((wrong,)))
    with pytest.raises(AssertionError):
        check_rows("small", Findings((claims[0], claims[0])))
