"""Sea Grant I follows the pipeline of Royer's field in a current at 45 deg to it (Royer 1985), flown by an autopilot.

The run of `pelagos run rov-pipeline`, without a file. Writes rov_pipeline.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import FollowPath


def main(folder: str | Path = ".", seconds: float | str = 600.0) -> pelagos.Log:
    """Along the pipeline at 2.5 m over the bottom; print the errors."""
    sim = pelagos.Simulation("seagrant1", "royer_field", seed=1)
    sim.place(north_m=13.0, east_m=13.0, depth_m=97.5, heading_deg=45.0)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(altitude_m=2.5, heading_deg=45.0)
    pipe = FollowPath(points_m=((13.0, 13.0), (59.0, 59.0)), altitude_m=2.5, speed_m_s=0.3)
    mission = pelagos.Mission(autopilot, [pipe])
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    off = log["cross_track_m"][1:]
    rms = np.sqrt(np.mean(off**2))
    print(f"{log.time_s[-1]:g} s; off the pipeline by at most {np.abs(off).max():.2f} m, {rms:.3f} m rms")
    print(f"altitude {log['altitude_m'].min():.3f} to {log['altitude_m'].max():.3f} m")
    log.plot(path=Path(folder) / "rov_pipeline.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
