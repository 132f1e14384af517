"""One HTML file that tells a run of the documents: rows, pictures, errata, without a network and for any screen."""

from __future__ import annotations

import base64
from html import escape

from pelagos.analysis.report_style import SHEET
from pelagos.reproduce.claim import Claim, Verdict
from pelagos.reproduce.document import Document, Drawing
from pelagos.reproduce.errata import errata
from pelagos.reproduce.outcome import (
    HEADS,
    DocumentOutcome,
    Outcome,
    PartOutcome,
    brief_tolerance,
    chief_claims,
    figure_id,
    figure_numbers,
    made_with,
    part_id,
    row_id,
    summary_rows,
)
from pelagos.reproduce.prose import html_text, markdown_to_html
from pelagos.reproduce.report_html_lists import assumptions, errata_section, how_made, unreproduced
from pelagos.reproduce.report_html_style import SCRIPT
from pelagos.reproduce.report_html_style import SHEET as OWN_SHEET
from pelagos.reproduce.report_words import CHIEF_COLUMNS, INCOMPLETE, LIMITS, METHOD, abstract, title

CLASS = {
    Verdict.REPRODUCED: "reproduced",
    Verdict.ASSUMED: "assumed",
    Verdict.NOT_REPRODUCIBLE: "not",
    Verdict.FAILED: "failed",
}
MANY = {"misprint or gap": "misprints and gaps"}
COLUMNS = ("place", "claim", "published", "ours", "error", "tolerance and why", "verdict")


