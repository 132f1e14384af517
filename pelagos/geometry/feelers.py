"""Feelers: points on the skin of a hull's forms that feel surfaces which are not convex (bottom, meshes).

Spacing: a quarter of the form's longest side. A box gets a lattice of its surface with one to four steps along each
side (8 to 98 points, all corners and edges among them); a cylinder rings of twelve, one to four steps apart, the middle
of its ends and a ring half way in; a capsule rings along its straight part and around its round ends; an ellipsoid the
lattice of a box pushed onto its skin (98 points). Feelers that lie inside another form are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pelagos.geometry.forms import Form

AROUND = 12
STEPS = 4  # along the longest side
INSIDE_M = 1e-6


def feelers(forms: Sequence[Form]) -> NDArray[np.float64]:
    """Points (n, 3) on the skin of the forms, body axes, m."""
    kept: list[NDArray[np.float64]] = []
    for form in forms:
        points = form.to_body(_skin(form))
        hidden = [other.inside(points, INSIDE_M) for other in forms if other is not form]
        kept.append(points[~np.any(hidden, axis=0)] if hidden else points)
    return np.unique(np.round(np.vstack(kept), 9), axis=0) if kept else np.zeros((0, 3))


def _skin(form: Form) -> NDArray[np.float64]:
    """Points on the skin in the form's axes."""
    a, b, c = form.half_m
    if form.kind == "box":
        return _lattice((a, b, c)) * np.array([a, b, c])
    if form.kind == "ellipsoid":
        points = _lattice((1.0, 1.0, 1.0))
        return points / np.linalg.norm(points, axis=1, keepdims=True) * np.array([a, b, c])
    ring = np.array([(math.cos(t), math.sin(t)) for t in np.arange(AROUND) * (2.0 * math.pi / AROUND)])
    steps = max(1, round(STEPS * min(1.0, a / b))) if a > 0.0 else 0
    rings = [(x, b) for x in np.linspace(-a, a, steps + 1)]
    if form.kind == "cylinder":
        rings += [(x, r) for x in (-a, a) for r in (0.5 * b, 0.0)]
    else:
        for angle in (30.0, 60.0, 90.0):
            x, r = a + b * math.sin(math.radians(angle)), b * math.cos(math.radians(angle))
            rings += [(x, r), (-x, r)]
    return np.vstack([np.column_stack([np.full(AROUND, x), r * ring]) for x, r in rings])


def _lattice(half: tuple[float, float, float]) -> NDArray[np.float64]:
    """Lattice on the surface of the cube -1..1, finer along the longer sides."""
    longest = max(half)
    counts = [max(1, round(STEPS * length / longest)) for length in half]
    grids = np.meshgrid(*[np.linspace(-1.0, 1.0, count + 1) for count in counts], indexing="ij")
    points = np.stack(grids, axis=-1).reshape(-1, 3)
    return points[np.max(np.abs(points), axis=1) == 1.0]
