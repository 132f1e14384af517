"""The identity of the code and files behind the runs of a campaign: version, source hash, hash of every file.

The plan stores the identity. When a campaign continues, and before each chunk of work, the present identity is
compared with it: results of two versions must not mix unnoticed. Each row names its identity (column `made_with`).
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
LETTERS = 12  # of a hash in a label
GONE = "gone"  # in place of the hash of a missing file
_known: dict[Path, tuple[int, int, str]] = {}  # size, modification time and hash of a file


@dataclass(frozen=True)
class Identity:
    """All that determines the results of a run besides its values and seed."""

    pelagos: str  # version
    engine: str  # hash of the engine's sources, of Numba's version and of the compile options
    sources: str  # hash of all sources of the package
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # hash of each, by name

    @property
    def label(self) -> str:
        """A short label for the rows; equal identities have equal labels."""
        files = hashlib.sha256(json.dumps(dict(self.files), sort_keys=True).encode()).hexdigest()
        return f"{self.pelagos} engine {self.engine[:LETTERS]} sources {self.sources[:LETTERS]} files {files[:LETTERS]}"

    def tables(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


def identity_of(files: Iterable[Path]) -> Identity:
    """Return the identity of this installation and these files."""
    engine, sources = _code()
    return Identity(pelagos.__version__, engine, sources, {_name(path): _hash(path) for path in sorted(files)})


def identity_here(planned: Identity) -> Identity:
    """Return the identity of this installation with the files that `planned` names."""
    return identity_of(_path(name) for name in planned.files)


def differences(planned: Identity, here: Identity) -> list[str]:
    """Describe the differences of two identities; empty if they are equal."""
    texts: list[str] = []
    for key, word in (("pelagos", "Pelagos"), ("engine", "the engine"), ("sources", "the source code")):
        before, now = getattr(planned, key), getattr(here, key)
        if before != now and not (key == "sources" and planned.engine != here.engine):  # the engine is part of them
            texts.append(f"{word} was {before} and is {now}")
    for name in sorted({*planned.files, *here.files}):
        before, now = planned.files.get(name), here.files.get(name)
        if before != now:
            how = "is new" if before is None else "is not used" if now is None else "has changed"
            texts.append(f"{name} is gone" if now == GONE else f"{name} {how}")
    return texts


@functools.cache
def _code() -> tuple[str, str]:
    """Hash the code once per process: later edits do not change the running code."""
    return source_hash(), source_hash(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    """Return the name of a file; files of the package have the same name in every installation."""
    return f"pelagos/{path.relative_to(PACKAGE).as_posix()}" if path.is_relative_to(PACKAGE) else str(path)


def _path(name: str) -> Path:
    return PACKAGE.parent / name if name.startswith("pelagos/") else Path(name)


def _hash(path: Path) -> str:
    """Hash the content of a file; an unchanged file is read once."""
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
