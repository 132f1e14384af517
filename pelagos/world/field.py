"""A current on a grid: what a NetCDF/CF file of an ocean model says, in metres and seconds about the world's origin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError
from pelagos.world.current_base import Array, Current, Grid, need
from pelagos.world.named import by_name
from pelagos.world.netcdf import refused, velocities

Index = NDArray[np.intp]
MOST_NUMBERS = 200_000_000  # 1.6 GB
WGS84_A, WGS84_E2 = 6378137.0, 6.69437999014e-3  # semi-major axis, m; first eccentricity squared


class Cover(NamedTuple):
    """From where to where a field says something; infinite along an axis it does not have."""

    north_m: tuple[float, float]
    east_m: tuple[float, float]
    depth_m: tuple[float, float]
    time_s: tuple[float, float]

    def holds(self, north_m: float, east_m: float, depth_m: float) -> bool:
        """Whether a place is inside."""
        places = ((north_m, self.north_m), (east_m, self.east_m), (depth_m, self.depth_m))
        return all(low <= x <= high for x, (low, high) in places)


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Field(Current):
    """Velocities from a NetCDF file that keeps to the CF conventions.

    The variables are found by standard name, by common names or by the keys `u` (east), `v` (north), `w` (up). The
    world's origin is at `origin_lat_deg`, `origin_lon_deg`, or, if the file is in metres, at its `origin_x_m` (east),
    `origin_y_m` (north). The run starts at `start_time` ("2024-05-01T12:00"), else at the file's first time.
    `radius_m` reads only that much around the origin; `fill = "zero"` takes missing values (land, below the bottom) as
    water at rest.
    """

    kind: str = "field"
    file: str
    u: str = ""
    v: str = ""
    w: str = ""
    origin_lat_deg: float | None = None
    origin_lon_deg: float | None = None
    origin_x_m: float = 0.0
    origin_y_m: float = 0.0
    start_time: str = ""
    radius_m: float | None = None
    fill: str = ""

    def __post_init__(self) -> None:
        """Refuse keys that cannot be meant; the file itself is read when it is needed."""
        super().__post_init__()
        need(self, "file", isinstance(self.file, str | Path) and str(self.file), "the name of a NetCDF file")
        for key in ("u", "v", "w", "start_time"):
            need(self, key, isinstance(getattr(self, key), str), "text")
        lat, lon = self.origin_lat_deg, self.origin_lon_deg
        need(self, "origin_lat_deg", lat is None or abs(lat) < 90.0, "a latitude between -90 and 90")
        need(self, "origin_lon_deg", lon is None or abs(lon) <= 360.0, "a longitude between -360 and 360")
        need(self, "radius_m", self.radius_m is None or self.radius_m > 0.0, "a number above 0")
        need(self, "fill", self.fill in ("", "zero"), '"" (refuse missing values) or "zero" (water at rest)')

    @property
    def cover(self) -> Cover:
        """From where to where the field reaches; outside it is held at its edge."""
        return cover(read_field(self))

    def grid(self, until_s: float) -> Grid:
        """The field with the times that a run from 0 to `until_s` needs."""
        whole = read_field(self)
        first = max(int(np.searchsorted(whole.times, 0.0, "right")) - 1, 0)
        last = int(np.searchsorted(whole.times, until_s)) + 1
        first = min(first, len(whole.times) - 1)
        return whole._replace(times=whole.times[first:last], values=whole.values[first:last])


def cover(grid: Grid) -> Cover:
    """From where to where a grid reaches. Above its first depth the water moves as at the first: that is covered."""

    def ends(axis: Array) -> tuple[float, float]:
        return (-math.inf, math.inf) if len(axis) == 1 else (float(axis[0]), float(axis[-1]))

    return Cover(ends(grid.norths), ends(grid.easts), (-math.inf, ends(grid.depths)[1]), ends(grid.times))


def read_field(field: Field) -> Grid:
    """The grid of a field; the file is read once and again only when it has changed."""
    path = Path(field.file)
    if not path.is_file():
        raise ScenarioError("world", "current.file", field.file, "there is no such file")
    return _read(field, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(field: Field, changed: int) -> Grid:
    found = velocities(field.file, field.u, field.v, field.w, field.start_time)
    axes = dict(found.axes)
    norths, easts = _horizontal(field, axes)
    near: dict[str, Index] = {}
    for role, axis in (("north", norths), ("east", easts)):
        order = np.unique(axis, return_index=True)[1]  # ascending, each once: 0 and 360 deg are one place
        near[role] = _within(field, role, axis, order)
    depths, times = axes.get("depth", np.zeros(1)), axes.get("time", np.zeros(1))
    deep, late = np.argsort(depths), np.argsort(times)
    size = len(late) * len(deep) * len(near["north"]) * len(near["east"]) * 3
    if size > MOST_NUMBERS:
        expected = f"a smaller piece of {Path(field.file).name}, which would take {size * 8e-9:.1f} GB"
        raise ScenarioError(
            "world", "current.radius_m", "not given" if field.radius_m is None else field.radius_m, expected
        )
    pick = {"time": late, "depth": deep, "north": near["north"], "east": near["east"]}
    values = np.stack([found.read(name, pick) for name in ("north", "east", "down")], axis=-1)
    grid = Grid(times[late], depths[deep], norths[near["north"]], easts[near["east"]], values)
    _fill(field, grid)
    for part in grid:
        part.setflags(write=False)
    return grid


def _horizontal(field: Field, axes: dict[str, Array]) -> tuple[Array, Array]:
    """Metres north and east of the origin: the tangent plane of the WGS84 ellipsoid, its radii those of the origin."""
    one = np.zeros(1)
    if "latitude" not in axes and "longitude" not in axes:
        return axes.get("north", one) - field.origin_y_m, axes.get("east", one) - field.origin_x_m
    if field.origin_lat_deg is None or field.origin_lon_deg is None:
        key = "origin_lat_deg" if field.origin_lat_deg is None else "origin_lon_deg"
        raise refused(field.file, f"is on latitude and longitude: {key} must say where the world's origin is")
    per_north, per_east = metres_per_degree(field.origin_lat_deg)
    around = (axes.get("longitude", one + field.origin_lon_deg) - field.origin_lon_deg + 180.0) % 360.0 - 180.0
    return per_north * (axes.get("latitude", one + field.origin_lat_deg) - field.origin_lat_deg), per_east * around


def metres_per_degree(lat_deg: float) -> tuple[float, float]:
    """Length of a degree of latitude and of longitude at a latitude: meridional and normal radius of WGS84."""
    sine = math.sin(math.radians(lat_deg))
    w2 = 1.0 - WGS84_E2 * sine * sine
    normal = WGS84_A / math.sqrt(w2)
    meridional = normal * (1.0 - WGS84_E2) / w2
    return math.radians(meridional), math.radians(normal * math.cos(math.radians(lat_deg)))


def _within(field: Field, role: str, axis: Array, order: Index) -> Index:
    """Numbers of the nodes, in ascending order, that surround what lies within radius_m."""
    if field.radius_m is None or len(order) == 1:
        return order
    ascending = axis[order]
    first = max(int(np.searchsorted(ascending, -field.radius_m, "right")) - 1, 0)
    last = int(np.searchsorted(ascending, field.radius_m)) + 1
    if ascending[0] > field.radius_m or ascending[-1] < -field.radius_m:
        said = f"lies {ascending[0] / 1e3:.4g} to {ascending[-1] / 1e3:.4g} km {role} of the origin, outside radius_m"
        raise refused(field.file, said)
    return order[first:last]


def _fill(field: Field, grid: Grid) -> None:
    """Missing values: refused with how many and where the first is, or set to rest."""
    missing = ~np.isfinite(grid.values).all(axis=-1)
    count = int(missing.sum())
    if not count:
        return
    if field.fill != "zero":
        t, d, n, e = np.argwhere(missing)[0]
        where = (
            f"the first at {grid.times[t]:g} s, depth {grid.depths[d]:g} m, "
            f"{grid.norths[n]:g} m north, {grid.easts[e]:g} m east of the origin"
        )
        said = f'has {count} of {missing.size} velocities missing, {where}; fill = "zero" takes them as water at rest'
        raise refused(field.file, said)
    grid.values[missing] = 0.0
