"""How a tether is rigged: its cable, its length, the drum, the ship, and how closely it is computed.

The field names are the keys of a file: `Tether(payout="ratio", ratio=1.2)` is `payout = "ratio"`, `ratio = 1.2`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from enum import IntFlag
from typing import Any

import numpy as np

from pelagos.errors import CommandError, ScenarioError, nearest
from pelagos.messages import is_number, numbers
from pelagos.tether.cable import Cable

MODES = ("dynamic", "static", "royer")
PAYOUTS = ("fixed", "ratio", "rate", "tension")
SHIPS = ("moored", "path", "follow")
MOST_ELEMENTS = 2000

LONGEST_STEP_S = 0.1

POSITIVE = ("length_m", "step_s", "ratio", "tension_N", "drum_speed_m_s", "drum_drag_Ns_m", "shortest_m", "longest_m",
            "ship_speed_m_s", "ship_lag_s", "bottom_stiffness_N_m2")  # fmt: skip
ENDLESS = ("drum_speed_m_s", "longest_m", "ship_speed_m_s")  # may be inf
ANY_SIGN = ("rate_m_s", "ship_north_m", "ship_east_m", "ship_depth_m")
OPTIONAL = ("length_m", "drum_drag_Ns_m", "ship_north_m", "ship_east_m")  # may be None


class Status(IntFlag):
    """What is to be known of a solution; several may hold at once. Bits of engine/line.py."""

    OK = 0
    SLACK = 1  # some of it carries almost nothing
    UNLOADED = 2  # neither current nor weight: no force gives it a shape
    TAUT = 4  # the ends are farther apart than it is long
    OVERLOAD = 8  # above the breaking load, to which the pull is limited
    PARTED = 16  # broken: no pull any more
    UNREACHABLE = 32  # an inextensible cable cannot reach: the pull is a limited one along the chord
    UNDER_RESOLVED = 64  # it bends more sharply than its elements can show
    MULTI_BRANCH_POSSIBLE = 128  # found from nothing in water that runs both ways: there may be other shapes
    NOT_CONVERGED = 256  # no solution found; the pull is the last good one
    AGROUND = 512  # some of it lies on the seabed
    SNAGGED = 1024  # it touches a structure

    def __str__(self) -> str:
        """In words: "taut, aground"; "ok" where there is nothing to say."""
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
    """A cable between a ship and a vehicle.

    What is None comes from the vehicle's file (cable, fairlead, length) or from where the vehicle starts (the ship lies
    above it).
    """

    cable: Cable | str | None = None
    length_m: float | None = None
    fairlead_m: tuple[float, float, float] | None = None  # on the vehicle, body axes
    mode: str = "dynamic"
    elements: int = 50
    step_s: float = 0.02  # longest step of the cable and of its pull on the vehicle; 0.1 at most
    payout: str = "fixed"
    ratio: float = 1.5  # payout "ratio": length over distance; 1.1 is tight, 2 is loose
    rate_m_s: float = 0.0  # payout "rate": out positive
    tension_N: float = 200.0  # payout "tension": kept at the ship
    drum_speed_m_s: float = 5.0  # at most, in and out; inf: as if there were no drum, Royer's own rule
    drum_drag_Ns_m: float | None = None  # payout "tension": pull too much per speed; None: full speed at a tenth more
    shortest_m: float = 1.0
    longest_m: float = math.inf  # on the drum
    parts: bool = False  # at the breaking load; else the pull is only limited to it
    ship: str = "moored"
    ship_north_m: float | None = None
    ship_east_m: float | None = None
    ship_depth_m: float = 0.0  # of the point where the cable leaves the ship, in still water
    ship_path_m: tuple[tuple[float, float], ...] = ()  # north, east of the corners of a path
    ship_speed_m_s: float = 1.0  # along the path; at most when following, where inf is no limit
    ship_lag_s: float = 10.0  # following
    heaves: bool = True  # with the waves, if there are any
    bottom_stiffness_N_m2: float = 1e4  # per metre of cable

    def __post_init__(self) -> None:
        for name, valid in (("mode", MODES), ("payout", PAYOUTS), ("ship", SHIPS)):
            value = getattr(self, name)
            if value not in valid:
                close = nearest(value, list(valid)) if isinstance(value, str) else ""
                raise ScenarioError("tether", name, value, f"one of {', '.join(valid)}", close)
        if not isinstance(self.cable, Cable | str | None):
            raise ScenarioError("tether", "cable", self.cable, "a Cable, or the name or file of one as text")
        for name in (*POSITIVE, *ANY_SIGN):
            self._check_number(name)
        for name in ("parts", "heaves"):
            if not isinstance(getattr(self, name), bool):
                raise ScenarioError("tether", name, getattr(self, name), "True or False")
        if self.step_s > LONGEST_STEP_S:
            why = "the pull on the vehicle is refreshed only that often"
            raise ScenarioError("tether", "step_s", self.step_s, f"{LONGEST_STEP_S:g} at most: {why}")
        if (
            isinstance(self.elements, bool)
            or not isinstance(self.elements, int)
            or not 2 <= self.elements <= MOST_ELEMENTS
        ):
            raise ScenarioError("tether", "elements", self.elements, f"a whole number from 2 to {MOST_ELEMENTS}")
        if self.longest_m <= self.shortest_m:
            raise ScenarioError("tether", "longest_m", self.longest_m, f"more than shortest_m, {self.shortest_m:g}")
        if self.length_m is not None and not self.shortest_m <= self.length_m <= self.longest_m:
            span = f"from shortest_m, {self.shortest_m:g}, to longest_m, {self.longest_m:g}"
            raise ScenarioError("tether", "length_m", self.length_m, span)
        if self.ratio < 1.0:
            raise ScenarioError("tether", "ratio", self.ratio, "1 or more: the cable must reach")
        if self.fairlead_m is not None:
            expected = "three finite numbers x, y, z in m, body axes"
            object.__setattr__(self, "fairlead_m", self._numbers("fairlead_m", self.fairlead_m, 3, expected))
        self._check_path()

    def _check_number(self, name: str) -> None:
        value: Any = getattr(self, name)
        positive = name in POSITIVE
        if not is_number(value) or math.isnan(value) or (positive and value <= 0.0):
            if value is None and name in OPTIONAL:
                return
            raise ScenarioError("tether", name, _plain(value), "a positive number" if positive else "a finite number")
        if math.isinf(value) and name not in ENDLESS:
            raise ScenarioError("tether", name, value, "a finite number")

    def _check_path(self) -> None:
        expected = "at least two points of north, east in m"
        try:
            corners = tuple(self.ship_path_m)
        except TypeError:
            raise ScenarioError("tether", "ship_path_m", _plain(self.ship_path_m), expected) from None
        path = tuple(self._numbers("ship_path_m", corner, 2, expected) for corner in corners)
        if self.ship == "path" and len(path) < 2:
            raise ScenarioError("tether", "ship_path_m", _plain(self.ship_path_m), expected)
        if self.ship == "path" and math.isinf(self.ship_speed_m_s):
            raise ScenarioError("tether", "ship_speed_m_s", self.ship_speed_m_s, "a finite number along a path")
        object.__setattr__(self, "ship_path_m", path)

    def _numbers(self, name: str, values: object, count: int, expected: str) -> tuple[float, ...]:
        """So many finite numbers as a tuple; a failure names the whole setting."""
        try:
            return tuple(float(x) for x in numbers(name, values, count))
        except CommandError:
            raise ScenarioError("tether", name, _plain(getattr(self, name)), expected) from None

    def described(self) -> dict[str, Any]:
        """Every setting, for a log."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def _plain(value: Any) -> Any:
    """An array as lists, which fit into a sentence."""
    return value.tolist() if isinstance(value, np.ndarray) else value
