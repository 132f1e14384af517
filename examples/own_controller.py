"""A controller of your own, in ten lines: anything with reset() and update(state, dt) that returns an Actuation.

This one makes Kempf's zig-zag, the standard test of a ship's steering: rudder 10 degrees to one side until the heading
has changed by 10 degrees, then to the other. The overshoot says how hard the vehicle is to stop turning.
Writes zigzag.png.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.messages import Actuation, VehicleState

ANGLE = math.radians(10.0)


class ZigZag:
    """Rudder over, until the heading follows; on this vehicle a negative rudder turns to starboard."""

    def __init__(self, shaft_rad_s: float) -> None:
        self.shaft_rad_s, self.side = shaft_rad_s, 1.0

    def reset(self) -> None:
        """Start to starboard."""
        self.side = 1.0

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Commands for the next dt seconds: one propeller; rudder, stern planes."""
        if self.side * state.yaw > ANGLE:
            self.side = -self.side
        return Actuation(np.array([self.shaft_rad_s]), np.array([-self.side * ANGLE, 0.0]))


def main(folder: str | Path = ".") -> float:
    """Zig-zag for a minute; print the overshoots."""
    sim = pelagos.Simulation("torpedo")
    sim.place(surge_m_s=1.5)
    shaft = 0.75 * sim.vehicle.thrusters[0].maximum
    sim.control(ZigZag(shaft))
    log = sim.run(seconds=60)

    heading = (log["heading_deg"] + 180.0) % 360.0 - 180.0
    turns = [k for k in range(1, len(log) - 1) if (heading[k] - heading[k - 1]) * (heading[k + 1] - heading[k]) < 0]
    overshoots = [abs(heading[k]) - 10.0 for k in turns]
    print(f"{len(turns)} turns, overshoot " + ", ".join(f"{x:.2f}" for x in overshoots[:6]) + " deg ...")
    print(f"period {2 * np.diff(log.time_s[turns]).mean():.1f} s at {log['surge_m_s'][-1]:.2f} m/s")
    log.plot("heading_deg", "surface_rudder_deg", "yaw_rate_deg_s", path=Path(folder) / "zigzag.png")
    return float(np.mean(overshoots))


if __name__ == "__main__":
    main(*sys.argv[1:])
