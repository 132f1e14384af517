"""Figures of a log: any columns over time, or the whole run on one page.

Matplotlib is an optional dependency, imported when a figure is drawn. Saving a figure needs no screen.
Every axis shows its unit, taken from the ending of the column name; a quantity has the same colour in all panels.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import INK, PALETTE, STYLE, new_figure, save_or_show, styled
from pelagos.analysis.pages.actuators import KINDS
from pelagos.analysis.pages.forces import acting_axes, clip_spikes, label_no_force, term_colours
from pelagos.analysis.pages.lines import (
    column_lines,
    format_panel,
    has,
    heading_line,
    held_places,
    legend_below_title,
    line,
    setpoint_line,
    split_unit,
    thinned,
    unwrap_heading,
)
from pelagos.analysis.pages.plan import current_arrow, dress_plan, mark_ends, plan_frame
from pelagos.analysis.pages.tether import TETHER_PAGE, has_tether, plot_tether
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]
__all__ = ["INK", "PALETTE", "STYLE", "draw_pages", "plot_columns", "plot_mission", "split_unit", "unwrap_heading"]

SHARE_SHOWN = 0.02  # force terms below this share of the largest on their axis are not drawn
FORCES = ((0, "surge X", "N"), (2, "heave Z (down)", "N"), (5, "yaw N", "N m"))
RATES = ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s")
MOST_TERMS = 6  # and at most this many are drawn


def plot_columns(log: Log, columns: Sequence[str], path: str | os.PathLike[str] | None = None) -> Figure:
    """Plot columns against time, one panel below the other.

    Args:
        log: the run.
        columns: names accepted by `log[name]`; forces such as "thrusters_X_N" included. "tether" alone draws
            the tether page.
        path: where to write the figure (the ending chooses the format), or None to show it.
    """
    if list(columns) == [TETHER_PAGE]:
        return plot_tether(log, path)
    series = [(name, log[name]) for name in columns]  # an unknown name fails before matplotlib is imported
    with styled():
        return _draw_columns(log, series, path)


def _draw_columns(log: Log, series: list[tuple[str, Array]], path: str | os.PathLike[str] | None) -> Figure:
    figure = new_figure(path, (7.5, 0.9 + 1.7 * len(series)), None)
    axes: list[Axes] = list(figure.subplots(len(series), 1, squeeze=False).flat)
    for ax, (name, values) in zip(axes, series, strict=True):
        label, unit = split_unit(name)
        if name == "heading_deg":
            heading_line(ax, log)
        else:
            line(ax, log.time_s, values, PALETTE[0])
            setpoint_line(ax, log, name)
        format_panel(ax, label, unit, down=name == "depth_m")
    for ax in axes[:-1]:  # only the lowest panel labels the common time axis
        ax.set_xlabel(" ", fontsize=2)
        ax.tick_params(labelbottom=False)
    return _finish(figure, axes, path)


def plot_mission(log: Log, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw a run on one page: track, depth, heading, speeds, attitude, forces and all actuators."""
    if not len(log):
        raise LogError("the log is empty, there is nothing to draw")
    with styled():
        return _draw_mission(log, path)


