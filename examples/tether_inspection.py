"""How far up a current does a BlueROV2 come in four minutes, free and on 100 m of tether?

Full ahead at 20 m depth. The cable costs speed long before it is taut. Writes tether.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pelagos

LENGTH_M, DEPTH_M = 100.0, 20.0


def main(folder: str | Path = ".") -> dict[float, tuple[float, float, float]]:
    """By speed of the current: way up it free and on the tether (m), pull of the tether at the end (N)."""
    results = {}
    for current in (0.3, 0.6):
        world = pelagos.World(depth_m=60.0, current_m_s=current, current_to_deg=180.0)
        logs = []
        for tether in (None, pelagos.Tether(length_m=LENGTH_M, ship_depth_m=2.0)):
            sim = pelagos.Simulation("bluerov2_heavy", world, tether=tether)
            sim.place(depth_m=DEPTH_M)  # the ship lies above it
            sim.command(depth_m=DEPTH_M, heading_deg=0.0, speed_m_s=1.2)  # more than it can
            logs.append(sim.run(seconds=240))
        free, tied = logs
        results[current] = north, held, pull = free["north_m"][-1], tied["north_m"][-1], tied["tether_tension_N"][-1]
        print(f"current {current:g} m/s: {north:5.1f} m free, {held:5.1f} m on the tether,", end=" ")
        print(f"which pulls with {tied['tether_tension_N'][600]:.0f} N after a minute and {pull:.0f} N at the end")
        tied.plot("tether", path=Path(folder) / "tether.png")
    return results


if __name__ == "__main__":
    main(*sys.argv[1:])
