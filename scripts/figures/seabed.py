"""Draw docs/images/seabed.png: a bottom traced from a JPEG, and a height map."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image, ImageDraw

from benchmarks.rays import scene
from pelagos.world.seabed.profile import bottom_from_image
from pelagos.world.seabed.seabed import seabed_from_array

OUT = Path(__file__).parents[2] / "docs/images/seabed.png"


def drawing() -> tuple[Image.Image, np.ndarray]:
    """A bottom drawn by hand, 300 x 100 pixels, with a gap, squeezed by JPEG."""
    x = np.arange(300)
    z = 62.0 - 26.0 * np.exp(-(((x - 150.0) / 28.0) ** 2)) + 0.05 * x + 3.0 * np.sin(x / 8.0)
    picture = Image.new("L", (300, 100), 255)
    ImageDraw.Draw(picture).line([(int(a), round(b)) for a, b in zip(x, z, strict=True)], 0, 1)
    ImageDraw.Draw(picture).rectangle([215, 0, 235, 99], 255)
    buffer = io.BytesIO()
    picture.save(buffer, "jpeg", quality=25)
    return Image.open(buffer), z


def main() -> None:
    """Draw both."""
    picture, z = drawing()
    file = OUT.with_suffix(".tmp.png")
    picture.save(file)
    profile = bottom_from_image(file)
    file.unlink()
    error = np.sqrt(np.mean((profile.depth_m - z) ** 2))
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.0), width_ratios=[1.35, 1.0], layout="constrained")
    left.imshow(picture, cmap="gray", aspect="auto", vmin=0, vmax=255)
    left.plot(profile.distance_m, profile.depth_m, color="tab:red", lw=1.2, label="read")
    left.annotate(f"gap: {profile.gaps} columns bridged", (225, 76), (180, 93), color="tab:red", fontsize=9,
                  arrowprops={"arrowstyle": "-", "color": "tab:red"})  # fmt: skip
    left.set_title(f"Picture with a dark line, JPEG of quality 25 (error {error:.2f} m rms)", fontsize=10)
    left.set_xlabel("distance along the track, m = pixel column")
    left.set_ylabel("depth, m = pixel row")
    left.legend(loc="upper left")

    bottom = seabed_from_array(scene()[1][:200, :200], spacing_m=1.0)
    north, east = np.meshgrid(np.linspace(-30.0, 230.0, 400), np.linspace(-30.0, 230.0, 400), indexing="ij")
    depth = bottom.z(north, east)
    light = np.clip(bottom.normal(north, east) @ np.array([0.5, -0.5, -0.7]), 0.0, None)
    shown = right.imshow(depth, origin="lower", extent=(-30, 230, -30, 230), cmap="viridis_r")
    right.imshow(light, origin="lower", extent=(-30, 230, -30, 230), cmap="gray", alpha=0.35)
    right.plot([0, 199, 199, 0, 0], [0, 0, 199, 199, 0], color="w", lw=1.2)
    right.set_title("Height map, bilinear; outside the edge continues", fontsize=10)
    right.set_xlabel("east, m")
    right.set_ylabel("north, m")
    bar = figure.colorbar(shown, ax=right, label="depth, m")
    bar.ax.invert_yaxis()
    figure.savefig(OUT, dpi=90)
    Image.open(OUT).convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        OUT, optimize=True
    )


if __name__ == "__main__":
    main()
