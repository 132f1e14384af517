"""Figures 4.5 and 4.7 to 4.10 drawn anew: the scene by his projection, clipping, nine areas and fifteen greys."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.document import Drawing, drawn
from pelagos.reproduce.royer.picture import Array, Look, clipped, console_pixels, corners_of, in_camera, projected
from pelagos.world.load import load_world

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREYS = 15  # printed, section 4.3
SEEN_M = 110.0  # where the grey has fallen to nothing, of the light that comes from the camera
A, B = 1.0, math.tan(math.radians(30.0))
Face = tuple[float, Array, int]
VIEWS: tuple[tuple[str, Look], ...] = (
    ("4.5  the whole scene", Look((57.0, -29.0, 83.0), (0.0, -0.1, math.radians(138.0)), 0.0, -0.05)),
    ("4.7  the cube", Look((44.0, -21.0, 93.5), (0.0, 0.0, math.radians(160.0)), 0.0, -0.12)),
    ("4.8  the structure", Look((-24.0, -17.0, 82.0), (0.0, 0.0, math.radians(35.0)), 0.0, 0.0)),
    ("4.9  with pan and tilt", Look((0.0, -22.0, 70.0), (0.0, 0.0, math.radians(60.0)), math.radians(25.0), -0.5)),
    ("4.10  between the columns, rolled", Look((-3.0, -5.0, 89.0), (0.15, 0.0, math.radians(50.0)), 0.0, 0.12)),
    ("the pipeline, from above", Look((33.0, 0.0, 93.5), (0.0, -0.35, math.radians(98.0)), 0.0, -0.15)),
)


def faces(look: Look) -> tuple[list[Face], Array]:
    """What is seen, the farthest first: distance, flat corners, grey level; and all corners in the picture, NED."""
    seen: list[Face] = []
    marks: list[Array] = []
    eye = _eye(look)
    for structure in load_world("royer_field").structures:
        center, half = np.array(structure.center_n(), float), np.array(structure.half_m(), float)
        for axis in range(3):
            sign = 1 if eye[axis] > center[axis] else -1
            if abs(eye[axis] - center[axis]) <= half[axis]:
                continue
            whole = corners_of(center, half, (axis, sign))
            camera = clipped(in_camera(look, whole), A, B)
            if len(camera) < 3:
                continue
            normal = np.cross(camera[1] - camera[0], camera[2] - camera[0])
            facing = abs(normal[0]) / max(float(np.linalg.norm(normal)), 1e-12)
            away = float(np.linalg.norm(camera.mean(axis=0)))
            light = (0.35 + 0.65 * facing) * max(1.0 - away / SEEN_M, 0.0)
            seen.append((away, projected(camera, A), 1 + min(int(GREYS * light), GREYS - 1)))
            marks.append(whole)
    seen.sort(key=lambda face: -face[0])
    return seen, np.concatenate(marks) if marks else np.empty((0, 3))


def _eye(look: Look) -> Array:
    """Where the camera is, NED: the point with camera coordinates zero."""
    at_zero = in_camera(look, np.zeros((1, 3)))
    axes = in_camera(look, np.eye(3)) - at_zero
    return (-at_zero @ axes.T)[0]


def view(ax: Axes, title: str, look: Look) -> None:
    """One picture; crosses are corners by the console's camera."""
    from matplotlib.patches import Polygon

    ax.set_facecolor("0.08")
    found, corners = faces(look)
    for _, flat, grey in found:
        ax.add_patch(Polygon(flat * (1.0, -1.0), closed=True, fc=str(0.08 + 0.85 * grey / GREYS), ec="none"))
    ahead = in_camera(look, corners)[:, 0] > 0.05
    pixels = console_pixels(look, corners[ahead])
    flat = (pixels / (0.5 * look.width) - 1.0) * (B, -B)
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
        for ax, (title, look) in zip(figure.subplots(2, 3).flat, VIEWS, strict=True):
            view(ax, title, look)
        return drawn(
            figure,
            "royer-views",
            "Pictures like figures 4.5 and 4.7 to 4.10, drawn with the formulas of section 4.2: projection, clipping "
            "planes, visible faces by area, fifteen grey levels by angle and distance, the farthest faces first. "
            "Yellow "
            "crosses: corners of these faces by the console's camera matrix, hidden ones too. Sizes and places in the "
            "scene are assumed; his pictures are not in our copy.",
        )
