"""Draw docs/images/water.png: a summer profile, its density with the knots of the kernel, and its speed of sound."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt

from pelagos.world.water import Water, density_table

OUT = Path(__file__).parents[2] / "docs" / "images" / "water.png"
BLUE, ORANGE, GREY = "#1f5f99", "#d9772b", "0.45"
# depth (m), temperature (°C), absolute salinity (g/kg)
ROWS = ((0.0, 16.0, 33.2), (12.0, 15.5, 33.4), (25.0, 9.0, 34.6), (60.0, 7.0, 35.0), (150.0, 6.0, 35.2))


def main() -> None:
    """Draw and save."""
    plt.rcParams.update({"font.size": 8, "legend.fontsize": 7, "legend.frameon": False, "axes.titlesize": 9})
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(8.0, 3.6), sharey=True, layout="constrained")
    water, depth, rows = Water(profile=ROWS, latitude_deg=60.0), np.linspace(0.0, 150.0, 600), np.array(ROWS)

    left.plot(water.temperature(depth), depth, color=ORANGE)
    left.plot(rows[:, 1], rows[:, 0], "o", ms=4, color=ORANGE)
    left.set(xlabel="temperature, °C", ylabel="depth, m", ylim=(152.0, 0.0), xlim=(5.0, 17.0))
    left.xaxis.label.set_color(ORANGE)
    salt = left.twiny()
    salt.plot(water.salinity(depth), depth, color=BLUE)
    salt.plot(rows[:, 2], rows[:, 0], "s", ms=4, color=BLUE)
    salt.set_xlabel("absolute salinity, g/kg", color=BLUE)

    knots, values = density_table(water, 150.0)
    middle.plot(water.density(depth), depth, color=BLUE, label="TEOS-10")
    middle.plot(values, knots, "o", ms=4, mfc="none", color=ORANGE, label=f"{len(knots)} knots of the kernel")
    mixed = Water(temperature_c=16.0, salinity_g_kg=33.2, latitude_deg=60.0)
    middle.plot(mixed.density(depth), depth, color=GREY, ls="--", label="mixed: 16 °C, 33.2 g/kg")
    middle.set(xlabel="density, kg/m³")

    right.plot(water.sound_speed_m_s(depth), depth, color=BLUE)
    right.plot(mixed.sound_speed_m_s(depth), depth, color=GREY, ls="--")
    right.set(xlabel="speed of sound, m/s")
    right.legend(*middle.get_legend_handles_labels(), loc="center", bbox_to_anchor=(0.53, 0.45))
    figure.savefig(OUT, dpi=110)


if __name__ == "__main__":
    main()
