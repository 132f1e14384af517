"""Record of the files that a scenario, vehicle or world consists of.

Every reader calls `named(path)` where it resolves a name to a file, before any cache, so that cached files count too.
`naming()` collects the paths; campaigns use them to detect changed files.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

AnyPath = TypeVar("AnyPath", bound=str | os.PathLike[str])
# a context variable, not a global: readers in other threads do not add to this collection
_collected: ContextVar[set[Path] | None] = ContextVar("named_files", default=None)


def named(path: AnyPath) -> AnyPath:
    """Record a file, and return its path unchanged."""
    collected = _collected.get()
    if collected is not None:
        collected.add(Path(path).resolve())
    return path


@contextlib.contextmanager
def naming() -> Iterator[set[Path]]:
    """Collect the files recorded inside the `with` block."""
    collected: set[Path] = set()
    before = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(before)
