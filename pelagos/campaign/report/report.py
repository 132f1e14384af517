"""Write the report of a campaign (`pelagos campaign report FOLDER`) as HTML page, JSON numbers and figures.

    report.html     for any browser, without a network
    report.json     the same numbers, for programs
    figures/*.png   one figure per metric, on request

The report of a running or interrupted campaign covers the finished runs.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.analysis.page import METADATA, settle, styled
from pelagos.campaign.report.figures import draw_sheet
from pelagos.campaign.report.html import campaign_html
from pelagos.campaign.report.numbers import MetricReport, ReportData, metric_reports, read_report_data
from pelagos.checks import number
from pelagos.errors import CommandError

DPI = 100


def draw_report(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    figures: bool = False,
    limits: Sequence[str] = (),
    confidence: float | None = None,
) -> Path:
    """Write the report of a campaign and return the path of the page.

    Args:
        folder: the results of the campaign.
        out: the page to write, *.html, or a folder for it; default: report.html in the results. The numbers go beside
            it, under the same name with .json.
        figures: whether to write the figures as PNG too, to the folder figures/ beside the page.
        limits: such as "cross_track_rms_m > 5"; the report shows the probability to exceed each.
        confidence: level of all intervals; default: that of the campaign.
    """
    if confidence is not None:
        number("confidence", confidence, 0.5, 1.0, below=True)
    data = read_report_data(folder)
    confidence = data.confidence if confidence is None else confidence
    reports = metric_reports(data, limits=limits, confidence=confidence)
    pngs = {report.metric: sheet_png(data, report, confidence) for report in reports}
    page = Path(out) if out is not None else Path(folder)
    page = page if page.suffix.lower() in (".html", ".htm") else page / "report.html"
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(campaign_html(data, reports, pngs, confidence), encoding="utf-8", newline="\n")
        page.with_suffix(".json").write_text(
            json.dumps(report_numbers(data, reports, confidence), indent=1) + "\n", encoding="utf-8", newline="\n"
        )
        if figures:
            beside = page.parent / "figures"
            beside.mkdir(exist_ok=True)
            for metric, png in pngs.items():
                (beside / f"{_file_name(metric)}.png").write_bytes(png)
    except OSError as problem:
        raise CommandError(f"the report cannot be written ({problem.strerror})", file=page) from None
    return page


def report_summary(page: Path) -> str:
    """Return the results of a report as a few lines of text, from the numbers beside its page."""
    numbers = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    width = max(len(name) for name in numbers["metrics"])
    lines: list[str] = []
    for name, metric in numbers["metrics"].items():
        low, high = metric["interval"]
        mean = "no value" if metric["mean"] is None else f"{metric['mean']:.4g}"
        known = "" if low is None else f" ({low:.4g} to {high:.4g})"
        influence = metric["influence"]
        most = influence.get("reason") or f"depends most on {', '.join(influence['order'][:2])}"
        kind = "probability" if metric["kind"] == "probability" else "mean"
        lines.append(f"  {name:<{width}}  {kind} {mean}{known}; {most}")
    return "\n".join(lines)


def sheet_png(data: ReportData, report: MetricReport, confidence: float = 0.95) -> bytes:
    """Return the figure of one metric as PNG; equal numbers give equal bytes."""
    with styled():
        figure = draw_sheet(data, report, confidence)
        settle(figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=DPI, metadata=METADATA[".png"])
        return buffer.getvalue()


def report_numbers(data: ReportData, reports: Sequence[MetricReport], confidence: float) -> dict[str, Any]:
    """Return the numbers of a report as tables for JSON; unknown values are null."""
    return {
        "campaign": data.name,
        "design": data.design,
        "planned": len(data.finished),
        "finished": int(data.finished.sum()),
        "failed": int(data.failed.sum()),
        "confidence": confidence,
        "metrics": {report.metric: _metric_numbers(report) for report in reports},
    }


def _metric_numbers(report: MetricReport) -> dict[str, Any]:
    distribution, sensitivity = report.distribution, report.sensitivity
    influence: dict[str, Any] = {
        "method": sensitivity.method,
        "runs": sensitivity.used,
        "order": list(sensitivity.order),
    }
    if sensitivity.reason:
        influence |= {"reason": sensitivity.reason}
    else:
        influence |= {
            "floor": _finite_or_none(sensitivity.floor),
            "explained_by_ranks": _finite_or_none(sensitivity.explained),
            "of_ranks": sensitivity.of_ranks,
            "indices": {
                name: {
                    key: [_finite_or_none(value) for value in (estimates.value[k], estimates.low[k], estimates.high[k])]
                    for k, key in enumerate(sensitivity.keys)
                }
                for name, estimates in sensitivity.indices.items()
            },
        }
    return {
        "kind": "probability" if distribution.is_share else "number",
        "runs": distribution.runs,
        "mean": _finite_or_none(distribution.mean),
        "interval": [_finite_or_none(distribution.low), _finite_or_none(distribution.high)],
        "no_interval": distribution.why,
        "quantiles": {f"{share:g}": _finite_or_none(value) for share, value in distribution.quantiles.items()},
        "least": _finite_or_none(distribution.least),
        "most": _finite_or_none(distribution.most),
        "influence": influence,
    }


def _finite_or_none(value: float | np.floating[Any]) -> float | None:
    return float(value) if math.isfinite(value) else None


def _file_name(metric: str) -> str:
    words = metric.replace("<", " below ").replace(">", " above ")
    return re.sub(r"[^A-Za-z0-9_.]+", "-", words).strip("-")
