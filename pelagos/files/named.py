"""Which files a description is made of: every reader tells the file it was sent to, whoever listens gets the list.

A reader calls `named(path)` where a name becomes a file, before any cache, so that a file counts each time it is named.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TypeVar

AnyPath = TypeVar("AnyPath", bound=str | os.PathLike[str])
_heard: ContextVar[set[Path] | None] = ContextVar("named_files", default=None)


def named(path: AnyPath) -> AnyPath:
    """Tell that a description names this file; it comes back as it is."""
    heard = _heard.get()
    if heard is not None:
        heard.add(Path(path).resolve())
    return path


@contextlib.contextmanager
def naming() -> Iterator[set[Path]]:
    """The files that are named meanwhile."""
    heard: set[Path] = set()
    before = _heard.set(heard)
    try:
        yield heard
    finally:
        _heard.reset(before)
