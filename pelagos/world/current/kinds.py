"""Kinds of currents, and the packing of all currents into the tables of the kernel.

The currents of a world add up. Each is a table `[[current]]` of a world file with its `kind`; directions are where
the water flows *to*, clockwise from north.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pelagos.checks import CURRENT, WORLD, number
from pelagos.errors import ABSENT, ScenarioError, shown
from pelagos.files.reader import by_name
from pelagos.files.source import why_not
from pelagos.world.current.base import Array, Current, Grid, Harmonic, Knots, need, table, towards
from pelagos.world.current.field import CurrentField
from pelagos.world.current.gusts import GaussMarkov, Turbulence

if TYPE_CHECKING:
    from pelagos.world.writer import SeaWriter

__all__ = [
    "KINDS",
    "Current",
    "CurrentField",
    "GaussMarkov",
    "PowerLaw",
    "Profile",
    "Series",
    "Tidal",
    "Turbulence",
    "Uniform",
    "check_cover",
    "pack_currents",
    "velocity_at",
    "with_origin",
]

SERIES_COLUMNS = ("time_s", "north_m_s", "east_m_s", "down_m_s")
POWER_LAW_KNOTS = 24


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Uniform(Current):
    """Uniform steady current."""

    kind: str = "uniform"
    speed_m_s: float = 0.0
    to_deg: float = 0.0
    down_m_s: float = 0.0

    def knots(self) -> Knots:
        """Return one knot, which applies to all depths."""
        return Knots(np.zeros(1), (self.speed_m_s * towards(self.to_deg) + (0.0, 0.0, self.down_m_s))[np.newaxis])


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Profile(Current):
    """Current profile: rows of depth (m), speed (m/s), direction (deg); north and east are linear between rows."""

    kind: str = "profile"
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        """Validate the rows."""
        super().__post_init__()
        self.knots()

    def knots(self) -> Knots:
        """Return the rows as vectors."""
        rows = table("rows", self.rows, ("depth_m", "speed_m_s", "to_deg"))
        return Knots(rows[:, 0], np.array([speed * towards(to) for _, speed, to in rows]))


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class PowerLaw(Current):
    """Bottom boundary layer: speed_m_s ((bottom_m - depth)/bottom_m)^exponent, speed_m_s at the surface.

    Linear between 24 knots that are denser towards the bottom, where the power law has an infinite slope.
    """

    kind: str = "power_law"
    speed_m_s: float
    to_deg: float
    bottom_m: float
    exponent: float = 1.0 / 7.0

    def __post_init__(self) -> None:
        """Validate depth and exponent."""
        super().__post_init__()
        expected = "the depth of the water, a number above 0"
        number("bottom_m", self.bottom_m, 0.0, above=True, expected=expected, context=CURRENT)
        number("exponent", self.exponent, 0.0, 1.0, above=True, context=CURRENT)

    def knots(self) -> Knots:
        """Return knots at cubically spaced heights: within 1 % of the law above 1/100 of the depth."""
        height = np.linspace(1.0, 0.0, POWER_LAW_KNOTS) ** 3
        speeds = self.speed_m_s * height**self.exponent
        return Knots(self.bottom_m * (1.0 - height), np.outer(speeds, towards(self.to_deg)))


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Tidal(Current):
    """Tidal constituent with its maximum towards `to_deg` at phase_deg/360 of a period after the start.

    The default period is that of M2. `minor_m_s` is the minor semi-axis of the tidal ellipse; positive values rotate
    clockwise seen from above.
    """

    kind: str = "tidal"
    speed_m_s: float
    to_deg: float
    period_h: float = 12.4206012
    phase_deg: float = 0.0
    minor_m_s: float = 0.0

    def __post_init__(self) -> None:
        """Validate period and ellipse."""
        super().__post_init__()
        self.check(0.0, "period_h", above=True)
        need(self, "minor_m_s", abs(self.minor_m_s) <= abs(self.speed_m_s), "at most speed_m_s")

    def harmonics(self) -> Sequence[Harmonic]:
        """Return major cos(omega t - phase) along, minor sin(omega t - phase) across."""
        major, minor = self.speed_m_s * towards(self.to_deg), self.minor_m_s * towards(self.to_deg + 90.0)
        phase = math.radians(self.phase_deg)
        c, s = math.cos(phase), math.sin(phase)
        return [Harmonic(2.0 * math.pi / (3600.0 * self.period_h), major * c - minor * s, major * s + minor * c)]


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Series(Current):
    """Measured time series: rows of time (s), north, east, down (m/s), inline or from a CSV `file`.

    The first line of the file names the columns time_s, north_m_s, east_m_s and optionally down_m_s, in any order. The
    series is linear between rows and constant outside, where `check_cover` raises an error.
    """

    kind: str = "series"
    rows: tuple[tuple[float, ...], ...] = ()
    file: str = ""

    def __post_init__(self) -> None:
        """Validate the rows; exactly one of rows and file is allowed."""
        super().__post_init__()
        need(self, "file", not (self.file and self.rows), "either file or rows")
        need(self, "rows", self.file or self.rows, "rows, or a file that has them")
        self.measured()

    def measured(self) -> Array:
        """Return rows of time, north, east, down."""
        rows = _read_series(self.file) if self.file else self.rows
        complete = [(*row, 0.0) if len(row) == 3 else row for row in rows if isinstance(row, Sequence)]
        return table("file" if self.file else "rows", complete, SERIES_COLUMNS, least=2)

    def grid(self, until_s: float) -> Grid | None:
        """Return the rows as a field with a single node in space."""
        rows, single = self.measured(), np.zeros(1)
        return Grid(rows[:, 0], single, single, single, rows[:, 1:].reshape(len(rows), 1, 1, 1, 3))


KINDS: dict[str, type[Current]] = {
    "uniform": Uniform,
    "profile": Profile,
    "power_law": PowerLaw,
    "tidal": Tidal,
    "gauss_markov": GaussMarkov,
    "turbulence": Turbulence,
    "series": Series,
    "field": CurrentField,
}


def pack_currents(currents: Iterable[Current], writer: SeaWriter, *, until_s: float) -> None:
    """Write all currents into the tables of the kernel, for a run from 0 to `until_s`.

    To extend a run, pack again with a larger `until_s` and a new writer: the earlier part of the tables stays the
    same, so they can be exchanged during a run.
    """
    from pelagos.engine.water.sea import FLOW_FIELD, HARMONIC, KNOT, SERIES

    number("until_s", until_s, 0.0, expected="a finite number of at least 0", context=WORLD)
    currents = tuple(currents)
    harmonics = [h._asdict() for current in currents for h in current.harmonics()]
    knots = _merged([profile for current in currents if (profile := current.knots())])
    rows = [samples for current in currents if (samples := current.samples(until_s))]
    grids = [grid for current in currents if (grid := current.grid(until_s))]
    series = [{"start": r.start, "step": r.step, "count": len(r.values), "at": writer.append(r.values)} for r in rows]
    fields = [
        {
            **dict(zip(("times", "depths", "norths", "easts"), map(len, grid[:4]), strict=True)),
            "at": writer.append(np.concatenate([part.ravel() for part in grid])),
        }
        for grid in grids
    ]
    writer.table("harmonics", HARMONIC, harmonics)
    writer.table("knots", KNOT, knots)
    writer.table("series", SERIES, series)
    writer.table("fields", FLOW_FIELD, fields)


def _merged(profiles: list[Knots]) -> list[dict[str, object]]:
    """The sum of several profiles, exact on the union of their depths."""
    if not profiles:
        return []
    depths = np.unique(np.concatenate([p.depths for p in profiles if len(p.depths) > 1] or [np.zeros(1)]))
    values = np.zeros((len(depths), 3))
    for p in profiles:
        values += np.stack([np.interp(depths, p.depths, p.values[:, i]) for i in range(3)], axis=1)
    slopes = np.zeros_like(values)
    slopes[:-1] = np.diff(values, axis=0) / np.diff(depths)[:, np.newaxis]
    return [{"depth": d, "value": v, "slope": s} for d, v, s in zip(depths, values, slopes, strict=True)]


def check_cover(current: Current, until_s: float, places: Iterable[Sequence[float]] = ()) -> None:
    """Raise an error if a series or field does not cover a run from 0 to `until_s` and these positions (NED)."""
    if isinstance(current, Series):
        times = current.measured()[:, 0]
        _check_time(current, (float(times[0]), float(times[-1])), until_s, "rows")
    elif isinstance(current, CurrentField):
        reach = current.cover
        _check_time(current, reach.time_s, until_s, Path(current.file).name)
        for place in places:
            north, east, depth = (float(x) for x in place)
            if not reach.holds(north, east, depth):
                CURRENT.fail(
                    "file",
                    f"ends at {_span(reach.north_m)} m north, {_span(reach.east_m)} m east, {reach.depth_m[1]:g} m "
                    f"depth; the vehicle is at {north:g} north, {east:g} east, {depth:g} depth",
                    value=Path(current.file).name,
                )


def _check_time(current: Current, span: tuple[float, float], until_s: float, source: str) -> None:
    # 1 µs: times of a file are kept to the nanosecond, sums of steps to less
    if span[0] > 1e-6 or span[1] < until_s - 1e-6:
        key = "file" if isinstance(current, CurrentField) else source
        CURRENT.fail(
            key,
            f"covers {_span(span)} s of the run, which needs 0 to {until_s:g} s",
            value=source if key == "file" else ABSENT,
        )


def _span(ends: tuple[float, float]) -> str:
    return f"{ends[0]:g} to {ends[1]:g}"


def with_origin(currents: Iterable[Current], lat_deg: float | None, lon_deg: float | None) -> tuple[Current, ...]:
    """Return the currents with the origin of the world set in fields that have none."""

    def placed(current: Current) -> Current:
        if isinstance(current, CurrentField) and current.origin_lat_deg is None and current.origin_lon_deg is None:
            return replace(current, origin_lat_deg=lat_deg, origin_lon_deg=lon_deg)
        return current

    return tuple(map(placed, currents))


def velocity_at(currents: Iterable[Current], positions_n: object, times_s: object) -> Array:
    """Return the velocity of the water (n, 3), NED, m/s, at n positions (NED, m) and times (s), from the kernel."""
    from pelagos.engine.water.flow import sample_flow
    from pelagos.world.writer import SeaWriter

    positions = np.atleast_2d(np.asarray(positions_n, dtype=np.float64))
    times = np.atleast_1d(np.asarray(times_s, dtype=np.float64))
    count = max(len(positions), len(times))
    where = np.ascontiguousarray(np.broadcast_to(positions, (count, 3)))
    when = np.ascontiguousarray(np.broadcast_to(times, count))
    writer = SeaWriter()
    pack_currents(currents, writer, until_s=max(float(when.max()), 0.0))
    out = np.zeros((count, 6))
    sample_flow(writer.finish(), where, when, out)
    return out[:, :3]


def _read_series(file: str) -> tuple[tuple[float, ...], ...]:
    """Rows of a CSV file, by the names in its first line."""
    name = Path(file).name
    why = why_not(file)
    if why:
        raise ScenarioError(**why, file="current", key="file", value=file)
    try:
        with Path(file).open(newline="", encoding="utf-8") as stream:
            lines = list(csv.DictReader(line for line in stream if line.strip() and not line.startswith("#")))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ScenarioError(file="current", key="file", value=file, expected="a CSV file that can be read") from None
    named = [key for key in lines[0] if key is not None] if lines else []
    wrong = [key for key in named if key not in SERIES_COLUMNS]
    if wrong or not set(SERIES_COLUMNS[:3]) <= set(named):
        CURRENT.fail(
            "file",
            f"the first line has {shown(wrong[0])}" if wrong else "",
            value=name,
            expected=f"a first line that names {', '.join(SERIES_COLUMNS)}",
            names=SERIES_COLUMNS if wrong else (),
            misspelt=wrong[0] if wrong else "",
        )
    rows: list[tuple[float, ...]] = []
    for row, line in enumerate(lines, 1):
        if None in line:  # csv.DictReader collects surplus entries under None
            CURRENT.fail("file", f"row {row} has more entries than the first line", value=name)
        try:
            rows.append(tuple(float(line.get(key, 0.0)) for key in SERIES_COLUMNS))
        except (TypeError, ValueError):
            raise ScenarioError(
                f"row {row} has an entry that is not a number", file="current", key="file", value=name
            ) from None
    return tuple(rows)
