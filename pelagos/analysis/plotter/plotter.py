"""The plotter of the Gavia notes: read a plain table with a column `x_pos`, and draw it in one of three ways.

The file has a line of titles and then a line of numbers for each sample, separated by commas. A comma may end a line;
empty lines are skipped. One title must be `x_pos`: the horizontal position, m. The three cases:

    1   every column in its own panel, on one page
    2   every column against x_pos, one figure each
    3   the motion over the bottom with the beams of the navigation sonar: frames, a GIF and, with ffmpeg, an MP4

Reference: the plotter chapter of the Gavia dynamic model, sonar and plotter notes. `plotter.motion` lists the columns
of case 3. A log of Pelagos is accepted too and converted first.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.analysis.page import PALETTE, new_figure, save_or_show, styled
from pelagos.analysis.pages.lines import Array, has, line, split_unit
from pelagos.errors import CommandError
from pelagos.sim.log.csv import TITLE
from pelagos.sim.log.file import readable
from pelagos.sim.log.log import Log, LogError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

X = "x_pos"
CLOCKS = ("time", "t", "time s", "sim time")  # titles that are a time axis for case 1
CASES = {1: "all columns in panels", 2: "each column against x_pos", 3: "the movement over the bottom"}
SPREAD_DEG = 10.0  # of the beams of the notes' program, +-5 deg about the bow
WRITTEN = ("time_s", "depth_m", "pitch_deg", "pitch_rate_deg_s")
STRAIGHT = 0.05  # least distance from start to end, as share of the path, for x_pos along the line between them


@dataclass(frozen=True, eq=False)
class PlotterData:
    """A table of the plotter; `data["x_pos"]` is a column."""

    path: str
    columns: dict[str, Array]

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles in the order of the file."""
        return tuple(self.columns)

    @property
    def x_pos(self) -> Array:
        """Horizontal position, m."""
        return self.columns[X]

    def __getitem__(self, title: str) -> Array:
        return self.columns[title]

    def __len__(self) -> int:
        return len(self.columns[X])

    def clock(self) -> str:
        """Return the title of the time column; empty if there is none."""
        return next((title for title in self.titles if bare_title(title) in CLOCKS), "")


def bare_title(title: str) -> str:
    """Return a title in lower case without its unit: "Depth_m" is "depth"."""
    return split_unit(title)[0].strip().lower()


def read_plotter(path: str | os.PathLike[str]) -> PlotterData:
    """Read a data file in the format of the notes, or a log of Pelagos."""
    readable(path)
    try:
        with open(path, encoding="utf-8-sig") as file:  # some programs write a byte order mark
            text = file.read()
    except (OSError, UnicodeDecodeError) as problem:
        raise LogError(f"cannot be read as a table ({problem})", file=path) from None
    if text.startswith(TITLE):
        return PlotterData(str(path), plotter_columns(Log.from_csv(path)))
    return PlotterData(str(path), _parsed(text, str(path)))


def _parsed(text: str, path: str) -> dict[str, Array]:
    titles: list[str] = []
    rows: list[list[float]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in raw.split(",")]
        if cells[-1] == "":  # a comma may end the line
            cells.pop()
        if not any(cells):
            continue
        if not titles:
            titles = _titles(cells, path, number)
        elif len(cells) != len(titles):
            key, expected = f"line {number}: number of values", f"{len(titles)}, one for each title"
            raise LogError(file=path, key=key, value=len(cells), expected=expected)
        else:
            rows.append([_number(cell, title, path, number) for cell, title in zip(cells, titles, strict=True)])
    if not titles:
        raise LogError("is empty", file=path, expected=f"a line of titles, one of them {X}")
    if not rows:
        raise LogError("has titles but no data", file=path)
    table = np.array(rows)
    return {title: table[:, k].copy() for k, title in enumerate(titles)}


def _titles(cells: list[str], path: str, number: int) -> list[str]:
    twice = next((title for title in cells if cells.count(title) > 1 or not title), None)
    if twice is not None:
        raise LogError(file=path, key=f"line {number}: title", value=twice, expected="titles that differ, none empty")
    if X not in cells:
        message = f"no column is called {X}, which the others are plotted against; the titles are"
        raise LogError(f"{message} {', '.join(cells[:12])}", file=path, names=cells, misspelt=X)
    return cells


