"""Picture of docs/contact.md: a box rams a column from several sides; a crate drops on the bottom."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

from pelagos.engine.sea import SEABED
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "contact.png"
COLORS = ("tab:blue", "tab:orange", "tab:green", "tab:purple")
HALF = np.array([0.23, 0.29])  # m, of the BlueROV2 Heavy seen from above
ROV: Vehicle = load_vehicle("bluerov2_heavy")
RADIUS = 0.3


def outline(plant: Plant) -> np.ndarray:
    """The box seen from above, as (east, north)."""
    yaw = plant.euler[2]
    c, s = math.cos(yaw), math.sin(yaw)
    corners = HALF * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)]) @ np.array([[c, s], [-s, c]])
    return (corners + plant.position_n[:2])[:, ::-1]


def ram(ax: Axes) -> None:
    """At 2 m/s from four sides, pushed on by 60 N along the track."""
    column = Structure(kind="cylinder", name="column", from_m=(0.0, 0.0, -5.0), to_m=(0.0, 0.0, 20.0), radius_m=RADIUS)
    sea = World(structures=(column,), surface=False).packed()
    ax.add_patch(Circle((0.0, 0.0), RADIUS, color="0.6"))
    ax.text(0.0, 0.0, "column", ha="center", va="center", fontsize=8)
    cases = ((0.0, 0.0, 0.0), (80.0, -0.2, 0.0), (190.0, 0.35, 35.0), (280.0, -0.35, -50.0))
    for color, (way_deg, off, turned_deg) in zip(COLORS, cases, strict=True):
        way, yaw = math.radians(way_deg), math.radians(way_deg + turned_deg)
        ahead = np.array([math.cos(way), math.sin(way)])
        across = np.array([-ahead[1], ahead[0]])
        plant = Plant(ROV, sea=sea)
        turn = math.radians(turned_deg)
        start = -1.6 * ahead + off * across
        speed = (2.0 * math.cos(turn), -2.0 * math.sin(turn), 0.0, 0.0, 0.0, 0.0)
        plant.place(position_n=(*start, 5.0), euler=(0.0, 0.0, yaw), nu=speed)
        track = [plant.position_n[:2].copy()]
        weight = float(plant.forces()["restoring"][2])
        for k in range(161):
            if k % 16 == 0:
                last = k == 160
                ax.add_patch(
                    Polygon(
                        outline(plant), fill=last, facecolor=(*plt.cm.colors.to_rgb(color), 0.25), edgecolor=color,
                        linewidth=1.8 if last else 0.6, alpha=1.0 if last or k == 0 else 0.6,
                    )
                )  # fmt: skip
            c, s = math.cos(plant.euler[2]), math.sin(plant.euler[2])
            push = 60.0 * np.array([c * ahead[0] + s * ahead[1], -s * ahead[0] + c * ahead[1]])
            plant.command["external"][:3] = (*push, -weight)
            plant.advance(0.02, 1)
            track.append(plant.position_n[:2].copy())
        path = np.array(track)
        ax.plot(path[:, 1], path[:, 0], color=color, linewidth=1.5)
    ax.set(xlim=(-2.3, 2.3), ylim=(-2.3, 2.3), aspect="equal", xlabel="east (m)", ylabel="north (m)")
    ax.set_title("2 m/s into a column from four sides, pushed on by 60 N", fontsize=10)


def drop(upper: Axes, lower: Axes) -> None:
    """Tilted, pushed down by 60 N, onto a bottom 1 m below: energy and contact force, and the depth."""
    bottom, step, pull = 10.0, 0.005, 60.0
    plant = Plant(ROV, sea=World(depth_m=bottom, surface=False).packed())
    plant.place(position_n=(0.0, 0.0, 9.0), euler=(math.radians(25.0), math.radians(-35.0), 0.0))
    weight = float(np.linalg.norm(plant.forces()["restoring"][:3])) * math.copysign(1.0, _sinks(plant))
    matrix = mass_matrix(ROV)
    times, energy, force, lowest = [], [], [], []
    for k in range(round(8.0 / step)):
        roll, pitch, _ = plant.euler
        down = np.array([-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)])
        plant.command["external"][:3] = pull * down
        righting = _righting(down)
        times.append(k * step)
        energy.append(0.5 * plant.nu @ matrix @ plant.nu + (pull + weight) * (bottom - plant.position_n[2]) + righting)
        touch = plant.state["touch"]
        assert touch["count"] == 0 or touch["what"] == SEABED
        force.append(float(np.linalg.norm(touch["wrench"][:3])))
        lowest.append(bottom - plant.position_n[2] - float(np.abs(down) @ np.array([*HALF, 0.19])))
        plant.advance(step, 1)
    at_rest = energy[-1]
    upper.plot(times, np.array(energy) - at_rest, color="tab:blue", label="energy above that at rest (J)")
    upper.plot(times, 100.0 * np.array(lowest), color="tab:green", label="room under the lowest corner (cm)")
    upper.legend(fontsize=8)
    upper.set_title("Tilted by 35° and 25°, pulled down to the bottom by 60 N", fontsize=10)
    upper.set_ylim(bottom=-5.0)
    lower.semilogy(times, np.maximum(force, 1e-1), color="tab:red", linewidth=1.0)
    net = pull + weight
    lower.axhline(net, color="0.4", linewidth=0.8, linestyle="--")
    lower.annotate(f"weight in water and pull: {net:.1f} N", (8.0, net * 1.3), ha="right", fontsize=8)
    lower.set(xlabel="time (s)", ylabel="contact force (N),\nmean over 5 ms", ylim=(10.0, None))
    for ax in (upper, lower):
        ax.grid(True, linewidth=0.3)


def _sinks(plant: Plant) -> float:
    """Sign of the weight in water: positive if it sinks."""
    roll, pitch, _ = plant.euler
    down = np.array([-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)])
    return float(plant.forces()["restoring"][:3] @ down)


def _righting(down: np.ndarray) -> float:
    """Potential energy of weight and buoyancy about O, J."""
    body, water = ROV.body, ROV.water
    lever = body.mass_kg * np.array(body.cg_b) - water.density_kg_m3 * body.volume_m3 * np.array(body.cb_b)
    return -float(water.gravity_m_s2 * lever @ down)


def main() -> None:
    """Draw and write."""
    figure = plt.figure(figsize=(11.0, 5.0), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1.0, 1.1])
    ram(figure.add_subplot(grid[:, 0]))
    upper = figure.add_subplot(grid[0, 1])
    drop(upper, figure.add_subplot(grid[1, 1], sharex=upper))
    figure.savefig(PICTURE, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main()
