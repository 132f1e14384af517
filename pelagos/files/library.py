"""Libraries of ready files: the names of each, the file of a name, and lists with titles and summaries.

This module reads only TOML, so that `pelagos list` and its like answer at once.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pelagos.errors import PelagosError, ScenarioError, UnknownVehicleError, VehicleFileError, one_of
from pelagos.files.source import read_toml, why_not

PACKAGE = Path(__file__).parents[1]


class LibraryEntry(NamedTuple):
    """A file of a library in a list."""

    key: str
    name: str
    summary: str


@dataclass(frozen=True)
class Library:
    """A folder of .toml files that users name by their stems; `noun` is what errors call such a file."""

    folder: Path
    noun: str
    error: type[PelagosError] = ScenarioError
    first: tuple[str, ...] = ()  # names that lists put before all others

    def names(self) -> list[str]:
        """Return the names of all files: those of `first`, then the rest sorted."""
        stems = sorted(name[:-5] for name in os.listdir(self.folder) if name.endswith(".toml"))
        return [name for name in self.first if name in stems] + [name for name in stems if name not in self.first]

    def find(self, name_or_path: str | Path) -> Path | None:
        """Return the file of a name or of a path; None if there is none.

        What ends in .toml or has a folder in it is a path. In names - and _ are the same.
        """
        if _is_path(name_or_path):
            return None if why_not(name_or_path) else Path(name_or_path)
        word, names = str(name_or_path), self.names()
        name = next((name for name in (word, word.replace("_", "-"), word.replace("-", "_")) if name in names), "")
        return self.folder / f"{name}.toml" if name else None

    def path(self, name_or_path: str | Path, names: list[str] | None = None) -> Path:
        """Return the file of a name, which must be one of `names` (default: all), or of a path; raise an error if none.

        A folder "harbour" beside the script does not hide the world of that name.
        """
        path = self.find(name_or_path)
        if path is not None and (names is None or path.stem in names or _is_path(name_or_path)):
            return path
        name = os.fspath(name_or_path)
        if os.path.isdir(name):
            raise self.error("is a folder", file=name, expected=f"a library {self.noun} or a .toml file")
        if _is_path(name):
            raise self.error(**why_not(name), file=name)
        valid = self.names() if names is None else names
        message = f"no {self.noun} of this name in the library"
        problem = self.error(message, file=f'"{name}"', names=valid, misspelt=name)
        raise problem if problem.suggestion else problem.at(expected=one_of(valid))

    def reference(self, path: str | Path) -> str:
        """Return by what a file can be found again from anywhere: its name in this library or its absolute path."""
        whole = Path(path).resolve()
        return whole.stem if whole.parent == self.folder else str(whole)

    def entries(self) -> list[LibraryEntry]:
        """List all files; reads only their titles and summaries."""
        return [self._entry(name) for name in self.names()]

    def _entry(self, key: str) -> LibraryEntry:
        raw = read_toml(self.folder / f"{key}.toml", self.error)
        return LibraryEntry(key, str(raw.get("title", raw.get("name", key))), str(raw.get("summary", "")))


def _is_path(name_or_path: str | Path) -> bool:
    path = Path(name_or_path)
    return path.suffix == ".toml" or len(path.parts) > 1


VEHICLES = Library(PACKAGE / "vehicle" / "library", "vehicle", UnknownVehicleError)
PARTS = Library(PACKAGE / "vehicle" / "parts", "part", VehicleFileError)  # thrusters, cables and instruments
WORLDS = Library(PACKAGE / "world" / "library", "world")
SCENARIOS = Library(PACKAGE / "scenario" / "library", "scenario")
CAMPAIGNS = Library(PACKAGE / "campaign" / "library", "campaign")
TASKS = Library(  # of pilots, easiest first
    PACKAGE / "training" / "tasks", "task", first=("pipeline", "hover", "docking", "inspection", "search")
)


def list_worlds() -> list[LibraryEntry]:
    """List all library worlds in alphabetical order."""
    return WORLDS.entries()
