"""Logs as Parquet files: float64 columns with their units, metadata in the key `pelagos` of the file.

A Parquet file can be read only after its last bytes are written. A run therefore writes an Arrow stream,
`dive.parquet.unfinished`, a batch at least once per second, and converts it to `dive.parquet` when the run ends, also
by an error. After `kill -9` the stream remains, and `read_parquet("dive.parquet")` reads it.

Every page of a Parquet file has a checksum; metadata and column names have a digest in the key `pelagos_digest`; every
batch of a stream has a digest of its samples. Damage is an error; `salvage` skips the damaged parts.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import MissingExtraError
from pelagos.messages import Event
from pelagos.sim.log.file import (
    BlockFile,
    Content,
    cannot_read,
    cannot_write,
    checked_path,
    damaged,
    dumps,
    events_of,
    json_of,
    new_digest,
    plain_event,
    readable,
    replaced,
    unit_of,
)
from pelagos.sim.log.forces import LogError, column_names, split_names

# Keys of the metadata of a file or a batch.
KEY = b"pelagos"  # file: JSON with meta, terms, events, complete
EVENTS = b"events"  # batch: JSON of the events since the previous batch
DIGEST = b"pelagos_digest"  # file: of metadata, names and number of samples; batch: of samples and events
UNFINISHED = ".unfinished"
ROW_GROUP = 8192  # samples; a damaged page loses so many of one column


def unfinished_path(path: str | os.PathLike[str]) -> Path:
    """Path of the stream of a run that has not ended."""
    return Path(checked_path(path) + UNFINISHED)


class ParquetWriter:
    """Writes a Parquet log while a run goes on.

    Args:
        path: the file to create at the end.
        columns: names of the plain columns.
        terms: names of the force terms to write.
        meta: settings of the run.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        columns: Sequence[str],
        terms: Sequence[str],
        meta: Mapping[str, Any],
    ) -> None:
        self._pa = pyarrow_for("a Parquet log")
        self._path = Path(checked_path(path))
        self._columns, self._terms, self._meta = tuple(columns), tuple(terms), dict(meta)
        self._schema = _schema(self._pa, self._columns, self._terms, _description(self._meta, self._terms, [], False))
        self._sink = _Sink()
        self._stream: Any = self._pa.ipc.new_stream(self._pa.PythonFile(self._sink, mode="w"), self._schema)
        self._stream.write_batch(self._batch(np.empty((0, len(self._schema)))))  # the head comes with the first batch
        self._file = BlockFile(unfinished_path(path), line_end=b"")
        try:
            self._path.unlink(missing_ok=True)  # as with CSV, the new run replaces the old
            self._file.put(self._sink.take())
        except OSError as problem:
            self._file.close()
            raise cannot_write(path, problem) from None
        except LogError:
            self._file.close()
            raise

    @property
    def rows(self) -> int:
        """Number of samples in the file."""
        return self._file.rows

    def write(self, table: NDArray[np.float64]) -> None:
        """Append samples, (k, columns)."""
        if len(table):
            self._put(table, {})

    def event(self, event: Event) -> None:
        """Append an event."""
        self._put(np.empty((0, len(self._schema))), {EVENTS: dumps([plain_event(event)]).encode()})

    def close(self, *, complete: bool) -> None:
        """Convert the stream to the Parquet file and remove it; LogError if samples of the stream are missing."""
        beside = unfinished_path(self._path)
        try:
            self._file.settle()
            table, events = _read_stream(self._pa, beside, [])
            short = table.num_rows != self.rows
            _save(self._pa, self._path, table, _description(self._meta, self._terms, events, complete and not short))
            # Removed while it is locked, so that no other run can open it; Windows cannot remove an open file.
            with contextlib.suppress(OSError):
                beside.unlink()
        finally:
            self._file.close()
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                beside.unlink()
        if short and complete:
            key, expected = "number of samples read back", f"{self.rows}, as written"
            raise LogError(file=self._path, key=key, value=table.num_rows, expected=expected)

    def _put(self, table: NDArray[np.float64], metadata: dict[bytes, bytes]) -> None:
        self._sink.take()  # drop a batch that a Ctrl-C kept from the file
        batch = self._batch(table)
        metadata = metadata | {DIGEST: _batch_digest(batch, metadata.get(EVENTS, b""))}
        self._stream.write_batch(batch, custom_metadata=metadata)
        self._file.put(self._sink.take(), len(table))

    def _batch(self, table: NDArray[np.float64]) -> Any:
        arrays = [self._pa.array(column) for column in np.ascontiguousarray(table.T)]
        return self._pa.record_batch(arrays, schema=self._schema)


