"""The run as a paper, docs/reproduction.md: what was done, the chief results, the figures, and what to make of them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from pelagos.reproduce.claim import Claim, Verdict
from pelagos.reproduce.document import Document
from pelagos.reproduce.outcome import (
    HEADS,
    DocumentOutcome,
    Outcome,
    PartOutcome,
    brief_tolerance,
    chief_claims,
    counted,
    figure_id,
    figure_numbers,
    made_with,
    part_id,
    relative_error,
    row_id,
    summary_rows,
)
from pelagos.reproduce.prose import markdown_text
from pelagos.reproduce.report_markdown import IMAGES, joined, line, proof_links, row_link, rows_file, table
from pelagos.reproduce.report_words import CHIEF_COLUMNS, LARGE, LIMITS, METHOD, abstract, percent, title
from pelagos.reproduce.report_words_page import CITE, COMMAND, OPENING, REPEAT

WIDTH = 118  # of lines, as in the other pages
SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z0-9])")  # between two of them
SENTENCES = 2  # of a reason; the row has them all
MOST = 8  # differences to be told of a document
FEW = 1  # rows that are named beside an assumption; the pages of rows name it in each


def summary_table(outcome: Outcome, page: str = "") -> str:
    """Document against verdict as Markdown, each document leading to its section."""
    head, *body = summary_rows(outcome)
    lines = [line(head), "|---|" + "---:|" * (len(head) - 1)]
    for k, (name, *cells) in enumerate(body):
        words = f"[{name}]({page}#{outcome.documents[k].document.key})" if k < len(outcome.documents) else f"**{name}**"
        lines.append(line([words, *cells]))
    return "\n".join(lines) + "\n"


def reproduction_page(outcome: Outcome) -> str:
    """The page as Markdown."""
    blocks = [f"# {title(outcome)}", textwrap.fill(f"**Abstract.** {abstract(outcome)}", WIDTH)]
    blocks += [summary_table(outcome), _contents(outcome), OPENING, '<a id="method"></a>\n\n## Method', METHOD]
    figures = figure_numbers(outcome)
    for one in outcome.documents:
        blocks += _document(one, figures)
    blocks += ['<a id="limits"></a>\n\n## Limits of the method', LIMITS]
    blocks += ["## Repeat it", REPEAT, COMMAND, _made(outcome), "## Cite it", _cite(outcome)]
    blocks.append("\n".join(f"- {one.document.short}: {one.document.citation}" for one in outcome.documents))
    return joined(blocks)


def _contents(outcome: Outcome) -> str:
    there = [("method", "method")] + [(one.document.key, one.document.short) for one in outcome.documents]
    there += [("limits", "limits of the method"), ("repeat-it", "repeat it"), ("cite-it", "cite it")]
    return "On this page: " + ", ".join(f"[{text}](#{key})" for key, text in there) + "."


# ---- a document ------------------------------------------------------------------------------------------------------


def _document(one: DocumentOutcome, figures: dict[str, int]) -> Iterator[str]:
    document = one.document
    yield f'<a id="{document.key}"></a>\n\n## {document.short}'
    yield f"> {document.citation}"
    yield document.about
    yield (
        f"{len(one.claims)} rows: {counted(one.counts)}. [Every row]({rows_file(document)}) with its tolerance, the "
        "reason for it, code and tests."
    )
    if rows := [_chief(document, claim) for claim in chief_claims(one)]:
        yield f'<a id="{document.key}--chief"></a>\n\n### {document.short}: chief results'
        yield table(CHIEF_COLUMNS, rows)
    yield f"### {document.short}: what was computed"
    for part in one.parts:
        yield from _part(document, part, figures)
    yield from _differences(one)
    yield from _unreproduced(one)
    yield from _assumptions(one)


def _chief(document: Document, claim: Claim) -> list[str]:
    words = [markdown_text(text) or "-" for text in (claim.what, claim.published, claim.ours, brief_tolerance(claim))]
    return [row_link(document, claim), *words, _short(claim)]


def _short(claim: Claim) -> str:
    return f"**{HEADS[claim.verdict]}**" if claim.verdict is Verdict.FAILED else HEADS[claim.verdict]


def _part(document: Document, one: PartOutcome, figures: dict[str, int]) -> Iterator[str]:
    found = one.findings
    if found is None:
        return
    name = part_id(document, one.part)
    rows = f"{len(found.claims)} {'row' if len(found.claims) == 1 else 'rows'}"
    yield f'<a id="{name}"></a>\n\n#### {one.part.title}'
    yield f"{one.part.about.strip()} ([{rows}]({rows_file(document)}#{name}))"
    for drawing in found.drawings:
        caption = markdown_text(drawing.caption)
        number = figures[drawing.name]
        yield f'<a id="{figure_id(drawing.name)}"></a>![Figure {number}]({IMAGES}/{drawing.name}.png)'
        yield f"*Figure {number}.* {caption}"


def _differences(one: DocumentOutcome) -> Iterator[str]:
    """The rows that hold and yet are not close, farthest first."""
    far = [(error, claim) for claim in one.claims if (error := relative_error(claim)) is not None and error > LARGE]
    if not far:
        return
    far.sort(key=lambda pair: -pair[0])
    yield f"### {one.document.short}: largest differences among the rows that hold"
    more = f"; {len(far)} rows differ by more than {percent(LARGE)}, the {MOST} farthest stand here"
    yield (
        "Numbers that are within their tolerance and differ from the published value by more than "
        f"{percent(LARGE)}{more if len(far) > MOST else ''}."
    )
    rows = (
        [
            row_link(one.document, claim),
            *map(markdown_text, (claim.what, claim.published, claim.ours, claim.error)),
            markdown_text(claim.tolerance),
        ]
        for _, claim in far[:MOST]
    )
    yield table(("place", "claim", "published", "ours", "error", "tolerance"), rows)


def _unreproduced(one: DocumentOutcome) -> Iterator[str]:
    """Apart: what a correct model does not give, and what nobody can check."""
    lost = [claim for claim in one.claims if claim.verdict is Verdict.NOT_REPRODUCIBLE]
    if not lost:
        return
    yield f'<a id="{one.document.key}--not"></a>\n\n### {one.document.short}: not reproducible, and why'
    yield "The reason in short; the row, to which the place leads, has the whole of it."
    other, unchecked = ([claim for claim in lost if bool(claim.ours) is given] for given in (True, False))
    for heading, claims in (("Our value is another:", other), ("There is nothing to compare with:", unchecked)):
        if claims:
            yield heading
            yield "\n".join(_lost(one.document, claim) for claim in claims)


def _lost(document: Document, claim: Claim) -> str:
    links = ", ".join(proof_links(claim))
    told = f"- {row_link(document, claim)}{f' ({links})' if links else ''}: {_ended(claim.what)}"
    if claim.key not in document.chief:  # its values stand above
        told += f" Published: {markdown_text(claim.published)}"
        told += f"; ours: {_ended(claim.ours)}" if claim.ours else "."
    why = markdown_text(" ".join(SENTENCE.split(claim.why)[:SENTENCES]))
    return f"{told} {why[:1].upper()}{why[1:]}"


def _ended(text: str) -> str:
    text = markdown_text(text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _assumptions(one: DocumentOutcome) -> Iterator[str]:
    """Each assumption once, with the rows that rest on it."""
    given: dict[str, list[str]] = {}
    for claim in one.claims:
        if claim.assumption:
            given.setdefault(markdown_text(claim.assumption), []).append(row_link(one.document, claim))
    if given:
        yield f'<a id="{one.document.key}--assumed"></a>\n\n### {one.document.short}: what had to be assumed'
        yield "\n".join(f"- {text} ({_some(links)})" for text, links in given.items())


def _some(links: list[str]) -> str:
    more = len(links) - FEW
    return ", ".join(links[:FEW]) + (f" and {more} more" if more > 0 else "")


# ---- the end ---------------------------------------------------------------------------------------------------------


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
    rows = [f"{rows_file(document)}#{row_id(document, claim)}" for document, claim in outcome.rows]
    return CITE.format(version=made_with()["pelagos"], row=rows[0] if rows else "")
