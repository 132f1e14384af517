"""Which documents are recomputed, by the words of the command line; each is imported when it is asked for."""

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
    """One document by its word."""
    if name not in DOCUMENTS:
        raise CommandError(
            f'"{name}": no document of this name',
            expected=f"some of {', '.join(DOCUMENTS)}",
            names=DOCUMENTS,
            misspelt=name,
        )
    return import_module(DOCUMENTS[name]).DOCUMENT


def documents(names: Iterable[str] = ()) -> tuple[Document, ...]:
    """The documents of these words, each once and in our order; all if none is named."""
    chosen = list(names)
    for name in chosen:
        if name not in DOCUMENTS:
            document(name)  # raises, before anything is imported
    return tuple(document(name) for name in DOCUMENTS if not chosen or name in chosen)
