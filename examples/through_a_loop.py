"""Why quaternions? A looping, flown once with a quaternion and once with Euler angles.

A pitch moment turns the Phoenix AUV over, close by the vertical. There the rates of the Euler angles grow as
1/cos(pitch): with the same step the error grows by a factor of a million as the vehicle passes. Writes loop.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos

STEP_S = 0.01


def loop(kinematics: str, step_s: float = STEP_S) -> pelagos.Log:
    """Ten seconds under a moment of 250 N m nose up, which righting moment and damping cannot hold."""
    sim = pelagos.Simulation("phoenix", kinematics=kinematics, step_s=step_s)
    sim.place(depth_m=20.0, roll_deg=0.6, heading_deg=17.0, pitch_rate_deg_s=90.0)
    sim.external([0.0, 0.0, 0.0, 0.0, 250.0, 0.0])
    return sim.run(seconds=10)


def upside(log: pelagos.Log) -> np.ndarray:
    """Cosine between the vehicle's down and the world's: 1 upright, -1 upside down."""
    return 1.0 - 2.0 * (log["q1"] ** 2 + log["q2"] ** 2)


def main(folder: str | Path = ".") -> dict[str, float]:
    """Distance from the exact end, m, for both kinds of attitude."""
    exact = loop("quaternion", 0.001)
    logs = {kind: loop(kind) for kind in ("quaternion", "euler")}
    print(f"lowest cosine of tilt {upside(exact).min():.3f}: it has been upside down")
    errors = {}
    for kind, log in logs.items():
        n = len(log)
        off = [log[name] - exact[name][:n] for name in ("north_m", "east_m", "depth_m")]
        errors[kind] = float(np.linalg.norm(off, axis=0).max())
        print(f"{kind:<11}{errors[kind]:.2e} m off at worst, step {STEP_S} s")
    draw(exact, logs, Path(folder) / "loop.png")
    return errors


def draw(exact: pelagos.Log, logs: dict[str, pelagos.Log], path: Path) -> None:
    """Tilt and the difference from the exact run."""
    import matplotlib
    from matplotlib.figure import Figure

    from pelagos.analysis.plots import PALETTE, STYLE

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.5, 5.0), layout="constrained")
        top, bottom = figure.subplots(2, 1, sharex=True)
        for (kind, log), colour in zip(logs.items(), PALETTE, strict=False):
            off = np.linalg.norm([log[k] - exact[k][: len(log)] for k in ("north_m", "east_m", "depth_m")], axis=0)
            top.plot(log.time_s, upside(log), color=colour, label=kind)
            bottom.semilogy(log.time_s[1:], off[1:] + 1e-16, color=colour, label=kind)
        top.set(title="cosine of tilt: 1 upright, -1 upside down")
        bottom.set(title="off the exact position [m]", xlabel="time [s]")
        top.legend(loc="lower left")
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
