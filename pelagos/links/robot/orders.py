"""Application of a robot's orders to simulations: an order takes effect as a whole or not at all.

The effect is that of the calls `sim.thrust`, `sim.deflect`, `sim.ballast`, `sim.command` and `sim.pilot`, to the last
bit.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.base import Controller
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.guidance.mission import Mission
from pelagos.links.robot.messages import VehicleCommand
from pelagos.messages import Setpoint
from pelagos.session.source import unknown
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation


def apply_commands(sims: Sequence[Simulation], commands: Mapping[str, VehicleCommand]) -> list[Simulation]:
    """Apply commands by the name of the vehicle ("" is the first); CommandError, and no change, if one is invalid.

    Returns:
        The simulations whose command is not empty.
    """
    by_name = {sim.name: sim for sim in sims}
    steered: list[tuple[Simulation, VehicleCommand]] = []
    for name, command in commands.items():
        if name and name not in by_name:
            raise unknown("there is no vehicle", name, tuple(by_name))
        if not command.empty:
            steered.append((by_name[name] if name else sims[0], command))
    before = [(sim, sim.controller) for sim, _ in steered]
    try:
        for sim, command in steered:
            # A setpoint changes the controller itself: work on a copy, in case a later command is refused.
            if len(steered) > 1 and not command.direct:
                sim.controller = copy.deepcopy(sim.controller)
            _apply(sim, command)
    except CommandError:
        for sim, controller in before:
            sim.controller = controller
        raise
    return [sim for sim, _ in steered]


def _apply(sim: Simulation, command: VehicleCommand) -> None:
    if command.direct:
        sim.control(_direct(sim, command))
    elif command.sticks is not None:
        sim.pilot(**command.sticks)
    elif command.setpoint is not None:
        _set_setpoint(sim, command.setpoint)


def _direct(sim: Simulation, command: VehicleCommand) -> DirectControl:
    """Make a controller that holds the commands; earlier commands to other actuators stay."""
    present = sim.controller
    direct = copy.copy(present) if isinstance(present, DirectControl) else DirectControl(sim.vehicle)
    if command.thrusters:
        direct.thrust(None, dict(command.thrusters))
    if command.surfaces:
        direct.deflect(None, dict(command.surfaces))
    if command.ballast:
        direct.set_ballast(dict(command.ballast))
    return direct


def _set_setpoint(sim: Simulation, setpoint: Mapping[str, float | None]) -> None:
    """Set the setpoint of the present controller; a mission ends, and its controller continues with the setpoint.

    A controller without setpoints is replaced by an autopilot.
    """
    present: Controller = sim.controller
    controller: Any = present.controller if isinstance(present, Mission) else present
    if not isinstance(getattr(controller, "setpoint", None), Setpoint):
        sim.command(**setpoint)
        return
    sim.controller = controller
    try:
        if isinstance(controller, Autopilot):
            sim.command(**setpoint)
        else:
            controller.command(None, **setpoint)
    except CommandError:
        sim.controller = present
        raise


def stop(sim: Simulation) -> bool:
    """Stop thrusters and control surfaces of a vehicle under direct control or sticks; ballast stays.

    Returns:
        Whether it was under such control; False for a setpoint, which stays.
    """
    present = sim.controller
    if isinstance(present, Pilot):
        sim.pilot()
        return True
    if isinstance(present, DirectControl):
        stopped = copy.copy(present)
        stopped.thrusters, stopped.surfaces = np.zeros_like(present.thrusters), np.zeros_like(present.surfaces)
        sim.control(stopped)
        return True
    return False
