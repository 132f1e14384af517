"""Reading a log of any format; the first bytes of the file select the format, not its name."""

from __future__ import annotations

import os
from pathlib import Path

from pelagos.sim.log import csv
from pelagos.sim.log.file import cannot_read, checked_path, readable
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.log import Log
from pelagos.sim.log.parquet import UNFINISHED, unfinished_path

SUFFIXES = (".csv", ".parquet", ".parquet" + UNFINISHED, ".npz")  # tried in this sequence for a name without suffix


def load_log(path: str | os.PathLike[str], *, salvage: bool = False) -> Log:
    """Read the log of a run: CSV, Parquet, .npz, the sidecar of a CSV file, or the stream of an unfinished run.

    Args:
        path: the file; a name without suffix finds `NAME.csv`, `NAME.parquet` or `NAME.npz`.
        salvage: read the undamaged part of a damaged file, which otherwise is an error; `log.meta["damage"]` lists
            the damage.

    Returns:
        The log; `log.complete` is False if the run was cut short or samples are missing.
    """
    here = _resolve_path(Path(checked_path(path)))
    try:
        with open(here, "rb") as file:
            start = file.read(8)
    except OSError as problem:
        raise cannot_read(path, problem) from None
    if not start:
        raise LogError("is empty, nothing of a log has been written to it", file=here)
    if start.startswith(b"PAR1") or here.name.endswith(UNFINISHED):
        return Log.from_parquet(here, salvage=salvage)
    if start.startswith(b"PK"):
        return Log.load(here, salvage=salvage)
    if start.startswith(b"{"):
        named = _named_by(here)
        try:
            with open(named, "rb") as file:
                start = file.read(1)
        except OSError as problem:
            raise cannot_read(named, problem) from None
        if start == b"{":
            raise LogError("is a sidecar too", file=here, key="log", value=named.name, expected="the file of the log")
        return load_log(named, salvage=salvage)
    if here.suffix in (".parquet", ".npz"):
        message = f"the content does not match the ending {here.suffix}"
        raise LogError(message, file=here, expected="a log as a run writes it")
    return Log.from_csv(here, salvage=salvage)


def _resolve_path(path: Path) -> Path:
    """The existing file of a path, with its suffix; LogError if there is none."""
    if os.path.isfile(path):
        return path
    if path.suffix == ".parquet" and os.path.isfile(unfinished_path(path)):
        return unfinished_path(path)
    there = [Path(f"{path}{suffix}") for suffix in SUFFIXES if os.path.isfile(f"{path}{suffix}")]
    if there:
        return there[0]
    return readable(path)


def _named_by(sidecar: Path) -> Path:
    """Path of the log of a sidecar."""
    content = csv.read_sidecar(sidecar)
    if content.get("format") != csv.FORMAT or not isinstance(content.get("log"), str):
        raise LogError("is JSON but not the sidecar of a log", file=sidecar)
    log = sidecar.with_name(Path(content["log"]).name)
    if log == sidecar:
        raise LogError("names itself as the log", file=sidecar)
    return log
