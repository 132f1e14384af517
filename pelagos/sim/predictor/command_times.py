"""Commands of a prediction: constant, or changed at given times; names and units as for `Simulation.thrust`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pelagos.checks import number
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation
from pelagos.sim.commands import DirectControl
from pelagos.sim.predictor.prediction import ActuatorCommands
from pelagos.vehicle.spec import Vehicle

Commands = Mapping[str, Any] | Actuation | None
CommandTimes = Commands | Sequence[tuple[float, Commands]]
GROUPS = ("thrusters", "surfaces", "ballast")
EXPECTED = (
    "commands by name such as rudder_deg, an Actuation, or a list of (seconds from the start, commands); "
    "none: as they are"
)


def command_times(
    commands: CommandTimes, vehicle: Vehicle, before: ActuatorCommands
) -> list[tuple[float, ActuatorCommands]]:
    """Commands of all actuators with their times, in s from the start, the first 0; others keep their command."""
    if commands is None or isinstance(commands, Mapping | Actuation):
        return [(0.0, commands_after(commands, vehicle, before))]
    if isinstance(commands, str) or not isinstance(commands, Sequence):
        raise CommandError(key="commands", value=commands, expected=EXPECTED)
    steps: list[tuple[float, ActuatorCommands]] = [(0.0, before)]
    for entry in commands:
        if isinstance(entry, str) or not isinstance(entry, Sequence) or len(entry) != 2:
            expected = "(seconds from the start, commands)"
            raise CommandError(key="an entry of the commands", value=entry, expected=expected)
        at_s = number("the time of a command", entry[0], 0.0)
        last_s, last = steps[-1]
        if at_s < last_s:
            expected = f"at least {last_s:g} s, the time of the command before"
            raise CommandError(key="the time of a command", value=at_s, expected=expected)
        if at_s == last_s:
            steps.pop()
        steps.append((at_s, commands_after(entry[1], vehicle, last)))
    return steps


def commands_after(commands: object, vehicle: Vehicle, before: ActuatorCommands) -> ActuatorCommands:
    """Commands of all actuators after new commands to some of them."""
    if commands is None:
        return before
    direct = DirectControl(vehicle)
    direct.thrusters, direct.surfaces, direct.ballast = before.thrusters, before.surfaces, before.ballast
    if isinstance(commands, Actuation):
        whole = {group: getattr(commands, group) for group in GROUPS if getattr(commands, group).size}
        named: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
    elif isinstance(commands, Mapping):
        whole, named = _by_group(cast("Mapping[str, Any]", commands), vehicle)
    else:
        raise CommandError(key="commands", value=commands, expected=EXPECTED)
    for group in GROUPS:
        if group in whole or named[group]:
            direct.command(group, whole.get(group), named[group])
    return ActuatorCommands(direct.thrusters, direct.surfaces, direct.ballast)


def _by_group(commands: Mapping[str, Any], vehicle: Vehicle) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Commands sorted by group: sequences for all of a group, and values by name.

    A name may stand alone or in its group: {"rudder_deg": 5} or {"surfaces": {"rudder_deg": 5}}.
    """
    names = {group: [item.name for item in getattr(vehicle, group)] for group in GROUPS}
    whole: dict[str, Any] = {}
    named: dict[str, dict[str, Any]] = {group: {} for group in GROUPS}
    for key, value in commands.items():
        if key in GROUPS:
            if isinstance(value, Mapping):
                named[key].update(cast("Mapping[str, Any]", value))
            else:
                whole[key] = value
            continue
        group = next(
            (group for group in GROUPS for name in names[group] if key == name or str(key).startswith(name + "_")), None
        )
        if group is None:
            actuators = [name for group in GROUPS for name in names[group]]
            raise CommandError("there is no actuator", value=key, expected=one_of(actuators), names=actuators)
        named[group][key] = value
    return whole, named
