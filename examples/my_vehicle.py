"""A vehicle of your own: a file that says only what differs from a vehicle of the library.

Loads my_vehicle.toml, asks whether it is physically possible, and compares its speed with that of the original.
Writes my_vehicle.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pelagos
from pelagos.vehicle.check.checks import check

HERE = Path(__file__).parent


def half_ahead(vehicle: pelagos.Vehicle) -> pelagos.Log:
    """Twenty seconds with the surge stick at half."""
    sim = pelagos.Simulation(vehicle)
    sim.place(depth_m=3.0)
    sim.pilot(surge=0.5)
    return sim.run(seconds=20)


def main(folder: str | Path = ".") -> dict[str, float]:
    """Check the vehicle, then race it against the one it extends."""
    mine = pelagos.load_vehicle(HERE / "my_vehicle.toml")
    original = pelagos.load_vehicle("bluerov2_heavy")

    report = check(mine, published=False)
    print(f"my_vehicle.toml: {'passes' if report.ok else 'FAILS'}")
    for level, text in report.lines[:6]:
        print(f"  {level:<6}{text}")

    speeds = {}
    for vehicle in (original, mine):
        log = half_ahead(vehicle)
        speeds[vehicle.key] = float(log["surge_m_s"][-1])
        print(f"{vehicle.name:<16}{vehicle.body.mass_kg:6.1f} kg{speeds[vehicle.key]:8.3f} m/s at half stick")
    log.plot("surge_m_s", "depth_m", "pitch_deg", path=Path(folder) / "my_vehicle.png")
    return speeds


if __name__ == "__main__":
    main(*sys.argv[1:])
