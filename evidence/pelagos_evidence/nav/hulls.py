"""The two published vehicles that the notes' formulas are tried on, by their three numbers and their coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pelagos.files.writer import to_toml
from pelagos.vehicle.derive.torpedo import torpedo
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import VELOCITIES, Vehicle
from pelagos_evidence.claim import Claim
from pelagos_evidence.nav.printed import Array


@dataclass(frozen=True)
class Hull:
    """Length, radius and mass, the water, and the library's vehicle with the published coefficients."""

    key: str
    name: str
    length_m: float
    radius_m: float
    mass_kg: float
    density: float
    speed_m_s: float  # at which it is used

    @property
    def vehicle(self) -> Vehicle:
        """As published."""
        return load_vehicle(self.key)

    @property
    def frontal_m2(self) -> float:
        """Area seen from ahead."""
        return math.pi * self.radius_m**2

    def coefficient(self, name: str) -> float:
        """A published coefficient, SI."""
        return next(c.value for c in self.vehicle.coefficients if c.name == name)

    def damping(self, axis: int, speed: float) -> float:
        """Published damping force or moment at a speed on one axis alone, linear and quadratic, N or N m."""
        x = VELOCITIES[axis]
        named = {f"{AXES[axis]}_{x}": speed, f"{AXES[axis]}_{x}|{x}|": speed * abs(speed)}
        return sum(c.value * named[c.name] for c in self.vehicle.coefficients if c.name in named)

    def derived(self) -> Vehicle:
        """The vehicle that Pelagos makes from the three numbers by its own, finer rules."""
        return _made(self, "strips")

    def by_formula(self) -> Vehicle:
        """The same with the added mass of the notes' formulas."""
        return _made(self, "cylinder")


@cache
def _made(hull: Hull, added_mass: str) -> Vehicle:
    described = torpedo(
        hull.length_m, hull.radius_m, hull.mass_kg, speed_m_s=hull.speed_m_s, density_kg_m3=hull.density,
        name=f"{hull.name} from three numbers", added_mass=added_mass,
    )  # fmt: skip
    return loads(to_toml(described), f"derived_{hull.key}.toml")


def inertia_at_cg(vehicle: Vehicle) -> Array:
    """Inertia about the centre of gravity, kg m²; the vehicle keeps it about the origin."""
    r = np.array(vehicle.body.cg_b)
    return vehicle.body.inertia_o - vehicle.body.mass_kg * (r @ r * np.eye(3) - np.outer(r, r))


AXES = "XYZKMN"
REMUS = Hull("remus100", "REMUS 100", 1.33, 0.0955, 299.0 / 9.81, 1030.0, 1.54)
LAUV = Hull("lauv", "LAUV", 1.08, 0.075, 18.0, 1025.0, 1.43)
HULLS = (REMUS, LAUV)
SOURCE = {
    "remus100": "Prestero 2001",
    "lauv": "da Silva et al. 2007",
}


def worth(row: Claim, hull: Hull, value: float, note: str = "") -> Claim:
    """The row of a formula, with the vehicle's published value beside it: what the estimate is worth.

    The verdict stays that of the formula. The notes say "approximately" and give no error, so how near an estimate
    comes to a vehicle is told and not judged.
    """
    ours, unit = row.numbers["ours"], row.unit
    ratio = ours / value + 0.0  # no -0
    beside = f"{hull.name} ({SOURCE[hull.key]}): {value:.3g} {unit}"
    said = f"{row.ours}. {beside}, so the estimate is {ratio:.2f} times that"
    if note:
        said += f" ({note})"
    published = f"by the formula {row.published}"
    return replace(row, published=published, ours=said, numbers={**row.numbers, "vehicle": value, "ratio": ratio})
