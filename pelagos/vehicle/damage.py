"""A vehicle that is no longer whole: thrusters that push less, water that has come in. Same kernel, other numbers.

Flood water of mass m at r adds m to the mass, m r to its first moment and m (r^2 1 - r r^T) to the inertia about O; it
fills room that was air, so the displaced volume stays. It has the velocity of the vehicle when it comes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pelagos.engine.core import layout as lay
from pelagos.vehicle.pack.records import Packed, pack
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

# what scales with the thrust of a propeller
THRUST = (
    "k_forward", "k_reverse", "linear", "inflow_forward", "inflow_reverse", "inflow_square",
    "torque_forward", "torque_reverse", "torque_inflow",
)  # fmt: skip


def flooded(vehicle: Vehicle, mass_kg: float, place_b: Sequence[float]) -> Vehicle:
    """The vehicle with so much water in it."""
    if mass_kg == 0.0:
        return vehicle
    body, r = vehicle.body, np.asarray(place_b, dtype=float)
    mass = body.mass_kg + mass_kg
    cg = (body.mass_kg * np.array(body.cg_b) + mass_kg * r) / mass
    inertia = body.inertia_o + mass_kg * (float(r @ r) * np.eye(3) - np.outer(r, r))
    x, y, z = cg.tolist()
    return replace(vehicle, body=replace(body, mass_kg=mass, cg_b=(x, y, z), inertia_o=inertia))


def damaged(
    plant: Plant, whole: Packed, shares: Mapping[int, float], mass_kg: float, place_b: Sequence[float]
) -> Packed:
    """Records of the plant's vehicle with `shares` of the thrust of some thrusters left and water inside.

    `whole` are its records before any damage; what was switched on in their structure (a tether) stays on.
    """
    packed = whole
    if mass_kg > 0.0:
        wet = flooded(plant.vehicle, mass_kg, place_b)
        density = float(plant.water["density"])
        packed = pack(wet, density_kg_m3=density, euler_angles=plant.euler_angles)
        packed = replace(packed, structure=whole.structure)
    if not shares:
        return packed
    model = packed.model.copy()
    record = model.view(lay.MODEL.dtype)[0]
    for i, share in shares.items():
        thruster = record["thrusters"][i]
        for name in THRUST:
            thruster[name] *= share
        thruster["table"]["y"] *= share
        thruster["table"]["slope"] *= share
    return replace(packed, model=model)
