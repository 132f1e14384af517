"""A log as a NumPy archive: small, quick to read with NumPy alone, written at the end of a run only."""

from __future__ import annotations

import os
import zipfile

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
    try:
        with open(checked_path(path), "wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
    except OSError as problem:
        raise cannot_write(path, problem) from None


def read_npz(path: str | os.PathLike[str]) -> Content:
    """A log written by `write_npz`; nothing in it is run."""
    here = readable(path)
    try:
        with zipfile.ZipFile(here) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > LARGEST:
            raise LogError(f"{path}: unpacks to {size / 1e9:.3g} GB; expected at most {LARGEST / 1e9:g} GB")
        with open(here, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            return Content(
                columns=[str(name) for name in file["names"]],
                terms=[str(term) for term in file["terms"]],
                table=file["table"],
                meta=json_of(str(file["meta"])),
                events=events_of(json_of(str(file["events"]))) if "events" in file else [],
                complete=bool(file["complete"]),
            )
    except LogError:
        raise
    except Exception as problem:  # of a damaged archive: whatever its readers stumble over
        raise LogError(f"{path}: is not a log written by Log.save ({problem})") from None
