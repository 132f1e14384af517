"""Where does a tide carry a vehicle that has lost its thrust? One period of M2 and a mean current.

A tide alone would carry it around an ellipse and back. This REMUS is light: it rises and drifts at the surface.
Writes drift.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos

HOUR = 3600.0


def main(folder: str | Path = ".") -> tuple[float, float]:
    """North and east (m) after a whole period; the closed form is mean current times period."""
    tide = pelagos.Tidal(speed_m_s=0.8, to_deg=35.0, minor_m_s=0.2)  # M2: 12.42 h
    mean = pelagos.Uniform(speed_m_s=0.05, to_deg=90.0)
    world = pelagos.World(currents=(tide, mean))
    sim = pelagos.Simulation("remus100", world, control_rate_hz=0.1, step_s=0.05)
    sim.place(depth_m=20.0)
    log = sim.run(seconds=tide.period_h * HOUR)
    north, east, time = log["north_m"], log["east_m"], log.time_s / HOUR
    away = np.hypot(north, east)
    print(f"farthest {away.max() / 1e3:.2f} km away, after {time[away.argmax()]:.1f} h")
    print(f"after one period {north[-1]:.0f} m north, {east[-1]:.0f} m east;", end=" ")
    print(f"the mean current alone: 0 m, {mean.speed_m_s * tide.period_h * HOUR:.0f} m")
    log.plot("north_m", "east_m", "current_north_m_s", "current_east_m_s", path=Path(folder) / "drift.png")
    return float(north[-1]), float(east[-1])


if __name__ == "__main__":
    main(*sys.argv[1:])
