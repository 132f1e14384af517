"""Depth control of a glider by buoyancy engine and shifting weight.

The buoyancy engine is neutral at the volume V0 where the displaced water weighs what the vehicle weighs,

    V0 = initial + (m - rho V) / rho

with m and V the total mass and volume at the start. To dive, the engine pumps to `dive_volume_m3` < V0 and the shifter
moves forward, so that the bow drops; to climb, the opposite. By default the engine uses the smaller of its two margins
about V0 in both directions, and the shifter 20 % of its range. A glider cannot hold a depth: at the commanded depth,
and without one, it is set neutral and level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pelagos.checks import MISSION, number
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.library import buoyancy_at_start, mass_at_start
from pelagos.vehicle.spec import Ballast, Vehicle

SHIFT_SHARE = 0.2  # default travel of the shifter, share of its range


@dataclass(frozen=True, kw_only=True)
class BallastSettings:
    """Ballast settings for diving and climbing; keys of the control table of a scenario."""

    engine: str = ""  # name of the buoyancy engine; empty: the first of the vehicle
    shifter: str = ""  # name of the weight that shifts fore and aft; empty: the first
    dive_volume_m3: float | None = None
    climb_volume_m3: float | None = None
    dive_shift_m: float | None = None
    climb_shift_m: float | None = None

    def __post_init__(self) -> None:
        for key in ("dive_volume_m3", "climb_volume_m3", "dive_shift_m", "climb_shift_m"):
            if getattr(self, key) is not None:
                number(key, getattr(self, key), context=MISSION)


class BallastController:
    """Depth controller of a glider: steers to `depth_m` of a setpoint by its ballast.

    Args:
        vehicle: a vehicle with a buoyancy engine.
        settings: volumes and shifts; missing ones are derived from the vehicle.
        density_kg_m3: density of the water; default is that of the vehicle file.
    """

    def __init__(
        self, vehicle: Vehicle, settings: BallastSettings | None = None, density_kg_m3: float | None = None
    ) -> None:
        self.vehicle = vehicle
        settings = settings or BallastSettings()
        rho = vehicle.water.density_kg_m3 if density_kg_m3 is None else density_kg_m3
        engine = self._find("engine", settings.engine)
        if engine is None:
            raise CommandError(key="vehicle", value=vehicle.name, expected="one with a buoyancy engine")
        shifter = self._find("shifter", settings.shifter)
        self.neutral_m3 = neutral_volume(vehicle, engine, rho)
        room = min(self.neutral_m3 - engine.minimum, engine.maximum - self.neutral_m3)
        if room <= 0.0:
            message = f"{vehicle.name} cannot be trimmed neutral in this water"
            raise CommandError(message, key="density_kg_m3", value=rho)
        down = _setting(engine, "dive_volume_m3", settings.dive_volume_m3, self.neutral_m3 - room)
        up = _setting(engine, "climb_volume_m3", settings.climb_volume_m3, self.neutral_m3 + room)
        self._level, self._down, self._up = (vehicle.ballast_at_start for _ in range(3))
        i = vehicle.ballast.index(engine)
        self._level[i], self._down[i], self._up[i] = self.neutral_m3, down, up
        if shifter is not None:
            ahead = SHIFT_SHARE * (shifter.maximum - shifter.initial) * math.copysign(1.0, shifter.axis_b[0])
            i = vehicle.ballast.index(shifter)
            self._down[i] = _setting(shifter, "dive_shift_m", settings.dive_shift_m, shifter.initial + ahead)
            self._up[i] = _setting(shifter, "climb_shift_m", settings.climb_shift_m, shifter.initial - ahead)
        self.setpoint = Setpoint()
        self.reset()

    def _find(self, kind: str, name: str) -> Ballast | None:
        """The ballast of that name, or the first of its kind (a shifter only if it shifts fore and aft)."""
        fits = [b for b in self.vehicle.ballast if b.kind == kind and (kind != "shifter" or abs(b.axis_b[0]) > 0.5)]
        if not name:
            return fits[0] if fits else None
        for item in fits:
            if item.name == name:
                return item
        names = [item.name for item in fits]
        raise CommandError(key=f"{kind} of {self.vehicle.name}", value=name, expected=one_of(names), names=names)

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Set the depth; any other setpoint raises a `CommandError`."""
        if setpoint is not None and changes:
            name, value = next(iter(changes.items()))
            raise CommandError("a whole setpoint is given too", key=name, value=value, expected="one or the other")
        others = [name for name, value in changes.items() if value is not None or name not in vars(self.setpoint)]
        new = setpoint if setpoint is not None else Setpoint(depth_m=changes.get("depth_m", self.setpoint.depth_m))
        for name in (*new.quantities, *others):
            if name != "depth_m":
                raise CommandError(f"{self.vehicle.name} cannot hold {name}: its ballast moves it up and down only")
        if new.depth_m != self.setpoint.depth_m:
            self._way = None
        self.setpoint = new
        return new

    def reset(self) -> None:
        """Choose the direction anew at the next update."""
        self._way: float | None = None  # +1 down, -1 up, 0 arrived

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Return the ballast for diving or climbing to the depth; neutral once it is reached."""
        del dt
        target = self.setpoint.depth_m
        ballast = self._level
        if target is not None:
            to_go = target - float(state.pos_n[2])
            if self._way is None:
                self._way = math.copysign(1.0, to_go)
            if self._way * to_go <= 0.0:
                self._way = 0.0
            ballast = self._down if self._way > 0.0 else self._up if self._way < 0.0 else self._level
        v = self.vehicle
        return Actuation(np.zeros(len(v.thrusters)), np.zeros(len(v.surfaces)), ballast.copy())


def neutral_volume(vehicle: Vehicle, engine: Ballast, density_kg_m3: float) -> float:
    """Return the volume of the engine, m3, at which the vehicle is neutrally buoyant near the surface."""
    mass, (volume, _) = mass_at_start(vehicle), buoyancy_at_start(vehicle)
    per_unit = density_kg_m3 * engine.volume_per_unit - engine.mass_per_unit
    return engine.initial + (mass - density_kg_m3 * volume) / per_unit


def _setting(item: Ballast, key: str, value: float | None, otherwise: float) -> float:
    """A setting within the range of its ballast."""
    if value is None:
        return otherwise
    expected = f"{item.minimum:g} to {item.maximum:g}, the range of {item.name}"
    return number(key, value, item.minimum, item.maximum, expected=expected, context=MISSION)
