"""A BlueROV2 Heavy on its tether goes down round a pile, facing it; a current keeps the cable clear of it.

The run of `pelagos run bluerov-tether-inspection`, without a file. Writes bluerov_tether_inspection.png.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import FollowPath, Goto, Hold

WAY = ((5.0, 0.0, 6.0), (6.0, -2.5, 8.0), (8.0, -3.2, 10.0), (10.0, -2.5, 12.0))
FACING = (50.0, 75.0, 110.0)  # deg, towards the pile


def main(folder: str | Path = ".", seconds: float | str = 600.0) -> pelagos.Log:
    """Inspect; print how near it came and how hard the tether pulled."""
    pile = pelagos.Structure(
        kind="cylinder", name="pile", from_m=(8.0, 0.0, -2.0), to_m=(8.0, 0.0, 26.0), diameter_m=1.5
    )
    sea = pelagos.World(depth_m=25.0, current_m_s=0.2, current_to_deg=225.0, structures=(pile,))
    sim = pelagos.Simulation("bluerov2_heavy", sea, seed=1, tether=pelagos.Tether(payout="ratio", ratio=1.3))
    sim.place(depth_m=4.0)  # the ship lies above it
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(depth_m=4.0, heading_deg=0.0)
    legs = [
        Goto(name="to the pile", north_m=5.0, east_m=0.0, depth_m=6.0, heading_deg=0.0, timeout_s=90.0),
        *(
            FollowPath(points_m=piece, speed_m_s=0.2, heading_deg=facing, timeout_s=90.0)
            for piece, facing in zip(pairwise(WAY), FACING, strict=True)
        ),
        Hold(name="look at the weld", north_m=10.0, east_m=-2.5, depth_m=12.0, heading_deg=130.0, seconds_s=60.0),
    ]
    mission = pelagos.Mission(autopilot, legs)
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    gap = np.hypot(log["north_m"] - 8.0, log["east_m"]) - 0.75
    print(f"{log.time_s[-1]:g} s; nearest to the pile: {gap.min():.2f} m, contact {log['contact_N'].max():g} N")
    print(f"tether {log['tether_length_m'][-1]:.1f} m long, pulls with {log['tether_tension_N'].max():.1f} N at most")
    log.plot(path=Path(folder) / "bluerov_tether_inspection.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
