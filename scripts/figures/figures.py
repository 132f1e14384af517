"""Draw the picture of docs/figures.md: plan of three survey lines of a REMUS 100 in a cross current."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from pelagos import Actuation, Simulation, VehicleState, World
from pelagos.analysis.pages.pages import draw_page
from pelagos.control.autopilot.autopilot import Autopilot

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "figures.png"
LEGS = ((60.0, 0.0), (15.0, 90.0), (60.0, 180.0), (15.0, 90.0), (60.0, 0.0))  # s, heading in deg


class Lines:
    """One heading after another."""

    def __init__(self, sim: Simulation) -> None:
        self.autopilot = Autopilot(sim.vehicle, sim.water)
        self.autopilot.command(None, depth_m=8.0, speed_m_s=1.5, heading_deg=0.0)

    def reset(self) -> None:
        """At the start again."""
        self.autopilot.reset()

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Steer the heading of the leg."""
        end = 0.0
        for seconds, heading in LEGS:
            end += seconds
            if truth.time_s < end:
                self.autopilot.command(None, heading_deg=heading)
                break
        return self.autopilot.update(truth, dt)


if __name__ == "__main__":
    sim = Simulation("remus100", World(depth_m=30.0, current_m_s=0.3, current_to_deg=60.0), seed=3)
    sim.place(depth_m=8.0, surge_m_s=1.2)
    sim.control(Lines(sim))
    figure = draw_page(sim.run(sum(seconds for seconds, _ in LEGS)), "plan", PICTURE)
    figure.savefig(PICTURE, dpi=100, metadata={"Software": "pelagos"})
    print(PICTURE)
