"""Writer of the packed world: a header followed by tables, in one flat array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.core.views import Layout
from pelagos.engine.water.sea import SEA


class SeaWriter:
    """Builder of the packed world: set `header[...]` by field name, `append` tables, then `finish`."""

    def __init__(self) -> None:
        self.header = SEA.record()
        self._parts: list[NDArray[np.float64]] = []
        self._end = SEA.size

    def append(self, table: ArrayLike) -> int:
        """Append numbers and return the index of the first."""
        flat = np.ascontiguousarray(table, dtype=np.float64).ravel()
        at, self._end = self._end, self._end + flat.size
        self._parts.append(flat)
        return at

    def table(self, name: str, layout: Layout, records: list[dict[str, Any]]) -> None:
        """Append a table of records and write its size and place, n_NAME and NAME_at, into the header."""
        self.header[f"n_{name}"] = len(records)
        self.header[f"{name}_at"] = self.append_records(layout, records) if records else 0

    def append_records(self, layout: Layout, records: list[dict[str, Any]]) -> int:
        """Append records of a layout, each a dict by field name, and return the index of the first number."""
        rows = np.zeros(len(records), layout.dtype)
        for row, record in zip(rows, records, strict=True):
            for name, value in record.items():
                row[name] = value
        return self.append(rows.view(np.float64))

    def finish(self) -> NDArray[np.float64]:
        """Return the complete array for the kernel."""
        return np.concatenate([SEA.flat(self.header).copy(), *self._parts])
