"""Units in the keys of files and their factors to SI.

A key carries its unit as a suffix: `weight_lbf`, `length_ft`, `limit_deg`. `split_key` separates quantity and unit.
Only readers and writers of files use other units; everything else is in SI. Factors are exact by definition where a
definition exists (inch, pound, knot, standard gravity); the slug follows from them: 1 slug = 1 lbf s^2/ft.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import pi

FOOT = 0.3048  # m, exact by definition, as are inch and pound
INCH = 0.0254  # m
POUND = 0.45359237  # kg
GRAVITY = 9.80665  # standard gravity, defines kgf and lbf
LBF = POUND * GRAVITY
SLUG = LBF / FOOT
KNOT = 1852.0 / 3600.0  # a nautical mile, 1852 m by definition, an hour
DEGREE = pi / 180.0
RPM = 2.0 * pi / 60.0
RPS = 2.0 * pi


@dataclass(frozen=True)
class Unit:
    """Unit of measurement: its suffix in keys, its dimension and its factor to SI."""

    suffix: str
    dimension: str
    factor: float

    @property
    def text(self) -> str:
        """The unit as people write it: "kg m2" for the suffix "kg_m2", "m/s" for "m_s"."""
        return _TEXT.get(self.suffix, self.suffix.replace("_", " "))


# dimension -> {suffix: factor to SI}; the first suffix of each dimension is the SI unit itself
_TABLE: dict[str, dict[str, float]] = {
    "length": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "in": INCH, "ft": FOOT},
    "area": {"m2": 1.0, "cm2": 1e-4, "ft2": FOOT**2, "in2": INCH**2},
    "volume": {"m3": 1.0, "cm3": 1e-6, "L": 1e-3, "ft3": FOOT**3, "in3": INCH**3},
    "mass": {"kg": 1.0, "g": 1e-3, "slug": SLUG, "lb": POUND},
    "force": {"N": 1.0, "lbf": LBF, "kgf": GRAVITY, "kN": 1e3},
    "torque": {"N_m": 1.0, "ft_lbf": FOOT * LBF},
    "inertia": {"kg_m2": 1.0, "slug_ft2": SLUG * FOOT**2, "lb_ft2": POUND * FOOT**2},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0},
    "speed": {"m_s": 1.0, "cm_s": 1e-2, "mm_s": 1e-3, "ft_s": FOOT, "in_s": INCH, "kn": KNOT},
    "acceleration": {"m_s2": 1.0, "ft_s2": FOOT},
    "angle": {"rad": 1.0, "deg": DEGREE},
    "angular rate": {"rad_s": 1.0, "deg_s": DEGREE, "rpm": RPM, "rps": RPS},
    "angular acceleration": {"rad_s2": 1.0, "deg_s2": DEGREE},
    "per angle": {"1_rad": 1.0, "1_deg": 1.0 / DEGREE},
    "frequency": {"Hz": 1.0},
    "density": {"kg_m3": 1.0, "slug_ft3": SLUG / FOOT**3, "g_cm3": 1e3},
    "viscosity": {"m2_s": 1.0, "ft2_s": FOOT**2},
    "compressibility": {"1_Pa": 1.0, "1_bar": 1e-5, "1_dbar": 1e-4},
    "voltage": {"V": 1.0},
    "power": {"W": 1.0, "kW": 1e3},
    "mass per length": {"kg_m": 1.0, "g_m": 1e-3, "lb_ft": POUND / FOOT},
    "damping": {"Ns": 1.0, "kNs": 1e3},  # pull per rate of strain; "N_s" is thrust per rate
    "mass flow": {"kg_s": 1.0, "g_s": 1e-3, "lb_s": POUND},
    "volume flow": {"m3_s": 1.0, "cm3_s": 1e-6, "L_s": 1e-3, "L_min": 1e-3 / 60.0},
    "thrust per rate": {"N_s": 1.0, "N_rpm": 1.0 / RPM, "N_rps": 1.0 / RPS},
    "thrust per rate squared": {
        "N_s2": 1.0,
        "N_rpm2": 1.0 / RPM**2,
        "N_rps2": 1.0 / RPS**2,
        "lbf_rpm2": LBF / RPM**2,
    },
    "thrust per volt": {"N_V": 1.0, "lbf_V": LBF},
    "thrust per volt squared": {"N_V2": 1.0, "lbf_V2": LBF},
    "torque per rate squared": {"N_m_s2": 1.0, "N_m_rpm2": 1.0 / RPM**2, "N_m_rps2": 1.0 / RPS**2},
    "torque per volt squared": {"N_m_V2": 1.0},
    "per speed": {"s_m": 1.0, "s_ft": 1.0 / FOOT},
    "per speed squared": {"s2_m2": 1.0, "s2_ft2": 1.0 / FOOT**2},
}

_TEXT = {
    "in": "in", "in2": "in2", "in3": "in3", "N_m": "N m", "ft_lbf": "ft lbf", "kg_m2": "kg m2", "slug_ft2": "slug ft2",
    "lb_ft2": "lb ft2", "m_s": "m/s", "cm_s": "cm/s", "mm_s": "mm/s", "ft_s": "ft/s", "in_s": "in/s", "m_s2": "m/s2",
    "ft_s2": "ft/s2", "rad_s": "rad/s", "deg_s": "deg/s", "rad_s2": "rad/s2", "deg_s2": "deg/s2", "1_rad": "1/rad",
    "1_deg": "1/deg", "kg_m3": "kg/m3", "slug_ft3": "slug/ft3", "g_cm3": "g/cm3", "m2_s": "m2/s", "ft2_s": "ft2/s",
    "1_Pa": "1/Pa", "1_bar": "1/bar", "1_dbar": "1/dbar", "kg_s": "kg/s", "g_s": "g/s", "lb_s": "lb/s",
    "m3_s": "m3/s", "cm3_s": "cm3/s", "L_s": "L/s", "L_min": "L/min", "N_s": "N/(rad/s)", "N_rpm": "N/rpm",
    "N_rps": "N/(rev/s)", "N_s2": "N/(rad/s)2", "N_rpm2": "N/rpm2", "N_rps2": "N/(rev/s)2", "lbf_rpm2": "lbf/rpm2",
    "N_V": "N/V", "lbf_V": "lbf/V", "N_V2": "N/V2", "lbf_V2": "lbf/V2", "N_m_s2": "N m/(rad/s)2",
    "N_m_rpm2": "N m/rpm2", "N_m_rps2": "N m/(rev/s)2", "N_m_V2": "N m/V2", "s_m": "s/m", "s_ft": "s/ft",
    "s2_m2": "s2/m2", "s2_ft2": "s2/ft2", "kg_m": "kg/m", "g_m": "g/m", "lb_ft": "lb/ft", "Ns": "N s", "kNs": "kN s",
}  # fmt: skip

_OF_DATA_SHEETS = {  # only as text: keys in these units have no other spelling
    "m_s_sqrt_h": "m/s/sqrt(h)", "deg_sqrt_h": "deg/sqrt(h)", "deg_h_sqrt_h": "deg/h/sqrt(h)",
    "ug_sqrt_h": "ug/sqrt(h)", "m_sqrt_h": "m/sqrt(h)", "deg_h": "deg/h", "ug": "ug", "ppm": "ppm", "mrad": "mrad",
    "rpm_sqrt_h": "rpm/sqrt(h)", "V_sqrt_h": "V/sqrt(h)", "A_sqrt_h": "A/sqrt(h)", "Ah": "Ah", "ohm": "ohm", "A": "A",
    "hz": "Hz", "kHz": "kHz",
}  # fmt: skip

UNITS: dict[str, Unit] = {
    suffix: Unit(suffix, dimension, factor) for dimension, row in _TABLE.items() for suffix, factor in row.items()
}
DIMENSIONS: tuple[str, ...] = tuple(_TABLE)
_LONGEST_FIRST = sorted(UNITS, key=len, reverse=True)


def units_of(dimension: str) -> tuple[Unit, ...]:
    """Return all units of a dimension, the SI unit first."""
    return tuple(UNITS[suffix] for suffix in _TABLE[dimension])


def si_unit(dimension: str) -> Unit:
    """Return the SI unit of a dimension."""
    return units_of(dimension)[0]


@cache
def split_key(key: str) -> tuple[str, Unit | None]:
    """Split a key into quantity and unit: "weight_lbf" -> ("weight", lbf); without a unit (key, None).

    The longest suffix wins, so "inertia_kg_m2" is an inertia in kg m2 and not "inertia_kg" in m2.
    """
    for suffix in _LONGEST_FIRST:
        if key.endswith("_" + suffix) and len(key) > len(suffix) + 1:
            return key[: -len(suffix) - 1], UNITS[suffix]
    return key, None


@cache
def unit_text(key: str) -> str:
    """Return the unit of a key as people write it, "deg/h" for "drift_deg_h"; "" for a key without unit."""
    for ending in sorted(_OF_DATA_SHEETS, key=len, reverse=True):  # "_deg_h_sqrt_h" also ends in "_sqrt_h"
        if key.endswith("_" + ending):
            return _OF_DATA_SHEETS[ending]
    unit = split_key(key)[1]
    return unit.text if unit else ""


def accepted(quantity: str, dimensions: tuple[str, ...] | list[str]) -> str:
    """List the valid keys of a quantity for an error sentence: "mass_kg, mass_g, mass_slug or mass_lb"."""
    names: list[str] = []
    for dimension in dimensions:
        names += [f"{quantity}_{unit.suffix}" for unit in units_of(dimension)] if dimension else [quantity]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def wrong_unit(key: str, dimensions: tuple[str, ...] | list[str]) -> dict[str, str]:
    """Return the fields of an error about a valid quantity in a wrong unit, such as "mass_m"."""
    quantity, unit = split_key(key)
    kind = " or ".join(dimension or "plain number" for dimension in dimensions)
    message = f'"{unit.text}" is a unit of {unit.dimension}' if unit else "the unit is missing"
    return {"message": message, "expected": f"a {kind}: {accepted(quantity, dimensions)}"}
