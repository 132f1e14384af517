"""The flat array of the world while it is being written: a header and the tables behind it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.core.views import Layout
from pelagos.engine.water.sea import SEA


class SeaWriter:
    """Fill `header[...]` by field name and `append` tables; `finish` gives the array the kernel reads."""

    def __init__(self) -> None:
        self.header = SEA.record()
        self._parts: list[NDArray[np.float64]] = []
        self._end = SEA.size

    def append(self, table: ArrayLike) -> int:
        """Put numbers behind what is there; returns where they start."""
        flat = np.ascontiguousarray(table, dtype=np.float64).ravel()
        at, self._end = self._end, self._end + flat.size
        self._parts.append(flat)
        return at

    def append_records(self, layout: Layout, records: list[dict[str, Any]]) -> int:
        """Put records of a layout behind what is there, each a dict by field name; returns where they start."""
        rows = np.zeros(len(records), layout.dtype)
        for row, record in zip(rows, records, strict=True):
            for name, value in record.items():
                row[name] = value
        return self.append(rows.view(np.float64))

    def finish(self) -> NDArray[np.float64]:
        """The whole array."""
        return np.concatenate([SEA.flat(self.header).copy(), *self._parts])
