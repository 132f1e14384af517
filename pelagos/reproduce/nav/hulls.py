"""The two published vehicles that the notes' formulas are tried on, by their three numbers and their coefficients."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from pelagos.reproduce.claim import Claim, Proof, statement, unreproducible
from pelagos.vehicle.load import load_vehicle, loads
from pelagos.vehicle.spec import Vehicle
from pelagos.vehicle.toml_text import to_toml
from pelagos.vehicle.torpedo import torpedo

# The notes write "approximately equal" and give no error, so any limit is a choice; the ratio is what to read.
FACTOR = 2.0
WHY = (
    "the notes give no error; a factor of two is our own measure of a usable first estimate, one for all rows. Read "
    "the ratio"
)


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

    def derived(self) -> Vehicle:
        """The vehicle that Pelagos makes from the three numbers."""
        return _derived(self)


@cache
def _derived(hull: Hull) -> Vehicle:
    described = torpedo(
        hull.length_m, hull.radius_m, hull.mass_kg,
        speed_m_s=hull.speed_m_s, density_kg_m3=hull.density, name=f"{hull.name} from three numbers",
    )  # fmt: skip
    return loads(to_toml(described), f"derived_{hull.key}.toml")


REMUS = Hull("remus100", "REMUS 100", 1.33, 0.0955, 299.0 / 9.81, 1030.0, 1.54)
LAUV = Hull("lauv", "LAUV", 1.08, 0.075, 18.0, 1025.0, 1.43)
HULLS = (REMUS, LAUV)
SOURCE = {
    "remus100": "Prestero 2001",
    "lauv": "da Silva et al. 2007",
}


def estimate(
    key: str, place: str, what: str, hull: Hull, published: float, ours: float, unit: str, *, proof: Proof,
    off: str = "",
) -> Claim:  # fmt: skip
    """A row for one formula and one vehicle; `off` says why an estimate is known to miss by more than the factor."""
    ratio = ours / published
    what = f"{what}, for {hull.name} ({SOURCE[hull.key]})"
    texts = f"{published:.3g} {unit}", f"{ours:.3g} {unit}, ratio {ratio:.2f}"
    numbers = {"published": published, "ours": ours, "ratio": ratio}
    if off:
        return unreproducible(f"{key}-{hull.key}", place, what, texts[0], off, ours=texts[1], numbers=numbers,
                              unit=unit, proof=proof)  # fmt: skip
    within = bool(np.isfinite(ratio) and 1.0 / FACTOR <= ratio <= FACTOR)
    return statement(f"{key}-{hull.key}", place, what, texts[0], texts[1], within, tolerance=f"a factor of {FACTOR:g}",
                     why=WHY, numbers=numbers, unit=unit, proof=proof)  # fmt: skip
