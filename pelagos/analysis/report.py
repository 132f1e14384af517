"""Write the HTML report of a run: summary, events, figures, forces and settings in one file.

The file needs no network: figures are embedded, small ones as SVG, those with many points as PNG.
"""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import METADATA, PALETTE, UNWRITTEN, settle, styled
from pelagos.analysis.pages.lines import event_colour, events_of
from pelagos.analysis.pages.pages import PAGES, draw_page, pages
from pelagos.analysis.summary import summarise
from pelagos.errors import CommandError
from pelagos.sim.log.log import WRENCH, Log, LogError
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BYTES = 3_000_000  # of the whole file
WORDS_BYTES = 200_000  # of these, reserved for text and tables
SVG_BYTES = 160_000  # of one figure; a larger one is embedded as PNG
MOST_POINTS = 9_000  # in all lines of a figure; more do not fit into SVG_BYTES
DPI = (110, 85, 65)  # of PNG figures, tried in turn until the file is small enough
LONGEST = 160  # characters of a setting; a longer one is folded
ORDER = ("plan", "depth", "attitude", "speed", "guidance", "actuators", "sensors", "estimate", "tether", "forces")
UNITS = {"X_N": "X [N]", "Y_N": "Y [N]", "Z_N": "Z [N]", "K_N_m": "K [N m]", "M_N_m": "M [N m]", "N_N_m": "N [N m]"}

# the style sheet of all HTML reports: for light and dark screens and for paper
SHEET = """
:root { --ink: #22303c; --soft: #5d6b78; --paper: #ffffff; --line: #d9dfe4; --shade: #f5f7f9; --link: #0072b2;
  --alarm: #b2182b; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebef; --soft: #a3b0bb; --paper: #14191e; --line: #333d46;
  --shade: #1c232a; --link: #6cb8e6; --alarm: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .7rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
.facts { color: var(--soft); margin: 0; }
.warn { color: var(--alarm); font-weight: 600; }
nav { margin: 1.2rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .9rem; }
nav a { color: var(--link); text-decoration: none; }
nav a:hover { text-decoration: underline; }
pre { margin: 0; padding: .9rem 1.1rem; overflow-x: auto; background: var(--shade); border-radius: 6px;
  font: .82rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
figure { margin: 0; padding: .8rem; background: #ffffff; border: 1px solid var(--line); border-radius: 6px; }
figure img { display: block; width: 100%; height: auto; }
figcaption { margin-top: .4rem; font-size: .85rem; color: #5d6b78; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .32rem .7rem .32rem 0; border-bottom: 1px solid var(--line); }
thead th, tfoot th, tfoot td { font-weight: 600; }
.settings th { width: 15rem; font-weight: 500; color: var(--soft); }
.settings td { overflow-wrap: anywhere; }
.events th { white-space: nowrap; }
.events td:first-child, .events td:nth-child(2) { white-space: nowrap; text-align: right; width: 1%; }
.alarm td { color: var(--alarm); }
.forces td, .forces thead th + th { text-align: right; }
.forces small { display: block; color: var(--soft); }
section p { font-size: .88rem; color: var(--soft); }
details summary { cursor: pointer; }
code { font: .78rem ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--shade); padding: .1rem .3rem;
  border-radius: 3px; white-space: nowrap; }
.names { line-height: 1.9; }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --line: #ccc; --shade: #f7f7f7; --alarm: #b2182b; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } nav { display: none; }
  figure { border: 0; padding: 0; } section, tr { break-inside: avoid; } h2 { break-after: avoid; }
  #settings { break-inside: auto; } @page { margin: 16mm; } }
"""


def write_report(
    log: Log,
    path: str | os.PathLike[str],
    *,
    world: World | None = None,
    names: Sequence[str] = (),
    title: str = "",
) -> str:
    """Write the report of a run as one HTML file; return its name.

    Args:
        log: the run.
        path: the file to write.
        world: where it was run; its bottom and structures are drawn.
        names: pages to include; default: all that the log has columns for.
        title: the heading; default: the name of the scenario or vehicle.
    """
    if not len(log):
        raise LogError("the log is empty, there is nothing to report")
    known = pages(log)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise CommandError("the log has no page", value=unknown[0], expected=f"some of {', '.join(known)}", names=known)
    text = report(log, world=world, names=names, title=title)
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as problem:
        raise LogError(f"the report cannot be written ({problem.strerror})", file=path) from None
    return os.fspath(path)


def report(log: Log, *, world: World | None = None, names: Sequence[str] = (), title: str = "") -> str:
    """Return the report of a run as HTML."""
    chosen = [name for name in ORDER if name in (names or pages(log))]
    figures = _figures(log, chosen, world)
    heading = escape(
        title or str(log.meta.get("scenario") or log.meta.get("vehicle_name") or log.meta.get("vehicle") or "Run")
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{heading}</title><style>{SHEET}</style></head><body><main>",
        f"<header><h1>{heading}</h1>{_facts(log)}</header>",
        _contents(log, chosen),
        _summary(log),
        _events(log),
        *(_figure(name, source) for name, source in figures),
        _forces(log),
        _settings(log),
        _columns(log),
        "</main></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _figures(log: Log, names: Sequence[str], world: World | None) -> list[tuple[str, str]]:
    """Draw each page and return it as a data URL, all together below the size limit."""
    with styled():
        drawn = [(name, draw_page(log, name, UNWRITTEN, world=world)) for name in names]
        sources = {name: _vectors(figure) for name, figure in drawn}
        vectors, pictures = sum(map(len, sources.values())), dict[str, str]()
        for dpi in DPI:
            pictures = {name: _picture(figure, dpi) for name, figure in drawn if not sources[name]}
            if vectors + sum(map(len, pictures.values())) < MOST_BYTES - WORDS_BYTES:
                break
        return [(name, sources[name] or pictures[name]) for name in names]


def _vectors(figure: Figure) -> str:
    """Return a figure as the data URL of an SVG; empty if that would be large."""
    # an array; the stub has ArrayLike
    points = sum(len(line.get_xydata()) for ax in figure.axes for line in ax.lines)  # type: ignore[arg-type]
    settle(figure)
    if points > MOST_POINTS:
        return ""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata=METADATA[".svg"])
    return _data_url("svg+xml", buffer) if buffer.tell() < SVG_BYTES else ""


