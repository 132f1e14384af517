"""Current field from a NetCDF/CF file of an ocean model.

`velocities` finds the velocity variables of a file, their axes and their units; `CurrentField` is the description in a
world file; `read_field` converts it to a grid in metres and seconds about the origin of the world.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import CURRENT, choice, number
from pelagos.errors import ScenarioError, one_of
from pelagos.files.netcdf import open_netcdf, read_netcdf
from pelagos.files.reader import by_name
from pelagos.files.source import why_not
from pelagos.world.current.base import Array, Current, Grid, need

Index = NDArray[np.intp]
MOST_NUMBERS = 200_000_000  # 1.6 GB
WGS84_A, WGS84_E2 = 6378137.0, 6.69437999014e-3  # semi-major axis, m; first eccentricity squared
FEATURE = "a current from a NetCDF file"
# CF standard names first, then the variable names of common ocean models
EAST = ("eastward_sea_water_velocity", "sea_water_x_velocity", "u", "uo", "water_u", "vozocrtx", "east", "u_velocity")
NORTH = (
    "northward_sea_water_velocity",
    "sea_water_y_velocity",
    "v",
    "vo",
    "water_v",
    "vomecrty",
    "north",
    "v_velocity",
)
UP = ("upward_sea_water_velocity", "downward_sea_water_velocity", "w", "wo", "water_w", "vovecrtz", "w_velocity")
ROLES = {
    "time": ("time", "t", "ocean_time", "time_counter"),
    "depth": ("depth", "z", "deptht", "lev", "level", "height", "altitude", "depth_below_sea"),
    "latitude": ("latitude", "lat", "nav_lat", "degrees_north", "degree_north"),
    "longitude": ("longitude", "lon", "nav_lon", "degrees_east", "degree_east"),
    "north": ("projection_y_coordinate", "y", "north", "northing"),
    "east": ("projection_x_coordinate", "x", "east", "easting"),
}
LENGTH = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), 1.0),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), 1000.0),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), 0.01),
    **dict.fromkeys(("ft", "foot", "feet"), 0.3048),
}
SPEED = {
    **dict.fromkeys(("m/s", "m s-1", "metre/second", "metre second-1", "meter/second", "meter second-1"), 1.0),
    **dict.fromkeys(("metres/second", "metres second-1", "meters/second", "meters second-1", "m/sec", "m sec-1"), 1.0),
    **dict.fromkeys(("cm/s", "cm s-1"), 0.01),
    **dict.fromkeys(("mm/s", "mm s-1"), 0.001),
    **dict.fromkeys(("kt", "kn", "kts", "knot", "knots"), 1852.0 / 3600.0),
}
TIME = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}


def refused(file: str | Path, message: str, expected: str = "") -> ScenarioError:
    """Return the error for a file that cannot be used."""
    return ScenarioError(message, file="current", key="file", value=Path(file).name, expected=expected)


@dataclass(frozen=True)
class Velocities:
    """Velocity variables of a file and their axes by role (SI; depth down; latitude and longitude in degrees)."""

    axes: Mapping[str, Array]
    dims: Mapping[str, str]  # role -> dimension of the file
    variables: Mapping[str, tuple[str, float]]  # north, east, down -> variable and factor to m/s
    file: str

    def read(self, name: str, nodes: Mapping[str, Any]) -> Array:
        """Read one velocity component, m/s, as [time, depth, north, east] at the numbered nodes of each axis."""
        if name not in self.variables:
            return np.zeros([len(nodes[role]) for role in ("time", "depth", "north", "east")])
        variable, factor = self.variables[name]
        order = ("time", "depth", "latitude", "longitude", "north", "east")
        role_of = {"latitude": "north", "longitude": "east"}
        dims = [role for role in order if role in self.dims]
        with open_file(self.file) as data:
            picked = data[variable].isel({self.dims[role]: nodes[role_of.get(role, role)] for role in dims})
            values = np.asarray(picked.transpose(*(self.dims[role] for role in dims)).values, dtype=np.float64)
        has = {role_of.get(role, role) for role in dims}
        for at, role in enumerate(("time", "depth", "north", "east")):
            if role not in has:
                values = np.expand_dims(values, at)
        return factor * values


def open_file(file: str | Path) -> Any:
    """Open the file as an xarray dataset."""
    return open_netcdf(str(file), FEATURE, partial(refused, file), decode_timedelta=False)


def velocities(file: str, u: str = "", v: str = "", w: str = "", start_time: str = "") -> Velocities:
    """Find the velocity variables of a file and read their axes."""
    with open_file(file) as data:
        east, north = _find(data, file, "u", u, EAST), _find(data, file, "v", v, NORTH)
        down = _find(data, file, "w", w, UP)
        if data[east].dims != data[north].dims or (down and data[down].dims != data[east].dims):
            names = ", ".join(name for name in (east, north, down) if name)
            raise refused(file, f"has {names} on different axes", "one grid for all")
        variables = {"east": (east, _speed(data, file, east)), "north": (north, _speed(data, file, north))}
        if down:
            sign = 1.0 if str(data[down].attrs.get("standard_name", "")).startswith("downward") else -1.0
            variables["down"] = (down, sign * _speed(data, file, down))
        axes: dict[str, Array] = {}
        dims: dict[str, str] = {}
        for dim in map(str, data[east].dims):
            role = _role(data, file, dim)
            if role in dims:
                raise refused(file, f"has two axes of {role}, {dims[role]} and {dim}")
            dims[role], axes[role] = dim, _axis(data[dim], file, role, start_time)
        if len({"latitude", "east"} & set(dims)) == 2 or len({"longitude", "north"} & set(dims)) == 2:
            raise refused(file, f"has degrees and metres on its axes {', '.join(dims.values())}", "one of the two")
    return Velocities(axes, dims, variables, file)


def _find(data: Any, file: str, key: str, chosen: str, names: tuple[str, ...]) -> str:
    """The variable that a key names, else by standard name, else by common name; "" for a missing w."""
    present = [str(name) for name in data.data_vars]
    if chosen:
        if chosen not in present:
            expected = f"a variable of {Path(file).name}: {', '.join(present)}"
            CURRENT.fail(key, value=chosen, expected=expected, names=present)
        return chosen
    for name in names:
        matching = [n for n in present if data[n].attrs.get("standard_name") == name]
        if len(matching) > 1:
            CURRENT.fail(key, f"{Path(file).name} has several variables {name}", expected=one_of(matching))
        if matching:
            return matching[0]
    for name in names:
        matches = [n for n in present if n.lower() == name]
        if matches:
            return matches[0]
    if key == "w":
        return ""
    CURRENT.fail(key, f"{Path(file).name} has no {names[0]}", expected=one_of(present))


def _units(attrs: Mapping[str, Any], table: Mapping[str, float]) -> float | None:
    units = " ".join(str(attrs.get("units", "")).replace("^", "").replace("**", "").replace(".", " ").split())
    return table.get(units, table.get(units.lower()))


def _speed(data: Any, file: str, name: str) -> float:
    factor = _units(data[name].attrs, SPEED)
    if factor is None:
        raise refused(file, f"gives {name} {_in_units(data[name].attrs)}", "a speed such as m s-1")
    return factor


def _in_units(attrs: Mapping[str, Any]) -> str:
    return f'in "{attrs["units"]}"' if attrs.get("units") else "no units"


def _role(data: Any, file: str, dim: str) -> str:
    """Role of a dimension of the velocities: time, depth, latitude, longitude, north or east."""
    if dim not in data.coords:
        raise refused(file, f"has no coordinate for the dimension {dim}", "a grid along its axes")
    attrs = data[dim].attrs
    units = str(attrs.get("units", "")).lower()
    for word in (str(attrs.get("standard_name", "")).lower(), units if units.startswith("degree") else "", dim.lower()):
        for role, names in ROLES.items():
            if word in names:
                return role
    axis = {"T": "time", "Z": "depth", "Y": "north", "X": "east"}.get(str(attrs.get("axis", "")))
    if axis:
        return axis
    raise refused(file, f"has a dimension {dim}", one_of(("time", "depth", "latitude", "longitude", "x", "y")))


def _axis(coordinate: Any, file: str, role: str, start_time: str) -> Array:
    """An axis in SI (time: from the start of the run)."""
    name, attrs = str(coordinate.name), coordinate.attrs
    if role == "time":
        return _monotonic(_seconds(coordinate, file, start_time), file, name)
    values = np.asarray(coordinate.values, dtype=np.float64)
    if role in ("latitude", "longitude"):
        if not str(attrs.get("units", "")).lower().startswith("degree"):
            raise refused(file, f"gives {name} {_in_units(attrs)}", "degrees_north or degrees_east")
        return values if role == "longitude" else _monotonic(values, file, name)
    factor = _units(attrs, LENGTH)
    if factor is None:
        raise refused(file, f"gives {name} {_in_units(attrs)}", "a length such as m")
    values = factor * values
    if role == "depth":
        positive = str(attrs.get("positive", "")).lower()
        if not positive and (attrs.get("standard_name") == "depth" or name.lower().startswith("depth")):
            positive = "up" if (values <= 0.0).all() and values.any() else "down"
        if positive not in ("up", "down"):
            raise refused(file, f"gives {name} no attribute positive", '"up" or "down"')
        values = -values if positive == "up" else values
    return _monotonic(values, file, name)


def _seconds(coordinate: Any, file: str, start_time: str) -> Array:
    """Time of the run in seconds: 0 at start_time, else at the first time of the file."""
    name, values = str(coordinate.name), coordinate.values
    if values.dtype.kind == "M":
        try:
            start = np.datetime64(start_time.removesuffix("Z"), "ns") if start_time else values.min()
        except ValueError:
            expected = 'a date and time such as "2024-05-01T12:00"'
            raise ScenarioError(file="current", key="start_time", value=start_time, expected=expected) from None
        return (values - start) / np.timedelta64(1, "ns") * 1e-9
    factor = _units(coordinate.attrs, TIME)
    if factor is None or values.dtype.kind not in "fiu":
        units = _in_units(coordinate.attrs)
        expected = 'units such as "seconds since 2024-05-01" in the standard calendar'
        raise refused(file, f"gives {name} {units}", expected)
    try:
        start = float(start_time) if start_time else float(values.min())
    except ValueError:
        expected = f"a number on the axis {name} of {Path(file).name}, which has no dates"
        raise ScenarioError(file="current", key="start_time", value=start_time, expected=expected) from None
    return factor * (np.asarray(values, dtype=np.float64) - start)


def _monotonic(values: Array, file: str, name: str) -> Array:
    steps = np.diff(values)
    if not np.isfinite(values).all() or not ((steps > 0.0).all() or (steps < 0.0).all()):
        raise refused(file, f"has an axis {name}", "one that rises or falls throughout")
    return values


class Cover(NamedTuple):
    """Extent of a field along each axis; infinite along an axis it does not have."""

    north_m: tuple[float, float]
    east_m: tuple[float, float]
    depth_m: tuple[float, float]
    time_s: tuple[float, float]

    def holds(self, north_m: float, east_m: float, depth_m: float) -> bool:
        """Return whether a position is inside."""
        places = ((north_m, self.north_m), (east_m, self.east_m), (depth_m, self.depth_m))
        return all(low <= x <= high for x, (low, high) in places)


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class CurrentField(Current):
    """Current field from a NetCDF file that follows the CF conventions.

    The variables are found by standard name, by common names or by the keys `u` (east), `v` (north), `w` (up). The
    world's origin is at `origin_lat_deg`, `origin_lon_deg`, or, if the file is in metres, at its `origin_x_m` (east),
    `origin_y_m` (north). The run starts at `start_time` ("2024-05-01T12:00"), else at the file's first time.
    `radius_m` limits reading to that distance from the origin; `fill = "zero"` replaces missing values (land, below the
    bottom) by water at rest.
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
        """Validate the keys; the file is read on first use."""
        super().__post_init__()
        need(self, "file", isinstance(self.file, str | Path) and str(self.file), "the name of a NetCDF file")
        for key in ("u", "v", "w", "start_time"):
            need(self, key, isinstance(getattr(self, key), str), "text")
        if self.origin_lat_deg is not None:
            number("origin_lat_deg", self.origin_lat_deg, -90.0, 90.0, above=True, below=True, context=CURRENT)
        if self.origin_lon_deg is not None:
            number("origin_lon_deg", self.origin_lon_deg, -360.0, 360.0, context=CURRENT)
        if self.radius_m is not None:
            self.check(0.0, "radius_m", above=True)
        expected = '"" (refuse missing values) or "zero" (water at rest)'
        choice("fill", self.fill, ("", "zero"), expected, context=CURRENT)

    @property
    def cover(self) -> Cover:
        """Extent of the field; outside, the velocity is that at the edge."""
        return cover(read_field(self))

    def grid(self, until_s: float) -> Grid:
        """Return the field at the times that a run from 0 to `until_s` needs."""
        whole = read_field(self)
        # including the times just before 0 and just after until_s, between which the kernel interpolates
        first = max(int(np.searchsorted(whole.times, 0.0, "right")) - 1, 0)
        last = int(np.searchsorted(whole.times, until_s)) + 1
        first = min(first, len(whole.times) - 1)
        return whole._replace(times=whole.times[first:last], values=whole.values[first:last])


