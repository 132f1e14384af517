"""Section 4.2 as printed: perspective, clipping, the nine areas around a box; and the console's camera in NumPy.

`console_pixels` does what the page does (static/js/frames.js, view/pose.js and the perspective matrix of three.js); a
test runs the page's own files with the same numbers. Figures 4.5 and 4.7 to 4.10 are drawn anew.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pelagos import frames
from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.training.observation import camera_pose
from pelagos.world.load import load_world
from pelagos_evidence.document import Drawing, drawn
from pelagos_evidence.rows import Array
from pelagos_evidence.royer.printed import turn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREYS = 15  # printed, section 4.3
SEEN_M = 110.0  # where the grey has fallen to nothing, of the light that comes from the camera
A, B = 1.0, math.tan(math.radians(30.0))  # his a and b, for the field of view of the vehicle file
Face = tuple[float, Array, int]


class CameraPose(NamedTuple):
    """Place and attitude of vehicle and camera (rad), field of view and size of the picture (pixels), at zoom 1."""

    place_n: tuple[float, float, float]
    euler: tuple[float, float, float]  # roll, pitch, yaw
    pan: float
    tilt: float
    mount_b: tuple[float, float, float] = (1.5, 0.0, 0.0)
    fov: float = math.radians(60.0)  # across the width
    width: float = 800.0
    height: float = 800.0


def in_camera(pose: CameraPose, points_n: Array) -> Array:
    """Section 4.2.e: coordinates x_c, y_c, z_c of points (n, 3) by the printed matrices."""
    (roll, pitch, yaw), ca, sa = pose.euler, math.cos(pose.tilt), math.sin(pose.tilt)
    cb, sb = math.cos(pose.pan), math.sin(pose.pan)
    tilt = np.array([[ca, 0.0, -sa], [0.0, 1.0, 0.0], [sa, 0.0, ca]])
    pan = np.array([[cb, sb, 0.0], [-sb, cb, 0.0], [0.0, 0.0, 1.0]])
    local = (points_n - np.array(pose.place_n)) @ turn(yaw, pitch, roll).T - np.array(pose.mount_b)
    return local @ (tilt @ pan).T


def projected(camera: Array, a: float, printed: bool = False) -> Array:
    """Section 4.2.a: y', z' on the plane x = a; printed without the factor a (R30)."""
    return (1.0 if printed else a) * camera[:, 1:] / camera[:, :1]


def console_pixels(pose: CameraPose, points_n: Array) -> Array:
    """Pixels from the left and from above, as the page computes them; for points before the camera."""
    roll, pitch, yaw = pose.euler
    rotation = frames.rotation_from_quaternion(frames.quaternion_from_euler(roll, pitch, yaw))
    place, axes = camera_pose(np.array(pose.place_n), rotation, pose.mount_b, pose.pan, pose.tilt)
    forward, right, down = ((points_n - place) @ axes).T
    aspect = pose.width / pose.height
    vertical = 2.0 * math.atan(math.tan(0.5 * pose.fov) / aspect)
    f = 1.0 / math.tan(0.5 * vertical)
    x, y = f / aspect * right / forward, f * -down / forward  # -1 to 1 across the picture, y up
    return np.column_stack([(0.5 + 0.5 * x) * pose.width, (0.5 - 0.5 * y) * pose.height])


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
    first, second = [k for k in range(3) if k != axis]
    corners = np.tile(np.asarray(center, float), (4, 1))
    corners[:, axis] += sign * half[axis]
    for row, (p, q) in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        row[first] += p * half[first]
        row[second] += q * half[second]
    return corners


def faces_by_area(center: Array, half: Array, eye: Array) -> set[tuple[int, int]]:
    """Section 4.2.c: the sides that face the camera, by nine areas around the box; the top by altitude."""
    visible: set[tuple[int, int]] = set()
    for axis in (0, 1):
        if abs(eye[axis] - center[axis]) > half[axis]:
            visible.add((axis, 1 if eye[axis] > center[axis] else -1))
    if eye[2] < center[2] - half[2]:
        visible.add((2, -1))
    return visible


VIEWS: tuple[tuple[str, CameraPose], ...] = (
    ("4.5  the whole scene", CameraPose((57.0, -29.0, 83.0), (0.0, -0.1, math.radians(138.0)), 0.0, -0.05)),
    ("4.7  the cube", CameraPose((44.0, -21.0, 93.5), (0.0, 0.0, math.radians(160.0)), 0.0, -0.12)),
    ("4.8  the structure", CameraPose((-24.0, -17.0, 82.0), (0.0, 0.0, math.radians(35.0)), 0.0, 0.0)),
    (
        "4.9  with pan and tilt",
        CameraPose((0.0, -22.0, 70.0), (0.0, 0.0, math.radians(60.0)), math.radians(25.0), -0.5),
    ),
    ("4.10  between the columns, rolled", CameraPose((-3.0, -5.0, 89.0), (0.15, 0.0, math.radians(50.0)), 0.0, 0.12)),
    ("the pipeline, from above", CameraPose((19.0, 15.0, 93.5), (0.0, -0.35, math.radians(53.0)), 0.0, -0.15)),
)


def grey_level(camera: Array) -> int:
    """Section 4.2.d: one level for a whole plane surface (n, 3) in camera axes, by its angle and its distance, 1 to 15.

    The text states on what it depends and not how; brightest square to the axis and near, black at `SEEN_M`.
    """
    normal = np.cross(camera[1] - camera[0], camera[2] - camera[0])
    facing = abs(normal[0]) / max(float(np.linalg.norm(normal)), 1e-12)
    away = float(np.linalg.norm(camera.mean(axis=0)))
    light = (0.35 + 0.65 * facing) * max(1.0 - away / SEEN_M, 0.0)
    return 1 + min(int(GREYS * light), GREYS - 1)


def faces(pose: CameraPose) -> tuple[list[Face], Array]:
    """Visible faces, the farthest first: distance, flat corners, grey level; and all corners in the picture, NED."""
    visible: list[Face] = []
    marks: list[Array] = []
    camera_n = _camera_place(pose)
    for structure in load_world("royer_field").structures:
        center, half = np.array(structure.center_n(), float), np.array(structure.half_m(), float)
        axes = structure.axes_n()
        camera_in_box = (camera_n - center) @ axes  # the camera in the axes of the box
        for axis in range(3):
            if abs(camera_in_box[axis]) <= half[axis]:
                continue
            whole = center + corners_of(np.zeros(3), half, (axis, 1 if camera_in_box[axis] > 0.0 else -1)) @ axes.T
            camera = clipped(in_camera(pose, whole), A, B)
            if len(camera) < 3:
                continue
            away = float(np.linalg.norm(camera.mean(axis=0)))
            visible.append((away, projected(camera, A), grey_level(camera)))
            marks.append(whole)
    visible.sort(key=lambda face: -face[0])
    return visible, np.concatenate(marks) if marks else np.empty((0, 3))


def _camera_place(pose: CameraPose) -> Array:
    """Place of the camera, NED: the point with camera coordinates zero."""
    at_zero = in_camera(pose, np.zeros((1, 3)))
    axes = in_camera(pose, np.eye(3)) - at_zero
    return (-at_zero @ axes.T)[0]


def view(ax: Axes, title: str, pose: CameraPose) -> None:
    """One picture; crosses are corners by the console's camera."""
    from matplotlib.patches import Polygon

    ax.set_facecolor("0.08")
    polygons, corners = faces(pose)
    for _, flat, grey in polygons:
        ax.add_patch(Polygon(flat * (1.0, -1.0), closed=True, fc=str(0.08 + 0.85 * grey / GREYS), ec="none"))
    ahead = in_camera(pose, corners)[:, 0] > 0.05
    pixels = console_pixels(pose, corners[ahead])
    flat = (pixels / (0.5 * pose.width) - 1.0) * (B, -B)
    inside = (np.abs(flat) < B).all(axis=1)
    ax.plot(*flat[inside].T, "+", ms=5, mew=0.8, color=PALETTE[5])
    ax.set(title=title, xlim=(-B, B), ylim=(-B, B), xticks=(), yticks=(), aspect="equal")
    ax.grid(False)
    for side in ax.spines.values():
        side.set(visible=True, color=INK)


def views_figure() -> Drawing:
    """Six pictures."""
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 6.5), None)
        for ax, (title, pose) in zip(figure.subplots(2, 3).flat, VIEWS, strict=True):
            view(ax, title, pose)
        return drawn(
            figure,
            "royer-views",
            "Pictures like figures 4.5 and 4.7 to 4.10, drawn with the formulas of section 4.2: projection, clipping "
            "planes, visible faces by area, fifteen grey levels by angle and distance, the farthest faces first. "
            "Yellow crosses: corners of these faces by the console's camera matrix, hidden ones too. Sizes and places "
            "in the scene are assumed; his pictures are not in our copy.",
        )
