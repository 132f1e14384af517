"""Readers of bathymetry files: NetCDF and GeoTIFF.

NetCDF: the variable is the one named in the world file, else that with a CF standard name, else that with a common
name: `elevation` (GEBCO, EMODnet), `z` (GMT), `Band1` (GDAL), `depth`, ... Its attribute `positive` gives the sign if
present; otherwise depths count down and everything else up.

GeoTIFF: the first band, by the tags of the OGC GeoTIFF standard 1.1 (19-008r4). Pixel scale and tie point give the
axes, the raster type tells whether a value belongs to the centre of its pixel or to its corner, the model type whether
the axes are in degrees or metres. Rotated images raise an error. Values equal to GDAL's no-data tag are holes.
"""

from __future__ import annotations

import logging
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import SEABED
from pelagos.errors import MissingExtraError, ScenarioError, one_of
from pelagos.files.netcdf import open_netcdf, read_netcdf
from pelagos.world.current.field import LENGTH
from pelagos.world.seabed.bathymetry import MOST_NODES, Chart, refuse, refused

Array = NDArray[np.float64]
FEATURE = "a bottom from a NetCDF file"
# values of GeoTIFF keys
PROJECTED, GEOGRAPHIC = 1, 2  # GTModelTypeGeoKey
PIXEL_IS_POINT = 2  # GTRasterTypeGeoKey
METRE = 9001  # ProjLinearUnitsGeoKey
STANDARD = {  # CF standard name -> positive direction
    "height_above_mean_sea_level": "up",
    "height_above_reference_ellipsoid": "up",
    "altitude": "up",
    "surface_altitude": "up",
    "sea_floor_depth": "down",
    "sea_floor_depth_below_geoid": "down",
    "sea_floor_depth_below_mean_sea_level": "down",
    "sea_floor_depth_below_sea_surface": "down",
    "depth": "down",
}
COMMON = {  # common variable name -> positive direction
    **dict.fromkeys(("elevation", "z", "band1", "altitude", "topo", "height", "elev"), "up"),
    **dict.fromkeys(("depth", "bathymetry", "deptho", "h", "bathy"), "down"),
}
NORTH, EAST = ("lat", "latitude", "y", "north", "northing"), ("lon", "longitude", "x", "east", "easting")


def read_geotiff(file: str, *, up: bool = True) -> Chart:
    """Read a GeoTIFF whose values are elevations (`up`) or depths, m."""
    try:
        import tifffile
    except ImportError:
        raise MissingExtraError("tifffile", "a bottom from a GeoTIFF", "world") from None
    logging.getLogger("tifffile").disabled = True  # it also raises what it logs
    try:
        with tifffile.TiffFile(file) as tiff:
            page: Any = tiff.pages[0]
            if math.prod(page.shape) > MOST_NODES:
                refuse(file, f"has {math.prod(page.shape)} depths", expected=f"at most {MOST_NODES}")
            values = np.asarray(page.asarray(), dtype=np.float64)
            place: dict[str, Any] = page.geotiff_tags or {}
            nodata = page.tags.valueof(42113)  # GDAL_NODATA
    except ScenarioError:
        raise
    except Exception:  # tifffile raises many kinds of errors for damaged files
        refuse(file, "is no TIFF file that can be read")
    if values.ndim != 2:
        refuse(file, f"has shape {values.shape}", expected="one band")
    scale, tie = place.get("ModelPixelScale"), place.get("ModelTiepoint")
    if scale is None or tie is None or np.size(tie) != 6:
        refuse(file, "has no GeoTIFF pixel scale and tie point", expected="an upright image with its place")
    numbers = [*np.ravel(scale), *np.ravel(tie)]
    if np.size(scale) < 2 or not all(isinstance(number, float | int) and math.isfinite(number) for number in numbers):
        refuse(file, "has a pixel scale or tie point that is no finite number")
    kind = int(place.get("GTModelTypeGeoKey", 0))
    if kind not in (PROJECTED, GEOGRAPHIC):
        refuse(file, "does not say whether its coordinates are degrees or metres (GTModelTypeGeoKey)")
    if kind == PROJECTED and int(place.get("ProjLinearUnitsGeoKey", METRE)) != METRE:
        refuse(file, "has coordinates in another unit than metres")
    column, row, _, x, y, _ = np.ravel(np.asarray(tie, dtype=np.float64))
    middle = 0.0 if int(place.get("GTRasterTypeGeoKey", 1)) == PIXEL_IS_POINT else 0.5
    east = x + (np.arange(values.shape[1]) + middle - column) * float(scale[0])
    north = y - (np.arange(values.shape[0]) + middle - row) * float(scale[1])
    try:
        hole = float(str(nodata).strip("\0 ")) if nodata is not None else np.nan
    except ValueError:
        refuse(file, f"has a nodata value {nodata!r}", "a number")
    values[values == hole] = np.nan
    z = -values if up else values
    return Chart(z[::-1], north[::-1], east, degrees=kind == GEOGRAPHIC)


