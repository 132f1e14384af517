"""The pages are written with their pictures, and the README's table."""

import runpy

import pytest

from evidence.tests.made_up import BAD, OTHER, SMALL
from evidence.tests.page_rows import ROOT, page_rows, readme_counts
from pelagos.errors import CommandError
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome
from pelagos_evidence.report.pages import BEGIN, END, summary_table, write_page, write_readme
from pelagos_evidence.run import run


@pytest.fixture(scope="module")
def outcome():
    return run([SMALL, OTHER, BAD], jobs=1)


def test_files_are_written_and_old_pictures_go(outcome, tmp_path):
    images = tmp_path / "images" / "reproduction"
    images.mkdir(parents=True)
    for name in ("small-old.png", "foreign.png"):
        (images / name).write_bytes(b"old")
    files = write_page(outcome, tmp_path)
    assert sorted(path.name for path in images.iterdir()) == ["foreign.png", "small-curve.png"]
    assert all(path.exists() for path in files)
    pages = {"reproduction.md", "errata.md", *(f"reproduction-{key}.md" for key in ("small", "other", "bad"))}
    assert {path.name for path in files} == {*pages, "small-curve.png"}
    written = {path: path.read_bytes() for path in files}
    assert {path: path.read_bytes() for path in write_page(outcome, tmp_path)} == written
    (tmp_path / "R.md").write_text(f"a\n{BEGIN}\nold\n{END}\nb\n")
    write_readme(outcome, tmp_path / "R.md")
    write_readme(outcome, tmp_path / "R.md")
    made = (tmp_path / "R.md").read_text()
    assert made == f"a\n{BEGIN}\n{summary_table(outcome, 'evidence/docs/reproduction.md')}{END}\nb\n"
    assert readme_counts(made)["[Small 2001](evidence/docs/reproduction.md#small)"] == [7, 3, 1, 1, 1, 1, 0]


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
    (tmp_path / "evidence/docs").mkdir(parents=True)
    (tmp_path / "README.md").write_text(f"{BEGIN}{END}")
    parts = {"ROOT": tmp_path, "documents": lambda: (SMALL, OTHER)}
    monkeypatch.setattr("sys.argv", ["reproduction_page.py"])
    made["main"].__globals__.update(parts)
    assert made["main"]() == 0
    assert len(page_rows((tmp_path / "evidence/docs/reproduction-small.md").read_text())) == 8
    assert "**all**" in readme_counts((tmp_path / "README.md").read_text())
    made["main"].__globals__["documents"] = lambda: (BAD,)
    assert made["main"]() == 1  # a failed row is not published
    assert not (tmp_path / "evidence/docs/reproduction-bad.md").exists()
