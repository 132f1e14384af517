"""Commands to actuators by name and unit, the controller that passes them on, and the start of a vehicle.

Commands to actuators have a name and a unit, `rudder_deg=5`. A command beyond the limits of its actuator is an error;
it is never clamped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pelagos.checks import number, numbers
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation, VehicleState
from pelagos.sim import inputs
from pelagos.units import UNITS, accepted
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

# Physical dimension of a command, by drive of the thruster or unit of the ballast; a number without a unit is SI.
DRIVE_DIMENSION = {"rate": "angular rate", "voltage": "voltage", "force": "force", "throttle": ""}
BALLAST_DIMENSION = {"kg": "mass", "m3": "volume", "m": "length"}
POSITION = ("north_m", "east_m", "depth_m")
ANGLES = ("roll_deg", "pitch_deg", "heading_deg")
SPEEDS = ("surge_m_s", "sway_m_s", "heave_m_s")
LOG_UNIT = {"rate": ("rpm", 30.0 / math.pi), "voltage": ("V", 1.0), "force": ("N", 1.0), "throttle": ("throttle", 1.0)}


class DirectControl:
    """Controller that passes direct commands on to the actuators, unchanged."""

    def __init__(self, vehicle: Vehicle) -> None:
        """Start with thrusters and surfaces at zero and ballast at its initial value."""
        self.vehicle = vehicle
        self.thrusters = np.zeros(len(vehicle.thrusters))
        self.surfaces = np.zeros(len(vehicle.surfaces))
        self.ballast = vehicle.ballast_at_start

    def reset(self) -> None:
        """Restore the initial commands."""
        self.__init__(self.vehicle)

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Return the commands."""
        return Actuation(self.thrusters.copy(), self.surfaces.copy(), self.ballast.copy())

    def command(self, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]) -> None:
        """Command a group of actuators; arguments as for `actuator_commands`, without None."""
        new = getattr(self, group).copy()
        for i, value in actuator_commands(self.vehicle, group, values, named).items():
            if value is None:
                name = getattr(self.vehicle, group)[i].name
                message = "there is no controller to take over the actuator"
                raise CommandError(message, key=f"the command to {name}", value=None, expected="a number")
            new[i] = value
        setattr(self, group, new)


def actuator_commands(
    vehicle: Vehicle, group: str, values: Sequence[float] | None, named: Mapping[str, float | None]
) -> dict[int, float | None]:
    """Commands in SI units by index of the actuator, checked against its limits; None returns it to the controller.

    Args:
        vehicle: the vehicle with the actuators.
        group: "thrusters", "surfaces" or "ballast".
        values: one value for each actuator of the group, SI; or None.
        named: values by name and unit, `port_screw_rpm`; they override `values`.
    """
    actuators, kind = getattr(vehicle, group), group.removesuffix("s")
    commands: dict[int, float | None] = {}
    if values is not None:
        all_values = numbers(f"the command to all {group}", values)
        if all_values.size != len(actuators):
            expected = f"{len(actuators)}, one for each of {vehicle.name}"
            key = f"number of values in the command to all {group}"
            raise CommandError(key=key, value=all_values.size, expected=expected)
        commands.update(enumerate(all_values.tolist()))
    if group == "thrusters":
        dimensions = {t.name: DRIVE_DIMENSION[t.drive] for t in actuators}
    else:
        dimensions = {a.name: "angle" if group == "surfaces" else BALLAST_DIMENSION[a.unit] for a in actuators}
    commands |= _named_commands(named, dimensions, kind)
    for i, value in commands.items():
        if value is not None:
            low, high, unit, per = limits_of(vehicle, group, i)
            _check_limits(f"{kind} {actuators[i].name}", value, low, high, unit, per)
    return commands


def limits_of(vehicle: Vehicle, group: str, i: int) -> tuple[float, float, str, float]:
    """Lowest and highest command of an actuator in SI, the unit of the log, and the factor from SI to that unit."""
    actuator = getattr(vehicle, group)[i]
    if group == "surfaces":
        return -actuator.limit_rad, actuator.limit_rad, "deg", math.degrees(1.0)
    unit, per = LOG_UNIT[actuator.drive] if group == "thrusters" else (actuator.unit, 1.0)
    return actuator.minimum, actuator.maximum, unit, per


def _named_commands(
    named: Mapping[str, float | None], dimensions: dict[str, str], kind: str
) -> dict[int, float | None]:
    """Commands in SI by the index of their actuator; an error if one actuator has two."""
    commands: dict[int, float | None] = {}
    for key, value in named.items():
        i, command = _named_command(key, value, dimensions, kind)
        if i in commands:
            name = list(dimensions)[i]
            message = f'{kind} {name} has two commands, the second as "{key}"'
            raise CommandError(message, expected="one command for each actuator")
        commands[i] = command
    return commands


