"""Arrays in the memory layout of SIMD lanes, read and written as one row for each vehicle.

The kernel needs (block, field, lane); vehicle i is lane i % width of block i // width. Copies of the last vehicle fill
the last block, so that its unused lanes hold valid numbers; no result is read from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.core.lanes import aligned
from pelagos.engine.core.views import Layout

WIDTH = {"float64": 8, "float32": 16}  # lanes of a block: 64 bytes, one cache line
Numbers = NDArray[Any]


class Lanes:
    """Records of one layout for n vehicles, in blocks of lanes."""

    def __init__(self, layout: Layout, n: int, dtype: str) -> None:
        self.layout, self.n, self.width = layout, n, WIDTH[dtype]
        self.blocks = -(-n // self.width)
        self.array = aligned((self.blocks, layout.size, self.width), np.dtype(dtype))
        self._slices: dict[tuple[str, int | None], slice] = {}

    def fields(self, path: str, count: int | None = None) -> slice:
        """Return the position of a field such as "nu" or "actuators.thruster"; with `count` of its first numbers."""
        known = self._slices.get((path, count))
        if known is not None:
            return known
        layout, first = self.layout, 0
        names = path.split(".")
        for name in names[:-1]:
            start, field = layout.offset(name)
            assert field.of is not None
            layout, first = field.of, first + start
        start, field = layout.offset(names[-1])
        position = slice(first + start, first + start + (field.size if count is None else count))
        self._slices[path, count] = position
        return position

    def view(self, path: str) -> Numbers:
        """Return a field of one number as (block, lane), sharing memory."""
        return self.array[:, self.fields(path).start, :]

    def rows(self, where: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Return whole records, (vehicles, size), as the scalar kernel takes them."""
        if where is None:
            return self._all(slice(0, self.layout.size))
        return np.ascontiguousarray(self.array[where // self.width, :, where % self.width], dtype=np.float64)

    def get(self, fields: slice, out: Numbers | None = None) -> Numbers:
        """Return the fields of all vehicles, (n, k), as new float64 or written to `out`."""
        if out is None:
            return self._all(fields)
        whole = self.n // self.width
        full = whole * self.width
        k = fields.stop - fields.start
        if full:
            out[:full].reshape(whole, self.width, k)[...] = self.array[:whole, fields, :].transpose(0, 2, 1)
        if full < self.n:
            out[full:] = self.array[whole, fields, : self.n - full].T
        return out

    def put(self, fields: slice, values: ArrayLike, where: NDArray[np.int64] | None = None) -> None:
        """Write (k,) for all, or (vehicles, k), to all vehicles or to those of `where`."""
        rows = np.asarray(values)
        k = fields.stop - fields.start
        if where is None:
            if rows.ndim < 2:
                self.array[:, fields, :] = np.broadcast_to(rows, (k,))[:, np.newaxis]
                return
            whole = self.n // self.width
            full = whole * self.width
            self.array[:whole, fields, :] = rows[:full].reshape(whole, self.width, k).transpose(0, 2, 1)
            if full < self.n:
                self.array[whole, fields, : self.n - full] = rows[full:].T
                self.array[whole, fields, self.n - full :] = rows[-1][:, np.newaxis]
            return
        numbers = np.arange(fields.start, fields.stop)
        block, lane = where // self.width, where % self.width
        self.array[block[:, np.newaxis], numbers, lane[:, np.newaxis]] = rows
        if len(where) and where.max() == self.n - 1:
            self.fill_up()

    def put_rows(self, rows: ArrayLike, where: NDArray[np.int64] | None = None) -> None:
        """Write whole records."""
        self.put(slice(0, self.layout.size), rows, where)

    def fill_up(self) -> None:
        """Copy the last vehicle to the unused lanes of the last block."""
        last = (self.n - 1) % self.width
        self.array[-1, :, last + 1 :] = self.array[-1, :, last : last + 1]

    def _all(self, fields: slice) -> NDArray[np.float64]:
        part = self.array[:, fields, :].transpose(0, 2, 1)
        flat = part.reshape(self.blocks * self.width, fields.stop - fields.start)[: self.n]
        return np.ascontiguousarray(flat, dtype=np.float64)
