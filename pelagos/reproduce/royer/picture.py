"""Section 4.2 as printed: perspective, clipping, the nine areas around a box; and the console's camera as a numpy twin.

`console_pixels` does what the page does (static/js/frames.js, view/pose.js and the perspective matrix of three.js); a
test runs the page's own files with the same numbers.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.reproduce.royer.printed import turn
from pelagos.training.observation import camera_pose

Array = NDArray[np.float64]


class Look(NamedTuple):
    """Where the vehicle is, how it and its camera are turned (rad), and the picture: b/a, zoom 1, pixels."""

    place_n: tuple[float, float, float]
    euler: tuple[float, float, float]  # roll, pitch, yaw
    pan: float
    tilt: float
    mount_b: tuple[float, float, float] = (1.5, 0.0, 0.0)
    fov: float = math.radians(60.0)  # across the width
    width: float = 800.0
    height: float = 800.0


def in_camera(look: Look, points_n: Array) -> Array:
    """Section 4.2.e: coordinates x_c, y_c, z_c of points (n, 3) by the printed matrices."""
    (roll, pitch, yaw), ca, sa = look.euler, math.cos(look.tilt), math.sin(look.tilt)
    cb, sb = math.cos(look.pan), math.sin(look.pan)
    tilt = np.array([[ca, 0.0, -sa], [0.0, 1.0, 0.0], [sa, 0.0, ca]])
    pan = np.array([[cb, sb, 0.0], [-sb, cb, 0.0], [0.0, 0.0, 1.0]])
    local = (points_n - np.array(look.place_n)) @ turn(yaw, pitch, roll).T - np.array(look.mount_b)
    return local @ (tilt @ pan).T


def projected(camera: Array, a: float, printed: bool = False) -> Array:
    """Section 4.2.a: y', z' on the plane x = a; printed without the factor a (R30)."""
    return (1.0 if printed else a) * camera[:, 1:] / camera[:, :1]


def console_pixels(look: Look, points_n: Array) -> Array:
    """Pixels from the left and from above, as the page computes them; for points before the camera."""
    roll, pitch, yaw = look.euler
    rotation = frames.rotation_from_quaternion(frames.quaternion_from_euler(roll, pitch, yaw))
    place, axes = camera_pose(np.array(look.place_n), rotation, look.mount_b, look.pan, look.tilt)
    forward, right, down = ((points_n - place) @ axes).T
    aspect = look.width / look.height
    vertical = 2.0 * math.atan(math.tan(0.5 * look.fov) / aspect)
    f = 1.0 / math.tan(0.5 * vertical)
    x, y = f / aspect * right / forward, f * -down / forward  # -1 to 1 across the picture, y up
    return np.column_stack([(0.5 + 0.5 * x) * look.width, (0.5 - 0.5 * y) * look.height])


def planes(camera: Array, a: float, b: float) -> Array:
    """Section 4.2.b: f1 ... f4 of points (n, 3)."""
    x, y, z = camera.T
    return np.column_stack([b * x - a * y, b * x + a * z, b * x + a * y, b * x - a * z])


def clipped(polygon: Array, a: float, b: float) -> Array:
    """The part of a convex polygon (n, 3), camera axes, inside all four planes: what his POLY does."""
    for k in range(4):
        if not len(polygon):
            return polygon
        polygon = cut(polygon, planes(polygon, a, b)[:, k])
    return polygon


def cut(polygon: Array, value: Array) -> Array:
    """The part of a convex polygon on the side where a linear value, given at its corners, is not negative."""
    kept = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if value[i] >= 0.0:
            kept.append(polygon[i])
        if (value[i] >= 0.0) != (value[j] >= 0.0):
            kept.append(polygon[i] + value[i] / (value[i] - value[j]) * (polygon[j] - polygon[i]))
    return np.array(kept).reshape(-1, polygon.shape[1])


def corners_of(center: Array, half: Array, face: tuple[int, int]) -> Array:
    """The four corners of a face of a box: `face` is the axis of its normal and its sign."""
    axis, sign = face
    one, two = [k for k in range(3) if k != axis]
    corners = np.tile(np.asarray(center, float), (4, 1))
    corners[:, axis] += sign * half[axis]
    for row, (p, q) in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        row[one] += p * half[one]
        row[two] += q * half[two]
    return corners


def faces_by_area(center: Array, half: Array, eye: Array) -> set[tuple[int, int]]:
    """Section 4.2.c: which of nine areas around the box the camera is in selects the sides; altitude selects the "
    "top."""
    seen: set[tuple[int, int]] = set()
    for axis in (0, 1):
        if abs(eye[axis] - center[axis]) > half[axis]:
            seen.add((axis, 1 if eye[axis] > center[axis] else -1))
    if eye[2] < center[2] - half[2]:
        seen.add((2, -1))
    return seen