def cover(grid: Grid) -> Cover:
    """Return the extent of a grid; the water above its first depth moves as at that depth and counts as covered."""

    def ends(axis: Array) -> tuple[float, float]:
        return (-math.inf, math.inf) if len(axis) == 1 else (float(axis[0]), float(axis[-1]))

    return Cover(ends(grid.norths), ends(grid.easts), (-math.inf, ends(grid.depths)[1]), ends(grid.times))


def read_field(field: CurrentField) -> Grid:
    """Return the grid of a field; the file is read again only when it has changed."""
    why = why_not(field.file)
    if why:
        raise ScenarioError(**why, file="current", key="file", value=field.file)
    return _read(field, os.stat(field.file).st_mtime_ns)


@lru_cache(maxsize=4)
def _read(field: CurrentField, changed: int) -> Grid:
    # in another process with a time limit: a damaged file can make the HDF5 library loop
    grid: Grid = read_netcdf(field.file, FEATURE, partial(refused, field.file), read_here, field)
    for part in grid:  # the cache hands out the same arrays again
        part.setflags(write=False)
    return grid


def read_here(field: CurrentField) -> Grid:
    """Read the grid of a field in this process."""
    source = velocities(field.file, field.u, field.v, field.w, field.start_time)
    axes = dict(source.axes)
    norths, easts = _horizontal(field, axes)
    near: dict[str, Index] = {}
    for role, axis in (("north", norths), ("east", easts)):
        order = np.unique(axis, return_index=True)[1]  # ascending without duplicates: 0 and 360 deg coincide
        near[role] = _within(field, role, axis, order)
    depths, times = axes.get("depth", np.zeros(1)), axes.get("time", np.zeros(1))
    deep, late = np.argsort(depths), np.argsort(times)
    size = len(late) * len(deep) * len(near["north"]) * len(near["east"]) * 3
    if size > MOST_NUMBERS:
        CURRENT.fail(
            "radius_m",
            value="not given" if field.radius_m is None else field.radius_m,
            expected=f"a smaller piece of {Path(field.file).name}, which would take {size * 8e-09:.1f} GB",
        )
    pick = {"time": late, "depth": deep, "north": near["north"], "east": near["east"]}
    values = np.stack([source.read(name, pick) for name in ("north", "east", "down")], axis=-1)
    grid = Grid(times[late], depths[deep], norths[near["north"]], easts[near["east"]], values)
    _fill(field, grid)
    return grid


