"""A library vehicle with some keys of its file changed, without a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.vehicle.load import _assemble, _read
from pelagos.vehicle.spec import Vehicle


def changed_vehicle(base: str | Path, changes: Mapping[str, Any], file: str, folder: Path) -> Vehicle:
    """The vehicle `base` with tables of a vehicle file laid over it; `file` stands for them in messages."""
    raw = {"extends": str(base), **changes}
    return _assemble(_read(raw, file, folder, ()), Path(base).stem, "")
