"""Gavia follows the drawn bottom, stretched to slopes it can fly, looking ahead with its navigation sonar.

The run of `pelagos run gavia-terrain`, without a file. Writes gavia_terrain.png.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pelagos
from pelagos.control import Autopilot
from pelagos.guidance import BottomFollow
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.world.load import load_world


def main(folder: str | Path = ".", seconds: float | str = 1200.0) -> pelagos.Log:
    """Follow the bottom at 10 m; print how well it did."""
    sonar = replace(
        pelagos.load_sensor("gavia_sonar"), name="sonar", position_m=(0.97, 0.0, 0.0),
        n_beams=16, fan_deg=40.0, tilt_deg=5.0, max_range_m=100.0,
    )  # fmt: skip
    world = load_world("gavia_bottom")
    assert world.seabed is not None
    bottom = replace(world.seabed, metres_per_pixel=4.0, depth_per_pixel_m=0.3, depth_offset_m=10.0)
    world = replace(world, seabed=bottom)
    sim = pelagos.Simulation("gavia", world, seed=1, sensors=[sonar, Altimeter(rate_hz=5.0)])
    depth = float(world.bottom_m(0.0, -40.0)) - 10.0
    sim.place(east_m=-40.0, depth_m=depth, heading_deg=90.0, surge_m_s=2.0)
    autopilot = Autopilot(sim.vehicle, sim.water)
    autopilot.command(speed_m_s=2.0, heading_deg=90.0)
    leg = BottomFollow(points_m=((0.0, 1130.0),), altitude_m=10.0, speed_m_s=2.0, climb_deg=5.0, lead_s=4.0)
    leg = leg.with_sonar(sonar)  # its beams, its range and where it sits
    mission = pelagos.Mission(autopilot, [leg])
    sim.control(mission)
    log = sim.run(float(seconds), until=lambda _: mission.done)

    altitude = log["altitude_m"]
    print(f"{log.time_s[-1]:g} s; pitch {log['pitch_deg'].min():.1f} to {log['pitch_deg'].max():.1f} deg")
    print(f"altitude {altitude.min():.1f} to {altitude.max():.1f} m, {altitude.mean():.1f} m in the mean")
    log.plot(path=Path(folder) / "gavia_terrain.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
