"""Attempts compared: how often, the best, the usual, and whether it gets better.

Attempts are compared with each other if task, conditions and vehicle are the same. The trend is the median of the
slopes between all pairs of attempts (Theil 1950, Sen 1968), in points per attempt: a single bad day does not move it.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from pelagos.training.conditions import Conditions
from pelagos.training.result import Result

MOST_COMPARED = 500  # of the latest attempts, for the trend


@dataclass(frozen=True)
class Progress:
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


def compare(results: Iterable[Result]) -> list[Progress]:
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


def _progress(task: str, vehicle: str, conditions: Conditions, group: list[Result]) -> Progress:
    scores = tuple(one.score for one in group)
    times = [one.time_s for one in group if one.completed]
    return Progress(
        task, vehicle, conditions, len(group), len(times), statistics.median(scores), max(scores), scores[-1],
        trend(scores), min(times, default=None), scores,
    )  # fmt: skip
