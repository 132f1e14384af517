"""Convex forms of a hull, as contact sees it: box, cylinder, ellipsoid, capsule, in body axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.sea import BOX, CAPSULE, CYLINDER, SPHERE

KINDS = {"box": BOX, "cylinder": CYLINDER, "ellipsoid": SPHERE, "capsule": CAPSULE}
Vec3 = tuple[float, float, float]
Axes = tuple[Vec3, Vec3, Vec3]
STRAIGHT: Axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Form:
    """One convex piece of a hull.

    `half_m`: half lengths of a box; semi-axes of an ellipsoid; half length and radius of a cylinder along its x;
    half length of the straight part and radius of a capsule along its x (the third number is then not used).
    `axes_b` rotates from the form's axes to body axes, row by row.
    """

    kind: str
    center_b: Vec3
    half_m: Vec3
    axes_b: Axes = STRAIGHT

    def __post_init__(self) -> None:
        """A form comes from code, not from a file: a wrong one is a mistake of the program."""
        if self.kind not in KINDS:
            raise ValueError(f"kind = {self.kind!r}: expected one of {', '.join(KINDS)}")
        used = self.half_m if self.kind in ("box", "ellipsoid") else self.half_m[:2]
        straight = self.half_m[0] >= 0.0 if self.kind == "capsule" else self.half_m[0] > 0.0
        if not (np.all(np.isfinite(used)) and straight and min(used[1:]) > 0.0):
            raise ValueError(f"half_m = {self.half_m}: expected lengths above 0")
        axes = np.array(self.axes_b)
        if axes.shape != (3, 3) or not np.allclose(axes @ axes.T, np.eye(3), atol=1e-9):
            raise ValueError(f"axes_b = {self.axes_b}: expected a rotation, three rows of three numbers")

    @property
    def box_m(self) -> Vec3:
        """Half lengths of the box around it, in the form's axes."""
        a, b, c = self.half_m
        if self.kind == "cylinder":
            return (a, b, b)
        return (a + b, b, b) if self.kind == "capsule" else (a, b, c)

    def to_body(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (n, 3) from the form's axes to body axes."""
        return points @ np.array(self.axes_b).T + np.array(self.center_b)

    def inside(self, points: NDArray[np.float64], deeper_m: float = 0.0) -> NDArray[np.bool_]:
        """Which points (n, 3), body axes, are inside by more than `deeper_m`."""
        local = (points - np.array(self.center_b)) @ np.array(self.axes_b)
        a, b = self.half_m[0], self.half_m[1]
        if self.kind == "box":
            return np.all(np.abs(local) < np.array(self.half_m) - deeper_m, axis=1)
        if self.kind == "ellipsoid":
            return np.sum((local / (np.array(self.half_m) - deeper_m)) ** 2, axis=1) < 1.0
        across = np.hypot(local[:, 1], local[:, 2])
        if self.kind == "cylinder":
            return (np.abs(local[:, 0]) < a - deeper_m) & (across < b - deeper_m)
        return np.hypot(np.maximum(np.abs(local[:, 0]) - a, 0.0), across) < b - deeper_m


def form_record(form: Form) -> dict[str, Any]:
    """The form by the field names of the engine's FORM layout."""
    return {
        "kind": KINDS[form.kind],
        "center": form.center_b,
        "axes": np.array(form.axes_b, dtype=float).ravel(),
        "half": form.half_m,
    }


def farthest_m(forms: tuple[Form, ...]) -> float:
    """A radius about O that holds all the forms."""
    reach = 0.0
    for form in forms:
        extent = np.array(form.box_m)
        if form.kind == "box":
            signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
            reach = max(reach, float(np.max(np.linalg.norm(form.to_body(signs * extent), axis=1))))
        elif form.kind == "cylinder":
            reach = max(reach, float(np.linalg.norm(form.center_b) + np.hypot(extent[0], extent[1])))
        else:
            reach = max(reach, float(np.linalg.norm(form.center_b) + np.max(extent)))
    return reach
