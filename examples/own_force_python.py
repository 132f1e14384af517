"""A force of your own as a Python function: an ROV moored by an elastic line in a current.

The line is tied to a ring at the bow. The function gets the exact motion and returns X Y Z K M N in body axes; it is
called once per control interval and held, which suits slow forces: at 10 Hz the delay alone would keep the vehicle
fish-tailing by 5 degrees, at 50 Hz that dies out. In the end the line carries the drag of
the hull, and the bow points into the current. Writes moored.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.frames import rotation_from_euler
from pelagos.messages import VehicleState

ANCHOR_N = np.array([0.0, 0.0, 5.0])  # m, north east down
RING_B = np.array([0.25, 0.0, 0.0])  # m, on the vehicle
LENGTH_M, STIFFNESS_N_M = 4.0, 20.0


def line(truth: VehicleState) -> np.ndarray:
    """Pull of the line on the vehicle: a spring that cannot push."""
    R_nb = rotation_from_euler(truth.roll, truth.pitch, truth.yaw)
    to_anchor = ANCHOR_N - (truth.pos_n + R_nb @ RING_B)
    distance = float(np.linalg.norm(to_anchor))
    pull_n = STIFFNESS_N_M * max(0.0, distance - LENGTH_M) * to_anchor / max(distance, 1e-9)
    pull_b = R_nb.T @ pull_n
    return np.concatenate([pull_b, np.cross(RING_B, pull_b)])


def main(folder: str | Path = ".") -> tuple[float, float]:
    """Let the vehicle swing; compare the pull of the line with the drag of the hull."""
    sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(current_m_s=0.5, current_to_deg=180), control_rate_hz=50)
    sim.place(north_m=-1.0, east_m=1.0, depth_m=5.0, heading_deg=60.0)
    sim.external(line)
    log = sim.run(seconds=120)

    end = log.forces.mean(start_s=110)
    pull = float(np.linalg.norm(end["external"][:3]))
    drag = float(np.linalg.norm(end["coefficients"][:3] + end["restoring"][:3]))
    heading = (log["heading_deg"][-1] + 180.0) % 360.0 - 180.0
    print(f"the line pulls {pull:.3f} N; drag and weight in water are {drag:.3f} N")
    print(f"heading {heading:+.2f} deg: the bow points into the current, which flows south")
    log.plot("north_m", "east_m", "heading_deg", "external_X_N", path=Path(folder) / "moored.png")
    return pull, drag


if __name__ == "__main__":
    main(*sys.argv[1:])
