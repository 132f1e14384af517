"""The numbers of a campaign's report: of each metric its distribution with intervals, and what it depends on.

A metric that is 0 or 1 in every run is a probability; any other has quantiles and a mean. Their intervals, and which
runs they are made of, follow the rule of `campaign.statistics`.

Failed runs are a metric of their own, `failed`. A limit makes one more: the share of runs beyond it.

From a folder of results to what a report is made of: every planned run in order, with gaps where one is missing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.read import FILE
from pelagos.campaign.results import Results, load_results
from pelagos.campaign.sensitivity import Sensitivity, base_rows, sensitivity
from pelagos.campaign.spec import CONFIDENCE, Metric, Vary
from pelagos.campaign.statistics import NOT_DRAWN, as_numbers, explaining_keys, interval
from pelagos.errors import CommandError
from pelagos.session.progress import clock

Array = NDArray[np.float64]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FAILED = "failed"


@dataclass(frozen=True)
class ReportData:
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
        confidence: of its intervals.
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
    confidence: float = CONFIDENCE

    def numbers(self, key: str) -> Array:
        """A key as numbers; choices that are words are counted off in the order of the alphabet."""
        return as_numbers(self.plan[key])

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
class MetricReport:
    """All there is to say of one metric."""

    metric: str
    values: Array  # over all planned runs
    drawn: NDArray[np.bool_]  # the runs that the distribution is made of
    distribution: Distribution
    sensitivity: Sensitivity


def answers(
    material: ReportData,
    *,
    limits: Sequence[str] = (),
    confidence: float = 0.95,
    resamples: int = 200,
    seed: int = 1,
) -> list[MetricReport]:
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
        MetricReport(
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


def beyond(words: str, material: ReportData) -> Array:
    """A limit as a metric: 1 for a run beyond it, 0 for others, NaN where it has no value."""
    for sign in ("<", ">"):
        name, found, number = (part.strip() for part in words.partition(sign))
        if not found:
            continue
        if name not in material.metrics:
            raise CommandError(
                f"limit {words!r}: no metric {name!r}",
                expected=f"one of {', '.join(material.metrics)}",
                names=material.metrics,
                misspelt=name,
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
    found = interval(known, confidence, why)
    if not found.n:
        return Distribution(0, math.nan, math.nan, math.nan, False, {}, math.nan, math.nan, found.why)
    cut = np.quantile(known, QUANTILES)
    quantiles = {} if found.is_share else {share: float(at) for share, at in zip(QUANTILES, cut, strict=True)}
    least, most = float(known.min()), float(known.max())
    return Distribution(found.n, found.mean, found.low, found.high, found.is_share, quantiles, least, most, found.why)


# ---- report material -------------------------------------------------------------------------------------------------


def read_material(folder: str | os.PathLike[str]) -> ReportData:
    """What the folder of a campaign has to say, as far as it has come."""
    results = load_results(folder)
    if not len(results):
        raise CommandError(
            "no run of this campaign is finished yet, there is nothing to report", file=os.fspath(folder)
        )
    return material_of(results)


def material_of(results: Results) -> ReportData:
    """The same of results in hand."""
    campaign, table = results.campaign, results.table
    stopped = results.summary.get("stopped_at")  # runs beyond were never wanted
    planned = int(stopped) if stopped is not None else len(results.plan["run"])
    at = table["run"].astype(np.int64)
    finished, failed = np.zeros(planned, bool), np.zeros(planned, bool)
    finished[at] = True
    failed[at] = ~results.done
    values: dict[str, Any] = {}
    for metric in results.metrics:
        values[metric] = np.full(planned, np.nan)
        values[metric][at] = np.where(results.done, table[metric], np.nan)
    keys = explaining_keys(campaign)
    return ReportData(
        name=campaign.name,
        design=campaign.method,
        keys=keys,
        metrics=results.metrics,
        plan={key: results.plan[key][:planned] for key in keys},
        values=values,
        failed=failed,
        finished=finished,
        messages={int(run): str(table["message"][k]) for k, run in enumerate(at) if failed[run]},
        facts=_facts(results),
        summary=campaign.summary,
        varied={row.key: vary_words(row) for row in campaign.vary},
        asked={metric.name: metric_words(metric) for metric in campaign.metric},
        logarithmic=tuple(row.key for row in campaign.vary if row.log),
        text=(Path(results.folder) / FILE).read_text(encoding="utf-8"),
        confidence=campaign.confidence,
    )


def _facts(results: Results) -> tuple[str, ...]:
    campaign, table = results.campaign, results.table
    said = [f"scenario {campaign.scenario}" if campaign.scenario else "a scenario of its own"]
    said += [f"{len(results)} runs, {results.failed} failed", f"design {campaign.method}", f"seed {campaign.seed}"]
    said += [f"{clock(float(table['simulated_s'].sum()))} simulated"]
    if results.summary.get("stopped_at") is not None:
        said.append("stopped early, as asked")
    return tuple(said)


def vary_words(row: Vary) -> str:
    """How a key is drawn: "0 to 0.5", "normal, mean 1, sigma 0.1, from 0.7 to 1.3", "one of a, b"."""
    ranged = f"{row.low:g} to {row.high:g}" if row.low is not None and row.high is not None else ""
    if row.values:
        words = f"one of {', '.join(str(value) for value in row.values)}"
    elif row.mean is not None and row.sigma is not None:
        words = f"normal, mean {row.mean:g}, sigma {row.sigma:g}" + (f", from {ranged}" if ranged else "")
    else:
        words = ranged + (", even in the logarithm" if row.log else "") + (", whole numbers" if row.is_whole else "")
    return words + (f", {row.points} points" if row.points else "")


def metric_words(metric: Metric) -> str:
    """How a metric is taken: "max of hypot(north_m, east_m), from 60 s on"."""
    words = f"{metric.take} of {metric.column}" + (f", than {metric.than:g}" if metric.than is not None else "")
    if metric.to_s is not None:
        return f"{words}, from {metric.from_s:g} to {metric.to_s:g} s"
    return words + (f", from {metric.from_s:g} s on" if metric.from_s else "")
