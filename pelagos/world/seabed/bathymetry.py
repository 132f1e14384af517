"""Height maps of the seabed: depths on a regular north-east grid, from an array or a file.

    .png                grey, white is shallow, top row north; 8 or 16 bit
    .npy .csv .txt      rows from south to north, columns from west to east, depth in m
    .tif .tiff          GeoTIFF, latitude and longitude or metres
    .nc .nc4 .cdf .grd  NetCDF as GEBCO, EMODnet and GMT write it

Maps in degrees are projected on the tangent plane of the WGS84 ellipsoid at the origin of the world: a degree has the
same length everywhere. A map 10 km across at 60 degrees of latitude is off by 0.14 % at its northern edge.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import SEABED
from pelagos.errors import ABSENT, MissingExtraError, ScenarioError
from pelagos.files.source import why_not

if TYPE_CHECKING:
    from pelagos.world.seabed.seabed import Seabed

Array = NDArray[np.float64]
MOST_PIXELS = 80_000_000  # of an image
MOST_NODES = 100_000_000  # of a map: 0.8 GB
LARGEST_FILE = 2_000_000_000  # bytes
FARTHEST = 1e9  # largest plausible coordinate, degrees or metres
UNEVEN = 1e-3  # largest relative difference of steps of a regular grid


@dataclass(frozen=True, eq=False)
class HeightMap:
    """Depths `z_m` [north, east], positive down, on a regular grid from `origin_m` (north, east) with `step_m`."""

    z_m: Array
    origin_m: tuple[float, float]
    step_m: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Chart:
    """Contents of a file with coordinates: depths (NaN for holes) and ascending axes in degrees or metres."""

    z_m: Array
    north: Array
    east: Array
    degrees: bool


def refused(file: str, message: str, expected: str = "") -> ScenarioError:
    """Return the error for a file that cannot be used."""
    return ScenarioError(message, file="seabed", key="file", value=Path(file).name, expected=expected)


def refuse(file: str, message: str, expected: str = "") -> NoReturn:
    """Raise the error for a file that cannot be used."""
    raise refused(file, message, expected)


def read_map(seabed: Seabed) -> HeightMap:
    """Return the height map of a seabed of kind "grid", from its array or file, without holes."""
    if seabed.depths_m is not None:
        return _even(seabed, np.asarray(seabed.depths_m, dtype=np.float64), None)
    file = str(seabed.file)
    why = why_not(file, LARGEST_FILE)
    if why:
        raise ScenarioError(**why, file="seabed", key="file", value=file)
    kind = Path(file).suffix.lower()
    if kind in (".tif", ".tiff"):
        from pelagos.world.seabed.depth_files import read_geotiff

        return _placed(seabed, read_geotiff(file, up=seabed.positive != "down"))
    if kind in (".nc", ".nc4", ".cdf", ".grd"):
        from pelagos.world.seabed.depth_files import read_soundings

        return _placed(seabed, read_soundings(file, seabed.variable, seabed.positive))
    if kind == ".png":
        return _even(seabed, read_png(seabed), file)
    if kind in (".npy", ".csv", ".txt"):
        z = read_array(file)
        return _even(seabed, -z if seabed.positive == "up" else z, file)
    refuse(file, "is none of the kinds .png, .npy, .csv, .txt, .tif, .tiff, .nc, .nc4, .cdf, .grd")


def read_array(file: str) -> Array:
    """Read rows of numbers from a .npy, .csv or .txt file; empty cells are holes."""
    try:
        if file.lower().endswith(".npy"):
            stored = np.load(file, mmap_mode="r", allow_pickle=False)  # mapped: the header may claim any size
            if stored.size > MOST_NODES:
                refuse(file, f"has {stored.size} depths", expected=f"at most {MOST_NODES}")
            return np.array(stored, dtype=np.float64)
        lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
        rows = [line.split("#")[0].strip() for line in lines]
        table = [[float(word) if word.strip() else math.nan for word in _words(row)] for row in rows if row]
        if len({len(row) for row in table}) > 1:
            refuse(file, "has rows of different lengths")
        return np.array(table, dtype=np.float64)
    except ScenarioError:
        raise
    except Exception:  # numpy evaluates the header as Python text, which can raise anything
        refuse(file, "holds no array of numbers")


def _words(row: str) -> list[str]:
    mark = next((mark for mark in ",;" if mark in row), None)
    return row.split(mark)


def read_png(seabed: Seabed) -> Array:
    """Read depths from a grey image: white is `shallowest_m`, black `deepest_m`; the top row, north, comes last."""
    if not find_spec("PIL"):
        raise MissingExtraError("pillow", "a height map from a picture", "world")
    file = str(seabed.file)
    if seabed.shallowest_m is None or seabed.deepest_m is None:
        key = "shallowest_m" if seabed.shallowest_m is None else "deepest_m"
        SEABED.fail(key, "is missing; a picture needs the depth of white and black")
    with opened_picture(file, partial(refused, file)) as picture:
        mode, values = picture.mode, np.asarray(picture, dtype=np.float64)
    full = {"L": 255.0, "I;16": 65535.0, "I;16B": 65535.0, "I": 65535.0}.get(mode)
    if full is None:
        refuse(file, f"is a picture of mode {mode}", expected="a grey one of 8 or 16 bit")
    return np.flipud(seabed.deepest_m + (seabed.shallowest_m - seabed.deepest_m) * values / full)


@contextmanager
def opened_picture(file: str | Path, refuse: Callable[[str], ScenarioError]) -> Iterator[Any]:
    """Open an image in a `with` statement; an image with too many pixels raises an error before it is decoded."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit below is lower
            opened = Image.open(file)
        with opened as picture:
            if picture.size[0] * picture.size[1] > MOST_PIXELS:
                raise Image.DecompressionBombError
            yield picture
    except Image.DecompressionBombError:
        raise refuse(f"has more pixels than {MOST_PIXELS}") from None
    except Exception:  # Pillow raises many kinds of errors for damaged files
        raise refuse("is no picture that can be read") from None


