"""A batch logged while it runs, in bounded memory: a folder of Parquet parts, each whole as soon as it has its name.

    many.parquet/part-00000.parquet     columns time_s, vehicle, then the chosen ones; rows by time, then vehicle
    many.parquet/_batch.json            how it was made; "complete": false until the run has ended

Any reader of Parquet takes the folder as one table. A killed run leaves every part that was finished. Parts are written
by a thread of their own, at most two samples behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, MissingExtraError, foreign_text
from pelagos.files.lock import locked

PART_BYTES = 256 << 20  # of numbers before they are compressed
META, LOCK = "_batch.json", ".lock"


class BatchWriter:
    """Takes samples, (columns, n) each; use it as a context manager."""

    def __init__(
        self, path: str | os.PathLike[str], columns: Sequence[str], n: int, dtype: str, meta: Mapping[str, Any]
    ) -> None:
        self._pa = _pyarrow()
        if not isinstance(path, str | os.PathLike):
            raise CommandError(key="path", value=path, expected="the name of a folder")
        self.path, self._n = Path(path), n
        foreign = self.path.is_dir() and not (self.path / META).is_file()
        if self.path.is_file() or (foreign and any(item.name != LOCK for item in self.path.iterdir())):
            raise CommandError("is there and is not the log of a batch", file=self.path, expected="a new folder")
        self._alone = contextlib.ExitStack()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not self._alone.enter_context(locked(self.path / LOCK)):
                raise CommandError("another batch is writing this log", file=self.path, expected="another folder")
            for old in (*self.path.glob("part-*"), *self.path.glob("_part-*")):  # of an earlier run, or a killed one
                old.unlink()
        except OSError as problem:
            raise CommandError(f"cannot be written: {problem.strerror}", file=self.path) from problem
        pa, kind = self._pa, self._pa.float32() if dtype == "float32" else self._pa.float64()
        fields = [pa.field("time_s", pa.float64()), pa.field("vehicle", pa.int32())]
        self._schema = pa.schema([*fields, *(pa.field(name, kind) for name in columns)])
        self._meta = {**meta, "n": n, "columns": list(columns)}
        self._vehicle = pa.array(np.arange(n, dtype=np.int32))
        self._samples_a_part = max(1, PART_BYTES // max(1, n * (12 + len(columns) * np.dtype(dtype).itemsize)))
        self._parts = 0
        self._say(complete=False)
        self._queue: queue.Queue[tuple[float, NDArray[Any]] | None] = queue.Queue(maxsize=2)
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._write_all, name="pelagos-batch-log", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(complete=kind is None)

    def put(self, time_s: float, table: NDArray[Any]) -> None:
        """One sample; the array is taken over, not copied."""
        while self._failed is None:
            try:
                self._queue.put((time_s, table), timeout=0.5)
                return
            except queue.Full:
                continue
        self._raise()

    def close(self, *, complete: bool) -> None:
        """Finish the last part."""
        while self._thread.is_alive():
            try:
                self._queue.put(None, timeout=0.5)
                break
            except queue.Full:
                continue
        self._thread.join()
        with self._alone:
            self._end(complete=complete)

    def _end(self, *, complete: bool) -> None:
        if self._failed is not None:
            if complete:
                self._raise()
            return
        self._say(complete=complete)

    def _raise(self) -> None:
        problem = self._failed
        assert problem is not None
        words = foreign_text(problem)
        raise CommandError(f"cannot be written: {words}", file=self.path) from problem

    def _say(self, *, complete: bool) -> None:
        beside = self.path / (META + ".new")
        beside.write_text(json.dumps({**self._meta, "complete": complete}, indent=1) + "\n", "utf-8")
        os.replace(beside, self.path / META)

    def _write_all(self) -> None:
        try:
            while self._write_part():
                pass
        except BaseException as problem:  # told to whoever puts the next sample
            self._failed = problem

    def _write_part(self) -> bool:
        """One part; False when there is nothing left."""
        item = self._queue.get()
        if item is None:
            return False
        pa = self._pa
        place = self.path / f"part-{self._parts:05d}.parquet"
        beside = place.with_name("_" + place.name)
        options = {"compression": "zstd", "compression_level": 1, "use_dictionary": ["vehicle"],
                   "write_page_checksum": True,
                   "use_byte_stream_split": [f.name for f in self._schema if pa.types.is_floating(f.type)]}  # fmt: skip
        more = True
        with pa.parquet.ParquetWriter(beside, self._schema, **options) as writer:
            for count in range(self._samples_a_part):
                time_s, table = item
                time = pa.array(np.full(self._n, time_s))
                arrays = [time, self._vehicle, *(pa.array(row) for row in table)]
                writer.write_batch(pa.record_batch(arrays, schema=self._schema), row_group_size=self._n)
                if count + 1 == self._samples_a_part:
                    break
                item = self._queue.get()
                if item is None:
                    more = False
                    break
        os.replace(beside, place)
        self._parts += 1
        return more


def read_meta(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What the log of a batch says of itself."""
    try:
        return json.loads((Path(path) / META).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise CommandError("is not the log of a batch", file=path, expected=f"a folder with {META}") from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "the log of a batch", "log") from None
    return pyarrow
