"""The table of documents by command-line name; each is imported on first use."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from pelagos.errors import CommandError
from pelagos_evidence.document import Document

DOCUMENTS = {
    "brutzman": "pelagos_evidence.brutzman",
    "hunt": "pelagos_evidence.hunt",
    "nav": "pelagos_evidence.nav",
    "royer": "pelagos_evidence.royer",
    "gavia": "pelagos_evidence.gavia",
}
# parts to compute first, so that the processes end together; the others take less than a few seconds
LONGEST_FIRST = (
    "royer/pilots",
    "hunt/surfacing-dive",
    "brutzman/real-time",
    "hunt/submerged-dive",
    "brutzman/dis",
    "hunt/cloud",
    "gavia/plotter",
)


def document(name: str) -> Document:
    """One document by its command-line name."""
    if name not in DOCUMENTS:
        raise CommandError(
            "there is no document", value=name, expected=f"some of {', '.join(DOCUMENTS)}", names=DOCUMENTS
        )
    return import_module(DOCUMENTS[name]).DOCUMENT


def documents(names: Iterable[str] = ()) -> tuple[Document, ...]:
    """The documents of these names, each once, in the order of the table; without names, all."""
    chosen = list(names)
    for name in chosen:
        if name not in DOCUMENTS:
            document(name)  # raises, before anything is imported
    return tuple(document(name) for name in DOCUMENTS if not chosen or name in chosen)
