"""A BlueROV2 Heavy keeps its place at the end of its tether, in a current from the side.

The run of `pelagos run rov-tether-hover`, without a file. Writes rov_tether_hover.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Hold


def main(folder: str | Path = ".", seconds: float | str = 200.0) -> pelagos.Log:
    """Hover 30 m from the ship; print how far the vehicle was set off and how hard the tether pulled."""
    sea = pelagos.World(depth_m=40.0, current_m_s=0.3, current_to_deg=90.0)
    rigged = pelagos.Tether(length_m=60.0, ship_north_m=-30.0, ship_east_m=0.0)
    sim = pelagos.Simulation("bluerov2_heavy", sea, seed=1, tether=rigged)
    sim.place(depth_m=20.0, heading_deg=0.0)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(depth_m=20.0, heading_deg=0.0)
    hover = Hold(name="hover", north_m=0.0, east_m=0.0, depth_m=20.0, heading_deg=0.0, seconds_s=180.0)
    mission = pelagos.Mission(autopilot, [hover])
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    away = np.hypot(log["north_m"], log["east_m"])
    print(f"set off by {away.max():.2f} m at most, {away[-1]:.2f} m away at the end")
    print(f"the tether pulls with {log['tether_tension_N'].max():.1f} N at most")
    log.plot(path=Path(folder) / "rov_tether_hover.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
