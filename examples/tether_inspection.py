"""How far from its ship can a BlueROV2 go on 100 m of tether in a current?

Full ahead at 10 m depth, up, across and down a current of 0.3 m/s until it stands still: the drag of the cable decides,
not its length. Writes tether.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos

CURRENT_M_S, CURRENT_TO_DEG = 0.3, 180.0
WAYS = {"against the current": 0.0, "across it": 90.0, "with it": 180.0}


def main(folder: str | Path = ".") -> dict[str, tuple[float, float]]:
    """Distance from the ship (m) and pull at the vehicle (N) at the end, for each way."""
    found = {}
    for way, heading in WAYS.items():
        world = pelagos.World(depth_m=40.0, current_m_s=CURRENT_M_S, current_to_deg=CURRENT_TO_DEG)
        sim = pelagos.Simulation("bluerov2_heavy", world, tether=pelagos.Tether(length_m=100.0, ship_depth_m=2.0))
        sim.place(depth_m=10.0, heading_deg=heading)
        sim.command(depth_m=10.0, heading_deg=heading, speed_m_s=1.2)  # more than it can
        log = sim.run(seconds=240)
        distance = float(np.hypot(log["north_m"][-1], log["east_m"][-1]))
        pull = float(log["tether_tension_N"][-1])
        found[way] = distance, pull
        print(f"{way:<20} {distance:5.1f} m from the ship, pull {pull:5.1f} N at the vehicle", end=", ")
        print(f"{log['tether_ship_tension_N'][-1]:5.1f} N at the ship")
        if way == "across it":
            log.plot("tether", path=Path(folder) / "tether.png")
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