def _horizontal(field: CurrentField, axes: dict[str, Array]) -> tuple[Array, Array]:
    """Metres north and east of the origin, on the tangent plane of the WGS84 ellipsoid at the origin."""
    zero = np.zeros(1)
    if "latitude" not in axes and "longitude" not in axes:
        return axes.get("north", zero) - field.origin_y_m, axes.get("east", zero) - field.origin_x_m
    if field.origin_lat_deg is None or field.origin_lon_deg is None:
        key = "origin_lat_deg" if field.origin_lat_deg is None else "origin_lon_deg"
        expected = f"the origin of the world: {Path(field.file).name} is on latitude and longitude"
        CURRENT.fail(key, "is missing", expected=expected)
    per_north, per_east = metres_per_degree(field.origin_lat_deg)
    # the shorter way round: files count longitudes from 0 to 360 or from -180 to 180
    around = (axes.get("longitude", zero + field.origin_lon_deg) - field.origin_lon_deg + 180.0) % 360.0 - 180.0
    return per_north * (axes.get("latitude", zero + field.origin_lat_deg) - field.origin_lat_deg), per_east * around


def metres_per_degree(lat_deg: float) -> tuple[float, float]:
    """Return the lengths of a degree of latitude and of longitude at a latitude on the WGS84 ellipsoid."""
    sine = math.sin(math.radians(lat_deg))
    w2 = 1.0 - WGS84_E2 * sine * sine
    normal = WGS84_A / math.sqrt(w2)
    meridional = normal * (1.0 - WGS84_E2) / w2
    return math.radians(meridional), math.radians(normal * math.cos(math.radians(lat_deg)))


