"""Factors on the parameters of single vehicles, for batches, campaigns and domain randomisation.

A name is a coefficient of the vehicle's file (`Y_uv`, `N_r|r|`, `Y_vdot`), or one of

    mass         mass and inertia of the dry body together; the centre of gravity stays
    inertia      the moments of inertia alone
    buoyancy     the displaced volume; the centre of buoyancy stays
    added_mass   the whole matrix
    damping      every coefficient of the polynomial without a control surface in its name, and the cross-flow strips;
                 the part of a coefficient that is added mass (coriolis = "in_coefficients") stays
    thrust       force and torque of every thruster at the same command; `thruster:NAME` of one thruster
    fins         every lifting surface

Scaling a coefficient or `added_mass` gives the vehicle of a file with these numbers multiplied. The functions work on
packed records (rows of MODEL): a factor costs microseconds and needs no file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import number
from pelagos.engine.core import layout as lay
from pelagos.errors import CommandError, shown
from pelagos.vehicle.pack.records import Packed, ballast_matrix, inverse_of, matrices_of, scale_thrust
from pelagos.vehicle.spec import AXES, VELOCITIES, Coefficient, Vehicle

Rows = NDArray[np.float64]
FAMILIES = ("mass", "inertia", "buoyancy", "added_mass", "damping", "thrust", "fins")
ABOVE_ZERO = ("mass", "inertia", "buoyancy", "added_mass")  # a body needs all of them


def scalable(vehicle: Vehicle) -> tuple[str, ...]:
    """Return every name that `scale_model` takes for a vehicle."""
    thrusters = tuple(f"thruster:{item.name}" for item in vehicle.thrusters)
    elements = _elements(vehicle)
    unpaired = (name for name in elements if not _twin(elements, name))
    return (*FAMILIES, *thrusters, *(term.name for _, term in _named_terms(vehicle)), *unpaired)


def scale_model(models: Rows, vehicle: Vehicle, name: str, factors: ArrayLike) -> None:
    """Multiply a parameter in rows of packed models, (m, MODEL.size), in place, by one factor or m of them."""
    values = np.asarray(factors, dtype=np.float64)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != len(models)):
        expected = f"one number or {len(models)}"
        raise CommandError(key=f"scale {name}: shape of the factors", value=values.shape, expected=expected)
    factor = np.broadcast_to(values, (len(models),))
    bad = ~np.isfinite(factor) | (factor <= 0.0 if name in ABOVE_ZERO else factor < 0.0)
    if bad.any():
        number(f"scale {name}: factor", float(factor[bad][0]), 0.0, above=name in ABOVE_ZERO)
    records = models.view(lay.MODEL.dtype)[:, 0]
    _change(vehicle, name)(records, factor)
    if name in ("mass", "inertia", "added_mass") or str(name).endswith("dot"):
        # the packed inverse depends on these; it includes the ballast at its initial values
        matrix = matrices_of(records) + ballast_matrix(vehicle)
        rows, columns = np.ix_(np.array(vehicle.free), np.array(vehicle.free))
        # A body whose mass matrix is not positive definite gains kinetic energy without a force.
        bad = ~(np.linalg.eigvalsh(matrix[:, rows, columns])[:, 0] > 0.0)
        if bad.any():
            raise CommandError(
                key=f"scale {name}: factor",
                value=float(factor[bad][0]),
                expected="a factor nearer to 1: with this one the mass matrix is not positive definite",
            )
        records["mass_inverse"] = inverse_of(matrix, vehicle.free).reshape(len(matrix), 36)


def scaled_records(packed: Packed, vehicle: Vehicle, factors: Mapping[str, float]) -> Packed:
    """Return the records of a vehicle with factors on its parameters, by name."""
    rows = packed.model[np.newaxis].copy()
    for name, factor in factors.items():
        scale_model(rows, vehicle, name, factor)
    before, after = (matrices_of(models.view(lay.MODEL.dtype)[:, 0])[0] for models in (packed.model[None], rows))
    return replace(packed, model=rows[0], mass_matrix=packed.mass_matrix + (after - before))


def _change(vehicle: Vehicle, name: str) -> Callable[[Any, Rows], None]:
    """The function that multiplies a parameter in records, each by its factor."""
    if isinstance(name, str) and name in _FAMILY:
        return lambda records, factor: _FAMILY[name](vehicle, records, factor)
    if str(name).startswith("thruster:"):
        for i, item in enumerate(vehicle.thrusters):
            if name == f"thruster:{item.name}":
                return lambda records, factor: scale_thrust(records["thrusters"][:, i], factor)
    elements = _elements(vehicle) if isinstance(name, str) and name.endswith("dot") else {}
    if elements and name in elements:
        twin = _twin(elements, name)
        if twin:
            raise CommandError(
                f"{twin} in the file of {vehicle.key} is the same element of the added mass, "
                "which has no separate factor",
                key=f"scale {name}",
                expected='"added_mass", or a file with one of the two',
            )
        return lambda records, factor: _element(vehicle, records, factor, *elements[name])
    for i, term in _named_terms(vehicle):
        if term.name == name:
            return lambda records, factor: _coefficient(i, term, records, factor)
    families = ", ".join(FAMILIES)
    raise CommandError(
        f"{vehicle.key} has no such parameter",
        key=f"scale {shown(name)}",
        expected=f"{families}, thruster:NAME or the name of a coefficient",
        names=scalable(vehicle),
        misspelt=name,
    )


def _placed(vehicle: Vehicle) -> list[tuple[int, Coefficient]]:
    """Each coefficient with its index in the record: `pack` sorts them by axis."""
    return list(enumerate(sorted(vehicle.coefficients, key=lambda c: c.axis)))


def _named_terms(vehicle: Vehicle) -> list[tuple[int, Coefficient]]:
    """The coefficients that the file names; the others are terms of C_A, computed from the added mass."""
    return [(i, term) for i, term in _placed(vehicle) if term.named]


def _coefficient(i: int, term: Coefficient, records: Any, factor: Rows) -> None:
    fixed, values = _added_mass_part(term, records), records["coefficients"]
    values[:, i] = (values[:, i] - fixed) * factor + fixed


def _added_mass_part(term: Coefficient, records: Any) -> Rows:
    """The part of a coefficient's value that comes from the added mass, for each record."""
    total = np.zeros(len(records))
    for row, column, k in term.of_added_mass:
        total += k * records["added_mass"][:, 6 * row + column]
    return total


