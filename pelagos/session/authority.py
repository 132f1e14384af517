"""Who has the vehicle: the pilot at the helm, the mission, single actuators told by a link; or nobody, if disarmed.

Whoever takes over begins with what the actuators are told now, so that nothing jumps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pelagos.control.base import Controller
from pelagos.errors import CommandError
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

if TYPE_CHECKING:
    from pelagos.session.flight import Flight


class IdleController:
    """In place of whoever flies while nothing may turn: thrusters and surfaces at zero, ballast as it was told."""

    def __init__(self, vehicle: Vehicle, flown: Controller) -> None:
        self.flown = flown
        self._demand = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)))

    def reset(self) -> None:
        """There is nothing to forget."""

    @property
    def setpoint(self) -> Setpoint:
        """What will be held again."""
        held = getattr(self.flown, "setpoint", None)
        return held if isinstance(held, Setpoint) else Setpoint()

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Nothing turns; an empty demand leaves the ballast where it is."""
        return self._demand


def flown_by(flight: Flight) -> Controller:
    """Who has the vehicle, or would have it if it were armed."""
    now = flight.sim.controller
    return now.flown if isinstance(now, IdleController) else now


def hand_over(flight: Flight) -> None:
    """Give the vehicle to whoever it belongs to by `armed`, `direct` and `flies_mission`."""
    sim = flight.sim
    demand = sim.plant.command["demand"]
    thrusters, surfaces = len(sim.vehicle.thrusters), len(sim.vehicle.surfaces)
    doing = Actuation(demand["thruster"][:thrusters].copy(), demand["surface"][:surfaces].copy())
    to = flight.direct or (flight.mission if flight.flies_mission else flight.helm)
    assert to is not None
    take_over = getattr(getattr(to, "helm", to), "take_over", None)
    if take_over is not None:
        take_over(doing, sim.feedback())
    sim.control(to if flight.armed else IdleController(sim.vehicle, to))


def fly_mission(flight: Flight, on: bool) -> None:
    """Hand over between the pilot and the mission."""
    if flight.mission is None:
        raise CommandError("there is no mission to fly", expected="a flight of a scenario, or a route")
    if on == flight.flies_mission and flight.direct is None:
        return
    if flight.flies_mission and not on:
        flight.mission = flown_by(flight)  # an event of the scenario may have put another in its place
    flight.direct, flight.flies_mission = None, on
    hand_over(flight)


def take_helm(flight: Flight) -> None:
    """The pilot has it, whoever had it before."""
    if flight.flies_mission:
        fly_mission(flight, False)
    elif flight.direct is not None:
        flight.direct = None
        hand_over(flight)
