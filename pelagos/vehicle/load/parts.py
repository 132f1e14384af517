"""Parts of the library that vehicle files share (thrusters, cables, instruments), and TOML files as raw tables."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from pelagos.errors import VehicleFileError, one_of
from pelagos.files import library
from pelagos.files.named import named
from pelagos.files.reader import Place, Table, merge, moved, read_table
from pelagos.files.source import read_toml
from pelagos.sensors.kinds import KINDS
from pelagos.vehicle.load.keys import CABLE_PART, PART

SECTIONS = {"thruster": PART, "cable": CABLE_PART}


def parse(path: Path) -> dict[str, Any]:
    """The raw tables of a TOML file."""
    return read_toml(path, VehicleFileError)


def part_names(kind: str) -> list[str]:
    """The names of the library parts of a kind ("thruster", "cable" or "sensor"), sorted."""
    return [stem for stem, part_kind in _kinds_of_parts(library.PARTS.folder) if part_kind == kind]


def part_place(path: Path, file: str) -> Place:
    """The place of a part; errors name `file`."""
    return Place(file, path.parent, error=VehicleFileError)


def read_part(path: Path, kind: str, file: str) -> Table | None:
    """A part as a checked table; None if it is a part of another kind."""
    raw = parse(named(path))
    return read_table(raw, SECTIONS[kind], part_place(path, file)) if _kind(raw) == kind else None


def with_part(row: Table, table: Table, kind: str) -> Table:
    """An entry of a vehicle file laid over its part; the sources of the part become sources of the vehicle."""
    part_name = row.get("part")
    path = library.PARTS.folder / f"{part_name}.toml"
    part = read_part(path, kind, f"parts/{path.name}") if os.path.isfile(path) else None
    if part is None:
        names = part_names(kind)
        row.fail("part", "no such part", expected=one_of(names), names=names, misspelt=part_name)
    sources = part.tables.pop("sources", None)
    if sources is not None:
        table.tables["sources"] = merge(sources, table.table("sources"))
    # the name of a part is that of a product; several thrusters of a vehicle need different ones
    for name in ("kind",) if kind == "cable" else ("kind", "name", "summary"):
        part.values.pop(name, None)
    part.lists.clear()
    return merge(moved(part, row.path), row)


def find_part(name_or_path: str | Path, kind: str, noun: str) -> Path:
    """The file of a library part of a kind, or the file at a path; errors call such a part `noun`."""
    return replace(library.PARTS, noun=noun).path(name_or_path, part_names(kind))


def _kind(raw: dict[str, Any]) -> str:
    """The kind of a part; the file of an instrument holds the kind of instrument."""
    kind = raw.get("kind", "thruster")
    if not isinstance(kind, str):
        return ""
    return "sensor" if kind in KINDS else kind


@cache
def _kinds_of_parts(folder: Path) -> tuple[tuple[str, str], ...]:
    """Name and kind of every part; cached, because a campaign loads the same vehicle a million times."""
    return tuple((path.stem, _kind(parse(path))) for path in sorted(folder.glob("*.toml"), key=lambda path: path.stem))
