"""Gavia follows the drawn bottom, looking ahead with its navigation sonar; a mound rises 32 m in 40 m.

The run of `pelagos run gavia-terrain`, without a file. Writes gavia_terrain.png.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import BottomFollow
from pelagos.sensors.altimeter import Altimeter


def main(folder: str | Path = ".", seconds: float | str = 300.0) -> pelagos.Log:
    """Follow the bottom at 12 m; print how close it came."""
    sonar = replace(
        pelagos.load_sensor("gavia_sonar"), name="sonar", position_m=(0.97, 0.0, 0.0),
        n_beams=16, fan_deg=40.0, tilt_deg=5.0, max_range_m=100.0,
    )  # fmt: skip
    sim = pelagos.Simulation("gavia", "gavia_bottom", seed=1, sensors=[sonar, Altimeter(rate_hz=5.0)])
    sim.place(east_m=-45.0, depth_m=32.0, heading_deg=90.0, surge_m_s=4.0)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(speed_m_s=4.0, heading_deg=90.0, depth_m=32.0)
    beams = tuple(round(angle, 8) for angle in np.linspace(-15.0, 25.0, 16).tolist())
    leg = BottomFollow(
        points_m=((0.0, 230.0),), altitude_m=12.0, speed_m_s=4.0, sonar="sonar", beams_deg=beams,
        sonar_range_m=100.0, sonar_ahead_m=0.97, climb_deg=8.0, lead_s=4.0,
    )  # fmt: skip
    mission = pelagos.Mission(autopilot, [leg])
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    lowest = int(log["altitude_m"].argmin())
    print(f"{log.time_s[-1]:g} s; pitch {log['pitch_deg'].min():.1f} to {log['pitch_deg'].max():.1f} deg")
    print(f"nearest to the bottom: {log['altitude_m'][lowest]:.1f} m, at {log['east_m'][lowest]:.0f} m east")
    log.plot(path=Path(folder) / "gavia_terrain.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
