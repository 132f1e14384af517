"""Draw docs/images/estimation.png: a track and its estimate with ellipses, and NEES of twelve runs with its band."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Ellipse

import pelagos
from pelagos.estimation.base import Navigation
from pelagos.estimation.error_state import nees_bounds
from pelagos.estimation.navigator import DOF
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.sound.dvl import Dvl

OUT = Path(__file__).parents[2] / "docs" / "images" / "estimation.png"
BLUE, ORANGE, GREY, GREEN = "#1f5f99", "#d9772b", "0.45", "#3a8f5c"
SENSORS = (
    Imu(
        accel_random_walk_m_s_sqrt_h=0.03, gyro_random_walk_deg_sqrt_h=0.15, accel_bias_instability_ug=30.0,
        gyro_bias_instability_deg_h=3.0, accel_bias_ug=1000.0, gyro_bias_deg_h=30.0,
    ),
    Depth(noise_m=0.01, bias_m=0.05),
    Compass(noise_deg=0.5, bias_deg=1.5, hard_iron_deg=1.0),
    Dvl(rate_hz=5.0, noise_m_s=0.003, noise_per_speed=0.004, scale=0.002, misalignment_deg=0.3, water_track=False),
    Gps(position_m=(0.3, 0.0, -0.25), cep_m=1.5),
)  # fmt: skip
SEA = pelagos.World(depth_m=40.0, current_m_s=0.2, current_to_deg=70.0)
LEGS = {0: 90.0, 120: 0.0, 140: 270.0, 260: 0.0, 280: 90.0, 400: 0.0, 420: 270.0}  # s: deg
SURFACE_S = 540  # when it comes up for fixes
SECONDS, RUNS = 600, 12  # of each run, and how many


def fly(seed: int, seconds: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """time, true north and east, estimated north and east, NEES, one row a second; covariances of position."""
    vehicle = pelagos.load_vehicle("remus100")
    navigator = Navigation(position_sigma_m=2.0).make(SENSORS, vehicle, SEA, seed)
    sim = pelagos.Simulation(vehicle, SEA, seed=seed, sensors=SENSORS, navigator=navigator)
    sim.place(depth_m=10.0, surge_m_s=1.5, heading_deg=90.0)
    rows, ellipses = [], []
    for second in range(seconds):
        if second in LEGS:
            sim.command(depth_m=10.0, speed_m_s=1.5, heading_deg=LEGS[second])
        if second == SURFACE_S:
            sim.command(depth_m=0.0, heading_deg=0.0)
        for _ in range(10):
            sim.tick()
        truth = sim.state()
        filter_: Any = sim.sensing.navigator if sim.sensing else None
        nees = filter_.consistency(truth)
        values = dict(zip(filter_.columns, filter_.values(), strict=True))
        rows.append((second + 1, *truth.pos_n[:2], values["est_north_m"], values["est_east_m"], nees))
        ellipses.append(filter_.covariance[:2, :2])
    return np.array(rows), ellipses


def draw_track(axes: Any, rows: np.ndarray, ellipses: list[np.ndarray]) -> None:
    """Plan view."""
    axes.plot(rows[:, 2], rows[:, 1], color=GREY, lw=1.2, label="true")
    axes.plot(rows[:, 4], rows[:, 3], color=BLUE, lw=1.2, label="estimated")
    for k in [*range(0, SURFACE_S, 60), SURFACE_S - 1, len(rows) - 1]:
        size, axis = np.linalg.eigh(ellipses[k])
        last = k == len(rows) - 1
        axes.add_patch(
            Ellipse(
                (rows[k, 4], rows[k, 3]), 4.0 * np.sqrt(size[0]), 4.0 * np.sqrt(size[1]),
                angle=np.degrees(np.arctan2(axis[0, 0], axis[1, 0])), fill=False,
                color=GREEN if last else ORANGE, lw=1.4,
                label={0: "2 sigma, once a minute", len(rows) - 1: "2 sigma, after GPS fixes"}.get(k),
            )
        )  # fmt: skip
    axes.plot(rows[0, 2], rows[0, 1], "o", color=GREY, ms=4)
    axes.annotate("start", (rows[0, 2], rows[0, 1]), (6, -12), textcoords="offset points", color=GREY)
    axes.set(xlabel="east, m", ylabel="north, m", aspect="equal", title="one run: dead reckoning, then a fix")
    axes.legend(loc="upper right", fontsize=8)
    axes.set(xlim=(-25.0, 300.0), ylim=(-22.0, 235.0))


def draw_nees(axes: Any, nees: np.ndarray) -> None:
    """Mean over the runs."""
    time = 1.0 + np.arange(nees.shape[1])
    low, high = nees_bounds(len(nees), DOF)
    axes.axhspan(low, high, color=ORANGE, alpha=0.3, lw=0, label="95 % of consistent filters")
    axes.axhline(DOF, color=ORANGE, lw=0.8)
    axes.plot(time[::6], nees.T[::6], color=GREY, lw=0.4, alpha=0.6)
    axes.plot(time, nees.mean(axis=0), color=BLUE, lw=1.3, label=f"mean of {len(nees)} runs")
    axes.plot([], [], color=GREY, lw=0.6, label="single runs")
    axes.set(xlabel="time, s", ylabel="NEES", title="position, velocity, attitude", xlim=(0, len(time)), ylim=(0, 27))
    axes.legend(loc="upper right", fontsize=8)


def main() -> None:
    """The picture."""
    flown = [fly(seed, SECONDS) for seed in range(1, RUNS + 1)]
    nees = np.array([rows[:, 5] for rows, _ in flown])
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 4.4), width_ratios=(1.15, 1.0), layout="constrained")
    draw_track(left, *flown[2])
    draw_nees(right, nees)
    figure.savefig(OUT, dpi=90)
    print(f"{OUT}: {OUT.stat().st_size / 1e3:.0f} kB; mean NEES {nees.mean():.2f}")


if __name__ == "__main__":
    main()
