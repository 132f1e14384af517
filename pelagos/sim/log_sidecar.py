"""The JSON file beside a CSV log: how the run was made, for programs that do not read `#` lines.

`dive.csv` gets `dive.json`. It is there from the first moment of the run, with `complete: false`, and is replaced
at once (never half) when the run ends. The CSV holds the same meta data and events; a log whose sidecar is lost
still reads.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pelagos
from pelagos.messages import Event
from pelagos.sim.log_content import cannot_read, cannot_write, checked_path, dumps, plain_event, unit_of
from pelagos.sim.log_forces import LogError, column_names

FORMAT = "pelagos log 1"


def versions() -> dict[str, str]:
    """Of the programs that make the numbers; put them into the meta data of a run."""
    said = {"pelagos": pelagos.__version__, "python": platform.python_version()}
    return said | {name: str(importlib.import_module(name).__version__) for name in ("numpy", "numba")}


def sidecar_path(path: str | os.PathLike[str]) -> Path:
    """Where the sidecar of a log is: dive.csv -> dive.json."""
    return Path(checked_path(path)).with_suffix(".json")


def content(
    log_path: str | os.PathLike[str],
    columns: Sequence[str],
    terms: Sequence[str],
    meta: Mapping[str, Any],
    *,
    events: Sequence[Event] = (),
    complete: bool = False,
    samples: int | None = None,
    end_s: float | None = None,
) -> dict[str, Any]:
    """What stands in a sidecar. `samples` and `end_s` (time of the last sample) are None until the run is over."""
    return {
        "format": FORMAT,
        "log": Path(log_path).name,
        "complete": complete,
        "samples": samples,
        "end_s": end_s,
        "versions": meta.get("versions", {}),
        "meta": dict(meta),
        "columns": {name: unit_of(name) for name in columns},
        "force_columns": {name: unit_of(name) for name in column_names((), terms)},
        "events": [plain_event(event) for event in events],
    }


def check_free(path: Path) -> None:
    """Refuse to write over a JSON file that is not the sidecar of a log."""
    if not path.exists():
        return
    try:
        mine = read(path).get("format") == FORMAT
    except LogError:
        mine = False
    if not mine:
        raise LogError(f"{path}: exists and is not the sidecar of a log; choose another name for the log")


def write(path: Path, said: Mapping[str, Any]) -> None:
    """Replace the sidecar in one move: who reads it meets the old one or the new one, both whole."""
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_text(dumps(_finite(json.loads(dumps(said))), indent=1) + "\n", encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except OSError as problem:
        raise cannot_write(path, problem) from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def read(path: Path) -> dict[str, Any]:
    """The content of a sidecar; LogError if it is no JSON object."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise cannot_read(path, problem) from None
    if not isinstance(said, dict):
        raise LogError(f"{path}: is not the sidecar of a log; expected a JSON object")
    return cast("dict[str, Any]", said)


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity; they are written as the words "nan" and "inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_finite(item) for item in cast("list[Any]", value)]
    return value
