"""Mass, centre and inertia of a body built from weighted components (Brutzman 1994, eqs 6.55-6.60).

Body axes from the origin O, SI. Tensors carry the sign of a tensor: element (x, y) is -int x y dm, while the
products of (6.58)-(6.60) are +int x y dm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pelagos.errors import PelagosError
from pelagos.vehicle.spec import Matrix, Vec3


def _point_mass() -> Matrix:
    return np.zeros((3, 3))


@dataclass(frozen=True)
class Component:
    """One piece of the vehicle: a battery, a hull section, a block of foam."""

    name: str
    mass_kg: float
    position_b: Vec3  # its centre of mass, m from O
    inertia_own: Matrix = field(default_factory=_point_mass)  # 3x3 about its own centre, kg m^2; zero: a point


def steiner(inertia_cg: Matrix, mass: float, cg: Vec3) -> Matrix:
    """Inertia about O from the inertia about the centre of mass: I_O = I_cg + m (r.r E - r r^T), errata N15."""
    r = np.asarray(cg, dtype=float)
    return np.asarray(inertia_cg, dtype=float) + mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def about_cg(inertia_o: Matrix, mass: float, cg: Vec3) -> Matrix:
    """Inertia about the centre of mass from the inertia about O: the inverse of `steiner`."""
    r = np.asarray(cg, dtype=float)
    return np.asarray(inertia_o, dtype=float) - mass * (float(r @ r) * np.eye(3) - np.outer(r, r))


def combine(components: Sequence[Component]) -> tuple[float, Vec3, Matrix]:
    """Total mass (kg), centre of mass (m, body axes) and inertia about O (3x3, kg m^2): eqs 6.55-6.60 as sums.

    Each integral over dm is the sum over components of mass times squared distance from O, plus what the
    component has about its own centre. A negative mass cuts a hole; the total must be positive.
    """
    if not components:
        raise PelagosError("[[component]]: the list is empty", expected="at least one component with a mass")
    mass = sum(c.mass_kg for c in components)
    if not mass > 0.0:
        raise PelagosError(f"[[component]]: the masses add up to {mass:g} kg", expected="more than 0")
    moment = np.zeros(3)
    inertia = np.zeros((3, 3))
    for c in components:
        own = np.asarray(c.inertia_own, dtype=float)
        if own.shape == (3,):
            own = np.diag(own)
        if own.shape != (3, 3):
            raise PelagosError(
                f"component '{c.name}': inertia has shape {own.shape}", expected="3 numbers or a 3x3 tensor"
            )
        moment += c.mass_kg * np.asarray(c.position_b, dtype=float)
        inertia += steiner(own, c.mass_kg, c.position_b)
    cg = moment / mass
    return float(mass), (float(cg[0]), float(cg[1]), float(cg[2])), inertia


def rigid_body_deficit(inertia_cg: Matrix) -> float:
    """How far a tensor breaks the triangle rule of a rigid body, relative to its largest moment (errata B28, R22).

    For principal moments a <= b <= c every body has a + b >= c, because a + b - c = 2 int z^2 dm.
    Returns (c - a - b) / c; positive means no mass distribution has this tensor. Use it about the centre of mass.
    """
    a, b, c = np.linalg.eigvalsh(np.asarray(inertia_cg, dtype=float))
    return float((c - a - b) / c) if c > 0.0 else float("inf")


def inertia_of_cylinder(mass: float, radius: float, length: float) -> Matrix:
    """Solid cylinder along x about its centre: J_x = m r^2/2, J_y = J_z = m (3 r^2 + l^2)/12 (document 002, N15)."""
    lateral = mass * (3.0 * radius**2 + length**2) / 12.0
    return np.diag([mass * radius**2 / 2.0, lateral, lateral])


def inertia_of_spheroid(mass: float, radius: float, length: float) -> Matrix:
    """Solid spheroid along x about its centre: J_x = 2/5 m b^2, J_y = J_z = m (a^2 + b^2)/5, a = l/2, b = radius."""
    lateral = mass * ((length / 2.0) ** 2 + radius**2) / 5.0
    return np.diag([0.4 * mass * radius**2, lateral, lateral])


def inertia_of_box(mass: float, size: Vec3) -> Matrix:
    """Solid box with edges (lx, ly, lz) about its centre: J_x = m (ly^2 + lz^2)/12 and so on."""
    lx, ly, lz = size
    return np.diag([ly**2 + lz**2, lx**2 + lz**2, lx**2 + ly**2]) * (mass / 12.0)
