"""What would a sonar see? A level fan of rays through Royer's field, and an altimeter over his pipeline.

`cast` takes any number of rays and says how far each goes and what it meets. Writes rays.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import pelagos


def main(folder: str | Path = ".") -> dict[str, float]:
    """Range to the nearest point of everything that was met, m."""
    world = pelagos.load_world("royer_field")
    bearing = np.radians(np.arange(-60.0, 60.0, 0.25))
    fan = np.column_stack([np.cos(bearing), np.sin(bearing), 0.0 * bearing])
    hits = world.cast((-40.0, 0.0, 97.0), fan, max_range_m=75.0)
    down = world.cast((30.0, 30.0, 90.0), (0.0, 0.0, 1.0))
    nearest = {world.named(int(down.obstacle[0])): float(down.range_m[0])}
    ax = (figure := Figure(figsize=(5.0, 5.0), layout="constrained")).subplots()
    for number in np.unique(hits.obstacle[hits.obstacle >= 0]):
        echoes = hits.obstacle == number
        name, ranges = world.named(int(number)), hits.range_m[echoes]
        nearest[name] = float(ranges.min())
        print(f"{name:<9}{echoes.sum():3d} rays, nearest {nearest[name]:.2f} m")
        ax.plot(ranges * fan[echoes, 1], -40.0 + ranges * fan[echoes, 0], ".", label=name)
    print(f"straight down: {world.named(int(down.obstacle[0]))}, {down.range_m[0]:.2f} m")
    ax.plot(0.0, -40.0, "k^", label="sonar")
    ax.set(title="Echoes 97 m deep", xlabel="east [m]", ylabel="north [m]", aspect="equal")
    ax.legend(fontsize=8)
    figure.savefig(Path(folder) / "rays.png", dpi=100)
    return nearest


if __name__ == "__main__":
    main(*sys.argv[1:])
