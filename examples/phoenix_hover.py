"""NPS Phoenix dives on its vertical tunnel thrusters, keeps its place and turns on the spot with the lateral ones.

The run of `pelagos run phoenix-hover`, without a file. Writes phoenix_hover.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Goto, Hold


def main(folder: str | Path = ".", seconds: float | str = 600.0) -> pelagos.Log:
    """Dive, face east, face south; print how far it strayed."""
    sim = pelagos.Simulation("phoenix", pelagos.World(depth_m=15.0), seed=1)
    sim.place(depth_m=1.0)
    legs = [
        Goto(name="dive", north_m=0.0, east_m=0.0, depth_m=4.0, heading_deg=0.0, timeout_s=180.0),
        Hold(name="face east", depth_m=4.0, heading_deg=90.0, seconds_s=90.0),
        Hold(name="face south", depth_m=4.0, heading_deg=180.0, seconds_s=90.0),
    ]
    mission = pelagos.Mission(Autopilot(sim.vehicle, sim.water), legs)
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    for event in mission.events:
        print(f"{event.time_s:6.1f} s  {event.text}")
    away = np.hypot(log["north_m"], log["east_m"])
    print(f"never more than {away.max():.3f} m from its place; heading {log['heading_deg'][-1]:.1f} deg at the end")
    log.plot(path=Path(folder) / "phoenix_hover.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