def _elements(vehicle: Vehicle) -> dict[str, tuple[int, int]]:
    """Elements of the added mass that the file gives by names such as Y_vdot: row and column of each."""
    names = {f"{axis}_{x}dot": (i, j) for i, axis in enumerate(AXES) for j, x in enumerate(VELOCITIES)}
    paths = {fact.path for fact in vehicle.facts}
    return {name: at for name, at in names.items() if f"hydro.coefficients.{name}" in paths}


def _twin(elements: dict[str, tuple[int, int]], name: str) -> str:
    """The other name of the same element of a symmetric matrix; "" if the file has none."""
    row, column = elements[name]
    return next((other for other, at in elements.items() if at == (column, row) and other != name), "")


def _element(vehicle: Vehicle, records: Any, factor: Rows, row: int, column: int) -> None:
    factors = np.ones((len(records), 6, 6))
    factors[:, row, column] = factors[:, column, row] = factor
    _scale_added_mass(vehicle, records, factors.reshape(len(records), 36))


def _scale_added_mass(vehicle: Vehicle, records: Any, factors: Rows) -> None:
    """Multiply the added mass, and update coefficients that contain a part of it; the file's own number stays."""
    terms = [(i, term) for i, term in _placed(vehicle) if term.of_added_mass]
    before = [_added_mass_part(term, records) for _, term in terms]
    records["added_mass"] *= factors
    for (i, term), old in zip(terms, before, strict=True):
        records["coefficients"][:, i] += _added_mass_part(term, records) - old


def _mass(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["mass"] *= factor
    for field in ("moment", "inertia"):  # the first moment scales too, which keeps the centre of gravity
        records[field] *= factor[:, np.newaxis]


def _inertia(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["inertia"] *= factor[:, np.newaxis]


def _buoyancy(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["volume"] *= factor
    records["volume_moment"] *= factor[:, np.newaxis]


def _added_mass(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    _scale_added_mass(vehicle, records, factor[:, np.newaxis])


def _damping(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    symbols = {surface.symbol for surface in vehicle.surfaces}
    for i, term in _named_terms(vehicle):
        if not symbols & set(term.factors):
            records["coefficients"][:, i] *= factor
    for field in ("drag_y", "drag_z"):
        records["stations"][field] *= factor[:, np.newaxis]
    for field in lay.LIFT_DRAG.fields:
        records["lift_drag"][field.name] *= factor


def _all_thrust(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    for i in range(len(vehicle.thrusters)):
        scale_thrust(records["thrusters"][:, i], factor)


def _fins(vehicle: Vehicle, records: Any, factor: Rows) -> None:
    records["fins"]["area"] *= factor[:, np.newaxis]


_FAMILY: dict[str, Callable[[Vehicle, Any, Rows], None]] = {
    "mass": _mass, "inertia": _inertia, "buoyancy": _buoyancy, "added_mass": _added_mass,
    "damping": _damping, "thrust": _all_thrust, "fins": _fins,
}  # fmt: skip
