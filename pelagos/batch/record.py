"""Log files of a batch: a folder of Parquet parts, written during the run in bounded memory.

    many.parquet/part-00000.parquet     columns time_s, vehicle, then the selected ones; rows by time, then vehicle
    many.parquet/_batch.json            settings of the run; "complete": false until the run has ended

Any reader of Parquet takes the folder as one table. A part has a temporary name until it is complete, so a killed run
leaves only complete parts. A separate thread writes the parts, at most two samples behind the run.
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

from pelagos.errors import CommandError, foreign_text
from pelagos.files.lock import locked
from pelagos.sim.log.parquet import pyarrow_for

PART_BYTES = 256 << 20  # of a part before compression
QUEUED = 2  # samples: bounds the memory if writing is slower than the run
RETRY_S = 0.5  # between looks at whether the writing thread still runs
ROW_BYTES = 12  # of time_s and vehicle
META, LOCK = "_batch.json", ".lock"


class BatchWriter:
    """Writer of the log of a batch, a context manager.

    The thread that writes owns the Parquet files and `_parts`; it and the caller share the queue and `_failed`.
    """

    def __init__(
        self, path: str | os.PathLike[str], columns: Sequence[str], n: int, dtype: str, meta: Mapping[str, Any]
    ) -> None:
        self._pa = pyarrow_for("the log of a batch")
        if not isinstance(path, str | os.PathLike):
            raise CommandError(key="path", value=path, expected="the name of a folder")
        self.path, self._n = Path(path), n
        foreign = self.path.is_dir() and not (self.path / META).is_file()
        if self.path.is_file() or (foreign and any(item.name != LOCK for item in self.path.iterdir())):
            raise CommandError("exists and is not the log of a batch", file=self.path, expected="a new folder")
        self._lock = contextlib.ExitStack()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not self._lock.enter_context(locked(self.path / LOCK)):
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
        self._samples_a_part = max(1, PART_BYTES // max(1, n * (ROW_BYTES + len(columns) * np.dtype(dtype).itemsize)))
        self._parts = 0
        self._write_meta(complete=False)
        self._queue: queue.Queue[tuple[float, NDArray[Any]] | None] = queue.Queue(maxsize=QUEUED)
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._write_all, name="pelagos-batch-log", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(complete=kind is None)

    def put(self, time_s: float, table: NDArray[Any]) -> None:
        """Queue one sample, (columns, n); the writer keeps the array, so the caller must not change it."""
        while self._failed is None:
            try:
                self._queue.put((time_s, table), timeout=RETRY_S)
                return
            except queue.Full:
                continue
        self._raise()

    def close(self, *, complete: bool) -> None:
        """Write the rest of the samples and end the thread; `complete` is True if the run reached its end."""
        while self._thread.is_alive():  # a thread that has failed empties the queue no more
            try:
                self._queue.put(None, timeout=RETRY_S)
                break
            except queue.Full:
                continue
        self._thread.join()
        with self._lock:
            if self._failed is None:
                self._write_meta(complete=complete)
            elif complete:  # otherwise another error is on its way to the caller
                self._raise()

    def _raise(self) -> None:
        assert self._failed is not None
        raise CommandError(f"cannot be written: {foreign_text(self._failed)}", file=self.path) from self._failed

    def _write_meta(self, *, complete: bool) -> None:
        temporary = self.path / (META + ".new")
        temporary.write_text(json.dumps({**self._meta, "complete": complete}, indent=1) + "\n", "utf-8")
        os.replace(temporary, self.path / META)

    def _write_all(self) -> None:
        try:
            while self._write_part():
                pass
        except BaseException as problem:  # the next call of `put` or `close` raises it in the caller's thread
            self._failed = problem

    def _write_part(self) -> bool:
        """Write one part; return False after the last."""
        item = self._queue.get()
        if item is None:
            return False
        pa = self._pa
        final = self.path / f"part-{self._parts:05d}.parquet"
        temporary = final.with_name("_" + final.name)
        # byte-stream split puts bytes of equal significance side by side, which compress better than whole floats
        options = {"compression": "zstd", "compression_level": 1, "use_dictionary": ["vehicle"],
                   "write_page_checksum": True,
                   "use_byte_stream_split": [f.name for f in self._schema if pa.types.is_floating(f.type)]}  # fmt: skip
        more = True
        with pa.parquet.ParquetWriter(temporary, self._schema, **options) as writer:
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
        os.replace(temporary, final)
        self._parts += 1
        return more
