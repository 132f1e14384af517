"""A campaign as a frozen description: scenario, varied keys, number of runs and metrics.

The fields are the keys of a campaign file; `read` loads one, `runner` runs it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pelagos.campaign.expressions import TAKES, WITH_THAN, Expression
from pelagos.checks import SCENARIO, is_number, number, whole
from pelagos.errors import one_of

Method = Literal["grid", "random", "lhs", "sobol", "morris", "saltelli"]
DESIGNS = ("morris", "saltelli")  # for sensitivity analysis: their runs form blocks
MOST_RUNS = 10**7  # of one campaign: the plan is kept in memory
LEAST_SHARE = 1e-9  # of a truncated normal distribution; with less left, rounding would determine the values
CONFIDENCE = 0.95
SEED = "seed"  # the key that every run has, varied or not
COLUMNS = ("run", SEED, "status", "message", "engine", "wall_s", "simulated_s", "made_with")  # of every result


def _one_spelling(key: str) -> str:
    """Return the same spelling for mission[0].depth_m and mission.0.depth_m."""
    return key.replace("[", ".").replace("]", "")


@dataclass(frozen=True, kw_only=True)
class Vary:
    """A key of the scenario that varies between runs: a range, a normal distribution or a list of values."""

    key: str  # as in `pelagos run --set`: world.current_m_s, mission.0.depth_m, vehicle.scale.Y_uv, seed
    low: float | None = None  # of a range; with mean and sigma the lower end of a truncated normal distribution
    high: float | None = None
    log: bool = False  # uniform in the logarithm
    mean: float | None = None
    sigma: float | None = None
    values: tuple[int | float | bool | str, ...] = ()  # one of these, equally probable
    points: int | None = None  # of a grid
    whole: bool = False  # integers only, both ends included

    def __post_init__(self) -> None:
        """Check that there is one way of varying, with valid numbers."""
        for name in ("low", "high", "mean", "sigma"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), context=SCENARIO)
        low, high = self.low, self.high
        ranged, normal = None not in (low, high), None not in (self.mean, self.sigma)
        if self.values:
            self._check_values()
        elif not (ranged or normal):
            SCENARIO.fail("key", value=self.key, expected="low and high, or mean and sigma, or values beside it")
        if low is not None and high is not None:
            if not low < high:
                SCENARIO.fail("high", value=high, expected=f"more than low, which is {low:g}")
            if not math.isfinite(high - low):
                SCENARIO.fail("high", f"is too far from low, which is {low:g}", value=high)
        if (self.low is None) != (self.high is None) and not normal:
            SCENARIO.fail("high" if self.high is None else "low", "is missing")
        if (self.mean is None) != (self.sigma is None):
            SCENARIO.fail("sigma" if self.sigma is None else "mean", "is missing")
        if self.sigma is not None:
            number("sigma", self.sigma, 0.0, above=True, context=SCENARIO)
        if normal and self._share_inside() < LEAST_SHARE:
            SCENARIO.fail("mean", "hardly anything of the distribution lies between low and high", value=self.mean)
        if self.log and (not ranged or normal or low is None or low <= 0.0):
            SCENARIO.fail("log", value=True, expected="low and high above 0 beside it, and no mean")
        if self.points is not None:
            whole("points", self.points, 1, MOST_RUNS, context=SCENARIO)
        ends = (self.low or 0.0, self.high or 0.0)
        are_whole = all(float(end).is_integer() and abs(end) <= 2**53 for end in ends)
        if self.is_whole and not self.values and (normal or self.log or not are_whole):
            SCENARIO.fail(
                "low", value=self.low, expected="whole numbers low and high, without log, for a key of whole numbers"
            )
        if self.key == SEED and self.low is not None and self.low < 0:
            SCENARIO.fail("low", value=self.low, expected="0 or above for a seed")

    def _share_inside(self) -> float:
        """Return the share of the normal distribution between low and high."""
        assert self.mean is not None and self.sigma is not None
        scale = math.sqrt(2.0) * self.sigma
        below = 0.0 if self.low is None else 0.5 * math.erfc((self.mean - self.low) / scale)
        above = 0.0 if self.high is None else 0.5 * math.erfc((self.high - self.mean) / scale)
        return 1.0 - below - above

    def _check_values(self) -> None:
        others = [name for name in ("low", "high", "mean", "sigma", "points") if getattr(self, name) is not None]
        if others or self.log:
            SCENARIO.fail([*others, "log"][0], "not beside values")
        if self.is_whole and not all(type(value) is int for value in self.values):
            SCENARIO.fail("values", value=self.values, expected="whole numbers")
        if self.key == SEED and any(isinstance(value, int) and value < 0 for value in self.values):
            SCENARIO.fail("values", value=self.values, expected="0 or above for a seed")
        if any(isinstance(value, int) and abs(value) >= 2**63 for value in self.values):
            SCENARIO.fail("values", value=self.values, expected="numbers of at most 63 bits")
        kinds = {"number" if is_number(value) else type(value).__name__ for value in self.values}
        if len(kinds) > 1:
            SCENARIO.fail("values", value=self.values, expected="values of one kind: numbers, texts or true and false")
        if any(isinstance(value, float) and not math.isfinite(value) for value in self.values):
            SCENARIO.fail("values", value=self.values, expected="numbers that are finite")

    @property
    def is_whole(self) -> bool:
        """Whether the values are integers; seeds are."""
        return self.whole or self.key == SEED

    @property
    def bounded(self) -> bool:
        """Whether the key has ends, which a Morris design needs."""
        return bool(self.values) or None not in (self.low, self.high)


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A number computed from each run: an expression over the columns of its log, and its reduction."""

    name: str
    column: str  # of the log, or an expression such as abs(depth_m - 10)
    take: str = "final"  # see expressions.TAKES; p95 is a percentile
    from_s: float = 0.0
    to_s: float | None = None  # None: the end of the run
    than: float | None = None  # of time_above, time_below, first_above, first_below
    vehicle: str = ""  # by name, if there are several

    def __post_init__(self) -> None:
        """Check expression, reduction and time span."""
        if not self.name or self.name in COLUMNS:
            SCENARIO.fail("name", value=self.name, expected=f"a name of its own, none of {', '.join(COLUMNS)}")
        Expression(self.column, "column")
        if self.take not in TAKES and not _is_percentile(self.take):
            names = [*TAKES, "p95"]
            SCENARIO.fail("take", value=self.take, names=names)
        if (self.take in WITH_THAN) != (self.than is not None):
            if self.than is None:
                SCENARIO.fail("than", "is missing, which it compares with")
            SCENARIO.fail("than", f'is not read by take = "{self.take}"', value=self.than)
        if self.to_s is not None and not self.to_s > self.from_s:
            SCENARIO.fail("to_s", value=self.to_s, expected=f"more than from_s, which is {self.from_s:g}")


