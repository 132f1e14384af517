"""Results kept per pilot: one file of JSON lines each, in the user's data folder, safe against a crash.

A line is written whole and brought to the disk before `keep` returns. A line that was cut off by a crash stays where it
is: the next one begins on a new line, and reading counts what it cannot read and goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pelagos.errors import CommandError
from pelagos.training.result import Result

NAMELESS = "nobody"
LONGEST_NAME = 80
# names of devices that Windows allows no file to have
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{k}" for port in ("com", "lpt") for k in range(1, 10))}


def data_folder(environment: Mapping[str, str] | None = None, platform: str | None = None) -> Path:
    """Where Pelagos keeps what belongs to its user: PELAGOS_DATA_DIR, or the place the system has for it."""
    said = os.environ if environment is None else environment
    where = sys.platform if platform is None else platform
    if said.get("PELAGOS_DATA_DIR"):
        return Path(said["PELAGOS_DATA_DIR"]).expanduser()
    home = Path(said["HOME"]) if said.get("HOME") else Path.home()
    if where == "win32":
        return Path(said.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pelagos"
    if where == "darwin":
        return home / "Library" / "Application Support" / "pelagos"
    given = said.get("XDG_DATA_HOME", "")
    return (Path(given) if os.path.isabs(given) else home / ".local" / "share") / "pelagos"


def safe_name(pilot: str) -> str:
    """A pilot's name as a file can have it; names that differ give files that differ."""
    name = " ".join(pilot.split()) or NAMELESS
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_NAME]
    if plain == name and plain not in RESERVED:
        return plain
    return f"{plain or 'pilot'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class Kept:
    """The results of one pilot in the order they were made, and how many lines could not be read."""

    pilot: str
    results: tuple[Result, ...]
    broken: int = 0


class ResultStore:
    """The results of all pilots in a folder; that of `data_folder` if none is given."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else data_folder() / "training"

    def path(self, pilot: str) -> Path:
        """The file of a pilot."""
        return self.folder / f"{safe_name(pilot)}.jsonl"

    def keep(self, result: Result) -> Path:
        """Add a result to its pilot's file; CommandError with a sentence if that cannot be written."""
        path = self.path(result.pilot)
        line = json.dumps(result.described(), ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("ab+") as file:
                if file.tell() > 0:
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else "\n" + line  # a crash has cut off the last one
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise CommandError(f"{path}: the result cannot be kept ({problem.strerror})") from None
        return path

    def read(self, pilot: str) -> Kept:
        """All that is kept of a pilot; nothing if there is no file."""
        return self._read(self.path(pilot), pilot)

    def pilots(self) -> list[str]:
        """Names of the pilots of whom something is kept, as they wrote themselves."""
        names: dict[str, None] = {}
        for path in sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []:
            kept = self._read(path, path.stem)
            names[kept.results[-1].pilot if kept.results else path.stem] = None
        return list(names)

    def _read(self, path: Path, pilot: str) -> Kept:
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            return Kept(pilot, ())
        except OSError as problem:
            raise CommandError(f"{path}: cannot be read ({problem.strerror})") from None
        results: list[Result] = []
        for line in lines:
            with contextlib.suppress(ValueError, CommandError, RecursionError):
                results.append(Result.of(json.loads(line)))
        return Kept(pilot, tuple(results), sum(1 for line in lines if line.strip()) - len(results))
