"""Mass, centre of mass and inertia of a body made of components (Brutzman 1994, eqs 6.55-6.60).

Body axes from the origin O, SI. Tensors carry the sign of a tensor: element (x, y) is -int x y dm, while the
products of (6.58)-(6.60) are +int x y dm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pelagos.checks import Context, number
from pelagos.errors import PelagosError
from pelagos.vehicle.spec import Matrix, Vec3


def _point_mass() -> Matrix:
    return np.zeros((3, 3))


@dataclass(frozen=True)
class Component:
    """One component of a vehicle: a battery, a hull section, a block of foam."""

    name: str
    mass_kg: float
    position_b: Vec3  # its centre of mass, m from O
    inertia_cg: Matrix = field(default_factory=_point_mass)  # 3x3 about its centre of mass, kg m^2; zero: a point


def steiner(inertia_cg: Matrix, mass: float, cg: Vec3) -> Matrix:
    """Inertia about O from the inertia about the centre of mass: I_O = I_cg + m (r.r E - r r^T), errata N15."""
    r = np.asarray(cg, dtype=float)
    return np.asarray(inertia_cg, dtype=float) + mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def about_cg(inertia_o: Matrix, mass: float, cg: Vec3) -> Matrix:
    """Inertia about the centre of mass from the inertia about O: the inverse of `steiner`."""
    r = np.asarray(cg, dtype=float)
    return np.asarray(inertia_o, dtype=float) - mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def combine(components: Sequence[Component]) -> tuple[float, Vec3, Matrix]:
    """Sum components to total mass (kg), centre of mass (m, body axes) and inertia about O (3x3, kg m^2).

    Each integral over dm in eqs 6.55-6.60 is the sum over components of mass times squared distance from O, plus the
    inertia of the component about its centre. A negative mass is a hole; the total must be positive.
    """
    if not components:
        raise PelagosError("the list is empty", file="[[component]]", expected="at least one component with a mass")
    mass = sum(c.mass_kg for c in components)
    number("sum of mass_kg", mass, 0.0, above=True, context=Context(PelagosError, "[[component]]"))
    moment = np.zeros(3)
    inertia = np.zeros((3, 3))
    for c in components:
        tensor = np.asarray(c.inertia_cg, dtype=float)
        if tensor.shape == (3,):
            tensor = np.diag(tensor)
        if tensor.shape != (3, 3):
            message, expected = f"has shape {tensor.shape}", "3 numbers or a 3x3 tensor"
            raise PelagosError(message, file=f"component '{c.name}'", key="inertia", expected=expected)
        moment += c.mass_kg * np.asarray(c.position_b, dtype=float)
        inertia += steiner(tensor, c.mass_kg, c.position_b)
    cg = moment / mass
    return float(mass), (float(cg[0]), float(cg[1]), float(cg[2])), inertia


def rigid_body_deficit(inertia_cg: Matrix) -> float:
    """Violation of the triangle inequality of a rigid body by a tensor about the centre of mass (errata B28, R22).

    For principal moments a <= b <= c every body has a + b >= c, because a + b - c = 2 int z^2 dm.
    Returns (c - a - b) / c; if positive, no mass distribution has this tensor.
    """
    a, b, c = np.linalg.eigvalsh(np.asarray(inertia_cg, dtype=float))
    return float((c - a - b) / c) if c > 0.0 else float("inf")


def inertia_of_cylinder(mass: float, radius: float, length: float) -> Matrix:
    """Inertia of a solid cylinder along x about its centre (document 002, N15).

    J_x = m r^2/2, J_y = J_z = m (3 r^2 + l^2)/12.
    """
    lateral = mass * (3.0 * radius**2 + length**2) / 12.0
    return np.diag([mass * radius**2 / 2.0, lateral, lateral])


def inertia_of_spheroid(mass: float, radius: float, length: float) -> Matrix:
    """Inertia of a solid spheroid along x about its centre.

    J_x = 2/5 m b^2, J_y = J_z = m (a^2 + b^2)/5, a = l/2, b = radius.
    """
    lateral = mass * ((length / 2.0) ** 2 + radius**2) / 5.0
    return np.diag([0.4 * mass * radius**2, lateral, lateral])


def inertia_of_box(mass: float, size: Vec3) -> Matrix:
    """Inertia of a solid box with edges (lx, ly, lz) about its centre: J_x = m (ly^2 + lz^2)/12 and so on."""
    lx, ly, lz = size
    return np.diag([ly**2 + lz**2, lx**2 + lz**2, lx**2 + ly**2]) * (mass / 12.0)
