"""Section III.B: the bounding volume, the point cloud, its convergence, and our quadrature for comparison."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Shape, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.hunt.convergence import CASES, COUNTS, SECTIONS, SEEDS, Convergence, converge
from pelagos_evidence.hunt.exact import centroid, uniform_cloud
from pelagos_evidence.rows import Array, Rows, Values

AFLOAT_M, PITCH_DEG = 0.129, 1.2  # at rest, see the rows of `rest`
POINTS = 6000  # of the figure: more would cover each other


ROWS = Rows(__file__, SEEDS=SEEDS, CASES=CASES)


def cloud_drawing(of: Vehicle) -> Drawing:
    """The bounding volume and a cloud in it, the vehicle at rest at the surface."""
    points = uniform_cloud(of, POINTS, np.random.default_rng(0)) + np.array(of.body.cb_b) - centroid(of)
    north, down = _side_view(points)
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
        axes.plot(*_side_view(np.zeros((1, 3))), "+", color=INK, ms=8, mew=1.5, label="centre of mass")
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


def _side_view(points: Array) -> tuple[Array, Array]:
    pitch = np.radians(PITCH_DEG)
    x, z = points[:, 0], points[:, 2]
    return x * np.cos(pitch) + z * np.sin(pitch), AFLOAT_M - x * np.sin(pitch) + z * np.cos(pitch)


def _outline(shape: Shape) -> tuple[Array, Array]:
    length, radius = shape.size_m
    half = np.array([0.5 * length, radius] if shape.axis == "x" else [radius, 0.5 * length])
    corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1], [1, 1]]) * half
    x, _, z = shape.center_b
    return _side_view(np.column_stack([corners[:, 0] + x, np.zeros(5), corners[:, 1] + z]))


def convergence_drawing(study: Convergence) -> Drawing:
    """Error of the wet share, and depth at rest, over the number of points."""
    n = np.array(COUNTS)
    with styled():
        figure = new_figure(UNWRITTEN, (9.5, 3.9), None)
        left, right = figure.subplots(1, 2)
        _errors(left, n, np.array(SECTIONS), study)
        for seed in range(study.rest_m.shape[1]):
            label = "one cloud" if seed == 0 else None
            right.semilogx(n, study.rest_m[:, seed], ".", color=PALETTE[1], ms=5, alpha=0.6, label=label)
        right.axhline(study.rest_exact_m, color=PALETTE[0], lw=1.2, label=f"exact, {study.rest_exact_m:.3f} m")
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


def _errors(axes: Any, n: Array, sections: Array, study: Convergence) -> None:
    axes.loglog(n, 100.0 * study.rms, "o", color=PALETTE[1], ms=5, label="point cloud")
    axes.loglog(n, 100.0 * study.expected, "--", color=PALETTE[1], lw=1.0, label="sqrt(f(1 - f)/N)")
    axes.loglog(sections, 100.0 * study.sections, "s-", color=PALETTE[0], ms=4, label="our sections")
    axes.set(xlabel="points or sections", ylabel="r.m.s. error, % of the volume", title="Wet share of the volume")
    axes.legend(loc="upper right")


def run(progress: Progress) -> Findings:
    """Compute clouds of all sizes and their errors, draw the figures."""
    of = load_vehicle("iver3")
    convergence = converge(of, progress)
    claims = ROWS.claims({**_volume(of), **convergence_values(convergence), **_cost(of)})
    return Findings(claims, (cloud_drawing(of), convergence_drawing(convergence)))


def cloud_is_kept(of: Vehicle) -> bool:
    """Whether the points of a vehicle at the surface stay unchanged while it moves."""
    plant = Plant(replace(of, free_surface=FreeSurfaceModel("monte_carlo", 2000)), sea=World().packed())
    plant.place(position_n=(0.0, 0.0, 0.1))
    before = plant.hull.copy()
    plant.advance(0.02, 100)
    return bool(np.array_equal(before, plant.hull))


def _volume(of: Vehicle) -> Values:
    hull, mast = of.shapes
    count = 20_000
    points = uniform_cloud(of, count, np.random.default_rng(0))
    share = math.pi * mast.size_m[1] ** 2 * mast.size_m[0] / (math.pi * hull.size_m[1] ** 2 * hull.size_m[0])
    share /= 1.0 + share
    in_mast = float(np.mean(points[:, 2] < hull.center_b[2] - hull.size_m[1]))
    spread = points.std(axis=0) / math.sqrt(count)
    mean_off = float((np.abs(points.mean(axis=0) - centroid(of)) / spread).max())
    mast_off = abs(in_mast - share) / math.sqrt(share * (1.0 - share) / count)
    same = cloud_is_kept(of)
    inside = points[points[:, 2] >= hull.center_b[2] - hull.size_m[1]] - np.array(hull.center_b)
    # a square of a uniform share has mean 1/3 and variance 4/45; the square of the radius has mean 1/2, variance 1/12
    along = (2.0 * inside[:, 0] / hull.size_m[0]) ** 2
    across = np.square(inside[:, 1:]).sum(axis=1) / hull.size_m[1] ** 2
    spread_off = max(
        abs(float(along.mean()) - 1.0 / 3.0) / math.sqrt(4.0 / 45.0 / len(inside)),
        abs(float(across.mean()) - 0.5) / math.sqrt(1.0 / 12.0 / len(inside)),
    )
    below = 100.0 * float(np.mean(np.any(points < 0.0, axis=1)))
    return {
        "bounding-volume": {
            "holds": all(shape.kind == "cylinder" for shape in of.shapes),
            "hull_diameter": 2.0 * hull.size_m[1],
            "hull": hull,
            "mast_diameter": 2.0 * mast.size_m[1],
            "mast": mast,
            "share": 100.0 * share,
        },
        "uniform-cloud": {
            "value": max(mean_off, mast_off, spread_off),
            "mean_off": mean_off,
            "mast_off": mast_off,
            "spread_off": spread_off,
        },
        "cached-cloud": {
            "holds": same,
            "ours": "the points are the same, to the bit, after 100 steps at the surface"
            if same
            else "the points change",
        },
        "geometric-mean": below,
    }


def convergence_values(study: Convergence) -> Values:
    """Rows on the errors of the cloud, from the numbers of `converge`."""
    slope, intercept = np.polyfit(np.log(COUNTS), np.log(study.rms), 1)
    off = np.polyfit(np.log(COUNTS), np.log(study.center_off_m), 1)[0]
    size = float(np.exp(np.mean(np.log(study.rms / study.expected))))
    sections = float(study.sections[SECTIONS.index(512)])
    as_good = float(np.exp((math.log(sections) - intercept) / slope))
    spread = study.rest_m.std(axis=1, ddof=1)
    fine = study.rest_m[-1]
    few = COUNTS.index(10_000)
    # the errors of a cloud at 40 attitudes hang together: each r.m.s. counts some 60 independent ones, so 9 %
    return {
        "wet-share-rate": float(slope),
        "wet-share-error": size,
        "center-rate": float(off),
        "rest-depth-of-clouds": {
            "ours": float(fine.mean()),
            "absolute": 0.005 + 3.0 * float(fine.std(ddof=1)) / math.sqrt(SEEDS),
            "spread": 1e3 * spread[-1],
            "spread_few": 1e3 * spread[few],
        },
        "quadrature-beside-it": {
            "holds": sections < float(study.rms[-1]),
            "sections": 100.0 * sections,
            "cloud_rms": 100.0 * study.rms[-1],
            "as_good": as_good,
        },
    }


def _step_us(of: Vehicle, model: FreeSurfaceModel) -> float:
    """Computing time of one step of the engine (four evaluations) with the hull at the surface, µs."""
    plant = Plant(replace(of, free_surface=model), sea=World().packed())
    plant.place(position_n=(0.0, 0.0, 0.13))
    plant.advance(0.02, 50)
    start = time.process_time()
    plant.advance(0.02, 2000)
    return (time.process_time() - start) / 2000.0 * 1e6


def _cost(of: Vehicle) -> Values:
    models = (
        FreeSurfaceModel("submerged", 0),
        FreeSurfaceModel("quadrature", 512),
        FreeSurfaceModel("monte_carlo", 20_000),
    )
    submerged, sections, points = (_step_us(of, model) for model in models)
    return {
        "cost": {
            "off": max(points / sections - 1.0, 0.0),
            "submerged": submerged,
            "sections": sections,
            "points": points,
        },
        "only-buoyancy": {},
    }
