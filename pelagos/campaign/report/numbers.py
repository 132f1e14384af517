"""The numbers of a campaign report: for each metric its distribution with intervals, and its sensitivity to the keys.

A metric that is 0 or 1 in every run is a probability; any other has a mean and quantiles. `campaign.statistics` defines
the intervals and which runs count. `failed` is a metric of its own: 1 for a failed run. A limit adds a metric that is 1
for runs beyond it. The data hold every planned run in order, with NaN for missing ones.
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
    """The data of a report.

    Attributes:
        name: of the campaign.
        design: its method: "sobol", "saltelli", "grid", ...
        keys: the varied keys that can explain a metric; not the seed.
        metrics: their names.
        plan: values of each key over all planned runs, in order of `run`: numbers or texts.
        values: values of each metric over all planned runs; NaN where a run failed or is missing.
        failed: mask of failed runs.
        finished: mask of finished runs, failed ones included.
        messages: reasons of failures, by run.
        facts: the line below the heading.
        summary: of the campaign, one sentence.
        varied: description of the distribution of each key.
        measured: description of each metric.
        logarithmic: keys that are uniform in their logarithm.
        text: the campaign file as run.
        confidence: default level of the intervals.
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
    measured: Mapping[str, str] = field(default_factory=dict[str, str])
    logarithmic: tuple[str, ...] = ()
    text: str = ""
    confidence: float = CONFIDENCE

    def numbers(self, key: str) -> Array:
        """Return a key as numbers; texts are numbered alphabetically."""
        return as_numbers(self.plan[key])

    def words(self, key: str) -> list[str]:
        """Return the choices of a key with texts; empty for numbers."""
        column = self.plan[key]
        return [] if column.dtype.kind in "fiub" else [str(word) for word in np.unique(column.astype(str))]


