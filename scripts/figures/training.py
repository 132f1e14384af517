"""Draw docs/images/training-hover.png and training-pipeline.png: trials of an autopilot with a wandering setpoint."""

from __future__ import annotations

import math
from pathlib import Path

from pelagos.session.rig import TrialRig, rig
from pelagos.training.conditions import THESIS
from pelagos.training.figures import draw_attempt
from pelagos.training.observation import Observation
from pelagos.training.task import load_task

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def hover(flight: TrialRig, observation: Observation) -> None:
    """Before the wellhead, at times too near."""
    t = observation.time_s
    flight.simulation.command(
        north_m=34.5 - 0.9 * math.sin(t / 9.0), east_m=-15.0 + 0.5 * math.sin(t / 7.0), speed_m_s=0.4,
        altitude_m=2.5 + 0.3 * math.sin(t / 11.0), heading_deg=180.0 + 6.0 * math.sin(t / 5.0),
    )  # fmt: skip


def pipeline(flight: TrialRig, observation: Observation) -> None:
    """Along the pipe with the bow into the current."""
    t = observation.time_s
    along, aside = min(observation.position_n[:2].mean() + 2.8, 62.0), 0.35 - 0.85 * math.sin(t / 15.0)
    flight.simulation.command(
        north_m=along - aside, east_m=along + aside, speed_m_s=0.5,
        altitude_m=2.5, heading_deg=120.0 + 10.0 * math.sin(t / 9.0),
    )  # fmt: skip


def main() -> None:
    """Fly and draw both."""
    for name, conditions, act in (("hover", "current", hover), ("pipeline", "cable", pipeline)):
        result = rig(load_task(name), THESIS[conditions], seed=1).fly(act, pilot="wandering autopilot")
        draw_attempt(result, IMAGES / f"training-{name}.png")


if __name__ == "__main__":
    main()
