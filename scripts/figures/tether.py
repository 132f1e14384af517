"""Draw the picture of docs/tether.md: a BlueROV2 winds its tether round a column, which stops it."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from pelagos import Actuation, Simulation, Structure, Tether, VehicleState, World
from pelagos.analysis.pages.tether import plot_tether
from pelagos.control.autopilot.autopilot import Autopilot

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "tether.png"
DEPTH_M, SPEED_M_S, RUN_S = 8.0, 0.5, 110.0
CORNERS = (
    (15.0, 5.0),
    (18.0, -3.0),
    (10.0, -7.0),
    (0.0, -9.0),
    (-20.0, -13.0),
)  # north, east; the last is out of reach
HAUL_S = (70.0, 85.0)  # from when to when the drum takes in cable


class Round:
    """Along the corners, at a depth and speed, with a word to the drum on the way."""

    def __init__(self, sim: Simulation) -> None:
        self.sim, self.autopilot = sim, Autopilot(sim.vehicle, sim.water)
        self.reset()

    def reset(self) -> None:
        """At the start again."""
        self.autopilot.reset()
        self.left = list(CORNERS)

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Heading for the next corner."""
        north, east = truth.pos_n[:2]
        if math.hypot(self.left[0][0] - north, self.left[0][1] - east) < 1.0:
            self.left.pop(0)
        heading = math.degrees(math.atan2(self.left[0][1] - east, self.left[0][0] - north)) % 360.0
        self.autopilot.command(None, depth_m=DEPTH_M, heading_deg=heading, speed_m_s=SPEED_M_S)
        hauls = HAUL_S[0] <= truth.time_s < HAUL_S[1]
        assert self.sim.tether is not None
        self.sim.tether.haul(rate_m_s=-0.2 if hauls else 0.0)
        return self.autopilot.update(truth, dt)


def main() -> None:
    """Run, draw and write."""
    foot = (10.0, 0.0, 20.0)
    column = Structure(kind="cylinder", name="column", from_m=(10.0, 0.0, -2.0), to_m=foot, radius_m=1.0, friction=0.3)
    world = World(depth_m=20.0, current_m_s=0.1, current_to_deg=270.0, structures=(column,))
    rigged = Tether(length_m=35.0, elements=100, ship_north_m=0.0, ship_east_m=2.0, ship_depth_m=1.0)
    sim = Simulation("bluerov2_heavy", world, tether=rigged)
    sim.place(north_m=4.0, east_m=4.0, depth_m=DEPTH_M)
    sim.control(Round(sim))
    plot_tether(sim.run(RUN_S), PICTURE, world=world).savefig(PICTURE, dpi=85, metadata={"Software": "pelagos"})


if __name__ == "__main__":
    main()
