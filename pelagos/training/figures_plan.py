"""The path of an attempt over the structures, seen from above, as in Royer's figure 7.1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import INK, PALETTE
from pelagos.analysis.world_scene import EAST, NORTH, scene
from pelagos.analysis.world_section import BUILT, BUILT_EDGE
from pelagos.analysis.world_view import SHALLOW
from pelagos.training.judge import Mark
from pelagos.training.observation import hull_box
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
OUTLINES = 14  # of the vehicle along the path, at most
WIDE = 2.2  # width by height above which the path goes over the whole page
MARGIN = 0.12
SMALL = 0.025  # of the plan: a structure is then drawn as a sign
LEAST_M = 1.5  # half a side of the plan


def is_wide(curve: Mapping[str, Sequence[float]]) -> bool:
    """Whether the path runs east and west rather than north and south."""
    return float(np.ptp(curve["east_m"])) > WIDE * float(np.ptp(curve["north_m"]))


def draw_path(
    ax: Axes,
    curve: Mapping[str, Sequence[float]],
    world: World | None = None,
    vehicle: Vehicle | None = None,
    marks: Sequence[Mark] = (),
) -> None:
    """Draw it north up: structures, marks of the task, the vehicle's outline now and then, start and end."""
    north, east = np.asarray(curve["north_m"]), np.asarray(curve["east_m"])
    low, high = _window(north, east, marks, wide=is_wide(curve))
    ax.set_facecolor(SHALLOW)
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


def _window(north: Array, east: Array, marks: Sequence[Mark], *, wide: bool) -> tuple[Array, Array]:
    """South-west and north-east corner (north, east) of what is shown."""
    points = [np.stack([north, east], axis=1)]
    points += [np.asarray(mark["points"], float)[:, :2] for mark in marks if "points" in mark]
    for mark in marks:
        if mark["kind"] == "ring":
            middle = np.asarray(mark["center"], float)[:2]
            points += [(middle - mark["radius_m"])[np.newaxis], (middle + mark["radius_m"])[np.newaxis]]
    spots = np.vstack(points)
    middle, half = 0.5 * (spots.min(axis=0) + spots.max(axis=0)), 0.5 * np.ptp(spots, axis=0)
    half = np.maximum(half * (1.0 + 2.0 * MARGIN), LEAST_M)
    least = 0.16 * half[1] if wide else 0.75 * half[1]
    half = np.array([max(half[0], least), max(half[1], 0.75 * half[0])])
    return middle - half, middle + half


def _structures(ax: Axes, world: World, low: Array, high: Array) -> None:
    from matplotlib.collections import PolyCollection

    for shape in sorted(scene(world).finite, key=lambda item: -float(item.solid.center[2])):
        polygons = shape.outlines(EAST, NORTH)
        ax.add_collection(
            PolyCollection(polygons, facecolors=BUILT, edgecolors=BUILT_EDGE, linewidths=0.8, alpha=0.75, zorder=3),
            autolim=False,
        )
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
        if abs(axis[2]) > 0.5:  # lies level
            north, east = n + mark["radius_m"] * np.cos(angles), e + mark["radius_m"] * np.sin(angles)
        else:  # stands across the way: seen from above a bar
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
    """The hull as a box, and its bow, at equal steps of the way made."""
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
