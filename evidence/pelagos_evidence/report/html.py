"""Write a run of the documents as one HTML file: rows, figures, errata, without a network and for any screen."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape

from pelagos.analysis.report import SHEET
from pelagos_evidence.claim import Claim, ClaimVerdict
from pelagos_evidence.document import Document, Drawing
from pelagos_evidence.documents import DOCUMENTS
from pelagos_evidence.errata import WEIGHTS, errata, sources
from pelagos_evidence.outcome import HEADS, DocumentOutcome, Outcome, PartOutcome, figure_id, made_with
from pelagos_evidence.report.words import (
    CHIEF_COLUMNS,
    COLUMNS,
    INCOMPLETE,
    LIMITS,
    METHOD,
    UNLIKE,
    abstract,
    html_text,
    markdown_to_html,
    title,
)

OWN_SHEET = """
:root { --good: #0b6e4f; --given: #1c5d99; --wrong: #6a3d9a; --cannot: #8a5a00;
  --none: #5f6b3a; --bad: #b2182b; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd3a6; --given: #8abdf0; --wrong: #c9a6f0;
  --cannot: #f0c060; --none: #b9c48a; --bad: #ff8a80; } }
main { max-width: 82rem; }
html { scroll-padding-top: 4rem; }
h3 { font-size: 1.02rem; margin: 2rem 0 .4rem; }
.lead p, .lead li { font-size: 1rem; color: var(--ink); max-width: 48rem; }
.cite { font-size: .88rem; color: var(--soft); max-width: 48rem; }
a { color: var(--link); }
[hidden] { display: none !important; }
.scroll { overflow-x: auto; }
.sums { width: auto; }
.sums th:not(:first-child), .sums td { text-align: right; padding: .32rem .2rem .32rem 1.2rem; }
.sums td.none { color: var(--soft); }
.bar { display: flex; height: .55rem; width: 9rem; border-radius: 3px; overflow: hidden; margin-top: .35rem; }
.bar i { display: block; }
.v-reproduced { color: var(--good); } .v-assumed { color: var(--given); } .v-refuted { color: var(--wrong); }
.v-not { color: var(--cannot); } .v-none { color: var(--none); } .v-back { color: var(--soft); }
.v-failed { color: var(--bad); }
.bar .v-reproduced { background: var(--good); } .bar .v-assumed { background: var(--given); }
.bar .v-refuted { background: var(--wrong); } .bar .v-not { background: var(--cannot); }
.bar .v-none { background: var(--none); } .bar .v-failed { background: var(--bad); }
td.verdict { font-weight: 600; }
.tools { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .6rem 0; margin-top: 1.5rem;
  border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
.tools button, .tools input { font: inherit; font-size: .86rem; color: var(--ink); background: var(--shade);
  border: 1px solid var(--line); border-radius: 4px; padding: .25rem .6rem; }
.tools button { cursor: pointer; }
.tools button[aria-pressed=true] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.tools input { flex: 1 1 12rem; min-width: 0; max-width: 24rem; }
.tools output { font-size: .86rem; color: var(--soft); }
.rows { table-layout: fixed; margin: .6rem 0 1rem; }
.rows th, .rows td { overflow-wrap: anywhere; }
.rows th:nth-child(1) { width: 10%; } .rows th:nth-child(2) { width: 25%; } .rows th:nth-child(3) { width: 14%; }
.rows th:nth-child(4) { width: 14%; } .rows th:nth-child(5) { width: 9%; } .rows th:nth-child(6) { width: 18%; }
.chief .rows th:nth-child(1) { width: 12%; } .chief .rows th:nth-child(2) { width: 34%; }
.chief .rows th:nth-child(5) { width: 12%; } .chief .rows th:nth-child(6) { width: 12%; }
.rows small, .more { display: block; font-size: .8rem; color: var(--soft); }
.rows td:first-child a { color: inherit; text-decoration: none; }
.rows td:first-child a:hover { text-decoration: underline; } .chief .rows td:first-child a { color: var(--link); }
.rows code, .errata code { white-space: normal; overflow-wrap: anywhere; }
.errata { table-layout: fixed; }
.errata small { display: block; font-weight: 400; color: var(--soft); } .errata td:last-child { font-size: .8rem; }
.errata td { overflow-wrap: anywhere; }
.errata th:nth-child(1) { width: 4.5rem; } .errata th:nth-child(2) { width: 12%; }
tr:target > td, tr:target > th { background: color-mix(in srgb, var(--link) 12%, transparent); }
figure { margin: 0 0 1rem; max-width: 68rem; }
.list li { margin: .3rem 0; max-width: 60rem; }
@media screen and (max-width: 46rem) { main { padding: 1.2rem .8rem 3rem; }
  .rows, .errata, .rows tbody, .errata tbody { display: block; } .rows thead, .errata thead { display: none; }
  .rows tr, .errata tr { display: block; padding: .6rem 0; border-bottom: 2px solid var(--line); }
  .rows td, .errata td, .errata th { display: block; border: 0; padding: .12rem 0; }
  .rows td:empty, .errata td:empty { display: none; }
  .rows td[data-label]::before, .errata td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
  .bar { display: none; } .settings th { width: 8rem; } .tools { position: static; } }
@media screen and (max-width: 66rem) { .rows, .errata { font-size: .8rem; }
  .rows td.verdict { overflow-wrap: normal; } }
@page { margin: 12mm; }
@media print { .tools, .more { display: none; } .rows, .errata { font-size: 7.2pt; }
  .rows td:first-child small { display: none; } .rows td.verdict { overflow-wrap: normal; }
  .rows td, .rows th, .errata td, .errata th { padding: .15rem .3rem .15rem 0; }
  .rows small { font-size: 6.6pt; } .lead p, .lead li, .list li { font-size: 9pt; max-width: none; }
  figure { max-width: 165mm; } section, .rows { break-inside: auto; } figure, tr { break-inside: avoid; }
  h3 { break-after: avoid; } a { color: inherit; text-decoration: none; }
  :root { --good: #0b6e4f; --given: #1c5d99; --wrong: #6a3d9a; --cannot: #8a5a00;
  --none: #5f6b3a; --bad: #b2182b; } }
"""

SCRIPT = """
const tools = document.querySelector('.tools'), find = tools.querySelector('input');
const buttons = [...tools.querySelectorAll('button')], output = tools.querySelector('output');
const rows = [...document.querySelectorAll('tr[data-verdict]')].map(row => ({ row, verdict: row.dataset.verdict,
  words: row.textContent.toLowerCase() }));
let shown = 'all';
function apply() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { row, verdict, words: text } of rows) {
    row.hidden = (shown !== 'all' && verdict !== shown) || !words.every(word => text.includes(word));
    count += !row.hidden;
  }
  for (const part of document.querySelectorAll('.part, .document'))
    part.hidden = count < rows.length && !part.querySelector('tr[data-verdict]:not([hidden])');
  for (const chief of document.querySelectorAll('.chief')) chief.hidden = count < rows.length;
  for (const button of buttons) button.setAttribute('aria-pressed', button.dataset.show === shown);
  output.textContent = count === rows.length ? '' : `${count} of ${rows.length} rows`;
}
for (const button of buttons) button.onclick = () => { shown = button.dataset.show; apply(); };
find.oninput = apply;
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) { shown = 'all'; find.value = ''; apply(); target.scrollIntoView(); }
});
tools.hidden = false;
"""


ERRATA_COLUMNS = ("key", "place", "printed", "right", "how it is known", "what Pelagos uses", "cited by")
CLASS = {
    ClaimVerdict.REPRODUCED: "reproduced",
    ClaimVerdict.ASSUMED: "assumed",
    ClaimVerdict.REFUTED: "refuted",
    ClaimVerdict.NOT_MET: "not",
    ClaimVerdict.NO_DATA: "none",
    ClaimVerdict.FAILED: "failed",
    ClaimVerdict.READ_BACK: "back",
}
MANY = {"misprint or gap": "misprints and gaps"}


def _row_link(document: Document, claim: Claim) -> str:
    return f'<a href="#{document.row_id(claim)}">{html_text(claim.place)}</a>'


def _by_document(outcome: Outcome, items: Callable[[DocumentOutcome], Iterable[str]]) -> str:
    """A list for each document that has items."""
    blocks: list[str] = []
    for entry in outcome.documents:
        listed = "".join(f"<li>{item}</li>" for item in items(entry))
        if listed:
            blocks.append(f'<h3>{escape(entry.document.short)}</h3><ul class="list">{listed}</ul>')
    return "".join(blocks) or "<p>None.</p>"


def assumptions(outcome: Outcome) -> str:
    """Each assumption once, with the rows that rest on it."""

    def items(entry: DocumentOutcome) -> Iterable[str]:
        for text, rows in entry.assumptions.items():
            links = ", ".join(_row_link(entry.document, claim) for claim in rows)
            yield f"{html_text(text)} <small>({links})</small>"

    return f'<section id="assumptions"><h2>Assumptions</h2>{_by_document(outcome, items)}</section>'


def unreproduced(outcome: Outcome) -> str:
    """Each claim that is not reproduced, with its verdict and the reason."""

    def items(entry: DocumentOutcome) -> Iterable[str]:
        for claim in entry.claims:
            if claim.verdict in UNLIKE:
                link, claimed = _row_link(entry.document, claim), html_text(claim.what)
                yield f"{link}, <strong>{claim.verdict}</strong>: {claimed}. {html_text(claim.why)}"

    body = _by_document(outcome, items)
    return f'<section id="not-reproduced"><h2>What is not reproduced, and why</h2>{body}</section>'


def errata_section(outcome: Outcome) -> str:
    """The misprints of the documents of this run or cited by them, with the rows that cite them, and the sources."""
    cited: dict[str, list[str]] = {}
    for document, claim in outcome.rows:
        for key in claim.proof.errata:
            cited.setdefault(key, []).append(_row_link(document, claim))
    weights = "; ".join(f"<em>{name or 'none'}</em>: {escape(text)}" for name, text in WEIGHTS.items())
    blocks = [f"<p>Weight, below the key: {weights}.</p>"]
    heads = "".join(f"<th>{name}</th>" for name in ERRATA_COLUMNS)
    shorts = {item.document.key: item.document.short for item in outcome.documents}
    for name in DOCUMENTS:
        rows: list[str] = []
        for key, entry in errata().items():
            if entry.document == name and (name in shorts or key in cited):
                cells = (entry.place, entry.printed, entry.right, entry.reason, entry.used)
                rows_html = "".join(
                    f'<td data-label="{name}">{html_text(cell)}</td>' if cell else "<td></td>"
                    for name, cell in zip(ERRATA_COLUMNS[1:6], cells, strict=True)
                )
                where = ", ".join(cited.get(key, ()))
                who = f'<td data-label="cited by">{where}</td>' if where else "<td></td>"
                rows.append(f'<tr id="{key}"><th>{key}<small>{entry.weight}</small></th>{rows_html}{who}</tr>')
        if rows:
            blocks.append(
                f'<h3>{escape(shorts.get(name, name))}</h3><table class="errata"><thead><tr>{heads}</tr></thead>'
                f"<tbody>{''.join(rows)}</tbody></table>"
            )
    listed = "".join(
        f"<li><strong>{entry.key}</strong> {html_text(entry.what)}: {html_text(entry.where)}</li>"
        for entry in sources().values()
    )
    blocks.append(f'<h3>Sources</h3><ul class="list">{listed}</ul>')
    return f'<section id="errata"><h2>Errata</h2>{"".join(blocks)}</section>'


def how_made(outcome: Outcome, made: dict[str, str]) -> str:
    """The section on command, versions, machine and time."""
    words = " ".join(entry.document.key for entry in outcome.documents)
    rows = {"command": f"pelagos reproduce {words}", **made, "processes": str(outcome.jobs)}
    rows["time"] = f"{outcome.seconds:.0f} s"
    for entry in outcome.documents:
        rows[f"{entry.document.short}, time"] = f"{entry.seconds:.1f} s"
    listed = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f'<section id="made"><h2>How it was made</h2><table class="settings">{listed}</table></section>'


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
        *(_document(entry, outcome.figure_numbers) for entry in outcome.documents),
        assumptions(outcome),
        unreproduced(outcome),
        f'<section class="lead" id="limits"><h2>Limits of the method</h2>{markdown_to_html(LIMITS)}</section>',
        errata_section(outcome),
        how_made(outcome, made_with()),
        f"</main><script>{SCRIPT}</script></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _header(outcome: Outcome) -> str:
    keys = [item.document.key for item in outcome.documents]
    counted = {
        "document": len(keys),
        "claim": outcome.counts.total(),
        "figure": sum(len(item.drawings) for item in outcome.documents),
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
    there += [(entry.document.key, entry.document.short) for entry in outcome.documents]
    there += [("assumptions", "assumptions"), ("not-reproduced", "not reproduced"), ("limits", "limits")]
    there += [("errata", "errata"), ("made", "how it was made")]
    return "<nav>" + " ".join(f'<a href="#{key}">{escape(text)}</a>' for key, text in there) + "</nav>"


def _summary(outcome: Outcome) -> str:
    head, *body = outcome.summary_rows
    counts = [entry.counts for entry in outcome.documents] + [outcome.counts]
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rows: list[str] = []
    for (name, *cells), counted, entry in zip(body, counts, [*outcome.documents, None], strict=False):
        words = f'<a href="#{entry.document.key}">{escape(name)}</a>' if entry else escape(name)
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
    """Buttons and a search box for rows; hidden until the script shows them."""
    counts = outcome.counts
    buttons = [f'<button data-show="all" aria-pressed="true">all {counts.total()}</button>']
    buttons += [
        f'<button data-show="{CLASS[v]}" aria-pressed="false">{escape(head)} {counts[v]}</button>'
        for v, head in HEADS.items()
        if counts[v]
    ]
    box = '<input type="search" placeholder="find rows: drag, B16, table 6.2" aria-label="find rows">'
    return f'<div class="tools" hidden>{"".join(buttons)}{box}<output></output></div>'


def _document(entry: DocumentOutcome, figures: dict[str, int]) -> str:
    document = entry.document
    parts = "".join(_part(document, part, figures) for part in entry.parts)
    return (
        f'<section class="document" id="{document.key}"><h2>{escape(document.short)}</h2>'
        f'<p class="cite">{html_text(document.citation)}</p><div class="lead">{markdown_to_html(document.about)}</div>'
        f"{_chief(entry)}{parts}</section>"
    )


def _chief(entry: DocumentOutcome) -> str:
    """The key results, each with a link to its row."""
    rows: list[str] = []
    for claim in entry.chief_claims:
        words = [html_text(text) for text in (claim.what, claim.published, claim.ours, claim.brief_tolerance)]
        cells = [_row_link(entry.document, claim), *words]
        items_html = "".join(
            f'<td data-label="{label}">{cell}</td>' if label in CHIEF_COLUMNS[2:] and cell else f"<td>{cell}</td>"
            for label, cell in zip(CHIEF_COLUMNS, cells, strict=False)
        )
        rows.append(
            f'<tr>{items_html}<td class="verdict v-{CLASS[claim.verdict]}">{escape(HEADS[claim.verdict])}</td></tr>'
        )
    heads = "".join(f"<th>{name}</th>" for name in CHIEF_COLUMNS)
    return (
        '<section class="chief"><h3>Key results</h3><table class="rows">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
        if rows
        else ""
    )


def _part(document: Document, part: PartOutcome, figures: dict[str, int]) -> str:
    top = (
        f'<section class="part" id="{document.part_id(part.part)}"><h3>{escape(part.part.title)}</h3>'
        f'<div class="lead">{markdown_to_html(part.part.about)}</div>'
    )
    if part.findings is None:
        return f'{top}<p class="warn">This part was not reached.</p></section>'
    heads = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = "".join(_row(document, claim, figures) for claim in part.findings.listed)
    table = f'<table class="rows"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>' if rows else ""
    drawn = "".join(_figure(drawing, figures[drawing.name]) for drawing in part.findings.drawings)
    return f"{top}{table}{drawn}</section>"


def _row(document: Document, claim: Claim, figures: dict[str, int]) -> str:
    name = document.row_id(claim)
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
        attribute = f' data-label="{label}"' if label else f' class="verdict v-{mark}"' if k == 6 else ""
        made.append(f"<td{attribute}>{cell}</td>")
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