def _named_command(key: str, value: object, dimensions: dict[str, str], kind: str) -> tuple[int, float | None]:
    """Index of the actuator in `key` and its command in SI. `dimensions`: name of the actuator -> its dimension."""
    names = list(dimensions)
    if key in names:
        return names.index(key), None if value is None else number(f"{kind} {key}: the command", value)
    for name in sorted(names, key=len, reverse=True):  # a name may begin with another: "fin" and "fin_upper"
        unit = UNITS.get(key.removeprefix(name + "_")) if key.startswith(name + "_") else None
        if unit is None:
            continue
        if unit.dimension != dimensions[name]:
            message = f'{kind} {name}: "{unit.text}" is a unit of {unit.dimension}'
            bare = "" if dimensions[name] else ", a number without a unit"
            raise CommandError(message, expected=f"{accepted(name, (dimensions[name],))}{bare}")
        command = None if value is None else number(f"{kind} {name}: the command", value) * unit.factor
        return names.index(name), command
    raise CommandError(f"there is no {kind}", value=key, expected=one_of(names), names=names)


def _check_limits(actuator: str, value: float, low: float, high: float, unit: str, per: float) -> None:
    number(f"{actuator}: the command", value)  # a unit may have made it infinite
    # Relative slack: a limit that was converted to another unit and back differs in its last digits.
    if not low - 1e-9 * abs(low) <= value <= high + 1e-9 * abs(high):
        shown_value = float(f"{value * per:.6g}")  # without the digits that the conversion of units adds
        expected = f"{low * per:.6g} to {high * per:.6g}"
        raise CommandError("outside its limits", key=f"{actuator} in {unit}", value=shown_value, expected=expected)


def saturation_text(plant: Plant, group: str, i: int) -> str:
    """Text of the event for a command that exceeds the limits of its actuator."""
    actuator = getattr(plant.vehicle, group)[i]
    low, high, unit, per = limits_of(plant.vehicle, group, i)
    command = float(plant.command["actuators"][group.removesuffix("s")][i])
    got = min(max(command, low), high)
    return (
        f"{group.removesuffix('s')} {actuator.name}: the command is {command * per:.6g} {unit}, its limits are "
        f"{low * per:.6g} to {high * per:.6g} {unit}; it gets {got * per:.6g}"
    )


def command_directly(
    direct: dict[tuple[str, int], float],
    vehicle: Vehicle,
    group: str,
    values: Sequence[float] | None,
    named: Mapping[str, float | None],
) -> None:
    """Store commands to single actuators in `direct`, (group, index) -> SI value; None removes one."""
    for i, value in actuator_commands(vehicle, group, values, named).items():
        if value is None:
            direct.pop((group, i), None)
        else:
            direct[group, i] = value


def with_direct_commands(actuation: Actuation, direct: Mapping[tuple[str, int], float], plant: Plant) -> Actuation:
    """The controller's actuation, with the values of actuators that are commanded directly."""
    if not direct:
        return actuation
    parts = {name: getattr(actuation, name).copy() for name in ("thrusters", "surfaces", "ballast")}
    for (group, i), value in direct.items():
        if not parts[group].size:  # the controller leaves this group as it is
            last = plant.command["actuators"][group.removesuffix("s")]
            parts[group] = last[: len(getattr(plant.vehicle, group))].copy()
        parts[group][i] = value
    return Actuation(**parts)


def place_plant(plant: Plant, values: Mapping[str, object]) -> None:
    """Set position, attitude and velocity by the names of `inputs.PLACE_RANGE`; those that are missing or None stay."""
    checked = inputs.check_place(values)
    position_n, nu, euler = plant.position_n.copy(), plant.nu.copy(), plant.euler
    for row, names, first, per in (
        (position_n, POSITION, 0, 1.0),
        (euler, ANGLES, 0, math.radians(1.0)),
        (nu, SPEEDS, 0, 1.0),
        (nu, inputs.RATES, 3, math.radians(1.0)),
    ):
        for i, name in enumerate(names, start=first):
            if name in checked:
                row[i] = checked[name] * per
    inputs.no_held_rates(plant.vehicle, nu[3:])
    # An attitude that was not given keeps every bit: converting a quaternion to angles and back rounds it.
    plant.place(position_n=position_n, euler=euler.tolist() if checked.keys() & set(ANGLES) else None, nu=nu)
    plant.hold_in_water()
