"""Exact wet volume of the document's bounding volume, two cylinders, independent of the engine; and its cloud.

A plane cuts each circle across a cylinder's axis in closed form; the circles are summed along the axis (midpoints).
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.vehicle.pack.sampling import cloud
from pelagos.vehicle.spec import Shape, Vehicle
from pelagos_evidence.rows import Array

SLICES = 10_000  # error 1e-7 of the volume


def cylinder_volume(shape: Shape) -> float:
    """m³."""
    length, radius = shape.size_m
    return math.pi * radius**2 * length


def wet_cylinder(shape: Shape, depth_m: float, down: Array) -> tuple[float, Array]:
    """Wet volume (m³) and its first moment about O (m⁴); O is at `depth_m`, `down` is the vertical in body axes."""
    length, radius = shape.size_m
    axis = "xyz".index(shape.axis)
    center = np.array(shape.center_b)
    u = ((np.arange(SLICES) + 0.5) / SLICES - 0.5) * length
    across = down.copy()
    across[axis] = 0.0
    steep = max(float(np.linalg.norm(across)), 1e-15)
    s = np.clip((depth_m + center @ down + u * down[axis]) / (steep * radius), -1.0, 1.0)
    root = np.sqrt(1.0 - s * s)
    area = radius**2 * (0.5 * math.pi + s * root + np.arcsin(s))
    toward = 2.0 / 3.0 * radius**3 * root * root * root
    step = length / SLICES
    volume = float(area.sum() * step)
    moment = volume * center + float(toward.sum() * step) * across / steep
    moment[axis] += float(area @ u * step)
    return volume, moment


def wet_share(of: Vehicle, depth_m: float, down: Array) -> tuple[float, Array]:
    """Wet share of the whole bounding volume and the mean of the wet part."""
    parts = [wet_cylinder(shape, depth_m, down) for shape in of.shapes]
    volume = sum(part[0] for part in parts)
    moment = np.sum([part[1] for part in parts], axis=0)
    whole = sum(cylinder_volume(shape) for shape in of.shapes)
    return volume / whole, moment / volume if volume > 0.0 else np.zeros(3)


def afloat(of: Vehicle) -> tuple[float, float]:
    """Depth (m) and pitch (rad) at which weight, buoyancy and their moment about y vanish: Newton's method on (7)."""
    share = of.body.mass_kg / (of.water.density_kg_m3 * of.body.volume_m3)
    shift = np.array(of.body.cb_b) - centroid(of)

    def left(x: Array) -> Array:
        down = down_of(0.0, float(x[1]))
        wet, mean = wet_share(of, float(x[0] + shift @ down), down)
        arm = mean + shift
        return np.array([wet - share, wet * (arm[2] * down[0] - arm[0] * down[2])])

    x: Array = np.array([0.13, 0.0])
    for _ in range(12):
        slope = np.column_stack([(left(x + step) - left(x - step)) / 2e-5 for step in 1e-5 * np.eye(2)])
        x -= np.linalg.solve(slope, left(x))
    return float(x[0]), float(x[1])


def centroid(of: Vehicle) -> Array:
    """Mean of the bounding volume."""
    volumes = np.array([cylinder_volume(shape) for shape in of.shapes])
    return volumes @ np.array([shape.center_b for shape in of.shapes]) / volumes.sum()


def uniform_cloud(of: Vehicle, count: int, rng: np.random.Generator) -> Array:
    """Section III.B: points uniform in the bounding volume as a whole, (count, 3); chance decides on the part."""
    volumes = np.array([cylinder_volume(shape) for shape in of.shapes])
    counts = rng.multinomial(count, volumes / volumes.sum())
    return np.concatenate([cloud(shape, int(n), rng) for shape, n in zip(of.shapes, counts, strict=True)])


def down_of(roll: float, pitch: float) -> Array:
    """The vertical in body axes."""
    return np.array([-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)])
