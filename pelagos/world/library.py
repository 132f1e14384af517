"""Library of ready-made worlds: look one up by name, or list them all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pelagos.errors import ScenarioError
from pelagos.files.source import read_toml, why_not

LIBRARY = Path(__file__).parent / "library"


@dataclass(frozen=True)
class WorldEntry:
    """Key, name and summary of a library world."""

    key: str
    name: str
    summary: str


def keys() -> list[str]:
    """Return the names of the library worlds, sorted."""
    return sorted(path.stem for path in LIBRARY.glob("*.toml"))


def find(name_or_path: str | Path) -> Path:
    """Return the file of a library world or a path; a name with the suffix .toml or a folder is a path."""
    path, stem = Path(name_or_path), str(name_or_path)
    if os.path.isdir(path) and stem not in keys():
        raise ScenarioError("is a folder", file=stem, expected="a library world or a .toml file")
    if path.suffix == ".toml" or len(path.parts) > 1:
        why = why_not(path)
        if why:
            raise ScenarioError(**why, file=stem)
        return path
    if stem not in keys():
        raise ScenarioError("no world of this name in the library", file=f'"{stem}"', names=keys(), misspelt=stem)
    return LIBRARY / f"{stem}.toml"


def list_worlds() -> list[WorldEntry]:
    """List all library worlds in alphabetical order; reads only name and summary of each file."""
    return [_entry(key) for key in keys()]


def _entry(key: str) -> WorldEntry:
    raw = read_toml(LIBRARY / f"{key}.toml")
    return WorldEntry(key, str(raw.get("name", key)), str(raw.get("summary", "")))
