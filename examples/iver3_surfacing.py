"""Four lines of 300 m at 1.2 m depth, turns on the surface for a GPS fix: Hunt and Whitcomb, section IV.B.

The run of `pelagos run iver3-surfacing`, without a file. Writes iver3_surfacing.png.
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
    """Fly; print how it floats on the surface and how many fixes it got there."""
    sim = pelagos.Simulation("iver3", pelagos.World(depth_m=10.0), seed=1, sensors=True)
    sim.place(depth_m=1.2, surge_m_s=1.3)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(speed_m_s=1.3, depth_m=1.2, heading_deg=0.0)
    mission = pelagos.Mission(autopilot, lines(depth_m=1.2, turn_depth_m=0.0))
    sim.control(mission)
    log = sim.run(float(seconds), log_rate_hz=2.0, until=lambda _: mission.done)

    print(f"{log.time_s[-1]:g} s simulated, {np.isfinite(log['gps_north_m']).sum()} samples with a GPS fix")
    up = log["depth_m"] < 0.2
    print(f"on the surface {up.mean():.0%} of the time")
    if up.any():
        depth, pitch = np.median(log["depth_m"][up]), np.median(log["pitch_deg"][up])
        print(f"on the surface: {depth:.3f} m deep, pitch {pitch:+.1f} deg")
    log.plot(path=Path(folder) / "iver3_surfacing.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