@dataclass(frozen=True)
class Distribution:
    """The distribution of a metric over the runs.

    Attributes:
        runs: number of runs with a value.
        mean: their mean; the probability of a 0/1 metric.
        low: lower end of the interval of the mean; NaN if there is none.
        high: upper end.
        is_share: whether it is 0 or 1 in every run.
        quantiles: by probability; empty for a 0/1 metric.
        least: smallest value.
        most: largest value.
        why: reason if there is no interval.
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
    """Distribution and sensitivity of one metric."""

    metric: str
    values: Array  # over all planned runs
    drawn: NDArray[np.bool_]  # mask of the runs in the distribution
    distribution: Distribution
    sensitivity: Sensitivity


def metric_reports(
    data: ReportData,
    *,
    limits: Sequence[str] = (),
    confidence: float = 0.95,
    resamples: int = 200,
    seed: int = 1,
) -> list[MetricReport]:
    """Return a report for each metric, then for each limit, then for failed runs if there are any.

    Args:
        data: the results of the runs.
        limits: such as "cross_track_rms_m > 5"; each adds a metric that is 1 for a run beyond the limit.
        confidence: level of all intervals.
        resamples: number of bootstrap samples.
        seed: of the bootstrap.
    """
    values_by_name = {name: data.values[name] for name in data.metrics}
    values_by_name |= {words: beyond(words, data) for words in limits}
    if data.failed.any():
        values_by_name[FAILED] = np.where(data.finished, data.failed.astype(np.float64), np.nan)
    x = np.column_stack([data.numbers(key) for key in data.keys] or [np.empty((len(data.failed), 0))])
    drawn = base_rows(data.design, x)
    why = NOT_DRAWN.get(data.design, "")
    return [
        MetricReport(
            name,
            values,
            drawn,
            distribution(values[drawn], confidence, why),
            sensitivity(data.design, data.keys, x, values, seed=seed, resamples=resamples, confidence=confidence),
        )
        for name, values in values_by_name.items()
    ]


def beyond(words: str, data: ReportData) -> Array:
    """Return a limit as a metric: 1 for a run beyond it, 0 for others, NaN without a value."""
    for sign in ("<", ">"):
        name, separator, number = (part.strip() for part in words.partition(sign))
        if not separator:
            continue
        if name not in data.metrics:
            raise CommandError(key=f"metric of the limit {words!r}", value=name, names=data.metrics)
        try:
            limit = float(number)
        except ValueError:
            break
        values = data.values[name]
        past = values > limit if sign == ">" else values < limit
        return np.where(np.isfinite(values), past.astype(np.float64), np.nan)
    expected = f'a metric, < or >, and a number, as in "{data.metrics[0]} > 5"'
    raise CommandError(key="limit", value=words, expected=expected)


def distribution(values: Array, confidence: float = 0.95, why: str = "") -> Distribution:
    """Return the distribution of a metric; `why` is the reason if there is no interval."""
    known = values[np.isfinite(values)]
    mean_interval = interval(known, confidence, why)
    if not mean_interval.n:
        return Distribution(0, math.nan, math.nan, math.nan, False, {}, math.nan, math.nan, mean_interval.why)
    cut = np.quantile(known, QUANTILES)
    quantiles = {} if mean_interval.is_share else {share: float(at) for share, at in zip(QUANTILES, cut, strict=True)}
    least, most = float(known.min()), float(known.max())
    return Distribution(
        mean_interval.n,
        mean_interval.mean,
        mean_interval.low,
        mean_interval.high,
        mean_interval.is_share,
        quantiles,
        least,
        most,
        mean_interval.why,
    )


def read_report_data(folder: str | os.PathLike[str]) -> ReportData:
    """Load the data of a report from the folder of a campaign, as far as it has run."""
    results = load_results(folder)
    if not len(results):
        raise CommandError(
            "no run of this campaign is finished yet, there is nothing to report", file=os.fspath(folder)
        )
    return report_data(results)


def report_data(results: Results) -> ReportData:
    """Return the data of a report from loaded results."""
    campaign, table = results.campaign, results.table
    stopped = results.summary.get("stopped_at")  # runs beyond the early stop do not count
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
        measured={metric.name: metric_words(metric) for metric in campaign.metric},
        logarithmic=tuple(row.key for row in campaign.vary if row.log),
        text=(Path(results.folder) / FILE).read_text(encoding="utf-8"),
        confidence=campaign.confidence,
    )


def _facts(results: Results) -> tuple[str, ...]:
    campaign, table = results.campaign, results.table
    facts = [f"scenario {campaign.scenario}" if campaign.scenario else "a scenario of its own"]
    facts += [f"{len(results)} runs, {results.failed} failed", f"design {campaign.method}", f"seed {campaign.seed}"]
    facts += [f"{clock(float(table['simulated_s'].sum()))} simulated"]
    if results.summary.get("stopped_at") is not None:
        facts.append("stopped early, as asked")
    return tuple(facts)


def vary_words(row: Vary) -> str:
    """Describe how a key is sampled: "0 to 0.5", "normal, mean 1, sigma 0.1, from 0.7 to 1.3", "one of a, b"."""
    ranged = f"{row.low:g} to {row.high:g}" if row.low is not None and row.high is not None else ""
    if row.values:
        words = f"one of {', '.join(str(value) for value in row.values)}"
    elif row.mean is not None and row.sigma is not None:
        words = f"normal, mean {row.mean:g}, sigma {row.sigma:g}" + (f", from {ranged}" if ranged else "")
    else:
        words = ranged + (", even in the logarithm" if row.log else "") + (", whole numbers" if row.is_whole else "")
    return words + (f", {row.points} points" if row.points else "")


def metric_words(metric: Metric) -> str:
    """Describe how a metric is computed: "max of hypot(north_m, east_m), from 60 s on"."""
    words = f"{metric.take} of {metric.column}" + (f", than {metric.than:g}" if metric.than is not None else "")
    if metric.to_s is not None:
        return f"{words}, from {metric.from_s:g} to {metric.to_s:g} s"
    return words + (f", from {metric.from_s:g} s on" if metric.from_s else "")
