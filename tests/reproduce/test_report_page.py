"""The page is Markdown that says what the run found, with its pictures, errata and the README's table."""

import re
import runpy

import pytest

from pelagos.errors import CommandError
from pelagos.reproduce.outcome import DocumentOutcome, Outcome, PartOutcome
from pelagos.reproduce.prose import markdown_text
from pelagos.reproduce.report_page import (
    BEGIN,
    END,
    errata_page,
    reproduction_page,
    summary_table,
    write_page,
    write_readme,
)
from pelagos.reproduce.run import run
from tests.reproduce.made_up import BAD, OTHER, SMALL
from tests.reproduce.page_rows import ROOT, page_rows, readme_counts


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


@pytest.fixture(scope="module")
def text(outcome):
    return reproduction_page(outcome)


def test_every_row_can_be_read_back(text, outcome):
    rows = page_rows(text)
    assert [(row.document, row.key) for row in rows] == [(document.key, claim.key) for document, claim in outcome.rows]
    for row, (_, claim) in zip(rows, outcome.rows, strict=True):
        assert row.place == markdown_text(claim.place)
        assert row.published == markdown_text(claim.published)
        assert row.verdict == claim.verdict
    assert {row.part for row in rows if row.document == "small"} == {"speeds", "words"}


def test_tables_have_as_many_cells_as_heads(text):
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, table[:200]


def test_links_and_anchors_meet(text):
    anchors = re.findall(r'<a id="([^"]+)">', text)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
    for key in re.findall(r"errata\.md#([^)]+)\)", text):
        assert f'<a id="{key}"></a>' in errata_page()


def test_it_reads_as_a_page(text):
    assert text.count("\n# ") == 0 and text.startswith("# Small 2001, Other 2002 and Bad 2003, reproduced\n")
    for said in (
        "Of 12 rows, 5 are reproduced",
        "> S. Small, A small document, 2001.",
        "*Assumed:* the hull is a \\*spheroid\\* of `k_1` = 0.1",
        "*Figure 1.* Speed against time, as in figure 7 of a document that has &lt;none&gt; of it",
        "See [B16](errata.md#b16), [B24](errata.md#b24)",
        "`pelagos.engine.motion`",
        "**failed**",
        "See [figure 1](#figure-small-curve)",
        "| [equation 6.37](#small-top) | `pelagos.engine.motion` | `tests/engine/test_motion.py` |",
        "the curve is lost in the scan",
        "\n## Cite it\n",
    ):
        assert said in text, said
    assert "\n\n\n" not in text


def test_files_are_written_and_old_pictures_go(outcome, tmp_path):
    images = tmp_path / "images" / "reproduction"
    images.mkdir(parents=True)
    for name in ("small-old.png", "foreign.png"):
        (images / name).write_bytes(b"old")
    files = write_page(outcome, tmp_path)
    assert sorted(path.name for path in images.iterdir()) == ["foreign.png", "small-curve.png"]
    assert all(path.exists() for path in files)
    (tmp_path / "R.md").write_text(f"a\n{BEGIN}\nold\n{END}\nb\n")
    write_readme(outcome, tmp_path / "R.md")
    write_readme(outcome, tmp_path / "R.md")
    made = (tmp_path / "R.md").read_text()
    assert made == f"a\n{BEGIN}\n{summary_table(outcome, 'docs/reproduction.md')}{END}\nb\n"
    assert readme_counts(made)["[Small 2001](docs/reproduction.md#small)"] == [5, 3, 1, 1, 0]


def test_what_cannot_be_written_gets_a_sentence(outcome, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match=r"the page cannot be written"):
        write_page(outcome, tmp_path / "file")
    with pytest.raises(CommandError, match="expected the marks"):
        write_readme(outcome, tmp_path / "file")
    cut = DocumentOutcome(SMALL, (outcome.documents[0].parts[0], PartOutcome(SMALL.parts[1])))
    with pytest.raises(CommandError, match="interrupted"):
        write_page(Outcome((cut,)), tmp_path)


def test_the_script_writes_page_readme_and_errata(tmp_path, monkeypatch):
    made = runpy.run_path(str(ROOT / "scripts/reproduction_page.py"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(f"{BEGIN}{END}")
    parts = {"ROOT": tmp_path, "documents": lambda: (SMALL, OTHER)}
    monkeypatch.setattr("sys.argv", ["reproduction_page.py"])
    made["main"].__globals__.update(parts)
    assert made["main"]() == 0
    assert len(page_rows((tmp_path / "docs/reproduction.md").read_text())) == 7
    assert "**all**" in readme_counts((tmp_path / "README.md").read_text())
    made["main"].__globals__["documents"] = lambda: (BAD,)
    assert made["main"]() == 1  # a failed row is not published
    assert len(page_rows((tmp_path / "docs/reproduction.md").read_text())) == 7