def _number(cell: str, title: str, path: str, line_number: int) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    if math.isinf(value):
        key = f"line {line_number}: column {title}"
        raise LogError(file=path, key=key, value=cell, expected="a finite number, or nan")
    return value


def plotter_columns(log: Log, *, spread_deg: float | None = None, tilt_deg: float | None = None) -> dict[str, Array]:
    """Convert a log to columns of the plotter: x_pos along the line from start to end, depth, pitch, sonar, bottom.

    Beams become `beam_<angle>_deg_m` with the angle above the bow: evenly over `spread_deg` from the highest to the
    lowest, with the middle `tilt_deg` down; both default to the settings in the log. A reading is held until the next.
    """
    if not len(log):
        raise LogError("the log is empty, there is nothing to write")
    columns = {"time_s": log.time_s, X: _along(log)}
    columns |= {name: log[name] for name in WRITTEN[1:] if has(log, name)}
    name, beams = sonar_columns(log)
    if name:
        group = [*beams, *([f"{name}_range_m"] if has(log, f"{name}_range_m") else [])]
        held = _held([log[column] for column in group])
        nearest_m = held[-1] if len(held) > len(beams) else _least(held)
        columns["sonar_range_m"] = nearest_m
        fan, tilt = _fan(log, name)
        spread = fan if spread_deg is None else spread_deg
        angles = beam_angles(len(beams), spread)[::-1] - (tilt if tilt_deg is None else tilt_deg)
        for angle, values in zip(angles, held[: len(beams)], strict=True):
            columns[f"beam_{angle:+.2f}_deg_m"] = values
    if has(log, "altitude_m", "depth_m"):
        columns["bottom_m"] = log["depth_m"] + log["altitude_m"]
    return columns


def _fan(log: Log, name: str) -> tuple[float, float]:
    """Return spread and tilt of a sonar, deg, from the settings of the run; default: those of the notes."""
    fitted = log.meta.get("sensors")
    sonar = fitted.get(name, {}) if isinstance(fitted, dict) else {}
    return float(sonar.get("fan_deg", SPREAD_DEG)), float(sonar.get("tilt_deg", 0.0))


def write_plotter(
    log: Log, path: str | os.PathLike[str], *, spread_deg: float | None = None, tilt_deg: float | None = None
) -> None:
    """Write a run in the format of the notes; see `plotter_columns`."""
    columns = plotter_columns(log, spread_deg=spread_deg, tilt_deg=tilt_deg)
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(", ".join(columns) + ",\n")
            for row in np.column_stack(list(columns.values())).tolist():
                file.write(", ".join(map(repr, row)) + ",\n")
    except OSError as problem:
        raise LogError(f"the table cannot be written ({problem.strerror})", file=path) from None


def beam_angles(count: int, spread_deg: float = SPREAD_DEG) -> Array:
    """Return the angles of the beams above the bow, deg, from the lowest to the highest; a single beam points ahead."""
    return np.linspace(-0.5, 0.5, count) * spread_deg if count > 1 else np.zeros(count)


def sonar_columns(log: Log) -> tuple[str, list[str]]:
    """Return the name of the navigation sonar in a log and its beam columns, highest first; "" without a sonar."""
    names = [c.removesuffix("_ahead_m") for c in log.columns if c.endswith("_ahead_m")]
    names = [name for name in names if f"{name}_range_m" in log.columns]  # only a navigation sonar has both columns
    if not names:
        return "", []
    return names[0], [c for c in log.columns if re.fullmatch(rf"{re.escape(names[0])}_beam_\d+_m", c)]


def _along(log: Log) -> Array:
    """Return the position along the line from start to end, or the distance travelled if that line is short."""
    north, east = log["north_m"] - log["north_m"][0], log["east_m"] - log["east_m"][0]
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(north), np.diff(east)))])
    far = float(np.hypot(north[-1], east[-1]))
    return (north * north[-1] + east * east[-1]) / far if far > max(STRAIGHT * float(way[-1]), 1e-9) else way


def _held(group: list[Array]) -> list[Array]:
    """Hold each reading until the next."""
    # a ping arrives whole: its beams without echo are NaN and must not be filled from an earlier one
    came = np.isfinite(np.column_stack(group)).any(axis=1)
    last = np.maximum.accumulate(np.where(came, np.arange(len(group[0])), -1))
    return [np.where(last >= 0, values[np.maximum(last, 0)], np.nan) for values in group]


