"""What the runs of a campaign were flown with: Pelagos, its sources, and every file that the scenario names.

The plan holds it. Who goes on with a campaign, and every worker before each piece of work, compares what is there with
what the plan says: numbers of two versions do not stand in one table without a word. Each row says what it was flown
with (column `made_with`).
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pelagos
from pelagos.engine.compiled import source_hash

PACKAGE = Path(pelagos.__file__).resolve().parent
LETTERS = 12  # of a hash that people read
GONE = "gone"  # in place of the hash of a file that is not there
_known: dict[Path, tuple[int, int, str]] = {}  # size, time of the last change and hash of a file


@dataclass(frozen=True)
class Identity:
    """What makes the numbers of a run, apart from its values and its seed."""

    pelagos: str  # version
    engine: str  # hash of the engine's sources, of Numba's version and of the compile options
    sources: str  # the same of all sources of the package
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # hash of each, by name

    @property
    def label(self) -> str:
        """In a few words, for the rows: equal if all of it is equal."""
        files = hashlib.sha256(json.dumps(dict(self.files), sort_keys=True).encode()).hexdigest()
        return f"{self.pelagos} engine {self.engine[:LETTERS]} sources {self.sources[:LETTERS]} files {files[:LETTERS]}"

    def tables(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def identity_of(files: Iterable[Path]) -> Identity:
    """What runs are flown with here and now."""
    engine, sources = _code()
    return Identity(pelagos.__version__, engine, sources, {_name(path): _hash(path) for path in sorted(files)})


def identity_here(planned: Identity) -> Identity:
    """The same of the files that another identity names, as they are on this machine."""
    return identity_of(_path(name) for name in planned.files)


def differences(planned: Identity, here: Identity) -> list[str]:
    """What differs, in words; nothing if all is the same."""
    found: list[str] = []
    for what, word in (("pelagos", "Pelagos"), ("engine", "the engine"), ("sources", "the source code")):
        before, now = getattr(planned, what), getattr(here, what)
        if before != now and not (what == "sources" and planned.engine != here.engine):  # the engine is part of them
            found.append(f"{word} was {before} and is {now}")
    for name in sorted({*planned.files, *here.files}):
        before, now = planned.files.get(name), here.files.get(name)
        if before != now:
            how = "is new" if before is None else "is not used" if now is None else "has changed"
            found.append(f"{name} is gone" if now == GONE else f"{name} {how}")
    return found


@functools.cache
def _code() -> tuple[str, str]:
    """Of the code that this process runs; later edits do not change it."""
    return source_hash(), source_hash(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    """A file of the package is the same one wherever it is installed."""
    return f"pelagos/{path.relative_to(PACKAGE).as_posix()}" if path.is_relative_to(PACKAGE) else str(path)


def _path(name: str) -> Path:
    return PACKAGE.parent / name if name.startswith("pelagos/") else Path(name)


def _hash(path: Path) -> str:
    """Of the content; a file that has not changed is read once."""
    try:
        state = path.stat()
        known = _known.get(path)
        if known is None or known[:2] != (state.st_size, state.st_mtime_ns):
            with path.open("rb") as file:
                known = (state.st_size, state.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest())
            _known[path] = known
        return known[2]
    except OSError:
        return GONE
