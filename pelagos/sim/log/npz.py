"""Logs as NumPy archives: small, and readable with NumPy alone; they cannot be written while a run goes on.

An archive is a zip file, whose checksums are verified when it is read.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.sim.log.file import Content, checked_path, dumps, events_of, json_of, plain_event, readable, replaced
from pelagos.sim.log.forces import LogError

LARGEST = 8e9  # bytes of an unpacked archive: protects the memory against a zip bomb


def write_npz(path: str | os.PathLike[str], content: Content) -> None:
    """Write a whole log."""
    arrays = {
        "names": np.array(content.columns, dtype=np.str_),
        "terms": np.array(content.terms, dtype=np.str_),
        "table": content.table,
        "meta": np.array(dumps(content.meta)),
        "events": np.array(dumps([plain_event(event) for event in content.events])),
        "complete": np.array(content.complete),
    }
    with replaced(Path(checked_path(path))) as beside, open(beside, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read_npz(path: str | os.PathLike[str], *, salvage: bool = False) -> Content:
    """Read a log written by `write_npz`, without pickles; `salvage` skips damaged metadata and events."""
    damage: list[str] = []

    def member(file: Any, name: str, default: Any) -> Any:
        try:
            return file[name].item() if name in file else default
        except Exception:  # a damaged archive raises errors of zipfile, zlib, NumPy and struct
            if not salvage:
                raise
            damage.append(f"{name} is not as it was written")
            return default

    here = readable(path)
    try:
        with zipfile.ZipFile(here) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > LARGEST:
            key, expected = "unpacked size (GB)", f"at most {LARGEST / 1e9:g}"
            raise LogError(file=path, key=key, value=float(f"{size / 1e9:.3g}"), expected=expected)
        with open(here, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            content = Content(
                columns=[str(name) for name in file["names"]],
                terms=[str(term) for term in file["terms"]],
                table=file["table"],
                meta=json_of(member(file, "meta", "{}")),
                events=events_of(json_of(member(file, "events", "[]"))),
                complete=bool(member(file, "complete", False)),
            )
    except LogError:
        raise
    except Exception as problem:
        raise LogError(f"is not a log written by Log.save ({problem})", file=path) from None
    meta = content.meta | ({"damage": damage} if damage else {})
    return replace(content, meta=meta, complete=content.complete and not damage)
