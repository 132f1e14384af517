"""The summary of a campaign: counts, intervals and the reason of its end, as JSON and as text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import pelagos
from pelagos.campaign.statistics import NOT_DRAWN, Array, StopRule, independent_runs, interval
from pelagos.campaign.store import CampaignFolder, read_runs

if TYPE_CHECKING:
    from pelagos.campaign.results import Results

MOST_MESSAGES = 20
ENGINE_TEXT = {"batch": "by the batch engine", "single": "one by one"}


def summary_of(folder: CampaignFolder, ended: str, stopping: StopRule, wall_s: float) -> dict[str, Any]:
    """Summarise the runs on disk; after an early stop only the runs it stopped with."""
    campaign = folder.campaign
    table = read_runs(folder.path, campaign)
    computed = len(table["run"])
    upto = len(folder.plan) if stopping.at is None else stopping.at
    table = {name: column[: int(np.searchsorted(table["run"], upto))] for name, column in table.items()}
    done = table["status"] == "done"
    confidence, why = campaign.confidence, NOT_DRAWN.get(campaign.method, "")
    counts = done & independent_runs(campaign, folder.plan.table)[table["run"].astype(np.int64)]
    messages = Counter(table["message"][~done].tolist()).most_common(MOST_MESSAGES)
    return {
        "name": campaign.name,
        "ended": ended,
        "why": stopping.why,
        "stopped_at": stopping.at,
        "planned": len(folder.plan),
        "finished": len(done),
        "done": int(done.sum()),
        "failed": int((~done).sum()),
        "computed": computed,
        "engines": dict(Counter(table["engine"].tolist())),
        "made_with": dict(Counter(table["made_with"].tolist())),
        "simulated_s": float(np.sum(table["simulated_s"])),
        "work_s": float(np.sum(table["wall_s"])),
        "wall_s": wall_s,
        "confidence": confidence,
        "metrics": {
            name: _metric(table[name][counts].astype(np.float64), confidence, why) for name in campaign.metrics
        },
        "failures": [{"message": text, "runs": count} for text, count in messages],
        "pelagos": pelagos.__version__,
    }


def _metric(values: Array, confidence: float, why: str) -> dict[str, Any]:
    known = values[np.isfinite(values)]
    mean_interval = interval(values, confidence, why)
    numbers = {
        "mean": mean_interval.mean,
        "low": mean_interval.low,
        "high": mean_interval.high,
        "std": float(known.std(ddof=1)) if len(known) > 1 else math.nan,
        "min": float(known.min()) if len(known) else math.nan,
        "max": float(known.max()) if len(known) else math.nan,
    }
    plain = {key: value if math.isfinite(value) else None for key, value in numbers.items()}
    return {"runs": mean_interval.n, "probability": mean_interval.is_share, **plain, "no_interval": mean_interval.why}


def summary_text(results: Results) -> str:
    """Return the summary as text for a terminal."""
    summary: Mapping[str, Any] = results.summary
    engines = " and ".join(f"{count} {ENGINE_TEXT[name]}" for name, count in summary["engines"].items())
    lines = [f"{summary['name']}: {summary['finished']} of {summary['planned']} runs, {summary['ended']}"]
    lines[0] += f" ({summary['why']})" if summary["why"] else ""
    if engines:
        lines.append(f"  {engines}; {summary['simulated_s'] / 3600.0:.3g} h simulated")
    versions = summary.get("made_with", {})
    if len(versions) > 1:
        lines += [
            "  not all flown with the same:",
            *(f"    {count} runs with {name}" for name, count in versions.items()),
        ]
    width = max(len(name) for name in summary["metrics"])
    between = f"{summary['confidence']:.0%} interval"
    lines += ["", f"  {'metric':<{width}}  {'mean':>10}  {between:>24}  {'least':>10}  {'most':>10}"]
    for name, metric in summary["metrics"].items():
        low, high = _number(metric["low"]), _number(metric["high"])
        between = f"{low} to {high}" if metric["low"] is not None else "-"
        ends = f"{_number(metric['min']):>10}  {_number(metric['max']):>10}"
        lines.append(f"  {name:<{width}}  {_number(metric['mean']):>10}  {between:>24}  {ends}")
    reasons = dict.fromkeys(
        metric["no_interval"] for metric in summary["metrics"].values() if metric.get("no_interval")
    )
    lines += [f"  no interval: {reason}" for reason in reasons]
    if summary["failed"]:
        lines += ["", f"  {summary['failed']} failed:"]
        lines += [f"    {failure['runs']} x {failure['message']}" for failure in summary["failures"][:3]]
        more = len(summary["failures"]) - 3
        lines += [f"    and {more} other reasons, in the column message"] if more > 0 else []
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
