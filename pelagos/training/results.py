"""Results kept per pilot: one file of JSON lines each, in the user's data folder, safe against a crash.

A line is written whole and brought to the disk before `keep` returns. A line that was cut off by a crash stays where it
is: the next one begins on a new line, and reading counts what it cannot read and goes on.

How an attempt ended: its measures, its score, and all that must be known to compare it with others.

    score = 100 progress (sum_i w_i g_i / sum_i w_i) - c collisions,  not below 0,   g_i = 1 / (1 + (x_i / h_i)^2)

x_i is a measure such as the rms of the path error, h_i the size at which half the marks of that criterion are given,
w_i its weight, c the points that a collision costs. A measure that was never taken gets no marks.

Attempts compared: how often, the best, the usual, and whether it gets better.

Attempts are compared with each other if task, conditions and vehicle are the same. The trend is the median of the
slopes between all pairs of attempts (Theil 1950, Sen 1968), in points per attempt: a single bad day does not move it.
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

from pelagos.checks import is_number, number
from pelagos.errors import CommandError
from pelagos.training.conditions import Conditions

ENDS = ("completed", "time limit", "aborted")
VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One thing that is marked: a measure, the size at which half its marks are given, and its weight."""

    measure: str
    half: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what cannot be marked."""
        number("half", self.half, 1e-9, 1e9)
        number("weight", self.weight, 1e-9, 1e9)

    def share(self, measures: Mapping[str, float]) -> float:
        """Of its marks, 0 to 1."""
        value = measures.get(self.measure, math.nan)
        return 0.0 if math.isnan(value) else 1.0 / (1.0 + (value / self.half) ** 2)


def score(measures: Mapping[str, float], criteria: Sequence[Criterion], collision_points: float) -> float:
    """0 to 100, by the formula above."""
    whole = sum(one.weight for one in criteria)
    marks = sum(one.weight * one.share(measures) for one in criteria) / whole if whole > 0.0 else 1.0
    return max(100.0 * measures["progress"] * marks - collision_points * measures["collisions"], 0.0)


@dataclass(frozen=True, kw_only=True)
class Result:
    """One attempt. `measures` has everything that was counted by name with unit; `curve` its course in some points."""

    task: str
    title: str
    vehicle: str
    world: str
    seed: int
    pilot: str
    date: str  # as the caller gave it; ISO 8601 sorts
    conditions: Conditions
    ended: str  # one of ENDS
    score: float
    shares: Mapping[str, float]  # of the marks of each criterion
    measures: Mapping[str, float]
    curve: Mapping[str, Sequence[float]] = field(default_factory=dict[str, Sequence[float]])

    @property
    def completed(self) -> bool:
        """Whether the task was done to its end."""
        return self.ended == "completed"

    @property
    def time_s(self) -> float:
        """From start to end."""
        return self.measures["time_s"]

    @property
    def collisions(self) -> int:
        """How often it hit something."""
        return int(self.measures["collisions"])

    def described(self) -> dict[str, Any]:
        """As JSON can hold it: what is not known is null."""
        plain = {name: getattr(self, name) for name in ("task", "title", "vehicle", "world", "seed", "pilot", "date")}
        return plain | {
            "version": VERSION, "conditions": self.conditions.described(), "ended": self.ended,
            "completed": self.completed, "score": round(self.score, 2), "shares": _known(self.shares),
            "measures": _known(self.measures),
            "curve": {name: [_digits(value) for value in values] for name, values in self.curve.items()},
        }  # fmt: skip

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Result:
        """From what `described` gave; CommandError if it is something else."""
        try:
            texts = {name: str(said[name]) for name in ("task", "title", "vehicle", "world", "pilot", "date", "ended")}
            if texts["ended"] not in ENDS or said["version"] != VERSION:
                raise CommandError(f"a result of version {said['version']} that ended {texts['ended']!r} is not known")
            return cls(
                **texts, seed=int(said["seed"]), conditions=Conditions.of(said["conditions"]),
                score=float(said["score"]), shares=_read(said["shares"]), measures=_read(said["measures"]),
                curve={str(name): [_value(x) for x in values] for name, values in said["curve"].items()},
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise CommandError(f"not a result of a task ({type(problem).__name__}: {problem})") from None


def _known(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in values.items()}


def _digits(value: float) -> float | None:
    """Enough for a figure, and short in a file."""
    return round(value, 4) if math.isfinite(value) else None


def _value(said: object) -> float:
    if said is None:
        return math.nan
    if not is_number(said):
        raise TypeError(f"{said!r} is no number")
    return float(said)  # type: ignore[arg-type]  # is_number has checked it


def _read(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): _value(value) for name, value in values.items()}


# ---- results ---------------------------------------------------------------------------------------------------------


NAMELESS = "nobody"
LONGEST_NAME = 80
# names of devices that Windows allows no file to have
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{k}" for port in ("com", "lpt") for k in range(1, 10))}


def data_folder(environment: Mapping[str, str] | None = None, platform: str | None = None) -> Path:
    """Where Pelagos keeps what belongs to its user: PELAGOS_DATA_DIR, or the place the system has for it."""
    said = os.environ if environment is None else environment
    where = sys.platform if platform is None else platform
    if said.get("PELAGOS_DATA_DIR"):
        return Path(os.path.expanduser(said["PELAGOS_DATA_DIR"]))
    try:
        home = Path(said["HOME"]) if said.get("HOME") else Path.home()
    except RuntimeError:  # a user without a home, as in some containers
        raise CommandError("there is no home directory to keep results in; set PELAGOS_DATA_DIR") from None
    if where == "win32":
        return Path(said.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pelagos"
    if where == "darwin":
        return home / "Library" / "Application Support" / "pelagos"
    given = said.get("XDG_DATA_HOME", "")
    return (Path(given) if os.path.isabs(given) else home / ".local" / "share") / "pelagos"


def safe_name(pilot: str) -> str:
    """A pilot's name as a file can have it; names that differ give files that differ."""
    name = " ".join(pilot.split()) or NAMELESS
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST_NAME]
    if plain == name and plain not in RESERVED:
        return plain
    return f"{plain or 'pilot'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


