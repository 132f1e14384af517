"""What a robot orders, given to simulations: all of an order or nothing of it.

The same calls in a program of one's own (`sim.thrust`, `sim.deflect`, `sim.ballast`, `sim.command`, `sim.pilot`) do the
same to the last bit.
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


def give(sims: Sequence[Simulation], wishes: Mapping[str, VehicleCommand]) -> list[Simulation]:
    """Let the simulations have their orders; who was told something. CommandError, and nothing done, if one cannot."""
    named = {sim.name: sim for sim in sims}
    told: list[tuple[Simulation, VehicleCommand]] = []
    for name, wish in wishes.items():
        if name and name not in named:
            raise unknown("there is no vehicle", name, tuple(named))
        if not wish.empty:
            told.append((named[name] if name else sims[0], wish))
    before = [(sim, sim.controller) for sim, _ in told]
    try:
        for sim, wish in told:
            if len(told) > 1 and not wish.direct:  # should a later one be refused, this one was told nothing
                sim.controller = copy.deepcopy(sim.controller)
            _give(sim, wish)
    except CommandError:
        for sim, controller in before:
            sim.controller = controller
        raise
    return [sim for sim, _ in told]


def _give(sim: Simulation, wish: VehicleCommand) -> None:
    if wish.direct:
        sim.control(_direct(sim, wish))
    elif wish.sticks is not None:
        sim.pilot(**wish.sticks)
    elif wish.setpoint is not None:
        _command(sim, wish.setpoint)


def _direct(sim: Simulation, wish: VehicleCommand) -> DirectControl:
    """A controller that holds the orders; those of single actuators before stay, where there were any."""
    present = sim.controller
    direct = copy.copy(present) if isinstance(present, DirectControl) else DirectControl(sim.vehicle)
    if wish.thrusters:
        direct.thrust(None, dict(wish.thrusters))
    if wish.surfaces:
        direct.deflect(None, dict(wish.surfaces))
    if wish.ballast:
        direct.set_ballast(dict(wish.ballast))
    return direct


def _command(sim: Simulation, setpoint: Mapping[str, float | None]) -> None:
    """Tell whoever holds setpoints on board; a mission ends with it, and where nobody does an autopilot comes."""
    present: Controller = sim.controller
    helm: Any = present.helm if isinstance(present, Mission) else present
    if not isinstance(getattr(helm, "setpoint", None), Setpoint):
        sim.command(**setpoint)
        return
    sim.controller = helm
    try:
        if isinstance(helm, Autopilot):
            sim.command(**setpoint)
        else:
            helm.command(None, **setpoint)
    except CommandError:
        sim.controller = present
        raise


def stop(sim: Simulation) -> bool:
    """The robot is silent: thrusters and surfaces to rest, ballast as it is. A setpoint goes on being held: False."""
    present = sim.controller
    if isinstance(present, Pilot):
        sim.pilot()
        return True
    if isinstance(present, DirectControl):
        still = copy.copy(present)
        still.thrusters, still.surfaces = np.zeros_like(present.thrusters), np.zeros_like(present.surfaces)
        sim.control(still)
        return True
    return False
