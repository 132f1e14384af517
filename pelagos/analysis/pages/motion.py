"""The pages of motion: depth, attitude, speed and guidance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import INK, PALETTE, SAND, SAND_EDGE
from pelagos.analysis.pages.lines import (
    Array,
    column_lines,
    envelope,
    events_of,
    format_panel,
    has,
    heading_line,
    legend_above,
    line,
    mark_events,
    setpoint_line,
    stacked,
    time_axes,
)
from pelagos.analysis.summary import speed_through_water
from pelagos.sim.log.log import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WATER = "#EAF4FA"
STAYED_M = 3.0  # a section along a shorter track is drawn over time instead
BOTTOM_NEAR = 3.0  # the bottom is drawn down to this multiple of the largest depth of the vehicle
SPEEDS = ("surge_m_s", "sway_m_s", "heave_m_s")
FLOW = ("current_north_m_s", "current_east_m_s", "current_down_m_s")


def distance_over_ground_m(log: Log) -> Array:
    """Return the horizontal distance travelled since the start, m."""
    steps = np.hypot(np.diff(log["north_m"]), np.diff(log["east_m"]))
    return np.concatenate([[0.0], np.cumsum(steps)])


def draw_depth(log: Log, path: object) -> Figure:
    """Draw a section along the track with surface and bottom; depth and altitude over time with their setpoints."""
    over = ["altitude_m"] if has(log, "altitude_m") else []
    figure, axes = stacked(path, log, "depth", (1.9, *[1.0] * (1 + len(over))))
    _section(axes[0], log)
    line(axes[1], log.time_s, log["depth_m"], PALETTE[0])
    setpoint_line(axes[1], log, "depth_m")
    format_panel(axes[1], "depth", "m", down=True)
    if over:
        line(axes[2], log.time_s, log["altitude_m"], PALETTE[1])
        setpoint_line(axes[2], log, "altitude_m")
        format_panel(axes[2], "altitude over the bottom", "m")
        if axes[2].get_ylim()[0] < 0.0 <= float(np.nanmin(log["altitude_m"])):
            axes[2].set_ylim(bottom=0.0)
    time_axes(axes[1:], log)
    mark_events(figure, axes[1:], log)
    return figure


def _section(ax: Axes, log: Log) -> None:
    """Draw depth over distance, or over time if the vehicle stayed in one place."""
    way = distance_over_ground_m(log)
    stayed = float(way[-1]) < STAYED_M
    along = log.time_s if stayed else way
    depth = log["depth_m"]
    ax.plot(*envelope(along, depth), color=PALETTE[0], zorder=4, label="vehicle")
    surface = depth - log["below_surface_m"] if has(log, "below_surface_m") else np.zeros(len(log))
    high = float(min(np.nanmin(surface), np.nanmin(depth)))
    low = float(np.nanmax(depth))
    bottom = depth + log["altitude_m"] if has(log, "altitude_m") else np.full(len(log), np.nan)
    near = bool(np.isfinite(bottom).any()) and float(np.nanmin(bottom)) <= BOTTOM_NEAR * max(low, 1.0)
    low = max(low, float(np.nanmax(bottom))) if near else low
    room = 0.07 * max(low - high, 0.5)
    low, high = low + room, high - room
    ax.fill_between(*envelope(along, surface), low, color=WATER, linewidth=0, zorder=0.5)
    ax.plot(*envelope(along, surface), color=PALETTE[4], linewidth=1.0, zorder=2, label="surface")
    deeper = ""
    if near:
        x, y = envelope(along, bottom)
        ax.fill_between(x, y, low, color=SAND, linewidth=0, zorder=1)
        ax.plot(x, y, color=SAND_EDGE, linewidth=1.1, zorder=2, label="bottom")
    elif np.isfinite(bottom).any():
        deeper = f"   (bottom at {np.nanmin(bottom):.4g} m or deeper: not drawn)"
    ax.set_xlim(float(along[0]), float(max(along[-1], along[0] + 1e-9)))
    ax.set_ylim(low, high)
    ax.grid(False)
    ax.set_title("section over time [m]" if stayed else "section along the track [m]")
    ax.set_xlabel(("time [s]" if stayed else "way over ground [m]") + deeper)
    ax.set_ylabel("depth [m]")
    legend_above(ax)


def draw_attitude(log: Log, path: object) -> Figure:
    """Draw roll and pitch, heading without jumps, and the body rates."""
    figure, axes = stacked(path, log, "attitude", (1.1, 1.1, 1.0))
    column_lines(axes[0], log, ("roll_deg", "pitch_deg"))
    for k, name in enumerate(("roll_deg", "pitch_deg")):
        if has(log, f"cmd_{name}"):
            line(axes[0], log.time_s, log[f"cmd_{name}"], PALETTE[k], f"{name[:-4]} setpoint", linestyle=(0, (4, 2)),
                 linewidth=0.9)  # fmt: skip
    format_panel(axes[0], "roll (starboard down) and pitch (nose up)", "deg")
    legend_above(axes[0])
    heading_line(axes[1], log)
    format_panel(axes[1], "heading, clockwise from north", "deg")
    names = [name for name in ("roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s") if has(log, name)]
    column_lines(axes[2], log, names)
    format_panel(axes[2], "rates about the body axes", "deg/s")
    legend_above(axes[2])
    time_axes(axes, log)
    mark_events(figure, axes, log)
    return figure


def velocity_through_water(log: Log) -> Array:
    """Return the velocity relative to the water in body axes, m/s, (n, 3): v_r = v - R(roll, pitch, heading)^T v_c."""
    roll, pitch, yaw = (np.radians(log[name]) for name in ("roll_deg", "pitch_deg", "heading_deg"))
    north, east, down = (log[name] for name in FLOW)
    ahead = np.cos(yaw) * north + np.sin(yaw) * east  # level, towards the bow
    beside = np.cos(yaw) * east - np.sin(yaw) * north  # level, to starboard
    under = np.sin(pitch) * ahead + np.cos(pitch) * down
    flow = (
        np.cos(pitch) * ahead - np.sin(pitch) * down,
        np.cos(roll) * beside + np.sin(roll) * under,
        np.cos(roll) * under - np.sin(roll) * beside,
    )
    return np.column_stack([log[name] - part for name, part in zip(SPEEDS, flow, strict=True)])


def draw_speed(log: Log, path: object) -> Figure:
    """Draw speed over ground and through the water, and the components of each in body axes."""
    has_current = has(log, *FLOW)
    figure, axes = stacked(path, log, "speed", (1.2, *[1.0] * (1 + has_current)))
    t = log.time_s
    line(axes[0], t, np.sqrt(sum(log[name] ** 2 for name in SPEEDS)), PALETTE[1], "over ground, all axes")
    if has_current:
        line(axes[0], t, speed_through_water(log), PALETTE[0], "ahead through the water")
    setpoint_line(axes[0], log, "speed_m_s")
    format_panel(axes[0], "speed", "m/s")
    legend_above(axes[0])
    column_lines(axes[1], log, SPEEDS)
    format_panel(axes[1], "over ground, body axes", "m/s")
    legend_above(axes[1])
    if has_current:
        for k, part in enumerate(velocity_through_water(log).T):
            line(axes[2], t, part, PALETTE[k], SPEEDS[k].removesuffix("_m_s"))
        format_panel(axes[2], "through the water, body axes", "m/s")
        legend_above(axes[2])
    for ax in axes[1:]:
        ax.axhline(0.0, color=INK, linewidth=0.5, zorder=1)
    time_axes(axes, log)
    mark_events(figure, axes, log)
    return figure


def during_mission(log: Log, name: str) -> Array:
    """Return the number of the leg or target until the mission ends, NaN afterwards."""
    ends = [event.time_s for event in events_of(log) if event.kind == "mission_done"]
    return np.where(log.time_s < min(ends, default=np.inf), log[name], np.nan)


def draw_guidance(log: Log, path: object) -> Figure:
    """Draw cross-track error, distance to the goal, and the number of leg and target."""
    rows = [name for name in ("cross_track_m", "along_track_m") if has(log, name)]
    goal = has(log, "goal_north_m", "goal_east_m")
    steps = [name for name in ("leg", "target") if has(log, name)]
    count = len(rows) + goal + bool(steps)
    figure, axes = stacked(path, log, "guidance", (1.2, *[0.9] * (count - 1)))
    place = iter(axes)
    for name in rows:
        ax = next(place)
        line(ax, log.time_s, log[name], PALETTE[0])
        ax.axhline(0.0, color=INK, linewidth=0.5, zorder=1)
        format_panel(
            ax, {"cross_track_m": "off the track, to starboard", "along_track_m": "along the track"}[name], "m"
        )
    if goal:
        ax = next(place)
        away = np.hypot(log["goal_north_m"] - log["north_m"], log["goal_east_m"] - log["east_m"])
        line(ax, log.time_s, away, PALETTE[2])
        format_panel(ax, "distance to the goal", "m")
        ax.set_ylim(bottom=0.0)
    if steps:
        from matplotlib.ticker import MaxNLocator

        ax = next(place)
        for k, name in enumerate(steps):
            line(ax, log.time_s, during_mission(log, name), PALETTE[k], name, drawstyle="steps-post")
        format_panel(ax, "number of the leg and its target", "")
        ax.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
        legend_above(ax)
    time_axes(axes, log)
    mark_events(figure, axes, log)
    return figure
