"""Depths from a GeoTIFF: its first band, its place and its holes.

Read by the tags of the OGC GeoTIFF standard 1.1 (19-008r4): pixel scale and tie point give the axes, the raster type
says whether a value belongs to the middle of its pixel or to its corner, the model type whether the axes are degrees
or metres. Rotated images are refused. GDAL's tag of the value that means "no data" makes holes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pelagos.errors import MissingExtraError
from pelagos.world.bathymetry import Chart, refuse

PROJECTED, GEOGRAPHIC = 1, 2
PIXEL_IS_POINT = 2
METRE = 9001


def read_geotiff(file: str, *, up: bool = True) -> Chart:
    """The chart of a GeoTIFF; its values are elevations (`up`) or depths, m."""
    try:
        import tifffile
    except ImportError:
        raise MissingExtraError("tifffile", "a bottom from a GeoTIFF", "world") from None
    try:
        with tifffile.TiffFile(file) as tiff:
            page: Any = tiff.pages[0]
            values = np.asarray(page.asarray(), dtype=np.float64)
            place: dict[str, Any] = page.geotiff_tags or {}
            nodata = page.tags.valueof(42113)
    except (OSError, ValueError, KeyError, IndexError, tifffile.TiffFileError):
        refuse(file, "is no TIFF file that can be read")
    if values.ndim != 2:
        refuse(file, f"has shape {values.shape}; expected one band")
    scale, tie = place.get("ModelPixelScale"), place.get("ModelTiepoint")
    if scale is None or tie is None or np.size(tie) != 6:
        refuse(file, "has no GeoTIFF pixel scale and tie point; expected an upright image with its place")
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
        refuse(file, f"has a value for no data that is no number, {nodata!r}")
    values[values == hole] = np.nan
    z = -values if up else values
    return Chart(z[::-1], north[::-1], east, degrees=kind == GEOGRAPHIC)
