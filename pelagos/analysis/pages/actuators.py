"""The actuators page: command and actual value of each actuator, and how often it saturates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, new_figure
from pelagos.analysis.pages.lines import (
    DASHES,
    Array,
    format_panel,
    line,
    mark_events,
    page_title,
    shown_unit,
    split_unit,
    time_axes,
)
from pelagos.errors import PelagosError
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.log.log import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = ("thruster", "surface", "ballast")
NONE = 0.01  # percent; less is printed as 0
AT_LIMIT = 0.995  # share of the limit above which a command counts as saturated: rounding must not hide it
CLOSE = 0.6  # limits are drawn if the command exceeds this share of them


class Actuator(NamedTuple):
    """An actuator in a log: its columns, and its limits in the unit of the command (NaN: unknown)."""

    kind: str
    name: str
    actual: str
    command: str
    low: float
    high: float

    def share_at_limit(self, log: Log) -> float:
        """Return the share of samples at which the command is at a limit; NaN if the limits are unknown."""
        if not self.command or not math.isfinite(self.high - self.low):
            return math.nan
        command = log[self.command]
        at = (command >= AT_LIMIT * self.high) if self.high > 0.0 else np.zeros(len(command), bool)
        at |= (command <= AT_LIMIT * self.low) if self.low < 0.0 else np.zeros(len(command), bool)
        return float(at.mean())

    def effort(self, log: Log) -> float:
        """Return the root mean square of command over limit."""
        if not self.command or not math.isfinite(self.high - self.low):
            return math.nan
        command = log[self.command]
        share = np.where(command >= 0.0, command / (self.high or 1.0), command / (self.low or 1.0))
        return float(np.sqrt(np.mean(share**2)))


def actuators(log: Log) -> list[Actuator]:
    """Return all actuators of the log, thrusters first; limits come from the log or the library vehicle."""
    limits = _limits(log)
    items: list[Actuator] = []
    for kind in KINDS:
        for actual in (name for name in log.columns if name.startswith(f"{kind}_")):
            name = _bare(actual, kind)
            command = next((c for c in log.columns if c.startswith(f"cmd_{kind}_") and _bare(c[4:], kind) == name), "")
            items.append(Actuator(kind, name, actual, command, *limits.get(command, (math.nan, math.nan))))
    return items


def _bare(column: str, kind: str) -> str:
    """Return the name of the actuator: the column without kind and unit."""
    label, unit = split_unit(column)
    return (label if unit else column.replace("_", " ")).removeprefix(kind).strip()


def _limits(log: Log) -> dict[str, tuple[float, float]]:
    """Return limits by command column: `meta["actuator_limits"]`, else those of the library vehicle."""
    logged = log.meta.get("actuator_limits")
    table = cast("Mapping[str, Any]", logged) if isinstance(logged, dict) else {}
    return _library_limits(log) | {name: (float(pair[0]), float(pair[1])) for name, pair in table.items()}


def _library_limits(log: Log) -> dict[str, tuple[float, float]]:
    from pelagos.vehicle.load.vehicle import load_vehicle

    try:
        vehicle = load_vehicle(str(log.meta.get("vehicle", "")))
    except PelagosError:
        return {}
    limits: dict[str, tuple[float, float]] = {}
    for thruster in vehicle.thrusters:
        unit, per = LOG_UNIT[thruster.drive]
        limits[f"cmd_thruster_{thruster.name}_{unit}"] = (thruster.minimum * per, thruster.maximum * per)
    for surface in vehicle.surfaces:
        limit = math.degrees(surface.limit_rad)
        limits[f"cmd_surface_{surface.name}_deg"] = (-limit, limit)
    for ballast in vehicle.ballast:
        limits[f"cmd_ballast_{ballast.name}_{ballast.unit}"] = (ballast.minimum, ballast.maximum)
    return limits


def draw_actuators(log: Log, path: object) -> Figure:
    """Draw one panel per actuator with its command dashed, and bars of effort and time at the limit."""
    items = actuators(log)
    across = 1 if len(items) <= 3 else 2
    rows = math.ceil(len(items) / across)
    barred = [item for item in items if math.isfinite(item.effort(log))]
    tail = 0.35 + 0.24 * len(barred) if barred else 0.0
    height = 1.35 if across == 2 else 1.7
    figure = new_figure(
        path, (9.5, 0.8 + height * rows + tail + 0.6 * bool(barred)), page_title(log, "actuators, command dashed")
    )
    ratios = [height] * rows + ([tail + 0.4] if barred else [])
    grid = figure.add_gridspec(len(ratios), across, height_ratios=ratios)
    axes = [figure.add_subplot(grid[k // across, k % across]) for k in range(len(items))]
    for ax, item in zip(axes, items, strict=True):
        _panel(ax, log, item)
    for column in range(across):
        time_axes(axes[column::across], log)
    if barred:
        _bars(figure.add_subplot(grid[-1, :]), log, barred)
    mark_events(figure, axes, log)
    return figure


def _panel(ax: Axes, log: Log, item: Actuator) -> None:
    unit, command_unit = split_unit(item.actual)[1], split_unit(item.command)[1] if item.command else ""
    colour = PALETTE[KINDS.index(item.kind)]
    line(ax, log.time_s, log[item.actual], colour, zorder=3)
    if item.command and command_unit == unit:
        line(ax, log.time_s, log[item.command], INK, linestyle=DASHES, linewidth=0.8, zorder=4)
        _limit_lines(ax, log[item.command], item)
    elif item.command:
        other: Any = ax.twinx()
        line(other, log.time_s, log[item.command], COMMAND, linestyle=DASHES, linewidth=0.9)
        other.tick_params(axis="y", colors=COMMAND, labelsize=7)
        other.grid(False)
        other.spines["right"].set_visible(True)
        _limit_lines(other, log[item.command], item)
        other.set_ylabel(f"command [{shown_unit(other, command_unit)}]", color=COMMAND, fontsize=7.5)
    format_panel(ax, item.name, unit)
    share = item.share_at_limit(log)
    if math.isfinite(share) and share > 0.0:
        percent = f"{100.0 * share:.0f}" if share >= 0.01 else "below 1"
        ax.set_title(f"at its limit {percent} % of the time", loc="right", fontsize=7.5, fontweight="normal",
                     color=PALETTE[9])  # fmt: skip


def _limit_lines(ax: Axes, command: Array, item: Actuator) -> None:
    for limit in (item.low, item.high):
        if math.isfinite(limit) and limit and float(np.nanmax(command / limit)) > CLOSE:
            ax.axhline(limit, color=PALETTE[9], linewidth=0.8, alpha=0.7, zorder=1.5)


def _bars(ax: Axes, log: Log, items: list[Actuator]) -> None:
    """Draw effort and time at the limit of each actuator, in percent."""
    rows = np.arange(len(items))
    effort = [100.0 * item.effort(log) for item in items]
    share = [100.0 * item.share_at_limit(log) for item in items]
    ax.barh(rows - 0.19, effort, 0.36, color=PALETTE[0], label="effort: rms of command over limit")
    ax.barh(rows + 0.19, share, 0.36, color=PALETTE[9], label="time at the limit")
    for row, values in ((-0.19, effort), (0.19, share)):
        for k, value in enumerate(values):
            text = f"{value:.3g}" if value >= NONE else "0"
            ax.annotate(text, (value, k + row), (3, 0), textcoords="offset points", va="center", fontsize=6.5,
                        color=INK)  # fmt: skip
    ax.set_yticks(rows, [item.name for item in items])
    ax.set_ylim(len(items) - 0.4, -0.6)
    ax.set_xlim(0.0, max(1.12 * max(effort + share), 10.0))
    ax.grid(False, axis="y")
    ax.set_title("effort [%]")
    ax.set_xlabel("share of the limit, of the time [%]")
    ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.1, borderpad=0.1)