def _is_percentile(take: str) -> bool:
    return take[:1] == "p" and take[1:].isdecimal() and 0 <= int(take[1:]) <= 100


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Stop early when the interval of one metric is narrow; judged on runs 0 to k, not on those finished first."""

    metric: str
    half_width: float  # of the interval of the mean, or of the probability if all values are 0 or 1
    confidence: float = CONFIDENCE
    check_every: int = 64  # runs

    def __post_init__(self) -> None:
        """Check the ranges of the numbers."""
        number("half_width", self.half_width, 0.0, above=True, infinite=True, context=SCENARIO)
        number("confidence", self.confidence, 0.0, 1.0, above=True, below=True, context=SCENARIO)
        whole("check_every", self.check_every, 2, context=SCENARIO)


@dataclass(frozen=True, kw_only=True)
class Keep:
    """Optional output besides the metrics."""

    logs: bool = False  # the whole log of each run, as logs/run-NUMBER.parquet


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """A campaign; `load_campaign` reads one and `run_campaign` runs it."""

    name: str
    summary: str = ""
    scenario: str = ""  # a library scenario or a file; empty: the campaign file contains the scenario
    runs: int | None = None  # at most so many for a design; None for a grid, whose points give the number
    seed: int = 1
    method: Method = "random"
    second_order: bool = False  # saltelli: add the runs for second-order indices
    engine: Literal["auto", "batch", "single"] = "auto"
    set: Mapping[str, Any] = field(default_factory=dict[str, Any])
    vary: tuple[Vary, ...] = ()
    metric: tuple[Metric, ...] = ()
    stop: Stop | None = None
    output: Keep = Keep()
    file: str = field(default="campaign", compare=False)  # for messages
    tables: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)  # of the scenario, without `set`
    scenario_path: str = field(default="", compare=False)
    folder: str = field(default=".", compare=False)  # of the files that the scenario names

    def __post_init__(self) -> None:
        """Check that the keys fit together."""
        if not self.name or Path(self.name).name != self.name:
            SCENARIO.fail("name", value=self.name, expected="a name that can be that of a folder")
        whole("seed", self.seed, 0, context=SCENARIO)
        fixed = self.set.get(SEED, 0)
        if type(fixed) is not int or not 0 <= fixed < 2**63:
            SCENARIO.fail("set", value={SEED: fixed}, expected="a whole number, 0 or above, for the seed")
        self._check_runs()
        keys, fixed_keys = [item.key for item in self.vary], [_one_spelling(key) for key in self.set]
        for n, key in enumerate(keys):
            if _one_spelling(key) in map(_one_spelling, keys[:n]):
                SCENARIO.fail(f"vary[{n}].key", "is varied already", value=key)
            if _one_spelling(key) in fixed_keys:
                SCENARIO.fail(
                    f"vary[{n}].key", "is set to one value", value=key, expected="it either in [set] or in [[vary]]"
                )
        if not self.metric:
            SCENARIO.fail("metric", "is missing", expected="[[metric]] tables that say what is kept of each run")
        names = [metric.name for metric in self.metric]
        for n, name in enumerate(names):
            if name in (*names[:n], *keys):
                SCENARIO.fail(f"metric[{n}]", "this name stands for something else already", value=name)
        self._check_stop(names)

    def _check_runs(self) -> None:
        if self.method == "grid":
            for n, item in enumerate(self.vary):
                if not item.values and item.points is None:
                    SCENARIO.fail(f"vary[{n}].points", "is missing: how many points of the grid")
            number = math.prod(len(item.values) or item.points or 1 for item in self.vary)
            if self.runs is not None:
                SCENARIO.fail("runs", f"a grid has its own number of runs, {number}; leave it out", value=self.runs)
            if number > MOST_RUNS:
                SCENARIO.fail("method", f"it would be {number} runs", value="grid", expected=f"at most {MOST_RUNS}")
            return
        if self.runs is None:
            SCENARIO.fail("runs", "is missing", expected=f'how many runs of method "{self.method}"')
        whole("runs", self.runs, 1, MOST_RUNS, context=SCENARIO)
        if not self.vary and self.method != "random":
            SCENARIO.fail(
                "method",
                "nothing is varied",
                value=self.method,
                expected='[[vary]] tables, or "random": the seed alone',
            )
        for n, item in enumerate(self.vary):
            if self.method == "morris" and not item.bounded:
                SCENARIO.fail(f"vary[{n}].low", "is missing: a Morris design goes from end to end")

    def _check_stop(self, names: list[str]) -> None:
        if self.stop is None:
            return
        if self.stop.metric not in names:
            SCENARIO.fail(
                "stop",
                "no metric of this name",
                value=self.stop.metric,
                expected=one_of(names),
                names=names,
            )
        if self.method == "grid" or self.method in DESIGNS:
            SCENARIO.fail("stop", f'not with method = "{self.method}": its first runs are not a sample of all runs')

    @property
    def keys(self) -> tuple[str, ...]:
        """Varied keys with a column in the plan: all but the seed."""
        return tuple(item.key for item in self.vary if item.key != SEED)

    @property
    def confidence(self) -> float:
        """Default confidence level of all intervals."""
        return self.stop.confidence if self.stop else CONFIDENCE

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(metric.name for metric in self.metric)