class _Sink:
    """Collects the output of the Arrow writer, so that a batch goes to the file in one call."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        self._size += len(self._pieces[-1])
        return len(self._pieces[-1])

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        block = b"".join(self._pieces)
        self._pieces.clear()
        return block


def write_parquet(path: str | os.PathLike[str], content: Content, *, single: bool = False) -> None:
    """Write a whole log; `single` stores all columns but the time as float32, 7 digits, at a third of the size."""
    pa = pyarrow_for("a Parquet log")
    description = _description(content.meta, content.terms, content.events, content.complete)
    schema = _schema(pa, content.columns, content.terms, description, single=single)
    columns = zip(np.ascontiguousarray(content.table.T), schema.types, strict=True)
    with np.errstate(over="ignore"):  # a number beyond the range of float32 becomes infinite
        arrays = [pa.array(column.astype(kind.to_pandas_dtype(), copy=False)) for column, kind in columns]
    _save(pa, Path(checked_path(path)), pa.table(arrays, schema=schema), description)


def read_parquet(path: str | os.PathLike[str], *, salvage: bool = False) -> Content:
    """Read a Parquet log, or the stream of an unfinished run.

    A damaged file is an error. With `salvage`, damaged pages of a column are NaN, samples without a time are skipped,
    and `meta["damage"]` lists the damage.
    """
    pa = pyarrow_for("a Parquet log")
    here = Path(checked_path(path))
    if not os.path.isfile(here) and os.path.isfile(unfinished_path(here)):
        here = unfinished_path(here)
    readable(here)
    try:
        damage: list[str] = []
        if here.name.endswith(UNFINISHED):
            table, events = _read_stream(pa, here, damage)
            description = _read_description(table.schema) | {"complete": False}
        else:
            # Not read_table: it opens a dataset, which would add columns from a folder name such as "a=1".
            file = pa.parquet.ParquetFile(here, page_checksum_verification=True)
            table = _whole_pages(pa, file, damage)
            description = _checked_description(file, damage)
            events = events_of(description.get("events"))
        values = np.column_stack([np.asarray(column, np.float64) for column in table.columns])
    except (OSError, ValueError, TypeError, NotImplementedError) as problem:  # an Arrow error is one of these
        raise cannot_read(path, problem) from None
    if "time_s" not in table.column_names:
        raise LogError("is not a log, it has no column time_s", file=path)
    if damage and not salvage:
        raise damaged(path, damage)
    columns, terms = split_names(table.column_names)
    meta = cast("dict[str, Any]", description.get("meta", {}))
    complete = description.get("complete") is True and not damage  # a table of another program has no such key
    if damage:
        meta["damage"] = damage
        values = values[np.isfinite(values[:, table.column_names.index("time_s")])]
    return Content(columns=columns, terms=terms, table=values, meta=meta, events=events, complete=complete)


def _whole_pages(pa: Any, file: Any, damage: list[str]) -> Any:
    """The table of a Parquet file; a column is NaN in the row groups in which its pages are damaged."""
    with contextlib.suppress(OSError, ValueError):
        return file.read()
    groups: list[Any] = []
    first = 0
    for k in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(k).num_rows
        columns: list[Any] = []
        for name in file.schema_arrow.names:
            try:
                columns.append(file.read_row_group(k, columns=[name]).column(0).combine_chunks())
            except (OSError, ValueError):
                damage.append(f"{name} of samples {first} to {first + rows - 1} is not as it was written")
                columns.append(pa.array(np.full(rows, np.nan), file.schema_arrow.field(name).type))
        groups.append(pa.table(columns, schema=file.schema_arrow))
        first += rows
    return pa.concat_tables(groups)


def _checked_description(file: Any, damage: list[str]) -> dict[str, Any]:
    """The metadata of a Parquet file, compared with its digest."""
    metadata = file.schema_arrow.metadata or {}
    text = metadata.get(KEY, b"")
    if DIGEST in metadata and metadata[DIGEST] != _head_digest(text, file.schema_arrow.names, file.metadata.num_rows):
        damage.append("the meta data is not as it was written")
    try:
        return _read_description(file.schema_arrow)
    except (ValueError, RecursionError):
        damage.append("the meta data is not JSON")
        return {}


def _head_digest(description: bytes, names: Sequence[str], rows: int) -> bytes:
    return new_digest(b"\n".join([description, ",".join(names).encode(), str(rows).encode()])).hexdigest().encode()


def _batch_digest(batch: Any, events: bytes) -> bytes:
    digest = new_digest(events)
    for column in batch.columns:
        digest.update(np.asarray(column))
    return digest.hexdigest().encode()


def _read_stream(pa: Any, path: Path, damage: list[str]) -> tuple[Any, list[Event]]:
    """All whole batches of a stream and their events; damaged batches are skipped and listed in `damage`."""
    batches: list[Any] = []
    events: list[Event] = []
    try:
        reader = pa.ipc.open_stream(pa.py_buffer(path.read_bytes()))
    except (OSError, ValueError) as problem:
        raise cannot_read(path, problem) from None
    with contextlib.suppress(StopIteration, OSError, ValueError):  # the end, or a batch that was cut
        while True:
            batch, metadata = reader.read_next_batch_with_custom_metadata()
            values = dict(metadata or {})
            if DIGEST in values and values[DIGEST] != _batch_digest(batch, values.get(EVENTS, b"")):
                damage.append(f"{batch.num_rows} samples are not as they were written")
                continue
            batches.append(batch)
            events += events_of(json_of(values[EVENTS])) if EVENTS in values else []
    return pa.Table.from_batches(batches, schema=reader.schema), events


def _save(pa: Any, path: Path, table: Any, description: bytes) -> None:
    """Write the table with its description and the digest of both."""
    digest = _head_digest(description, table.column_names, table.num_rows)
    table = table.combine_chunks().replace_schema_metadata({KEY: description, DIGEST: digest})
    options: dict[str, Any] = {"compression": "zstd", "use_dictionary": False, "use_byte_stream_split": True}
    options["write_page_checksum"] = True
    # Opened here, so that the error of a full disk is an OSError of the system and not one of Arrow.
    with replaced(path) as beside, open(beside, "wb") as file:
        pa.parquet.write_table(table, file, row_group_size=ROW_GROUP, **options)


def _schema(pa: Any, columns: Sequence[str], terms: Sequence[str], description: bytes, *, single: bool = False) -> Any:
    def kind(name: str) -> Any:
        return pa.float32() if single and name != "time_s" else pa.float64()

    fields = [pa.field(name, kind(name), metadata={"unit": unit_of(name)}) for name in column_names(columns, terms)]
    return pa.schema(fields, metadata={KEY: description})


def _description(meta: Mapping[str, Any], terms: Sequence[str], events: Sequence[Event], complete: bool) -> bytes:
    description = {"meta": dict(meta), "terms": list(terms), "complete": complete}
    return dumps(description | {"events": [plain_event(event) for event in events]}).encode()


def _read_description(schema: Any) -> dict[str, Any]:
    text = (schema.metadata or {}).get(KEY)
    description = json_of(text) if text else {}
    if not isinstance(description, dict):
        raise ValueError("its description is not a JSON object")
    return cast("dict[str, Any]", description)


def pyarrow_for(feature: str, extra: str = "log") -> Any:
    """Import pyarrow, or raise the error that names the feature and the extra to install."""
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", feature, extra) from None
    return pyarrow
