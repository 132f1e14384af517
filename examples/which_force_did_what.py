"""Which force turns a vehicle? The Phoenix AUV in a 10 degree turn, taken apart term by term.

In a steady turn the terms of each axis add up to nothing. The figure stacks what pushes one way above the line and
what pushes the other way below it: the two mirror each other once the turn is steady. Writes turn_forces.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos
from pelagos.sim.log.log import ForceTable

AXES = {"surge X [N]": 0, "sway Y [N]": 1, "yaw N [N m]": 5}


def main(folder: str | Path = ".") -> ForceTable:
    """Turn for 60 s; print the balance of the steady turn; draw how it came about."""
    sim = pelagos.Simulation("phoenix")
    sim.place(surge_m_s=0.6)
    sim.thrust(port_screw_rpm=700, starboard_screw_rpm=700)
    sim.deflect(bow_rudders_deg=10, stern_rudders_deg=-10)
    log = sim.run(seconds=60)

    balance = log.forces.mean(start_s=50)
    print(f"{log.meta['vehicle_name']}: {log['yaw_rate_deg_s'][-1]:.3f} deg/s at {log['surge_m_s'][-1]:.3f} m/s")
    print("mean force of each term from 50 to 60 s:")
    print(balance)
    draw(log, Path(folder) / "turn_forces.png")
    return balance


def draw(log: pelagos.Log, path: Path) -> None:
    """One panel an axis: pushes stacked above zero, pulls below, each term in its colour."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    from pelagos.analysis.plots import INK, PALETTE, STYLE

    acting = [term for term in log.forces.terms if np.abs(log.forces[term][:, list(AXES.values())]).max() > 0.01]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(12.0, 3.8), layout="constrained")
        for ax, (title, k) in zip(figure.subplots(1, 3), AXES.items(), strict=True):
            share = np.array([log.forces[term][:, k] for term in acting])
            for part in (share.clip(min=0.0), share.clip(max=0.0)):
                ax.stackplot(log.time_s, part, colors=PALETTE, linewidth=0)
            ax.plot(log.time_s, share.sum(axis=0), color=INK, linewidth=1.2)
            ax.set(title=title, xlabel="time [s]", xlim=(0.0, 60.0))
        handles = [Patch(color=PALETTE[i], label=term.replace("_", " ")) for i, term in enumerate(acting)]
        handles = [*handles, Line2D([], [], color=INK, label="sum")]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
