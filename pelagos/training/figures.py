"""Figures of training: an attempt as path and curves, and the scores of a pilot over attempts.

The path over the structures, seen from above, follows figure 7.1 of Royer, the curves follow his figure 7.3. Drawing
uses matplotlib, an optional dependency that is imported when a figure is drawn.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import BUILT, BUILT_EDGE, COMMAND, INK, PALETTE, new_figure, save_or_show, styled
from pelagos.analysis.world.scene import EAST, NORTH, fill_structure, scene
from pelagos.analysis.world.view import DEPTHS
from pelagos.errors import CommandError, PelagosError
from pelagos.training.judge import Mark
from pelagos.training.observation import hull_box
from pelagos.training.results import PilotProgress, Result, compare
from pelagos.training.task import load_task
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Array = NDArray[np.float64]
OUTLINES = 14  # most outlines of the vehicle along the path
WIDE = 2.2  # ratio of width to height above which the plan takes the whole width of the page
MARGIN = 0.12
SMALL = 0.025  # of the plan: a smaller structure is drawn as a symbol
LEAST_M = 1.5  # least half side of the plan
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
    """Draw an attempt: the path over the structures, and each judged value over time.

    A distance is negative while the vehicle is in the structure, as in figure 7.3; that part is shaded.

    Args:
        result: a result with its curve.
        path: where to write the figure (the ending chooses the format), or None to show it.
    """
    if not result.curve or len(result.curve["time_s"]) < 2:
        raise CommandError("the attempt was too short; there is nothing to draw", key=f"task {result.task}")
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
        return save_or_show(figure, path)


def draw_progress(results: Sequence[Result], path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw the scores of a pilot over attempts, a panel for each task, a line for each set of conditions.

    Args:
        results: of one pilot, oldest first.
        path: where to write the figure (the ending chooses the format), or None to show it.
    """
    if not results:
        raise CommandError("there are no results to draw")
    with styled():
        groups = compare(results)
        tasks = list(dict.fromkeys(group.task for group in groups))
        columns = min(len(tasks), 2)
        rows = -(-len(tasks) // columns)
        pilot = results[-1].pilot or "pilot"
        figure = new_figure(path, (max(5.8 * columns, 6.5), 0.6 + 3.3 * rows), f"{pilot}: scores over attempts")
        panels: Any = figure.subplots(rows, columns, squeeze=False)
        for ax in panels.flat[len(tasks) :]:
            ax.set_axis_off()
        for ax, task in zip(panels.flat, tasks, strict=False):
            _scores(ax, task, [group for group in groups if group.task == task])
        return save_or_show(figure, path)


def is_wide(curve: Mapping[str, Sequence[float]]) -> bool:
    """Whether the path is much longer from west to east than from south to north."""
    return float(np.ptp(curve["east_m"])) > WIDE * float(np.ptp(curve["north_m"]))


def draw_path(
    ax: Axes,
    curve: Mapping[str, Sequence[float]],
    world: World | None = None,
    vehicle: Vehicle | None = None,
    marks: Sequence[Mark] = (),
) -> None:
    """Draw a path, north up: structures, marks of the task, outlines of the vehicle, start and end."""
    north, east = np.asarray(curve["north_m"]), np.asarray(curve["east_m"])
    low, high = _window(north, east, marks, wide=is_wide(curve))
    ax.set_facecolor(DEPTHS[0])
    ax.grid(False)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(low[1], high[1])
    ax.set_ylim(low[0], high[0])
    if world is not None:
        _structures(ax, world, low, high)
        _current(ax, world, (float(north[0]), float(east[0]), float(curve["depth_m"][0])))
    for mark in marks:
        _mark(ax, mark)
    ax.plot(east, north, color=PALETTE[0], linewidth=1.5, zorder=6, label="path")
    if vehicle is not None:
        _outlines(ax, curve, vehicle)
    ax.plot(east[0], north[0], "o", color="white", markeredgecolor=INK, markersize=6, zorder=8, label="start")
    ax.plot(east[-1], north[-1], "o", color=INK, markersize=6, zorder=8, label="end")
    ax.set_title("path, north up")
    ax.set_xlabel("east [m]")
    ax.set_ylabel("north [m]")
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, borderaxespad=0.2, columnspacing=1.2)


