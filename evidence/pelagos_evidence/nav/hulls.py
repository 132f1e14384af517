"""The two published vehicles to which the notes' formulas are applied: three numbers and the coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pelagos.files.writer import to_toml
from pelagos.vehicle.derive.torpedo import torpedo
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import AXES, VELOCITIES, Vehicle
from pelagos_evidence.claim import Claim, Row, number
from pelagos_evidence.rows import Array


@dataclass(frozen=True)
class Hull:
    """Length, radius and mass, the water, and the library's vehicle with the published coefficients."""

    key: str
    name: str
    source: str  # of its coefficients
    length_m: float
    radius_m: float
    mass_kg: float
    density: float
    speed_m_s: float  # at which it is used

    @property
    def vehicle(self) -> Vehicle:
        """The vehicle of the library with the published coefficients."""
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
        """The derived vehicle with the added mass of the notes' formulas."""
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


REMUS = Hull("remus100", "REMUS 100", "Prestero 2001", 1.33, 0.0955, 299.0 / 9.81, 1030.0, 1.54)
LAUV = Hull("lauv", "LAUV", "da Silva et al. 2007", 1.08, 0.075, 18.0, 1025.0, 1.43)
HULLS = (REMUS, LAUV)


def estimate(
    row: Row,
    published: float,
    ours: float,
    unit: str,
    *,
    hull: Hull,
    vehicle: float,
    absolute: float | None = None,
    relative: float | None = None,
    why: str,
    notes: dict[str, str] | None = None,
    shown: str = "",
) -> Claim:
    """A number by a formula of the notes, with the published number of a vehicle and the ratio of the two beside it.

    The verdict is that of the formula. The notes say "approximately" and give no error, so the ratio is not judged.

    Args:
        row: the fields of all claims.
        published: the number by the printed formula.
        ours: that of the vehicle made from three numbers.
        unit: of all three.
        hull: the vehicle the formula is tried on.
        vehicle: its published number.
        absolute: as in `number`.
        relative: as in `number`.
        why: as in `Claim`.
        notes: remarks on the ratio, by key of the hull.
        shown: what is printed, where that is no number.
    """
    claim = number(row, published, ours, unit, absolute=absolute, relative=relative, why=why)
    ratio = ours / vehicle + 0.0  # no -0
    note = (notes or {}).get(hull.key)
    return replace(
        claim,
        published=shown or f"by the formula {claim.published}",
        ours=f"{claim.ours}. {hull.name} ({hull.source}): {vehicle:.3g} {unit}, so the estimate is {ratio:.2f} times "
        "that" + (f" ({note})" if note else ""),
        numbers={**claim.numbers, "vehicle": vehicle, "ratio": ratio},
    )
