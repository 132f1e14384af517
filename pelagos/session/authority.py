"""Control authority of a flight: the pilot's helm, the mission, a link that commands actuators, or none (disarmed).

At every hand-over the new controller starts from the present actuator commands, so that no actuator jumps. Only the
thread that ticks the flight may call these functions: they replace the controller of the simulation.
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
    """The controller of a disarmed vehicle: thrusters and control surfaces at zero, ballast unchanged.

    `suspended` is the controller that continues when the vehicle is armed again.
    """

    def __init__(self, vehicle: Vehicle, suspended: Controller) -> None:
        self.suspended = suspended
        self._rest = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)))

    def reset(self) -> None:
        """Do nothing: the controller has no state."""

    @property
    def setpoint(self) -> Setpoint:
        """The setpoint of the suspended controller, which holds it again once armed."""
        held = getattr(self.suspended, "setpoint", None)
        return held if isinstance(held, Setpoint) else Setpoint()

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Zero for thrusters and control surfaces; without ballast commands the ballast stays where it is."""
        return self._rest


def active_controller(flight: Flight) -> Controller:
    """The controller that steers the vehicle, or would steer it if the vehicle were armed."""
    controller = flight.sim.controller
    return controller.suspended if isinstance(controller, IdleController) else controller


def hand_over(flight: Flight) -> None:
    """Give control to the controller that `armed`, `direct` and `flies_mission` of the flight select."""
    sim = flight.sim
    command = sim.plant.command["actuators"]
    thrusters, surfaces = len(sim.vehicle.thrusters), len(sim.vehicle.surfaces)
    # Copies: the next tick overwrites the record of the plant.
    present = Actuation(command["thruster"][:thrusters].copy(), command["surface"][:surfaces].copy())
    controller = flight.direct or (flight.mission if flight.flies_mission else flight.helm)
    assert controller is not None
    # A mission steers through an autopilot in its attribute `helm`: that is the part with integrators to preset.
    take_over = getattr(getattr(controller, "helm", controller), "take_over", None)
    if take_over is not None:
        take_over(present, sim.feedback())
    sim.control(controller if flight.armed else IdleController(sim.vehicle, controller))


def fly_mission(flight: Flight, on: bool) -> None:
    """Give control to the mission, or back to the pilot."""
    if flight.mission is None:
        raise CommandError("there is no mission to fly", expected="a flight of a scenario, or a route")
    if on == flight.flies_mission and flight.direct is None:
        return
    if flight.flies_mission and not on:
        flight.mission = active_controller(flight)  # an event of the scenario may have replaced it
    flight.direct, flight.flies_mission = None, on
    hand_over(flight)


def take_helm(flight: Flight) -> None:
    """Give control to the pilot, whichever controller had it."""
    if flight.flies_mission:
        fly_mission(flight, False)
    elif flight.direct is not None:
        flight.direct = None
        hand_over(flight)
