"""Application of a robot's orders to a session: an order takes effect as a whole or not at all."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import CommandError
from pelagos.links.robot.messages import VehicleCommand
from pelagos.session.session import Session
from pelagos.sim.commands import DirectControl
from pelagos.sim.simulation import Simulation


def apply_commands(session: Session, commands: Mapping[str, VehicleCommand]) -> list[Simulation]:
    """Apply commands by the name of the vehicle ("" is the first); CommandError, and no change, if one is invalid.

    Returns:
        The simulations whose command is not empty.
    """
    sims = {name: session.vehicle_of({"vehicle": name}) for name in commands}
    steered = [(sims[name], command) for name, command in commands.items() if not command.empty]
    before = [(sim, sim.controller) for sim, _ in steered]
    try:
        for sim, command in steered:
            # A setpoint changes the controller itself: work on a copy, in case a later command is refused.
            if len(steered) > 1 and not command.direct:
                sim.controller = copy.deepcopy(sim.controller)
            _apply(session, sim, command)
    except CommandError:
        for sim, controller in before:
            sim.controller = controller
        raise
    return [sim for sim, _ in steered]


def _apply(session: Session, sim: Simulation, command: VehicleCommand) -> None:
    vehicle = {"vehicle": sim.name}
    if command.direct:
        groups = {"thrusters": command.thrusters, "surfaces": command.surfaces, "ballast": command.ballast}
        session.order("actuators", {**vehicle, **groups})
    elif command.sticks is not None:
        session.order("sticks", {**vehicle, **command.sticks})
    elif command.setpoint is not None:
        session.order("setpoint", {**vehicle, **command.setpoint})


def stop(session: Session, sim: Simulation) -> bool:
    """Stop thrusters and control surfaces of a vehicle under direct control or sticks; ballast stays.

    Returns:
        Whether it was under such control; False for a setpoint, which stays.
    """
    if not isinstance(sim.controller, Pilot | DirectControl):
        return False
    session.order("rest", {"vehicle": sim.name})
    return True
