"""Direct orders to single actuators, by name, in the unit the caller writes: checked, never clamped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pelagos.errors import CommandError, nearest
from pelagos.messages import Actuation, Truth, number, numbers
from pelagos.units import UNITS, accepted
from pelagos.vehicle.spec import Vehicle

# What an order may be given in: a number without a unit is SI.
DRIVE_DIMENSION = {"rate": "angular rate", "voltage": "voltage", "force": "force", "throttle": ""}
BALLAST_DIMENSION = {"kg": "mass", "m3": "volume", "m": "length"}
LOG_UNIT = {"rate": ("rpm", 30.0 / math.pi), "voltage": ("V", 1.0), "force": ("N", 1.0), "throttle": ("throttle", 1.0)}


class Direct:
    """A controller that holds what it was told."""

    def __init__(self, vehicle: Vehicle) -> None:
        """Thrusters and surfaces at zero, ballast where the file starts it."""
        self.vehicle = vehicle
        self.thrusters = np.zeros(len(vehicle.thrusters))
        self.surfaces = np.zeros(len(vehicle.surfaces))
        self.ballast = np.array([item.initial for item in vehicle.ballast], dtype=float)

    def reset(self) -> None:
        """Back to zero."""
        self.__init__(self.vehicle)

    def update(self, truth: Truth, dt: float) -> Actuation:
        """The orders, unchanged."""
        return Actuation(self.thrusters.copy(), self.surfaces.copy(), self.ballast.copy())

    def thrust(self, drives: Sequence[float] | None, named: dict[str, float]) -> None:
        """All thrusters in order (SI drive units), or some by name with a unit: port_screw_rpm=700."""
        new = self._all("thrusters", drives, self.thrusters)
        taken = {t.name: DRIVE_DIMENSION[t.drive] for t in self.vehicle.thrusters}
        for i, value in _ordered(named, taken, "thruster").items():
            new[i] = value
        for t, drive in zip(self.vehicle.thrusters, new, strict=True):
            unit, per = LOG_UNIT[t.drive]
            _within(f"thruster {t.name}", drive, t.minimum, t.maximum, unit, per)
        self.thrusters = new

    def deflect(self, angles: Sequence[float] | None, named: dict[str, float]) -> None:
        """All surfaces in order (rad), or some by name with a unit: rudder_deg=5."""
        new = self._all("surfaces", angles, self.surfaces)
        taken = {s.name: "angle" for s in self.vehicle.surfaces}
        for i, value in _ordered(named, taken, "surface").items():
            new[i] = value
        for s, angle in zip(self.vehicle.surfaces, new, strict=True):
            _within(f"surface {s.name}", angle, -s.limit_rad, s.limit_rad, "deg", math.degrees(1.0))
        self.surfaces = new

    def trim(self, named: dict[str, float]) -> None:
        """Ballast by name with a unit: buoyancy_engine_cm3=200."""
        new = self.ballast.copy()
        taken = {b.name: BALLAST_DIMENSION[b.unit] for b in self.vehicle.ballast}
        for i, value in _ordered(named, taken, "ballast").items():
            new[i] = value
        for b, value in zip(self.vehicle.ballast, new, strict=True):
            _within(f"ballast {b.name}", value, b.minimum, b.maximum, b.unit, 1.0)
        self.ballast = new

    def _all(self, what: str, values: Sequence[float] | None, present: Any) -> Any:
        if values is None:
            return present.copy()
        new = numbers(f"the order to all {what}", values).copy()
        if new.shape != present.shape:
            raise CommandError(f"{self.vehicle.name} has {present.size} {what}, {new.size} values were given")
        return new


def _ordered(named: dict[str, float], taken: dict[str, str], what: str) -> dict[int, float]:
    """Orders in SI by the index of their actuator, each told once."""
    told: dict[int, float] = {}
    for key, value in named.items():
        i, order = _order(key, value, taken, what)
        if i in told:
            raise CommandError(f"{what} {list(taken)[i]} is ordered twice, once as {key}; expected one order each")
        told[i] = order
    return told


def _order(key: str, value: object, taken: dict[str, str], what: str) -> tuple[int, float]:
    """Index of the actuator a key names, and the order in SI. `taken`: actuator -> the dimension it takes."""
    names = list(taken)
    if key in names:
        return names.index(key), number(f"{what} {key}: the order", value)
    for name in sorted(names, key=len, reverse=True):
        unit = UNITS.get(key.removeprefix(name + "_")) if key.startswith(name + "_") else None
        if unit is None:
            continue
        if unit.dimension != taken[name]:
            said = f'{what} {name}: "{unit.text}" is a unit of {unit.dimension}'
            bare = "" if taken[name] else ", a number without a unit"
            raise CommandError(f"{said}; expected {accepted(name, (taken[name],))}{bare}")
        return names.index(name), number(f"{what} {name}: the order", value) * unit.factor
    close = nearest(key, names)
    hint = f'; did you mean "{close}"?' if close else ""
    raise CommandError(f"there is no {what} {key!r}; this vehicle has {', '.join(names) or 'none'}{hint}")


def _within(what: str, value: float, low: float, high: float, unit: str, per: float) -> None:
    if not math.isfinite(value):
        raise CommandError(f"{what}: the order is {value}; expected a finite number")
    if not low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high):
        raise CommandError(
            f"{what}: {value * per:.6g} {unit} is outside its limits {low * per:.6g} to {high * per:.6g}"
        )
