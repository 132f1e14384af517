"""Orders to a simulation: setpoints, sticks, single actuators, a controller of one's own, a place to start from.

Direct orders to single actuators, by name, in the unit the caller writes: checked, never clamped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Never

import numpy as np

from pelagos.checks import is_number, number, numbers
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation, VehicleState
from pelagos.sim import inputs
from pelagos.units import UNITS, accepted
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

# What an order may be given in: a number without a unit is SI.
DRIVE_DIMENSION = {"rate": "angular rate", "voltage": "voltage", "force": "force", "throttle": ""}
BALLAST_DIMENSION = {"kg": "mass", "m3": "volume", "m": "length"}
LOG_UNIT = {"rate": ("rpm", 30.0 / math.pi), "voltage": ("V", 1.0), "force": ("N", 1.0), "throttle": ("throttle", 1.0)}


class DirectControl:
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

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """The orders, unchanged."""
        return Actuation(self.thrusters.copy(), self.surfaces.copy(), self.ballast.copy())

    def thrust(self, drives: Sequence[float] | None, named: Mapping[str, float]) -> None:
        """All thrusters in order (SI drive units), or some by name with a unit: port_screw_rpm=700."""
        self.order("thrusters", drives, named)

    def deflect(self, angles: Sequence[float] | None, named: Mapping[str, float]) -> None:
        """All surfaces in order (rad), or some by name with a unit: rudder_deg=5."""
        self.order("surfaces", angles, named)

    def set_ballast(self, named: Mapping[str, float]) -> None:
        """Ballast by name with a unit: buoyancy_engine_cm3=200."""
        self.order("ballast", None, named)

    def order(self, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]) -> None:
        """Orders to a group of actuators: "thrusters", "surfaces" or "ballast"."""
        new = getattr(self, group).copy()
        for i, value in orders_to(self.vehicle, group, values, named).items():
            if value is None:
                name = getattr(self.vehicle, group)[i].name
                raise CommandError(
                    f"the order to {name} is None, but no controller would take it over", expected="a number"
                )
            new[i] = value
        setattr(self, group, new)


def orders_to(
    vehicle: Vehicle, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]
) -> dict[int, float | None]:
    """Orders in SI, inside the limits, by the index of their actuator; None gives it back to the controller.

    `group` is "thrusters", "surfaces" or "ballast"; `values` are for all of it, `named` for some, with a unit.
    """
    actuators, what = getattr(vehicle, group), group.removesuffix("s")
    told: dict[int, float | None] = {}
    if values is not None:
        every = numbers(f"the order to all {group}", values)
        if every.size != len(actuators):
            raise CommandError(f"{vehicle.name} has {len(actuators)} {group}, {every.size} values were given")
        told.update(enumerate(every.tolist()))
    if group == "thrusters":
        taken = {t.name: DRIVE_DIMENSION[t.drive] for t in actuators}
    else:
        taken = {a.name: "angle" if group == "surfaces" else BALLAST_DIMENSION[a.unit] for a in actuators}
    told |= _ordered(named, taken, what)
    for i, value in told.items():
        if value is not None:
            low, high, unit, per = limits_of(vehicle, group, i)
            _within(f"{what} {actuators[i].name}", value, low, high, unit, per)
    return told


def limits_of(vehicle: Vehicle, group: str, i: int) -> tuple[float, float, str, float]:
    """Lowest and highest demand of an actuator in SI, the unit of the log, and how many of it are one SI unit."""
    actuator = getattr(vehicle, group)[i]
    if group == "surfaces":
        return -actuator.limit_rad, actuator.limit_rad, "deg", math.degrees(1.0)
    unit, per = LOG_UNIT[actuator.drive] if group == "thrusters" else (actuator.unit, 1.0)
    return actuator.minimum, actuator.maximum, unit, per


def _ordered(named: Mapping[str, float | None], taken: dict[str, str], what: str) -> dict[int, float | None]:
    """Orders in SI by the index of their actuator, each told once."""
    told: dict[int, float | None] = {}
    for key, value in named.items():
        i, order = _order(key, value, taken, what)
        if i in told:
            raise CommandError(f"{what} {list(taken)[i]} is ordered twice, once as {key}", expected="one order each")
        told[i] = order
    return told


def _order(key: str, value: object, taken: dict[str, str], what: str) -> tuple[int, float | None]:
    """Index of the actuator a key names, and the order in SI. `taken`: actuator -> the dimension it takes."""
    names = list(taken)
    if key in names:
        return names.index(key), None if value is None else number(f"{what} {key}: the order", value)
    for name in sorted(names, key=len, reverse=True):
        unit = UNITS.get(key.removeprefix(name + "_")) if key.startswith(name + "_") else None
        if unit is None:
            continue
        if unit.dimension != taken[name]:
            said = f'{what} {name}: "{unit.text}" is a unit of {unit.dimension}'
            bare = "" if taken[name] else ", a number without a unit"
            raise CommandError(said, expected=f"{accepted(name, (taken[name],))}{bare}")
        order = None if value is None else number(f"{what} {name}: the order", value) * unit.factor
        return names.index(name), order
    raise CommandError(f"there is no {what}", value=key, expected=one_of(names), names=names)


def _within(what: str, value: float, low: float, high: float, unit: str, per: float) -> None:
    if not math.isfinite(value):
        raise CommandError(key=f"{what}: the order", value=value, expected="a finite number")
    if not low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high):
        raise CommandError(
            f"{what}: {value * per:.6g} {unit} is outside its limits {low * per:.6g} to {high * per:.6g}"
        )


def saturation(plant: Plant, group: str, i: int) -> str:
    """What is told of a command that the limits of an actuator cut off."""
    actuator = getattr(plant.vehicle, group)[i]
    low, high, unit, per = limits_of(plant.vehicle, group, i)
    demand = float(plant.command["demand"][group.removesuffix("s")][i])
    got = min(max(demand, low), high)
    return (
        f"{group.removesuffix('s')} {actuator.name}: the command is {demand * per:.6g} {unit}, its limits are "
        f"{low * per:.6g} to {high * per:.6g} {unit}; it gets {got * per:.6g}"
    )


# ---- ordered ---------------------------------------------------------------------------------------------------------


class Ordered:
    """The part of a simulation that takes orders."""

    vehicle: Vehicle
    world: World
    plant: Plant
    controller: Controller
    interval_s: float
    _external: inputs.External
    _actuation: Actuation
    _orders: dict[tuple[str, int], float]  # to single actuators while a controller has the others: group, index
    _start_checked: bool

    def state(self) -> VehicleState:
        """The exact motion now."""
        raise NotImplementedError

    @property
    def water(self) -> inputs.Density:
        """Density and gravity in force."""
        return inputs.Density(float(self.plant.water["density"]), float(self.plant.water["gravity"]))

    def command(self, **setpoints: float | None) -> None:
        """Autopilot: depth_m or altitude_m, heading_deg, speed_m_s, pitch_deg, roll_deg, north_m with east_m.

        What is not named stays as it was; None lets go of a quantity.
        """
        depth = setpoints.get("depth_m")
        deepest = float(self.world.bottom_m(*self.plant.position_n[:2]))
        if depth is not None and is_number(depth) and depth > deepest:
            raise CommandError(f"the water is {deepest:g} m deep here", key="setpoint depth_m", value=depth)
        present = self.controller
        held = isinstance(present, Autopilot)
        autopilot = present if held else Autopilot(self.vehicle, self.water, self.interval_s)
        autopilot.command(None, **setpoints)
        if autopilot is not self.controller:
            self._hand_over(autopilot)
            self._orders.clear()
        self.controller = autopilot

    def _hand_over(self, autopilot: Autopilot) -> None:
        """Let an autopilot that comes in begin with what the actuators do now."""
        take_over = getattr(autopilot, "take_over", None)
        if take_over is not None:
            take_over(self._actuation, self.state())

    def pilot(self, **sticks: float) -> None:
        """Sticks, -1..1: surge, sway, heave (down), roll, pitch, yaw. What is not named is centred."""
        pilot = self.controller if isinstance(self.controller, Pilot) else Pilot(self.vehicle, self.water)
        pilot.command(None, **sticks)
        if pilot is not self.controller:
            self._orders.clear()
        self.controller = pilot

    def thrust(self, drives: Sequence[float] | None = None, **named: float | None) -> None:
        """Thrusters directly: all in order (rad/s, V, N or throttle), or by name: port_screw_rpm=700.

        A controller that flies keeps the other actuators; None gives one back to it.
        """
        self._direct("thrusters", drives, named)

    def deflect(self, angles: Sequence[float] | None = None, **named: float | None) -> None:
        """Surfaces directly: all in order (rad), or by name: rudder_deg=5. A controller keeps the rest."""
        self._direct("surfaces", angles, named)

    def ballast(self, **named: float | None) -> None:
        """Ballast directly, by name: buoyancy_engine_cm3=200. A controller keeps the rest, see `thrust`."""
        self._direct("ballast", None, named)

    def control(self, controller: Controller) -> None:
        """Hand all actuators over to any object with reset() and update(truth, dt)."""
        self.controller = inputs.check_controller(controller)
        self._orders.clear()

    def external(self, wrench: inputs.External) -> None:
        """A force of your own: X Y Z (N) and K M N (N m) in body axes about O, or a function of the truth.

        A function is called once per control interval and its value held; for a force inside the kernel see
        `pelagos.engine.core.extend`.
        """
        self._external = inputs.check_external(wrench)

    def place(
        self,
        *,
        north_m: float | None = None,
        east_m: float | None = None,
        depth_m: float | None = None,
        roll_deg: float | None = None,
        pitch_deg: float | None = None,
        heading_deg: float | None = None,
        surge_m_s: float | None = None,
        sway_m_s: float | None = None,
        heave_m_s: float | None = None,
        roll_rate_deg_s: float | None = None,
        pitch_rate_deg_s: float | None = None,
        yaw_rate_deg_s: float | None = None,
        **unknown: Never,
    ) -> None:
        """Put the vehicle somewhere, moving as told; what is not given stays.

        Velocities are over ground in body axes, with the names and signs of the log's columns.
        """
        position = {"north_m": north_m, "east_m": east_m, "depth_m": depth_m}
        angles = {"roll_deg": roll_deg, "pitch_deg": pitch_deg, "heading_deg": heading_deg}
        speeds = {"surge_m_s": surge_m_s, "sway_m_s": sway_m_s, "heave_m_s": heave_m_s}
        rates = {
            "roll_rate_deg_s": roll_rate_deg_s, "pitch_rate_deg_s": pitch_rate_deg_s, "yaw_rate_deg_s": yaw_rate_deg_s,
        }  # fmt: skip
        told = inputs.check_place({**position, **angles, **speeds, **rates, **unknown})
        plant = self.plant
        euler, position_n, nu = plant.euler, plant.position_n.copy(), plant.nu.copy()
        for values, first, names, per in (
            (position_n, 0, position, 1.0),
            (euler, 0, angles, math.radians(1.0)),
            (nu, 0, speeds, 1.0),
            (nu, 3, rates, math.radians(1.0)),
        ):
            for i, name in enumerate(names, start=first):
                if name in told:
                    values[i] = told[name] * per
        inputs.no_held_rates(self.vehicle, nu[3:])
        # an attitude that was not given keeps every bit: a quaternion does not survive the way through angles
        plant.place(position_n=position_n, euler=euler.tolist() if told.keys() & angles.keys() else None, nu=nu)
        plant.hold_in_water()
        self._start_checked = False

    def _direct(self, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]) -> None:
        if isinstance(self.controller, DirectControl):
            self.controller.order(group, values, named)
            return
        for i, value in orders_to(self.vehicle, group, values, named).items():
            if value is None:
                self._orders.pop((group, i), None)
            else:
                self._orders[group, i] = value

    def _with_orders(self, demand: Actuation) -> Actuation:
        """What the controller demands, with the actuators that were ordered directly."""
        if not self._orders:
            return demand
        parts = {name: getattr(demand, name).copy() for name in ("thrusters", "surfaces", "ballast")}
        for (group, i), value in self._orders.items():
            if not parts[group].size:  # the controller leaves this group as it is
                there = self.plant.command["demand"][group.removesuffix("s")]
                parts[group] = there[: len(getattr(self.vehicle, group))].copy()
            parts[group][i] = value
        return Actuation(**parts)
