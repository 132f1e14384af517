"""The bottom of the Gavia notes: convert a line drawn on 100 x 300 pixels to bottom.txt (figure 5)."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.world.seabed.profile import BottomProfile, bottom_from_image, read_bottom, write_bottom
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

WIDTH, HEIGHT = 300, 100  # pixels of figure 5
QUALITY = 85  # of the JPEG


ROWS = Rows(__file__, QUALITY=QUALITY, WIDTH=WIDTH)


@dataclass(frozen=True, eq=False)
class BottomReading:
    """A drawn line and the line read from its picture, in pixels."""

    line: Array  # row in each column, as drawn
    pixels: Array  # the JPEG in grey, (HEIGHT, WIDTH)
    exact: BottomProfile  # read from a picture without loss
    jpeg: BottomProfile
    filed: BottomProfile  # through bottom.txt
    black: Array  # rows that an exact test for black finds in the JPEG, columns without one left out
    first_line: str  # of bottom.txt


def bottom_line() -> Array:
    """Row of the line in every column: a slope with waves, a mound and a trench, as the library's gavia_bottom."""
    x = np.arange(WIDTH, dtype=float)
    slope = 52.0 + 0.06 * x + 3.0 * np.sin(2.0 * np.pi * x / 75.0)
    return slope - 30.0 * np.exp(-(((x - 130.0) / 22.0) ** 2)) + 14.0 * np.exp(-(((x - 225.0) / 16.0) ** 2))


def run(progress: Progress) -> Findings:
    """Draw, read, write and read again."""
    with tempfile.TemporaryDirectory() as folder:
        reading = read_picture(Path(folder))
    progress(0.7)
    return Findings(ROWS.claims(values(reading)), (figure(reading),))


def read_picture(folder: Path) -> BottomReading:
    """The picture of figure 5 drawn into a folder, read by the package and by a test for exact black."""
    from PIL import Image, ImageDraw

    line = bottom_line()
    picture = Image.new("L", (WIDTH, HEIGHT), 255)
    points = [(x, round(row)) for x, row in enumerate(line.tolist())]
    ImageDraw.Draw(picture).line(points, fill=0, width=1)
    picture.save(folder / "bottom.png")
    picture.save(folder / "bottom.jpg", quality=QUALITY)
    jpeg = bottom_from_image(folder / "bottom.jpg")
    write_bottom(folder / "bottom.txt", jpeg)
    with Image.open(folder / "bottom.jpg") as stored:
        pixels = np.asarray(stored.convert("L"), dtype=float)
    black = pixels == 0.0
    black_rows = black.argmax(axis=0)[black.any(axis=0)].astype(float)
    first = (folder / "bottom.txt").read_text(encoding="ascii").splitlines()[0]
    exact, filed = bottom_from_image(folder / "bottom.png"), read_bottom(folder / "bottom.txt")
    return BottomReading(line, pixels, exact, jpeg, filed, black_rows, first)


def values(reading: BottomReading) -> Values:
    """The statements of the notes about the picture and the file."""
    steep = float(np.abs(np.diff(reading.line)).max())
    exact = float(np.abs(reading.exact.depth_m - reading.line).max())
    rms = float(np.sqrt(np.mean((reading.jpeg.depth_m - reading.line) ** 2)))
    filed = float(np.abs(reading.filed.depth_m - reading.jpeg.depth_m).max())
    shape = reading.pixels.shape
    lost = WIDTH - len(reading.black)
    return {
        "picture": {
            "holds": shape == (HEIGHT, WIDTH) and len(reading.jpeg.depth_m) == WIDTH and reading.jpeg.gaps == 0,
            "points": len(reading.jpeg.depth_m),
            "reading": reading,
        },
        "picture-exact": {"difference": exact, "limit": 0.5 + 0.5 * steep, "steep": steep},
        "picture-jpeg": rms,
        "bottom-file": {"difference": filed, "reading": reading},
        "exact-black": {"off": float(lost), "black": WIDTH - lost, "width": WIDTH},
    }


def figure(reading: BottomReading) -> Drawing:
    """The picture and the depth that is read from it."""
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 4.6), None)
        axes: Any = sheet.subplots(2, 1, sharex=True)
        axes[0].imshow(reading.pixels, cmap="gray", vmin=0, vmax=255, aspect="auto", interpolation="nearest")
        axes[0].set(ylabel="row [pixel]", title="the picture, 100 x 300 pixels, as a JPG")
        axes[0].grid(False)
        axes[1].plot(reading.line, color=PALETTE[8], linewidth=4.0, alpha=0.5, label="line as drawn")
        axes[1].plot(reading.black, color=PALETTE[1], linewidth=1.1, label="first exactly black pixel, other columns "
                     "left out (the notes' program)")  # fmt: skip
        axes[1].plot(reading.jpeg.distance_m, reading.jpeg.depth_m, color=PALETTE[0], label="bottom.txt of Pelagos")
        axes[1].set(xlabel="distance [m]", ylabel="depth [m]", ylim=(100.0, 0.0), xlim=(0.0, WIDTH - 1.0))
        axes[1].legend(loc="upper right", ncols=3)
    return drawn(
        sheet, "gavia-bottom",
        "After figure 5: the drawn bottom and what is read from it. The line is ours, the one of the notes is lost in "
        "the scan. Taking only exactly black pixels of a JPG, and leaving out columns without one, shortens and shifts "
        "it.",
    )  # fmt: skip
