"""What a tether is made of: a frozen description in SI units, the same for every length of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pelagos.errors import ScenarioError
from pelagos.messages import is_number

POSITIVE = ("diameter_m", "stiffness_N", "breaking_load_N")
AT_LEAST_ZERO = ("mass_kg_m", "damping_Ns", "normal_drag", "tangential_drag", "added_mass")


@dataclass(frozen=True, kw_only=True)
class Cable:
    """One metre of tether.

    Drag per metre of length, with U the velocity of the water past the cable, split along and across it:
    rho/2 D (normal_drag |Un| Un + pi tangential_drag |Ut| Ut). Royer's C_f = 0.05 pi is tangential_drag = 0.05.
    """

    diameter_m: float
    mass_kg_m: float = 0.0  # in air; not used where neutral
    neutral: bool = False  # weighs nothing in whatever water it is in; its mass is that of the water it displaces
    stiffness_N: float = 1e6  # EA: pull per strain
    damping_Ns: float = 0.0  # BA: pull per rate of strain
    normal_drag: float = 1.2
    tangential_drag: float = 0.05
    added_mass: float = 1.0  # across the cable, times the mass of the water it displaces
    breaking_load_N: float = math.inf
    key: str = ""  # its name in the library
    name: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        """Refuse what no cable has."""
        for name in (*POSITIVE, *AT_LEAST_ZERO):
            value = getattr(self, name)
            low = value > 0.0 if name in POSITIVE and is_number(value) else is_number(value) and value >= 0.0
            if not low or (math.isinf(value) and name != "breaking_load_N"):
                kind = "a number above 0" if name in POSITIVE else "0 or a number above"
                raise ScenarioError("cable", name, value, kind)
        if not isinstance(self.neutral, bool):
            raise ScenarioError("cable", "neutral", self.neutral, "True or False")
        if not self.neutral and self.mass_kg_m == 0.0:
            raise ScenarioError("cable", "mass_kg_m", 0.0, "a number above 0, or neutral = true")

    def mass_in(self, density_kg_m3: float) -> float:
        """Mass of a metre, kg."""
        return density_kg_m3 * self.area_m2 if self.neutral else self.mass_kg_m

    def weight_in(self, density_kg_m3: float, gravity_m_s2: float) -> float:
        """Weight of a metre in the water, N; negative where it floats (errata R25)."""
        return (self.mass_in(density_kg_m3) - density_kg_m3 * self.area_m2) * gravity_m_s2

    @property
    def area_m2(self) -> float:
        """Cross section, taken as a full circle."""
        return 0.25 * math.pi * self.diameter_m**2
