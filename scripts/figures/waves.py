"""Draw the picture of docs/waves.md: water under a JONSWAP sea, and its spectrum recovered from an hour at one point.

python scripts/figures/waves.py [docs/images/waves.png]
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.signal import welch

from pelagos.engine.water.waves import sample_waves
from pelagos.world.waves import Waves, pack_waves
from pelagos.world.writer import SeaWriter

G, DEPTH = 9.80665, 20.0  # m/s^2, m
WAVES = Waves(kind="jonswap", height_m=2.0, period_s=7.0, seed=2)


def sampled(positions: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Rows of level, slopes, velocity, acceleration."""
    writer = SeaWriter()
    pack_waves(WAVES, writer, depth_m=DEPTH, gravity_m_s2=G)
    out = np.zeros((len(times), 9))
    sample_waves(writer.finish(), np.ascontiguousarray(positions, float), np.asarray(times, float), out)
    return out


def draw_section(axes: plt.Axes, time: float) -> None:
    """Surface and orbital velocity along the direction of travel."""
    north = np.linspace(0.0, 140.0, 400)
    level = sampled(np.column_stack([north, 0 * north, 0 * north]), np.full(400, time))[:, 0]
    axes.fill_between(north, level, DEPTH, color="#dcebf5")
    axes.plot(north, level, color="#08519c")
    x, z = (grid.ravel() for grid in np.meshgrid(np.arange(2.0, 140.0, 5.5), np.arange(-1.5, DEPTH, 1.5)))
    out = sampled(np.column_stack([x, 0 * x, z]), np.full(x.size, time))
    wet = z > out[:, 0]
    arrows = axes.quiver(
        x[wet], z[wet], out[wet, 3], -out[wet, 5], angles="uv", scale=22.0, width=0.0022, color="#333333"
    )
    axes.quiverkey(arrows, 0.9, 1.04, 1.0, "1 m/s", labelpos="E", coordinates="axes")
    axes.set(xlim=(0, 140), ylim=(DEPTH, -2.5), xlabel="north, m (waves run this way)", ylabel="z, m, down")
    axes.set_title("Orbital velocity under the moving surface", loc="left")


def draw_spectrum(axes: plt.Axes) -> None:
    """Target, components and what an hour at 2 Hz gives back."""
    times = np.arange(0.0, 3600.0, 0.5)
    level = sampled(np.zeros((times.size, 3)), times)[:, 0]
    frequency, density = welch(level, fs=2.0, nperseg=512)
    omega = np.linspace(0.3, 3.0, 500)
    axes.plot(omega, WAVES.spectrum(omega, G), color="#08519c", label="JONSWAP, Hs 2 m, Tp 7 s")
    recovered = 4.0 * math.sqrt(np.trapezoid(density, frequency))
    label = f"recovered from 1 h, Hs {recovered:.2f} m"
    axes.plot(2 * math.pi * frequency, density / (2 * math.pi), "--", color="#d94801", label=label)
    axes.plot(WAVES.split(depth_m=DEPTH).omega_rad_s, np.zeros(WAVES.components), "|", color="k", label="64 components")
    axes.set(xlim=(0.3, 3.0), xlabel="angular frequency, rad/s", ylabel="spectrum, m² s/rad")
    axes.legend(frameon=False, fontsize=8)
    axes.set_title("Spectrum", loc="left")


def main(path: str = "docs/images/waves.png") -> None:
    """Draw and save."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 3.8), width_ratios=(1.7, 1.0), layout="constrained")
    draw_section(left, 40.0)
    draw_spectrum(right)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=105)


if __name__ == "__main__":
    main(*sys.argv[1:])
