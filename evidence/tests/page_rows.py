"""Reads rows back from the pages (reproduction-royer.md and the others) and from the README's table."""

import re
from dataclasses import dataclass
from pathlib import Path

from pelagos_evidence.report.pages import BEGIN, END

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "evidence/docs/reproduction.md"
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>')


def rows_text(document):
    """The page with all rows of a document, by its word."""
    return (PAGE.parent / f"reproduction-{document}.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class PageRow:
    """A row of the page, as its Markdown has it."""

    document: str
    part: str
    key: str
    place: str
    published: str
    verdict: str


def cells(line):
    """Of a line of a table; an escaped bar is no end of a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def page_rows(text):
    """Every row of a page."""
    rows, document, part = [], "", ""
    for line in text.splitlines():
        anchor = ANCHOR.match(line)
        if anchor and "--" in anchor[1] and not line.startswith("| "):
            document, _, part = anchor[1].partition("--")
        anchor = ANCHOR.match(line[2:])
        if line.startswith("| ") and anchor and part:
            place, _, published, _, _, _, verdict = cells(line)
            key = anchor[1].removeprefix(f"{document}-")
            rows.append(PageRow(document, part, key, ANCHOR.sub("", place), published, verdict.strip("*")))
    return rows


def readme_counts(text):
    """The README's table: document, then claims and counts by verdict."""
    lines = text.split(BEGIN)[1].split(END)[0].strip().splitlines()
    return {cells(line)[0]: [int(cell) for cell in cells(line)[1:]] for line in lines[2:]}