def report_html(outcome: Outcome) -> str:
    """The report as text."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title(outcome))}</title><style>{SHEET}{OWN_SHEET}</style></head><body><main>",
        _header(outcome),
        _contents(outcome),
        _summary(outcome),
        f'<section class="lead" id="method"><h2>Method</h2>{markdown_to_html(METHOD)}</section>',
        _tools(outcome),
        *(_document(one, figure_numbers(outcome)) for one in outcome.documents),
        assumptions(outcome),
        unreproduced(outcome),
        f'<section class="lead" id="limits"><h2>Limits of the method</h2>{markdown_to_html(LIMITS)}</section>',
        errata_section(outcome),
        how_made(outcome, made_with()),
        f"</main><script>{SCRIPT}</script></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _header(outcome: Outcome) -> str:
    keys = [one.document.key for one in outcome.documents]
    counted = {
        "document": len(keys),
        "claim": outcome.counts.total(),
        "figure": sum(len(one.drawings) for one in outcome.documents),
        "misprint or gap": sum(entry.document in keys for entry in errata().values()),
    }
    facts = [f"Pelagos {made_with()['pelagos']}"]
    facts += [f"{count} {MANY.get(word, word + 's') if count != 1 else word}" for word, count in counted.items()]
    warning = "" if outcome.complete else f'<p class="warn">{INCOMPLETE}</p>'
    return (
        f'<header><h1>{escape(title(outcome))}</h1><p class="facts">{escape(" · ".join(facts))}</p>{warning}'
        f'<div class="lead">{markdown_to_html(abstract(outcome))}</div></header>'
    )


def _contents(outcome: Outcome) -> str:
    there = [("summary", "summary"), ("method", "method")]
    there += [(one.document.key, one.document.short) for one in outcome.documents]
    there += [("assumptions", "assumptions"), ("not-reproducible", "not reproducible"), ("limits", "limits")]
    there += [("errata", "errata"), ("made", "how it was made")]
    return "<nav>" + " ".join(f'<a href="#{key}">{escape(text)}</a>' for key, text in there) + "</nav>"


def _summary(outcome: Outcome) -> str:
    head, *body = summary_rows(outcome)
    counts = [one.counts for one in outcome.documents] + [outcome.counts]
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rows: list[str] = []
    for (name, *cells), counted, one in zip(body, counts, [*outcome.documents, None], strict=False):
        words = f'<a href="#{one.document.key}">{escape(name)}</a>' if one else escape(name)
        shares = "".join(f'<i class="v-{CLASS[v]}" style="flex:{counted[v]}"></i>' for v in HEADS if counted[v])
        marks = ("", *(f"v-{CLASS[v]}" for v in HEADS))
        numbers = "".join(
            f'<td class="{"none" if cell == "0" else mark}">{cell}</td>'
            for cell, mark in zip(cells, marks, strict=True)
        )
        rows.append(f'<tr><th>{words}</th>{numbers}<td><span class="bar">{shares}</span></td></tr>')
    return (
        '<section id="summary"><h2>Summary</h2><div class="scroll"><table class="sums">'
        f"<thead><tr>{top}<th></th></tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _tools(outcome: Outcome) -> str:
    """Buttons and a box to find rows by; shown by the script, which alone can make them work."""
    counts = outcome.counts
    buttons = [f'<button data-show="all" aria-pressed="true">all {counts.total()}</button>']
    buttons += [
        f'<button data-show="{CLASS[v]}" aria-pressed="false">{escape(head)} {counts[v]}</button>'
        for v, head in HEADS.items()
        if counts[v]
    ]
    box = '<input type="search" placeholder="find rows: drag, B16, table 6.2" aria-label="find rows">'
    return f'<div class="tools" hidden>{"".join(buttons)}{box}<output></output></div>'


# ---- a document ------------------------------------------------------------------------------------------------------


def _document(one: DocumentOutcome, figures: dict[str, int]) -> str:
    document = one.document
    parts = "".join(_part(document, part, figures) for part in one.parts)
    return (
        f'<section class="document" id="{document.key}"><h2>{escape(document.short)}</h2>'
        f'<p class="cite">{html_text(document.citation)}</p><div class="lead">{markdown_to_html(document.about)}</div>'
        f"{_chief(one)}{parts}</section>"
    )


def _chief(one: DocumentOutcome) -> str:
    """The rows that a reader asks for first; each leads to the row itself."""
    rows: list[str] = []
    for claim in chief_claims(one):
        words = [html_text(text) for text in (claim.what, claim.published, claim.ours, brief_tolerance(claim))]
        cells = [f'<a href="#{row_id(one.document, claim)}">{html_text(claim.place)}</a>', *words]
        told = "".join(
            f'<td data-label="{label}">{cell}</td>' if label in CHIEF_COLUMNS[2:] and cell else f"<td>{cell}</td>"
            for label, cell in zip(CHIEF_COLUMNS, cells, strict=False)
        )
        rows.append(f'<tr>{told}<td class="verdict v-{CLASS[claim.verdict]}">{escape(HEADS[claim.verdict])}</td></tr>')
    heads = "".join(f"<th>{name}</th>" for name in CHIEF_COLUMNS)
    return (
        '<section class="chief"><h3>Chief results</h3><table class="rows">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
        if rows
        else ""
    )


def _part(document: Document, one: PartOutcome, figures: dict[str, int]) -> str:
    top = (
        f'<section class="part" id="{part_id(document, one.part)}"><h3>{escape(one.part.title)}</h3>'
        f'<div class="lead">{markdown_to_html(one.part.about)}</div>'
    )
    if one.findings is None:
        return f'{top}<p class="warn">This part was not reached.</p></section>'
    heads = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = "".join(_row(document, claim, figures) for claim in one.findings.claims)
    table = f'<table class="rows"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>' if rows else ""
    return (
        f"{top}{table}{''.join(_figure(drawing, figures[drawing.name]) for drawing in one.findings.drawings)}</section>"
    )


def _row(document: Document, claim: Claim, figures: dict[str, int]) -> str:
    name = row_id(document, claim)
    cells = (
        f'<a href="#{name}">{html_text(claim.place)}</a><small>{escape(document.short)}</small>',
        html_text(claim.what) + _notes(claim, figures),
        html_text(claim.published),
        html_text(claim.ours),
        html_text(claim.error),
        html_text(claim.tolerance) + (f"<small>{html_text(claim.why)}</small>" if claim.why else ""),
        escape(claim.verdict),
    )
    mark = CLASS[claim.verdict]
    labels = ("", "", *COLUMNS[2:5], "tolerance" if claim.tolerance else "why", "")
    made: list[str] = []
    for k, (cell, label) in enumerate(zip(cells, labels, strict=True)):
        given = f' data-label="{label}"' if label else f' class="verdict v-{mark}"' if k == 6 else ""
        made.append(f"<td{given}>{cell}</td>")
    return f'<tr id="{name}" data-verdict="{mark}">{"".join(made)}</tr>'


def _notes(claim: Claim, figures: dict[str, int]) -> str:
    """Assumption, errata, figures, code and tests below the words of a claim."""
    notes: list[str] = []
    if claim.assumption:
        notes.append(f"<small><strong>Assumed:</strong> {html_text(claim.assumption)}</small>")
    proof = claim.proof
    known = errata()
    links = [f'<a href="#{key}">{key}</a>' if key in known else escape(key) for key in proof.errata]
    links += [f'<a href="#{figure_id(name)}">figure {figures[name]}</a>' for name in proof.figures if name in figures]
    if links:
        notes.append(f"<small>see {', '.join(links)}</small>")
    if proof.code or proof.tests:
        where = [f"<code>{escape(name)}</code>" for name in (*proof.code, *proof.tests)]
        notes.append(f'<details class="more"><summary>code and tests</summary>{" ".join(where)}</details>')
    return "".join(notes)


def _figure(drawing: Drawing, number: int) -> str:
    source = base64.b64encode(drawing.png).decode("ascii")
    caption = html_text(drawing.caption)
    return (
        f'<figure id="{figure_id(drawing.name)}"><img src="data:image/png;base64,{source}" '
        f'alt="{escape(drawing.caption)}" width="{drawing.width_px}" height="{drawing.height_px}">'
        f"<figcaption>Figure {number}. {caption}</figcaption></figure>"
    )
