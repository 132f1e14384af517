"""What stands at the end of the HTML report: assumptions, what is not reproducible, errata, how it was made."""

from __future__ import annotations

from html import escape

from pelagos.reproduce.claim import Claim, Verdict
from pelagos.reproduce.document import Document
from pelagos.reproduce.documents import DOCUMENTS
from pelagos.reproduce.errata import WEIGHTS, errata, sources
from pelagos.reproduce.outcome import Outcome, row_id
from pelagos.reproduce.prose import html_text

ERRATA_COLUMNS = ("key", "place", "printed", "right", "how it is known", "what Pelagos uses", "cited by")


def _row_link(document: Document, claim: Claim) -> str:
    return f'<a href="#{row_id(document, claim)}">{html_text(claim.place)}</a>'


def assumptions(outcome: Outcome) -> str:
    """Each assumption once, with the rows that rest on it."""
    blocks: list[str] = []
    for one in outcome.documents:
        given: dict[str, list[Claim]] = {}
        for claim in one.claims:
            if claim.assumption:
                given.setdefault(claim.assumption, []).append(claim)
        items = (
            f"<li>{html_text(text)} <small>({', '.join(_row_link(one.document, claim) for claim in rows)})</small></li>"
            for text, rows in given.items()
        )
        if given:
            blocks.append(f'<h3>{escape(one.document.short)}</h3><ul class="list">{"".join(items)}</ul>')
    body = "".join(blocks) or "<p>None.</p>"
    return f'<section id="assumptions"><h2>Assumptions</h2>{body}</section>'


def unreproduced(outcome: Outcome) -> str:
    """Each claim that cannot be reproduced, and why."""
    blocks: list[str] = []
    for one in outcome.documents:
        items = "".join(
            f"<li>{_row_link(one.document, claim)}: {html_text(claim.what)}. {html_text(claim.why)}</li>"
            for claim in one.claims
            if claim.verdict is Verdict.NOT_REPRODUCIBLE
        )
        if items:
            blocks.append(f'<h3>{escape(one.document.short)}</h3><ul class="list">{items}</ul>')
    body = "".join(blocks) or "<p>None.</p>"
    return f'<section id="not-reproducible"><h2>What is not reproducible, and why</h2>{body}</section>'


def errata_section(outcome: Outcome) -> str:
    """The misprints of the documents of this run or cited by them, with the rows that cite them, and the sources."""
    cited: dict[str, list[str]] = {}
    for document, claim in outcome.rows:
        for key in claim.proof.errata:
            cited.setdefault(key, []).append(_row_link(document, claim))
    weights = "; ".join(f"<em>{name or 'none'}</em>: {escape(text)}" for name, text in WEIGHTS.items())
    blocks = [f"<p>Weight, below the key: {weights}.</p>"]
    heads = "".join(f"<th>{name}</th>" for name in ERRATA_COLUMNS)
    shorts = {one.document.key: one.document.short for one in outcome.documents}
    for name in DOCUMENTS:
        rows: list[str] = []
        for key, entry in errata().items():
            if entry.document == name and (name in shorts or key in cited):
                cells = (entry.place, entry.printed, entry.right, entry.reason, entry.used)
                told = "".join(
                    f'<td data-label="{name}">{html_text(cell)}</td>' if cell else "<td></td>"
                    for name, cell in zip(ERRATA_COLUMNS[1:6], cells, strict=True)
                )
                where = ", ".join(cited.get(key, ()))
                who = f'<td data-label="cited by">{where}</td>' if where else "<td></td>"
                rows.append(f'<tr id="{key}"><th>{key}<small>{entry.weight}</small></th>{told}{who}</tr>')
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
    """Command, versions, machine, time."""
    words = " ".join(one.document.key for one in outcome.documents)
    rows = {"command": f"pelagos reproduce {words}", **made, "processes": str(outcome.jobs)}
    rows["time"] = f"{outcome.seconds:.0f} s"
    for one in outcome.documents:
        rows[f"{one.document.short}, time"] = f"{one.seconds:.1f} s"
    listed = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f'<section id="made"><h2>How it was made</h2><table class="settings">{listed}</table></section>'
