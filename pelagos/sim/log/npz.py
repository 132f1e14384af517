"""A log as a NumPy archive: small, quick to read with NumPy alone, written at the end of a run only.

Each array in it has a checksum (it is a zip file), which reading verifies.
"""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.sim.log.file import Content, cannot_write, checked_path, dumps, events_of, plain_event
from pelagos.sim.log.forces import LogError

# what reading a damaged archive may raise
BROKEN = (
    *(OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error),
)


def write_npz(path: str | os.PathLike[str], content: Content) -> None:
    """Every number and word of a log."""
    arrays = {
        "names": np.array(content.columns, dtype=np.str_),
        "terms": np.array(content.terms, dtype=np.str_),
        "table": content.table,
        "meta": np.array(dumps(content.meta)),
        "events": np.array(dumps([plain_event(event) for event in content.events])),
        "complete": np.array(content.complete),
    }
    beside = Path(checked_path(path) + ".new")
    try:
        with open(beside, "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(beside, path)  # the name never stands for half a file
    except OSError as problem:
        raise cannot_write(path, problem) from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def read_npz(path: str | os.PathLike[str], *, salvage: bool = False) -> Content:
    """A log written by `write_npz`; nothing in it is run. With `salvage` damaged meta data and events are left out."""
    damage: list[str] = []

    def said(file: Any, name: str, without: Any) -> Any:
        try:
            return file[name].item() if name in file else without
        except BROKEN:
            if not salvage:
                raise
            damage.append(f"{name} is not as it was written")
            return without

    try:
        with open(checked_path(path), "rb") as raw, np.load(raw, allow_pickle=False) as file:
            content = Content(
                columns=[str(name) for name in file["names"]],
                terms=[str(term) for term in file["terms"]],
                table=file["table"],
                meta=json.loads(said(file, "meta", "{}")),
                events=events_of(json.loads(said(file, "events", "[]"))),
                complete=bool(said(file, "complete", False)),
            )
    except FileNotFoundError:
        raise LogError(f"{path}: there is no such file") from None
    except BROKEN as problem:
        raise LogError(f"{path}: is not a log written by Log.save ({problem})") from None
    if damage:
        content.meta["damage"] = damage
    return replace(content, complete=content.complete and not damage)
