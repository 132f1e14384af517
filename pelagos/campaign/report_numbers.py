"""The numbers of a campaign's report: of each metric its distribution with intervals, and what it depends on.

A metric that is 0 or 1 in every run is a probability; any other has quantiles and a mean. Their intervals
(`intervals`) take runs for independent draws: points of a grid and trajectories of Morris are none and get no interval.
Of a Saltelli design only the rows A and B count here, the others repeat their keys.

Failed runs are a metric of their own, `failed`. A limit makes one more: the share of runs beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.intervals import interval
from pelagos.campaign.sensitivity import Sensitivity, base_rows, sensitivity
from pelagos.errors import CommandError, nearest

Array = NDArray[np.float64]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FAILED = "failed"
NOT_DRAWN = {"grid": "points of a grid are chosen, not drawn", "morris": "trajectories are chosen, not drawn"}


@dataclass(frozen=True)
class Material:
    """What a report is made of, whoever kept it.

    Attributes:
        name: of the campaign.
        design: its method: "sobol", "saltelli", "grid", ...
        keys: the varied keys that may explain something; a seed draws noise and is none.
        metrics: their names.
        plan: values of a key over all planned runs, in order of `run`; numbers, or texts for choices.
        values: values of a metric over all planned runs; NaN where a run failed or is missing.
        failed: whether a run failed.
        finished: whether a run is over, failed ones included.
        messages: why runs failed, by run.
        facts: the line below the heading.
        summary: of the campaign, one sentence.
        varied: how each key is drawn, in words.
        asked: how each metric is taken, in words.
        logarithmic: keys that are spread evenly in their logarithm.
        text: the campaign's file, as run.
    """

    name: str
    design: str
    keys: tuple[str, ...]
    metrics: tuple[str, ...]
    plan: Mapping[str, NDArray[np.generic]]
    values: Mapping[str, Array]
    failed: NDArray[np.bool_]
    finished: NDArray[np.bool_]
    messages: Mapping[int, str] = field(default_factory=dict[int, str])
    facts: tuple[str, ...] = ()
    summary: str = ""
    varied: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: Mapping[str, str] = field(default_factory=dict[str, str])
    logarithmic: tuple[str, ...] = ()
    text: str = ""

    def numbers(self, key: str) -> Array:
        """A key as numbers; choices that are words are counted off in the order of the alphabet."""
        column = self.plan[key]
        if column.dtype.kind in "fiub":
            return column.astype(np.float64)
        return np.unique(column.astype(str), return_inverse=True)[1].astype(np.float64)

    def words(self, key: str) -> list[str]:
        """The choices of a key that is words; empty for numbers."""
        column = self.plan[key]
        return [] if column.dtype.kind in "fiub" else [str(word) for word in np.unique(column.astype(str))]


@dataclass(frozen=True)
class Distribution:
    """How a metric is distributed over the runs.

    Attributes:
        runs: with a value.
        mean: of them; of a 0/1 metric its probability.
        low: lower end of the interval of the mean; NaN where there is none.
        high: upper end.
        is_share: whether it is 0 or 1 in every run.
        quantiles: by probability; empty for a 0/1 metric.
        least: smallest value.
        most: largest value.
        why: why there is no interval, in words.
    """

    runs: int
    mean: float
    low: float
    high: float
    is_share: bool
    quantiles: dict[float, float]
    least: float
    most: float
    why: str = ""


@dataclass(frozen=True)
class Answer:
    """All there is to say of one metric."""

    metric: str
    values: Array  # over all planned runs
    drawn: NDArray[np.bool_]  # the runs that the distribution is made of
    distribution: Distribution
    sensitivity: Sensitivity


def answers(
    material: Material,
    *,
    limits: Sequence[str] = (),
    confidence: float = 0.95,
    resamples: int = 200,
    seed: int = 1,
) -> list[Answer]:
    """The answers of a campaign, in the order of its metrics, then limits, then failed runs if there are any.

    Args:
        material: what the runs gave.
        limits: such as "cross_track_rms_m > 5": one more metric each, 1 for a run beyond the limit.
        confidence: of all intervals.
        resamples: of bootstraps.
        seed: of bootstraps.
    """
    asked = {name: material.values[name] for name in material.metrics}
    asked |= {words: beyond(words, material) for words in limits}
    if material.failed.any():
        asked[FAILED] = np.where(material.finished, material.failed.astype(np.float64), np.nan)
    x = np.column_stack([material.numbers(key) for key in material.keys] or [np.empty((len(material.failed), 0))])
    drawn = base_rows(material.design, x)
    why = NOT_DRAWN.get(material.design, "")
    return [
        Answer(
            name,
            values,
            drawn,
            distribution(values[drawn], confidence, why),
            sensitivity(
                material.design, material.keys, x, values, seed=seed, resamples=resamples, confidence=confidence
            ),
        )
        for name, values in asked.items()
    ]


def beyond(words: str, material: Material) -> Array:
    """A limit as a metric: 1 for a run beyond it, 0 for others, NaN where it has no value."""
    for sign in ("<", ">"):
        name, found, number = (part.strip() for part in words.partition(sign))
        if not found:
            continue
        if name not in material.metrics:
            near = nearest(name, list(material.metrics))
            raise CommandError(
                f"limit {words!r}: no metric {name!r}; expected one of {', '.join(material.metrics)}"
                + (f'; did you mean "{near}"?' if near else "")
            )
        try:
            limit = float(number)
        except ValueError:
            break
        values = material.values[name]
        past = values > limit if sign == ">" else values < limit
        return np.where(np.isfinite(values), past.astype(np.float64), np.nan)
    raise CommandError(f'limit {words!r}: expected a metric, < or >, and a number, as in "{material.metrics[0]} > 5"')


def distribution(values: Array, confidence: float = 0.95, why: str = "") -> Distribution:
    """The distribution of a metric; `why` there is no interval, if there is none."""
    known = values[np.isfinite(values)]
    found = interval(known, confidence)
    if not found.n:
        return Distribution(0, math.nan, math.nan, math.nan, False, {}, math.nan, math.nan, "no run has a value")
    why = why or ("" if math.isfinite(found.low) else "one run has no spread")
    low, high = (math.nan, math.nan) if why else (found.low, found.high)
    cut = np.quantile(known, QUANTILES)
    quantiles = {} if found.is_share else {share: float(at) for share, at in zip(QUANTILES, cut, strict=True)}
    return Distribution(
        found.n, found.mean, low, high, found.is_share, quantiles, float(known.min()), float(known.max()), why
    )
