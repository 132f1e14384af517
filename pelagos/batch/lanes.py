"""Fields of lane arrays as the rest of Python wants them: one row a vehicle.

The kernel keeps (block, field, lane); vehicle i is lane i % width of block i // width. The last block is filled up with
copies of the last vehicle, which nobody reads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.core.lanes import aligned
from pelagos.engine.core.views import Layout

WIDTH = {"float64": 8, "float32": 16}
Numbers = NDArray[Any]


class Lanes:
    """Records of one layout for n vehicles, in blocks of lanes."""

    def __init__(self, layout: Layout, n: int, dtype: str) -> None:
        self.layout, self.n, self.width = layout, n, WIDTH[dtype]
        self.blocks = -(-n // self.width)
        self.array = aligned((self.blocks, layout.size, self.width), np.dtype(dtype))
        self._places: dict[tuple[str, int | None], slice] = {}

    def fields(self, path: str, count: int | None = None) -> slice:
        """Where a field lies, such as "nu" or "actuators.thruster"; the first `count` numbers of it."""
        known = self._places.get((path, count))
        if known is not None:
            return known
        layout, first = self.layout, 0
        names = path.split(".")
        for name in names[:-1]:
            start, field = layout.offset(name)
            assert field.of is not None
            layout, first = field.of, first + start
        start, field = layout.offset(names[-1])
        place = slice(first + start, first + start + (field.size if count is None else count))
        self._places[path, count] = place
        return place

    def view(self, path: str) -> Numbers:
        """One number of every vehicle as (block, lane): the memory itself."""
        return self.array[:, self.fields(path).start, :]

    def rows(self, where: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Whole records, (vehicles, size), as the scalar kernel takes them."""
        if where is None:
            return self._all(slice(0, self.layout.size))
        return np.ascontiguousarray(self.array[where // self.width, :, where % self.width], dtype=np.float64)

    def get(self, fields: slice, out: Numbers | None = None) -> Numbers:
        """(n, k) float64, or into `out`."""
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
        given = np.asarray(values)
        k = fields.stop - fields.start
        if where is None:
            if given.ndim < 2:
                self.array[:, fields, :] = np.broadcast_to(given, (k,))[:, np.newaxis]
                return
            whole = self.n // self.width
            full = whole * self.width
            self.array[:whole, fields, :] = given[:full].reshape(whole, self.width, k).transpose(0, 2, 1)
            if full < self.n:
                self.array[whole, fields, : self.n - full] = given[full:].T
                self.array[whole, fields, self.n - full :] = given[-1][:, np.newaxis]
            return
        numbers = np.arange(fields.start, fields.stop)
        block, lane = where // self.width, where % self.width
        self.array[block[:, np.newaxis], numbers, lane[:, np.newaxis]] = given
        if len(where) and where.max() == self.n - 1:
            self.fill_up()

    def put_rows(self, rows: ArrayLike, where: NDArray[np.int64] | None = None) -> None:
        """Write whole records."""
        self.put(slice(0, self.layout.size), rows, where)

    def fill_up(self) -> None:
        """Let the rest of the last block be copies of the last vehicle."""
        last = (self.n - 1) % self.width
        self.array[-1, :, last + 1 :] = self.array[-1, :, last : last + 1]

    def _all(self, fields: slice) -> NDArray[np.float64]:
        part = self.array[:, fields, :].transpose(0, 2, 1)
        flat = part.reshape(self.blocks * self.width, fields.stop - fields.start)[: self.n]
        return np.ascontiguousarray(flat, dtype=np.float64)
