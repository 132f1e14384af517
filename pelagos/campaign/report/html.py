"""Write the report of a campaign as one HTML page: metrics, figures, indices, failed runs, keys and the file."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from html import escape

from pelagos.analysis.report import SHEET
from pelagos.campaign.report.numbers import MetricReport, ReportData
from pelagos.campaign.sensitivity import Sensitivity

TABLE_STYLE = """
.numbers td, .numbers thead th + th { text-align: right; } .numbers td:first-child { text-align: left; }
.numbers td.words { text-align: left; } .scroll { overflow-x: auto; } td small { color: var(--soft); }
"""
MOST_FAILED = 20  # listed; the table of runs has all
METHOD = {
    "sobol": (
        "Sobol indices of the Saltelli design. S1 is the share of the variance that a key explains alone, ST with all "
        "its interactions; ST far above S1 means that it acts together with others."
    ),
    "morris": (
        "Morris' elementary effects: mu_star is the mean size of the change of the metric per range of the key, mu the "
        "mean with its sign, sigma how much it differs from place to place."
    ),
    "given": (
        "From the runs as they are. PAWN: how far the distribution moves when the key is known, any kind of influence; "
        "below what chance gives in 19 of 20 cases it means nothing. S1: share of the variance the key explains alone. "
        "rank: sign and size of a monotone influence, -1 to 1."
    ),
}


def campaign_html(
    data: ReportData, reports: Sequence[MetricReport], sheets: Mapping[str, bytes], confidence: float
) -> str:
    """Return the page; `sheets` are PNG figures by metric."""
    heading = escape(data.name)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{heading}</title><style>{SHEET}{TABLE_STYLE}</style></head><body><main>",
        f"<header><h1>{heading}</h1>{_facts(data)}</header>",
        _contents(data, reports),
        _metrics_table(reports, confidence),
        *(_metric(report, sheets[report.metric], data, confidence) for report in reports),
        _failed(data),
        _keys(data),
        f'<section id="file"><h2>File</h2><pre>{escape(data.text.strip())}</pre></section>' if data.text else "",
        "</main></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _facts(data: ReportData) -> str:
    done, planned = int(data.finished.sum()), len(data.finished)
    cut = (
        f'<p class="warn">{planned - done} of {planned} planned runs have not been made: what follows rests on the '
        f"{done} that are finished.</p>"
        if done < planned
        else ""
    )
    line = " · ".join(escape(fact) for fact in data.facts)
    summary = f"<p>{escape(data.summary)}</p>" if data.summary else ""
    return f'<p class="facts">{line}</p>{summary}{cut}'


def _anchor(name: str) -> str:
    return "m-" + re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")


def _contents(data: ReportData, reports: Sequence[MetricReport]) -> str:
    sections = [("answers", "answers"), *((_anchor(report.metric), report.metric) for report in reports)]
    sections += [("failed", "failed runs")] if data.failed.any() else []
    sections += [("keys", "keys")] + ([("file", "file")] if data.text else [])
    return "<nav>" + " ".join(f'<a href="#{key}">{escape(text)}</a>' for key, text in sections) + "</nav>"


def _metrics_table(reports: Sequence[MetricReport], confidence: float) -> str:
    head = ("metric", "runs", "mean or probability", f"{100.0 * confidence:g} % interval", "5 %", "median", "95 %")
    rows: list[str] = []
    for report in reports:
        distribution = report.distribution
        cells = [
            str(distribution.runs),
            number(distribution.mean) + (" <small>probability</small>" if distribution.is_share else ""),
        ]
        cells.append(
            escape(distribution.why)
            if distribution.why
            else f"{number(distribution.low)} to {number(distribution.high)}"
        )
        cells += [number(distribution.quantiles.get(share, math.nan)) for share in (0.05, 0.5, 0.95)]
        matters = ", ".join(report.sensitivity.order[:2]) if report.sensitivity.indices else report.sensitivity.reason
        name = f'<td><a href="#{_anchor(report.metric)}">{escape(report.metric)}</a></td>'
        body = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr>{name}{body}<td class="words">{escape(matters)}</td></tr>')
    top = "".join(f"<th>{cell}</th>" for cell in (*head, "depends most on"))
    return (
        '<section id="answers"><h2>Answers</h2><div class="scroll"><table class="numbers">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _metric(report: MetricReport, png: bytes, data: ReportData, confidence: float) -> str:
    text = escape(data.measured.get(report.metric, ""))
    source = base64.b64encode(png).decode("ascii")
    words = f"{report.metric}: distribution, influence and map"
    return (
        f'<section id="{_anchor(report.metric)}"><h2>{escape(report.metric)}</h2>{f"<p>{text}</p>" if text else ""}'
        f'<figure><img src="data:image/png;base64,{source}" alt="{escape(words)}"></figure>'
        f"{_indices(report.sensitivity, confidence)}</section>"
    )


def _indices(result: Sensitivity, confidence: float) -> str:
    if not result.indices:
        return f"<p>No influence can be told: {escape(result.reason)}.</p>"
    top = "".join(f"<th>{escape(name)}</th>" for name in ("key", *result.indices))
    rows: list[str] = []
    for key in result.order:
        k = result.keys.index(key)
        cells = "".join(
            f"<td>{number(estimates.value[k])}{_interval(float(estimates.low[k]), float(estimates.high[k]))}</td>"
            for estimates in result.indices.values()
        )
        rows.append(f"<tr><td>{escape(key)}</td>{cells}</tr>")
    more = f" PAWN by chance: {number(result.floor)}." if math.isfinite(result.floor) else ""
    if math.isfinite(result.explained):
        more += f" The ranks explain {100.0 * result.explained:.0f} % of their variance by straight lines."
    if result.of_ranks:
        more += " Of the ranks of the metric: single runs hold most of its variance."
    words = f"{METHOD[result.method]}{more} {result.used} runs; in brackets the {100.0 * confidence:g} % interval."
    return (
        f'<div class="scroll"><table class="numbers"><thead><tr>{top}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f"</table></div><p>{escape(words)}</p>"
    )


def _interval(low: float, high: float) -> str:
    return f" <small>({number(low)} to {number(high)})</small>" if math.isfinite(low) and math.isfinite(high) else ""


def _failed(data: ReportData) -> str:
    if not data.failed.any():
        return ""
    runs = [int(run) for run in data.failed.nonzero()[0]]
    top = "".join(f"<th>{escape(name)}</th>" for name in ("run", *data.keys, "why"))
    rows = [
        "<tr>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in (str(run), *(_cell(data, key, run) for key in data.keys)))
        + f'<td class="words">{escape(data.messages.get(run, ""))}</td></tr>'
        for run in runs[:MOST_FAILED]
    ]
    more = f"<p>and {len(runs) - MOST_FAILED} more.</p>" if len(runs) > MOST_FAILED else ""
    return (
        '<section id="failed"><h2>Failed runs</h2><div class="scroll"><table class="numbers">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{more}</section>"
    )


def _cell(data: ReportData, key: str, run: int) -> str:
    value = data.plan[key][run]
    return f"{float(value):.6g}" if data.plan[key].dtype.kind in "fiub" else str(value)


def _keys(data: ReportData) -> str:
    rows = [f"<tr><th>{escape(key)}</th><td>{escape(data.varied.get(key, ''))}</td></tr>" for key in data.keys]
    return f'<section id="keys"><h2>Keys</h2><table class="settings">{"".join(rows)}</table></section>'


def number(value: float) -> str:
    """Format a number with four digits; a dash if it is unknown."""
    return f"{float(value):.4g}" if math.isfinite(value) else "-"