def _within(field: CurrentField, role: str, axis: Array, order: Index) -> Index:
    """Indices of the nodes, in ascending order, that enclose radius_m."""
    if field.radius_m is None or len(order) == 1:
        return order
    ascending = axis[order]
    # one node beyond the radius on each side, for interpolation at its edge
    first = max(int(np.searchsorted(ascending, -field.radius_m, "right")) - 1, 0)
    last = int(np.searchsorted(ascending, field.radius_m)) + 1
    if ascending[0] > field.radius_m or ascending[-1] < -field.radius_m:
        reach = f"{ascending[0] / 1000.0:.4g} to {ascending[-1] / 1000.0:.4g} km {role} of the origin"
        expected = f"a circle that reaches {Path(field.file).name}, {reach}"
        CURRENT.fail("radius_m", value=field.radius_m, expected=expected)
    return order[first:last]


def _fill(field: CurrentField, grid: Grid) -> None:
    """Set missing values to rest, or raise an error with their number and the first position."""
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
        message = f"{Path(field.file).name} has {count} of {missing.size} velocities missing, {where}"
        CURRENT.fail("fill", message, value=field.fill, expected='"zero", which takes them as water at rest')
    # in place: nothing else has the values yet, and a copy could take gigabytes
    grid.values[missing] = 0.0
