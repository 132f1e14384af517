"""Tables of numpy columns to and from Parquet, exactly: float64, int64, booleans and texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, MissingExtraError

Table = dict[str, NDArray[Any]]
MOST_LETTERS = 10**7  # of a column of texts as an array of NumPy's own; beyond, of Python's


def arrow() -> Any:
    """The package pyarrow, or the sentence that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "a campaign", "campaign") from None
    return pyarrow


def write_table(path: Path, table: Mapping[str, NDArray[Any]], said: Mapping[str, bytes] | None = None) -> None:
    """Write beside and move into place: the name never stands for half a file. `said` goes to the file's metadata."""
    pa = arrow()
    made = pa.table({name: pa.array(column) for name, column in table.items()})
    if said:
        made = made.replace_schema_metadata(dict(said))
    beside = path.with_name(f".{path.name}.new")
    try:
        with open(beside, "wb") as file:
            pa.parquet.write_table(made, file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())  # a part counts as finished: it must outlive a power cut
        os.replace(beside, path)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise CommandError(f"{path}: cannot be written ({problem.strerror or problem})") from None


def read_tables(paths: Sequence[Path]) -> tuple[Table, dict[str, bytes]]:
    """Files of the same columns one after another, and what the first says in its metadata."""
    pa = arrow()
    tables: list[Any] = []
    for path in paths:
        try:
            tables.append(pa.parquet.ParquetFile(path).read())
        except (OSError, ValueError) as problem:
            raise CommandError(f"{path}: cannot be read ({str(problem).splitlines()[0]})") from None
    said = {key.decode(): value for key, value in (tables[0].schema.metadata or {}).items()}
    names = tables[0].column_names
    for path, table in zip(paths, tables, strict=True):
        if table.column_names != names:
            raise CommandError(f"{path}: has other columns than {paths[0].name}")
    whole = pa.concat_tables([table.replace_schema_metadata(None) for table in tables])
    return {name: _column(whole.column(name)) for name in names}, said


def _column(column: Any) -> NDArray[Any]:
    array = column.combine_chunks().to_numpy(zero_copy_only=False)
    if array.dtype.kind != "O":
        return array
    widest = max(map(len, array), default=1)
    return array.astype(np.str_) if widest * len(array) <= MOST_LETTERS else array  # every entry as wide as the widest