def _least(group: list[Array]) -> Array:
    table = np.column_stack(group)
    least = np.min(np.where(np.isfinite(table), table, np.inf), axis=1)
    return np.where(np.isfinite(least), least, np.nan)


def plot_case(
    path: str | os.PathLike[str], case: int | str, out: str | os.PathLike[str] | None = None, **motion: Any
) -> list[str]:
    """Draw a data file and return the files written.

    Args:
        path: the data file, or a log.
        case: 1, 2 or 3.
        out: name of the figure; several files get a suffix each. Default: beside the data.
        motion: options of case 3, see `plotter.motion.draw_motion`.
    """
    case_name = str(case).strip()
    if case_name not in ("1", "2", "3"):
        known = "; ".join(f"{number}: {text}" for number, text in CASES.items())
        raise CommandError(key="case", value=case, expected=f"1, 2 or 3 ({known})")
    if motion and case_name != "3":
        raise not_case_3(motion)
    data = read_plotter(path)
    stem, ending = os.path.splitext(os.fspath(out)) if out is not None else ("", "")
    stem, ending = stem or f"{os.path.splitext(os.fspath(path))[0]}-{case_name}", ending or ".png"
    if case_name == "3":
        from pelagos.analysis.plotter.motion import draw_motion

        return draw_motion(data, stem, ending, **motion)
    if case_name == "1":
        draw_all(data, stem + ending)
        return [stem + ending]
    files: list[str] = []
    for title in data.titles:
        if title != X:
            files.append(f"{stem}-{re.sub(r'[^A-Za-z0-9.+-]+', '_', title)}{ending}")
            draw_against_x(data, title, files[-1])
    if not files:
        raise LogError("has no column to draw", file=path, expected=f"one beside {X}")
    return files


def not_case_3(options: Mapping[str, object]) -> CommandError:
    """Make the error for options of case 3 without this case."""
    name, value = next(iter(options.items()))
    return CommandError("only case 3 of the plotter has this option", key=name, value=value, expected="case 3")


def draw_all(data: PlotterData, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw case 1: every column in a panel, over time if the file has it, else over the index of the sample."""
    clock = data.clock()
    over = data[clock] if clock else np.arange(len(data), dtype=float)
    titles = [title for title in data.titles if title != clock] or list(data.titles)
    alone = "o" if len(data) == 1 else ""  # a line through one sample is invisible
    across = 1 if len(titles) <= 4 else 2
    rows = -(-len(titles) // across)
    with styled():
        figure = new_figure(path, (4.6 * across + 2.4 * (across == 1), 0.7 + 1.35 * rows), os.path.basename(data.path))
        grid: Any = figure.subplots(rows, across, squeeze=False)
        axes: list[Axes] = list(grid.flat)
        for ax, title in zip(axes, titles, strict=False):
            line(ax, over, data[title], PALETTE[0], marker=alone)
            _labelled(ax, title)
            ax.margins(x=0.05 * bool(alone))
        for ax in axes[len(titles) :]:
            ax.set_axis_off()
        for column in range(across):
            lowest = axes[: len(titles)][column::across]
            for ax in lowest[:-1]:
                ax.tick_params(labelbottom=False)
            lowest[-1].set_xlabel("time [s]" if clock else "sample")
        return save_or_show(figure, path, dpi=130, error=LogError)


def draw_against_x(data: PlotterData, title: str, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw case 2: one column against x_pos."""
    with styled():
        figure = new_figure(path, (7.2, 3.4), None)
        ax: Any = figure.subplots()
        line(ax, data.x_pos, data[title], PALETTE[0], marker="o" if len(data) == 1 else "")
        _labelled(ax, title)
        ax.set_xlabel(f"{X} [m]")
        ax.margins(x=0.05 * (len(data) == 1))
        return save_or_show(figure, path, dpi=130, error=LogError)


def _labelled(ax: Axes, title: str) -> None:
    label, unit = split_unit(title)
    ax.set_title(X + " [m]" if title == X else f"{label} [{unit}]" if unit else title)
    if bare_title(title) in ("depth", "z pos", "z", "bottom"):
        ax.invert_yaxis()
