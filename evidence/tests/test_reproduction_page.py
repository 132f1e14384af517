"""The pages of evidence/docs and the README's table fit together and are those of today's documents.

That the rows are those of a fresh run is tested where the documents are run: `check_part` in evidence/tests.
"""

import re
from dataclasses import replace

import pytest

from evidence.tests.checked import check_page, check_rows
from evidence.tests.made_up import SMALL
from evidence.tests.page_rows import PAGE, ROOT, page_rows, readme_counts, rows_text
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.document import Findings
from pelagos_evidence.documents import documents
from pelagos_evidence.outcome import HEADS
from pelagos_evidence.report.pages import COMMAND, REPEAT, UNLIKE, errata_page, rows_page
from pelagos_evidence.report.words import LIMITS, METHOD
from pelagos_evidence.run import run

KNOWN = {"hover-camera-altitude"}  # rows that contradict the document, and say so
MOST_BYTES = {"reproduction.md": 160_000}  # too long to read above that; a page of rows is for looking up
MOST_BYTES_OF_ROWS = 250_000


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rows():
    return [row for document in documents() for row in page_rows(rows_text(document.key))]


def test_the_pages_have_every_document_and_part(page, rows):
    for words in (COMMAND, REPEAT, METHOD, LIMITS):  # tested with the words themselves
        assert words.strip() in page
    there = {(row.document, row.part) for row in rows}
    assert there == {(document.key, part.key) for document in documents() for part in document.parts}
    for document in documents():
        lead = f'<a id="{document.key}"></a>\n\n## {document.short}\n\n> {document.citation}\n\n{document.about}'
        assert lead in page
        for part in document.parts:
            assert f"#### {part.title}\n\n{part.about.strip()} (" in page, part.key


def test_the_chief_results_are_rows(page, rows):
    for document in documents():
        keys = {row.key for row in rows if row.document == document.key}
        assert 8 <= len(document.chief) <= 30 and len(set(document.chief)) == len(document.chief)
        assert set(document.chief) <= keys, (document.key, set(document.chief) - keys)
        listed = page.split(f'<a id="{document.key}--chief"></a>')[1].split(f"### {document.short}: what was")[0]
        links = re.findall(rf"^\| \[.*?\]\(reproduction-{document.key}\.md#{document.key}-([^)]+)\) \|", listed, re.M)
        assert tuple(links) == document.chief


def test_what_differs_stands_on_the_page(page, rows):
    for document in documents():
        chapter = page.split(f'<a id="{document.key}"></a>')[1].split('<a id="limits"></a>')[0]
        for row in rows:
            if row.document == document.key and row.verdict in UNLIKE:
                assert f"](reproduction-{document.key}.md#{document.key}-{row.key})" in chapter, row.key


def test_the_pages_are_not_too_long():
    for path in PAGE.parent.glob("reproduction*.md"):
        assert path.stat().st_size < MOST_BYTES.get(path.name, MOST_BYTES_OF_ROWS), path.name


def test_no_row_of_the_pages_fails_but_those_known_to(rows):
    assert {row.key for row in rows if row.verdict == ClaimVerdict.FAILED} <= KNOWN


def test_the_table_of_the_readme_counts_the_rows_of_the_pages(rows):
    readme = readme_counts((ROOT / "README.md").read_text(encoding="utf-8"))

    def counted(chosen):
        return [
            sum(row.verdict != ClaimVerdict.READ_BACK for row in chosen),
            *(sum(row.verdict == verdict for row in chosen) for verdict in HEADS),
        ]

    made = {
        f"[{document.short}](evidence/docs/reproduction.md#{document.key})": counted(
            [row for row in rows if row.document == document.key]
        )
        for document in documents()
    }
    assert readme == {**made, "**all**": counted(rows)}


def test_pictures_of_the_page_are_those_in_the_folder(page):
    named = set(re.findall(r"\(images/reproduction/([^)]+)\)", page))
    assert named == {path.name for path in (PAGE.parent / "images/reproduction").iterdir()}
    assert len(named) > 20


def test_the_errata_page_is_up_to_date():
    """After a change: python scripts/reproduction_page.py errata."""
    assert (PAGE.parent / "errata.md").read_text(encoding="utf-8") == errata_page()


def checked_parts(path):
    """Document and key of every part that a test file compares with the page."""
    text = path.read_text(encoding="utf-8")
    for key, name in re.findall(r'check_pa(?:rt|ge)\(\s*"([a-z]+)",\s*("[a-z0-9-]+"|part\b)', text):
        if name != "part":
            yield key, name.strip('"')
            continue
        # a test with the parameter `part` goes through the first parts of its document
        (count,) = re.findall(r"^PARTS = DOCUMENT\.parts\[:(\d+)\]$", text, re.M)
        yield from ((key, part.key) for part in documents([key])[0].parts[: int(count)])


def test_every_part_is_compared_with_the_page_by_a_test_of_its_document():
    tested = {part for path in (ROOT / "evidence/tests").glob("*/**/test_*.py") for part in checked_parts(path)}
    assert tested == {(document.key, part.key) for document in documents() for part in document.parts}


def test_a_page_that_is_out_of_date_is_noticed():
    outcome = run([SMALL], jobs=1)
    text, findings = rows_page(outcome.documents[0], {}), outcome.documents[0].parts[0].findings
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
    fewer = Findings((replace(first, holds=None), *rest))
    check_page("small", "speeds", fewer, text, pictures=False, judged=False)
    with pytest.raises(AssertionError):
        check_page("small", "speeds", fewer, text, pictures=False)


def test_rows_that_are_not_sound_are_noticed():
    claims = SMALL.parts[0].run(lambda done: None).claims
    check_rows("small", Findings((claims[0], *claims[2:])))
    proof = claims[0].proof
    for wrong in (
        replace(claims[0], holds=False),
        replace(claims[3], numbers={"off": 0.0, "limit": 0.0}),
        replace(claims[0], holds=None),
        replace(claims[0], key="Top speed"),
        replace(claims[0], why=""),
        replace(claims[0], proof=replace(proof, errata=("B999",))),
        replace(claims[0], proof=replace(proof, code=("pelagos.engine.core.motion.no_such",))),
        replace(claims[0], proof=replace(proof, tests=("tests/no_such.py",))),
        replace(claims[0], proof=replace(proof, figures=("small-none",))),
    ):
        with pytest.raises(AssertionError):
            check_rows("small", Findings((wrong,)))
    with pytest.raises(AssertionError):
        check_rows("small", Findings((claims[0], claims[0])))