@dataclass(frozen=True)
class PilotRecord:
    """The results of one pilot in the order they were made, and how many lines could not be read."""

    pilot: str
    results: tuple[Result, ...]
    broken: int = 0


class ResultStore:
    """The results of all pilots in a folder; that of `data_folder` if none is given."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder) if folder is not None else data_folder() / "training"

    def path(self, pilot: str) -> Path:
        """The file of a pilot."""
        return self.folder / f"{safe_name(pilot)}.jsonl"

    def keep(self, result: Result) -> Path:
        """Add a result to its pilot's file; CommandError with a sentence if that cannot be written."""
        path = self.path(result.pilot)
        line = json.dumps(result.described(), ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with path.open("ab+") as file:
                if file.tell() > 0:
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else "\n" + line  # a crash has cut off the last one
                file.write(line.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise CommandError(f"the result cannot be kept ({problem.strerror})", file=path) from None
        return path

    def read(self, pilot: str) -> PilotRecord:
        """All that is kept of a pilot; nothing if there is no file."""
        return self._read(self.path(pilot), pilot)

    def pilots(self) -> list[str]:
        """Names of the pilots of whom something is kept, as they wrote themselves."""
        names: dict[str, None] = {}
        for path in sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []:
            kept = self._read(path, path.stem)
            names[kept.results[-1].pilot if kept.results else path.stem] = None
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
            with contextlib.suppress(ValueError, CommandError, RecursionError):
                results.append(Result.of(json.loads(line)))
        return PilotRecord(pilot, tuple(results), sum(1 for line in lines if line.strip()) - len(results))


# ---- history ---------------------------------------------------------------------------------------------------------


MOST_COMPARED = 500  # of the latest attempts, for the trend


@dataclass(frozen=True)
class PilotProgress:
    """The attempts of one pilot at one task under the same conditions with the same vehicle.

    score   median, best and latest; trend in points per attempt, None for a single one
    time_s  least of the attempts that were completed, None if there is none
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
        """As JSON can hold it."""
        return asdict(self) | {"scores": list(self.scores)}


def trend(scores: Sequence[float]) -> float | None:
    """Median slope between all pairs, points per attempt; None for fewer than two."""
    latest = list(enumerate(scores))[-MOST_COMPARED:]
    slopes = [(b - a) / (j - i) for (i, a), (j, b) in combinations(latest, 2)]
    return statistics.median(slopes) if slopes else None


def compare(results: Iterable[Result]) -> list[PilotProgress]:
    """Progress by task, conditions and vehicle, in the order in which each was first tried."""
    groups: dict[tuple[str, str, Conditions], list[Result]] = {}
    for one in results:
        groups.setdefault((one.task, one.vehicle, one.conditions), []).append(one)
    return [_progress(*key, group) for key, group in groups.items()]


def alike(results: Iterable[Result], example: Result) -> list[Result]:
    """Those that can be compared with an example: same task, vehicle and conditions."""
    wanted = (example.task, example.vehicle, example.conditions)
    return [one for one in results if (one.task, one.vehicle, one.conditions) == wanted]


def history(results: Iterable[Result], latest: Result) -> dict[str, Any]:
    """What a page shows beside a result: all comparable attempts before and with it, and what they come to."""
    same = alike(results, latest)
    return {
        "attempts": [{"date": one.date, "score": one.score, "completed": one.completed, "time_s": one.time_s,
                      "collisions": one.collisions} for one in same],
        "progress": compare(same)[0].described() if same else None,
    }  # fmt: skip


def _progress(task: str, vehicle: str, conditions: Conditions, group: list[Result]) -> PilotProgress:
    scores = tuple(one.score for one in group)
    times = [one.time_s for one in group if one.completed]
    return PilotProgress(
        task, vehicle, conditions, len(group), len(times), statistics.median(scores), max(scores), scores[-1],
        trend(scores), min(times, default=None), scores,
    )  # fmt: skip
