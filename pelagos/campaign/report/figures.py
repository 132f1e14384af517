"""Draw the figure of a metric: its distribution, its course along the most influential key, all keys, and a map.

The map shows the runs over the two most influential keys: for a 0/1 metric where it is 1 and how often, for any other
its value. Crosses mark failed runs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.campaign.report.numbers import Array, MetricReport, ReportData
from pelagos.campaign.sensitivity import FEW_VALUES
from pelagos.campaign.statistics import interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_KEYS = 10  # in the bar chart; the table of the report lists all
LIKELY, RARE, MARK = PALETTE[0], PALETTE[1], PALETTE[9]
INDEX_WORDS = {
    "ST": "ST, with interactions",
    "S1": "S1, alone",
    "mu_star": "mu*, mean size of the change across a range",
    "pawn": "PAWN, shift of the distribution",
}


def draw_sheet(data: ReportData, report: MetricReport, confidence: float = 0.95) -> Figure:
    """Draw the figure of a metric, without saving it."""
    with styled():
        figure = new_figure(UNWRITTEN, (12.0, 7.6), f"{data.name}  ·  {report.metric}")
        panels: Any = figure.subplots(2, 2)
        top_left, top_right, low_left, low_right = panels.flat
        keys = [key for key in report.sensitivity.order if np.ptp(data.numbers(key)) > 0.0]
        if report.distribution.is_share:
            along = [(ax, key) for ax, key in zip((top_left, top_right), keys, strict=False)]
            for ax, key in along:
                _rate_along(ax, data, report, key, confidence)
            for ax in (top_left, top_right)[len(along) :]:
                _text_panel(ax, _probability_words(report))
        else:
            _histogram(top_left, report, confidence)
            if keys:
                _value_along(top_right, data, report, keys[0], confidence)
            else:
                _text_panel(top_right, report.sensitivity.reason)
        _indices(low_left, report, confidence)
        if len(keys) > 1:
            _map(figure, low_right, data, report, keys[0], keys[1])
        else:
            _text_panel(low_right, "a map needs two varied keys")
        return figure


def _text_panel(ax: Axes, words: str) -> None:
    ax.set_axis_off()
    ax.text(0.5, 0.5, words, ha="center", va="center", color=COMMAND, transform=ax.transAxes)


def _histogram(ax: Axes, report: MetricReport, confidence: float) -> None:
    """Draw counts, the cumulative share on the right, quantiles and the interval of the mean."""
    distribution = report.distribution
    known = np.sort(report.values[np.isfinite(report.values) & report.drawn])
    if not len(known):
        _text_panel(ax, "no run has a value")
        return
    low, high = _shown_range(known)
    shown = known[(known >= low) & (known <= high)]
    count = int(np.clip(2.0 * len(known) ** 0.5, 8, 40)) + 1
    wide = _is_wide(known)
    bins = np.geomspace(low, high, count) if wide else np.linspace(low, high, count)
    ax.set_xscale("log" if wide else "linear")
    ax.hist(shown, bins=bins.tolist(), color=PALETTE[4], alpha=0.75, edgecolor="white", linewidth=0.4)
    right: Any = ax.twinx()
    right.plot(known, (np.arange(len(known)) + 1.0) / len(known), color=INK, linewidth=1.1)
    right.set_ylim(0.0, 1.02)
    right.set_ylabel("share of runs below")
    right.grid(False)
    for k, share in enumerate((0.05, 0.5, 0.95)):
        ax.axvline(distribution.quantiles[share], color=RARE, linewidth=1.0, linestyle=(0, (4, 2)))
        at = (distribution.quantiles[share], 1.0)
        words = f"{100.0 * share:.0f} %"  # staggered: the quantiles may be close
        right.annotate(words, at, (2, -8 - 9 * k), textcoords="offset points", color=RARE, fontsize=7.5)
    words = f"mean {distribution.mean:.4g}"
    if not distribution.why:
        ax.axvspan(distribution.low, distribution.high, color=PALETTE[2], alpha=0.35, linewidth=0.0)
        words += f", {100.0 * confidence:.0f} % interval {distribution.low:.4g} to {distribution.high:.4g}"
    ax.axvline(distribution.mean, color=PALETTE[2], linewidth=1.4)
    pad = 0.0 if wide else 0.02 * (high - low)
    ax.set_xlim(low - pad, high + pad)
    ax.set_title(f"{distribution.runs} runs: {words}")
    cut = len(known) - len(shown)
    ax.set_xlabel(
        report.metric + (f"   ({cut} runs beyond the picture, {known[0]:.4g} to {known[-1]:.4g})" if cut else "")
    )
    ax.set_ylabel("runs")


def _is_wide(known: Array) -> bool:
    """Return whether a sorted metric spans orders of magnitude and needs a logarithmic axis."""
    return bool(len(known) and known[0] > 0.0 and known[-1] > 100.0 * np.median(known))


def _shown_range(known: Array) -> tuple[float, float]:
    """Return the range to show: all values, without single runs that would compress the rest."""
    if _is_wide(known):
        return float(known[0]), float(known[-1])
    low, high = np.quantile(known, [0.02, 0.98])
    room = 1.5 * (high - low) if high > low else 1.0
    return float(max(known[0], low - room)), float(max(min(known[-1], high + room), low + 1e-12))


def _value_along(ax: Axes, data: ReportData, report: MetricReport, key: str, confidence: float) -> None:
    """Draw every run over a key, and the mean in slices of it."""
    x, y = data.numbers(key), report.values
    known = np.isfinite(y)
    ax.plot(x[known], y[known], ".", color=COMMAND, markersize=3.0, alpha=0.6, label="a run")
    _means(ax, x, report, confidence, LIKELY, "mean of a slice")
    _crosses(ax, data, x, None)
    ax.set_title(f"along {key}")
    ax.set_ylabel(report.metric)
    if _is_wide(np.sort(y[known])):
        ax.set_yscale("log")
    _axis(ax, "x", data, key)
    ax.legend(loc="best")


def _rate_along(ax: Axes, data: ReportData, report: MetricReport, key: str, confidence: float) -> None:
    """Draw the share of runs with the value 1 in slices of a key."""
    x, distribution = data.numbers(key), report.distribution
    if not distribution.why:
        ax.axhspan(distribution.low, distribution.high, color=PALETTE[2], alpha=0.25, linewidth=0.0)
    ax.axhline(distribution.mean, color=PALETTE[2], linewidth=1.2, label=_probability_words(report))
    highest = _means(ax, x, report, confidence, MARK, "share in a slice")
    top = min(1.03, 1.5 * highest)  # with room for the legend
    ax.set_ylim(-0.03 * top, top)
    ax.set_title(f"along {key}")
    ax.set_ylabel(f"share of runs: {report.metric}")
    _axis(ax, "x", data, key)
    ax.legend(loc="best")


def _means(ax: Axes, x: Array, report: MetricReport, confidence: float, colour: str, label: str) -> float:
    """Draw the means of independent runs in slices of a key, with intervals; return the highest end."""
    y = report.values
    cut = _slices(x, np.isfinite(y) & report.drawn)
    intervals = [interval(y[inside], confidence) for inside, _ in cut]
    means = np.array([item.mean for item in intervals])
    ends = np.array([means - [item.low for item in intervals], [item.high for item in intervals] - means])
    if report.distribution.why:
        ends = np.zeros_like(ends)
    ax.errorbar(
        [middle for _, middle in cut],
        means,
        np.maximum(np.nan_to_num(ends), 0.0),  # a single run has no interval
        fmt="o-",
        color=colour,
        markersize=4,
        capsize=2.5,
        label=label if report.distribution.why else f"{label}, {100.0 * confidence:g} % interval",
    )
    return float(np.nanmax(means + np.nan_to_num(ends[1])))


def _probability_words(report: MetricReport) -> str:
    distribution = report.distribution
    interval = "" if distribution.why else f" ({distribution.low:.3g} to {distribution.high:.3g})"
    return f"{distribution.runs} runs: {distribution.mean:.3g}{interval}"


def _indices(ax: Axes, report: MetricReport, confidence: float) -> None:
    """Draw the indices of the keys, the most influential on top."""
    sensitivity = report.sensitivity
    if not sensitivity.indices:
        _text_panel(ax, sensitivity.reason)
        return
    order = [sensitivity.keys.index(key) for key in sensitivity.order[:MOST_KEYS]]
    at = np.arange(len(order))[::-1]
    shown = [name for name in ("ST", "mu_star", "pawn", "S1") if name in sensitivity.indices]
    height = 0.7 / len(shown)
    for k, name in enumerate(shown):
        estimates = sensitivity.indices[name]
        values = estimates.value[order]
        ends = np.array([values - estimates.low[order], estimates.high[order] - values])
        ends = np.where(np.isfinite(ends), np.maximum(ends, 0.0), 0.0)
        place = at + (0.5 * (len(shown) - 1) - k) * height
        colour = (LIKELY, PALETTE[5])[k]
        error = ends if ends.any() else None
        ax.barh(place, values, 0.9 * height, xerr=error, color=colour, ecolor=INK, capsize=2.0, label=INDEX_WORDS[name])
    if np.isfinite(sensitivity.floor):
        ax.axvline(sensitivity.floor, color=MARK, linewidth=1.0, linestyle=(0, (3, 2)), label="PAWN by chance, 95 %")
    ax.set_yticks(at, [sensitivity.keys[k] for k in order])
    ax.grid(axis="y", visible=False)
    ax.axvline(0.0, color=INK, linewidth=0.6)
    ranks = ", of its ranks" if sensitivity.of_ranks else ""
    ax.set_title(f"what it depends on{ranks} ({sensitivity.used} runs, {100.0 * confidence:g} % intervals)")
    ax.legend(loc="lower right")


def _map(figure: Figure, ax: Axes, data: ReportData, report: MetricReport, across: str, up: str) -> None:
    x, y, z = data.numbers(across), data.numbers(up), report.values
    known = np.isfinite(z)
    if report.distribution.is_share:
        runs = int(known.sum())
        edges_x = _edges(x, runs, across in data.logarithmic)
        edges_y = _edges(y, runs, up in data.logarithmic)
        count: Any = np.histogram2d(x[known], y[known], (edges_x, edges_y))[0]
        hits: Any = np.histogram2d(x[known], y[known], (edges_x, edges_y), weights=z[known])[0]
        rate = np.divide(hits, count, out=np.full(count.shape, np.nan), where=count > 0)
        drawn = ax.pcolormesh(edges_x, edges_y, rate.T, cmap="Oranges", vmin=0.0, vmax=1.0, alpha=0.6, linewidth=0.0)
        figure.colorbar(drawn, ax=ax, label="share of runs in a cell", pad=0.01)
        no, yes = known & (z == 0.0), known & (z == 1.0)
        ax.plot(x[no], y[no], "o", color="none", markeredgecolor=LIKELY, markersize=3.2, label=f"no ({no.sum()})")
        ax.plot(x[yes], y[yes], "o", color=MARK, markersize=4.0, label=f"yes ({yes.sum()})")
        ax.set_title(f"where it happens: {int(yes.sum())} of {int(known.sum())} runs")
    else:
        dots = ax.scatter(x[known], y[known], c=z[known], cmap="viridis", norm=_norm(z[known]), s=14.0, linewidths=0.0)
        figure.colorbar(dots, ax=ax, label=report.metric, pad=0.01)
        ax.set_title("over the two keys that matter most")
        _crosses(ax, data, x, y)
    ax.grid(False)
    _axis(ax, "x", data, across)
    _axis(ax, "y", data, up)
    if ax.get_legend_handles_labels()[0]:
        # above the panel, which is full of dots
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.1)


def _crosses(ax: Axes, data: ReportData, x: Array, y: Array | None) -> None:
    """Mark failed runs: at their place on a map, at the lower edge of a plot over one key."""
    gone = data.failed
    if gone.any():
        at = np.full(int(gone.sum()), 0.01) if y is None else y[gone]
        frame = ax.get_xaxis_transform() if y is None else ax.transData
        ax.plot(x[gone], at, "x", color=MARK, markersize=5, label=f"failed ({gone.sum()})", transform=frame)


def _slices(x: Array, known: NDArray[np.bool_]) -> list[tuple[NDArray[np.bool_], float]]:
    """Return masks of the known runs in slices along x with their middles: one per value, or equally filled."""
    values = np.unique(x[known])
    if len(values) <= FEW_VALUES:
        return [(known & (x == value), float(value)) for value in values]
    cuts = np.quantile(x[known], np.linspace(0.0, 1.0, int(np.clip(known.sum() // 12, 3, 10)) + 1))
    cuts[-1] = np.inf
    masks = [known & (x >= low) & (x < high) for low, high in pairwise(cuts)]
    return [(mask, float(x[mask].mean())) for mask in masks if mask.any()]


def _norm(known: Array) -> Any:
    """Return the mapping from values to colours."""
    from matplotlib.colors import LogNorm, Normalize

    ordered = np.sort(known)
    low, high = _shown_range(ordered) if len(ordered) else (0.0, 1.0)
    return LogNorm(low, high) if _is_wide(ordered) else Normalize(low, high)


def _edges(x: Array, runs: int, logarithmic: bool) -> Array:
    """Return the edges of cells along a key: one cell per value, or about eight runs per cell."""
    values = np.unique(x)
    if len(values) <= FEW_VALUES:
        middle = 0.5 * (values[1:] + values[:-1])
        return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
    count = int(np.clip((runs / 8.0) ** 0.5, 3, 10)) + 1
    return (np.geomspace if logarithmic else np.linspace)(values[0], values[-1], count)


def _axis(ax: Axes, which: str, data: ReportData, key: str) -> None:
    """Format the axis of a key: its name, a logarithmic scale if it was sampled so, texts as tick labels."""
    axis: Any = ax.xaxis if which == "x" else ax.yaxis
    axis.set_label_text(key)
    if key in data.logarithmic:
        (ax.set_xscale if which == "x" else ax.set_yscale)("log")
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("{x:g}")
    words = data.words(key)
    if words:
        axis.set_ticks(range(len(words)), words)
