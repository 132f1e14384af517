"""Control authority: who steers the vehicle of a session.

One state machine. TRANSITIONS names the state that follows a `Signal`; a signal that it does not name leaves the state.
While the vehicle is disarmed, the machine remembers in `steers` who steers once it is armed again.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from pelagos.control.base import Controller
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle


class Authority(Enum):
    """Who steers, or why nobody does."""

    PILOT = "pilot"  # the helm follows the sticks and its holds
    MISSION = "mission"  # the legs or the controller of a scenario, or the legs of a route
    PROGRAM = "program"  # another program commands actuators or setpoints
    FAILSAFE = "failsafe"  # the link to the pilot is lost: the helm keeps its holds, with centred sticks
    DISARMED = "disarmed"  # thrusters and surfaces rest
    WAITING = "waiting"  # simulated time stands still until the pilot or a program acts
    WAITING_DISARMED = "waiting_disarmed"  # the same, with thrusters and surfaces at rest


class Signal(Enum):
    """What may change the authority."""

    START = "start"  # a stick moves, or an order starts the flight
    TAKE_HELM = "take_helm"  # the pilot takes over, or a mission ends
    FLY_MISSION = "fly_mission"
    COMMAND = "command"  # another program commands actuators
    ARM = "arm"
    DISARM = "disarm"
    LINK_LOST = "link_lost"
    LINK_BACK = "link_back"


TRANSITIONS: dict[Authority, dict[Signal, Authority]] = {
    Authority.WAITING: {
        Signal.START: Authority.PILOT,
        Signal.FLY_MISSION: Authority.MISSION,
        Signal.COMMAND: Authority.PROGRAM,
        Signal.ARM: Authority.PILOT,
        Signal.DISARM: Authority.WAITING_DISARMED,
    },
    Authority.PILOT: {
        Signal.FLY_MISSION: Authority.MISSION,
        Signal.COMMAND: Authority.PROGRAM,
        Signal.DISARM: Authority.DISARMED,
        Signal.LINK_LOST: Authority.FAILSAFE,
    },
    Authority.MISSION: {
        Signal.TAKE_HELM: Authority.PILOT,
        Signal.DISARM: Authority.DISARMED,
    },
    Authority.PROGRAM: {
        Signal.TAKE_HELM: Authority.PILOT,
        Signal.FLY_MISSION: Authority.MISSION,
        Signal.DISARM: Authority.DISARMED,
    },
    Authority.FAILSAFE: {
        Signal.START: Authority.PILOT,
        Signal.TAKE_HELM: Authority.PILOT,
        Signal.FLY_MISSION: Authority.MISSION,
        Signal.COMMAND: Authority.PROGRAM,
        Signal.DISARM: Authority.DISARMED,
        Signal.LINK_BACK: Authority.PILOT,
    },
    Authority.WAITING_DISARMED: {
        Signal.START: Authority.DISARMED,
        Signal.FLY_MISSION: Authority.DISARMED,
        Signal.COMMAND: Authority.DISARMED,
    },
    Authority.DISARMED: {},
}
AT_REST = (Authority.DISARMED, Authority.WAITING_DISARMED)  # both return to `steers` on ARM
STILL = (Authority.WAITING, Authority.WAITING_DISARMED)  # simulated time stands still
STEERING = (Authority.PILOT, Authority.MISSION, Authority.PROGRAM)
HAND_OVERS = (Signal.TAKE_HELM, Signal.FLY_MISSION, Signal.COMMAND)  # at rest these change who steers once armed


class ControlAuthority:
    """The state machine of one vehicle.

    state   who steers now
    steers  PILOT, MISSION or PROGRAM: who steers, or steers once the vehicle is armed
    """

    def __init__(self, state: Authority) -> None:
        self.state = state
        self.steers = state if state in STEERING else Authority.PILOT

    def __repr__(self) -> str:
        return f"authority {self.state.value}, steered by {self.steers.value}"

    @property
    def armed(self) -> bool:
        """Whether thrusters and surfaces follow who steers."""
        return self.state not in AT_REST

    @property
    def waits(self) -> bool:
        """Whether simulated time stands still until the pilot or a program acts."""
        return self.state in STILL

    def apply(self, signal: Signal) -> bool:
        """Make the transition of a signal; True if another controller must take over."""
        before = self.armed, self.steers
        if self.state in AT_REST and signal in HAND_OVERS:
            self.steers = TRANSITIONS[self.steers].get(signal, self.steers)
        if self.state in AT_REST and signal is Signal.ARM:
            self.state = self.steers
        else:
            self.state = TRANSITIONS[self.state].get(signal, self.state)
        if self.state in STEERING:
            self.steers = self.state
        elif self.state is Authority.FAILSAFE:
            self.steers = Authority.PILOT
        return (self.armed, self.steers) != before


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
