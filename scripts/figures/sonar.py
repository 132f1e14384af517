"""Draw docs/images/sonar.png: the navigation sonar over Gavia's drawn bottom, and structures in an imaging sonar."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from PIL import Image

from pelagos import Seabed, Structure, World, load_world
from pelagos.frames import quaternion_from_euler
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.imaging import ImagingSonar, draw_image
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

OUT = Path(__file__).parents[2] / "docs/images/sonar.png"


def instant(north: float, east: float, depth: float, pitch_deg: float = 0.0, heading_deg: float = 0.0) -> Instant:
    """A vehicle at rest."""
    q = quaternion_from_euler(0.0, math.radians(pitch_deg), math.radians(heading_deg))
    return Instant(0.0, np.array([north, east, depth]), q, np.zeros(6))


def bottom_following(axes: plt.Axes) -> None:
    """Fans of the navigation sonar at places along a track to the east, 12 m over the smoothed bottom."""
    world = load_world("gavia_bottom")
    sensor = NavigationSonar(n_beams=9, fan_deg=50.0, tilt_deg=30.0, max_range_m=50.0, no_echo="nan")
    sonar = sensor.make(VehicleContext(), Noise(0))
    east = np.arange(-50.0, 250.0, 0.5)
    bottom = world.bottom_m(0.0 * east, east)
    ahead = np.lib.stride_tricks.sliding_window_view(np.pad(bottom, 50, mode="edge"), 101)
    track = np.convolve(np.pad(ahead.min(axis=1), 30, mode="edge"), np.full(61, 1 / 61), mode="valid") - 12.0
    axes.fill_between(east, bottom, bottom.max() + 6.0, color="0.82", lw=0)
    axes.plot(east, bottom, color="0.35", lw=1.2)
    axes.plot(east, track, color="k", lw=0.9, ls=(0, (5, 3)), label="track")
    for place in (-35.0, 20.0, 75.0, 130.0, 190.0):
        k = int(np.searchsorted(east, place))
        pitch = -math.degrees(math.atan2(track[k + 4] - track[k - 4], 4.0))
        now = instant(0.0, float(east[k]), float(track[k]), pitch, 90.0)
        values = sonar.measure_single(now, world)
        assert values is not None
        ranges, nearest = values[: sensor.n_beams], values[sensor.n_beams]
        down = np.radians(sensor.elevations_deg - pitch)
        reach = np.where(np.isnan(ranges), sensor.max_range_m, ranges)
        ends = np.column_stack([east[k] + reach * np.cos(down), track[k] + reach * np.sin(down)])
        lines = [[(east[k], track[k]), tuple(end)] for end in ends]
        heard = ~np.isnan(ranges)
        best = heard & (ranges == nearest)
        colours = np.where(best, "tab:red", np.where(heard, "tab:blue", "0.7"))
        axes.add_collection(LineCollection(lines, colors=colours.tolist(), lw=np.where(best, 1.6, 0.8)))
        axes.plot(ends[heard, 0], ends[heard, 1], ".", color="tab:blue", ms=4)
        axes.plot(ends[best, 0], ends[best, 1], "o", color="tab:red", ms=5)
        axes.plot(east[k], track[k], "ko", ms=5)
    for colour, label in (("tab:blue", "beam with echo"), ("0.7", "nothing within 50 m"), ("tab:red", "nearest echo")):
        axes.plot([], [], color=colour, label=label)
    axes.set_xlim(-50.0, 250.0)
    axes.set_ylim(bottom.max() + 6.0, 0.0)
    axes.set_aspect("equal")
    axes.set_xlabel("east, m")
    axes.set_ylabel("depth, m")
    axes.set_title("navigation sonar, 9 beams over 50° tilted down by 30°, at five places", fontsize=10)
    axes.legend(fontsize=8, loc="lower left", ncols=4, framealpha=0.9)


def scene() -> World:
    """A jacket of four legs with braces, a box and a pipeline on a gentle slope."""
    legs = [(14.0, -4.0), (14.0, 4.0), (21.0, -4.0), (21.0, 4.0)]
    parts = [Structure(kind="cylinder", from_m=(n, e, 5.0), to_m=(n, e, 31.0), radius_m=0.5) for n, e in legs]
    for a, b in ((0, 1), (1, 3), (3, 2), (2, 0)):
        ends = [(*legs[a], 23.0), (*legs[b], 23.0)]
        parts.append(Structure(kind="cylinder", from_m=ends[0], to_m=ends[1], radius_m=0.25))
    parts.append(
        Structure(kind="box", center_m=(17.0, 12.0, 25.6), size_m=(2.5, 2.5, 2.5), heading_deg=25.0, name="manifold")
    )
    parts.append(Structure(kind="cylinder", from_m=(4.0, -18.0, 25.8), to_m=(28.0, -6.0, 26.2), radius_m=0.45))
    return World(seabed=Seabed(kind="slope", depth_m=26.0, slope_deg=1.5), structures=tuple(parts))


def pictures(map_axes: plt.Axes, image_axes: plt.Axes) -> None:
    """The scene from above, and the image of it."""
    world = scene()
    sensor = ImagingSonar(
        sector_deg=120.0, n_bearings=300, n_ranges=360, max_range_m=30.0, n_rays=96, vertical_aperture_deg=30.0,
        orientation_deg=(0.0, -12.0, 0.0), beam_width_deg=0.8, seabed_strength_db=-14.0,
    )  # fmt: skip
    sonar = sensor.make(VehicleContext(), Noise(3))
    sonar.measure_single(instant(0.0, 0.0, 22.0), world)
    draw_image(sonar, image_axes, floor_db=-48.0, top_db=-12.0)
    image_axes.set_title("imaging sonar, 300 bearings, 4 m over the bottom", fontsize=10)
    for item in world.structures:
        if item.kind == "box":
            assert item.center_m and item.size_m
            n, e, _ = item.center_m
            half, turn = 0.5 * item.size_m[0], math.radians(item.heading_deg or 0.0)
            corners = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * half
            points = corners @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            map_axes.fill(e + points[:, 1], n + points[:, 0], color="tab:orange")
            continue
        assert item.from_m and item.to_m
        (n0, e0, z0), (n1, e1, z1) = item.from_m, item.to_m
        if abs(z1 - z0) > 10.0:
            map_axes.add_patch(plt.Circle((e0, n0), item.radius, color="tab:blue", zorder=3))
        else:
            map_axes.plot([e0, e1], [n0, n1], color="tab:blue" if item.radius < 0.4 else "tab:green", lw=3)
    around = np.radians(np.linspace(-60.0, 60.0, 121))
    edge = np.column_stack([30.0 * np.sin(around), 30.0 * np.cos(around)])
    map_axes.plot([0.0, *edge[:, 0], 0.0], [0.0, *edge[:, 1], 0.0], color="0.5", lw=0.8)
    map_axes.plot(0.0, 0.0, "k^", ms=8)
    map_axes.text(0.0, 24.0, "legs and braces", ha="center", fontsize=9, color="tab:blue")
    map_axes.text(13.0, 20.5, "manifold", ha="center", fontsize=9, color="tab:orange")
    map_axes.text(-17.5, 13.0, "pipeline", ha="center", fontsize=9, color="tab:green")
    map_axes.set_aspect("equal")
    map_axes.set_xlim(image_axes.get_xlim())
    map_axes.set_ylim(image_axes.get_ylim())
    map_axes.set_xlabel("to starboard, m")
    map_axes.set_ylabel("ahead, m")
    map_axes.set_title("the same scene from above", fontsize=10)


def main() -> None:
    """Draw all three."""
    figure = plt.figure(figsize=(10.5, 7.6), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=[1.0, 1.65])
    bottom_following(figure.add_subplot(grid[0, :]))
    image_axes = figure.add_subplot(grid[1, 1])
    pictures(figure.add_subplot(grid[1, 0]), image_axes)
    figure.savefig(OUT, dpi=80)
    Image.open(OUT).convert("RGB").quantize(96, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        OUT, optimize=True
    )


if __name__ == "__main__":
    main()
