"""Make the two files that library worlds refer to: the drawn bottom of gavia_bottom and the hull of wreck_slope.

    python scripts/world_assets.py [FOLDER]

Without a folder they go to pelagos/world/library. Both follow from the numbers below alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LIBRARY = Path(__file__).parents[1] / "pelagos" / "world" / "library"
PICTURE = "gavia_bottom.jpg"
WRECK = "wreck.obj"

WIDTH, HEIGHT = 300, 100  # pixels, as in figure 5 of the Gavia document

# the wreck, m: where along the hull, half breadth, bottom, height of what stands on the deck; z is down, deck at -2.5
STATIONS = (
    (-20.0, 2.6, -0.6, 0.3), (-18.5, 3.3, 1.0, 0.3), (-16.0, 3.8, 2.2, 0.3), (-15.9, 3.8, 2.2, 3.2),
    (-9.1, 4.0, 2.5, 3.2), (-9.0, 4.0, 2.5, 0.3), (-4.0, 4.0, 2.5, 0.8), (4.0, 4.0, 2.5, 0.8), (9.0, 3.7, 2.5, 0.3),
    (13.0, 2.9, 2.3, 0.3), (16.5, 1.8, 1.7, 0.5), (19.0, 0.8, 0.4, 0.7), (20.0, 0.3, -1.2, 0.8),
)  # fmt: skip
DECK = -2.5  # m


def bottom_rows() -> NDArray[np.float64]:
    """The drawn line: its row in every column. A slope with waves, a mound and a trench."""
    x = np.arange(WIDTH, dtype=np.float64)
    slope = 52.0 + 0.06 * x + 3.0 * np.sin(2.0 * np.pi * x / 75.0)
    mound = 30.0 * np.exp(-(((x - 130.0) / 22.0) ** 2))
    trench = 14.0 * np.exp(-(((x - 225.0) / 16.0) ** 2))
    return slope - mound + trench


def draw_bottom(path: Path) -> None:
    """A white picture with a black line one pixel thick, from end to end."""
    from PIL import Image, ImageDraw

    picture = Image.new("L", (WIDTH, HEIGHT), 255)
    points = [(x, round(row)) for x, row in enumerate(bottom_rows().tolist())]
    ImageDraw.Draw(picture).line(points, fill=0, width=1)
    picture.save(path, quality=85)


def wreck() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Corners and triangles of a coaster of 40 m by 8 m: x to the bow, y to starboard, z down; closed, outward."""
    rings = [_section(*station) for station in STATIONS]
    n = len(rings[0])
    corners = np.concatenate([np.array(ring) for ring in rings])
    faces: list[tuple[int, int, int]] = []
    for k in range(len(rings) - 1):
        for i in range(n):
            a, b = k * n + i, k * n + (i + 1) % n
            faces += [(a, b, b + n), (a, b + n, a + n)]
    for k, turn in ((0, -1), (len(rings) - 1, 1)):  # the ends, from a corner in their middle
        middle = len(corners)
        corners = np.vstack([corners, [STATIONS[k][0], 0.0, 0.5 * (STATIONS[k][2] + DECK)]])
        for i in range(n):
            faces.append((middle, k * n + i, k * n + (i + 1) % n)[::turn])
    triangles = np.array(faces)
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    return corners, triangles if volume > 0.0 else triangles[:, ::-1]


def _section(x: float, half: float, keel: float, house: float) -> list[tuple[float, float, float]]:
    """One closed ring around the hull: keel, bilge, side, deck edge, what stands on the deck, and back."""
    side = 0.5 * (keel + DECK)
    starboard = [
        (0.7 * half, keel - 0.1 * (keel - DECK)), (half, side), (1.03 * half, DECK),
        (0.6 * half, DECK), (0.6 * half, DECK - house),
    ]  # fmt: skip
    port = [(-y, z) for y, z in reversed(starboard)]
    return [(x, y, z) for y, z in [(0.0, keel), *starboard, (0.0, DECK - house), *port]]


def write_obj(path: Path) -> None:
    """The wreck as a Wavefront OBJ file, metres."""
    corners, triangles = wreck()
    lines = ["# A coaster of 40 m by 8 m, made by scripts/world_assets.py; m, x to the bow, y to starboard, z down"]
    lines += [f"v {x:.3f} {y:.3f} {z:.3f}" for x, y, z in corners.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(folder: Path) -> None:
    """Write both files."""
    folder.mkdir(parents=True, exist_ok=True)
    draw_bottom(folder / PICTURE)
    write_obj(folder / WRECK)
    print(f"{folder / PICTURE}\n{folder / WRECK}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else LIBRARY)
