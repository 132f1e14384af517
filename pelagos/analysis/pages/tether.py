"""The tether page: shape, tension, status and length of the tether of a run; also its summary as text."""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, INK, PALETTE, SAND, SAND_EDGE, new_figure, save_or_show, styled
from pelagos.analysis.pages.lines import page_title
from pelagos.analysis.world.scene import DOWN, EAST, NORTH, fill_structure, scene
from pelagos.sim.log.log import Array, Log, LogError
from pelagos.tether.spec import WORDS
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TETHER_PAGE = "tether"  # the page, where names of columns are expected
INSTANTS = 6  # at which the shape is drawn
MARGIN, LEAST_M = 0.12, 0.5  # around the shapes: share of their extent, and the least margin
PANEL = 1.3  # width over height
SEABED_NEAR = 1.5  # the bottom is drawn down to this multiple of the depth of the cable
VEHICLE, SHIP = PALETTE[1], PALETTE[0]
BAD = ("overload", "parted", "unreachable", "not converged")
LOST = "--"
BRIEFEST = 0.004  # of the run; a shorter status is drawn this long, or it would vanish between pixels
LEAST_ROWS = 3  # of the status panel
HIGHEST_RATIO = 5.0  # drawn; the ratio is infinite for a vehicle at the ship
WIDTH = 96  # of a line of text
AXES = ("north", "east", "depth")


def has_tether(log: Log) -> bool:
    """Return whether the run has a tether."""
    return "tether_status" in log and "tether_00_north_m" in log


def shapes(log: Log) -> Array:
    """Return the points of the cable from ship to vehicle, (samples, points, 3): north, east, depth in m."""
    count = sum(name.startswith("tether_") and name.endswith("_north_m") for name in log.columns)
    columns = [log[f"tether_{i:02d}_{axis}_m"] for i in range(count) for axis in AXES]
    return np.stack(columns, axis=-1).reshape(len(log), count, 3)


def status_masks(log: Log) -> dict[str, NDArray[np.bool_]]:
    """Return each status that occurred, in words, with a mask of the samples at which it held."""
    bits = log["tether_status"].astype(int)
    held = {word: (bits & int(flag)) != 0 for flag, word in WORDS.items()}
    return {word: mask for word, mask in held.items() if mask.any()}


