"""The sensors and estimate pages: readings and estimates minus the true state.

A residual compares a reading with the true state of the sample in which the reading arrives. It therefore includes
the latency and the mounting offset of the sensor as well as its errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pelagos.analysis.page import INK, PALETTE, new_figure
from pelagos.analysis.pages.lines import (
    Array,
    envelope,
    format_panel,
    has,
    legend_above,
    line,
    mark_events,
    page_title,
    short_way,
    split_unit,
    stacked,
    time_axes,
)
from pelagos.analysis.pages.motion import velocity_through_water
from pelagos.analysis.summary import speed_through_water
from pelagos.sim.log.log import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Quantity = Callable[[Log], Array]
# prefixes of columns that are not sensor readings
OTHERS = ("cmd_", "est_", "thruster_", "surface_", "ballast_", "tether_", "goal_", "current_", "below_", "contact_")
ROUNDING = 1e-9  # residuals of a sensor without errors are smaller
MOST = 16  # panels
ESTIMATED = ("north_m", "east_m", "depth_m", "heading_deg", "surge_m_s", "sway_m_s", "heave_m_s")


def _column(name: str) -> Quantity:
    return lambda log: log[name]


def _through_water(axis: int) -> Quantity:
    return lambda log: velocity_through_water(log)[:, axis]


ALONG = {"x": "surge", "y": "sway", "z": "heave"}
ABOUT = {"x": "roll", "y": "pitch", "z": "yaw"}
# ending of a sensor column -> the true quantity it measures; longer endings first
MEASURED: tuple[tuple[str, Quantity], ...] = (
    *((f"_velocity_{axis}_m_s", _column(f"{name}_m_s")) for axis, name in ALONG.items()),
    *((f"_water_{axis}_m_s", _through_water(k)) for k, axis in enumerate("xyz")),
    *((f"_gyro_{axis}_deg_s", _column(f"{name}_rate_deg_s")) for axis, name in ABOUT.items()),
    *((f"_{name}_rate_deg_s", _column(f"{name}_rate_deg_s")) for name in ("roll", "pitch", "yaw")),
    *((f"_{name}_m_s", _column(f"{name}_m_s")) for name in ("surge", "sway", "heave")),
    *((f"_{name}_deg", _column(f"{name}_deg")) for name in ("heading", "roll", "pitch")),
    *((f"_{name}_m", _column(f"{name}_m")) for name in ("north", "east", "depth", "altitude")),
    ("_speed_m_s", speed_through_water),
)  # fmt: skip


class Residual(NamedTuple):
    """Reading minus true value of one sensor column, at the samples with a reading."""

    column: str
    time_s: Array
    error: Array

    @property
    def mean(self) -> float:
        """Mean error."""
        return float(self.error.mean())

    @property
    def spread(self) -> float:
        """Standard deviation."""
        return float(self.error.std())


def true_values(log: Log, column: str) -> Array | None:
    """Return the true values that a sensor column measures, or None if the log has none."""
    if column.startswith(OTHERS):
        return None
    for kind in ("thruster", "surface"):  # a tachometer, a plane feedback: NAME_<actuator>_<unit>
        for actual in log.columns:
            if actual.startswith(f"{kind}_") and column.endswith(actual.removeprefix(kind)) and column != actual:
                return log[actual]
    for ending, quantity in MEASURED:
        if column.endswith(ending):
            try:
                return quantity(log)
            except KeyError:
                return None
    return None


def residuals(log: Log) -> list[Residual]:
    """Return the residuals of all sensor columns with a true value, in the order of the log."""
    items: list[Residual] = []
    for column, values in log.columns.items():
        known = np.isfinite(values)
        true = true_values(log, column) if known.any() else None
        if true is None:
            continue
        known &= np.isfinite(true)
        if known.any():
            error = values[known] - true[known]
            angle = column.endswith("_deg") and not column.endswith("_rate_deg")
            items.append(Residual(column, log.time_s[known], short_way(error) if angle else error))
    return items


def draw_sensors(log: Log, path: object) -> Figure:
    """Draw the residuals of the sensors over time, with mean and standard deviation."""
    items = residuals(log)
    shown = items[:MOST]
    across = 1 if len(shown) <= 3 else 2
    rows = math.ceil(len(shown) / across)
    figure = new_figure(path, (9.5, 0.9 + 1.4 * rows), page_title(log, "sensors: reading minus truth"))
    grid: Any = figure.subplots(rows, across, squeeze=False)
    axes = list(grid.flat)
    for ax, item in zip(axes, shown, strict=False):
        _residual(ax, item)
    for ax in axes[len(shown) :]:
        ax.set_axis_off()
        left = len(items) - len(shown)
        ax.text(0.0, 0.5, f"and {left} more" if left else "", transform=ax.transAxes, color=INK, fontsize=8)
    for column in range(across):
        time_axes(axes[: len(shown)][column::across], log)
    mark_events(figure, axes[: len(shown)], log)
    return figure


def _residual(ax: Axes, item: Residual) -> None:
    label, unit = split_unit(item.column)
    if len(item.error) <= 600:
        ax.plot(item.time_s, item.error, ".", color=PALETTE[0], markersize=2.5)
    else:
        line(ax, item.time_s, item.error, PALETTE[0], linewidth=0.7)
    ax.axhline(0.0, color=INK, linewidth=0.5, zorder=1)
    ax.axhline(item.mean, color=PALETTE[1], linewidth=1.0)
    ax.axhspan(item.mean - item.spread, item.mean + item.spread, color=PALETTE[1], alpha=0.13, linewidth=0)
    format_panel(ax, _once(label), unit)
    mean, spread = (0.0 if abs(value) < ROUNDING else value for value in (item.mean, item.spread))
    ax.set_title(f"{_short(mean, sign=True)} ± {_short(spread)} {unit}", loc="right", fontsize=7.5, fontweight="normal",
                 color=PALETTE[1])  # fmt: skip


def _short(value: float, *, sign: bool = False) -> str:
    """Format a number with two significant digits, without an exponent above 10."""
    plus = "+" if sign else ""
    return f"{value:{plus}.0f}" if abs(value) >= 10.0 else f"{value:{plus}.2g}"


def _once(label: str) -> str:
    """Drop repeated words: the sensor "depth" measures "depth"."""
    parts = label.split()
    return " ".join(word for k, word in enumerate(parts) if k == 0 or word != parts[k - 1])


def estimate_error(log: Log, name: str) -> Array:
    """Return estimate minus true value of one quantity; angles are wrapped to -180..180 deg."""
    error = log[f"est_{name}"] - log[name]
    return short_way(error) if name.endswith("_deg") else error


def sigma_of(log: Log, name: str) -> Array | None:
    """Return the standard deviation that the estimator reports: est_north_m has est_north_sigma_m."""
    stem, _, unit = name.partition("_")
    column = f"est_{stem}_sigma_{unit}"
    return log[column] if has(log, column) else None


def draw_estimate(log: Log, path: object) -> Figure:
    """Draw the errors of the estimate with two standard deviations, and the consistency of the filter (NEES)."""
    names = [name for name in ESTIMATED if has(log, f"est_{name}")]
    consistent = has(log, "nees")
    figure, axes = stacked(path, log, "estimate minus truth", [0.8] * len(names) + [1.0] * consistent)
    for ax, name in zip(axes, names, strict=False):
        error, sigma = estimate_error(log, name), sigma_of(log, name)
        if sigma is not None:
            t, high = envelope(log.time_s, 2.0 * sigma)
            ax.fill_between(t, -high, high, color=PALETTE[4], alpha=0.25, linewidth=0, label="two standard deviations")
        line(ax, log.time_s, error, PALETTE[0], "error")
        ax.axhline(0.0, color=INK, linewidth=0.5, zorder=1)
        label, unit = split_unit(name)
        format_panel(ax, label, unit)
        inside = "" if sigma is None else f",  {100.0 * np.nanmean(np.abs(error) <= 2.0 * sigma):.0f} % inside"
        ax.set_title(f"rms {_short(float(np.sqrt(np.nanmean(error**2))))} {unit}{inside}", loc="right", fontsize=7.5,
                     fontweight="normal", color=INK)  # fmt: skip
    if consistent:
        _nees(axes[-1], log)
    time_axes(axes, log)
    mark_events(figure, axes, log)
    return figure


def _nees(ax: Axes, log: Log) -> None:
    """Draw the normalised estimation error squared; for a consistent filter its mean is the number of states."""
    from pelagos.estimation.error_state import chi_square_point
    from pelagos.estimation.navigator import DOF

    values = log["nees"]
    line(ax, log.time_s, values, PALETTE[2], "NEES", linewidth=0.9)
    low, high = chi_square_point(0.025, DOF), chi_square_point(0.975, DOF)
    ax.axhspan(low, high, color=PALETTE[2], alpha=0.12, linewidth=0, label=f"95 % of chi-square, {DOF} degrees")
    ax.axhline(DOF, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), label=f"mean expected, {DOF}")
    format_panel(ax, f"normalised error squared, mean {np.nanmean(values):.3g}", "")
    # a logarithmic axis keeps the band visible when the filter diverges
    if float(np.nanmax(values)) > 30.0 * max(float(np.nanmedian(values)), 1e-9) and float(np.nanmin(values)) > 0.0:
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0.0)
    legend_above(ax)
