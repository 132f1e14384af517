"""The section of a world: the vertical cut along a line, the surface above it and profiles beside it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import BUILT_EDGE, COMMAND, INK, PALETTE, SAND, SAND_EDGE, halo
from pelagos.analysis.world.scene import (
    DOWN,
    WorldScene,
    current_profile,
    density_profile,
    fill_structure,
    labels,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
WATER, ENDLESS = "#E3F1F8", "#F3E3C8"
BEHIND = 0.35  # opacity of what the section does not cut
LEVELS = 200  # samples of a profile or a line of the bottom
TALL = 1.4  # depth by length of a section
CLOSE = (0.25, 1.8)  # a vertical exaggeration in this range is changed to true scale by showing more
SHOWN_KG_M3 = 0.01  # a density profile that varies less is not drawn
SHOWN_M_S = 1e-3  # nor a current profile that varies less


class Window(NamedTuple):
    """The part of a section that is drawn, m along it and m of depth, and its vertical exaggeration."""

    start: float
    end: float
    shallow: float
    deep: float
    stretch: float


def fit_window(ax: Axes, view: WorldScene) -> Window:
    """Choose the part of the section for a panel of known size: true to scale if that is close."""
    page: Any = ax.figure.get_figure(root=True)
    width, height = page.get_size_inches() * ax.get_position().size
    start, end = view.reach
    shallow, deep = _depths(view, start, end)
    stretch = ((end - start) / width) / ((deep - shallow) / height)
    if not CLOSE[0] < stretch < CLOSE[1]:
        return Window(start, end, shallow, deep, float(stretch))
    if stretch < 1.0:
        middle, length = 0.5 * (start + end), (deep - shallow) * width / height
        # a longer section may reach a deeper bottom
        shallow, deep = _depths(view, middle - 0.5 * length, middle + 0.5 * length)
        length = (deep - shallow) * width / height
        return Window(middle - 0.5 * length, middle + 0.5 * length, shallow, deep, 1.0)
    extra = (deep - shallow) * (stretch - 1.0)
    return Window(start, end, shallow - 0.3 * extra, deep + 0.7 * extra, 1.0)


def draw_section(ax: Axes, view: WorldScene, window: Window) -> None:
    """Draw the vertical plane along the line: surface, bottom, structures it cuts and, faint, those beside it."""
    start, end, shallow, deep, stretch = window
    s = np.linspace(start, end, 800)
    north, east = on_line(view, s)
    bottom = view.world.bottom_m(north, east)
    surface = view.world.surface_m(north, east) if view.world.surface else np.full(s.shape, shallow)
    ax.set_xlim(start, end)
    ax.set_ylim(deep, shallow)
    ax.grid(False)
    floor = np.where(np.isfinite(bottom), bottom, deep)
    ax.fill_between(s, surface, np.maximum(floor, surface), color=WATER, linewidth=0, zorder=1)
    if np.isfinite(bottom).all():
        ax.fill_between(s, bottom, deep, color=SAND, linewidth=0, zorder=2)
        ax.plot(s, bottom, color=SAND_EDGE, linewidth=1.2, zorder=2.5)
    if view.world.surface:
        ax.plot(s, np.where(floor > surface, surface, np.nan), color=PALETTE[0], linewidth=1.2, zorder=3)
    _walls(ax, view, s, shallow, deep)
    _structures(ax, view)
    for at, letter in ((0.012, "A"), (0.988, "B")):
        ax.text(at, 0.985, letter, transform=ax.transAxes, ha="left" if letter == "A" else "right", va="top",
                fontsize=9, fontweight="bold", color=INK, zorder=8)  # fmt: skip
    if stretch == 1.0:
        ax.set_aspect("equal", adjustable="box")
    scale = "true scale" if stretch == 1.0 else f"heights ×{stretch:.2g}"
    ax.set_title(f"section to {view.to_deg:.0f}°, {scale}")


def is_tall(view: WorldScene) -> bool:
    """Return whether the water is so deep that the section needs the height of the page."""
    start, end = view.reach
    shallow, deep = _depths(view, start, end)
    return deep - shallow > TALL * (end - start)


def draw_surface(ax: Axes, view: WorldScene, window: Window) -> None:
    """Draw the elevation of the surface along the section at time 0, magnified."""
    start, end = window[:2]
    s = np.linspace(start, end, 1200)
    up = -view.world.surface_m(*on_line(view, s))
    ax.fill_between(s, up, up.min() - 0.2 * np.ptp(up), color=WATER, linewidth=0)
    ax.plot(s, up, color=PALETTE[0], linewidth=1.1)
    ax.set_xlim(start, end)
    ax.set_ylim(float(up.min() - 0.15 * np.ptp(up)), float(up.max() + 0.15 * np.ptp(up)))
    ax.set_title("surface at 0 s, up [m]")
    ax.tick_params(labelbottom=False)


def varying_profiles(view: WorldScene) -> list[str]:
    """Return the profiles that change with depth, which get a panel each."""
    depths = _levels(view)
    if not len(depths):
        return []
    flow = current_profile(view.world, depths, *view.middle[:2])
    names = ["current"] if np.ptp(flow, axis=0).max() > SHOWN_M_S else []
    return names + (["density"] if np.ptp(_density(view, depths)) > SHOWN_KG_M3 else [])


def draw_profiles(axes: list[Axes], view: WorldScene, names: list[str]) -> None:
    """Draw current and density over depth."""
    depths = _levels(view)
    for ax, name in zip(axes, names, strict=True):
        if name == "current":
            flow = current_profile(view.world, depths, *view.middle[:2])
            for k, (direction, colour) in enumerate((("north", PALETTE[0]), ("east", PALETTE[1]))):
                ax.plot(flow[:, k], depths, color=colour, label=direction)
            ax.axvline(0.0, color=COMMAND, linewidth=0.7)
            ax.legend(loc="best")
            ax.set_title("current [m/s]")
        else:
            ax.plot(_density(view, depths), depths, color=PALETTE[2])
            ax.set_title("density [kg/m³]")
            ax.ticklabel_format(axis="x", useOffset=False)
        ax.xaxis.set_major_locator(_few())
        ax.tick_params(labelleft=False)


def _few() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=4)


def _density(view: WorldScene, depths: Array) -> Array:
    """Return the density if the world defines it, else its change."""
    world = view.world
    base = world.density_kg_m3 or 0.0
    if world.water is not None:
        base = world.water.surface_density_kg_m3
    return base + density_profile(view.sea, depths) + world.density_gradient_kg_m4 * depths


def _levels(view: WorldScene) -> Array:
    """Return the depths of a profile, from the surface to the bottom; empty if the water is infinitely deep."""
    deepest = float(np.max(view.world.bottom_m(*on_line(view, np.linspace(*view.reach, LEVELS)))))
    return np.linspace(0.0, deepest, LEVELS) if math.isfinite(deepest) else np.zeros(0)


def on_line(view: WorldScene, s: Array) -> tuple[Array, Array]:
    """Return north and east of points of the section."""
    return view.middle[0] + s * view.along[0], view.middle[1] + s * view.along[1]


def _depths(view: WorldScene, start: float, end: float) -> tuple[float, float]:
    """Return the depths the section spans: from above surface and structures to below the bottom."""
    bottom = view.world.bottom_m(*on_line(view, np.linspace(start, end, 400)))
    tops = [float(shape.points(DOWN, DOWN)[:, 0].min()) for shape in view.finite]
    feet = [float(shape.points(DOWN, DOWN)[:, 0].max()) for shape in view.finite]
    ends = [float(bottom.max())] if np.isfinite(bottom).all() else [1.2 * max(feet, default=0.0) or 100.0]
    deep = max(ends + [min(foot, 1.3 * ends[0]) for foot in feet])
    high = min([0.0, *tops, float(np.min(bottom))])
    span = deep - high
    return high - 0.06 * span, deep + 0.08 * span


def _walls(ax: Axes, view: WorldScene, s: Array, shallow: float, deep: float) -> None:
    z = np.linspace(shallow, deep, LEVELS)
    north, east = on_line(view, s)
    points = np.stack(np.broadcast_arrays(north[None, :], east[None, :], z[:, None]), axis=-1)
    for wall in view.walls:
        outside = wall.solid.clearance(points)
        if (outside < 0.0).any() and (outside > 0.0).any():
            ax.contourf(s, z, outside, levels=[-1e12, 0.0], colors=[ENDLESS], zorder=3.5)
            ax.contour(s, z, outside, levels=[0.0], colors=[BUILT_EDGE], linewidths=1.1, zorder=3.5)


def _structures(ax: Axes, view: WorldScene) -> None:
    texts = labels(view.finite)
    shift = float(view.middle @ view.along)
    low, high = ax.get_xlim()
    deep, shallow = ax.get_ylim()
    taken: list[tuple[float, float]] = []
    boxes: list[tuple[Array, Array]] = []  # what is drawn in front
    for shape in sorted(view.finite, key=view.is_cut, reverse=True):
        cut = view.is_cut(shape)
        polygons = [polygon - [shift, 0.0] for polygon in shape.outlines(view.along, DOWN)]
        fill_structure(ax, shape, polygons, alpha=1.0 if cut else BEHIND, zorder=4 if cut else 1.5)
        points = np.vstack(polygons)
        x, top = 0.5 * float(points[:, 0].min() + points[:, 0].max()), max(float(points[:, 1].min()), shallow)
        spot = ((x - low) / (high - low), (top - shallow) / (deep - shallow))
        # labels that would overlap are stacked; structures behind others get none
        near = sum(abs(spot[0] - a) < 0.1 and abs(spot[1] - b) < 0.035 for a, b in taken)
        hidden = any(a[0] <= x <= b[0] and a[1] < top <= b[1] for a, b in boxes)
        boxes += [(points.min(axis=0), points.max(axis=0))] if cut else []
        if shape.name in texts and low < x < high and (cut or not (near or hidden)):
            taken.append(spot)
            ax.annotate(
                texts[shape.name], (x, top), (0, 3 + 10 * near), textcoords="offset points", ha="center", fontsize=7,
                color=INK if cut else COMMAND, zorder=7, path_effects=halo(),
            )  # fmt: skip
