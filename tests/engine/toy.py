"""A small package with compiled entries in a temporary folder, run in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TERM = """
from pelagos.engine.compiled import compiled

@compiled
def term(x):
    return {factor} * x
"""
CALLER = """
from pelagos.engine.compiled import entry
from toy.term import term

@entry
def one(x):
    return term(x)

@entry
def two(x):
    return term(x) + 1.0

@entry
def three(x):
    return term(x) + 2.0
"""
CALL = "import toy.caller\nvalues = [toy.caller.one(10.0)]"
REPORT = (
    "\nimport json; from pelagos.engine.waiting import WATCH\nprint(json.dumps([values, [e for e, _ in WATCH.done]]))"
)


class Toy:
    """The package, its cache and the last run: values, compiled entries, error stream."""

    def __init__(self, folder: Path, factor: float = 2.0) -> None:
        self.sources, self.cache = folder / "source", folder / "cache"
        (self.sources / "toy").mkdir(parents=True)
        (self.sources / "toy" / "__init__.py").write_text("")
        (self.sources / "toy" / "caller.py").write_text(CALLER)
        self.write(factor)
        self.stderr = ""

    def write(self, factor: float) -> None:
        """Write the module that the entries call."""
        (self.sources / "toy" / "term.py").write_text(TERM.format(factor=factor))

    def command(self, script: str = CALL) -> list[str]:
        """Command line of a process that runs the script and reports."""
        return [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(self.sources)!r})\n{script}{REPORT}"]

    def environment(self, **other: str) -> dict[str, str]:
        """Environment of such a process."""
        return {**os.environ, "PELAGOS_CACHE_DIR": str(self.cache), **other}

    def run(self, script: str = CALL, **other: str) -> tuple[list[float], list[str]]:
        """The values and the names of the entries that were compiled."""
        done = subprocess.run(self.command(script), capture_output=True, text=True, env=self.environment(**other))
        assert done.returncode == 0, done.stderr
        self.stderr = done.stderr
        values, compiled = json.loads(done.stdout)
        return values, [name.rpartition(".")[2] for name in compiled]

    def files(self) -> list[Path]:
        """Files of the cache that are not empty."""
        return sorted(path for path in self.cache.rglob("*") if path.is_file() and path.stat().st_size)

    def left_in_sources(self) -> list[Any]:
        """Machine code beside the sources."""
        return [path for path in self.sources.rglob("*") if path.suffix in (".nbi", ".nbc", ".code")]
