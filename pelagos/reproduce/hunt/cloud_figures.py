"""Pictures of the point cloud and of its convergence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.document import Drawing, drawn
from pelagos.reproduce.hunt.convergence import COUNTS, SECTIONS, Convergence
from pelagos.reproduce.hunt.exact import centroid, uniform_cloud
from pelagos.vehicle.spec import Shape, Vehicle

Array = NDArray[np.float64]

AFLOAT_M, PITCH_DEG, POINTS = 0.129, 1.2, 6000


def cloud_drawing(of: Vehicle) -> Drawing:
    """The bounding volume and a cloud in it, the vehicle at rest at the surface."""
    points = uniform_cloud(of, POINTS, np.random.default_rng(0)) + np.array(of.body.cb_b) - centroid(of)
    north, down = _seen(points)
    with styled():
        from matplotlib.collections import PathCollection

        figure = new_figure(UNWRITTEN, (9.0, 3.6), None)
        axes = figure.add_subplot()
        axes.axhspan(0.0, 0.4, color=PALETTE[4], alpha=0.15, lw=0)
        axes.axhline(0.0, color=PALETTE[0], lw=1.0)
        for wet, color, name in ((down > 0.0, PALETTE[0], "wet"), (down <= 0.0, PALETTE[1], "dry")):
            label = f"{name}, {100.0 * np.mean(wet):.1f} % of the points"
            axes.scatter(north[wet], down[wet], s=2.0, color=color, lw=0, label=label)
        for shape in of.shapes:
            axes.plot(*_outline(shape), color=INK, lw=1.0)
        axes.plot(*_seen(np.zeros((1, 3))), "+", color=INK, ms=8, mew=1.5, label="centre of mass")
        axes.set(xlabel="ahead, m", ylabel="depth, m", xlim=(-1.1, 1.1), ylim=(0.3, -0.25))
        legend = axes.legend(loc="upper right")
        for handle in legend.legend_handles:
            if isinstance(handle, PathCollection):  # the points, too small to tell their colour
                handle.set_sizes([20.0])
    caption = (
        f"Bounding volume and cloud of {POINTS:,} points, as figures 2 and 3 of the document describe "
        f"them, afloat at rest ({AFLOAT_M:g} m, {PITCH_DEG:g}° nose up): only the mast is out of the "
        "water, the nose just touches the surface. Height drawn larger than length."
    )
    return drawn(figure, "hunt-cloud", caption)


def _seen(points: Array) -> tuple[Array, Array]:
    pitch = np.radians(PITCH_DEG)
    x, z = points[:, 0], points[:, 2]
    return x * np.cos(pitch) + z * np.sin(pitch), AFLOAT_M - x * np.sin(pitch) + z * np.cos(pitch)


def _outline(shape: Shape) -> tuple[Array, Array]:
    length, radius = shape.size_m
    half = np.array([0.5 * length, radius] if shape.axis == "x" else [radius, 0.5 * length])
    corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]]) * half
    x, _, z = shape.center_b
    return _seen(np.column_stack([corners[:, 0] + x, np.zeros(5), corners[:, 1] + z]))


def convergence_drawing(found: Convergence) -> Drawing:
    """Error of the wet share, and depth at rest, over the number of points."""
    n = np.array(COUNTS)
    with styled():
        figure = new_figure(UNWRITTEN, (9.5, 3.9), None)
        left, right = figure.subplots(1, 2)
        _errors(left, n, np.array(SECTIONS), found)
        for seed in range(found.rest_m.shape[1]):
            label = "one cloud" if seed == 0 else None
            right.semilogx(n, found.rest_m[:, seed], ".", color=PALETTE[1], ms=5, alpha=0.6, label=label)
        right.axhline(found.rest_exact_m, color=PALETTE[0], lw=1.2, label=f"exact, {found.rest_exact_m:.3f} m")
        right.axhspan(0.125, 0.135, color=COMMAND, alpha=0.25, lw=0, label="0.13 m as printed")
        right.set(xlabel="points", ylabel="depth of the centre of mass, m", title="Afloat at rest")
        right.invert_yaxis()
        right.legend(loc="lower right")
    caption = (
        "Monte Carlo integration of section III.B against the exact wet volume of the two cylinders. "
        "Left: error of the wet share over 40 depths and attitudes; the cloud follows sqrt(f(1 - "
        "f)/N), our sections are far below it. Right: the depth at which single clouds float."
    )
    return drawn(figure, "hunt-convergence", caption)


def _errors(axes: Any, n: Array, sections: Array, found: Convergence) -> None:
    axes.loglog(n, 100.0 * found.rms, "o", color=PALETTE[1], ms=5, label="point cloud")
    axes.loglog(n, 100.0 * found.expected, "--", color=PALETTE[1], lw=1.0, label="sqrt(f(1 - f)/N)")
    axes.loglog(sections, 100.0 * found.sections, "s-", color=PALETTE[0], ms=4, label="our sections")
    axes.set(xlabel="points or sections", ylabel="r.m.s. error, % of the volume", title="Wet share of the volume")
    axes.legend(loc="upper right")
