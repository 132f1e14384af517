"""Where does the Iver3 float? Let go under water, it rises, breaks the surface and comes to rest on its mast.

Hunt and Whitcomb report 0.13 m for the depth of its centre of mass, with the nose just touching the surface.
Writes float.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pelagos


def main(folder: str | Path = ".") -> tuple[float, float]:
    """Depth of the centre of mass (m) and pitch (deg) at rest, calm; then the same vehicle in a swell."""
    sim = pelagos.Simulation("iver3")
    sim.place(depth_m=0.35)
    log = sim.run(seconds=900)
    depth, pitch = (float(log[name][-1000:].mean()) for name in ("depth_m", "pitch_deg"))
    print(f"calm: {depth:.4f} m deep, nose {pitch:.2f} deg up, {100 * log['wet_share'][-1]:.2f} % of the hull wet")
    log.plot("depth_m", "pitch_deg", "wet_share", path=Path(folder) / "float.png")

    swell = pelagos.World(waves=pelagos.Waves(kind="regular", height_m=1.0, period_s=8.0, to_deg=0.0))
    sim = pelagos.Simulation("iver3", swell)
    sim.place(depth_m=depth - 0.5)  # on the crest that is over the origin at the start
    log = sim.run(seconds=80)
    rise, below = log["depth_m"], log["below_surface_m"]
    print(f"swell of 1 m: goes up and down by {rise.max() - rise.min():.2f} m,", end=" ")
    print(f"{below.min():.2f} to {below.max():.2f} m below the moving surface")
    return depth, pitch


if __name__ == "__main__":
    main(*sys.argv[1:])
