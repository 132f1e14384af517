"""From a folder of results to what a report is made of: every planned run in order, with gaps where one is missing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.campaign.read import FILE
from pelagos.campaign.report_numbers import Material
from pelagos.campaign.results import Results, load_results
from pelagos.campaign.spec import DESIGNS, SEED, Metric, Vary
from pelagos.errors import CommandError
from pelagos.sim.progress import clock


def read_material(folder: str | os.PathLike[str]) -> Material:
    """What the folder of a campaign has to say, as far as it has come."""
    results = load_results(folder)
    if not len(results):
        raise CommandError(f"{os.fspath(folder)}: no run of this campaign is finished yet, there is nothing to report")
    return material_of(results)


def material_of(results: Results) -> Material:
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
    # blocks of a design are laid out over all varied keys, so a varied seed is one of them there
    keys = tuple(row.key for row in campaign.vary if row.key != SEED or campaign.method in DESIGNS)
    return Material(
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
