"""A bottom that is known along a track only: the profile, drawn out to both sides as a height map."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError
from pelagos.messages import shown
from pelagos.world.bathymetry import HeightMap
from pelagos.world.image import BottomProfile, bottom_from_image, read_bottom

if TYPE_CHECKING:
    from pelagos.world.seabed import Seabed

Array = NDArray[np.float64]
PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".gif")
MOST_NODES = 4_000_000


def profile_map(seabed: Seabed) -> HeightMap:
    """The height map of a seabed of kind "profile".

    Along north, east, south or west it is exact and continues to both sides without end; other directions are sampled
    on a grid that holds the track and `width_m` of both sides together.
    """
    return _extruded(seabed, _profile(seabed))


def _profile(seabed: Seabed) -> BottomProfile:
    """Distance and depth along the track, from rows, bottom.txt or a picture."""
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
            expected = "at least two rows of distance and depth, ascending in distance"
            raise ScenarioError("world", "seabed.rows_m", shown(seabed.rows_m), expected)
        profile = BottomProfile(rows[:, 0], rows[:, 1])
    depth = seabed.depth_offset_m + seabed.depth_scale * profile.depth_m
    return _evenly(seabed, profile.distance_m, depth)


def _evenly(seabed: Seabed, distance: Array, depth: Array) -> BottomProfile:
    """The same line with evenly spaced points: the step is the largest that meets every point, to the millimetre."""
    steps = np.diff(distance)
    if np.abs(steps - steps.mean()).max() <= 1e-9 * steps.mean():
        return BottomProfile(distance, depth)
    key = "file" if seabed.rows_m is None else "rows_m"
    marks = np.rint((distance - distance[0]) * 1e3)
    whole = float(np.abs(marks - (distance - distance[0]) * 1e3).max()) < 1e-3
    step = int(np.gcd.reduce(marks.astype(np.int64))) if whole else 0
    if step == 0 or marks[-1] / step > MOST_NODES / 2:
        expected = "distances that are multiples of a common step of 1 mm or more"
        raise ScenarioError("world", f"seabed.{key}", shown(getattr(seabed, key)), expected)
    at = distance[0] + np.arange(int(marks[-1]) // step + 1) * step * 1e-3
    return BottomProfile(at, np.interp(at, distance, depth))


def _extruded(seabed: Seabed, profile: BottomProfile) -> HeightMap:
    """The profile drawn out to both sides of its track."""
    distance, depth = profile.distance_m, profile.depth_m
    north, east = seabed.origin_m or (0.0, 0.0)
    step = float(distance[1] - distance[0])
    quarter, rest = divmod(seabed.along_deg % 360.0, 90.0)
    if rest == 0.0:  # along an axis: exact, and endless to both sides
        start = distance[0] if quarter < 2 else -distance[-1]
        line = depth if quarter < 2 else depth[::-1]
        along_north = quarter in (0.0, 2.0)
        z = np.repeat(line[:, None], 2, axis=1) if along_north else np.repeat(line[None, :], 2, axis=0)
        origin = (north + start, east - step / 2.0) if along_north else (north - step / 2.0, east + start)
        return HeightMap(np.ascontiguousarray(z), (float(origin[0]), float(origin[1])), (step, step))
    if seabed.width_m is None:
        expected = "is missing; a profile that runs neither north-south nor east-west needs a width"
        raise ScenarioError("world", "seabed.width_m", expected=expected)
    step = seabed.spacing_m or step
    to = math.radians(seabed.along_deg)
    corners = [(d, s * seabed.width_m / 2.0) for d in (distance[0], distance[-1]) for s in (-1, 1)]
    norths = [north + d * math.cos(to) - s * math.sin(to) for d, s in corners]
    easts = [east + d * math.sin(to) + s * math.cos(to) for d, s in corners]
    counts = [math.ceil((max(axis) - min(axis)) / step) + 1 for axis in (norths, easts)]
    if counts[0] * counts[1] > MOST_NODES:
        expected = f"too fine: {counts[0]} by {counts[1]} nodes; at most {MOST_NODES} are allowed"
        raise ScenarioError("world", "seabed.spacing_m", step, expected)
    n, e = (min(axis) + step * np.arange(count) for axis, count in zip((norths, easts), counts, strict=True))
    along = (n[:, None] - north) * math.cos(to) + (e[None, :] - east) * math.sin(to)
    return HeightMap(np.interp(along, distance, depth), (float(n[0]), float(e[0])), (step, step))
