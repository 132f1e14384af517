"""The results folder of a campaign: its file, its plan, finished runs in parts, and a summary.

    campaign.toml        the file as read, with all defaults
    plan.parquet         one row per planned run: run, seed, varied keys
    runs/part-*.parquet  finished runs; each part is written completely and then renamed into place
    logs/run-*.parquet   complete logs, if requested
    summary.json         counts, means and intervals, reason of the end

A run is finished if a part contains it. A killed process leaves no partial file. Parquet stores the NumPy columns
exactly: float64, int64, booleans and texts.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.identity import Identity, differences
from pelagos.campaign.read import FILE, campaign_tables
from pelagos.campaign.run import Row
from pelagos.campaign.sampling import CampaignPlan
from pelagos.campaign.spec import COLUMNS, Campaign
from pelagos.errors import CommandError, foreign_text
from pelagos.files.lock import locked
from pelagos.files.writer import to_toml
from pelagos.sim.log.parquet import pyarrow_for

Table = dict[str, NDArray[Any]]
PLAN, RUNS, LOGS, SUMMARY, LOCK = "plan.parquet", "runs", "logs", "summary.json", ".lock"
PART_EVERY_S, PART_SHARE, PART_AT_LEAST_EVERY_S = 1.0, 0.01, 60.0
PART_ROWS = 50_000  # are written at once: a large cluster would fill the memory in a minute
MADE_WITH = "made_with"  # key of the identity in the metadata of the plan
MAY_CHANGE = ("name", "summary", "runs", "stop", "engine", "output")  # keys that may change when a campaign continues
MOST_LETTERS = 10**7  # of a column of texts as fixed-width NumPy array; larger ones stay Python objects


def write_table(path: Path, table: Mapping[str, NDArray[Any]], metadata: Mapping[str, bytes] | None = None) -> None:
    """Write a table to a temporary file and rename it: `path` is never incomplete. `metadata` goes into the file."""
    pa = pyarrow_for("a campaign", "campaign")
    made = pa.table({name: pa.array(column) for name, column in table.items()})
    if metadata:
        made = made.replace_schema_metadata(dict(metadata))
    temporary = path.with_name(f".{path.name}.new")
    try:
        with open(temporary, "wb") as file:
            pa.parquet.write_table(made, file, compression="zstd", write_page_checksum=True)
            file.flush()
            os.fsync(file.fileno())  # a part counts as finished: it must outlive a power cut
        os.replace(temporary, path)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise CommandError(f"cannot be written ({foreign_text(problem)})", file=path) from None


def read_tables(paths: Sequence[Path]) -> tuple[Table, dict[str, bytes]]:
    """Read and join files with the same columns; return the metadata of the first as well."""
    pa = pyarrow_for("a campaign", "campaign")
    tables: list[Any] = []
    for path in paths:
        try:
            tables.append(pa.parquet.ParquetFile(path, page_checksum_verification=True).read())
        except (OSError, ValueError) as problem:
            raise CommandError(f"cannot be read ({foreign_text(problem)})", file=path) from None
    metadata = {key.decode(): value for key, value in (tables[0].schema.metadata or {}).items()}
    names = tables[0].column_names
    for path, table in zip(paths, tables, strict=True):
        if table.column_names != names:
            raise CommandError("has other columns", file=path, expected=f"those of {paths[0].name}")
    whole = pa.concat_tables([table.replace_schema_metadata(None) for table in tables])
    return {name: _column(whole.column(name)) for name in names}, metadata


def _column(column: Any) -> NDArray[Any]:
    array = column.combine_chunks().to_numpy(zero_copy_only=False)
    if array.dtype.kind != "O":
        return array
    widest = max(map(len, array), default=1)
    # NumPy makes every entry as wide as the widest
    return array.astype(np.str_) if widest * len(array) <= MOST_LETTERS else array


class CampaignFolder:
    """Writes the results of a campaign as they arrive; call `begin` first."""

    def __init__(
        self,
        path: Path,
        campaign: Campaign,
        plan: CampaignPlan,
        identity: Identity | None = None,
        *,
        accept_other: bool = False,
    ) -> None:
        self.path, self.campaign, self.plan = path, campaign, plan
        self._identity, self._accept_other = identity, accept_other
        self._waiting: list[Row] = []
        self._begin = self._written = time.monotonic()
        self._next = 0  # number of the next part

    def begin(self, fresh: bool = False) -> Table:
        """Prepare the folder and return the finished runs; `fresh` deletes earlier results first."""
        old = self.path / PLAN
        try:
            self._refuse_foreign()
            if fresh:
                _clear(self.path)
            (self.path / RUNS).mkdir(parents=True, exist_ok=True)
            if self.campaign.output.logs:
                (self.path / LOGS).mkdir(exist_ok=True)
            if old.exists():
                self._refuse_another(old)
            (self.path / SUMMARY).unlink(missing_ok=True)  # out of date once runs are added
            # the plan first: it marks the folder as that of a campaign, even if the process is killed now
            made_with = self._identity.tables() if self._identity else None
            metadata = {"pelagos": self._meaning(), MADE_WITH: made_with}
            write_table(old, self.plan.table, {key: json.dumps(item).encode() for key, item in metadata.items()})
            _write_text(self.path / FILE, to_toml(campaign_tables(self.campaign)))
        except OSError as problem:
            raise CommandError(f"the results cannot be written ({problem.strerror})", file=self.path) from None
        # after the lock: before it another process may still write parts
        self._next = max((int(part.stem.rpartition("-")[2]) for part in parts(self.path)), default=-1) + 1
        return read_runs(self.path, self.campaign)

    def _refuse_foreign(self) -> None:
        """Raise an error unless the folder is new, empty, or that of a campaign."""
        if self.path.exists() and not self.path.is_dir():
            raise CommandError("is a file", file=self.path, expected="a folder for the results")
        if self.path.is_dir() and not (self.path / PLAN).exists():
            if any(item.name not in (LOCK, RUNS, LOGS, f".{PLAN}.new") for item in self.path.iterdir()):
                raise CommandError(
                    "is not empty and not the folder of a campaign", file=self.path, expected="another --out"
                )

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder against other processes; the lock of a killed process does not remain."""
        self._refuse_foreign()
        with contextlib.ExitStack() as stack:
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                mine = stack.enter_context(locked(self.path / LOCK))
            except OSError as problem:
                raise CommandError(f"the results cannot be written ({problem.strerror})", file=self.path) from None
            if not mine:
                raise CommandError("another process is writing to this campaign", file=self.path)
            yield

    def add(self, rows: Sequence[Row]) -> None:
        """Add finished runs; they are on disk after a second, or after 1 % of the time so far, at most a minute."""
        self._waiting += rows
        now = time.monotonic()
        patience = min(max(PART_EVERY_S, PART_SHARE * (now - self._begin)), PART_AT_LEAST_EVERY_S)
        if now - self._written >= patience or len(self._waiting) >= PART_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the runs that are not on disk yet."""
        if not self._waiting:
            return
        rows = sorted(self._waiting, key=lambda row: row["run"])
        path = self.path / RUNS / f"part-{self._next:06d}.parquet"
        write_table(path, _columns(rows, self.campaign, self.plan))
        self._waiting, self._next, self._written = [], self._next + 1, time.monotonic()

    def summarise(self, summary: dict[str, Any]) -> None:
        """Write the summary."""
        try:
            _write_text(self.path / SUMMARY, json.dumps(summary, indent=1) + "\n")
        except OSError as problem:
            raise CommandError(f"the summary cannot be written ({problem.strerror})", file=self.path) from None

    def _meaning(self) -> dict[str, Any]:
        """Return the keys that must be equal for runs to share a folder."""
        tables = campaign_tables(self.campaign)
        kept = {key: item for key, item in tables.items() if key not in MAY_CHANGE}
        return json.loads(json.dumps({**kept, "scenario": self.campaign.tables}, default=str))

    def _refuse_another(self, old: Path) -> None:
        table, metadata = read_tables([old])
        before = json.loads(metadata.get("pelagos", b"{}"))
        differs = [key for key, item in self._meaning().items() if before.get(key) != item]
        expected = "another --out, or --fresh to start again"
        difference = ", ".join(differs) if differs else "" if self.plan.begins_like(table) else "the plan"
        if difference:
            raise CommandError(
                f"holds runs of another campaign ({difference} differs)", file=self.path, expected=expected
            )
        made_with = json.loads(metadata.get(MADE_WITH, b"null"))
        if self._identity is None:
            return
        if made_with is None:
            raise CommandError(
                "does not record the version of Pelagos that made its runs", file=self.path, expected=expected
            )
        others = differences(Identity(**made_with), self._identity)
        if others and not self._accept_other:
            raise CommandError(
                f"was started with other code or files: {'; '.join(others)}",
                file=self.path,
                expected=f"{expected}, or --accept-other-version to continue (each row records its version)",
            )


def parts(folder: Path) -> list[Path]:
    """Return the files of the finished runs, in order."""
    return sorted((folder / RUNS).glob("part-*.parquet"))


def read_runs(folder: Path, campaign: Campaign) -> Table:
    """Return all finished runs, sorted; the last entry of a run counts, since a failed run may be repeated."""
    files = parts(folder)
    if not files:
        return {name: np.empty(0) for name in (*COLUMNS, *campaign.keys, *campaign.metrics)} | {
            "run": np.empty(0, np.int64)
        }
    table, _ = read_tables(files)
    _, at = np.unique(table["run"][::-1], return_index=True)
    last = len(table["run"]) - 1 - at
    return {name: column[last] for name, column in table.items()}


def _columns(rows: list[Row], campaign: Campaign, plan: CampaignPlan) -> Table:
    """Return rows as columns; their types are the same in every part."""
    known = {"run": np.int64, "seed": np.int64, "wall_s": np.float64, "simulated_s": np.float64}
    kinds: dict[str, Any] = {name: known.get(name, np.str_) for name in COLUMNS}
    kinds |= {key: column.dtype for key, column in plan.columns.items()}
    kinds |= dict.fromkeys(campaign.metrics, np.float64)
    unknown = {name: "" if kind is np.str_ else np.nan for name, kind in kinds.items()}
    return {name: np.array([row.get(name, unknown[name]) for row in rows], kind) for name, kind in kinds.items()}


def _write_text(path: Path, text: str) -> None:
    """Write to a temporary file and rename it: a full disk or a kill leaves the old file intact."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    os.replace(temporary, path)


def _clear(path: Path) -> None:
    """Delete the files of a campaign, and no others."""
    for name in (RUNS, LOGS):
        shutil.rmtree(path / name, ignore_errors=True)
    for name in (PLAN, SUMMARY, FILE):
        (path / name).unlink(missing_ok=True)
