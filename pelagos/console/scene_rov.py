"""An ROV of which the file has but a box, drawn as one of its kind inside that box: float, frame, tubes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.console import scene_solids as solid
from pelagos.console.scene_part import BLACK, BLUE, SILVER, YELLOW, Part
from pelagos.geometry.forms import Form
from pelagos.geometry.mesh import Mesh
from pelagos.vehicle.spec import Thruster
from pelagos.vehicle.view_spec import Camera

Array = NDArray[np.float64]
SMALL_M = 1.0  # ROVs below this length have blue floats, larger ones yellow
FLOAT_HEIGHT = 0.28  # of the whole
BAR = 0.05  # thickness of the frame, of the smaller of height and breadth


def rov(form: Form, thrusters: tuple[Thruster, ...], cameras: tuple[Camera, ...]) -> list[Part]:
    """Float block on top, an open frame on both sides down to the skids, two tubes between them."""
    center, half = np.array(form.center_b), np.array(form.half_m)
    colour = BLUE if 2.0 * half[0] < SMALL_M else YELLOW
    return [
        Part("float", _moved(_float(half, center, thrusters, cameras), center), colour),
        Part("frame", _moved(_frame(half), center), BLACK),
        Part("hull", _moved(_tubes(half), center), SILVER),
    ]


def _float(half: Array, center: Array, thrusters: tuple[Thruster, ...], cameras: tuple[Camera, ...]) -> Mesh:
    """A block as large as the vehicle, or as fits between vertical thrusters outboard and behind cameras ahead."""
    x, y, z = half
    inner = [
        abs(item.position_b[1] - center[1]) - 0.7 * item.diameter_m
        for item in thrusters
        if abs(item.direction_b[2]) > 0.7 and abs(item.position_b[1] - center[1]) > 0.45 * y
        and item.position_b[2] - center[2] > -0.5 * z
    ]  # fmt: skip
    broad = max(0.35 * y, min([0.96 * y, *inner]))
    high = FLOAT_HEIGHT * z
    lenses = [np.array(item.position_b) - center for item in cameras]
    ahead = [lens[0] - 0.08 * x for lens in lenses if lens[0] > 0.5 * x and lens[2] < 2.0 * high - z]
    stern, bow = -0.96 * x, min([0.96 * x, *ahead])
    block = solid.block((bow - stern, 2.0 * broad, 2.0 * high), 0.5 * high)
    return solid.placed(block, np.eye(3), (0.5 * (stern + bow), 0.0, high - z))


def _frame(half: Array) -> Mesh:
    """Side frames of posts and rails with a skid below, tied together by bars across."""
    x, y, z = half
    t = BAR * min(y, z)
    top, middle = -z + 2.0 * FLOAT_HEIGHT * z, 0.25 * z
    bars: list[Mesh] = []
    for side in (-1.0, 1.0):
        at = side * (y - t)
        bars.append(_bar((2.0 * x, 2.0 * t, 3.0 * t), (0.0, at, z - 1.5 * t)))  # skid
        bars.append(_bar((1.9 * x, 2.0 * t, 2.0 * t), (0.0, at, top)))  # below the float
        bars.append(_bar((1.9 * x, 2.0 * t, 2.0 * t), (0.0, at, middle)))
        for along in (-0.93 * x, -0.31 * x, 0.31 * x, 0.93 * x):
            bars.append(_bar((2.4 * t, 2.0 * t, z - top - t), (along, at, 0.5 * (z + top) - 0.5 * t)))
    for along in (-0.93 * x, 0.0, 0.93 * x):
        bars.append(_bar((2.4 * t, 2.0 * y - 2.0 * t, 2.0 * t), (along, 0.0, z - 2.0 * t)))
        bars.append(_bar((2.4 * t, 2.0 * y - 2.0 * t, 2.0 * t), (along, 0.0, top)))
    return solid.joined(bars)


def _tubes(half: Array) -> Mesh:
    """The large tube of the electronics with a dome ahead, and a smaller one for the power below it."""
    x, y, z = half
    upper, lower = min(0.30 * z, 0.30 * y), min(0.20 * z, 0.22 * y)
    first = solid.placed(solid.capsule(0.80 * x - upper, upper), np.eye(3), (0.1 * x, 0.0, -0.08 * z))
    second = solid.placed(solid.cylinder(0.70 * x, lower), np.eye(3), (0.0, 0.0, z - lower - 0.2 * z))
    return solid.joined([first, second])


def _bar(size: tuple[float, float, float], center: tuple[float, float, float]) -> Mesh:
    return solid.placed(solid.box(size), np.eye(3), center)


def _moved(mesh: Mesh, center: Array) -> Mesh:
    return solid.placed(mesh, np.eye(3), center)
