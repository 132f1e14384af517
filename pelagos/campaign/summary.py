"""The summary of a campaign: what was run, what came out, why it ended; a few lines for people, JSON for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

import pelagos
from pelagos.campaign.statistics import NOT_DRAWN, Array, StopRule, drawn, interval
from pelagos.campaign.store import CampaignFolder, read_runs

if TYPE_CHECKING:
    from pelagos.campaign.results import Results

MOST_MESSAGES = 20


def summary_of(folder: CampaignFolder, ended: str, stopping: StopRule, wall_s: float) -> dict[str, Any]:
    """What stands on disk, summed up; of a campaign that stopped early the runs it stopped with."""
    campaign = folder.campaign
    table = read_runs(folder.path, campaign)
    computed = len(table["run"])
    upto = len(folder.plan) if stopping.at is None else stopping.at
    table = {name: column[: int(np.searchsorted(table["run"], upto))] for name, column in table.items()}
    done = table["status"] == "done"
    confidence, why = campaign.confidence, NOT_DRAWN.get(campaign.method, "")
    counts = done & drawn(campaign, folder.plan.table)[table["run"].astype(np.int64)]
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
    found = interval(values, confidence, why)
    numbers = {
        "mean": found.mean,
        "low": found.low,
        "high": found.high,
        "std": float(known.std(ddof=1)) if len(known) > 1 else math.nan,
        "min": float(known.min()) if len(known) else math.nan,
        "max": float(known.max()) if len(known) else math.nan,
    }
    plain = {key: value if math.isfinite(value) else None for key, value in numbers.items()}
    return {"runs": found.n, "probability": found.is_share, **plain, "no_interval": found.why}


def told(results: Results) -> str:
    """The summary as people read it."""
    said: Mapping[str, Any] = results.summary
    engines = " and ".join(f"{count} {_ENGINE[name]}" for name, count in said["engines"].items())
    lines = [f"{said['name']}: {said['finished']} of {said['planned']} runs, {said['ended']}"]
    lines[0] += f" ({said['why']})" if said["why"] else ""
    if engines:
        lines.append(f"  {engines}; {said['simulated_s'] / 3600.0:.3g} h simulated")
    versions = said.get("made_with", {})
    if len(versions) > 1:
        lines += [
            "  not all flown with the same:",
            *(f"    {count} runs with {name}" for name, count in versions.items()),
        ]
    width = max(len(name) for name in said["metrics"])
    between = f"{said['confidence']:.0%} interval"
    lines += ["", f"  {'metric':<{width}}  {'mean':>10}  {between:>24}  {'least':>10}  {'most':>10}"]
    for name, found in said["metrics"].items():
        low, high = _number(found["low"]), _number(found["high"])
        between = f"{low} to {high}" if found["low"] is not None else "-"
        ends = f"{_number(found['min']):>10}  {_number(found['max']):>10}"
        lines.append(f"  {name:<{width}}  {_number(found['mean']):>10}  {between:>24}  {ends}")
    reasons = dict.fromkeys(found["no_interval"] for found in said["metrics"].values() if found.get("no_interval"))
    lines += [f"  no interval: {reason}" for reason in reasons]
    if said["failed"]:
        lines += ["", f"  {said['failed']} failed:"]
        lines += [f"    {one['runs']} x {one['message']}" for one in said["failures"][:3]]
        more = len(said["failures"]) - 3
        lines += [f"    and {more} other reasons, in the column message"] if more > 0 else []
    return "\n".join(lines)


_ENGINE = {"batch": "by the batch engine", "single": "one by one"}


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
