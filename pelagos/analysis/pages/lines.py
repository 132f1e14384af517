"""Lines, titles, legends and event marks shared by the pages of a run.

A long line is drawn as its envelope: the smallest and the largest value of the samples that share a pixel column.
A spike of one sample stays visible, and drawing takes the same time for an hour at 10 Hz as for a minute.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, INK, PALETTE, new_figure
from pelagos.messages import Event
from pelagos.sim.log.log import Log

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = NDArray[np.float64]

# Ending of a column name -> the unit as printed on an axis; longer endings first.
UNITS = (
    ("_rad_s", "rad/s"), ("_deg_s", "deg/s"), ("_m_s2", "m/s²"), ("_m_s", "m/s"), ("_N_m", "N m"), ("_kg_m3", "kg/m³"),
    ("_rpm", "rpm"), ("_deg", "deg"), ("_rad", "rad"), ("_cm3", "cm³"), ("_m3", "m³"), ("_kg", "kg"), ("_Ah", "A h"),
    ("_Pa", "Pa"), ("_Hz", "Hz"), ("_N", "N"), ("_V", "V"), ("_A", "A"), ("_W", "W"), ("_m", "m"), ("_s", "s"),
    ("_throttle", "throttle"),
)  # fmt: skip

PIXELS = 1200  # columns of an envelope: more than the pixels across any panel
MOST_POINTS = 4000  # of a track seen from above
ALARMS = ("fault", "leak", "collision", "contact", "abort", "diverged", "error", "failure", "parted")
MOST_LISTED = 6  # events listed below a page
MANY, ROUTINE = 12, ("waypoint",)  # with more events than this, those of routine kinds get no mark
NEAR = 0.018  # of the time axis; events closer together share a mark
HELD_S = 3.0  # a position setpoint that lasts less is a point on a path, not a place to hold
DASHES = (0, (4, 2))  # setpoints and commands
LEVEL, ROUNDING = 1e-5, 1e-6  # relative and absolute variation below which a line counts as constant
SMALL_M3, CM3 = 0.01, 1e6  # volumes below this are shown in cm³; cm³ per m³
TURNS_DEG = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0)  # between ticks
MOST_TURNS = 7  # ticks of a heading
LAID_OUT = 1.2  # the layout engine widens a panel at least by this factor
LETTER_IN, KEY_IN = 0.052, 0.3  # width of a letter and of a line sample in a legend, inch


def split_unit(name: str) -> tuple[str, str]:
    """Split a column name into label and unit: "roll_rate_deg_s" -> ("roll rate", "deg/s")."""
    for ending, unit in UNITS:
        if name.endswith(ending):
            return name.removesuffix(ending).replace("_", " "), unit
    return name.replace("_", " "), ""


def unwrap_heading(heading_deg: Array) -> Array:
    """Remove the jumps of a heading at north; the result ends in 0..360 deg and keeps NaN."""
    smooth = np.array(heading_deg, dtype=float)
    known = np.isfinite(smooth)
    if not known.any():
        return smooth
    smooth[known] = np.unwrap(smooth[known], period=360.0)
    return smooth - 360.0 * math.floor(smooth[known][-1] / 360.0)


def short_way(angle_deg: Array) -> Array:
    """Wrap an angle to -180..180 deg, for differences of headings."""
    return (angle_deg + 180.0) % 360.0 - 180.0


def envelope(time_s: Array, values: Array, pixels: int = PIXELS) -> tuple[Array, Array]:
    """Reduce a line to the smallest and largest value of each pixel column, in order of time.

    Short lines are returned unchanged. A pixel column without a finite value gives one NaN, which keeps the gap.
    """
    n = len(values)
    if n <= 4 * pixels:
        return time_s, values
    edges = np.linspace(0, n, pixels + 1).astype(int)[:-1]  # first sample of each pixel column
    owner = np.repeat(np.arange(pixels), np.diff(np.append(edges, n)))
    known = np.isfinite(values)
    any_known = np.add.reduceat(known, edges) > 0
    # an infinity in place of NaN never wins against a finite value
    low = np.minimum.reduceat(np.where(known, values, np.inf), edges)
    high = np.maximum.reduceat(np.where(known, values, -np.inf), edges)
    # the ends of the line are always kept
    picked = [0, n - 1]
    for extreme in (low, high):
        hits = np.flatnonzero(known & (values == extreme[owner]))
        _, first = np.unique(owner[hits], return_index=True)
        picked += hits[first].tolist()
    picked += edges[~any_known].tolist()
    chosen = np.unique(picked)
    return time_s[chosen], values[chosen]


def thinned(*columns: Array, most: int = MOST_POINTS) -> list[Array]:
    """Thin a curve in space to evenly chosen points, its ends and the extremes of each column."""
    n = len(columns[0])
    if n <= most:
        return list(columns)
    picked = np.linspace(0, n - 1, most).astype(int).tolist()
    for column in columns:
        if np.isfinite(column).any():
            picked += [int(np.nanargmin(column)), int(np.nanargmax(column))]
    chosen = np.unique(picked)
    return [column[chosen] for column in columns]


def line(ax: Axes, time_s: Array, values: Array, colour: str, label: str | None = None, **style: Any) -> None:
    """Plot values over time as their envelope."""
    ax.plot(*envelope(time_s, values), color=colour, label=label, **style)


def has(log: Log, *names: str) -> bool:
    """Return whether the log has all these columns with a finite value in each."""
    return all(name in log.columns and bool(np.isfinite(log.columns[name]).any()) for name in names)


def setpoint_line(ax: Axes, log: Log, name: str) -> None:
    """Plot the setpoint of a column dashed, if the log has it."""
    if not has(log, f"cmd_{name}"):
        return
    line(ax, log.time_s, log[f"cmd_{name}"], COMMAND, "setpoint", linestyle=DASHES, linewidth=1.1, zorder=1.5)


def heading_line(ax: Axes, log: Log) -> None:
    """Plot the heading without jumps, with tick labels from 0 to 360, and its setpoint."""
    from matplotlib.ticker import MultipleLocator

    heading = unwrap_heading(log["heading_deg"])
    line(ax, log.time_s, heading, PALETTE[0])
    if has(log, "cmd_heading_deg"):
        setpoint = heading - short_way(heading - log["cmd_heading_deg"])  # in the same turn as the heading
        line(ax, log.time_s, setpoint, COMMAND, "setpoint", linestyle=DASHES, linewidth=1.1, zorder=1.5)
    low, high = ax.get_ylim()
    if high - low < 0.2:
        low, high = 0.5 * (low + high) - 1.0, 0.5 * (low + high) + 1.0
        ax.set_ylim(low, high)
    step = next(
        (turn for turn in TURNS_DEG if (high - low) / turn <= MOST_TURNS), 360.0 * math.ceil((high - low) / 2e3)
    )
    ax.yaxis.set_major_locator(MultipleLocator(step))
    # the line may leave 0..360 deg, its labels must not
    ax.yaxis.set_major_formatter(lambda value, _: f"{round(value % 360.0, 6) % 360.0:g}")


def column_lines(ax: Axes, log: Log, names: Sequence[str]) -> None:
    """Plot several columns in one panel."""
    for k, name in enumerate(names):
        line(ax, log.time_s, log[name], PALETTE[k], split_unit(name)[0])


def format_panel(ax: Axes, label: str, unit: str, *, down: bool = False, legend: bool = False) -> None:
    """Set title and unit, direction of depth, the range of a constant line, and the legend."""
    shown = shown_unit(ax, unit)
    ax.set_title(f"{label} [{shown}]" if shown else label)
    ax.margins(x=0)
    if down:
        ax.invert_yaxis()
    low, high = ax.get_ylim()
    least = ROUNDING if shown == unit else ROUNDING / CM3
    if abs(high - low) < max(LEVEL * max(abs(low), abs(high)), least):  # level, not magnified rounding
        middle = (low + high) / 2
        half = 0.05 * abs(middle) if abs(middle) > least else 0.5
        ax.set_ylim(*((middle + half, middle - half) if down else (middle - half, middle + half)))
    named = ax.get_legend_handles_labels()[1]
    if legend and named:
        legend_below_title(ax)
    elif named == ["actuators"]:
        legend_above(ax)


def shown_unit(ax: Axes, unit: str) -> str:
    """Return the unit to print; small volumes are converted to cm³ at the axis."""
    if unit != "m³" or not 0.0 < max(map(abs, ax.get_ylim())) < SMALL_M3:
        return unit
    ax.yaxis.set_major_formatter(lambda value, _: f"{round(CM3 * value, 6):g}")
    return "cm³"


def held_places(ax: Axes, log: Log) -> None:
    """Mark the positions that the vehicle was commanded to hold, on a plan."""
    if not has(log, "cmd_north_m", "cmd_east_m"):
        return
    places = np.column_stack([log["cmd_east_m"], log["cmd_north_m"]])
    first = np.flatnonzero(np.concatenate([[True], np.any(places[1:] != places[:-1], axis=1)]))
    lasted = np.diff(np.append(log.time_s[first], log.time_s[-1]))
    held = places[first[(lasted >= HELD_S) & np.isfinite(places[first]).all(axis=1)]]
    if not len(held):
        return
    east, north = np.unique(held, axis=0).T
    ax.plot(east, north, "+", color=PALETTE[9], markersize=9, markeredgewidth=1.3, zorder=7.5, label="place to hold")


def legend_above(ax: Axes, columns: int = 6, **place: Any) -> None:
    """Place the legend above the panel, to the right of the title."""
    handles = ax.get_legend_handles_labels()[0]
    if handles:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=min(columns, len(handles)), columnspacing=1.0,
                  borderaxespad=0.1, borderpad=0.1, handletextpad=0.5, **place)  # fmt: skip


def legend_below_title(ax: Axes, most: int = 10) -> None:
    """Place the legend in rows between title and panel, as many entries in a row as fit."""
    names = ax.get_legend_handles_labels()[1]
    place = ax.get_subplotspec()
    figure: Any = ax.figure
    # the layout engine has not run yet: the grid gives the width of the panel, nearly
    width = (place.get_position(figure).width if place else ax.get_position().width) * figure.get_figwidth() * LAID_OUT
    columns = next((n for n in range(min(most, len(names)), 1, -1) if _legend_in(names, n) <= width), 1)
    rows = -(-len(names) // columns)
    ax.set_title(ax.get_title(loc="left"), pad=4.0 + 10.5 * rows)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, columnspacing=0.8, borderaxespad=0.1,
              borderpad=0.1, handletextpad=0.4, handlelength=1.1, labelspacing=0.2, fontsize=7)  # fmt: skip


def _legend_in(names: Sequence[str], columns: int) -> float:
    """Return the width of a legend, inch; matplotlib fills it column by column."""
    parts = np.array_split(np.array([len(name) for name in names]), columns)
    return sum(KEY_IN + LETTER_IN * float(part.max()) for part in parts)


def page_title(log: Log, page: str = "") -> str:
    """Return the title of a page: vehicle, page and seed."""
    parts = [str(log.meta.get("vehicle_name") or log.meta.get("vehicle") or "mission"), page]
    parts += [f"seed {log.meta['seed']}"] if "seed" in log.meta else []
    return "  ·  ".join(part for part in parts if part)


def stacked(path: object, log: Log, page: str, heights: Sequence[float]) -> tuple[Figure, list[Axes]]:
    """Create panels below each other for one time axis."""
    figure = new_figure(path, (9.0, 0.8 + 1.75 * sum(heights)), page_title(log, page))
    grid: Any = figure.subplots(len(heights), 1, squeeze=False, gridspec_kw={"height_ratios": list(heights)})
    return figure, list(grid.flat)


def time_axes(axes: Sequence[Axes], log: Log) -> None:
    """Give panels below each other the same time axis, labelled at the lowest."""
    for ax in axes:
        ax.set_xlim(float(log.time_s[0]), float(max(log.time_s[-1], log.time_s[0] + 1e-9)))
    for ax in axes[:-1]:
        ax.tick_params(labelbottom=False)
    axes[-1].set_xlabel("time [s]")


def events_of(log: Log) -> list[Event]:
    """Return the events in order of time: those of the log, else the tables of `log.meta["events"]`."""
    events = list(log.events)
    tables = log.meta.get("events") if not events else None
    for item in cast("Iterable[object]", tables) if isinstance(tables, list | tuple) else ():
        table = cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else {}
        if isinstance(table.get("time_s"), int | float):
            texts = (str(table.get(key, "")) for key in ("kind", "text", "vehicle"))
            events.append(Event(float(table["time_s"]), *texts))
    return sorted(events, key=lambda event: event.time_s)


def event_colour(event: Event) -> str:
    """Return red for alarms such as faults and collisions, else the colour of text."""
    return PALETTE[9] if any(word in event.kind.lower() for word in ALARMS) else INK


def events_to_mark(log: Log) -> list[int]:
    """Return the indices of the events to mark: those within the log, without routine ones if there are many."""
    events = events_of(log)
    inside = [k for k, event in enumerate(events) if log.time_s[0] <= event.time_s <= log.time_s[-1]]
    return [k for k in inside if events[k].kind not in ROUTINE] if len(inside) > MANY else inside


def mark_events(figure: Figure, axes: Sequence[Axes], log: Log) -> None:
    """Draw vertical lines at the events, number them on the first panel, and list the first ones below the page."""
    events = events_of(log)
    if not events or not len(log):
        return
    span = max(float(np.ptp(log.time_s)), 1e-9)
    marked = events_to_mark(log)
    groups: list[list[int]] = []
    for k, event in enumerate(events):
        if k not in marked:
            continue
        for ax in axes:
            ax.axvline(event.time_s, color=event_colour(event), linewidth=0.8, alpha=0.55, zorder=1.2,
                       linestyle=(0, (1, 1.6)))  # fmt: skip
        if groups and event.time_s - events[groups[-1][-1]].time_s < NEAR * span:
            groups[-1].append(k)
        else:
            groups.append([k])
    for group in groups:
        text = str(group[0] + 1) if len(group) == 1 else f"{group[0] + 1}-{group[-1] + 1}"
        colour = event_colour(next((events[k] for k in group if event_colour(events[k]) != INK), events[group[0]]))
        axes[0].annotate(
            text, (events[group[0]].time_s, 1.0), (0, -1), ("data", "axes fraction"), "offset points", ha="center",
            va="top", fontsize=6.5, color=colour, annotation_clip=False,
            bbox={"boxstyle": "round,pad=0.18", "fc": "white", "ec": colour, "lw": 0.6}, zorder=9,
        )  # fmt: skip
    texts = [f"{k + 1}  {event.time_s:.4g} s  {event.text or event.kind}" for k, event in enumerate(events)]
    if len(texts) > MOST_LISTED:
        texts = [*texts[: MOST_LISTED - 1], f"and {len(texts) - MOST_LISTED + 1} more"]
    texts = [text if len(text) < 130 else text[:127] + "..." for text in texts]
    figure.supxlabel("\n".join(texts), x=0.015, ha="left", fontsize=7, color=INK, linespacing=1.35)
