"""A force of your own compiled into the kernel: hitting the sea floor.

The floor (seabed.py) is so stiff that it must be felt at every stage of every step, not ten times a second. As a
compiled force it costs nanoseconds; as a Python function, held for 0.1 s, the same law throws the vehicle back up.
The first run compiles the kernel anew, some 15 s; later runs start at once. Writes seabed.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.frames import rotation_from_euler
from pelagos.messages import VehicleState

FORCE = Path(__file__).parent / "seabed.py"
BOTTOM_M, STIFFNESS_N_M, DAMPING_N_S_M = 10.0, 20_000.0, 400.0


def held_seabed(truth: VehicleState) -> np.ndarray:
    """The law of seabed.py in plain Python, for comparison."""
    R_nb = rotation_from_euler(truth.roll, truth.pitch, truth.yaw)
    push = STIFFNESS_N_M * (truth.pos_n[2] - BOTTOM_M) + DAMPING_N_S_M * (R_nb @ truth.nu[:3])[2]
    up = max(push, 0.0) if truth.pos_n[2] > BOTTOM_M else 0.0
    return np.concatenate([-up * R_nb[2], np.zeros(3)])


def sink(compiled: bool) -> pelagos.Log:
    """An ROV driven down from 8 m for 20 s."""
    sim = pelagos.Simulation("bluerov2_heavy", step_s=0.005, user_force=f"{FORCE}:seabed" if compiled else None)
    sim.place(depth_m=8.0)
    sim.pilot(heave=0.3)
    if not compiled:
        sim.external(held_seabed)
    return sim.run(seconds=20)


def main(folder: str | Path = ".") -> tuple[float, float]:
    """Land twice; compare."""
    inside, held = sink(compiled=True), sink(compiled=False)
    print(f"compiled: rests at {inside['depth_m'][-1]:.4f} m, floor pushes {-inside['user_Z_N'][-1]:.2f} N,")
    print(f"          thrusters and weight {inside['thrusters_Z_N'][-1] + inside['restoring_Z_N'][-1]:.2f} N")
    print(f"held:     thrown back up to {held.between(5.0, 20.0)['depth_m'].min():.2f} m at worst")
    inside.plot("depth_m", "heave_m_s", "user_Z_N", path=Path(folder) / "seabed.png")
    return float(inside["depth_m"][-1]), float(held.between(5.0, 20.0)["depth_m"].min())


if __name__ == "__main__":
    main(*sys.argv[1:])
