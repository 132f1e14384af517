"""Cameras and lamps of a vehicle file, and defaults for a vehicle without them.

A pilot needs a view from every vehicle: one without [[camera]] gets a fixed camera at its nose, and one without
[[lamp]] a lamp just above its first camera. The ledger records these defaults.
"""

from __future__ import annotations

from math import degrees, pi

import numpy as np

from pelagos.checks import number_text
from pelagos.files.reader import Table
from pelagos.vehicle.load.actuators import named_rows, unit_vector
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.spec import AHEAD, BEAM_RAD, FIELD_OF_VIEW_RAD, TURN_RATE_RAD_S, Camera, Lamp, Shape, Vec3

LAMP_ABOVE = 0.25  # height of the default lamp above the camera, as a share of the half height of the hull
LUMENS = 1500.0  # of the default lamp: that of a small ROV (BlueRobotics Lumen)


def cameras(root: Table, nose_b: Vec3, ledger: Ledger) -> tuple[Camera, ...]:
    """The cameras of the file, or one at `nose_b`."""
    rows = named_rows(root, "camera")
    if rows:
        return tuple(_camera(row, ledger) for row in rows)
    how = "no [[camera]] in the file: one at the nose, looking ahead"
    ledger.derived("camera[0].position_m", nose_b, "m", how)
    ledger.derived(
        "camera[0].fov_deg", degrees(FIELD_OF_VIEW_RAD), "deg", "no [[camera]] in the file: usual of its kind"
    )
    return (Camera("camera_1", nose_b),)


def lamps(root: Table, camera: Camera, half_height_m: float, ledger: Ledger) -> tuple[Lamp, ...]:
    """The lamps of the file, or one just above `camera` that shines ahead."""
    rows = named_rows(root, "lamp")
    if rows:
        return tuple(_lamp(row, ledger) for row in rows)
    x, y, z = camera.position_b
    place = (x, y, z - LAMP_ABOVE * half_height_m)
    how = "no [[lamp]] in the file: one above the camera, shining ahead"
    ledger.derived("lamp[0].position_m", place, "m", how)
    ledger.derived("lamp[0].lumens", LUMENS, "", how)
    return (Lamp("lamp_1", place, lumens=LUMENS),)


def nose(shapes: tuple[Shape, ...], length_m: float, cb_b: Vec3) -> tuple[Vec3, float]:
    """The foremost point of the hull on the axis of its foremost piece, and half the height of that piece.

    Without [[shape]] the nose is half a length ahead of the centre of buoyancy, and the half height a tenth of the
    length.
    """
    if not shapes:
        return (cb_b[0] + 0.5 * length_m, cb_b[1], cb_b[2]), 0.1 * length_m
    low, high = max((box_around(shape) for shape in shapes), key=lambda ends: float(ends[1][0]))
    middle = 0.5 * (low + high)
    return (float(high[0]), float(middle[1]), float(middle[2])), 0.5 * float(high[2] - low[2])


def box_around(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of the box around a shape, in body axes."""
    center = np.array(shape.center_b)
    if shape.kind == "mesh":
        from pelagos.vehicle.derive.mesh import placed_mesh

        corners = placed_mesh(shape.file, shape.scale, shape.center_b).vertices
        return corners.min(axis=0), corners.max(axis=0)
    if shape.kind == "stations":
        x, height, breadth = np.array(shape.stations).T
        half = np.array([0.5 * (x[-1] - x[0]), 0.5 * breadth.max(), 0.5 * height.max()])
        center[0] += 0.5 * (x[0] + x[-1])
        return center - half, center + half
    if shape.kind in ("cylinder", "capsule"):
        length, radius = shape.size_m
        half = np.full(3, radius)
        half["xyz".index(shape.axis)] = max(0.5 * length, radius if shape.kind == "capsule" else 0.0)
        return center - half, center + half
    half = np.array(shape.size_m) * (1.0 if shape.kind == "ellipsoid" else 0.5)
    return center - half, center + half


def _camera(row: Table, ledger: Ledger) -> Camera:
    limits = {way: _limits(row, way) for way in ("pan", "tilt")}
    if row.get("fov", 0.0) >= pi:
        row.fail("fov", expected="less than 180 degrees")
    if row.get("zoom_most", 1.0) < 1.0:
        row.fail("zoom_most", expected="1 or more; 1 is a camera without zoom")
    rest = {way: row.get(way, min(max(0.0, limits[way][0]), limits[way][1])) for way in limits}
    ledger.default(row, "fov", degrees(FIELD_OF_VIEW_RAD), "deg")
    return Camera(
        row.get("name"), row.get("position"), rest["pan"], rest["tilt"], limits["pan"], limits["tilt"],
        row.get("rate", TURN_RATE_RAD_S), row.get("fov", FIELD_OF_VIEW_RAD), row.get("zoom_most", 1.0),
    )  # fmt: skip


def _limits(row: Table, way: str) -> tuple[float, float]:
    """Lowest and highest angle; both are the angle at rest if the camera cannot turn this way."""
    rest, most = row.get(way), pi if way == "pan" else 0.5 * pi
    within = f"{number_text(-degrees(most), degrees(most))} degrees"
    if rest is not None and abs(rest) > most + 1e-9:  # a right angle in degrees may be above pi/2 by rounding
        row.fail(way, expected=within)
    if f"{way}_limit" not in row:
        return (rest or 0.0, rest or 0.0)
    low, high = row.get(f"{way}_limit")
    if low > high:
        row.fail(f"{way}_limit", expected="the lowest and then the highest angle")
    if max(abs(low), abs(high)) > most + 1e-9:
        row.fail(f"{way}_limit", expected=within)
    if rest is not None and not low <= rest <= high:
        row.fail(way, expected=f"an angle within {way}_limit")
    return low, high


def _lamp(row: Table, ledger: Ledger) -> Lamp:
    if row.get("beam", 0.0) > pi + 1e-9:
        row.fail("beam", expected="at most 180 degrees")
    ledger.default(row, "beam", degrees(BEAM_RAD), "deg")
    return Lamp(
        row.get("name"), row.get("position"), unit_vector(row, "direction", AHEAD), row.get("beam", BEAM_RAD),
        row.get("lumens"),
    )  # fmt: skip