def _title(result: Result) -> str:
    who = f"  ·  {result.pilot}" if result.pilot else ""
    return f"{result.title}{who}  ·  {result.score:.0f} points, {result.ended}\n{result.conditions.sentence()}"


def _plan(ax: Axes, result: Result) -> None:
    try:
        task = load_task(result.task)
        world = task.world_for(result.conditions, result.seed)
        vehicle = task.vehicle() if task.header.vehicle == result.vehicle else None
        draw_path(ax, result.curve, world, vehicle, task.marks(world))
    except PelagosError:  # the file of a user's task may be gone: the path alone
        draw_path(ax, result.curve)


def _curve(ax: Axes, result: Result, name: str) -> None:
    """A value over time, with its rms; negative distances are shaded."""
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


def _scores(ax: Axes, task: str, groups: Sequence[PilotProgress]) -> None:
    from matplotlib.ticker import MaxNLocator

    for k, group in enumerate(groups):
        colour = PALETTE[k % len(PALETTE)]
        attempts = np.arange(1, group.attempts + 1)
        label = f"{group.conditions.sentence()}\nmedian {group.median:.0f}, best {group.best:.0f}"
        if group.trend is not None:
            label += f", trend {group.trend:+.1f} an attempt"
            middle = np.median(attempts)
            ax.plot(attempts, group.median + group.trend * (attempts - middle), color=colour, linewidth=1.0, alpha=0.5)
        ax.plot(attempts, group.scores, "o-", color=colour, linewidth=1.0, markersize=4.5, label=label)
    ax.set_ylim(0.0, 103.0)
    ax.set_xlim(0.5, max(group.attempts for group in groups) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_title(task)
    ax.set_xlabel("attempt")
    ax.set_ylabel("score [points]")
    ax.legend(loc="upper left", bbox_to_anchor=(0.0, -0.18), borderaxespad=0.0)


def _window(north: Array, east: Array, marks: Sequence[Mark], *, wide: bool) -> tuple[Array, Array]:
    """South-west and north-east corner (north, east) of the plan."""
    points = [np.stack([north, east], axis=1)]
    points += [np.asarray(mark["points"], float)[:, :2] for mark in marks if "points" in mark]
    for mark in marks:
        if mark["kind"] == "ring":
            middle = np.asarray(mark["center"], float)[:2]
            points += [(middle - mark["radius_m"])[np.newaxis], (middle + mark["radius_m"])[np.newaxis]]
    spots = np.vstack(points)
    middle, half = 0.5 * (spots.min(axis=0) + spots.max(axis=0)), 0.5 * np.ptp(spots, axis=0)
    half = np.maximum(half * (1.0 + 2.0 * MARGIN), LEAST_M)
    # Limits of the aspect ratio, so that the plan fills its place on the page.
    least = 0.16 * half[1] if wide else 0.75 * half[1]
    half = np.array([max(half[0], least), max(half[1], 0.75 * half[0])])
    return middle - half, middle + half


def _structures(ax: Axes, world: World, low: Array, high: Array) -> None:
    # Deepest first, so that higher structures cover them.
    for shape in sorted(scene(world).finite, key=lambda item: -float(item.solid.center[2])):
        polygons = shape.outlines(EAST, NORTH)
        fill_structure(ax, shape, polygons, alpha=0.75, zorder=3)
        corners = np.clip(np.vstack(polygons), (low[1], low[0]), (high[1], high[0]))
        middle = np.vstack(polygons).mean(axis=0)
        within = (middle[::-1] > low).all() and (middle[::-1] < high).all()
        if within and np.ptp(np.vstack(polygons), axis=0).max() < SMALL * float(np.max(high - low)):
            ax.plot(*middle, "D", color=BUILT, markeredgecolor=BUILT_EDGE, markersize=5.5, zorder=4)
        if np.ptp(corners, axis=0).min() > 0.02 * float(np.max(high - low)) and not shape.name.startswith("dock"):
            ax.annotate(
                shape.name, corners.mean(axis=0), ha="center", va="center", fontsize=7, color=BUILT_EDGE, zorder=4
            )


def _current(ax: Axes, world: World, place: tuple[float, float, float]) -> None:
    flow = world.water_velocity([place])[0]
    speed = math.hypot(flow[0], flow[1])
    if speed < 1e-3:
        return
    tip = 0.05 * np.array([flow[1], flow[0]]) / speed
    middle = np.array([0.93, 0.84])
    arrow = {"arrowstyle": "-|>", "color": PALETTE[4], "lw": 2.0}
    ax.annotate("", tuple(middle + tip), tuple(middle - tip), xycoords="axes fraction", arrowprops=arrow, zorder=9)
    ax.text(0.93, 0.74, f"{speed:.2g} m/s", transform=ax.transAxes, ha="center", va="top", fontsize=7, color=PALETTE[0])


def _mark(ax: Axes, mark: Mark) -> None:
    colour = mark.get("colour", INK)
    if mark["kind"] == "ring":
        angles = np.linspace(0.0, 2.0 * math.pi, 73)
        axis, (n, e, _) = np.asarray(mark["axis"], float), mark["center"]
        if abs(axis[2]) > 0.5:  # horizontal ring
            north, east = n + mark["radius_m"] * np.cos(angles), e + mark["radius_m"] * np.sin(angles)
        else:  # upright ring across the way: a bar in the plan
            across = mark["radius_m"] * np.array([-axis[1], axis[0]])
            north, east = np.array([n - across[0], n + across[0]]), np.array([e - across[1], e + across[1]])
        ax.plot(east, north, color=colour, linewidth=1.4, linestyle=(0, (4, 2)), zorder=5)
        return
    points = np.asarray(mark["points"], float)
    if mark["kind"] == "point":
        ax.plot(points[:, 1], points[:, 0], "x", color=colour, markersize=6, markeredgewidth=1.6, zorder=5)
        return
    if mark["kind"] in ("triangle", "gate", "spot"):
        points = np.vstack([points, points[:1]])
    ax.plot(points[:, 1], points[:, 0], color=colour, linewidth=1.4, linestyle=(0, (4, 2)), zorder=5)


def _outlines(ax: Axes, curve: Mapping[str, Sequence[float]], vehicle: Vehicle) -> None:
    """The hull as a pentagon with its bow, at equal distances along the path."""
    from matplotlib.collections import PolyCollection

    low, high = hull_box(vehicle)
    body = np.array([(high[0], 0.0), (high[0], high[1]), (low[0], high[1]), (low[0], low[1]), (high[0], low[1])])
    north, east = np.asarray(curve["north_m"]), np.asarray(curve["east_m"])
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(north), np.diff(east)))])
    count = int(np.clip(way[-1] / max(high[0] - low[0], 0.1), 1, OUTLINES))
    polygons: list[Any] = []
    for k in np.unique(np.searchsorted(way, np.linspace(0.0, way[-1], count + 1)).clip(0, len(way) - 1)):
        c, s = (f(math.radians(curve["heading_deg"][int(k)])) for f in (math.cos, math.sin))
        outline = body @ np.array([[c, s], [-s, c]]) + (north[k], east[k])
        polygons.append(outline[:, ::-1])
    ax.add_collection(
        PolyCollection(polygons, facecolors="none", edgecolors=PALETTE[0], linewidths=0.6, alpha=0.8, zorder=7),
        autolim=False,
    )
