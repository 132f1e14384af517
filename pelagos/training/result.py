"""How an attempt ended: its measures, its score, and all that must be known to compare it with others.

    score = 100 progress (sum_i w_i g_i / sum_i w_i) - c collisions,  not below 0,   g_i = 1 / (1 + (x_i / h_i)^2)

x_i is a measure such as the rms of the path error, h_i the size at which half the marks of that criterion are given,
w_i its weight, c the points that a collision costs. A measure that was never taken gets no marks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pelagos.errors import CommandError
from pelagos.messages import is_number, number
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
    return float(said)  # type: ignore[arg-type]


def _read(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(name): _value(value) for name, value in values.items()}
