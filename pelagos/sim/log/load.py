"""Read a log, whatever its form: what the file is made of decides, not its name."""

from __future__ import annotations

import os
from pathlib import Path

from pelagos.sim.log import csv
from pelagos.sim.log.file import cannot_read, checked_path, readable
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.log import Log
from pelagos.sim.log.parquet import UNFINISHED, unfinished_path

SUFFIXES = (".csv", ".parquet", ".parquet" + UNFINISHED, ".npz")  # tried in this order behind a bare name


def load_log(path: str | os.PathLike[str], *, salvage: bool = False) -> Log:
    """Read the log of a run: CSV, Parquet, .npz, the sidecar of one, or what a killed run left.

    Args:
        path: the file; a name without its ending finds `NAME.csv`, `NAME.parquet` or `NAME.npz`.
        salvage: read what is whole of a damaged file, which is refused otherwise; `log.meta["damage"]` tells the rest.

    Returns:
        The log; `log.complete` is False if the run was cut short, or if anything of it is missing.
    """
    here = _found(Path(checked_path(path)))
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
            raise LogError(f"names {named.name} as the log, which is a sidecar too", file=here)
        return load_log(named, salvage=salvage)
    if here.suffix in (".parquet", ".npz"):
        raise LogError(f"is not what its ending {here.suffix} says", file=here, expected="a log as a run writes it")
    return Log.from_csv(here, salvage=salvage)


def _found(path: Path) -> Path:
    """The file that a name stands for."""
    if os.path.isfile(path):
        return path
    if path.suffix == ".parquet" and os.path.isfile(unfinished_path(path)):
        return unfinished_path(path)
    there = [Path(f"{path}{suffix}") for suffix in SUFFIXES if os.path.isfile(f"{path}{suffix}")]
    if there:
        return there[0]
    return readable(path)


def _named_by(sidecar: Path) -> Path:
    """The log that a sidecar belongs to."""
    said = csv.read(sidecar)
    if said.get("format") != csv.FORMAT or not isinstance(said.get("log"), str):
        raise LogError("is JSON but not the sidecar of a log", file=sidecar)
    log = sidecar.with_name(Path(said["log"]).name)
    if log == sidecar:
        raise LogError("names itself as the log", file=sidecar)
    return log
