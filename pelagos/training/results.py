"""Results of attempts: score, storage per pilot, and comparison of attempts.

    score = 100 progress (sum_i w_i g_i / sum_i w_i) - c collisions,  not below 0,   g_i = 1 / (1 + (x_i / h_i)^2)

x_i is a measure such as the rms of the path error, h_i the size at which half the marks of that criterion are given,
w_i its weight, c the points that a collision costs. A measure that was never taken gets no marks.

`ResultStore` keeps the results of each pilot in a file of JSON lines in the user's data folder, safe against a crash:
`keep` returns after the whole line is on the disk. A line that a crash cut off stays in the file; the next one begins
on a new line, and reading skips and counts lines that cannot be read.

Attempts are comparable if task, conditions and vehicle are the same. The trend is the median of the slopes between all
pairs of attempts (Theil 1950, Sen 1968), in points per attempt: a single bad day does not move it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from pelagos.checks import choice, is_number, number, whole
from pelagos.errors import CommandError
from pelagos.training.conditions import Conditions

ENDS = ("completed", "time limit", "aborted")
VERSION = 1  # of the format of a result
MOST_COMPARED = 500  # latest attempts in the trend: the number of pairs grows with the square
NAMELESS = "nobody"  # file of attempts without a pilot's name
LONGEST_NAME = 80  # letters in the name of a file
# Windows reserves these names for devices.
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{k}" for port in ("com", "lpt") for k in range(1, 10))}


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """A criterion of the score: a measure, the size at which half its marks are given, and its weight."""

    measure: str
    half: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        """Validate the numbers."""
        number("half", self.half, 1e-9, 1e9)
        number("weight", self.weight, 1e-9, 1e9)

    def share(self, measures: Mapping[str, float]) -> float:
        """Share of the marks, 0 to 1."""
        value = measures.get(self.measure, math.nan)
        return 0.0 if math.isnan(value) else 1.0 / (1.0 + (value / self.half) ** 2)


def score(measures: Mapping[str, float], criteria: Sequence[Criterion], collision_points: float) -> float:
    """The score, 0 to 100, by the formula at the top of this module."""
    total = sum(item.weight for item in criteria)
    marks = sum(item.weight * item.share(measures) for item in criteria) / total if total > 0.0 else 1.0
    return max(100.0 * measures["progress"] * marks - collision_points * measures["collisions"], 0.0)


@dataclass(frozen=True, kw_only=True)
class Result:
    """Result of an attempt: `measures` by name with unit, and `curve`, a sampled course of the attempt."""

    task: str
    title: str
    vehicle: str
    world: str
    seed: int
    pilot: str
    date: str  # any text; ISO 8601 sorts
    conditions: Conditions
    ended: str  # one of ENDS
    score: float
    shares: Mapping[str, float]  # of the marks of each criterion
    measures: Mapping[str, float]
    curve: Mapping[str, Sequence[float]] = field(default_factory=dict[str, Sequence[float]])

    @property
    def completed(self) -> bool:
        """Whether the task was completed."""
        return self.ended == "completed"

    @property
    def time_s(self) -> float:
        """Duration of the attempt."""
        return self.measures["time_s"]

    @property
    def collisions(self) -> int:
        """Number of collisions."""
        return int(self.measures["collisions"])

    def described(self) -> dict[str, Any]:
        """The result as a table for JSON; values that are not known are null."""
        plain = {name: getattr(self, name) for name in ("task", "title", "vehicle", "world", "seed", "pilot", "date")}
        return plain | {
            "version": VERSION, "conditions": self.conditions.described(), "ended": self.ended,
            "completed": self.completed, "score": round(self.score, 2), "shares": _known(self.shares),
            "measures": _known(self.measures),
            "curve": {name: [_digits(value) for value in values] for name, values in self.curve.items()},
        }  # fmt: skip

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Result:
        """Make a result from the table of `described`; raises CommandError for anything else."""
        try:
            texts = {name: str(table[name]) for name in ("task", "title", "vehicle", "world", "pilot", "date", "ended")}
            choice("ended", texts["ended"], ENDS)
            whole("version", table["version"], VERSION, VERSION)
            return cls(
                **texts, seed=int(table["seed"]), conditions=Conditions.of(table["conditions"]),
                score=float(table["score"]), shares=_read(table["shares"]), measures=_read(table["measures"]),
                curve={str(name): [_value(x) for x in values] for name, values in table["curve"].items()},
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise CommandError(f"not a result of a task ({type(problem).__name__}: {problem})") from None


def _known(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def _digits(value: float) -> float | None:
    """The value with as many digits as a figure needs."""
    return round(value, 4) if math.isfinite(value) else None


def _value(value: object) -> float:
    if value is None:
        return math.nan
    if not is_number(value):
        raise TypeError(f"{value!r} is not a number")
    return float(value)  # type: ignore[arg-type]  # is_number has checked it


def _read(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): _value(value) for name, value in values.items()}


def data_folder(environment: Mapping[str, str] | None = None, platform: str | None = None) -> Path:
    """The folder for data of the user: PELAGOS_DATA_DIR, or the one that the operating system provides."""
    variables = os.environ if environment is None else environment
    system = sys.platform if platform is None else platform
    if variables.get("PELAGOS_DATA_DIR"):
        return Path(os.path.expanduser(variables["PELAGOS_DATA_DIR"]))
    try:
        home = Path(variables["HOME"]) if variables.get("HOME") else Path.home()
    except RuntimeError:  # a user without a home, as in some containers
        raise CommandError("there is no home directory to keep results in; set PELAGOS_DATA_DIR") from None
    if system == "win32":
        return Path(variables.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pelagos"
    if system == "darwin":
        return home / "Library" / "Application Support" / "pelagos"
    xdg = variables.get("XDG_DATA_HOME", "")
    # The XDG base directory specification ignores a relative path.
    return (Path(xdg) if os.path.isabs(xdg) else home / ".local" / "share") / "pelagos"


def safe_name(pilot: str) -> str:
    """A pilot's name as the name of a file; different names give different files."""
    name = " ".join(pilot.split()) or NAMELESS
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_NAME]
    # The hash distinguishes names that give the same letters, such as "Ann" and "ann".
    if plain == name and plain not in RESERVED:
        return plain
    return f"{plain or 'pilot'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class PilotRecord:
    """The results of one pilot, oldest first, and the number of lines that could not be read."""

    pilot: str
    results: tuple[Result, ...]
    broken: int = 0


