"""The run as pages of the documentation, written to a folder, and the README's table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pelagos.errors import CommandError
from pelagos.reproduce.outcome import Outcome, figure_numbers
from pelagos.reproduce.report_errata_page import errata_page
from pelagos.reproduce.report_markdown import IMAGES, PAPER, rows_file
from pelagos.reproduce.report_paper import reproduction_page, summary_table
from pelagos.reproduce.report_rows_page import rows_page

BEGIN, END = "<!-- reproduction -->", "<!-- /reproduction -->"


def write_page(outcome: Outcome, folder: Path, names: Iterable[str] = ()) -> list[Path]:
    """Write reproduction.md, a page of rows for each document, errata.md and the pictures; returns what was written.

    Args:
        outcome: a complete run.
        folder: such as docs; pictures go to images/reproduction in it.
        names: of all documents there are, whose old pictures may be removed; those of the run if not given.
    """
    if not outcome.complete:
        raise CommandError("the page is not written from a run that was interrupted")
    images, figures = folder / IMAGES, figure_numbers(outcome)
    files = {folder / PAPER: reproduction_page(outcome).encode(), folder / "errata.md": errata_page().encode()}
    files |= {folder / rows_file(one.document): rows_page(one, figures).encode() for one in outcome.documents}
    files |= {images / f"{d.name}.png": d.png for one in outcome.documents for d in one.drawings}
    keys = tuple(f"{name}-" for name in names or (one.document.key for one in outcome.documents))
    try:
        images.mkdir(parents=True, exist_ok=True)
        for old in images.glob("*.png"):
            if old not in files and old.name.startswith(keys):
                old.unlink()
        for path, content in files.items():
            path.write_bytes(content)
    except OSError as problem:
        raise CommandError(f"{problem.filename}: the page cannot be written ({problem.strerror})") from None
    return list(files)


def write_readme(outcome: Outcome, path: Path) -> None:
    """Put the summary between the two marks of the README."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise CommandError(f"{path}: expected the marks {BEGIN} and {END} around the table")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{BEGIN}\n{summary_table(outcome, f'docs/{PAPER}')}{END}{after}", encoding="utf-8")