def _even(seabed: Seabed, z: Array, source: str | None) -> HeightMap:
    """Height map of an array without coordinates; the keys of the seabed place it."""
    if seabed.spacing_m is None:
        SEABED.fail("spacing_m", "is missing; an array needs the distance of its nodes")
    origin = seabed.origin_m or (0.0, 0.0)
    step = (seabed.spacing_m, seabed.spacing_m if seabed.spacing_east_m is None else seabed.spacing_east_m)
    return _whole(seabed, HeightMap(z, (float(origin[0]), float(origin[1])), step), source)


def _placed(seabed: Seabed, chart: Chart) -> HeightMap:
    """Height map of a file with coordinates about the origin of the world; default origin is the centre of the map."""
    from pelagos.world.current.field import metres_per_degree

    file = str(seabed.file)
    for key in ("spacing_m", "spacing_east_m", "origin_m"):
        if getattr(seabed, key) is not None:
            SEABED.fail(key, "the file has its own coordinates", value=getattr(seabed, key))
    place = (seabed.origin_lat_deg, seabed.origin_lon_deg) if chart.degrees else (seabed.origin_y_m, seabed.origin_x_m)
    if not all((np.abs(axis) <= FARTHEST).all() for axis in (chart.north, chart.east)):
        refuse(file, f"has coordinates beyond {FARTHEST:g}", expected="degrees or metres")
    middle = [(axis[0] + axis[-1]) / 2.0 for axis in (chart.north, chart.east)]
    zero = [m if g is None else g for g, m in zip(place, middle, strict=True)]
    scale = metres_per_degree(zero[0]) if chart.degrees else (1.0, 1.0)
    around = 360.0 * round((middle[1] - zero[1]) / 360.0) if chart.degrees else 0.0  # longitudes 0..360 or -180..180
    axes = [(chart.north - zero[0]) * scale[0], (chart.east - zero[1] - around) * scale[1]]
    steps = []
    for name, axis in zip(("north", "east"), axes, strict=True):
        step = (axis[-1] - axis[0]) / max(len(axis) - 1, 1)
        if len(axis) < 2 or not np.abs(np.diff(axis) - step).max() <= UNEVEN * abs(step):
            refuse(file, f"has nodes that are not evenly spaced along {name}", expected="a regular grid")
        steps.append(float(step))
    origin = (float(axes[0][0]), float(axes[1][0]))
    return _whole(seabed, HeightMap(chart.z_m, origin, (steps[0], steps[1])), file)


def _whole(seabed: Seabed, chart: HeightMap, source: str | None) -> HeightMap:
    """Scale the map and fill its holes, or raise an error with the position of the first hole."""
    key, name = ("depths_m", ABSENT) if source is None else ("file", Path(source).name)
    z = chart.z_m
    if z.ndim != 2 or min(z.shape) < 2:
        SEABED.fail(key, f"has shape {z.shape}", value=name, expected="at least 2 by 2 depths")
    holes = ~np.isfinite(z)
    if holes.all():
        SEABED.fail(key, "holds no depths at all", value=name)
    if holes.any() and seabed.fill != "nearest":
        row, column = (int(n) for n in np.argwhere(holes)[0])
        north, east = chart.origin_m[0] + row * chart.step_m[0], chart.origin_m[1] + column * chart.step_m[1]
        message = f"has {int(holes.sum())} holes in {z.size} depths, the first at north {north:g} m, east {east:g} m"
        SEABED.fail(key, f'{message}; fill = "nearest" closes them', value=name)
    z = nearest_filled(z, chart.step_m) if holes.any() else z
    z = np.ascontiguousarray(seabed.depth_offset_m + seabed.depth_scale * z)
    return HeightMap(z, chart.origin_m, chart.step_m)


def nearest_filled(z: Array, step: tuple[float, float]) -> Array:
    """Fill holes with the depth of the nearest node that has one.

    Jump flooding: every node passes its nearest known node to neighbours 2^k, ..., 4, 2, 1 and again 1 nodes away
    (G. Rong, T.-S. Tan, "Jump flooding in GPU", I3D 2006).
    """
    rows, columns = np.indices(z.shape)
    known = np.isfinite(z)
    row, column = np.where(known, rows, 0), np.where(known, columns, 0)
    best = np.where(known, 0.0, math.inf)
    leap = 1 << math.ceil(math.log2(max(z.shape)))
    leaps = [leap >> k for k in range(leap.bit_length())]
    for leap in [*leaps, 1]:  # the extra pass corrects most of the errors of jump flooding
        for down, right in ((a, b) for a in (-leap, 0, leap) for b in (-leap, 0, leap) if a or b):
            i, j = rows + down, columns + right
            inside = (i >= 0) & (i < z.shape[0]) & (j >= 0) & (j < z.shape[1])
            i, j = np.where(inside, i, 0), np.where(inside, j, 0)
            far = np.hypot((row[i, j] - rows) * step[0], (column[i, j] - columns) * step[1])
            nearer = inside & np.isfinite(best[i, j]) & (far < best)
            row, column = np.where(nearer, row[i, j], row), np.where(nearer, column[i, j], column)
            best = np.where(nearer, far, best)
    return z[row, column]
