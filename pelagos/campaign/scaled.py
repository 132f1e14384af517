"""A simulation whose vehicle is not quite that of its file: factors on coefficients and families, as `Batch.scale` has.

The records of the model are scaled by the same function as those of a batch, `batch.parameters.scale_model`. The
description (`sim.vehicle`), by which the autopilot is tuned, stays as it is.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from pelagos.batch.parameters import scale_model
from pelagos.sim.simulation import Simulation


def scale(sim: Simulation, factors: Mapping[str, float]) -> None:
    """Scale the vehicle of a simulation that has not begun."""
    packed = sim.whole
    rows = np.array(packed.model, np.float64)[None, :]
    for name, factor in factors.items():
        scale_model(rows, sim.vehicle, name, factor)
    sim.whole = sim.plant.packed = dataclasses.replace(packed, model=rows[0])