def _picture(figure: Figure, dpi: int) -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=dpi, metadata=METADATA[".png"])
    return _data_url("png", buffer)


def _data_url(kind: str, buffer: io.BytesIO) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def _figure(name: str, source: str) -> str:
    caption = escape(PAGES[name].summary)
    return (
        f'<section id="{name}"><h2>{name.capitalize()}</h2><figure><img src="{source}" alt="{caption}">'
        f"<figcaption>{caption[0].upper() + caption[1:]}.</figcaption></figure></section>"
    )


def _facts(log: Log) -> str:
    """Return the line below the heading: vehicle, duration, samples, seed, world and version."""
    meta = log.meta
    facts = [str(meta.get("vehicle_name", meta.get("vehicle", ""))), f"{log.time_s[-1] - log.time_s[0]:.4g} s"]
    facts += [f"{len(log)} samples"]
    facts += [f"seed {meta['seed']}"] if "seed" in meta else []
    facts += [f"world: {meta['world']}"] if meta.get("world") not in (None, "unnamed") else []
    facts += [f"Pelagos {meta['pelagos']}"] if meta.get("pelagos") not in (None, "not installed") else []
    line = " · ".join(escape(part) for part in facts if part)
    cut = (
        ""
        if log.complete
        else '<p class="warn">This run was cut short: what follows is what was recorded until then.</p>'
    )
    return f'<p class="facts">{line}</p>{cut}'


def _contents(log: Log, names: Sequence[str]) -> str:
    sections = ["summary", *(["events"] if events_of(log) else []), *names]
    sections += ["force table"] if len(log.forces) else []
    sections += ["settings", "columns"]
    links = " ".join(f'<a href="#{name.replace(" ", "-")}">{escape(name)}</a>' for name in sections)
    return f"<nav>{links}</nav>"


def _summary(log: Log) -> str:
    try:
        text = summarise(log, mean_forces=False)
    except KeyError:  # a log without the columns of a motion
        return ""
    return f'<section id="summary"><h2>Summary</h2><pre>{escape(text)}</pre></section>'


def _events(log: Log) -> str:
    events = events_of(log)
    if not events:
        return ""
    named = any(event.vehicle for event in events)
    head = ["", "time [s]", "kind", "what happened", *(["vehicle"] if named else [])]
    rows: list[str] = []
    for k, event in enumerate(events, start=1):
        alarm = ' class="alarm"' if event_colour(event) == PALETTE[9] else ""
        cells = [str(k), f"{event.time_s:.2f}", event.kind, event.text, *([event.vehicle] if named else [])]
        rows.append(f"<tr{alarm}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    top = "".join(f"<th>{cell}</th>" for cell in head)
    return (
        f'<section id="events"><h2>Events</h2><table class="events"><thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></section>"
    )


def _forces(log: Log) -> str:
    if not len(log.forces):
        return ""
    mean, peak = log.forces.mean(), {term: np.nanmax(np.abs(wrench), axis=0) for term, wrench in log.forces.items()}
    top = "".join(f"<th>{UNITS[unit]}</th>" for unit in WRENCH)
    rows: list[str] = []
    for term, wrench in log.forces.items():
        if wrench.any():
            cells = (f"<td>{m:.4g}<small>{p:.3g}</small></td>" for m, p in zip(mean[term], peak[term], strict=True))
            rows.append(f"<tr><th>{escape(term.replace('_', ' '))}</th>{''.join(cells)}</tr>")
    total = "".join(f"<td>{value:.4g}</td>" for value in mean.total)
    return (
        '<section id="force-table"><h2>Force table</h2><table class="forces">'
        f"<thead><tr><th>term</th>{top}</tr></thead><tbody>{''.join(rows)}</tbody>"
        f"<tfoot><tr><th>sum</th>{total}</tr></tfoot></table>"
        "<p>Mean over the run in body axes, about the body origin; small, the largest size.</p></section>"
    )


def _settings(log: Log) -> str:
    rows = [
        f"<tr><th>{escape(str(key))}</th><td>{_value(value)}</td></tr>"
        for key, value in log.meta.items()
        if key != "events"
    ]
    return f'<section id="settings"><h2>Settings</h2><table class="settings">{"".join(rows)}</table></section>'


def _value(value: object) -> str:
    text = value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)
    if len(text) <= LONGEST:
        return escape(text)
    return f"<details><summary>{escape(text[:LONGEST])}...</summary>{escape(text)}</details>"


def _columns(log: Log) -> str:
    """Return the list of all columns of the log."""
    listed = " ".join(f"<code>{escape(name)}</code>" for name in log.columns)
    more = f" and X Y Z K M N of {len(log.forces)} force terms" if len(log.forces) else ""
    return (
        f'<section id="columns"><h2>Columns</h2><details><summary>{len(log.columns)} columns{more}</summary>'
        f'<p class="names">{listed}</p></details></section>'
    )
