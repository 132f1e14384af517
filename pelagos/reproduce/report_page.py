"""The run as pages of the documentation: docs/reproduction.md with its pictures, docs/errata.md, the README's table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from pelagos.errors import CommandError
from pelagos.reproduce.claim import Claim, Verdict
from pelagos.reproduce.document import Document
from pelagos.reproduce.documents import DOCUMENTS, document
from pelagos.reproduce.errata import WEIGHTS, errata, sources
from pelagos.reproduce.outcome import (
    HEADS,
    DocumentOutcome,
    Outcome,
    PartOutcome,
    figure_id,
    figure_numbers,
    made_with,
    part_id,
    row_id,
    summary_rows,
)
from pelagos.reproduce.prose import markdown_text
from pelagos.reproduce.report_words import METHOD, abstract, title
from pelagos.reproduce.report_words_page import CITE, COMMAND, OPENING, REPEAT

IMAGES = "images/reproduction"
BEGIN, END = "<!-- reproduction -->", "<!-- /reproduction -->"
WIDTH = 118  # of lines, as in the other pages
COLUMNS = ("place", "claim", "published", "ours", "error", "tolerance and why", "verdict")


def write_page(outcome: Outcome, folder: Path, names: Iterable[str] = ()) -> list[Path]:
    """Write reproduction.md, errata.md and the pictures into a folder; returns what was written.

    Args:
        outcome: a complete run.
        folder: such as docs; pictures go to images/reproduction in it.
        names: of all documents there are, whose old pictures may be removed; those of the run if not given.
    """
    if not outcome.complete:
        raise CommandError("the page is not written from a run that was interrupted")
    images = folder / IMAGES
    files = {
        folder / "reproduction.md": reproduction_page(outcome).encode(),
        folder / "errata.md": errata_page().encode(),
    }
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
    path.write_text(f"{before}{BEGIN}\n{summary_table(outcome, 'docs/reproduction.md')}{END}{after}", encoding="utf-8")


def summary_table(outcome: Outcome, page: str = "") -> str:
    """Document against verdict as Markdown, each document leading to its section."""
    head, *body = summary_rows(outcome)
    lines = [_line(head), "|---|" + "---:|" * (len(head) - 1)]
    for k, (name, *cells) in enumerate(body):
        words = f"[{name}]({page}#{outcome.documents[k].document.key})" if k < len(outcome.documents) else f"**{name}**"
        lines.append(_line([words, *cells]))
    return "\n".join(lines) + "\n"


def reproduction_page(outcome: Outcome) -> str:
    """The page as Markdown."""
    blocks = [f"# {title(outcome)}", textwrap.fill(abstract(outcome), WIDTH), summary_table(outcome), OPENING]
    blocks += ["## How rows are judged", METHOD]
    figures = figure_numbers(outcome)
    for one in outcome.documents:
        blocks += _document(one, figures)
    blocks += ["## Assumptions", *_assumptions(outcome)]
    blocks += ["## What is not reproducible, and why", *_unreproduced(outcome)]
    blocks += [
        "## Repeat it",
        REPEAT,
        COMMAND,
        _made(outcome),
        "## Cite it",
        _cite(outcome),
    ]
    blocks.append("\n".join(f"- {one.document.short}: {one.document.citation}" for one in outcome.documents))
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    return "\n".join([_line(heads), "|" + "---|" * len(heads), *map(_line, rows)])


# ---- a document ------------------------------------------------------------------------------------------------------


def _document(one: DocumentOutcome, figures: dict[str, int]) -> list[str]:
    document = one.document
    counts = one.counts
    told = ", ".join(f"{counts[verdict]} {head}" for verdict, head in HEADS.items() if counts[verdict])
    blocks = [f'<a id="{document.key}"></a>\n\n## {document.short}', f"> {document.citation}", document.about]
    blocks.append(f"{len(one.claims)} rows: {told}.")
    for part in one.parts:
        blocks += _part(document, part, figures)
    return blocks


def _part(document: Document, one: PartOutcome, figures: dict[str, int]) -> list[str]:
    found = one.findings
    if found is None:
        return []
    blocks = [f'<a id="{part_id(document, one.part)}"></a>\n\n### {one.part.title}', one.part.about]
    if found.claims:
        blocks.append(_table(COLUMNS, (_row(document, claim, figures) for claim in found.claims)))
    for drawing in found.drawings:
        caption = markdown_text(drawing.caption)
        alt = caption.replace("\\[", "(").replace("\\]", ")")
        blocks.append(f'<a id="{figure_id(drawing.name)}"></a>![{alt}]({IMAGES}/{drawing.name}.png)')
        blocks.append(f"*Figure {figures[drawing.name]}.* {caption}")
    where = [_where(document, claim) for claim in found.claims if claim.proof.code or claim.proof.tests]
    if where:
        blocks.append("<details><summary>Where it is implemented and tested</summary>")
        blocks.append(_table(("row", "code", "tests"), where))
        blocks.append("</details>")
    return blocks


def _row(document: Document, claim: Claim, figures: dict[str, int]) -> list[str]:
    words = markdown_text(claim.what)
    if claim.assumption:
        words += f"<br>*Assumed:* {markdown_text(claim.assumption)}"
    known = errata()
    links = [f"[{key}](errata.md#{key.lower()})" for key in claim.proof.errata if key in known]
    links += [f"[figure {figures[name]}](#{figure_id(name)})" for name in claim.proof.figures if name in figures]
    if links:
        words += f"<br>See {', '.join(links)}"
    why = "<br>".join(markdown_text(text) for text in (claim.tolerance, claim.why) if text)
    verdict = f"**{claim.verdict}**" if claim.verdict is Verdict.FAILED else str(claim.verdict)
    place = f'<a id="{row_id(document, claim)}"></a>{markdown_text(claim.place)}'
    return [place, words, *map(markdown_text, (claim.published, claim.ours, claim.error)), why, verdict]


def _where(document: Document, claim: Claim) -> list[str]:
    code, tests = (" ".join(f"`{name}`" for name in names) for names in (claim.proof.code, claim.proof.tests))
    return [_row_link(document, claim), code, tests]


# ---- lists at the end ------------------------------------------------------------------------------------------------


def _row_link(document: Document, claim: Claim) -> str:
    return f"[{markdown_text(claim.place)}](#{row_id(document, claim)})"


def _assumptions(outcome: Outcome) -> list[str]:
    blocks: list[str] = []
    for one in outcome.documents:
        given: dict[str, list[str]] = {}
        for claim in one.claims:
            if claim.assumption:
                given.setdefault(markdown_text(claim.assumption), []).append(_row_link(one.document, claim))
        if given:
            items = (f"- {text} ({', '.join(links)})" for text, links in given.items())
            blocks.append(f"**{one.document.short}**\n\n" + "\n".join(items))
    return blocks or ["None."]


def _unreproduced(outcome: Outcome) -> list[str]:
    blocks: list[str] = []
    for one in outcome.documents:
        items = [
            f"- {_row_link(one.document, claim)}: {markdown_text(claim.what)}. {markdown_text(claim.why)}"
            for claim in one.claims
            if claim.verdict is Verdict.NOT_REPRODUCIBLE
        ]
        if items:
            blocks.append(f"**{one.document.short}**\n\n" + "\n".join(items))
    return blocks or ["None."]


def _made(outcome: Outcome) -> str:
    """On what and how long: one sentence."""
    made = made_with()
    versions = ", ".join(f"{name.capitalize()} {made[name]}" for name in ("python", "numpy", "numba", "matplotlib"))
    said = (
        f"This page was made with Pelagos {made['pelagos']}, {versions} on a machine of the class {made['machine']}, "
        f"by {outcome.jobs} processes in {outcome.seconds:.0f} s; it holds {len(figure_numbers(outcome))} figures."
    )
    return textwrap.fill(said, WIDTH)


def _cite(outcome: Outcome) -> str:
    rows = [row_id(document, claim) for document, claim in outcome.rows]
    return CITE.format(version=made_with()["pelagos"], row=rows[0] if rows else "")


# ---- errata ----------------------------------------------------------------------------------------------------------


def errata_page() -> str:
    """The misprints as a page of their own, from errata.toml alone."""
    weights = "\n".join(f"- *{name or 'none'}*: {text}." for name, text in WEIGHTS.items())
    blocks = [
        "# Errata of the five documents",
        "What is printed, what is right, how that is known, and what Pelagos uses. The rows of "
        "[the reproduction](reproduction.md) lead here by these keys. The weight says how much an entry matters:",
        weights,
    ]
    heads = ("key", "place", "printed", "right", "how it is known", "what Pelagos uses", "weight")
    for name in DOCUMENTS:
        rows = (
            [f'<a id="{key.lower()}"></a>{key}']
            + [markdown_text(text) for text in (e.place, e.printed, e.right, e.reason, e.used)]
            + [e.weight]
            for key, e in errata().items()
            if e.document == name
        )
        blocks += [f"## {document(name).short}", _table(heads, rows)]
    listed = ([entry.key, markdown_text(entry.what), markdown_text(entry.where)] for entry in sources().values())
    blocks += ["## Sources", _table(("key", "what", "where"), listed)]
    return "\n\n".join(blocks) + "\n"
