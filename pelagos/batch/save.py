"""A batch at an instant: everything that changes, taken and put back bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from pelagos.errors import CommandError

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch

EACH = ("_ticks", "_failed_s", "_own_current", "_unchecked")  # arrays with a row for each vehicle
LANES = ("state", "water", "command", "tally")


def save_batch(batch: Batch) -> dict[str, Any]:
    """See `Batch.save`."""
    return {
        "made_by": (repr(batch), batch.kind.tobytes(), batch.tether),
        "each": {name: getattr(batch, name).copy() for name in EACH},
        "clipped": {name: counts.copy() for name, counts in batch._clipped.items()},
        "lanes": [[getattr(group, name).array.copy() for name in LANES] for group in batch._groups],
        "models": [group.save_models() for group in batch._groups],
        "tethers": [rows.save() for rows in batch._tethers],
    }


def restore_batch(batch: Batch, given: object) -> None:
    """See `Batch.restore`."""
    if not isinstance(given, Mapping) or not {"made_by", "each", "clipped", "lanes", "models", "tethers"} <= set(given):
        raise CommandError("what shall be restored was not made by Batch.save()")
    saved = cast("Mapping[str, Any]", given)
    if saved["made_by"] != (repr(batch), batch.kind.tobytes(), batch.tether):
        raise CommandError(
            f"what shall be restored was saved by: {saved['made_by'][0]}",
            expected=f"one made as this: {batch!r}, with the same vehicles in the same order and the same tether",
        )
    for group, arrays, models in zip(batch._groups, saved["lanes"], saved["models"], strict=True):
        for name, array in zip(LANES, arrays, strict=True):
            getattr(group, name).array[...] = array
        group.restore_models(models)
    for rows, kept in zip(batch._tethers, saved["tethers"], strict=True):
        rows.restore(kept)
    for name in EACH:
        np.copyto(getattr(batch, name), saved["each"][name])
    for name, counts in saved["clipped"].items():
        np.copyto(batch._clipped[name], counts)
    batch._changed()
