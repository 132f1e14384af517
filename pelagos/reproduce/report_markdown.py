"""Tables, links and anchors that the Markdown pages of a run share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pelagos.reproduce.claim import Claim
from pelagos.reproduce.document import Document
from pelagos.reproduce.errata import errata
from pelagos.reproduce.outcome import figure_id, row_id
from pelagos.reproduce.prose import markdown_text

PAPER = "reproduction.md"
IMAGES = "images/reproduction"
NONE: Mapping[str, int] = MappingProxyType({})


def rows_file(document: Document) -> str:
    """Name of the page with all rows of a document."""
    return f"reproduction-{document.key}.md"


def line(cells: Iterable[str]) -> str:
    """A line of a table."""
    return "| " + " | ".join(cells) + " |"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with its heads."""
    heads = list(heads)
    return "\n".join([line(heads), "|" + "---|" * len(heads), *map(line, rows)])


def row_link(document: Document, claim: Claim) -> str:
    """The place of a claim, leading to its row from any page."""
    return f"[{markdown_text(claim.place)}]({rows_file(document)}#{row_id(document, claim)})"


def proof_links(claim: Claim, figures: Mapping[str, int] = NONE) -> list[str]:
    """The misprints that bear on a claim, and the figures whose numbers are given."""
    known = errata()
    links = [f"[{key}](errata.md#{key.lower()})" for key in claim.proof.errata if key in known]
    named = [name for name in claim.proof.figures if name in figures]
    return links + [f"[figure {figures[name]}]({PAPER}#{figure_id(name)})" for name in named]


def joined(blocks: Iterable[str]) -> str:
    """Blocks of Markdown as a page."""
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"
