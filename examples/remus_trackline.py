"""REMUS 100 comes onto a straight line in a cross current and stays on it by crabbing, steered by the truth.

The run of `pelagos run remus-trackline`, without a file. Writes remus_trackline.png.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Trackline


def main(folder: str | Path = ".", seconds: float | str = 400.0) -> pelagos.Log:
    """Fly the line; print how far off it ends, and the crab angle against the one of the velocity triangle."""
    remus = pelagos.load_vehicle("remus100")
    sea = pelagos.World(depth_m=25.0, current_m_s=0.2, current_to_deg=90.0)
    sim = pelagos.Simulation(remus, sea, seed=1)
    sim.place(east_m=-10.0, depth_m=5.0, surge_m_s=1.2)
    autopilot = Autopilot(remus, sim.water)
    autopilot.command(speed_m_s=1.5, depth_m=10.0, heading_deg=0.0)
    line = Trackline(name="line", from_m=(0.0, 0.0), to_m=(440.0, 0.0), depth_m=10.0, speed_m_s=1.5)
    mission = pelagos.Mission(autopilot, [line])
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    last = -2 if mission.done else -1  # at the end the line is behind it
    print(f"{log.time_s[-1]:g} s simulated; {log['cross_track_m'][last]:.3f} m to starboard of the line at the end")
    crab, triangle = 360.0 - log["heading_deg"][last], math.degrees(math.asin(0.2 / 1.5))
    print(f"it heads {crab:.2f} deg into the current; sin(crab) = current / speed says {triangle:.2f} deg")
    log.plot(path=Path(folder) / "remus_trackline.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
