"""A survey by REMUS 100 in a cross current, with instruments and an estimator that knows only them.

The run of `pelagos run remus-lawnmower`, without a file. Writes remus_lawnmower.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.estimation.base import Navigation
from pelagos.guidance import Lawnmower


def main(folder: str | Path = ".", seconds: float | str = 3600.0) -> pelagos.Log:
    """Mow; print how far the estimate and the vehicle went astray."""
    remus = pelagos.load_vehicle("remus100")
    sea = pelagos.World(depth_m=25.0, current_m_s=0.2, current_to_deg=60.0)
    navigator = Navigation(use="estimate").make(remus.sensors, remus, sea, seed=1)
    sim = pelagos.Simulation(remus, sea, seed=1, sensors=True, navigator=navigator)
    sim.place(depth_m=10.0, surge_m_s=1.2)
    autopilot = Autopilot(remus, sim.water)
    autopilot.command(speed_m_s=1.5, depth_m=10.0, heading_deg=0.0)
    survey = Lawnmower(
        corner_m=(30.0, 0.0), length_m=300.0, width_m=350.0, spacing_m=25.0, overrun_m=10.0, depth_m=10.0, speed_m_s=1.5
    )
    mission = pelagos.Mission(autopilot, [survey])
    sim.control(mission)
    log = sim.run(float(seconds), log_rate_hz=2.0, until=lambda _: mission.done)

    print(f"{survey.lines} lines, {survey.length_of_track_m:g} m of track; {log.time_s[-1]:g} s simulated")
    off = np.hypot(log["est_north_m"] - log["north_m"], log["est_east_m"] - log["east_m"])
    print(f"error of the estimate: {off[0]:.2f} m at the start, {off[-1]:.2f} m at the end")
    log.plot(path=Path(folder) / "remus_lawnmower.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
