"""A glider flies without a propeller: a Slocum sinks and rises on its wings, three yos between 10 and 80 m.

The run of `pelagos run glider-sawtooth`, without a file. Writes glider_sawtooth.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.guidance import BallastController, Sawtooth


def main(folder: str | Path = ".", seconds: float | str = 7200.0) -> pelagos.Log:
    """Three yos; print speeds and how far it came."""
    sim = pelagos.Simulation("slocum", pelagos.World(depth_m=120.0), seed=1)
    sim.place(depth_m=12.0)
    controller = BallastController(sim.vehicle, density_kg_m3=sim.water.density_kg_m3)  # pumps and shifts
    yos = Sawtooth(shallow_m=10.0, deep_m=80.0, yos=3, turn_within_m=2.0)
    mission = pelagos.Mission(controller, [yos])
    sim.control(mission)
    log = sim.run(float(seconds), log_rate_hz=2.0, until=lambda _: mission.done)

    climb = -np.gradient(log["depth_m"], log.time_s)
    for name, part in (("down", climb < -0.05), ("up", climb > 0.05)):
        if part.any():
            ahead, rise, pitch = (np.median(x[part]) for x in (log["surge_m_s"], climb, log["pitch_deg"]))
            print(f"{name:<5}{ahead:.3f} m/s, vertical {rise:+.3f} m/s, pitch {pitch:+.1f} deg")
    print(f"{log['north_m'][-1]:.0f} m gained in {log.time_s[-1] / 60:.0f} min without a propeller")
    log.plot(path=Path(folder) / "glider_sawtooth.png")
    return log


if __name__ == "__main__":
    main(*sys.argv[1:])
