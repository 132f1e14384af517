"""Seabed profile along a track, from `bottom.txt` or a drawn image, extruded sideways to a height map.

`bottom.txt` has the format of the Gavia document, whose program reads and writes it: one point per line, distance along
the track and depth in metres, separated by a space; the bottom is linear between points.

An image is white with a dark line. As in the Gavia program, a column of pixels is by default 1 m of track, and the row
of its line, counted from 0 at the top, the depth in metres. That program takes the first exactly black pixel, which is
rare in a JPEG, and skips columns without one, which shifts all that follow. Here the depth of a column is the centre,
weighted by darkness, of the dark run with its darkest pixel; columns without a line are interpolated and counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import SEABED, Context, number
from pelagos.errors import MissingExtraError, ScenarioError
from pelagos.files.source import read_text, why_not
from pelagos.world.seabed.bathymetry import LARGEST_FILE, HeightMap, opened_picture

if TYPE_CHECKING:
    from pelagos.world.seabed.seabed import Seabed

Array = NDArray[np.float64]
FAINTEST = 40.0  # grey levels of 255 between paper and line; a smaller contrast is noise
MOST_GAPS = 0.5  # share of columns without a line
PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".gif")
MOST_NODES = 4_000_000  # of the height map


@dataclass(frozen=True, eq=False)
class BottomProfile:
    """Depth along a track: ascending `distance_m`, `depth_m` positive down; `gaps` image columns without a line."""

    distance_m: Array
    depth_m: Array
    gaps: int = 0


def bottom_from_image(
    path: str | Path,
    *,
    metres_per_pixel: float = 1.0,
    depth_per_pixel_m: float = 1.0,
    threshold: float | None = None,
) -> BottomProfile:
    """Read the profile drawn in an image, left to right; the top row is depth 0.

    A pixel belongs to the line if its grey value (0 black, 255 white) is below `threshold`; by default halfway between
    the paper and the line.
    """
    context = Context(ScenarioError, str(path))
    for key, value in (("metres_per_pixel", metres_per_pixel), ("depth_per_pixel_m", depth_per_pixel_m)):
        number(key, value, 0.0, above=True, context=context)
    if threshold is not None:
        number("threshold", threshold, 0.0, 256.0, above=True, below=True, context=context)
    grey = _grey(path)
    paper = float(np.median(grey))
    darkness = paper - grey
    line = float(np.percentile(darkness.max(axis=0), 75))
    if line < FAINTEST:
        raise ScenarioError("has no dark line on white paper", file=str(path))
    least = line / 2.0 if threshold is None else paper - threshold
    rows = _rows(darkness, max(least, 1.0))
    drawn = np.isfinite(rows)
    gaps = int((~drawn).sum())
    if gaps > MOST_GAPS * len(rows):
        context.fail(
            "columns without a dark line", value=gaps, expected=f"at most {MOST_GAPS * len(rows):g} of {len(rows)}"
        )
    columns = np.arange(len(rows), dtype=float)
    rows = np.interp(columns, columns[drawn], rows[drawn])
    return BottomProfile(columns * metres_per_pixel, rows * depth_per_pixel_m, gaps)


def _grey(path: str | Path) -> Array:
    """The image in grey, 0 black to 255 white, rows from the top; transparent pixels are white."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("pillow", "a bottom from a picture", "world") from None
    why = why_not(path, LARGEST_FILE)
    if why:
        raise ScenarioError(**why, file=path)
    with opened_picture(path, lambda message: ScenarioError(message, file=path)) as picture:
        if picture.mode in ("I", "I;16", "I;16B", "I;16L", "F"):
            wide = np.asarray(picture, dtype=float)
            return wide * (255.0 / (65535.0 if picture.mode != "F" else max(float(wide.max()), 1.0)))
        clear = picture.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        return np.asarray(Image.alpha_composite(paper, clear).convert("L"), dtype=float)


def _rows(darkness: Array, least: float) -> Array:
    """Row of the line in each column, NaN without a line."""
    height, width = darkness.shape
    rows = np.full(width, math.nan)
    for column in range(width):
        dark = darkness[:, column]
        top = bottom = int(dark.argmax())
        if dark[top] < least:
            continue
        while top > 0 and dark[top - 1] >= least / 2.0:
            top -= 1
        while bottom < height - 1 and dark[bottom + 1] >= least / 2.0:
            bottom += 1
        run = dark[top : bottom + 1]
        rows[column] = float(np.average(np.arange(top, bottom + 1), weights=run))
    return rows


def write_bottom(path: str | Path, profile: BottomProfile) -> None:
    """Write a profile as `bottom.txt`."""
    lines = [f"{x:.12g} {z:.12g}\n" for x, z in zip(profile.distance_m, profile.depth_m, strict=True)]
    try:
        Path(path).write_text("".join(lines), encoding="ascii")
    except OSError as error:
        raise ScenarioError(f"cannot be written: {error.strerror}", file=str(path)) from None