def read_soundings(file: str, variable: str = "", positive: str = "") -> Chart:
    """Read depths from a NetCDF file; `variable` and `positive` ("up" or "down") override its attributes."""
    # in another process with a time limit: a damaged file can make the HDF5 library loop
    return read_netcdf(file, FEATURE, partial(refused, file), soundings_here, file, variable, positive)


def soundings_here(file: str, variable: str, positive: str) -> Chart:
    """Read depths from a NetCDF file in this process; fill values become NaN."""
    with open_netcdf(file, FEATURE, partial(refused, file), decode_times=False) as data:
        name = _variable(data, file, variable)
        item = data[name].squeeze(drop=True)
        if item.ndim != 2:
            refuse(
                file, f"has {name} on {', '.join(map(str, item.dims)) or 'no axes'}", expected="latitude and longitude"
            )
        axes = {_role(data, file, str(dim)): str(dim) for dim in item.dims}
        if set(axes) != {"north", "east"}:
            refuse(
                file, f"has {name} on {', '.join(map(str, item.dims))}", expected="latitude and longitude, or y and x"
            )
        if item.size > MOST_NODES:
            refuse(file, f"has {item.size} depths", expected=f"at most {MOST_NODES}")
        values = np.asarray(item.transpose(axes["north"], axes["east"]).values, dtype=np.float64)
        scale = _scale(item.attrs, file, name)
        way = positive or str(item.attrs.get("positive", "")).lower() or _usual_sign(name, item.attrs)
        if way not in ("up", "down"):
            refuse(file, f'gives {name} a "positive" of "{way}"', expected="up or down")
        north, north_degrees = _axis(data[axes["north"]], file)
        east, east_degrees = _axis(data[axes["east"]], file)
    if north_degrees != east_degrees:
        refuse(file, "mixes degrees and metres on its axes")
    z = values * (scale if way == "down" else -scale)
    if north[0] > north[-1]:
        z, north = z[::-1], north[::-1]
    if east[0] > east[-1]:
        z, east = z[:, ::-1], east[::-1]
    return Chart(z, north, east, north_degrees)


def _variable(data: Any, file: str, chosen: str) -> str:
    present = [str(name) for name in data.data_vars if data[name].ndim >= 2]
    if chosen:
        if chosen not in present:
            expected = f"a variable of the file with two axes, {one_of(present)}"
            SEABED.fail("variable", value=chosen, expected=expected, names=present)
        return chosen
    for name in present:
        if data[name].attrs.get("standard_name") in STANDARD:
            return name
    matches = [name for common in COMMON for name in present if name.lower() == common]
    if matches:
        return matches[0]
    if len(present) == 1:
        return present[0]
    SEABED.fail("variable", f"{Path(file).name} has no elevation or depth", expected=one_of(present))


def _usual_sign(name: str, attrs: Any) -> str:
    return STANDARD.get(str(attrs.get("standard_name", "")), COMMON.get(name.lower(), "up"))


def _scale(attrs: Any, file: str, name: str) -> float:
    units = str(attrs.get("units", "m")).strip().lower()
    if units not in LENGTH:
        refuse(file, f'gives {name} in "{units}"', expected="a length such as m")
    return LENGTH[units]


def _role(data: Any, file: str, dim: str) -> str:
    if dim not in data.coords:
        refuse(file, f"has no coordinate for the dimension {dim}", "a grid along its axes")
    words = (dim.lower(), str(data[dim].attrs.get("standard_name", "")).lower())
    if words[0] in NORTH or words[1] in ("latitude", "projection_y_coordinate"):
        return "north"
    if words[0] in EAST or words[1] in ("longitude", "projection_x_coordinate"):
        return "east"
    refuse(file, f"has a dimension {dim}", one_of(("latitude", "longitude", "x", "y")))


def _axis(coordinate: Any, file: str) -> tuple[Array, bool]:
    """An axis in degrees or metres, and whether it is in degrees."""
    name, values = str(coordinate.name), np.asarray(coordinate.values, dtype=np.float64)
    units = str(coordinate.attrs.get("units", "")).strip().lower()
    if units.startswith("degree"):
        return values, True
    if units in LENGTH:
        return values * LENGTH[units], False
    if not units and name.lower().startswith(("lat", "lon")):
        return values, True
    refuse(file, f"gives {name} {(f'in {units}' if units else 'no units')}; CF needs degrees_north, degrees_east or m")
