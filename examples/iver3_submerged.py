"""Four tracklines of 300 m at 5 m depth with turns at 4 m: the simulated dive of Hunt and Whitcomb, section IV.A.

The run of `pelagos run iver3-submerged`, without a file. Writes iver3_submerged.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import Circle, Leg, Trackline

LENGTH_M, RADIUS_M = 300.0, 50.0


def lines(depth_m: float, turn_depth_m: float) -> list[Leg]:
    """Four lines and the half circles between them."""
    legs: list[Leg] = []
    for k in range(4):
        begin, end = (0.0, LENGTH_M) if k % 2 == 0 else (LENGTH_M, 0.0)
        east = 2.0 * RADIUS_M * k
        legs.append(Trackline(from_m=(begin, east), to_m=(end, east), depth_m=depth_m, speed_m_s=1.3,
                              law="cross_track", lookahead_m=20.0, acceptance_m=1.0))  # fmt: skip
        legs.append(Circle(center_m=(end, east + RADIUS_M), radius_m=RADIUS_M, turns=0.5, depth_m=turn_depth_m,
                           side="starboard" if k % 2 == 0 else "port", speed_m_s=1.3, law="cross_track",
                           lookahead_m=20.0))  # fmt: skip
    return legs[:-1]  # no turn after the last line


def main(folder: str | Path = ".", seconds: float | str = 3600.0) -> pelagos.Log:
    """Fly; print how well each line was kept."""
    sim = pelagos.Simulation("iver3", pelagos.World(depth_m=20.0), seed=1)
    sim.place(depth_m=4.0, surge_m_s=1.3)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(speed_m_s=1.3, depth_m=4.0, heading_deg=0.0)
    mission = pelagos.Mission(autopilot, lines(depth_m=5.0, turn_depth_m=4.0))
    sim.control(mission)
    log = sim.run(float(seconds), log_rate_hz=2.0, until=lambda _: mission.done)

    print(f"{log.time_s[-1]:g} s simulated; on the lines:")
    for k in range(0, len(mission.legs), 2):
        on = log["leg"] == k
        if on.any():
            off, depth = np.nanmax(np.abs(log["cross_track_m"][on])), log["depth_m"][on][-1]
            print(f"  line {k // 2 + 1}: at most {off:.2f} m off, {depth:.2f} m deep at its end")
    log.plot(path=Path(folder) / "iver3_submerged.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
