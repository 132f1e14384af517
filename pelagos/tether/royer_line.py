"""Tether mode "royer": fills the records of a `Line` from Royer's static cable model.

The model has one uniform horizontal current, that of the sea midway between ship and vehicle. It has neither weight nor
inertia, and it gives no end stiffness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.cable.royer import COLUMNS, N_PULL, NEAREST, PULL, UNLOADED, UNREACHABLE, royer_pull
from pelagos.engine.water.flow import sample_flow
from pelagos.tether.royer import largest_pull
from pelagos.tether.spec import Status

if TYPE_CHECKING:
    from pelagos.tether.line import Line

ENDED = {NEAREST: Status.NOT_CONVERGED, UNREACHABLE: Status.UNREACHABLE, UNLOADED: Status.UNLOADED}
_NO_HISTORY = (0, COLUMNS)


def solve_royer(line: Line, nodes: NDArray[Any], current_n: NDArray[np.float64]) -> bool:
    """Solve for a line whose ends and length are set, fill its records, and return whether the end was reached."""
    head, settings = line.head, line.settings
    n = len(nodes) - 1
    flow = np.zeros((1, 6))
    middle = 0.5 * (head["ship"] + head["end"])
    sample_flow(line.sea, middle[np.newaxis], np.array([float(head["time"])]), flow)
    shape, row, warm = np.empty((n + 1, 3)), np.zeros(N_PULL), head["warm"].copy()
    code = royer_pull(
        line.length_m, float(settings["normal"]), float(settings["tangential"]), largest_pull(line.cable),
        head["ship"].copy(), head["end"].copy(), current_n + flow[0, :3], warm, shape, row, np.empty(_NO_HISTORY),
    )  # fmt: skip
    pull = row.view(PULL.dtype)[0]
    ends = pull["tension_a"], pull["tension_b"]
    head["warm"], head["n"], head["element"] = warm, n, line.length_m / n
    head["force_b"], head["pull"], head["force_a"] = pull["force_b"], pull["force_b"], pull["force_a"]
    (head["tension_a"], head["tension_b"]), head["miss"], head["used"] = ends, pull["miss"], pull["integrations"]
    head["end_stiffness"], head["strain"], head["residual"] = 0.0, 0.0, pull["miss"]
    head["largest"], head["least"] = max(ends), min(ends)
    head["status"] = float(ENDED.get(int(code) & 3, Status.OK))
    head["settled"] = float(int(code) & 3 == 0)
    nodes["r"], nodes["v"], nodes["length"] = shape, 0.0, line.length_m / n
    # linear between the ends: the model also has the tension in between, but only the ends are used
    nodes["tension"] = np.linspace(*ends, n + 1)
    return bool(head["settled"])
