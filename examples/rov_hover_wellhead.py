"""Sea Grant I hovers before a face of the wellhead in Royer's current (Royer 1985, 7.1.b), flown by an autopilot.

The run of `pelagos run rov-hover-wellhead`, without a file. Writes rov_hover_wellhead.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Goto, Hold

NORTH_M, EAST_M = 35.0, -15.0  # 2.5 m before the face of the cube


def main(folder: str | Path = ".", seconds: float | str = 240.0) -> pelagos.Log:
    """Come to the wellhead and hover 2.5 m over the bottom; print the errors that the thesis plots."""
    sim = pelagos.Simulation("seagrant1", "royer_field", seed=1)
    sim.place(north_m=42.0, east_m=-15.0, depth_m=95.0, heading_deg=180.0)
    legs = [
        Goto(
            name="to the wellhead",
            north_m=NORTH_M,
            east_m=EAST_M,
            altitude_m=2.5,
            heading_deg=180.0,
            speed_m_s=0.3,
            timeout_s=90.0,
        ),
        Hold(name="hover", north_m=NORTH_M, east_m=EAST_M, altitude_m=2.5, heading_deg=180.0, seconds_s=120.0),
    ]
    mission = pelagos.Mission(Autopilot(sim.vehicle, sim.water), legs)
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    for event in mission.events:
        print(f"{event.time_s:6.1f} s  {event.text}")
    away = np.hypot(log["north_m"] - NORTH_M, log["east_m"] - EAST_M)
    print(f"{away[-1]:.3f} m from the place, altitude {log['altitude_m'][-1]:.3f} m at the end")
    log.plot(path=Path(folder) / "rov_hover_wellhead.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
