"""All rows of one document as a page: docs/reproduction-royer.md and its like."""

from __future__ import annotations

from pelagos.reproduce.claim import Claim, Verdict
from pelagos.reproduce.document import Document
from pelagos.reproduce.outcome import DocumentOutcome, PartOutcome, counted, part_id, row_id
from pelagos.reproduce.prose import markdown_text
from pelagos.reproduce.report_markdown import PAPER, joined, proof_links, row_link, table

COLUMNS = ("place", "claim", "published", "ours", "error", "tolerance and why", "verdict")


def rows_page(one: DocumentOutcome, figures: dict[str, int]) -> str:
    """The page as Markdown.

    Args:
        one: a document and what was found.
        figures: numbers of the figures on the page that these rows belong to.
    """
    document = one.document
    blocks = [
        f"# {document.short}, row by row",
        f"> {document.citation}",
        f"{len(one.claims)} rows: {counted(one.counts)}. [What they come to, with the figures]({PAPER}#{document.key}) "
        f"and [how rows are judged]({PAPER}#method) stand on the page they belong to; keys such as B16 or R3 lead to "
        "the [errata](errata.md).",
        "\n".join(f"- [{part.part.title}](#{part_id(document, part.part)})" for part in one.parts if part.findings),
    ]
    for part in one.parts:
        blocks += _part(document, part, figures)
    return joined(blocks)


def _part(document: Document, one: PartOutcome, figures: dict[str, int]) -> list[str]:
    found = one.findings
    if found is None:
        return []
    name = part_id(document, one.part)
    blocks = [f'<a id="{name}"></a>\n\n## {one.part.title}', f"[What was done]({PAPER}#{name}), with figures."]
    if not found.drawings:
        blocks[-1] = f"[What was done]({PAPER}#{name})."
    if found.claims:
        blocks.append(table(COLUMNS, (_row(document, claim, figures) for claim in found.claims)))
    where = [_where(document, claim) for claim in found.claims if claim.proof.code or claim.proof.tests]
    if where:
        blocks.append("<details><summary>Where it is implemented and tested</summary>")
        blocks.append(table(("row", "code", "tests"), where))
        blocks.append("</details>")
    return blocks


def _row(document: Document, claim: Claim, figures: dict[str, int]) -> list[str]:
    words = markdown_text(claim.what)
    if claim.assumption:
        words += f"<br>*Assumed:* {markdown_text(claim.assumption)}"
    if links := proof_links(claim, figures):
        words += f"<br>See {', '.join(links)}"
    why = "<br>".join(markdown_text(text) for text in (claim.tolerance, claim.why) if text)
    verdict = f"**{claim.verdict}**" if claim.verdict is Verdict.FAILED else str(claim.verdict)
    place = f'<a id="{row_id(document, claim)}"></a>{markdown_text(claim.place)}'
    return [place, words, *map(markdown_text, (claim.published, claim.ours, claim.error)), why, verdict]


def _where(document: Document, claim: Claim) -> list[str]:
    code, tests = (" ".join(f"`{name}`" for name in names) for names in (claim.proof.code, claim.proof.tests))
    return [row_link(document, claim), code, tests]