def spans(time_s: Array, mask: NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """Yield start and duration, s, of each time a status held; a sample covers the interval before it."""
    # indices of changes: first sample of a span, first sample after it, and so on
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    for first, after in edges.reshape(-1, 2):
        start = float(time_s[max(first - 1, 0)])
        yield start, float(time_s[after - 1]) - start


def tether_summary(log: Log) -> list[str]:
    """Summarise the tether of a run: length, largest tension, shares of time of each status, wrap angle."""
    if not has_tether(log):
        return []
    at_vehicle, at_ship = log["tether_tension_N"], log["tether_ship_tension_N"]
    length = log["tether_length_m"]
    lengths = f"{length[-1]:.4g} m" if np.ptp(length) < 1e-6 else f"{length.min():.4g} to {length.max():.4g} m"
    strongest = log.time_s[int(np.argmax(np.maximum(at_vehicle, at_ship)))]
    lines = [
        f"tether of {lengths}: largest tension {at_vehicle.max():.3g} N at the vehicle, {at_ship.max():.3g} N at the "
        f"ship, t = {strongest:.1f} s"
    ]
    shares = [f"{word} {_percent(float(mask.mean()))}" for word, mask in status_masks(log).items()]
    if shares:
        text = "of the time it was " + ", ".join(shares)
        lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    wrap = log["tether_wrap_deg"]
    if wrap.max() >= 1.0:
        lines.append(f"  turned round a structure by up to {wrap.max():.0f} deg, {wrap[-1]:.0f} deg at the end")
    return lines


def _percent(share: float) -> str:
    """Format a share as percent, never rounded to zero."""
    return f"{100.0 * share:.0f} %" if share >= 0.01 else "below 1 %"


def plot_tether(log: Log, path: str | os.PathLike[str] | None = None, *, world: World | None = None) -> Figure:
    """Draw the tether of a run on one page.

    Args:
        log: the run.
        path: where to write the figure (the ending chooses the format), or None to show it.
        world: where it was run, to draw bottom and structures. Default: the flat bottom of the log.
    """
    if not len(log) or not has_tether(log):
        raise LogError("the log has no tether to draw; run with --tether, or Simulation(..., tether=True)")
    with styled():
        figure = new_figure(path, (9.5, 7.6), page_title(log, TETHER_PAGE))
        grid = figure.add_gridspec(3, 2, height_ratios=(2.6, 1.2, 0.9))
        places = shapes(log)
        whole = np.flatnonzero(np.isfinite(places).all(axis=(1, 2)))  # a parted cable has no shape
        if not len(whole):
            raise LogError("the tether of this log has no shape to draw: it had parted from the start")
        chosen = sorted({int(whole[round(k)]) for k in np.linspace(0, len(whole) - 1, INSTANTS)})
        _plan(figure.add_subplot(grid[0, 0]), log, places, chosen, world)
        _elevation(figure.add_subplot(grid[0, 1]), log, places, chosen, world)
        tension = figure.add_subplot(grid[1, 0])
        _tension(tension, log)
        _status(figure.add_subplot(grid[2, 0], sharex=tension), log)
        length = figure.add_subplot(grid[1, 1], sharex=tension)
        _over_time(length, log, "tether_length_m", "length paid out [m]")
        ratio = figure.add_subplot(grid[2, 1], sharex=tension)
        _over_time(ratio, log, "tether_ratio", "length over distance, ship to vehicle")
        for ax in (tension, length):
            ax.tick_params(labelbottom=False)
        return save_or_show(figure, path, dpi=130, error=LogError)


def _plan(ax: Axes, log: Log, places: Array, chosen: list[int], world: World | None) -> None:
    """Draw the cable from above, north up."""
    _cables(ax, log, places[..., 1], places[..., 0], chosen, log["east_m"], log["north_m"])
    low, high = _filled(*_frame(places[..., 1], places[..., 0]))
    if world is not None:
        _solids(ax, world, EAST, NORTH)
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_title("plan, north up")
    ax.set_xlabel("east [m]")
    ax.set_ylabel("north [m]")
    ax.legend(loc="best", fontsize=7)


def _elevation(ax: Axes, log: Log, places: Array, chosen: list[int], world: World | None) -> None:
    """Draw the cable from the side on which it spreads most."""
    along = _spread(places)
    aside = log["north_m"] * along[0] + log["east_m"] * along[1]
    _cables(ax, log, places @ along, places[..., 2], chosen, aside, log["depth_m"])
    low, high = _frame(places @ along, places[..., 2])
    s = np.linspace(low[0] - 2.0 * (high[0] - low[0]), high[0] + 2.0 * (high[0] - low[0]), 1000)
    middle = np.nanmean(places[..., :2], axis=(0, 1))
    across = middle - along[:2] * float(middle @ along[:2])
    bottom = _bottom(log, world, across[0] + s * along[0], across[1] + s * along[1])
    deepest = float(np.nanmax(places[..., 2]))
    reach = float(log["tether_length_m"].max())
    if np.isfinite(bottom).all() and float(bottom.min()) < max(deepest + 0.5 * reach, SEABED_NEAR * deepest):
        near = bottom[(s >= low[0]) & (s <= high[0])]
        high[1] = max(high[1], float(near.max()) + 0.05 * (float(near.max()) - low[1]))
    low, high = _filled(low, high)
    if np.isfinite(bottom).all() and float(bottom.min()) < high[1]:
        ax.fill_between(s, bottom, max(high[1], float(bottom.max())), color=SAND, linewidth=0, zorder=1)
        ax.plot(s, bottom, color=SAND_EDGE, linewidth=1.2, zorder=1.5)
    if world is not None:
        _solids(ax, world, along, DOWN)
    if low[1] < 0.0 < high[1]:
        ax.axhline(0.0, color=PALETTE[4], linewidth=1.2, zorder=1.5)
        ax.annotate("surface", (0.995, 0.0), (0, 2), ("axes fraction", "data"), "offset points", ha="right", fontsize=7,
                    color=PALETTE[0])  # fmt: skip
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(high[1], low[1])
    to = math.degrees(math.atan2(along[1], along[0])) % 360.0
    ax.set_title(f"elevation, {to:.0f}° to the right")
    ax.set_xlabel(f"towards {to:.0f}° [m]")
    ax.set_ylabel("depth [m]")


def _spread(places: Array) -> Array:
    """Return the horizontal direction of the largest spread of the cable, towards east; a unit vector, NED."""
    flat = places[..., :2].reshape(-1, 2)
    flat = flat[np.isfinite(flat[:, 0])]
    off = flat - flat.mean(axis=0)
    _, vectors = np.linalg.eigh(off.T @ off)
    x, y = vectors[:, 1]  # of the largest eigenvalue
    if abs(float(np.abs(off).max())) < 1e-6:
        x, y = 1.0, 0.0
    # rounded, because the sign of an eigenvector is arbitrary and y may be zero up to rounding
    sign = -1.0 if (round(y, 9), round(x, 9)) < (0.0, 0.0) else 1.0
    return np.array([sign * x, sign * y, 0.0])


def _cables(ax: Axes, log: Log, x: Array, y: Array, chosen: list[int], rov_x: Array, rov_y: Array) -> None:
    """Draw the cable at some instants, later ones darker, and the paths of ship and vehicle."""
    from matplotlib import colormaps

    ax.plot(rov_x, rov_y, color=VEHICLE, linewidth=0.9, linestyle=(0, (1, 1.5)), zorder=3)
    ax.plot(x[:, 0], y[:, 0], color=SHIP, linewidth=0.9, linestyle=(0, (1, 1.5)), zorder=3)
    shades = colormaps["viridis_r"](np.linspace(0.12, 1.0, len(chosen)))
    lost = status_masks(log).get("not converged", np.zeros(len(log), dtype=bool))  # its shape is no solution
    for shade, k in zip(shades, chosen, strict=True):
        ax.plot(
            x[k], y[k], LOST if lost[k] else "-", color=shade, linewidth=1.5, zorder=4, label=f"{log.time_s[k]:.4g} s"
        )
        ax.plot(rov_x[k], rov_y[k], "o", color=VEHICLE, markersize=4.5, markeredgecolor="white", zorder=6)
    ax.plot(x[chosen, 0], y[chosen, 0], "v", color=SHIP, markersize=7, markeredgecolor="white", zorder=6, label="ship")
    ax.plot([], [], "o", color=VEHICLE, markersize=4.5, label="vehicle")
    ax.set_aspect("equal", adjustable="box")


def _frame(x: Array, y: Array) -> tuple[Array, Array]:
    """Return the corners that hold all shapes with a margin."""
    low, high = np.array([np.nanmin(x), np.nanmin(y)]), np.array([np.nanmax(x), np.nanmax(y)])
    room = np.maximum(MARGIN * (high - low), max(LEAST_M, 0.05 * float((high - low).max())))
    return low - room, high + room


def _filled(low: Array, high: Array) -> tuple[Array, Array]:
    """Widen the corners to the aspect ratio of the panel."""
    half, middle = 0.5 * (high - low), 0.5 * (low + high)
    half = np.array([max(half[0], half[1] * PANEL), max(half[1], half[0] / PANEL)])
    return middle - half, middle + half


def _bottom(log: Log, world: World | None, north: Array, east: Array) -> Array:
    """Return the depth of the bottom along the elevation; NaN where it is unknown."""
    if world is not None:
        return np.asarray(world.bottom_m(north, east), dtype=float)
    depth = log.meta.get("water_depth_m")
    level = log.meta.get("seabed") in ("flat", None) and isinstance(depth, int | float)
    return np.full(north.shape, float(depth) if level and isinstance(depth, int | float) else np.nan)


def _solids(ax: Axes, world: World, across: Array, up: Array) -> None:
    """Draw the outlines of the structures; half spaces have none."""
    for shape in scene(world).finite:
        fill_structure(ax, shape, shape.outlines(across, up), alpha=0.6, zorder=2)


def _tension(ax: Axes, log: Log) -> None:
    ax.plot(log.time_s, log["tether_tension_N"], color=VEHICLE, label="at the vehicle")
    ax.plot(log.time_s, log["tether_ship_tension_N"], color=SHIP, label="at the ship", zorder=1.9)
    ax.set_ylim(bottom=0.0)
    ax.margins(x=0)
    ax.set_title("tension [N]")
    ax.legend(loc="best", ncols=2)


def _status(ax: Axes, log: Log) -> None:
    """Draw one row of bars for each status."""
    masks = status_masks(log)
    ax.set_title("status")
    ax.set_xlabel("time [s]")
    ax.grid(False, axis="y")
    if not masks:
        ax.set_yticks([])
        ax.text(0.5, 0.5, "nothing to report", transform=ax.transAxes, ha="center", va="center", color=COMMAND)
        return
    for row, (word, mask) in enumerate(masks.items()):
        colour = PALETTE[9] if word in BAD else PALETTE[5] if word != "aground" else SAND_EDGE
        shortest = BRIEFEST * float(np.ptp(log.time_s))
        bars = [(start, max(length, shortest)) for start, length in spans(log.time_s, mask)]
        ax.broken_barh(bars, (row - 0.32, 0.64), facecolors=colour)
    ax.set_yticks(range(len(masks)), [_with_wrap(word, log) for word in masks])
    ax.set_ylim(max(len(masks), LEAST_ROWS) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def _with_wrap(word: str, log: Log) -> str:
    turned = float(log["tether_wrap_deg"].max())
    return f"{word},\nup to {turned:.0f}°" if word == "snagged" and turned >= 1.0 else word


def _over_time(ax: Axes, log: Log, name: str, title: str) -> None:
    values = np.where(np.isfinite(log[name]), log[name], np.nan)
    ax.plot(log.time_s, values, color=INK)
    ax.margins(x=0)
    low, high = ax.get_ylim()
    if high - low < 1e-3:
        ax.set_ylim(low - 0.5, high + 0.5)
    if name == "tether_ratio":
        ax.set_ylim(0.9, min(max(1.05 * high, 1.2), HIGHEST_RATIO))
        ax.axhline(1.0, color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        ax.set_xlabel("time [s]")
    ax.set_title(title)
