"""A log as a NumPy archive: small, quick to read with NumPy alone, written at the end of a run only.

Each array in it has a checksum (it is a zip file), which reading verifies.
"""

from __future__ import annotations

import contextlib
import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.sim.log.file import Content, cannot_write, checked_path, dumps, events_of, json_of, plain_event, readable
from pelagos.sim.log.forces import LogError

LARGEST = 8e9  # bytes of an archive unpacked


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
        except Exception:  # of a damaged archive: whatever its readers stumble over
            if not salvage:
                raise
            damage.append(f"{name} is not as it was written")
            return without

    here = readable(path)
    try:
        with zipfile.ZipFile(here) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > LARGEST:
            raise LogError(
                f"unpacks to {size / 1000000000.0:.3g} GB", file=path, expected=f"at most {LARGEST / 1000000000.0:g} GB"
            )
        with open(here, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            content = Content(
                columns=[str(name) for name in file["names"]],
                terms=[str(term) for term in file["terms"]],
                table=file["table"],
                meta=json_of(said(file, "meta", "{}")),
                events=events_of(json_of(said(file, "events", "[]"))),
                complete=bool(said(file, "complete", False)),
            )
    except LogError:
        raise
    except Exception as problem:
        raise LogError(f"is not a log written by Log.save ({problem})", file=path) from None
    meta = content.meta | ({"damage": damage} if damage else {})
    return replace(content, meta=meta, complete=content.complete and not damage)
