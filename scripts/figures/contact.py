"""Draw the picture of docs/contact.md: a box rams a column from several sides; a crate drops on the bottom."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Circle, Polygon

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.world.spec import World
from pelagos.world.structure import Structure

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "contact.png"
ROV = load_vehicle("bluerov2_heavy")
HALF = 0.5 * np.array(ROV.shapes[0].size_m)
RADIUS = 0.3  # m, of the column
CASES = (
    ("bow on", 0.0, 0.0, "tab:blue"),
    ("0.3 m off", 0.3, 0.0, "tab:orange"),
    ("turned by 40°", 0.1, 40.0, "tab:green"),
    ("sideways, 0.2 m off", -0.2, 90.0, "tab:purple"),
)


def outline(plant: Plant) -> np.ndarray:
    """The box seen from above, as (east, north)."""
    c, s = math.cos(plant.euler[2]), math.sin(plant.euler[2])
    corners = HALF[:2] * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) @ np.array([[c, s], [-s, c]])
    return (corners + plant.position_n[:2])[:, ::-1]


def ram(ax: Axes, title: str, off: float, turned_deg: float, color: str) -> None:
    """North at 2 m/s, pushed on by 60 N to the north; an outline every 0.2 s, the last one filled."""
    column = Structure(kind="cylinder", name="column", from_m=(0.0, 0.0, -5.0), to_m=(0.0, 0.0, 20.0), radius_m=RADIUS)
    plant = Plant(ROV, sea=World(structures=(column,), surface=False).packed())
    yaw = math.radians(turned_deg)
    speed = (2.0 * math.cos(yaw), -2.0 * math.sin(yaw), 0.0, 0.0, 0.0, 0.0)
    plant.place(position_n=(-1.5, off, 5.0), euler=(0.0, 0.0, yaw), nu=speed)
    lift = float(plant.forces()["restoring"][2])
    track = []
    for k in range(161):
        track.append(plant.position_n[:2].copy())
        if k % 10 == 0:
            fill = to_rgba(color, 0.35 if k == 160 else 0.0)
            ax.add_patch(Polygon(outline(plant), facecolor=fill, edgecolor=color, linewidth=1.6 if k == 160 else 0.6))
        c, s = math.cos(plant.euler[2]), math.sin(plant.euler[2])
        plant.command["external"][:3] = (60.0 * c, -60.0 * s, -lift)
        plant.advance(0.02, 1)
    path = np.array(track)
    ax.plot(path[:, 1], path[:, 0], color=color, linewidth=1.5)
    ax.add_patch(Circle((0.0, 0.0), RADIUS, color="0.6"))
    ax.set_title(title, fontsize=9)
    ax.set(xlim=(-1.3, 1.3), ylim=(-1.9, 1.0), aspect="equal")


def drop(upper: Axes, lower: Axes) -> None:
    """A crate without drag, tilted: energy, room under its lowest corner, contact force."""
    bottom, step = 10.0, 0.005
    heavy = 3.0  # kg in water
    volume = (ROV.body.mass_kg - heavy) / ROV.water.density_kg_m3
    body = replace(ROV.body, cg_b=(0.0, 0.0, 0.0), cb_b=(0.0, 0.0, 0.0), volume_m3=volume)
    crate = replace(ROV, body=body, coefficients=(), crossflow=None, thrusters=())
    plant = Plant(crate, sea=World(depth_m=bottom, surface=False).packed())
    plant.place(position_n=(0.0, 0.0, 9.3), euler=(math.radians(25.0), math.radians(-35.0), 0.0))
    weight, matrix = heavy * ROV.water.gravity_m_s2, mass_matrix(crate)
    rows = []
    for k in range(round(2.0 / step) + 1):
        roll, pitch, _ = plant.euler
        down = np.array([-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)])
        height = bottom - plant.position_n[2]
        energy = 0.5 * plant.nu @ matrix @ plant.nu + weight * (height - HALF[2])
        push = float(np.linalg.norm(plant.state["touch"]["wrench"][:3]))
        rows.append((k * step, energy, 100.0 * (height - np.abs(down) @ HALF), push))
        plant.advance(step, 1)
    time, energy, room, force = np.array(rows).T
    upper.plot(time, energy, color="tab:blue")
    upper.set_ylabel("energy above rest (J)", color="tab:blue")
    upper.set_ylim(-0.5, 1.1 * energy.max())
    other = upper.twinx()
    other.plot(time, room, color="tab:green", linewidth=1.0)
    other.set_ylabel("room under the\nlowest corner (cm)", color="tab:green")
    other.set_ylim(-0.5 / (1.1 * energy.max()) * 1.1 * room.max(), 1.1 * room.max())
    upper.set_title("A crate without drag falls on the bottom, tilted", fontsize=10)
    lower.semilogy(time, np.where(force > 0.0, force, np.nan), ".-", markersize=2, color="tab:red", linewidth=0.7)
    lower.axhline(weight, color="0.4", linewidth=0.8, linestyle="--")
    lower.annotate(f"weight in water {weight:.1f} N", (2.0, weight * 1.25), ha="right", fontsize=8)
    lower.set(xlabel="time (s)", ylabel="contact force (N),\nmean over 5 ms")
    for ax in (upper, lower):
        ax.grid(True, linewidth=0.3)


def main() -> None:
    """Draw and write."""
    figure = plt.figure(figsize=(11.0, 5.2), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1.0, 1.15])
    axes = left.subplots(2, 2, sharex=True, sharey=True)
    for ax, (title, off, turned_deg, color) in zip(axes.flat, CASES, strict=True):
        ram(ax, title, off, turned_deg, color)
    for ax in axes[1]:
        ax.set_xlabel("east (m)")
    for ax in axes[:, 0]:
        ax.set_ylabel("north (m)")
    left.suptitle("2 m/s into a column, pushed on by 60 N: every 0.2 s, 3.2 s", fontsize=10)
    upper, lower = right.subplots(2, 1, sharex=True)
    drop(upper, lower)
    figure.savefig(PICTURE, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main()
