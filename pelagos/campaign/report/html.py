"""The report of a campaign as one HTML file: answers, a sheet a metric, indices, failed runs, keys, its file."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from html import escape

from pelagos.analysis.report import SHEET
from pelagos.campaign.report.numbers import MetricReport, ReportData
from pelagos.campaign.sensitivity import Sensitivity

OWN_SHEET = """
.numbers td, .numbers thead th + th { text-align: right; } .numbers td:first-child { text-align: left; }
.numbers td.words { text-align: left; } .scroll { overflow-x: auto; } td small { color: var(--soft); }
"""
MOST_FAILED = 20  # shown; all of them are in the runs
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
    material: ReportData, found: Sequence[MetricReport], sheets: Mapping[str, bytes], confidence: float
) -> str:
    """The page as text; `sheets` are PNG files by metric."""
    heading = escape(material.name)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{heading}</title><style>{SHEET}{OWN_SHEET}</style></head><body><main>",
        f"<header><h1>{heading}</h1>{_facts(material)}</header>",
        _contents(material, found),
        _answers(found, confidence),
        *(_metric(answer, sheets[answer.metric], material, confidence) for answer in found),
        _failed(material),
        _keys(material),
        f'<section id="file"><h2>File</h2><pre>{escape(material.text.strip())}</pre></section>'
        if material.text
        else "",
        "</main></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _facts(material: ReportData) -> str:
    done, planned = int(material.finished.sum()), len(material.finished)
    cut = (
        f'<p class="warn">{planned - done} of {planned} planned runs have not been made: what follows rests on the '
        f"{done} that are finished.</p>"
        if done < planned
        else ""
    )
    line = " · ".join(escape(fact) for fact in material.facts)
    said = f"<p>{escape(material.summary)}</p>" if material.summary else ""
    return f'<p class="facts">{line}</p>{said}{cut}'


def _anchor(name: str) -> str:
    return "m-" + re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")


def _contents(material: ReportData, found: Sequence[MetricReport]) -> str:
    there = [("answers", "answers"), *((_anchor(answer.metric), answer.metric) for answer in found)]
    there += [("failed", "failed runs")] if material.failed.any() else []
    there += [("keys", "keys")] + ([("file", "file")] if material.text else [])
    return "<nav>" + " ".join(f'<a href="#{key}">{escape(text)}</a>' for key, text in there) + "</nav>"


def _answers(found: Sequence[MetricReport], confidence: float) -> str:
    head = ("metric", "runs", "mean or probability", f"{100.0 * confidence:g} % interval", "5 %", "median", "95 %")
    rows: list[str] = []
    for answer in found:
        told = answer.distribution
        cells = [str(told.runs), number(told.mean) + (" <small>probability</small>" if told.is_share else "")]
        cells.append(escape(told.why) if told.why else f"{number(told.low)} to {number(told.high)}")
        cells += [number(told.quantiles.get(share, math.nan)) for share in (0.05, 0.5, 0.95)]
        matters = ", ".join(answer.sensitivity.order[:2]) if answer.sensitivity.indices else answer.sensitivity.reason
        name = f'<td><a href="#{_anchor(answer.metric)}">{escape(answer.metric)}</a></td>'
        body = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr>{name}{body}<td class="words">{escape(matters)}</td></tr>')
    top = "".join(f"<th>{cell}</th>" for cell in (*head, "depends most on"))
    return (
        '<section id="answers"><h2>Answers</h2><div class="scroll"><table class="numbers">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></section>"
    )


def _metric(answer: MetricReport, png: bytes, material: ReportData, confidence: float) -> str:
    told = escape(material.asked.get(answer.metric, ""))
    source = base64.b64encode(png).decode("ascii")
    words = f"{answer.metric}: distribution, influence and map"
    return (
        f'<section id="{_anchor(answer.metric)}"><h2>{escape(answer.metric)}</h2>{f"<p>{told}</p>" if told else ""}'
        f'<figure><img src="data:image/png;base64,{source}" alt="{escape(words)}"></figure>'
        f"{_indices(answer.sensitivity, confidence)}</section>"
    )


def _indices(found: Sensitivity, confidence: float) -> str:
    if not found.indices:
        return f"<p>No influence can be told: {escape(found.reason)}.</p>"
    top = "".join(f"<th>{escape(name)}</th>" for name in ("key", *found.indices))
    rows: list[str] = []
    for key in found.order:
        k = found.keys.index(key)
        cells = "".join(
            f"<td>{number(one.value[k])}{_interval(float(one.low[k]), float(one.high[k]))}</td>"
            for one in found.indices.values()
        )
        rows.append(f"<tr><td>{escape(key)}</td>{cells}</tr>")
    more = f" PAWN by chance: {number(found.floor)}." if math.isfinite(found.floor) else ""
    if math.isfinite(found.explained):
        more += f" The ranks explain {100.0 * found.explained:.0f} % of their variance by straight lines."
    if found.of_ranks:
        more += " Of the ranks of the metric: single runs hold most of its variance."
    words = f"{METHOD[found.method]}{more} {found.used} runs; in brackets the {100.0 * confidence:g} % interval."
    return (
        f'<div class="scroll"><table class="numbers"><thead><tr>{top}</tr></thead><tbody>{"".join(rows)}</tbody>'
        f"</table></div><p>{escape(words)}</p>"
    )


def _interval(low: float, high: float) -> str:
    return f" <small>({number(low)} to {number(high)})</small>" if math.isfinite(low) and math.isfinite(high) else ""


def _failed(material: ReportData) -> str:
    if not material.failed.any():
        return ""
    runs = [int(run) for run in material.failed.nonzero()[0]]
    top = "".join(f"<th>{escape(name)}</th>" for name in ("run", *material.keys, "why"))
    rows = [
        "<tr>"
        + "".join(
            f"<td>{escape(cell)}</td>" for cell in (str(run), *(_cell(material, key, run) for key in material.keys))
        )
        + f'<td class="words">{escape(material.messages.get(run, ""))}</td></tr>'
        for run in runs[:MOST_FAILED]
    ]
    more = f"<p>and {len(runs) - MOST_FAILED} more.</p>" if len(runs) > MOST_FAILED else ""
    return (
        '<section id="failed"><h2>Failed runs</h2><div class="scroll"><table class="numbers">'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{more}</section>"
    )


def _cell(material: ReportData, key: str, run: int) -> str:
    value = material.plan[key][run]
    return f"{float(value):.6g}" if material.plan[key].dtype.kind in "fiub" else str(value)


def _keys(material: ReportData) -> str:
    rows = [f"<tr><th>{escape(key)}</th><td>{escape(material.varied.get(key, ''))}</td></tr>" for key in material.keys]
    return f'<section id="keys"><h2>Keys</h2><table class="settings">{"".join(rows)}</table></section>'


def number(value: float) -> str:
    """Four digits; a dash for what is not known."""
    return f"{float(value):.4g}" if math.isfinite(value) else "-"