def _draw_mission(log: Log, path: str | os.PathLike[str] | None) -> Figure:
    groups = actuator_groups(log)
    rows = [1.0, 1.0, *([1.0] if len(log.forces) else []), *([1.1] if groups else [])]
    figure = new_figure(path, (12.5, 2.75 * sum(rows)), _title(log))
    grid = figure.add_gridspec(len(rows), 3, height_ratios=rows)
    axes: list[Axes] = [figure.add_subplot(grid[k // 3, k % 3]) for k in range(9 if len(log.forces) else 6)]
    t = log.time_s
    _track(axes[0], log)

    line(axes[1], t, log["depth_m"], PALETTE[0])
    setpoint_line(axes[1], log, "depth_m")
    format_panel(axes[1], "depth", "m", down=True)

    heading_line(axes[2], log)
    format_panel(axes[2], "heading", "deg")

    column_lines(axes[3], log, ("surge_m_s", "sway_m_s", "heave_m_s"))
    setpoint_line(axes[3], log, "speed_m_s")
    format_panel(axes[3], "speed over ground, body axes", "m/s", legend=True)
    column_lines(axes[4], log, ("roll_deg", "pitch_deg"))
    format_panel(axes[4], "roll and pitch", "deg", legend=True)
    _altitude_or_rates(axes[5], log)

    for ax, (k, axis_name, unit) in zip(axes[6:], FORCES, strict=False):
        if acting_axes(log)[k]:
            _forces(ax, log, k, term_colours(log))
        else:
            label_no_force(ax, log)
        format_panel(ax, f"forces in {axis_name}", unit, legend=True)
        clip_spikes(ax, log, k)
    if groups:
        wide = [min(max(sum(len(_actuator_name(name)) + 6 for name in names), 30), 90) for names in groups.values()]
        row = grid[-1, :].subgridspec(1, len(groups), width_ratios=wide)
        for k, ((kind, unit), names) in enumerate(groups.items()):
            axes.append(figure.add_subplot(row[0, k]))
            _actuators(axes[-1], log, kind, unit, names)
    return _finish(figure, axes, path)


def draw_pages(log: Log, path: str, columns: Sequence[str] = (), *, world: World | None = None) -> list[str]:
    """Save the figure of a log and, without `columns`, the tether page of a run with a tether; return the files."""
    if list(columns) == [TETHER_PAGE]:
        plot_tether(log, path, world=world)
        return [path]
    log.plot(*columns, path=path)
    if columns or not has_tether(log):
        return [path]
    stem, ending = os.path.splitext(path)
    beside = f"{stem}-tether{ending}"
    plot_tether(log, beside, world=world)
    return [path, beside]


def _finish(figure: Figure, axes: Iterable[Axes], path: str | os.PathLike[str] | None) -> Figure:
    for ax in axes:
        if not ax.get_xlabel():
            ax.set_xlabel("time [s]")
    return save_or_show(figure, path, dpi=150, error=LogError)


def _title(log: Log) -> str:
    """Return the title: vehicle, seed, integrator and step, which a reader needs to repeat the run."""
    parts = [str(log.meta.get("vehicle_name") or log.meta.get("vehicle") or "mission")]
    parts += [f"{key} {log.meta[key]}" for key in ("seed", "integrator") if key in log.meta]
    if "step_s" in log.meta:
        step = log.meta["step_s"]
        parts.append(f"step {step:.4g} s" if isinstance(step, float) else f"step {step} s")
    return "  ·  ".join(parts)


def _track(ax: Axes, log: Log) -> None:
    """Draw the track seen from above, with start, end and the mean current."""
    ax.plot(*thinned(log["east_m"], log["north_m"]), color=PALETTE[0])
    mark_ends(ax, log, INK)
    dress_plan(ax, *plan_frame([log], []), "track")
    held_places(ax, log)
    legend_below_title(ax)
    current_arrow(ax, log)


def actuator_groups(log: Log) -> dict[tuple[str, str], list[str]]:
    """Group actuator columns by kind and unit; each group is drawn in one panel."""
    groups: dict[tuple[str, str], list[str]] = {}
    for kind in KINDS:
        for name in (name for name in log.columns if name.startswith(f"{kind}_")):
            groups.setdefault((kind, split_unit(name)[1]), []).append(name)
    return groups


def _actuator_name(name: str) -> str:
    """Return the name of an actuator from the name of its column."""
    return split_unit(name)[0].partition(" ")[2]


def _actuators(ax: Axes, log: Log, kind: str, unit: str, names: list[str]) -> None:
    """Draw the actuators of one kind and unit."""
    for k, name in enumerate(names):
        line(ax, log.time_s, log[name], PALETTE[k % len(PALETTE)], _actuator_name(name))
    format_panel(ax, kind + "s" if kind != "ballast" else kind, unit, legend=True)


def _altitude_or_rates(ax: Axes, log: Log) -> None:
    """Draw the altitude with its setpoint if the log has it, else the body rates."""
    if has(log, "altitude_m"):
        line(ax, log.time_s, log["altitude_m"], PALETTE[1])
        setpoint_line(ax, log, "altitude_m")
        format_panel(ax, "altitude over the bottom", "m")
        return
    rates = [name for name in RATES if has(log, name)]
    if not rates:
        ax.set_axis_off()
        return
    column_lines(ax, log, rates)
    format_panel(ax, "rates about the body axes", "deg/s", legend=True)


def _forces(ax: Axes, log: Log, k: int, colours: dict[str, str]) -> None:
    size = {term: float(np.nanmax(np.abs(log.forces[term][:, k]), initial=0.0)) for term in colours}
    largest = max(size.values(), default=0.0)
    shown = sorted((term for term in size if size[term] > SHARE_SHOWN * largest), key=lambda term: -size[term])
    for term in shown[:MOST_TERMS]:
        line(ax, log.time_s, log.forces[term][:, k], colours[term], term.replace("_", " "))
    ax.axhline(0.0, color=INK, linewidth=0.6)