class ResultStore:
    """Store of the results of all pilots in a folder (default: in `data_folder`)."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else data_folder() / "training"

    def path(self, pilot: str) -> Path:
        """The file of a pilot."""
        return self.folder / f"{safe_name(pilot)}.jsonl"

    def keep(self, result: Result) -> Path:
        """Append a result to the file of its pilot; raises CommandError if the file cannot be written."""
        path = self.path(result.pilot)
        line = json.dumps(result.described(), ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("ab+") as file:  # append mode: two programs may write at once
                if file.tell() > 0:
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else "\n" + line  # a crash cut off the last line
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())  # flush alone leaves the line in the cache of the system
        except OSError as problem:
            raise CommandError(f"the result cannot be kept ({problem.strerror})", file=path) from None
        return path

    def read(self, pilot: str) -> PilotRecord:
        """Read all results of a pilot; none if there is no file."""
        return self._read(self.path(pilot), pilot)

    def pilots(self) -> list[str]:
        """Names of the pilots with results, spelt as in their last result."""
        names: dict[str, None] = {}
        for path in sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []:
            record = self._read(path, path.stem)
            names[record.results[-1].pilot if record.results else path.stem] = None
        return list(names)

    def _read(self, path: Path, pilot: str) -> PilotRecord:
        try:
            lines = path.read_bytes().splitlines()
        except FileNotFoundError:
            return PilotRecord(pilot, ())
        except OSError as problem:
            raise CommandError(f"cannot be read ({problem.strerror})", file=path) from None
        results: list[Result] = []
        for line in lines:
            with contextlib.suppress(ValueError, CommandError, RecursionError):  # counted below as broken
                results.append(Result.of(json.loads(line)))
        return PilotRecord(pilot, tuple(results), sum(1 for line in lines if line.strip()) - len(results))


@dataclass(frozen=True)
class PilotProgress:
    """Progress of a pilot over comparable attempts.

    `median`, `best` and `latest` are scores; `trend` is in points per attempt, None for a single attempt;
    `least_time_s` is that of the fastest completed attempt, None if there is none.
    """

    task: str
    vehicle: str
    conditions: Conditions
    attempts: int
    completed: int
    median: float
    best: float
    latest: float
    trend: float | None
    least_time_s: float | None
    scores: tuple[float, ...]

    def described(self) -> dict[str, Any]:
        """The progress as a table for JSON."""
        return asdict(self) | {"scores": list(self.scores)}


def trend(scores: Sequence[float]) -> float | None:
    """Median slope between all pairs of scores, points per attempt; None for fewer than two."""
    latest = list(enumerate(scores))[-MOST_COMPARED:]
    slopes = [(b - a) / (j - i) for (i, a), (j, b) in combinations(latest, 2)]
    return statistics.median(slopes) if slopes else None


def compare(results: Iterable[Result]) -> list[PilotProgress]:
    """Progress by task, conditions and vehicle, in the order of their first attempts."""
    groups: dict[tuple[str, str, Conditions], list[Result]] = {}
    for result in results:
        groups.setdefault(_group(result), []).append(result)
    return [_progress(*key, group) for key, group in groups.items()]


def comparable(results: Iterable[Result], example: Result) -> list[Result]:
    """The results with the task, vehicle and conditions of an example."""
    return [result for result in results if _group(result) == _group(example)]


def history(results: Iterable[Result], latest: Result) -> dict[str, Any]:
    """The history that a page shows beside a result: all comparable attempts and the progress over them."""
    same = comparable(results, latest)
    return {
        "attempts": [{"date": result.date, "score": result.score, "completed": result.completed,
                      "time_s": result.time_s, "collisions": result.collisions} for result in same],
        "progress": compare(same)[0].described() if same else None,
    }  # fmt: skip


def _group(result: Result) -> tuple[str, str, Conditions]:
    return result.task, result.vehicle, result.conditions


def _progress(task: str, vehicle: str, conditions: Conditions, group: list[Result]) -> PilotProgress:
    scores = tuple(result.score for result in group)
    times = [result.time_s for result in group if result.completed]
    return PilotProgress(
        task, vehicle, conditions, len(group), len(times), statistics.median(scores), max(scores), scores[-1],
        trend(scores), min(times, default=None), scores,
    )  # fmt: skip
