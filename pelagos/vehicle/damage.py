"""A vehicle that is no longer whole: thrusters that push less, water that has come in. Same kernel, other numbers.

Flood water of mass m at r adds m to the mass, m r to its first moment and m (r^2 1 - r r^T) to the inertia about O; it
fills room that was air, so the displaced volume stays. It has the velocity of the vehicle when it comes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pelagos.engine.core import layout as lay
from pelagos.vehicle.pack.records import Packed, inverse_of, rigid_body_matrix
from pelagos.vehicle.plant import Plant

# what scales with the thrust of a propeller
THRUST = (
    "k_forward", "k_reverse", "linear", "inflow_forward", "inflow_reverse", "inflow_square",
    "torque_forward", "torque_reverse", "torque_inflow",
)  # fmt: skip


def damaged(
    plant: Plant, whole: Packed, shares: Mapping[int, float], mass_kg: float, place_b: Sequence[float]
) -> Packed:
    """Records of the plant's vehicle with `shares` of the thrust of some thrusters left and water inside.

    `whole` are its records before any damage; factors on them, and what is on in their structure (a tether), stay.
    """
    if not shares and mass_kg == 0.0:
        return whole
    model, matrix = whole.model.copy(), whole.mass_matrix
    record = model.view(lay.MODEL.dtype)[0]
    if mass_kg > 0.0:
        r = np.asarray(place_b, dtype=float)
        inertia = mass_kg * (float(r @ r) * np.eye(3) - np.outer(r, r))
        matrix = matrix + rigid_body_matrix(mass_kg, r.tolist(), inertia)
        record["mass"] += mass_kg
        record["moment"] += mass_kg * r
        record["inertia"] += inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        record["mass_inverse"] = inverse_of(matrix, plant.vehicle.free).ravel()
    for i, share in shares.items():
        thruster = record["thrusters"][i]
        for name in THRUST:
            thruster[name] *= share
        thruster["table"]["y"] *= share
        thruster["table"]["slope"] *= share
    return replace(whole, model=model, mass_matrix=matrix)
