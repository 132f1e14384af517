"""Draw docs/images/rays.png: a fan of sonar beams in section, and a picture made of ranges and normals."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from PIL import Image

from benchmarks.rays import scene
from pelagos.world.rays import Rays

OUT = Path(__file__).parents[2] / "docs/images/rays.png"


def main() -> None:
    """Draw both."""
    sea, _, solids = scene()
    tracer = Rays(sea)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 3.7), width_ratios=[1.0, 1.25], layout="constrained")

    north, east, _ = solids[0]["center"]
    origin = np.array([north, east - 12.0, 30.0])
    angle = np.radians(np.linspace(-60.0, 60.0, 81))
    fan = np.column_stack([0.0 * angle, np.sin(angle), np.cos(angle)])
    hits = tracer.cast(origin, fan)
    ends = origin + hits.range_m[:, None] * fan
    colours = ["tab:orange" if number >= 0 else "tab:blue" for number in hits.obstacle]
    lines = [[(origin[1], origin[2]), (end[1], end[2])] for end in ends]
    left.add_collection(LineCollection(lines, colors=colours, lw=0.6, alpha=0.7))
    left.scatter(ends[:, 1], ends[:, 2], c=colours, s=10, zorder=3)
    left.quiver(ends[:, 1], ends[:, 2], hits.normal[:, 1], hits.normal[:, 2], angles="xy", scale=0.25, scale_units="xy",
                width=0.003, color="0.3")  # fmt: skip
    for label, colour in (("seabed", "tab:blue"), ("structure", "tab:orange")):
        left.plot([], [], "o", color=colour, label=label, ms=4)
    left.plot([], [], "-", color="0.3", label="normal")
    left.plot(origin[1], origin[2], "k^", ms=8)
    left.set_xlim(ends[:, 1].min() - 2, ends[:, 1].max() + 2)
    left.set_ylim(76, 24)
    left.set_aspect("equal")
    left.set_xlabel("east, m")
    left.set_ylabel("depth, m")
    left.set_title("81 beams of a swath sonar", fontsize=10)
    left.legend(loc="upper right", fontsize=8)

    eye = np.array([60.0, 250.0, 38.0])
    across, down = np.meshgrid(np.tan(np.radians(38.0)) * np.linspace(-1, 1, 640), 0.5 * np.linspace(-0.45, 0.95, 380))
    ahead, starboard, below = np.array([1.0, 0.0, 0.25]), np.array([0.0, 1.0, 0.0]), np.array([-0.25, 0.0, 1.0])
    view = ahead + across[..., None] * starboard + down[..., None] * below
    seen = tracer.cast(eye, view.reshape(-1, 3), max_range_m=300.0)
    light = np.clip(seen.normal @ (np.array([-0.6, -0.5, -0.8]) / np.sqrt(1.25)), 0.05, 1.0)
    ranges = np.where(np.isfinite(seen.range_m), seen.range_m, np.nan)
    scale = Normalize(15.0, 220.0)
    colour = plt.get_cmap("viridis_r")(scale(ranges))[:, :3] * (0.25 + 0.75 * light[:, None])
    solid = seen.obstacle >= 0
    colour[solid] = 0.5 * colour[solid] + 0.5 * np.array([1.0, 0.55, 0.1]) * light[solid, None]
    colour[seen.obstacle == -2] = 0.93
    right.imshow(colour.reshape(*across.shape, 3), interpolation="bilinear")
    right.set_xticks([])
    right.set_yticks([])
    right.set_title(f"{across.size:,} rays against 500 x 500 nodes and 100 structures", fontsize=10)
    figure.colorbar(plt.cm.ScalarMappable(scale, "viridis_r"), ax=right, label="range, m", shrink=0.75)
    figure.savefig(OUT, dpi=80)
    Image.open(OUT).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        OUT, optimize=True
    )


if __name__ == "__main__":
    main()
