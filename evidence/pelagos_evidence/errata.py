"""Misprints and gaps of the documents: printed text, correction, reason, and the value Pelagos uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pelagos.errors import ABSENT, FileError
from pelagos.files.source import parse_toml
from pelagos_evidence.documents import DOCUMENTS

FILE = Path(__file__).parent / "errata.toml"
WEIGHTS = {
    "physics": "wrong physics, or a run that diverges",
    "numbers": "changes results",
    "wording": "harmless when read with sense",
    "": "correct as printed; noted because it looks wrong",
}


@dataclass(frozen=True)
class Erratum:
    """One misprint or gap.

    Args:
        key: short name by which rows cite it ("B11").
        document: word of the document.
        place: where it stands there.
        printed: what the document prints.
        right: what is right.
        reason: how that is known.
        used: what Pelagos does.
        weight: one of `WEIGHTS`.
    """

    key: str
    document: str
    place: str
    printed: str
    right: str
    reason: str
    used: str
    weight: str


@dataclass(frozen=True)
class ErratumSource:
    """Source cited as the reason of an erratum.

    Args:
        key: by which reasons cite it ("S1").
        what: what it is.
        where: where it is found.
    """

    key: str
    what: str
    where: str


Entry = TypeVar("Entry", Erratum, ErratumSource)


def errata() -> Mapping[str, Erratum]:
    """All misprints by key, in the order of the documents."""
    return MappingProxyType(_read()[0])


def sources() -> Mapping[str, ErratumSource]:
    """The sources that reasons name, by key."""
    return MappingProxyType(_read()[1])


@cache
def _read() -> tuple[dict[str, Erratum], dict[str, ErratumSource]]:
    return parse(FILE.read_text(encoding="utf-8"), FILE.name)


def parse(text: str, file: str = "errata.toml") -> tuple[dict[str, Erratum], dict[str, ErratumSource]]:
    """Misprints and sources from the text of a file; a mistake in it is one sentence."""
    tables = parse_toml(text, file, FileError)
    for name in tables:
        if name not in ("erratum", "source"):
            raise FileError(file=file, key=name, expected="[[erratum]] or [[source]]")
    entries = _entries(file, "erratum", tables.get("erratum", []), Erratum)
    for key, entry in entries.items():
        _one_of(file, f"{key}.document", entry.document, tuple(DOCUMENTS))
        _one_of(file, f"{key}.weight", entry.weight, tuple(WEIGHTS))
        for name in ("place", "printed", "right"):
            if not getattr(entry, name).strip():
                raise FileError(file=file, key=f"{key}.{name}", value="", expected="some words")
    return entries, _entries(file, "source", tables.get("source", []), ErratumSource)


def _entries(file: str, table: str, rows: list[dict[str, Any]], kind: type[Entry]) -> dict[str, Entry]:
    names = tuple(item.name for item in fields(kind))
    entries: dict[str, Entry] = {}
    for number, row in enumerate(rows, start=1):
        where = str(row.get("key") or f"{table} {number}")
        for name in row:
            if name not in names:
                raise FileError("no such key", file=file, key=f"{where}.{name}", names=names, misspelt=name)
        for name in names:
            if not isinstance(row.get(name), str):
                raise FileError(file=file, key=f"{where}.{name}", value=row.get(name, ABSENT), expected="a text")
        if not row["key"] or row["key"] in entries:
            raise FileError(
                file=file, key=f"{table} {number}: key", value=row["key"], expected="a key that no other has"
            )
        entries[row["key"]] = kind(**row)
    return entries


def _one_of(file: str, key: str, value: str, valid: tuple[str, ...]) -> None:
    if value not in valid:
        choices = ", ".join(f'"{word}"' for word in valid)
        raise FileError(file=file, key=key, value=value, expected=f"one of {choices}", names=valid)
