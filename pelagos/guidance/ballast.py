"""The helm of a glider: a depth is reached by pumping and by shifting weight.

The buoyancy engine is neutral at the volume V0 where the displaced water weighs what the vehicle weighs,

    V0 = initial + (m - rho V) / rho

with m and V the mass and volume of everything at the start. To go down it pumps to `dive_volume_m3` < V0 and the
shifter goes ahead, so that the bow drops; to go up the other way round. Without these numbers the engine uses all of
the smaller of its two margins about V0 both ways, and the shifter 20 % of its range.
A glider cannot hold a depth. At the depth asked for, and without one, it is trimmed neutral and level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pelagos.checks import is_number
from pelagos.errors import CommandError, ScenarioError
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Ballast, Vehicle

SHIFT_SHARE = 0.2


@dataclass(frozen=True, kw_only=True)
class BallastOrders:
    """What the ballast does on the way down and up: keys of a scenario's control table."""

    engine: str = ""  # name of the buoyancy engine; the first of the vehicle if empty
    shifter: str = ""  # name of the weight that shifts fore and aft; the first if empty
    dive_volume_m3: float | None = None
    climb_volume_m3: float | None = None
    dive_shift_m: float | None = None
    climb_shift_m: float | None = None

    def __post_init__(self) -> None:
        for key in ("dive_volume_m3", "climb_volume_m3", "dive_shift_m", "climb_shift_m"):
            value = getattr(self, key)
            if value is not None and not (is_number(value) and math.isfinite(value)):
                raise ScenarioError(file="mission", key=key, value=value, expected="a number")


class BallastHelm:
    """Takes `depth_m` of a setpoint and nothing else.

    Args:
        vehicle: one with a buoyancy engine.
        orders: volumes and shifts; worked out from the vehicle where they are not given.
        density_kg_m3: of the water; that of the vehicle's file if not given.
    """

    def __init__(
        self, vehicle: Vehicle, orders: BallastOrders | None = None, density_kg_m3: float | None = None
    ) -> None:
        self.vehicle = vehicle
        orders = orders or BallastOrders()
        rho = vehicle.water.density_kg_m3 if density_kg_m3 is None else density_kg_m3
        engine = self._find("engine", orders.engine)
        if engine is None:
            raise CommandError(f"{vehicle.name} has no buoyancy engine; it cannot be flown by its ballast")
        shifter = self._find("shifter", orders.shifter)
        self.neutral_m3 = neutral_volume(vehicle, engine, rho)
        room = min(self.neutral_m3 - engine.minimum, engine.maximum - self.neutral_m3)
        if room <= 0.0:
            raise CommandError(f"{vehicle.name} cannot be trimmed neutral in water of {rho:g} kg/m3")
        down = _order(engine, "dive_volume_m3", orders.dive_volume_m3, self.neutral_m3 - room)
        up = _order(engine, "climb_volume_m3", orders.climb_volume_m3, self.neutral_m3 + room)
        self._level, self._down, self._up = self._vector(), self._vector(), self._vector()
        i = vehicle.ballast.index(engine)
        self._level[i], self._down[i], self._up[i] = self.neutral_m3, down, up
        if shifter is not None:
            ahead = SHIFT_SHARE * (shifter.maximum - shifter.initial) * math.copysign(1.0, shifter.axis_b[0])
            i = vehicle.ballast.index(shifter)
            self._down[i] = _order(shifter, "dive_shift_m", orders.dive_shift_m, shifter.initial + ahead)
            self._up[i] = _order(shifter, "climb_shift_m", orders.climb_shift_m, shifter.initial - ahead)
        self.setpoint = Setpoint()
        self.reset()

    def _vector(self) -> np.ndarray:
        return np.array([item.initial for item in self.vehicle.ballast], dtype=np.float64)

    def _find(self, kind: str, name: str) -> Ballast | None:
        """The one by that name, or the first of its kind (a shifter only if it shifts fore and aft)."""
        fits = [b for b in self.vehicle.ballast if b.kind == kind and (kind != "shifter" or abs(b.axis_b[0]) > 0.5)]
        if not name:
            return fits[0] if fits else None
        for item in fits:
            if item.name == name:
                return item
        known = ", ".join(item.name for item in fits) or "none"
        raise CommandError(f"{self.vehicle.name} has no {kind} {name!r}; it has {known}")

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Take a depth to go to; anything else is refused."""
        if setpoint is not None and changes:
            raise CommandError(f"{next(iter(changes))} is given beside a whole setpoint", expected="one or the other")
        others = [name for name, value in changes.items() if value is not None or name not in vars(self.setpoint)]
        new = setpoint if setpoint is not None else Setpoint(depth_m=changes.get("depth_m", self.setpoint.depth_m))
        for name in (*new.given, *others):
            if name != "depth_m":
                raise CommandError(f"{self.vehicle.name} cannot hold {name}: its ballast moves it up and down only")
        if new.depth_m != self.setpoint.depth_m:
            self._way = None
        self.setpoint = new
        return new

    def reset(self) -> None:
        """The way is chosen anew at the next update."""
        self._way: float | None = None  # +1 down, -1 up, 0 arrived

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Pump towards the depth; neutral when it is reached."""
        del dt
        target = self.setpoint.depth_m
        ballast = self._level
        if target is not None:
            to_go = target - float(truth.pos_n[2])
            if self._way is None:
                self._way = math.copysign(1.0, to_go)
            if self._way * to_go <= 0.0:
                self._way = 0.0
            ballast = self._down if self._way > 0.0 else self._up if self._way < 0.0 else self._level
        v = self.vehicle
        return Actuation(np.zeros(len(v.thrusters)), np.zeros(len(v.surfaces)), ballast.copy())


def neutral_volume(vehicle: Vehicle, engine: Ballast, density_kg_m3: float) -> float:
    """Setting of the engine, m3, at which the vehicle weighs what it displaces, near the surface."""
    mass = vehicle.body.mass_kg + sum(b.mass_kg + b.mass_per_unit * b.initial for b in vehicle.ballast)
    volume = vehicle.body.volume_m3 + sum(b.volume_per_unit * b.initial for b in vehicle.ballast)
    per_unit = density_kg_m3 * engine.volume_per_unit - engine.mass_per_unit
    return engine.initial + (mass - density_kg_m3 * volume) / per_unit


def _order(item: Ballast, key: str, value: float | None, otherwise: float) -> float:
    """An order inside the range of its ballast."""
    if value is None:
        return otherwise
    if not item.minimum <= value <= item.maximum:
        raise ScenarioError(
            file="mission",
            key=key,
            value=value,
            expected=f"{item.minimum:g} to {item.maximum:g}, the range of {item.name}",
        )
    return value
