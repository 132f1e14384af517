"""`pelagos campaign report FOLDER`: what a campaign answers, as one HTML page, numbers in JSON, and pictures if asked.

    report.html     for any browser, without a network
    report.json     the same numbers, for programs
    figures/*.png   the sheets, one a metric

A campaign that is still running or was interrupted is reported as far as it came.
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
from pelagos.campaign.report.numbers import MetricReport, ReportData, answers, read_material
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
    """Write the report of a campaign; returns the page.

    Args:
        folder: the results of the campaign.
        out: the page to write, *.html, or a folder for it; report.html in the results if not given. The numbers go
            beside it, under the same name with .json.
        figures: whether the sheets are written as PNG as well, to the folder figures/ beside the page.
        limits: such as "cross_track_rms_m > 5": the probability to be beyond, and where that happens.
        confidence: of every interval; the campaign's if not given.
    """
    if confidence is not None and not 0.5 <= confidence < 1.0:
        raise CommandError(f"confidence {confidence:g}: expected a number from 0.5 to below 1")
    material = read_material(folder)
    confidence = material.confidence if confidence is None else confidence
    found = answers(material, limits=limits, confidence=confidence)
    sheets = {answer.metric: sheet_png(material, answer, confidence) for answer in found}
    page = Path(out) if out is not None else Path(folder)
    page = page if page.suffix.lower() in (".html", ".htm") else page / "report.html"
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(campaign_html(material, found, sheets, confidence), encoding="utf-8", newline="\n")
        page.with_suffix(".json").write_text(
            json.dumps(report_numbers(material, found, confidence), indent=1) + "\n", encoding="utf-8", newline="\n"
        )
        if figures:
            beside = page.parent / "figures"
            beside.mkdir(exist_ok=True)
            for metric, png in sheets.items():
                (beside / f"{_file_name(metric)}.png").write_bytes(png)
    except OSError as problem:
        raise CommandError(f"the report cannot be written ({problem.strerror})", file=page) from None
    return page


def told_report(page: Path) -> str:
    """The answers of a report in a few lines, from the numbers beside its page."""
    numbers = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    width = max(len(name) for name in numbers["metrics"])
    lines: list[str] = []
    for name, told in numbers["metrics"].items():
        low, high = told["interval"]
        mean = "no value" if told["mean"] is None else f"{told['mean']:.4g}"
        known = "" if low is None else f" ({low:.4g} to {high:.4g})"
        influence = told["influence"]
        most = influence.get("reason") or f"depends most on {', '.join(influence['order'][:2])}"
        kind = "probability" if told["kind"] == "probability" else "mean"
        lines.append(f"  {name:<{width}}  {kind} {mean}{known}; {most}")
    return "\n".join(lines)


def sheet_png(material: ReportData, answer: MetricReport, confidence: float = 0.95) -> bytes:
    """The sheet of one metric as a PNG file; the same numbers give the same bytes."""
    with styled():
        figure = draw_sheet(material, answer, confidence)
        settle(figure)
        sheet = io.BytesIO()
        figure.savefig(sheet, format="png", dpi=DPI, metadata=METADATA[".png"])
        return sheet.getvalue()


def report_numbers(material: ReportData, found: Sequence[MetricReport], confidence: float) -> dict[str, Any]:
    """The numbers of a report as tables for JSON; what is not known is null."""
    return {
        "campaign": material.name,
        "design": material.design,
        "planned": len(material.finished),
        "finished": int(material.finished.sum()),
        "failed": int(material.failed.sum()),
        "confidence": confidence,
        "metrics": {answer.metric: _answer(answer) for answer in found},
    }


def _answer(answer: MetricReport) -> dict[str, Any]:
    told, found = answer.distribution, answer.sensitivity
    influence: dict[str, Any] = {"method": found.method, "runs": found.used, "order": list(found.order)}
    if found.reason:
        influence |= {"reason": found.reason}
    else:
        influence |= {
            "floor": _known(found.floor),
            "explained_by_ranks": _known(found.explained),
            "of_ranks": found.of_ranks,
            "indices": {
                name: {
                    key: [_known(value) for value in (one.value[k], one.low[k], one.high[k])]
                    for k, key in enumerate(found.keys)
                }
                for name, one in found.indices.items()
            },
        }
    return {
        "kind": "probability" if told.is_share else "number",
        "runs": told.runs,
        "mean": _known(told.mean),
        "interval": [_known(told.low), _known(told.high)],
        "no_interval": told.why,
        "quantiles": {f"{share:g}": _known(value) for share, value in told.quantiles.items()},
        "least": _known(told.least),
        "most": _known(told.most),
        "influence": influence,
    }


def _known(value: float | np.floating[Any]) -> float | None:
    return float(value) if math.isfinite(value) else None


def _file_name(metric: str) -> str:
    words = metric.replace("<", " below ").replace(">", " above ")
    return re.sub(r"[^A-Za-z0-9_.]+", "-", words).strip("-")
