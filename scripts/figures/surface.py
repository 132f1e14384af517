"""Draw docs/images/surface.png: error of the wet volume against the number of points, and where the points lie.

Prints the table of docs/surface.md.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from pelagos.engine.water.sea import HULL
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.hull import hull_table
from pelagos.vehicle.spec import FreeSurfaceModel
from tests.vehicle.wet_hull import CYLINDER, EXTENT, cylinder_cases, parts, table

OUT = Path(__file__).parents[2] / "docs/images/surface.png"
BLUE, ORANGE = "tab:blue", "tab:orange"
# numbers of points of the two methods
SECTIONS = (8, 16, 32, 64, 128, 256, 512, 1024)
CLOUDS = (128, 512, 2048, 8192, 32768, 131072)
SEEDS = 8  # random clouds of each size


def errors() -> tuple[dict[int, Any], dict[int, Any]]:
    """Greatest and root-mean-square error of volume, and greatest of the moment, for both methods; in percent."""
    cases, exact = cylinder_cases(1500)
    unit = np.array([1.0, *EXTENT])

    def summary(samples: list[np.ndarray]) -> tuple[float, float, float]:
        error = 100.0 * np.abs(np.array(samples) - exact) / unit
        volume = error[..., 0]
        return float(volume.max()), float(np.sqrt(np.mean(volume**2))), float(error[..., 1:].max())

    sections = {n: summary([parts(table(CYLINDER, points=n), cases)]) for n in SECTIONS}
    clouds = {
        n: summary([parts(table(CYLINDER, method="monte_carlo", points=n, seed=s), cases) for s in range(SEEDS)])
        for n in CLOUDS
    }
    return sections, clouds


def draw_errors(axes: Any, sections: dict[int, Any], clouds: dict[int, Any]) -> None:
    """Both methods over the number of points."""
    for samples, color, name in ((sections, BLUE, "quadrature"), (clouds, ORANGE, "monte_carlo")):
        counts = np.array(list(samples))
        values = np.array(list(samples.values()))
        axes.loglog(counts, values[:, 0], "o-", color=color, ms=4, label=f"{name}, greatest")
        axes.loglog(counts, values[:, 1], "s--", color=color, ms=3, lw=1, label=f"{name}, r.m.s.")
    line = np.array([1e3, 1.2e5])
    axes.loglog(line, 100.0 * 0.12 / np.sqrt(line), ":", color="0.4", label="$1/\\sqrt{N}$")
    axes.axhline(0.1, color="0.7", lw=0.8)
    axes.annotate("0.1 %", (7.0, 0.107), color="0.4", fontsize=8)
    axes.set(xlabel="number of points or sections", ylabel="error of the wet volume, % of the whole")
    axes.set_title("cylinder, any roll, pitch and depth", fontsize=10)
    axes.set_ylim(4e-3, 20.0)
    axes.legend(fontsize=7.5, loc="lower right", bbox_to_anchor=(1.0, 0.0))
    axes.grid(True, which="major", lw=0.3)


def draw_points(axes: Any, method: str, points: int, title: str) -> None:
    """The Iver3 at the surface, seen from starboard: wet points dark, dry ones light."""
    vehicle = load_vehicle("iver3")
    hull = hull_table(replace(vehicle, free_surface=FreeSurfaceModel(method, points, 0)))
    head = hull[: HULL.size].view(HULL.dtype)[0]
    n, at = int(head["n_points"]), int(head["points_at"])
    x, _, z, _, _, per_size = hull[at : at + 6 * n].reshape(6, n)
    size = 1.0 / per_size
    depth, pitch = 0.06, np.radians(4.0)
    north, down = x * np.cos(pitch) + z * np.sin(pitch), depth - x * np.sin(pitch) + z * np.cos(pitch)
    axes.axhspan(0.0, 0.35, color="lightblue", alpha=0.4)
    if method == "monte_carlo":
        axes.scatter(north, down, s=2, c=np.where(down > 0.0, BLUE, "0.7"))
    else:
        count = int(np.sum(size > 0.05))
        for i in range(n):
            tilt = pitch if i < count else pitch + 0.5 * np.pi
            dx, dz = size[i] * np.sin(tilt), size[i] * np.cos(tilt)
            ends = np.array([[north[i] - dx, down[i] - dz], [north[i] + dx, down[i] + dz]])
            t = np.clip(-ends[0, 1] / (ends[1, 1] - ends[0, 1]), 0.0, 1.0) if ends[0, 1] != ends[1, 1] else 0.0
            cut = ends[0] + t * (ends[1] - ends[0])
            top, low = (ends[0], ends[1]) if dz > 0 else (ends[1], ends[0])
            if (top[1] < 0.0) and (low[1] < 0.0):
                axes.plot(*ends.T, color="0.7", lw=0.8)
            elif top[1] > 0.0 and low[1] > 0.0:
                axes.plot(*ends.T, color=BLUE, lw=0.8)
            else:
                axes.plot(*np.array([top, cut]).T, color="0.7", lw=0.8)
                axes.plot(*np.array([cut, low]).T, color=BLUE, lw=0.8)
    axes.axhline(0.0, color="steelblue", lw=1)
    axes.set(xlim=(-1.1, 1.1), ylim=(0.3, -0.35), ylabel="depth, m")
    axes.set_title(title, fontsize=10)


def main() -> None:
    """Draw and print."""
    sections, clouds = errors()
    figure = plt.figure(figsize=(10.5, 4.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1.0, 1.1])
    draw_errors(figure.add_subplot(grid[:, 0]), sections, clouds)
    draw_points(figure.add_subplot(grid[0, 1]), "quadrature", 100, "quadrature: sections, each cut in closed form")
    lower = figure.add_subplot(grid[1, 1])
    draw_points(lower, "monte_carlo", 2000, "monte_carlo: points, each wet or dry")
    lower.set_xlabel("forward, m")
    figure.savefig(OUT, dpi=110)
    for name, samples in (("quadrature", sections), ("monte_carlo", clouds)):
        for n, (worst, rms, moment) in samples.items():
            print(f"| {name} | {n} | {worst:.3f} | {rms:.3f} | {moment:.3f} |")


if __name__ == "__main__":
    main()
