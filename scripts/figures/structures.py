"""Draw the picture of docs/structures.md: contacts of a box with quay, pipe and column; Royer's three areas."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon, Rectangle

from pelagos.engine.contact.solids import detect
from pelagos.engine.water.sea import CONTACT, FORM, HULL, MAX_CONTACTS
from pelagos.geometry.forms import Form, farthest_m, form_record
from pelagos.world.royer import royer_collides
from pelagos.world.structure import Structure, pack_structures
from pelagos.world.writer import SeaWriter

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "structures.png"
SIZE = (3.0, 1.6, 0.8)  # m, of Royer's box


def hull() -> np.ndarray:
    """Royer's box as the engine sees it."""
    form = Form("box", (0.0, 0.0, 0.0), (1.5, 0.8, 0.4))
    header, row = HULL.record(), np.zeros(1, FORM.dtype)
    for name, value in form_record(form).items():
        row[0][name] = value
    header["reach"], header["n_forms"], header["forms_at"] = farthest_m((form,)), 1, HULL.size
    return np.concatenate([HULL.flat(header).copy(), row.view(float).ravel()])


def contacts(structures: list[Structure], position: tuple[float, float, float], heading: float) -> np.ndarray:
    """Contact records of the box."""
    writer = SeaWriter()
    pack_structures(structures, writer)
    records = np.zeros((MAX_CONTACTS, CONTACT.size))
    q = np.array([math.cos(heading / 2), 0.0, 0.0, math.sin(heading / 2)])
    n = detect(writer.finish(), hull(), np.array(position), q, 0.15, records)
    return np.ascontiguousarray(records[:n]).view(CONTACT.dtype)[:, 0]


def outline(position: tuple[float, float, float], heading: float) -> np.ndarray:
    """The box seen from above, as (east, north)."""
    c, s = math.cos(heading), math.sin(heading)
    corners = np.array([(1.5, 0.8), (-1.5, 0.8), (-1.5, -0.8), (1.5, -0.8)]) @ np.array([[c, s], [-s, c]])
    return (corners + position[:2])[:, ::-1]


def draw_contacts(ax: Axes) -> None:
    """Plan view: where the box touches, with the normals."""
    structures = [
        Structure(kind="box", name="quay", center_m=(2.75, 0.0, 5.0), size_m=(1.5, 9.0, 10.0)),
        Structure(kind="cylinder", name="column", from_m=(-0.46, -1.85, 0.0), to_m=(-0.46, -1.85, 10.0), radius_m=0.5),
        Structure(kind="cylinder", name="pipe", from_m=(-4.0, 2.4, 5.2), to_m=(4.0, 0.9, 5.2), radius_m=0.3),
    ]
    ax.add_patch(Rectangle((-4.5, 2.0), 9.0, 1.5, color="0.75"))
    ax.text(-3.3, 2.35, "quay (box)", va="center")
    ax.add_patch(Circle((-1.85, -0.46), 0.5, color="tab:brown", alpha=0.5))
    ax.text(-1.85, -1.1, "column", ha="center", va="top")
    across = 0.3 * np.array([8.0, 1.5]) / math.hypot(8.0, 1.5)
    start, end = np.array([2.4, -4.0]), np.array([0.9, 4.0])
    ends = [start + across, start - across, end - across, end + across]
    ax.add_patch(Polygon(ends, color="tab:green", alpha=0.4))
    ax.text(2.25, -1.9, "pipe, under\nthe keel", ha="left", va="center")
    position, heading = (0.62, -0.08, 4.5), math.radians(62.0)
    ax.add_patch(Polygon(outline(position, heading), fill=False, edgecolor="tab:blue", linewidth=2))
    for contact in contacts(structures, position, heading):
        north, east, _down = contact["point"]
        n = contact["normal"]
        ax.plot(east, north, "o", color="tab:red", markersize=6)
        if math.hypot(n[0], n[1]) > 0.3:
            ax.annotate(
                "",
                (east + 0.8 * n[1], north + 0.8 * n[0]),
                (east, north),
                arrowprops={"arrowstyle": "->", "color": "tab:red", "linewidth": 1.6},
            )
    ax.set_title("Contacts with a gap below 0.15 m: points and normals")
    ax.set_xlim(-3.8, 3.8)
    ax.set_ylim(-3.2, 3.6)


def draw_areas(ax: Axes) -> None:
    """Royer's areas around a cube, and where the centre of the box may not be at one heading."""
    cube = Structure(kind="box", name="wellhead", center_m=(0.0, 0.0, 5.0), size_m=(2.0, 2.0, 2.0))
    heading = math.radians(35.0)
    grid = np.linspace(-3.2, 3.2, 241)
    hits = np.array([[royer_collides(cube, SIZE, (n, e, 5.0), heading) for e in grid] for n in grid])
    ax.contourf(grid, grid, hits, levels=[0.5, 1.5], colors=["tab:red"], alpha=0.25)
    ax.add_patch(Rectangle((-1.0, -1.0), 2.0, 2.0, color="0.6"))
    for radius, style in ((0.8, "-"), (math.hypot(1.5, 0.8), "--")):
        t = 0.01 + np.linspace(0.0, 2.0 * math.pi, 201)
        c, d = np.cos(t), np.sin(t)
        ax.plot(np.sign(c) + radius * c, np.sign(d) + radius * d, style, color="k", linewidth=1.2)
    ax.text(0.0, 0.0, "wellhead", ha="center", va="center")
    ax.text(0.0, 1.35, "area 3: always", ha="center", va="center")
    ax.text(0.0, 2.2, "area 2: corners are tried", ha="center", va="center")
    ax.text(0.0, 3.0, "area 1: never", ha="center", va="center")
    ax.add_patch(Polygon(outline((-2.07, -1.2, 0.0), heading), fill=False, edgecolor="tab:blue", linewidth=2))
    ax.plot(-1.2, -2.07, "+", color="tab:blue", markersize=10)
    ax.set_title("Centres that collide at a heading of 35° (red)")
    ax.set_xlim(-3.6, 3.6)
    ax.set_ylim(-4.0, 3.4)


def main() -> None:
    """Draw and write."""
    figure, axes = plt.subplots(1, 2, figsize=(11.0, 5.2), layout="constrained")
    draw_contacts(axes[0])
    draw_areas(axes[1])
    for ax in axes:
        ax.set_aspect("equal")
        ax.set_xlabel("east (m)")
        ax.set_ylabel("north (m)")
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main()
