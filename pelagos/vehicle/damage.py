"""Damage to a vehicle: thrusters that have lost thrust, and flood water inside the hull.

Damage changes the numbers of the packed records; the kernel stays the same. Flood water of mass m at r adds m to the
mass, m r to its first moment and m (r^2 1 - r r^T) to the inertia about O. It fills space that held air, so the
displaced volume does not change. It enters at the velocity of the vehicle, which stays the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pelagos.engine.core import layout as lay
from pelagos.vehicle.pack.records import Packed, inverse_of, rigid_body_matrix, scale_thrust
from pelagos.vehicle.plant import Plant


def damaged(
    plant: Plant, whole: Packed, shares: Mapping[int, float], mass_kg: float, place_b: Sequence[float]
) -> Packed:
    """Return the records of a damaged vehicle.

    Args:
        plant: the vehicle.
        whole: its records before any damage; factors on them and switches in their structure (a tether) stay.
        shares: remaining thrust over full thrust, by the index of the thruster.
        mass_kg: flood water.
        place_b: centre of the flood water, body axes, m.
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
        # order of the record: xx, yy, zz, xy, xz, yz
        record["inertia"] += inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        record["mass_inverse"] = inverse_of(matrix, plant.vehicle.free).ravel()
    for i, share in shares.items():
        scale_thrust(record["thrusters"][i], share)
    return replace(whole, model=model, mass_matrix=matrix)
