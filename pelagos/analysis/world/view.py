"""Draw a world on one page: plan, section, profiles and a rose of currents and waves.

The drawing uses the world as packed for the kernel. Matplotlib is an optional dependency, imported on use.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import (
    BUILT_EDGE,
    COMMAND,
    INK,
    PALETTE,
    colour_bar,
    halo,
    new_figure,
    save_or_show,
    styled,
)
from pelagos.analysis.world.scene import (
    EAST,
    NORTH,
    Array,
    StructureShape,
    WorldScene,
    current_profile,
    fill_structure,
    labels,
    scene,
    wave_summary,
)
from pelagos.analysis.world.section import (
    ENDLESS,
    Window,
    draw_profiles,
    draw_section,
    draw_surface,
    fit_window,
    is_tall,
    on_line,
    varying_profiles,
)
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEPTHS, LAND = ("#E3F1F8", "#9CC7DD", "#2C6E91"), "#EADFC8"  # shallow, middle, deep
FLOW = (PALETTE[0], PALETTE[4])  # current at the surface, at the bottom
SEA_STATE = PALETTE[2]
PAGE = (12.5, 9.0)  # inches
WIDE_PLAN, TALL_PLAN = 1.8, 1.25  # width by height of the plan on the page
NODES = 160  # of the plan, along each side
STILL_M_S = 1e-4  # a slower current is drawn as none


def draw_world(
    world: World, path: str | os.PathLike[str] | None = None, *, section_to_deg: float | None = None
) -> Figure:
    """Draw a world on one page, from above and as a section.

    Args:
        world: what to draw.
        path: where to write the figure (the ending chooses the format), or None to show it.
        section_to_deg: direction of the section, clockwise from north; default: through most structures.
    """
    with styled():
        view = scene(world, section_to_deg)
        figure = new_figure(path, PAGE, world.name.replace("_", " ") or "world")
        tall = is_tall(view)
        (plan, rose, facts), below = _tall(figure, view) if tall else _wide(figure, view)
        ax = figure.add_subplot(plan)
        _rose(figure.add_subplot(rose), view)
        _facts(figure.add_subplot(facts), view)
        window = _draw_cut(figure, below, view, tall=tall)
        draw_plan(ax, view, window, TALL_PLAN if tall else WIDE_PLAN)
        return save_or_show(figure, path)


def _wide(figure: Figure, view: WorldScene) -> tuple[tuple[Any, Any, Any], Any]:
    """Lay out the plan above the section; return the places of plan, rose and facts, and of the section."""
    upper, lower = figure.add_gridspec(2, 1, height_ratios=(1.3, 1.0))
    plan, beside = upper.subgridspec(1, 2, width_ratios=(3.3, 1.0))
    rose, facts = beside.subgridspec(2, 1, height_ratios=(1.5, 1.0))
    return (plan, rose, facts), lower


def _tall(figure: Figure, view: WorldScene) -> tuple[tuple[Any, Any, Any], Any]:
    """Lay out a page for deep water, with the section on the right in the height of the page."""
    left, right = figure.add_gridspec(1, 2, width_ratios=(1.15 - 0.12 * len(varying_profiles(view)), 1.0))
    plan, under = left.subgridspec(2, 1, height_ratios=(1.6, 1.0))
    rose, facts = under.subgridspec(1, 2, width_ratios=(1.1, 1.0))
    return (plan, rose, facts), right


def _draw_cut(figure: Figure, place: Any, view: WorldScene, *, tall: bool) -> Window:
    """Draw the section with surface and profiles; return the part of it that is shown."""
    profiles = varying_profiles(view)
    wavy = wave_summary(view.sea) is not None
    shares = [2.0 if tall else 4.6 - len(profiles), *[1.0] * len(profiles)]
    heights = ([1.0] if wavy else []) + [9.0 if tall else 4.0]
    grid = place.subgridspec(len(heights), len(shares), width_ratios=shares, height_ratios=heights)
    section = figure.add_subplot(grid[-1, 0])
    section.set_title("section")
    section.set_xlabel("along the section [m]")
    section.set_ylabel("depth [m]")
    above = figure.add_subplot(grid[0, 0]) if wavy else None
    beside = [figure.add_subplot(grid[-1, 1 + k]) for k in range(len(profiles))]
    draw_profiles(beside, view, profiles)
    figure.draw_without_rendering()  # the layout engine sets the sizes of the panels, which fit_window needs
    window = fit_window(section, view)
    draw_section(section, view, window)
    for ax in beside:
        ax.set_ylim(section.get_ylim())
    if above is not None:
        draw_surface(above, view, window)
    return window


def draw_plan(ax: Axes, view: WorldScene, window: Window, ratio: float) -> None:
    """Draw the world from above, north up: depth of the bottom, structures, walls and the line of the section."""
    ends = np.stack(on_line(view, np.array(window[:2])), axis=-1)
    low, high = _filled(view, ends, ratio)
    ax.set_aspect("equal", adjustable="box")
    ax.set_ylim(low[0], high[0])
    ax.set_xlim(low[1], high[1])
    ax.grid(False)
    if draw_bottom(ax, view, low, high):
        _crests(ax, view, low, high)
    for wall in view.walls:
        _wall(ax, view, wall, low, high)
    draw_structures(ax, view)
    ax.plot(ends[:, 1], ends[:, 0], color=INK, linewidth=0.9, linestyle=(0, (7, 3, 1.5, 3)), zorder=4)
    for point, letter in zip(ends, "AB", strict=True):
        ax.text(point[1], point[0], letter, ha="center", va="center", fontsize=9, fontweight="bold", color=INK,
                bbox={"boxstyle": "circle,pad=0.2", "fc": "white", "ec": INK, "lw": 0.8}, zorder=8)  # fmt: skip
    ax.plot(0.0, 0.0, "+", color=INK, markersize=9, markeredgewidth=1.4, zorder=6)
    ax.annotate("origin", (0.0, 0.0), (0, -13), textcoords="offset points", ha="center", fontsize=7, color=INK,
                path_effects=halo(), zorder=6)  # fmt: skip
    ax.set_title("plan, north up")
    ax.set_xlabel("east [m]")
    ax.set_ylabel("north [m]")


def _filled(view: WorldScene, ends: Array, ratio: float) -> tuple[Array, Array]:
    """Return the corners of the plan and the section, widened to the aspect ratio of the panel."""
    spots = np.vstack([view.low, view.high, ends])
    half, middle = 0.5 * np.ptp(spots, axis=0), 0.5 * (spots.min(axis=0) + spots.max(axis=0))
    half = np.array([max(half[0], half[1] / ratio), max(half[1], half[0] * ratio)])
    return middle - half, middle + half


def draw_bottom(ax: Axes, view: WorldScene, low: Array, high: Array, colours: tuple[str, str, str] = DEPTHS) -> bool:
    """Draw the depth as colours and contours, or as one colour and number if it is level; return whether it is."""
    from matplotlib.colors import LinearSegmentedColormap

    shallow, _, deep = colours
    norths, easts = (np.linspace(low[k], high[k], NODES) for k in range(2))
    z = view.world.bottom_m(norths[:, None], easts[None, :])
    if not np.isfinite(z).all():
        ax.set_facecolor(deep)
        _corner(ax, "no bottom", "white")
        return False
    top, deepest = float(z.min()), float(z.max())
    if deepest - top < 1e-3 * max(abs(deepest), 1.0):
        ax.set_facecolor(shallow)
        _corner(ax, f"level bottom, {deepest:.4g} m", INK)
        return True
    shades = LinearSegmentedColormap.from_list("sea", list(colours)).with_extremes(under=LAND)
    first = max(top, 0.0)
    image = ax.pcolormesh(easts, norths, z, cmap=shades, vmin=first, vmax=deepest, shading="gouraud", rasterized=True)
    lines = ax.contour(easts, norths, z, levels=_levels(top, deepest), colors="white", linewidths=0.7, alpha=0.9)
    ax.clabel(lines, fmt="%g", fontsize=6.5, colors=[INK])
    if top < 0.0:
        ax.contour(easts, norths, z, levels=[0.0], colors=[INK], linewidths=1.0)
    colour_bar(ax, image, "depth of the bottom [m]").ax.invert_yaxis()
    return False


def draw_structures(ax: Axes, view: WorldScene, **style: Any) -> None:
    """Draw the structures from above with their names."""
    texts = labels(view.finite)
    for shape in sorted(view.finite, key=lambda item: -float(item.solid.center[2])):
        fill_structure(ax, shape, shape.outlines(EAST, NORTH), **{"zorder": 3, **style})
    for shape in view.finite:
        if shape.name in texts:
            _label(ax, shape.points(EAST, NORTH), texts[shape.name])


def _crests(ax: Axes, view: WorldScene, low: Array, high: Array) -> None:
    """Draw the waves from above at time 0, crests light."""
    from matplotlib.colors import LinearSegmentedColormap

    if wave_summary(view.sea) is None:
        return
    norths, easts = (np.linspace(low[k], high[k], NODES) for k in range(2))
    up = -view.world.surface_m(norths[:, None], easts[None, :])
    colours = LinearSegmentedColormap.from_list("crests", ["#8FBFD9", DEPTHS[0], "#FFFFFF"])
    image = ax.pcolormesh(easts, norths, up, cmap=colours, shading="gouraud", rasterized=True)
    colour_bar(ax, image, "surface at 0 s, up [m]")


def _levels(low: float, high: float) -> list[float]:
    from matplotlib.ticker import MaxNLocator

    return [float(x) for x in MaxNLocator(nbins=8).tick_values(low, high) if low < x < high]


def _wall(ax: Axes, view: WorldScene, wall: StructureShape, low: Array, high: Array) -> None:
    """Draw the solid side of a half space at half the water depth."""
    norths, easts = (np.linspace(low[k], high[k], NODES) for k in range(2))
    depth = view.world.still_depth_m
    level = 0.5 * depth if math.isfinite(depth) else 1.0
    points = np.stack(np.broadcast_arrays(norths[:, None], easts[None, :], level), axis=-1)
    outside = wall.solid.clearance(points)
    if (outside < 0.0).any() and (outside > 0.0).any():
        ax.contourf(easts, norths, outside, levels=[-1e12, 0.0], colors=[ENDLESS], zorder=2)
        ax.contour(easts, norths, outside, levels=[0.0], colors=[BUILT_EDGE], linewidths=1.2, zorder=2)
        for north, east in wall.solid.crossings():
            ax.annotate(wall.name, (east, north), ha="center", va="center", fontsize=7, color=INK, zorder=7,
                        path_effects=halo(), rotation=90.0 * (abs(wall.solid.axes[1, 2]) > 0.7))  # fmt: skip


def _label(ax: Axes, points: Any, text: str) -> None:
    """Label a structure above its outline, or along it if it is slender and runs north."""
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = 0.5 * (low + high)
    upright = high[1] - low[1] > 4.0 * (high[0] - low[0])
    ax.annotate(text, (x, y if upright else high[1]), (0, 0) if upright else (0, 3), textcoords="offset points",
                ha="center", va="center" if upright else "bottom", rotation=90 if upright else 0, fontsize=7, color=INK,
                path_effects=halo(), zorder=7, annotation_clip=True)  # fmt: skip


def _corner(ax: Axes, text: str, colour: str) -> None:
    ax.text(0.01, 0.015, text, transform=ax.transAxes, fontsize=7.5, color=colour, zorder=5)


def _rose(ax: Axes, view: WorldScene) -> None:
    """Draw the directions of currents and waves on a compass."""
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(-1.55, 1.55)
    ax.set_ylim(-1.75, 1.4)
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    for radius in (0.5, 1.0):
        ax.plot(radius * np.sin(turn), radius * np.cos(turn), color=COMMAND, linewidth=0.6)
    for k, letter in enumerate("NESW"):
        x, y = math.sin(k * math.pi / 2), math.cos(k * math.pi / 2)
        ax.text(1.17 * x, 1.17 * y, letter, ha="center", va="center", color=INK, fontweight="bold" if k == 0 else None)
    depth = view.world.still_depth_m
    levels = np.array([0.0, depth if math.isfinite(depth) else 0.0])
    flow = current_profile(view.world, levels, *view.middle[:2])
    speeds = np.hypot(flow[:, 0], flow[:, 1])
    fastest = float(speeds.max())
    row = -1.45
    same = bool(np.abs(flow[1] - flow[0]).max() < STILL_M_S)
    names = ["current" if same else "current, surface", "current, bottom"]
    for k in (0,) if same else (1, 0):
        if fastest < STILL_M_S:
            continue
        reach = speeds[k] / fastest
        _arrow(ax, float(flow[k, 1] / fastest), float(flow[k, 0] / fastest), FLOW[k]) if reach > 0.08 else None
        to = math.degrees(math.atan2(flow[k, 1], flow[k, 0])) % 360.0
        text = f"{names[k]}: {speeds[k]:.2g} m/s" + (f" to {to:.0f}°" if speeds[k] > STILL_M_S else "")
        ax.text(0.0, row, text, ha="center", fontsize=7.5, color=FLOW[k])
        row -= 0.19
    waves = wave_summary(view.sea)
    if waves is not None:
        height, to, _ = waves
        _arrow(ax, 0.75 * math.sin(to), 0.75 * math.cos(to), SEA_STATE, style=(0, (4, 1.5)))
        kind = "height" if view.world.waves is not None and view.world.waves.kind == "regular" else "Hs"
        text = f"waves: {kind} {_height(view, height):.2g} m to {math.degrees(to) % 360.0:.0f}°"
        ax.text(0.0, row, text, ha="center", fontsize=7.5, color=SEA_STATE)
    elif fastest < STILL_M_S:
        ax.text(0.0, row, "still water", ha="center", fontsize=7.5, color=INK)
    ax.set_title("going to", loc="center", y=0.97)


def _height(view: WorldScene, significant: float) -> float:
    """Return the height of a regular wave: four standard deviations, divided by sqrt 2."""
    regular = view.world.waves is not None and view.world.waves.kind == "regular"
    return significant / math.sqrt(2.0) if regular else significant


def _arrow(ax: Axes, x: float, y: float, colour: str, style: Any = "-") -> None:
    how = {"arrowstyle": "-|>,head_width=0.35,head_length=0.7", "color": colour, "lw": 2.0, "ls": style,
           "shrinkA": 0, "shrinkB": 0}  # fmt: skip
    ax.annotate("", (x, y), (0.0, 0.0) if style == "-" else (-x, -y), arrowprops=how)


def _facts(ax: Axes, view: WorldScene) -> None:
    """Print the summary of the world."""
    from textwrap import wrap

    ax.set_axis_off()
    world = view.world
    lines = wrap(world.summary, 40)
    depth = world.still_depth_m
    lines += ["", f"depth  {depth:g} m" if math.isfinite(depth) else "depth  endless"]
    if world.water is not None:
        lines += [f"water  {world.water.surface_density_kg_m3:.5g} kg/m³ at the surface"]
    lines += [f"structures  {len(world.structures)}"] if world.structures else []
    lines += [] if world.surface else ["no surface"]
    ax.text(0.0, 1.0, "\n".join(lines), transform=ax.transAxes, va="top", fontsize=7.8, color=INK, linespacing=1.35)
