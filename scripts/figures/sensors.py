"""Draw docs/images/sensors.png: Allan deviation of two IMUs against their data sheets, and the readings of a dive."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from pelagos.sensors.base import VehicleContext
from pelagos.sensors.imu import PEAK, Imu
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from pelagos.sensors.suite import SensorSuite
from pelagos.vehicle.load.sensors import load_sensor

OUT = Path(__file__).parents[2] / "docs/images/sensors.png"
NOWHERE: Any = None
LEVEL = np.array([1.0, 0.0, 0.0, 0.0])  # quaternion


def at_rest(sensor: Imu, hours: float) -> np.ndarray:
    """Turn rate of x, deg/s, of an IMU that lies still; 5 Hz are enough for what is drawn."""
    imu = sensor.make(VehicleContext(), Noise(1))
    times = np.arange(int(hours * 3600.0 * 5.0) + 1) / 5.0
    rows = np.zeros(len(times), np.intp)  # all of one vehicle
    return imu.measure(Instant(times, np.zeros(3), LEVEL, np.zeros(6)), NOWHERE, rows)[0][1:, 3]


def allan(rate: np.ndarray, tau0: float, tau: float) -> float:
    """Overlapping Allan deviation."""
    m = round(tau / tau0)
    angle = np.concatenate([[0.0], np.cumsum(rate)]) * tau0
    second = angle[2 * m :] - 2.0 * angle[m:-m] + angle[: -2 * m]
    return math.sqrt(float((second**2).mean()) / (2.0 * (m * tau0) ** 2))


def law(sensor: Imu, tau: np.ndarray) -> np.ndarray:
    """What the data sheet's figures make, deg/h."""
    x, s = tau / sensor.gyro_bias_memory_s, sensor.gyro_bias_instability_deg_h / PEAK
    drift = 2.0 * s**2 / x * (1.0 - (3.0 - 4.0 * np.exp(-x) + np.exp(-2.0 * x)) / (2.0 * x))
    return np.sqrt(drift + (60.0 * sensor.gyro_random_walk_deg_sqrt_h) ** 2 / tau)


def dive() -> tuple[list[float], list[float], dict[str, list[tuple[float, float]]]]:
    """A vehicle that lies at the surface, dives to 3 m and comes up: true depth, and what two instruments say."""
    gps = load_sensor("gps_m8")
    suite = SensorSuite([load_sensor("bar30"), gps], VehicleContext(), seed=4)
    times, depths, measured = [], [], {"depth": [], "gps": []}
    for i in range(900):
        t = 0.1 * i
        depth = 3.0 * math.sin(math.pi * min(max((t - 20.0) / 45.0, 0.0), 1.0)) - 0.1
        instant = Instant(t, np.array([1.5 * t, 0.0, depth]), LEVEL, np.zeros(6), below_m=depth)
        suite.sample([instant], NOWHERE)
        times.append(t)
        depths.append(depth)
        for reading in suite.arrived:
            value = float(reading.values[0])
            measured[reading.sensor].append(
                (reading.time_s, value - (1.5 * reading.time_s if reading.sensor == "gps" else 0))
            )
    return times, depths, measured


def main() -> None:
    """Draw both."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.5, 4.0), layout="constrained")
    tau = np.logspace(-0.2, 3.7, 80)
    for name, colour, at in (("mti_3", "tab:orange", 12.0), ("kvh_1750", "tab:blue", 0.7)):
        sensor = load_sensor(name)
        assert isinstance(sensor, Imu)
        rate = at_rest(sensor, 20.0)
        dots = np.logspace(0.0, 3.6, 22)
        left.loglog(
            dots, [3600.0 * allan(rate, 0.2, t) for t in dots], "o", ms=4, color=colour, label=f"{name}, 20 h at rest"
        )
        left.loglog(tau, law(sensor, tau), color=colour, lw=1.2)
        floor = sensor.gyro_bias_instability_deg_h
        left.axhline(floor, color=colour, lw=0.7, ls=":")
        left.text(at, 1.1 * floor, f"bias instability {floor:g} deg/h", fontsize=8, color=colour)
    left.set(xlabel="averaging time, s", ylabel="Allan deviation of a gyro, deg/h", xlim=(0.6, 5000.0))
    left.legend(loc="upper right", fontsize=8, title="lines: from the data sheet", title_fontsize=8)
    left.grid(True, which="major", lw=0.3)

    times, depths, measured = dive()
    right.plot(times, depths, color="0.6", lw=3, label="true depth")
    t, value = np.array(measured["depth"]).T
    right.plot(t, value, color="tab:blue", lw=0.8, label="bar30")
    right.invert_yaxis()
    right.set(xlabel="time, s", ylabel="depth, m", ylim=(4.4, -0.6))
    error = right.twinx()
    t, value = np.array(measured["gps"]).T
    error.plot(t, value, "o", ms=4, color="tab:red", label="gps_m8: silent under water")
    error.set(ylabel="error of the fix to the north, m", ylim=(-8.0, 6.0))
    lines = [*right.get_legend_handles_labels()[0], *error.get_legend_handles_labels()[0]]
    right.legend(lines, [str(line.get_label()) for line in lines], fontsize=8, loc="lower left")
    figure.savefig(OUT, dpi=100)


if __name__ == "__main__":
    main()
