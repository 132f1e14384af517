"""NPS Phoenix follows a track with screws, rudders and planes, then stops and hovers on its cross-body thrusters.

The run of `pelagos run phoenix-cruise-to-hover`, without a file. Writes phoenix_cruise_to_hover.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Goto, Hold, Waypoints

NORTH_M, EAST_M, DEPTH_M = 45.0, 45.0, 4.0


def main(folder: str | Path = ".", seconds: float | str = 1200.0) -> pelagos.Log:
    """Cruise, come to the place, hover; print how well."""
    sim = pelagos.Simulation("phoenix", pelagos.World(depth_m=15.0), seed=1)
    sim.place(depth_m=3.0, surge_m_s=0.4)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(speed_m_s=0.5, depth_m=3.0, heading_deg=0.0)
    track = ((30.0, 0.0), (45.0, 15.0), (45.0, 40.0))
    legs = [
        Waypoints(name="cruise", points_m=track, depth_m=DEPTH_M, speed_m_s=0.5, acceptance_m=4.0),
        Goto(
            name="come to the place",
            north_m=NORTH_M,
            east_m=EAST_M,
            depth_m=DEPTH_M,
            heading_deg=90.0,
            speed_m_s=0.2,
            timeout_s=300.0,
        ),
        Hold(name="hover", north_m=NORTH_M, east_m=EAST_M, depth_m=DEPTH_M, heading_deg=0.0, seconds_s=120.0),
    ]
    mission = pelagos.Mission(autopilot, legs)
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    for event in mission.events:
        print(f"{event.time_s:6.1f} s  {event.text}")
    away = np.hypot(log["north_m"][-1] - NORTH_M, log["east_m"][-1] - EAST_M)
    print(f"{away:.3f} m from the place, heading {log['heading_deg'][-1]:.2f} deg at the end")
    log.plot(path=Path(folder) / "phoenix_cruise_to_hover.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
