"""The misprints of the documents as a page, docs/errata.md, from errata.toml alone."""

from __future__ import annotations

from pelagos.reproduce.documents import DOCUMENTS, document
from pelagos.reproduce.errata import WEIGHTS, errata, sources
from pelagos.reproduce.prose import markdown_text
from pelagos.reproduce.report_markdown import PAPER, joined, table

HEADS = ("key", "place", "printed", "right", "how it is known", "what Pelagos uses", "weight")


def errata_page() -> str:
    """The page as Markdown."""
    weights = "\n".join(f"- *{name or 'none'}*: {text}." for name, text in WEIGHTS.items())
    blocks = [
        "# Errata of the five documents",
        "What is printed, what is right, how that is known, and what Pelagos uses. The rows of "
        f"[the reproduction]({PAPER}) lead here by these keys. The weight says how much an entry matters:",
        weights,
    ]
    for name in DOCUMENTS:
        rows = (
            [f'<a id="{key.lower()}"></a>{key}']
            + [markdown_text(text) for text in (e.place, e.printed, e.right, e.reason, e.used)]
            + [e.weight]
            for key, e in errata().items()
            if e.document == name
        )
        blocks += [f"## {document(name).short}", table(HEADS, rows)]
    listed = ([entry.key, markdown_text(entry.what), markdown_text(entry.where)] for entry in sources().values())
    blocks += ["## Sources", table(("key", "what", "where"), listed)]
    return joined(blocks)
