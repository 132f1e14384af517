"""Figures of training: one attempt as curves and path (Royer 7.1 and 7.3), and how a pilot gets better.

Drawing uses matplotlib, an optional dependency imported only when a figure is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, new_figure, styled, written
from pelagos.errors import CommandError, PelagosError
from pelagos.training.figures_plan import draw_path, is_wide
from pelagos.training.history import compare
from pelagos.training.result import Result
from pelagos.training.task import load_task

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAD = PALETTE[1]
TITLES = {
    "distance_m": ("distance to the target", "m"),
    "path_error_m": ("path error, positive to starboard", "m"),
    "altitude_error_m": ("altitude deviation", "m"),
    "altitude_m": ("altitude over the bottom", "m"),
    "heading_error_deg": ("heading deviation", "deg"),
    "lateral_error_m": ("lateral error, positive to starboard", "m"),
    "stand_off_error_m": ("stand-off error", "m"),
    "progress": ("progress", "%"),
}


def draw_attempt(result: Result, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw one attempt: the path over the structures, and each judged value against time.

    A distance is negative while the vehicle is in the structure, as in figure 7.3; that part is shaded.

    Args:
        result: with its curve.
        path: where to write the figure (the ending chooses the format), or None to show it.
    """
    if not result.curve or len(result.curve["time_s"]) < 2:
        raise CommandError(f"the attempt at {result.task} was too short; there is nothing to draw")
    with styled():
        curves = [name for name in result.curve if name in TITLES and name not in ("altitude_m", "progress")]
        curves = curves if len(curves) > 2 else [*curves, "progress"] if curves else ["altitude_m", "progress"]
        wide = is_wide(result.curve)
        size = (11.0, 3.2 + 1.75 * len(curves)) if wide else (11.0, max(5.2, 1.0 + 1.75 * len(curves)))
        figure = new_figure(path, size, _title(result))
        if wide:
            above, below = figure.add_gridspec(2, 1, height_ratios=(1.0, 0.72 * len(curves)))
            plan, panels = figure.add_subplot(above), below.subgridspec(len(curves), 1)
        else:
            left, right = figure.add_gridspec(1, 2, width_ratios=(1.1, 1.0))
            plan, panels = figure.add_subplot(left), right.subgridspec(len(curves), 1)
        _plan(plan, result)
        for k, name in enumerate(curves):
            _curve(figure.add_subplot(panels[k]), result, name)
        for ax in figure.axes[1:-1]:
            ax.tick_params(labelbottom=False)
        figure.axes[-1].set_xlabel("time [s]")
        return written(figure, path)


def draw_progress(results: Sequence[Result], path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw the scores of a pilot over attempts, a panel for each task, a line for each set of conditions.

    Args:
        results: of one pilot, in the order they were made.
        path: where to write the figure (the ending chooses the format), or None to show it.
    """
    if not results:
        raise CommandError("there are no results to draw")
    with styled():
        groups = compare(results)
        tasks = list(dict.fromkeys(one.task for one in groups))
        columns = min(len(tasks), 2)
        rows = -(-len(tasks) // columns)
        pilot = results[-1].pilot or "pilot"
        figure = new_figure(path, (max(5.8 * columns, 6.5), 0.6 + 3.3 * rows), f"{pilot}: scores over attempts")
        panels: Any = figure.subplots(rows, columns, squeeze=False)
        for ax in panels.flat[len(tasks) :]:
            ax.set_axis_off()
        for ax, task in zip(panels.flat, tasks, strict=False):
            _scores(ax, task, [one for one in groups if one.task == task])
        return written(figure, path)


def _title(result: Result) -> str:
    who = f"  ·  {result.pilot}" if result.pilot else ""
    return f"{result.title}{who}  ·  {result.score:.0f} points, {result.ended}\n{result.conditions.sentence()}"


def _plan(ax: Axes, result: Result) -> None:
    try:
        task = load_task(result.task)
        world = task.world_for(result.conditions, result.seed)
        vehicle = task.vehicle() if task.words.vehicle == result.vehicle else None
        draw_path(ax, result.curve, world, vehicle, task.marks(world))
    except PelagosError:  # a task of one's own whose file is not known any more: the path alone
        draw_path(ax, result.curve)


def _curve(ax: Axes, result: Result, name: str) -> None:
    """One value against time, with its rms; negative distances shaded."""
    time, values = np.asarray(result.curve["time_s"]), np.asarray(result.curve[name])
    title, unit = TITLES[name]
    values = 100.0 * values if unit == "%" else values
    ax.axhline(0.0, color=COMMAND, linewidth=0.8)
    if name == "distance_m":
        ax.fill_between(time, values, 0.0, where=list(values < 0.0), color=BAD, alpha=0.35, linewidth=0.0, step="mid")
        title += ", negative in the structure" if (values < 0.0).any() else ""
    ax.plot(time, values, color=PALETTE[0])
    stem, _, _ = name.rpartition(f"_{unit}")
    rms = result.measures.get(f"{stem}_rms_{unit}", float("nan"))
    if np.isfinite(rms):
        ax.text(
            0.995, 1.02, f"rms {rms:.2g} {unit}", transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=INK
        )
    ax.set_title(title)
    ax.set_ylabel(f"[{unit}]")
    ax.set_xlim(0.0, float(time[-1]))


def _scores(ax: Axes, task: str, groups: Sequence[Any]) -> None:
    from matplotlib.ticker import MaxNLocator

    for k, one in enumerate(groups):
        colour = PALETTE[k % len(PALETTE)]
        attempts = np.arange(1, one.attempts + 1)
        label = f"{one.conditions.sentence()}\nmedian {one.median:.0f}, best {one.best:.0f}"
        if one.trend is not None:
            label += f", trend {one.trend:+.1f} an attempt"
            middle = np.median(attempts)
            ax.plot(attempts, one.median + one.trend * (attempts - middle), color=colour, linewidth=1.0, alpha=0.5)
        ax.plot(attempts, one.scores, "o-", color=colour, linewidth=1.0, markersize=4.5, label=label)
    ax.set_ylim(0.0, 103.0)
    ax.set_xlim(0.5, max(one.attempts for one in groups) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_title(task)
    ax.set_xlabel("attempt")
    ax.set_ylabel("score [points]")
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, -0.18), borderaxespad=0.0)
