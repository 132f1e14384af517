"""`Seabed`: description of the bottom as a plane, a slope, a height map or a profile along a track."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import SEABED, choice, number, numbers
from pelagos.engine.water.sea import GRID_BOTTOM, NO_BOTTOM, PLANE_BOTTOM
from pelagos.files.reader import by_name
from pelagos.world.seabed.bathymetry import HeightMap, read_map
from pelagos.world.seabed.profile import profile_map
from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]
KINDS = ("flat", "slope", "grid", "profile")
ENDLESS_M = 1e9  # stands for infinity, with which the kernel cannot compute
COMMON = ("kind", "friction", "stiffness_n_m", "damping_n_s_m")
KEYS = {
    "flat": ("depth_m",),
    "slope": ("depth_m", "slope_deg", "down_to_deg"),
    "grid": (
        *("file", "depths_m", "spacing_m", "spacing_east_m", "origin_m", "origin_lat_deg", "origin_lon_deg"),
        *("origin_x_m", "origin_y_m", "shallowest_m", "deepest_m", "variable", "positive", "fill"),
        *("depth_scale", "depth_offset_m"),
    ),
    "profile": (
        *("file", "rows_m", "along_deg", "origin_m", "spacing_m", "width_m", "metres_per_pixel", "depth_per_pixel_m"),
        *("depth_scale", "depth_offset_m"),
    ),
}


@by_name("seabed", "Seabed(depth_m=30.0)")
@dataclass(frozen=True, kw_only=True, eq=False)
class Seabed:
    """Description of the seabed; depths are positive down from the still surface.

    kind               "flat", "slope", "grid" (height map) or "profile" (a track, constant depth to both sides)
    depth_m            flat; slope: below the origin
    slope_deg          angle of a slope, deeper towards `down_to_deg` (clockwise from north)
    file               grid: .png .npy .csv .txt .tif .nc; profile: bottom.txt or an image of the line
    depths_m           grid: rows from south to north of depths from west to east, instead of a file
    spacing_m          between the nodes of an array or image; `spacing_east_m` if it differs along east
    origin_m           north, east of the first (south-west) node of an array, of the start of a profile
    origin_lat_deg     grid with latitude and longitude: origin of the world; default the centre of the map
    origin_x_m         grid in projected metres (easting; `origin_y_m` northing): the same
    shallowest_m       depth of white in a .png, `deepest_m` that of black
    variable           of a NetCDF file; `positive` "up" or "down" overrides the sign of the file
    fill               "nearest" fills holes; "" makes them an error
    rows_m             profile: rows of distance, depth, instead of a file
    along_deg          profile: direction of its track, clockwise from north
    width_m            profile neither north-south nor east-west: total width to both sides
    metres_per_pixel   profile from an image: track of one column; `depth_per_pixel_m` depth of one row
    depth_scale        factor on depths, to which `depth_offset_m` is added
    friction, stiffness_n_m, damping_n_s_m    of contact with the seabed
    """

    kind: str = "flat"
    depth_m: float | None = None
    slope_deg: float = 0.0
    down_to_deg: float = 0.0
    file: str | None = None
    depths_m: tuple[tuple[float, ...], ...] | None = None
    spacing_m: float | None = None
    spacing_east_m: float | None = None
    origin_m: tuple[float, float] | None = None
    origin_lat_deg: float | None = None
    origin_lon_deg: float | None = None
    origin_x_m: float | None = None
    origin_y_m: float | None = None
    shallowest_m: float | None = None
    deepest_m: float | None = None
    variable: str = ""
    positive: str = ""
    fill: str = ""
    rows_m: tuple[tuple[float, ...], ...] | None = None
    along_deg: float = 0.0
    width_m: float | None = None
    metres_per_pixel: float = 1.0
    depth_per_pixel_m: float = 1.0
    depth_scale: float = 1.0
    depth_offset_m: float = 0.0
    friction: float = 0.5
    stiffness_n_m: float = 1e6
    damping_n_s_m: float = 2e4

    def __post_init__(self) -> None:
        """Validate the keys of the kind, and read a file now so that its errors do not wait until the run."""
        choice("kind", self.kind, KINDS, context=SEABED)
        for field in fields(self):
            value: Any = getattr(self, field.name)
            if field.type in ("float", "float | None") and value is not None:
                number(field.name, value, context=SEABED)
            is_set = value is not field.default and (isinstance(value, np.ndarray) or value != field.default)
            if is_set and field.name not in (*COMMON, *KEYS[self.kind]):
                SEABED.fail(field.name, f'not a key of kind "{self.kind}"', value=value)
        for key in ("spacing_m", "spacing_east_m", "width_m", "metres_per_pixel", "depth_per_pixel_m", "stiffness_n_m"):
            if getattr(self, key) is not None:
                number(key, getattr(self, key), 0.0, above=True, context=SEABED)
        for key in ("friction", "damping_n_s_m"):
            number(key, getattr(self, key), 0.0, context=SEABED)
        if self.origin_m is not None:
            numbers("origin_m", self.origin_m, 2, expected="two finite numbers, north and east", context=SEABED)
        if self.kind in ("flat", "slope"):
            if self.depth_m is None:
                SEABED.fail("depth_m", "is missing")
            expected = "a number above 0: the bottom lies below the surface"
            number("depth_m", self.depth_m, 0.0, above=True, expected=expected, context=SEABED)
            number("slope_deg", self.slope_deg, 0.0, 89.0, below=True, context=SEABED)
            return
        if self.origin_lat_deg is not None:
            number("origin_lat_deg", self.origin_lat_deg, -90.0, 90.0, above=True, below=True, context=SEABED)
        choice("fill", self.fill, ("", "nearest"), '"nearest", or nothing', context=SEABED)
        choice("positive", self.positive, ("", "up", "down"), '"up" or "down"', context=SEABED)
        table = "depths_m" if self.kind == "grid" else "rows_m"
        if (self.file is None) == (getattr(self, table) is None):
            SEABED.fail("file", value=self.file, expected=f"either file or {table}")
        self.map.z_m.setflags(write=False)  # worlds and kernels share the array

    def __eq__(self, other: object) -> bool:
        """Compare all fields; arrays element by element."""
        if not isinstance(other, Seabed):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        """Hash kind, depth, slope and file: arrays are not hashable."""
        return hash((self.kind, self.depth_m, self.slope_deg, self.file))

    @property
    def plane(self) -> tuple[float, float, float] | None:
        """Depth at the origin and its increase per metre north and east; None if the bottom is not a plane."""
        if self.kind not in ("flat", "slope") or self.depth_m is None:
            return None
        steep, to = math.tan(math.radians(self.slope_deg)), math.radians(self.down_to_deg)
        return self.depth_m, steep * math.cos(to), steep * math.sin(to)

    @cached_property
    def map(self) -> HeightMap:
        """Height map of a grid or profile."""
        return read_map(self) if self.kind == "grid" else profile_map(self)

    def z(self, north: ArrayLike, east: ArrayLike) -> Array:
        """Return the depth of the seabed, m."""
        return self._surface(north, east)[0]

    def normal(self, north: ArrayLike, east: ArrayLike) -> Array:
        """Return the unit normal of the seabed, NED in the last axis, pointing up into the water."""
        _, a, b = self._surface(north, east)
        return np.stack([a, b, -np.ones_like(a)], axis=-1) / np.sqrt(1.0 + a * a + b * b)[..., None]

    def _surface(self, north: ArrayLike, east: ArrayLike) -> tuple[Array, Array, Array]:
        """Depth and its slopes along north and east: bilinear between nodes, constant outside the map."""
        n, e = np.broadcast_arrays(np.asarray(north, dtype=np.float64), np.asarray(east, dtype=np.float64))
        if self.plane is not None:
            z0, a, b = self.plane
            return z0 + a * n + b * e, np.full(n.shape, a), np.full(n.shape, b)
        grid = self.map
        u, v = (n - grid.origin_m[0]) / grid.step_m[0], (e - grid.origin_m[1]) / grid.step_m[1]
        rows, columns = grid.z_m.shape
        inside_u, inside_v = (u >= 0.0) & (u <= rows - 1), (v >= 0.0) & (v <= columns - 1)
        u, v = np.clip(u, 0.0, rows - 1.0), np.clip(v, 0.0, columns - 1.0)
        i, j = np.minimum(u.astype(int), rows - 2), np.minimum(v.astype(int), columns - 2)
        u, v = u - i, v - j
        z00, z01, z10, z11 = (grid.z_m[i + a, j + b] for a in (0, 1) for b in (0, 1))
        a = np.where(inside_u, ((z10 - z00) * (1.0 - v) + (z11 - z01) * v) / grid.step_m[0], 0.0)
        b = np.where(inside_v, ((z01 - z00) * (1.0 - u) + (z11 - z10) * u) / grid.step_m[1], 0.0)
        z = (z00 * (1.0 - v) + z01 * v) * (1.0 - u) + (z10 * (1.0 - v) + z11 * v) * u
        return np.asarray(z), a, b


def seabed_from_array(depths: ArrayLike, *, spacing_m: float, origin_m: tuple[float, float] = (0.0, 0.0)) -> Seabed:
    """Make a seabed from an array of depths [north, east], positive down, m."""
    array: Any = np.array(depths, dtype=np.float64)
    return Seabed(kind="grid", depths_m=array, spacing_m=spacing_m, origin_m=origin_m)


def with_origin(seabed: Seabed | None, lat_deg: float | None, lon_deg: float | None) -> Seabed | None:
    """Return the seabed with the origin of the world, if it is read from a file and has no origin."""
    if seabed is None or seabed.kind != "grid" or seabed.file is None or lat_deg is None or lon_deg is None:
        return seabed
    if seabed.origin_lat_deg is not None or seabed.origin_lon_deg is not None:
        return seabed
    return replace(seabed, origin_lat_deg=lat_deg, origin_lon_deg=lon_deg)


def pack_seabed(seabed: Seabed | None, writer: SeaWriter) -> None:
    """Write the seabed into the packed array."""
    header = writer.header
    header["bottom"], header["highest"] = NO_BOTTOM, ENDLESS_M
    if seabed is None:
        return
    header["friction"], header["stiffness"] = seabed.friction, seabed.stiffness_n_m
    header["damping"] = seabed.damping_n_s_m
    if seabed.plane is not None:
        header["bottom"], header["plane"] = PLANE_BOTTOM, seabed.plane
        # contact skips bodies above `highest`; a slope rises without limit
        header["highest"] = seabed.plane[0] if seabed.slope_deg == 0.0 or seabed.kind == "flat" else -ENDLESS_M
        return
    grid = seabed.map
    header["bottom"], header["highest"] = GRID_BOTTOM, grid.z_m.min()
    header["grid_origin"], header["grid_step"], header["grid_count"] = grid.origin_m, grid.step_m, grid.z_m.shape
    header["grid_at"] = writer.append(grid.z_m)
