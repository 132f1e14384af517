"""Factors on the parameters of single vehicles: what a batch, a campaign or a learner varies.

Names: a coefficient of the vehicle's file (`Y_uv`, `N_r|r|`), or one of

    mass         weight and inertia of the dry body together, the centre of gravity where it was
    inertia      the moments of inertia alone
    buoyancy     the displaced volume, the centre of buoyancy where it was
    added_mass   the whole matrix
    damping      every coefficient of the polynomial without a control surface in its name, and the cross-flow strips
    thrust       every thruster; `thruster:NAME` one of them: its force and its torque at the same drive
    fins         every lifting surface

Works on packed records (rows of MODEL), so that a factor costs microseconds and needs no file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError, nearest
from pelagos.messages import shown
from pelagos.vehicle.pack.records import inverse_of
from pelagos.vehicle.spec import Vehicle

Rows = NDArray[np.float64]
FAMILIES = ("mass", "inertia", "buoyancy", "added_mass", "damping", "thrust", "fins")
THRUST = (
    "k_forward", "k_reverse", "linear", "inflow_forward", "inflow_reverse", "inflow_square",
    "torque_forward", "torque_reverse", "torque_inflow",
)  # fmt: skip
ABOVE_ZERO = ("mass", "inertia", "buoyancy", "added_mass")


def scalable(vehicle: Vehicle) -> tuple[str, ...]:
    """Every name that `scale_model` takes for a vehicle."""
    thrusters = tuple(f"thruster:{item.name}" for item in vehicle.thrusters)
    return (*FAMILIES, *thrusters, *dict.fromkeys(c.name for c in vehicle.coefficients))


def scale_model(models: Rows, vehicle: Vehicle, name: str, factors: ArrayLike) -> None:
    """Multiply a parameter in rows of packed models, (m, MODEL.size), in place, by one factor or m of them."""
    given = np.asarray(factors, dtype=np.float64)
    if given.ndim > 1 or (given.ndim == 1 and len(given) != len(models)):
        raise CommandError(f"scale {name}: factors have shape {given.shape}; expected one number or {len(models)}")
    factor = np.broadcast_to(given, (len(models),))
    bad = ~np.isfinite(factor) | (factor <= 0.0 if name in ABOVE_ZERO else factor < 0.0)
    if bad.any():
        least = "above 0" if name in ABOVE_ZERO else "of 0 or above"
        raise CommandError(f"scale {name}: factor {factor[bad][0]:g}; expected a finite number {least}")
    records = models.view(lay.MODEL.dtype)[:, 0]
    change = _change(vehicle, name)
    change(records, factor)
    if name in ("mass", "inertia", "added_mass") and not vehicle.ballast:  # with ballast the kernel solves each time
        records["mass_inverse"] = inverse_of(records)


def _change(vehicle: Vehicle, name: str) -> Callable[[Any, Rows], None]:
    """What a name does to records, each with its factor."""
    if isinstance(name, str) and name in _FAMILY:
        return lambda records, factor: _FAMILY[name](vehicle, records, factor)
    if str(name).startswith("thruster:"):
        for i, item in enumerate(vehicle.thrusters):
            if name == f"thruster:{item.name}":
                return lambda records, factor: _thrust(records["thrusters"][:, i], factor)
    ordered = sorted(vehicle.coefficients, key=lambda c: c.axis)  # as pack sorts them
    places = [i for i, term in enumerate(ordered) if term.name == name]
    if not places:
        known = scalable(vehicle)
        close = nearest(str(name), known)
        hint = f'; did you mean "{close}"?' if close else ""
        families = ", ".join(FAMILIES)
        raise CommandError(
            f"scale {shown(name)}: {vehicle.key} has no such parameter; expected {families}, thruster:NAME "
            f"or the name of a coefficient{hint}"
        )

    def coefficient(records: Any, factor: Rows) -> None:
        for i in places:
            records["coefficients"][:, i] *= factor

    return coefficient


def _mass(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["mass"] *= factor
    for field in ("moment", "inertia"):
        records[field] *= factor[:, np.newaxis]


def _inertia(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["inertia"] *= factor[:, np.newaxis]


def _buoyancy(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["volume"] *= factor
    records["volume_moment"] *= factor[:, np.newaxis]


def _added_mass(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["added_mass"] *= factor[:, np.newaxis]


def _damping(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    symbols = {surface.symbol for surface in vehicle.surfaces}
    for i, term in enumerate(sorted(vehicle.coefficients, key=lambda c: c.axis)):
        if not symbols & set(term.factors):
            records["coefficients"][:, i] *= factor
    for field in ("drag_y", "drag_z"):
        records["stations"][field] *= factor[:, np.newaxis]
    for field in lay.LIFT_DRAG.fields:
        records["lift_drag"][field.name] *= factor


def _thrust(thruster: Any, factor: Rows) -> None:
    for field in THRUST:
        thruster[field] *= factor
    for field in ("y", "slope"):
        thruster["table"][field] *= factor[:, np.newaxis]


def _all_thrust(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    for i in range(len(vehicle.thrusters)):
        _thrust(records["thrusters"][:, i], factor)


def _fins(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["fins"]["area"] *= factor[:, np.newaxis]


_FAMILY: dict[str, Callable[[Vehicle, Any, Rows], None]] = {
    "mass": _mass, "inertia": _inertia, "buoyancy": _buoyancy, "added_mass": _added_mass,
    "damping": _damping, "thrust": _all_thrust, "fins": _fins,
}  # fmt: skip
