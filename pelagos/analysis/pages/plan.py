"""The plan page: the track from above with heading ticks, goals and the world; also several vehicles on one plan."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, halo, new_figure, save_or_show, styled
from pelagos.analysis.pages.lines import (
    DASHES,
    Array,
    event_colour,
    events_of,
    events_to_mark,
    format_panel,
    has,
    held_places,
    legend_above,
    line,
    page_title,
    thinned,
)
from pelagos.analysis.world.scene import scene
from pelagos.analysis.world.view import draw_bottom, draw_structures
from pelagos.sim.log.log import Log, LogError
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TICKS = 32  # heading ticks along a track
TICK_LENGTH = 0.017  # of the width of the plan
DART = 0.22  # half the width of a heading tick over its length
LABELS = 8  # ticks labelled with the time, at most
APART = 0.09  # of the width of the plan; labels closer together are left out
MOST_GOALS = 200  # with more goals the goal moves, and is drawn as a line
PALE = ("#F0F7FB", "#BBD9E8", "#7FB0CB")  # depths of the bottom, light below a track
PAGE = (9.0, 6.6)  # inches
ASPECT = 1.45  # width over height of the plan
MOST_PAIRS = 6  # of vehicles whose distance is drawn, the nearest first


def draw_plan(log: Log, path: object, world: World | None = None) -> Figure:
    """Draw the track of one run from above, north up."""
    figure = new_figure(path, PAGE if world is None else (PAGE[0], 0.94 * PAGE[1]), page_title(log, "plan"))
    ax: Any = figure.subplots()
    goals = goal_points(log)
    low, high = plan_frame([log], [goals])
    if world is not None:
        _surroundings(ax, world, low, high)
    width = high[1] - low[1]
    _planned(ax, log, goals)
    ax.plot(*thinned(log["east_m"], log["north_m"]), color=PALETTE[0], linewidth=1.5, zorder=5, label="track")
    if has(log, "est_north_m", "est_east_m"):
        ax.plot(*thinned(log["est_east_m"], log["est_north_m"]), color=PALETTE[1], linewidth=1.0,
                linestyle=(0, (4, 2)), zorder=5.5, label="estimate")  # fmt: skip
    _heading_ticks(ax, log, width)
    mark_ends(ax, log, PALETTE[0])
    held_places(ax, log)
    _events(ax, log)
    dress_plan(ax, low, high)
    current_arrow(ax, log)
    legend_above(ax)
    return figure


def plot_fleet(logs: Sequence[Log], path: str | os.PathLike[str] | None = None, *, world: World | None = None,
               names: Sequence[str] = ()) -> Figure:  # fmt: skip
    """Draw the tracks of several vehicles on one plan, and the distances between them over time.

    Args:
        logs: the runs, on one clock.
        path: where to write the figure (the ending chooses the format), or None to show it.
        world: where they swam; its bottom and structures are drawn.
        names: of the vehicles; default: those in the logs.
    """
    if not logs or not all(len(log) for log in logs):
        raise LogError("a plan of a fleet needs at least one log, and none of them empty")
    called = list(names) or _names(logs)
    with styled():
        paired = len(logs) > 1
        figure = new_figure(path, (PAGE[0], PAGE[1] + 2.0 * paired), f"{len(logs)} vehicles  ·  plan")
        grid: Any = figure.subplots(
            1 + paired, 1, squeeze=False, gridspec_kw={"height_ratios": [3.2, 1.0][: 1 + paired]}
        )
        ax: Axes = grid[0, 0]
        low, high = plan_frame(logs, [])
        if world is not None:
            _surroundings(ax, world, low, high)
        for k, (log, name) in enumerate(zip(logs, called, strict=True)):
            colour = PALETTE[k % len(PALETTE)]
            ax.plot(*thinned(log["east_m"], log["north_m"]), color=colour, zorder=5, label=name)
            _heading_ticks(ax, log, high[1] - low[1], colour=colour, labels=0)
            mark_ends(ax, log, colour, label=False)
        dress_plan(ax, low, high)
        legend_above(ax, columns=5)
        if paired:
            _distances(grid[1, 0], ax, logs, called)
        return save_or_show(figure, path, dpi=150, error=LogError)


def goal_points(log: Log) -> Array:
    """Return the goals in the order in which they were set, (n, 2) north and east."""
    if not has(log, "goal_north_m", "goal_east_m"):
        return np.zeros((0, 2))
    goals = np.column_stack([log["goal_north_m"], log["goal_east_m"]])
    goals = goals[np.isfinite(goals).all(axis=1)]
    fresh = np.concatenate([[True], np.any(goals[1:] != goals[:-1], axis=1)])
    return goals[fresh]


def distance_between(a: Log, b: Log) -> tuple[Array, Array]:
    """Return time, s, and distance, m, between two vehicles while both were logged, on the samples of the first."""
    start, end = max(a.time_s[0], b.time_s[0]), min(a.time_s[-1], b.time_s[-1])
    # the logs may have different rates: both are interpolated at the times of the first
    t = a.time_s[(a.time_s >= start) & (a.time_s <= end)]
    parts = [
        np.interp(t, a.time_s, a[name]) - np.interp(t, b.time_s, b[name]) for name in ("north_m", "east_m", "depth_m")
    ]
    return t, np.sqrt(sum(part**2 for part in parts))


def _names(logs: Sequence[Log]) -> list[str]:
    """Return the names of the vehicles; equal names get a number."""
    names = [str(log.meta.get("name") or log.meta.get("vehicle") or "vehicle") for log in logs]
    return [name if names.count(name) == 1 else f"{name} {names[: k + 1].count(name)}" for k, name in enumerate(names)]


def _distances(ax: Axes, plan: Axes, logs: Sequence[Log], called: list[str]) -> None:
    pairs = [(*distance_between(logs[i], logs[j]), i, j) for i, j in combinations(range(len(logs)), 2)]
    pairs = sorted((pair for pair in pairs if len(pair[0])), key=lambda pair: float(pair[1].min()))
    for k, (t, away, i, j) in enumerate(pairs[:MOST_PAIRS]):
        line(ax, t, away, PALETTE[(k + 5) % len(PALETTE)], f"{called[i]} - {called[j]}, least {away.min():.3g} m")
    if pairs:
        t, away, i, _ = pairs[0]
        when = t[int(np.argmin(away))]
        spot = [float(np.interp(when, logs[i].time_s, logs[i][name])) for name in ("east_m", "north_m")]
        plan.plot(*spot, "o", markersize=13, markerfacecolor="none", markeredgecolor=PALETTE[9], zorder=8,
                  label=f"nearest, {away.min():.3g} m at {when:.4g} s")  # fmt: skip
        legend_above(plan, columns=4)
    format_panel(ax, "distance between vehicles", "m")
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("time [s]")
    legend_above(ax, columns=3)


def plan_frame(logs: Sequence[Log], goals: Sequence[Array]) -> tuple[Array, Array]:
    """Return the corners, north and east, of a plan that holds tracks and goals with a margin."""
    spots = [np.column_stack([log["north_m"], log["east_m"]]) for log in logs] + list(goals)
    points = np.vstack(spots)
    low, high = np.nanmin(points, axis=0), np.nanmax(points, axis=0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    half = half + max(0.09 * float(half.max()), 0.5)
    half = np.array([max(half[0], half[1] / ASPECT), max(half[1], half[0] * ASPECT)])
    return middle - half, middle + half


def dress_plan(ax: Axes, low: Array, high: Array, name: str = "plan") -> None:
    """Set range, title and labels of a plan."""
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(low[1], high[1])
    ax.set_ylim(low[0], high[0])
    ax.set_title(f"{name}, north up [m]")
    ax.set_xlabel("east [m]")
    ax.set_ylabel("north [m]")


def _planned(ax: Axes, log: Log, goals: Array) -> None:
    """Draw the goals in order, joined from the start."""
    if not len(goals):
        return
    way = np.vstack([[log["north_m"][0], log["east_m"][0]], goals])
    many = len(goals) > MOST_GOALS
    north, east = thinned(way[:, 0], way[:, 1])
    ax.plot(east, north, color=COMMAND, linewidth=1.0, linestyle=DASHES, zorder=3, label="goal" if many else "planned")
    if not many:
        ax.plot(goals[:, 1], goals[:, 0], "D", color="white", markeredgecolor=COMMAND, markersize=4.5, zorder=3.5,
                label="goal")  # fmt: skip


def tick_indices(log: Log, ticks: int = TICKS) -> list[int]:
    """Return the samples of the heading ticks: evenly along the track, or in time if the vehicle hardly moved."""
    from pelagos.analysis.pages.motion import distance_over_ground_m

    way = distance_over_ground_m(log)
    ruler = way if way[-1] > 1e-3 else log.time_s - log.time_s[0]
    marks = np.linspace(0.0, float(ruler[-1]), ticks + 1)
    return sorted({min(int(k), len(log) - 1) for k in np.searchsorted(ruler, marks)})


def heading_darts(log: Log, chosen: Sequence[int], length_m: float) -> Array:
    """Return slender triangles (n, 3, 2), east and north, that point along the heading."""
    yaw = np.radians(log["heading_deg"][list(chosen)])
    middle = np.column_stack([log["east_m"][list(chosen)], log["north_m"][list(chosen)]])
    bow = length_m * np.column_stack([np.sin(yaw), np.cos(yaw)])
    beam = DART * length_m * np.column_stack([np.cos(yaw), -np.sin(yaw)])
    return np.stack([middle + 0.6 * bow, middle - 0.4 * bow + beam, middle - 0.4 * bow - beam], axis=1)


def _heading_ticks(ax: Axes, log: Log, width: float, *, colour: str = INK, labels: int = LABELS) -> None:
    """Draw heading ticks along the track, some labelled with the time."""
    from matplotlib.collections import PolyCollection

    chosen = tick_indices(log)
    yaw = np.radians(log["heading_deg"][chosen])
    start = np.column_stack([log["east_m"][chosen], log["north_m"][chosen]])
    darts = PolyCollection(
        list(heading_darts(log, chosen, TICK_LENGTH * width)), facecolors=colour, edgecolors="white", linewidths=0.4,
        zorder=6,
    )  # fmt: skip
    darts.set_gid("heading ticks")
    ax.add_collection(darts, autolim=False)
    taken: list[Array] = [start[0], start[-1]]
    # without labels the step is beyond the last tick
    every = max(1, len(chosen) // labels) if labels else len(chosen) + 1
    for k in range(every, len(chosen) - 1, every):
        if min(float(np.hypot(*(start[k] - spot))) for spot in taken) < APART * width:
            continue
        taken.append(start[k])
        side = _free_side(start[k + 1] - start[k - 1], float(yaw[k]))
        ax.annotate(
            f"{log.time_s[chosen[k]]:.0f} s", start[k], tuple(9.0 * side), textcoords="offset points", fontsize=6.5,
            color=INK,
            ha="left" if side[0] > 0.3 else "right" if side[0] < -0.3 else "center",
            va="bottom" if side[1] > 0.3 else "top" if side[1] < -0.3 else "center", zorder=7,
            path_effects=halo(),
        )  # fmt: skip


def _free_side(course: Array, yaw: float) -> Array:
    """Return the direction across the course, east and north, away from the bow; starboard if the bow points ahead."""
    length = float(np.hypot(*course))
    east, north = course / length if length > 0.0 else (math.sin(yaw), math.cos(yaw))
    starboard = np.array([north, -east])
    bow = math.sin(yaw) * starboard[0] + math.cos(yaw) * starboard[1]
    return -starboard if bow > 0.1 else starboard


def mark_ends(ax: Axes, log: Log, colour: str, *, label: bool = True) -> None:
    """Mark start and end of a track."""
    for k, face, name in ((0, "white", "start"), (-1, colour, "end")):
        ax.plot(log["east_m"][k], log["north_m"][k], "o", color=face, markeredgecolor=colour, markersize=6.5, zorder=7,
                label=name if label else None)  # fmt: skip


def _events(ax: Axes, log: Log) -> None:
    """Mark the events with their numbers, which the pages over time list."""
    marked = events_to_mark(log)
    for k, event in enumerate(events_of(log)):
        if k in marked:
            spot = [float(np.interp(event.time_s, log.time_s, log[name])) for name in ("east_m", "north_m")]
            colour = event_colour(event)
            ax.plot(*spot, "x", color=colour, markersize=5, markeredgewidth=1.3, zorder=8)
            box = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": colour, "lw": 0.5}
            ax.annotate(str(k + 1), (spot[0], spot[1]), (5, 5), textcoords="offset points", fontsize=6.5, color=colour,
                        bbox=box, zorder=8)  # fmt: skip


def current_arrow(ax: Axes, log: Log) -> None:
    """Draw an arrow for the mean current in the corner."""
    if not has(log, "current_north_m_s", "current_east_m_s"):
        return
    north, east = float(np.nanmean(log["current_north_m_s"])), float(np.nanmean(log["current_east_m_s"]))
    speed = math.hypot(north, east)
    if speed < 1e-3:
        return
    (left, right), (under, over) = ax.get_xlim(), ax.get_ylim()
    width = right - left
    middle = np.array([right - 0.08 * width, under + max(0.11 * (over - under), 0.075 * width)])
    step = np.array([east, north]) / speed * 0.035 * width
    arrow = {"arrowstyle": "-|>", "color": PALETTE[4], "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", tuple(middle + step), tuple(middle - step), zorder=8, arrowprops=arrow)
    ax.text(middle[0], middle[1] - 0.05 * width, f"current {speed:.2g} m/s", ha="center", va="center", fontsize=7,
            color=PALETTE[0], path_effects=halo(), zorder=8)  # fmt: skip


def _surroundings(ax: Axes, world: World, low: Array, high: Array) -> None:
    """Draw the bottom and the structures."""
    view = scene(world)
    ax.grid(False)
    draw_bottom(ax, view, low, high, PALE)
    draw_structures(ax, view, alpha=0.75, zorder=2)