def read_bottom(path: str | Path) -> BottomProfile:
    """Read a profile from `bottom.txt`; commas may replace spaces, and # starts a comment."""
    lines = read_text(path, most=LARGEST_FILE).splitlines()
    rows: list[tuple[float, float]] = []
    for count, line in enumerate(lines, 1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            distance, depth = (float(word) for word in words)
            if not (math.isfinite(distance) and math.isfinite(depth)):
                raise ValueError
        except ValueError:
            raise ScenarioError(
                file=str(path), key=f"line {count}", value=line.strip(), expected="distance and depth, m"
            ) from None
        if rows and distance <= rows[-1][0]:
            raise ScenarioError(
                file=str(path), key=f"line {count}", value=line.strip(), expected="a larger distance than before"
            )
        rows.append((distance, depth))
    if len(rows) < 2:
        raise ScenarioError(file=str(path), key="number of points", value=len(rows), expected="2 or more")
    table = np.array(rows)
    return BottomProfile(table[:, 0].copy(), table[:, 1].copy())


def profile_map(seabed: Seabed) -> HeightMap:
    """Return the height map of a seabed of kind "profile".

    Along north, east, south or west it is exact and infinitely wide; other directions are sampled on a grid that covers
    the track with a total width of `width_m`.
    """
    return _extruded(seabed, _profile(seabed))


def _profile(seabed: Seabed) -> BottomProfile:
    """Distance and depth along the track, from rows, bottom.txt or an image."""
    if seabed.rows_m is None:
        file = str(seabed.file)
        if Path(file).suffix.lower() in PICTURES:
            scale = {"metres_per_pixel": seabed.metres_per_pixel, "depth_per_pixel_m": seabed.depth_per_pixel_m}
            profile = bottom_from_image(file, **scale)
        else:
            profile = read_bottom(file)
    else:
        try:
            rows: Array = np.array(seabed.rows_m, dtype=np.float64)
        except (TypeError, ValueError):
            rows = np.zeros((0, 2))
        sound = rows.ndim == 2 and rows.shape[0] >= 2 and rows.shape[1] == 2 and bool(np.isfinite(rows).all())
        if not sound or (np.diff(rows[:, 0]) <= 0.0).any():
            SEABED.fail(
                "rows_m", value=seabed.rows_m, expected="at least two rows of distance and depth, ascending in distance"
            )
        profile = BottomProfile(rows[:, 0], rows[:, 1])
    depth = seabed.depth_offset_m + seabed.depth_scale * profile.depth_m
    return _evenly(seabed, profile.distance_m, depth)


def _evenly(seabed: Seabed, distance: Array, depth: Array) -> BottomProfile:
    """Resample to even spacing with the largest step that meets every point, to the millimetre."""
    steps = np.diff(distance)
    if np.abs(steps - steps.mean()).max() <= 1e-9 * steps.mean():
        return BottomProfile(distance, depth)
    key = "file" if seabed.rows_m is None else "rows_m"
    marks = np.rint((distance - distance[0]) * 1e3)
    whole = float(np.abs(marks - (distance - distance[0]) * 1e3).max()) < 1e-3
    step = int(np.gcd.reduce(marks.astype(np.int64))) if whole else 0
    if step == 0 or marks[-1] / step > MOST_NODES / 2:
        SEABED.fail(
            key, value=getattr(seabed, key), expected="distances that are multiples of a common step of 1 mm or more"
        )
    at = distance[0] + np.arange(int(marks[-1]) // step + 1) * step * 1e-3
    return BottomProfile(at, np.interp(at, distance, depth))


def _extruded(seabed: Seabed, profile: BottomProfile) -> HeightMap:
    """Extrude the profile to both sides of its track."""
    distance, depth = profile.distance_m, profile.depth_m
    north, east = seabed.origin_m or (0.0, 0.0)
    step = float(distance[1] - distance[0])
    quarter, rest = divmod(seabed.along_deg % 360.0, 90.0)
    if rest == 0.0:  # along an axis: two columns suffice, the map is constant beyond its edges
        start = distance[0] if quarter < 2 else -distance[-1]
        line = depth if quarter < 2 else depth[::-1]
        along_north = quarter in (0.0, 2.0)
        z = np.repeat(line[:, None], 2, axis=1) if along_north else np.repeat(line[None, :], 2, axis=0)
        origin = (north + start, east - step / 2.0) if along_north else (north - step / 2.0, east + start)
        return HeightMap(np.ascontiguousarray(z), (float(origin[0]), float(origin[1])), (step, step))
    if seabed.width_m is None:
        message = "is missing; a profile that runs neither north-south nor east-west needs a width"
        SEABED.fail("width_m", message)
    step = seabed.spacing_m or step
    to = math.radians(seabed.along_deg)
    corners = [(d, s * seabed.width_m / 2.0) for d in (distance[0], distance[-1]) for s in (-1, 1)]
    norths = [north + d * math.cos(to) - s * math.sin(to) for d, s in corners]
    easts = [east + d * math.sin(to) + s * math.cos(to) for d, s in corners]
    counts = [math.ceil((max(axis) - min(axis)) / step) + 1 for axis in (norths, easts)]
    if counts[0] * counts[1] > MOST_NODES:
        message = f"too fine: {counts[0]} by {counts[1]} nodes"
        SEABED.fail("spacing_m", message, value=step, expected=f"at most {MOST_NODES} nodes")
    n, e = (min(axis) + step * np.arange(count) for axis, count in zip((norths, easts), counts, strict=True))
    along = (n[:, None] - north) * math.cos(to) + (e[None, :] - east) * math.sin(to)
    return HeightMap(np.interp(along, distance, depth), (float(n[0]), float(e[0])), (step, step))
