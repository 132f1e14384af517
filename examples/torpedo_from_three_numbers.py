"""A whole AUV from its length, radius and mass, written as a vehicle file that you can go on editing.

Hull form, added mass, drag, lift, fins and propeller are worked out from formulas; each number of the file says how.
Writes torpedo_1600.toml and torpedo_1600.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pelagos
from pelagos.files.writer import to_toml
from pelagos.vehicle.derive.torpedo import torpedo


def main(folder: str | Path = ".") -> tuple[float, float]:
    """Derive, write, load and fly; returns the speed and the depth reached."""
    file = Path(folder) / "torpedo_1600.toml"
    file.write_text(to_toml(torpedo(1.6, 0.095, 36.0, speed_m_s=1.5, name="Torpedo of 1.6 m")), encoding="utf-8")
    vehicle = pelagos.load_vehicle(file)
    derived = [fact for fact in vehicle.facts if fact.confidence == "derived"]
    print(f"{file.name}: {len(derived)} derived numbers, such as")
    for fact in derived[:4]:
        print(f"  {fact.path:<24}{fact.note or fact.how}"[:118])

    sim = pelagos.Simulation(vehicle)
    sim.command(speed_m_s=1.5, depth_m=5, heading_deg=45)
    log = sim.run(seconds=90)
    speed, depth = float(log["surge_m_s"][-1]), float(log["depth_m"][-1])
    shaft = float(log["thruster_propeller_rpm"][-1])
    print(
        f"after 90 s: {speed:.3f} m/s at {shaft:.0f} rpm, {depth:.2f} m deep, heading {log['heading_deg'][-1]:.1f} deg"
    )
    log.plot(path=Path(folder) / "torpedo_1600.png")
    return speed, depth


if __name__ == "__main__":
    main(*sys.argv[1:])
