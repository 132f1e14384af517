"""A first dive: load a vehicle, fill a sea, give an order, look at what happened.

A BlueROV2 Heavy dives to 5 m and turns east while a current of 0.3 m/s carries it along. Writes dive.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pelagos


def main(folder: str | Path = ".") -> pelagos.Log:
    """Fly, print which force did what, draw depth and heading."""
    rov = pelagos.load_vehicle("bluerov2_heavy")  # print(rov): every number with unit and source
    sea = pelagos.World(depth_m=30, current_m_s=0.3, current_to_deg=90)
    sim = pelagos.Simulation(rov, sea, seed=1)

    sim.command(depth_m=5, heading_deg=90)  # autopilot; or sim.pilot(surge=0.5), sim.thrust([...])
    log = sim.run(seconds=60)

    log.plot("depth_m", "heading_deg", path=Path(folder) / "dive.png")
    print(f"after {log.time_s[-1]:g} s: depth {log['depth_m'][-1]:.3f} m, heading {log['heading_deg'][-1]:.2f} deg")
    print("\nmean force of each term, body axes:")
    print(log.forces.mean())
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
