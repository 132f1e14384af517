"""Descriptions of a tether: `Cable`, its properties per metre; `Tether`, length, winch, ship and numerical resolution.

The field names are the keys of a file: `Tether(payout="ratio", ratio=1.2)` is `payout = "ratio"`, `ratio = 1.2`. All
values are in SI units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import IntFlag
from typing import Any

from pelagos.checks import CABLE, TETHER, choice, flag, number, numbers, whole

MODES = ("dynamic", "static", "royer")
PAYOUTS = ("fixed", "ratio", "rate", "tension")
SHIPS = ("moored", "path", "follow")
MOST_ELEMENTS = 2000
LONGEST_STEP_S = 0.1
# plausible range of each number: values beyond those of any real system only cost computing time
RANGES = {
    "length_m": (1e-3, 1e5),
    "step_s": (1e-5, LONGEST_STEP_S),
    "ratio": (1.0, 100.0),
    "tension_N": (1e-6, 1e9),
    "drum_speed_m_s": (1e-9, 1e3),
    "drum_drag_Ns_m": (1e-9, 1e12),
    "shortest_m": (1e-3, 1e5),
    "longest_m": (1e-3, 1e5),
    "ship_speed_m_s": (1e-9, 1e3),
    "ship_lag_s": (1e-6, 1e6),
    "bottom_stiffness_N_m2": (1e-6, 1e12),
    "rate_m_s": (-1e3, 1e3),
    "ship_north_m": (-1e7, 1e7),
    "ship_east_m": (-1e7, 1e7),
    "ship_depth_m": (-1e3, 12000.0),
}
WHY = {"step_s": "the pull on the vehicle is refreshed only that often", "ratio": "the cable must reach"}
ENDLESS = ("drum_speed_m_s", "longest_m", "ship_speed_m_s")  # may be inf
OPTIONAL = ("length_m", "drum_drag_Ns_m", "ship_north_m", "ship_east_m")  # may be None
CABLE_POSITIVE = ("diameter_m", "stiffness_N", "breaking_load_N")
CABLE_AT_LEAST_ZERO = ("mass_kg_m", "damping_Ns", "normal_drag", "tangential_drag", "added_mass")


@dataclass(frozen=True, kw_only=True)
class Cable:
    """Properties of a cable per metre of length.

    Drag per metre, with U the velocity of the water relative to the cable, split along and across it:
    rho/2 D (normal_drag |Un| Un + pi tangential_drag |Ut| Ut). Royer's C_f = 0.05 pi is tangential_drag = 0.05.
    """

    diameter_m: float
    mass_kg_m: float = 0.0  # in air; not used if neutral
    neutral: bool = False  # weightless in any water; its mass is that of the displaced water
    stiffness_N: float = 1e6  # EA: tension per strain
    damping_Ns: float = 0.0  # BA: tension per strain rate
    normal_drag: float = 1.2
    tangential_drag: float = 0.05
    added_mass: float = 1.0  # across the cable, relative to the mass of displaced water
    breaking_load_N: float = math.inf
    key: str = ""  # its name in the library
    name: str = ""
    summary: str = ""

    def __post_init__(self) -> None:
        """Validate the properties."""
        for name in (*CABLE_POSITIVE, *CABLE_AT_LEAST_ZERO):
            endless = name == "breaking_load_N"
            number(name, getattr(self, name), 0.0, above=name in CABLE_POSITIVE, infinite=endless, context=CABLE)
        flag("neutral", self.neutral, context=CABLE)
        if not self.neutral and self.mass_kg_m == 0.0:
            CABLE.fail("mass_kg_m", value=0.0, expected="a number above 0, or neutral = true")

    def mass_in(self, density_kg_m3: float) -> float:
        """Return the mass per metre in water of this density, kg/m."""
        return density_kg_m3 * self.area_m2 if self.neutral else self.mass_kg_m

    def weight_in(self, density_kg_m3: float, gravity_m_s2: float) -> float:
        """Return the weight per metre in water, N/m; negative if it floats (errata R25)."""
        return (self.mass_in(density_kg_m3) - density_kg_m3 * self.area_m2) * gravity_m_s2

    @property
    def area_m2(self) -> float:
        """Cross section of a circular cable."""
        return 0.25 * math.pi * self.diameter_m**2


class Status(IntFlag):
    """Status flags of a tether solution, which can be combined; bits of engine/cable/layout.py."""

    OK = 0
    SLACK = 1  # part of the cable carries almost no tension
    UNLOADED = 2  # neither current nor weight: the shape is undetermined
    TAUT = 4  # the distance of the ends exceeds the unstretched length
    OVERLOAD = 8  # above the breaking load, which limits the force
    PARTED = 16  # broken or cut: no force
    UNREACHABLE = 32  # an inextensible cable cannot reach: a limited force acts along the chord
    UNDER_RESOLVED = 64  # sharper bends than the elements resolve
    MULTI_BRANCH_POSSIBLE = 128  # found without a start value in opposing currents: other shapes may exist
    NOT_CONVERGED = 256  # no solution; the force is the last converged one
    AGROUND = 512  # part of the cable lies on the seabed
    SNAGGED = 1024  # the cable touches a structure

    def __str__(self) -> str:
        """Return the flags in words: "taut, aground"; "ok" without flags."""
        return ", ".join(WORDS[bit] for bit in self) or "ok"


WORDS: dict[Status, str] = {
    Status.SLACK: "slack",
    Status.UNLOADED: "unloaded",
    Status.TAUT: "taut",
    Status.OVERLOAD: "overload",
    Status.PARTED: "parted",
    Status.UNREACHABLE: "unreachable",
    Status.UNDER_RESOLVED: "under-resolved",
    Status.MULTI_BRANCH_POSSIBLE: "other shapes possible",
    Status.NOT_CONVERGED: "not converged",
    Status.AGROUND: "aground",
    Status.SNAGGED: "snagged",
}


@dataclass(frozen=True, kw_only=True)
class Tether:
    """Settings of a tether between a ship and a vehicle.

    Values of None come from the vehicle file (cable, fairlead, length) or from the start of the vehicle (the ship lies
    above it).
    """

    cable: Cable | str | None = None
    length_m: float | None = None
    fairlead_m: tuple[float, float, float] | None = None  # on the vehicle, body axes
    mode: str = "dynamic"
    elements: int = 50
    step_s: float = 0.02  # longest step of the cable and of its force on the vehicle; at most 0.1
    payout: str = "fixed"
    ratio: float = 1.5  # payout "ratio": length over distance; 1.1 is tight, 2 is loose
    rate_m_s: float = 0.0  # payout "rate": out positive
    tension_N: float = 200.0  # payout "tension": held at the ship
    drum_speed_m_s: float = 5.0  # limit in and out; inf: no drum dynamics, as Royer
    drum_drag_Ns_m: float | None = None  # payout "tension": excess tension per speed; None: 10 % at full speed
    shortest_m: float = 1.0
    longest_m: float = math.inf  # on the drum
    parts: bool = False  # breaks at the breaking load; otherwise the force is limited to it
    ship: str = "moored"
    ship_north_m: float | None = None
    ship_east_m: float | None = None
    ship_depth_m: float = 0.0  # of the point where the cable leaves the ship, in still water
    ship_path_m: tuple[tuple[float, float], ...] = ()  # north, east of the corners of a path
    ship_speed_m_s: float = 1.0  # along the path; limit when following, where inf is allowed
    ship_lag_s: float = 10.0  # time constant when following
    heaves: bool = True  # the ship moves vertically with the waves
    bottom_stiffness_N_m2: float = 1e4  # per metre of cable

    def __post_init__(self) -> None:
        for name, valid in (("mode", MODES), ("payout", PAYOUTS), ("ship", SHIPS)):
            choice(name, getattr(self, name), valid, context=TETHER)
        if not isinstance(self.cable, Cable | str | None):
            TETHER.fail("cable", value=self.cable, expected="a Cable, or the name or file of one as text")
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if value is not None or name not in OPTIONAL:
                why = f"a number from {low:g} to {high:g}: {WHY[name]}" if name in WHY else ""
                number(name, value, low, high, infinite=name in ENDLESS, expected=why, context=TETHER)
        for name in ("parts", "heaves"):
            flag(name, getattr(self, name), context=TETHER)
        whole("elements", self.elements, 2, MOST_ELEMENTS, context=TETHER)
        if self.longest_m <= self.shortest_m:
            expected = f"more than shortest_m, {self.shortest_m:g}"
            TETHER.fail("longest_m", value=self.longest_m, expected=expected)
        if self.length_m is not None and not self.shortest_m <= self.length_m <= self.longest_m:
            expected = f"a length from shortest_m, {self.shortest_m:g}, to longest_m, {self.longest_m:g}"
            TETHER.fail("length_m", value=self.length_m, expected=expected)
        if self.fairlead_m is not None:
            expected = "three finite numbers x, y, z in m, body axes"
            # the value as checked: the record is frozen once __post_init__ ends
            object.__setattr__(self, "fairlead_m", _numbers("fairlead_m", self.fairlead_m, 3, expected))
        self._check_path()

    def _check_path(self) -> None:
        expected = "at least two points of north, east in m"
        try:
            corners = tuple(self.ship_path_m)
        except TypeError:
            TETHER.fail("ship_path_m", value=self.ship_path_m, expected=expected)
        path = tuple(_numbers(f"ship_path_m[{k}]", corner, 2, "north, east in m") for k, corner in enumerate(corners))
        if self.ship == "path" and len(path) < 2:
            TETHER.fail("ship_path_m", value=self.ship_path_m, expected=expected)
        if self.ship == "path" and math.isinf(self.ship_speed_m_s):
            TETHER.fail("ship_speed_m_s", value=self.ship_speed_m_s, expected="a finite number along a path")
        # the value as checked: the record is frozen once __post_init__ ends
        object.__setattr__(self, "ship_path_m", path)

    def described(self) -> dict[str, Any]:
        """Return all settings, for a log."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def _numbers(name: str, values: object, count: int, expected: str) -> tuple[float, ...]:
    return tuple(numbers(name, values, count, expected=expected, context=TETHER).tolist())
