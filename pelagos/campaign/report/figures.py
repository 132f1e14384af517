"""One sheet a metric: its distribution, what it does along the key that matters most, all keys compared, and a map.

The map shows the runs over the two most influential keys: of a 0/1 metric where it happens and how often, of any
other its value. Runs that failed are crosses, everywhere.
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

MOST_KEYS = 10  # bars of a sheet; the table has them all
LIKELY, RARE, MARK = PALETTE[0], PALETTE[1], PALETTE[9]
INDEX_WORDS = {
    "ST": "ST, with interactions",
    "S1": "S1, alone",
    "mu_star": "mu*, mean size of the change across a range",
    "pawn": "PAWN, shift of the distribution",
}


def draw_sheet(material: ReportData, answer: MetricReport, confidence: float = 0.95) -> Figure:
    """The sheet of a metric, not written yet."""
    with styled():
        figure = new_figure(UNWRITTEN, (12.0, 7.6), f"{material.name}  ·  {answer.metric}")
        panels: Any = figure.subplots(2, 2)
        top_left, top_right, low_left, low_right = panels.flat
        keys = [key for key in answer.sensitivity.order if np.ptp(material.numbers(key)) > 0.0]
        if answer.distribution.is_share:
            along = [(ax, key) for ax, key in zip((top_left, top_right), keys, strict=False)]
            for ax, key in along:
                _rate_along(ax, material, answer, key, confidence)
            for ax in (top_left, top_right)[len(along) :]:
                _say(ax, _probability_words(answer))
        else:
            _histogram(top_left, answer, confidence)
            if keys:
                _value_along(top_right, material, answer, keys[0], confidence)
            else:
                _say(top_right, answer.sensitivity.reason)
        _indices(low_left, answer, confidence)
        if len(keys) > 1:
            _map(figure, low_right, material, answer, keys[0], keys[1])
        else:
            _say(low_right, "a map needs two varied keys")
        return figure


# ---- panels ----------------------------------------------------------------------------------------------------------


def _say(ax: Axes, words: str) -> None:
    ax.set_axis_off()
    ax.text(0.5, 0.5, words, ha="center", va="center", color=COMMAND, transform=ax.transAxes)


def _histogram(ax: Axes, answer: MetricReport, confidence: float) -> None:
    """Counts, the cumulative share on the right, quantiles and the interval of the mean."""
    told = answer.distribution
    known = np.sort(answer.values[np.isfinite(answer.values) & answer.drawn])
    if not len(known):
        _say(ax, "no run has a value")
        return
    low, high = _view(known)
    seen = known[(known >= low) & (known <= high)]
    count = int(np.clip(2.0 * len(known) ** 0.5, 8, 40)) + 1
    wide = _is_wide(known)
    bins = np.geomspace(low, high, count) if wide else np.linspace(low, high, count)
    ax.set_xscale("log" if wide else "linear")
    ax.hist(seen, bins=bins.tolist(), color=PALETTE[4], alpha=0.75, edgecolor="white", linewidth=0.4)
    right: Any = ax.twinx()
    right.plot(known, (np.arange(len(known)) + 1.0) / len(known), color=INK, linewidth=1.1)
    right.set_ylim(0.0, 1.02)
    right.set_ylabel("share of runs below")
    right.grid(False)
    for k, share in enumerate((0.05, 0.5, 0.95)):
        ax.axvline(told.quantiles[share], color=RARE, linewidth=1.0, linestyle=(0, (4, 2)))
        at = (told.quantiles[share], 1.0)
        words = f"{100.0 * share:.0f} %"  # one below another: they may be close
        right.annotate(words, at, (2, -8 - 9 * k), textcoords="offset points", color=RARE, fontsize=7.5)
    words = f"mean {told.mean:.4g}"
    if not told.why:
        ax.axvspan(told.low, told.high, color=PALETTE[2], alpha=0.35, linewidth=0.0)
        words += f", {100.0 * confidence:.0f} % interval {told.low:.4g} to {told.high:.4g}"
    ax.axvline(told.mean, color=PALETTE[2], linewidth=1.4)
    pad = 0.0 if wide else 0.02 * (high - low)
    ax.set_xlim(low - pad, high + pad)
    ax.set_title(f"{told.runs} runs: {words}")
    cut = len(known) - len(seen)
    ax.set_xlabel(
        answer.metric + (f"   ({cut} runs beyond the picture, {known[0]:.4g} to {known[-1]:.4g})" if cut else "")
    )
    ax.set_ylabel("runs")


def _is_wide(known: Array) -> bool:
    """Whether a metric spans orders of magnitude, which only a logarithmic axis shows; `known` is sorted."""
    return bool(len(known) and known[0] > 0.0 and known[-1] > 100.0 * np.median(known))


def _view(known: Array) -> tuple[float, float]:
    """What of a distribution is shown: all of it, but for single runs that would squeeze the rest into a corner."""
    if _is_wide(known):
        return float(known[0]), float(known[-1])
    low, high = np.quantile(known, [0.02, 0.98])
    room = 1.5 * (high - low) if high > low else 1.0
    return float(max(known[0], low - room)), float(max(min(known[-1], high + room), low + 1e-12))


def _value_along(ax: Axes, material: ReportData, answer: MetricReport, key: str, confidence: float) -> None:
    """Every run over a key, and the mean in slices of it."""
    x, y = material.numbers(key), answer.values
    known = np.isfinite(y)
    ax.plot(x[known], y[known], ".", color=COMMAND, markersize=3.0, alpha=0.6, label="a run")
    _means(ax, x, answer, confidence, LIKELY, "mean of a slice")
    _crosses(ax, material, x, None)
    ax.set_title(f"along {key}")
    ax.set_ylabel(answer.metric)
    if _is_wide(np.sort(y[known])):
        ax.set_yscale("log")
    _axis(ax, "x", material, key)
    ax.legend(loc="best")


def _rate_along(ax: Axes, material: ReportData, answer: MetricReport, key: str, confidence: float) -> None:
    """How often it happens, in slices of a key."""
    x, told = material.numbers(key), answer.distribution
    if not told.why:
        ax.axhspan(told.low, told.high, color=PALETTE[2], alpha=0.25, linewidth=0.0)
    ax.axhline(told.mean, color=PALETTE[2], linewidth=1.2, label=_probability_words(answer))
    highest = _means(ax, x, answer, confidence, MARK, "share in a slice")
    top = min(1.03, 1.5 * highest)  # with room for the legend
    ax.set_ylim(-0.03 * top, top)
    ax.set_title(f"along {key}")
    ax.set_ylabel(f"share of runs: {answer.metric}")
    _axis(ax, "x", material, key)
    ax.legend(loc="best")


def _means(ax: Axes, x: Array, answer: MetricReport, confidence: float, colour: str, label: str) -> float:
    """Means of drawn runs in slices of a key, with intervals if runs are draws; returns the highest end of one."""
    y = answer.values
    cut = _slices(x, np.isfinite(y) & answer.drawn)
    told = [interval(y[inside], confidence) for inside, _ in cut]
    means = np.array([one.mean for one in told])
    ends = np.array([means - [one.low for one in told], [one.high for one in told] - means])
    if answer.distribution.why:
        ends = np.zeros_like(ends)
    ax.errorbar(
        [middle for _, middle in cut],
        means,
        np.maximum(np.nan_to_num(ends), 0.0),  # of a single run there is none
        fmt="o-",
        color=colour,
        markersize=4,
        capsize=2.5,
        label=label if answer.distribution.why else f"{label}, {100.0 * confidence:g} % interval",
    )
    return float(np.nanmax(means + np.nan_to_num(ends[1])))


def _probability_words(answer: MetricReport) -> str:
    told = answer.distribution
    interval = "" if told.why else f" ({told.low:.3g} to {told.high:.3g})"
    return f"{told.runs} runs: {told.mean:.3g}{interval}"


def _indices(ax: Axes, answer: MetricReport, confidence: float) -> None:
    """The keys compared, the most influential on top."""
    found = answer.sensitivity
    if not found.indices:
        _say(ax, found.reason)
        return
    order = [found.keys.index(key) for key in found.order[:MOST_KEYS]]
    at = np.arange(len(order))[::-1]
    shown = [name for name in ("ST", "mu_star", "pawn", "S1") if name in found.indices]
    height = 0.7 / len(shown)
    for k, name in enumerate(shown):
        estimates = found.indices[name]
        values = estimates.value[order]
        ends = np.array([values - estimates.low[order], estimates.high[order] - values])
        ends = np.where(np.isfinite(ends), np.maximum(ends, 0.0), 0.0)
        place = at + (0.5 * (len(shown) - 1) - k) * height
        colour = (LIKELY, PALETTE[5])[k]
        error = ends if ends.any() else None
        ax.barh(place, values, 0.9 * height, xerr=error, color=colour, ecolor=INK, capsize=2.0, label=INDEX_WORDS[name])
    if np.isfinite(found.floor):
        ax.axvline(found.floor, color=MARK, linewidth=1.0, linestyle=(0, (3, 2)), label="PAWN by chance, 95 %")
    ax.set_yticks(at, [found.keys[k] for k in order])
    ax.grid(axis="y", visible=False)
    ax.axvline(0.0, color=INK, linewidth=0.6)
    ranks = ", of its ranks" if found.of_ranks else ""
    ax.set_title(f"what it depends on{ranks} ({found.used} runs, {100.0 * confidence:g} % intervals)")
    ax.legend(loc="lower right")


def _map(figure: Figure, ax: Axes, material: ReportData, answer: MetricReport, across: str, up: str) -> None:
    x, y, z = material.numbers(across), material.numbers(up), answer.values
    known = np.isfinite(z)
    if answer.distribution.is_share:
        runs = int(known.sum())
        edges_x = _edges(x, runs, across in material.logarithmic)
        edges_y = _edges(y, runs, up in material.logarithmic)
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
        figure.colorbar(dots, ax=ax, label=answer.metric, pad=0.01)
        ax.set_title("over the two keys that matter most")
        _crosses(ax, material, x, y)
    ax.grid(False)
    _axis(ax, "x", material, across)
    _axis(ax, "y", material, up)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.1)  # dots are everywhere


# ---- parts -----------------------------------------------------------------------------------------------------------


def _crosses(ax: Axes, material: ReportData, x: Array, y: Array | None) -> None:
    """Failed runs: at their place on a map, at the lower edge of a plot over one key."""
    gone = material.failed
    if gone.any():
        at = np.full(int(gone.sum()), 0.01) if y is None else y[gone]
        frame = ax.get_xaxis_transform() if y is None else ax.transData
        ax.plot(x[gone], at, "x", color=MARK, markersize=5, label=f"failed ({gone.sum()})", transform=frame)


def _slices(x: Array, known: NDArray[np.bool_]) -> list[tuple[NDArray[np.bool_], float]]:
    """Masks of the known runs cut along x, with their middles: one a value, or equally full ones."""
    values = np.unique(x[known])
    if len(values) <= FEW_VALUES:
        return [(known & (x == value), float(value)) for value in values]
    cuts = np.quantile(x[known], np.linspace(0.0, 1.0, int(np.clip(known.sum() // 12, 3, 10)) + 1))
    cuts[-1] = np.inf
    masks = [known & (x >= low) & (x < high) for low, high in pairwise(cuts)]
    return [(mask, float(x[mask].mean())) for mask in masks if mask.any()]


def _norm(known: Array) -> Any:
    """Which colour stands for which value."""
    from matplotlib.colors import LogNorm, Normalize

    ordered = np.sort(known)
    low, high = _view(ordered) if len(ordered) else (0.0, 1.0)
    return LogNorm(low, high) if _is_wide(ordered) else Normalize(low, high)


def _edges(x: Array, runs: int, logarithmic: bool) -> Array:
    """Edges of cells along a key: about eight runs a cell, or a cell a value."""
    values = np.unique(x)
    if len(values) <= FEW_VALUES:
        middle = 0.5 * (values[1:] + values[:-1])
        return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])
    count = int(np.clip((runs / 8.0) ** 0.5, 3, 10)) + 1
    return (np.geomspace if logarithmic else np.linspace)(values[0], values[-1], count)


def _axis(ax: Axes, which: str, material: ReportData, key: str) -> None:
    """The axis of a key: its name, a logarithm where it was drawn evenly in it, words in place of numbers."""
    axis: Any = ax.xaxis if which == "x" else ax.yaxis
    axis.set_label_text(key)
    if key in material.logarithmic:
        (ax.set_xscale if which == "x" else ax.set_yscale)("log")
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("{x:g}")
    words = material.words(key)
    if words:
        axis.set_ticks(range(len(words)), words)
