"""What happens when an ROV rams a column? It stops, and the log says when, how hard and what it met.

A BlueROV2 Heavy at full surge meets a column bow on, and once more with half a metre of offset. Writes ram.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos


def main(folder: str | Path = ".") -> dict[float, pelagos.Log]:
    """Logs by how far the column stands off the track, m."""
    logs = {}
    for offset in (0.0, 0.5):
        column = pelagos.Structure(
            kind="cylinder", name="column", from_m=(3.0, offset, 0.0), to_m=(3.0, offset, 30.0), radius_m=0.4
        )
        sim = pelagos.Simulation("bluerov2_heavy", pelagos.World(depth_m=30.0, structures=(column,)))
        sim.place(depth_m=5.0)
        sim.pilot(surge=1.0)
        logs[offset] = log = sim.run(seconds=20)
        first = int(np.argmax(log["contact_N"] > 0.0))
        what = sim.world.named(int(log["contact_with"][first]))
        print(f"column {offset:g} m off the track: met {what} at {log.time_s[first]:.1f} s,", end=" ")
        print(f"{log['surge_m_s'][first - 1]:.2f} m/s, {log['contact_N'].max():.0f} N over 0.1 s;", end=" ")
        print(f"at the end {log['north_m'][-1]:.2f} m north, {log['east_m'][-1]:.2f} m east")
    logs[0.0].plot("north_m", "surge_m_s", "contact_N", path=Path(folder) / "ram.png")
    return logs


if __name__ == "__main__":
    main(*sys.argv[1:])
