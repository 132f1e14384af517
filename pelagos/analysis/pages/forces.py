"""The forces page: the share of each force term on each axis, and the terms over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, INK, PALETTE, new_figure
from pelagos.analysis.pages.lines import Array, envelope, format_panel, line, mark_events, page_title, time_axes
from pelagos.sim.log.log import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES = ("surge X", "sway Y", "heave Z", "roll K", "pitch M", "yaw N")
FORCE_UNITS = ("N", "N", "N", "N m", "N m", "N m")
OVER_TIME = (0, 2, 4, 5)  # X, Z, M, N
NOTHING = 1e-6  # share of the largest axis of the same unit; forces below it are rounding errors
LEAST_SHARE = 0.01  # on any axis; smaller terms are summed as "others"
NAMED = 8  # terms drawn separately; the rest are summed as "others"
REST = "#C9D0D6"
FLATTENED = 4.0  # a panel is clipped if its largest value exceeds this multiple of its 99.8th percentile
LABELLED = 0.07  # shares at least this large are printed in their bar


def shares(log: Log) -> dict[str, Array]:
    """Return the share of each term in the mean size of all forces, (6,) X Y Z K M N; shares on an axis add up to 1.

    Shares are zero on an axis whose forces are rounding errors against the largest force or moment.
    """
    size = {term: np.nanmean(np.abs(wrench), axis=0) for term, wrench in log.forces.items()}
    total = np.sum(list(size.values()), axis=0)
    acting = acting_axes(log)
    return {term: np.divide(value, total, out=np.zeros(6), where=acting) for term, value in size.items()}


def acting_axes(log: Log) -> NDArray[np.bool_]:
    """Return for each axis, (6,) X Y Z K M N, whether its forces are larger than rounding errors."""
    total = np.sum([np.zeros(6), *(np.nanmean(np.abs(wrench), axis=0) for wrench in log.forces.values())], axis=0)
    largest = np.repeat([total[:3].max(), total[3:].max()], 3)
    return (total > 0.0) & (total >= NOTHING * largest)


def term_colours(log: Log) -> dict[str, str]:
    """Return the terms that act, largest share first, with their colours on all pages of this run."""
    part = shares(log)
    order = sorted((term for term in part if log.forces[term].any()), key=lambda term: -float(part[term].max()))
    return {term: PALETTE[k % len(PALETTE)] for k, term in enumerate(order)}


def draw_forces(log: Log, path: object) -> Figure:
    """Draw the shares on each axis, and the terms of surge, heave, pitch and yaw over time with their sum."""
    part = shares(log)
    named = [term for term in term_colours(log) if float(part[term].max()) >= LEAST_SHARE][:NAMED]
    colours = {term: term_colours(log)[term] for term in named}
    figure = new_figure(path, (9.5, 8.8), page_title(log, "forces"))
    grid = figure.add_gridspec(3, 2, height_ratios=(1.15, 1.0, 1.0))
    _bars(figure.add_subplot(grid[0, :]), part, colours)
    axes: list[Any] = [figure.add_subplot(grid[1 + k // 2, k % 2]) for k in range(len(OVER_TIME))]
    for ax, k in zip(axes, OVER_TIME, strict=True):
        _terms(ax, log, k, colours)
    for column in range(2):
        time_axes(axes[column::2], log)
    mark_events(figure, axes, log)
    return figure


def _bars(ax: Axes, part: dict[str, Array], colours: dict[str, str]) -> None:
    """Draw a bar of 100 % for each axis, divided into terms."""
    left = np.zeros(6)
    rows = np.arange(6)
    pieces = [(term, part[term], colours[term]) for term in colours]
    rest = np.sum([part[term] for term in part if term not in colours], axis=0) if len(part) > len(colours) else None
    if rest is not None and float(np.max(rest)) > 1e-6:
        pieces.append(("others", rest, REST))
    for term, share, colour in pieces:
        ax.barh(rows, 100.0 * share, 0.68, left=100.0 * left, color=colour, label=term.replace("_", " "))
        for k in range(6):
            if share[k] >= LABELLED:
                ax.text(100.0 * (left[k] + 0.5 * share[k]), k, f"{100.0 * share[k]:.0f}", ha="center", va="center",
                        fontsize=7, color="white")  # fmt: skip
        left = left + share
    for k in np.flatnonzero(left <= 0.0):
        ax.text(1.0, float(k), "none", va="center", fontsize=7, color=INK)
    ax.set_yticks(rows, AXES)
    ax.set_ylim(5.5, -0.5)
    ax.set_xlim(0.0, 100.0)
    ax.grid(False)
    ax.set_title("share of each term in the mean size of the forces [%]", pad=20)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=9, columnspacing=0.9, borderaxespad=0.1, borderpad=0.1)


def _terms(ax: Axes, log: Log, k: int, colours: dict[str, str]) -> None:
    if not acting_axes(log)[k]:
        label_no_force(ax, log)
        format_panel(ax, AXES[k], FORCE_UNITS[k])
        return
    largest = max((float(np.nanmax(np.abs(w[:, k]), initial=0.0)) for w in log.forces.values()), default=0.0)
    for term, colour in colours.items():
        values = log.forces[term][:, k]
        if float(np.nanmax(np.abs(values), initial=0.0)) > 0.01 * largest:
            line(ax, log.time_s, values, colour, term.replace("_", " "), linewidth=1.1)
    ax.plot(*envelope(log.time_s, log.forces.total()[:, k]), color=INK, linewidth=0.8, linestyle=(0, (2, 1)), zorder=4,
            label="sum")  # fmt: skip
    ax.axhline(0.0, color=INK, linewidth=0.5, zorder=1)
    format_panel(ax, f"{AXES[k]}, sum dashed", FORCE_UNITS[k])
    clip_spikes(ax, log, k)


def label_no_force(ax: Axes, log: Log) -> None:
    """Print "none" in a panel without forces."""
    ax.set_xlim(float(log.time_s[0]), float(max(log.time_s[-1], log.time_s[0] + 1e-9)))
    ax.text(0.5, 0.5, "none", transform=ax.transAxes, ha="center", va="center", color=COMMAND)
    ax.set_yticks([])


def clip_spikes(ax: Axes, log: Log, k: int) -> None:
    """Limit the range of a panel if a few samples are far larger than the rest, and note the maximum in the title."""
    if not acting_axes(log)[k]:
        return
    values = np.column_stack(
        [log.forces.total()[:, k], *(wrench[:, k] for wrench in log.forces.values() if wrench[:, k].any())]
    )
    usual, largest = float(np.nanpercentile(np.abs(values), 99.8)), float(np.nanmax(np.abs(values)))
    if largest <= FLATTENED * usual or usual <= 0.0:
        return
    low, high = np.nanpercentile(values, 0.1), np.nanpercentile(values, 99.9)
    room = 0.15 * max(float(high - low), usual)
    ax.set_ylim(float(low) - room, float(high) + room)
    when = log.time_s[int(np.nanargmax(np.abs(values).max(axis=1)))]
    ax.set_title(f"cut: {largest:.3g} {FORCE_UNITS[k]} at {when:.4g} s", loc="right", fontsize=7.5, fontweight="normal",
                 color=PALETTE[9])  # fmt: skip
