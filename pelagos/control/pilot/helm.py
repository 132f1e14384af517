"""The controller of a piloted flight: it combines the pilot's sticks with holds of the autopilot.

Axes without a hold follow the sticks (sticks); the autopilot controls those under a hold, and there the stick moves the
setpoint (holds). Both go into one allocation, and switching a hold causes no jump: its loop begins from the wrench of
the last tick, and the part that no loop covers fades (switching).

| hold | axes | stick |
|---|---|---|
| depth, altitude | heave (through pitch where planes do it) | 0.5 m/s |
| heading | yaw | 30 deg/s |
| position | surge, sway | 0.5 m/s in the direction of the stick |
| speed | surge | 0.2 m/s each second |
| level | roll, pitch | an angle, 20 deg at full stick, level when released |

The gain scales the sticks of axes without a hold (not the trims); `begin` sets the defaults of a flight: the default
gain (sticks), and a level hold where that needs no headway.

A vehicle without vertical thrust takes the heave stick as pitch, nose down for down. One that steers with fins needs
headway to hold anything: then the speed is held as well, from the present one, or from cruise where that is too slow
for fins. Trims are added to the sticks of axes without a hold. Where only ballast acts on heave, pitch or roll, the
stick there moves the ballast (sticks.BallastSticks).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, cast, get_args

import numpy as np

from pelagos.checks import choice, number
from pelagos.control.autopilot.autopilot import LEVEL, Autopilot
from pelagos.control.autopilot.setpoints import HoldPlan, least_speed, plan
from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW, turned
from pelagos.control.pilot.holds import EXCLUDES, QUANTITIES, Holds, Values, tilted
from pelagos.control.pilot.sticks import (
    BallastSticks,
    DirectionLimits,
    ManualCommand,
    Sticks,
    StickScaling,
    default_scaling,
)
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import WaterState
from pelagos.engine.laws import clip
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation, PilotCommand, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

Frame = Literal["body", "camera", "north"]
FRAMES: tuple[Frame, ...] = get_args(Frame)
GAINS = (0.1, 1.0)  # least and greatest gain of the sticks (a choice)
SLOW = 0.5  # of cruise: below, fins have little effect, and a vehicle that needs way takes cruise
AXES_OF = {"depth": (HEAVE,), "altitude": (HEAVE,), "heading": (YAW,), "position": (SURGE, SWAY), "speed": (SURGE,)}


class Helm:
    """Controller with the sticks, trims and holds of one vehicle.

    axes    names of the sticks that have an actuator
    """

    columns = (*(f"stick_{name}" for name in AXIS_NAMES), *(f"trim_{name}" for name in AXIS_NAMES))

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        self.vehicle = vehicle
        self.autopilot = Autopilot(vehicle, water, interval_s)
        self.schedule = s = self.autopilot.schedule
        self._sticks = Sticks(s)
        self._directed = DirectionLimits(s, self._sticks)
        back, ahead = self._sticks.limits[:, SURGE].tolist()
        self._holds = Holds(s, back / ahead if ahead > 0.0 else 0.0)
        usable = set(self._sticks.axes)
        self._heave_is_pitch = HEAVE not in usable and PITCH in usable
        free = [i for i in (HEAVE, ROLL, PITCH) if i not in usable and not (i == HEAVE and self._heave_is_pitch)]
        self._ballast = BallastSticks(vehicle, free)
        acting = usable | set(self._ballast.axes) | ({HEAVE} if self._heave_is_pitch else set())
        self.axes = tuple(name for i, name in enumerate(AXIS_NAMES) if i in acting)
        self._usable = np.array([float(i in usable) for i in range(6)])
        self._can = {
            name: any(self.autopilot.can(quantity) for quantity in quantities)
            for name, quantities in QUANTITIES.items()
        }
        self._tilts = tuple(self.autopilot.can(quantity) for quantity in QUANTITIES["level"])
        self._frame: Frame = "body"
        self._gain, self._scaling = 1.0, StickScaling()
        self.reset()

    def reset(self) -> None:
        """Centre the sticks, clear trims and holds; keep the frame and the gain of the sticks."""
        self._stick, self._trim, self._pan_rad = np.zeros(6), np.zeros(6), 0.0
        self._held: dict[str, Values] = {}
        self._pushed: frozenset[str] = frozenset()  # holds that sticks moved at the last tick
        self._way: float | None = None  # speed that is held because another hold needs headway
        self._plan, self._kept = HoldPlan(), np.zeros(6)
        self._ballast.reset()
        self.autopilot.levelled = frozenset[str]()
        self.autopilot.command(Setpoint())
        self.autopilot.reset()

    def begin(self, state: VehicleState) -> None:
        """Set the defaults of a flight: the default gain, and a level hold if that needs no headway."""
        self._scaling = default_scaling(self.schedule, self._sticks)
        self._gain = self._scaling.gain
        if self.can("level") and not self._needs_way({"level": (0.0, 0.0)}):
            self.hold("level", True, state)

    def take_over(self, actuation: Actuation, state: VehicleState) -> None:
        """Start from the last actuation of another controller: the next wrench continues from it."""
        self.autopilot.take_over(actuation, state)

    def move(self, sticks: PilotCommand, pan_rad: float = 0.0) -> None:
        """Set stick positions, and the pan angle of the camera to starboard. Sticks without an actuator do nothing."""
        self._stick, self._pan_rad = np.array(sticks.axes), number("pan_rad", pan_rad)

    @property
    def frame(self) -> Frame:
        """Frame of surge and sway: "body", "camera" (ahead is where it looks) or "north" (ahead is north)."""
        return self._frame

    @frame.setter
    def frame(self, name: str) -> None:
        choice("the frame of the sticks", name, FRAMES)
        if name != "body" and not self._directed.works:
            message = f"{self.vehicle.name} cannot move sideways"
            raise CommandError(message, key="the frame of the sticks", value=name, expected="body")
        self._frame = cast(Frame, name)

    @property
    def gain(self) -> float:
        """Gain of the sticks of axes without a hold, 0.1 to 1."""
        return self._gain

    @gain.setter
    def gain(self, factor: float) -> None:
        self._gain = number("the gain of the sticks", factor, *GAINS)

    def trim(self, **axes: float) -> None:
        """Set trims, -1..1, by the names of the sticks; the others stay."""
        new = self._trim.copy()
        for name, value in axes.items():
            if name not in AXIS_NAMES:
                raise CommandError("there is no stick", value=name, expected=one_of(AXIS_NAMES), names=AXIS_NAMES)
            new[AXIS_NAMES.index(name)] = number(f"trim of {name}", value, -1.0, 1.0)
            if value and name not in self.axes:
                message = f"{self.vehicle.name} has no actuator for {name}"
                raise CommandError(message, key=f"trim of {name}", value=value, expected=one_of(self.axes))
        self._trim = new

    @property
    def trims(self) -> dict[str, float]:
        """Trims by the names of the sticks."""
        return dict(zip(AXIS_NAMES, self._trim.tolist(), strict=True))

    def can(self, name: str) -> bool:
        """Whether the vehicle can hold depth, heading, ...; to begin, an altitude also needs an echo of the bottom."""
        return self._can.get(name, False)

    @property
    def modes(self) -> dict[str, bool]:
        """Whether each hold is on, by name."""
        return {name: name in self._held or (name == "speed" and self._way is not None) for name in QUANTITIES}

    def hold(self, name: str, on: bool, state: VehicleState, value: float | Sequence[float] | None = None) -> None:
        """Switch a hold on or off.

        Args:
            name: depth, altitude, heading, position, level or speed.
            on: True switches it on.
            state: the present state.
            value: m, deg, m/s; north and east of a position. If None, where the vehicle comes to rest.
        """
        if name not in QUANTITIES:
            raise CommandError("there is no hold", value=name, expected=one_of(QUANTITIES), names=QUANTITIES)
        held = {other: values for other, values in self._held.items() if other != name}
        if on:
            held.pop(EXCLUDES.get(name, ""), None)
            if name == "altitude" and math.isnan(state.altitude_m):
                message = f"{self.vehicle.name} cannot hold altitude: no bottom is in sight"
                raise CommandError(message, key="altitude_m", value=state.altitude_m)
            held[name] = self._begin(name, held, state) if value is None else self._holds.checked(name, value, state)
        elif name == "speed" and self.modes["speed"] and self._needs_way(held):
            others = ", ".join(held)
            message = f"{self.vehicle.name} needs way to hold {others}"
            raise CommandError(message, key="hold speed", value=False, expected=f"{others} to be released first")
        self._take(held, state)

    @property
    def setpoint(self) -> Setpoint:
        """The setpoint of all holds."""
        return self.autopilot.setpoint

    def values(self) -> list[float]:
        """Sticks with their trims added, and the trims; in the order of `columns`."""
        return [*self._applied().tolist(), *self._trim.tolist()]

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Compute the actuator commands for the next dt seconds."""
        if "level" in self._held or self._pushed or (self._held and self._stick.any()):
            self._push(state, dt)
        self.autopilot.manual = self._manual(state)
        actuation = self.autopilot.update(state, dt)
        if not self._ballast.axes:
            return actuation
        self._ballast.move(self._scaled(), dt)
        return Actuation(actuation.thrusters, actuation.surfaces, self._ballast.command.copy())

    def _quantities(self, held: dict[str, Values], by_planes: bool) -> dict[str, float]:
        """Quantities of the setpoint of holds; pitch is left out where it controls the depth."""
        values = {key: v for name, row in held.items() for key, v in zip(QUANTITIES[name], row, strict=True)}
        for key, able in zip(QUANTITIES["level"], self._tilts, strict=True):
            if not able or (by_planes and key == "pitch_deg"):
                values.pop(key, None)
        return values

    def _planned(self, held: dict[str, Values]) -> tuple[HoldPlan, dict[str, float]]:
        """Plan the loops of holds, and their quantities; CommandError if the vehicle cannot hold them."""
        if not held:
            return HoldPlan(), {}
        plain = {name: v for name, v in held.items() if name != "level"}
        by_planes = plan(self.schedule, Setpoint(**self._quantities(plain, False))).by_planes if plain else False
        quantities = self._quantities(held, by_planes)
        return plan(self.schedule, Setpoint(**quantities)), quantities

    def _needs_way(self, held: dict[str, Values]) -> bool:
        """Whether other holds need a speed to be held."""
        others = {name: v for name, v in held.items() if name != "speed"}
        return "position" not in held and self._planned(others)[0].speed is not None

    def _begin(self, name: str, held: dict[str, Values], state: VehicleState) -> Values:
        """Initial value of a hold."""
        if name == "speed" and self._way is not None:
            return (self._way,)
        first = self._holds.begin(name, state, False)  # a first value, for the plan
        by_planes = self._planned({**held, name: first})[0].by_planes
        return self._holds.begin(name, state, by_planes)

    def _take(self, held: dict[str, Values], state: VehicleState) -> None:
        """Replace the holds; on CommandError nothing changes."""
        hold_plan, quantities = self._planned(held)
        way = None
        if hold_plan.speed is not None and "speed" not in held and "position" not in held:
            now = float(state.nu_r[0])
            slow = max(SLOW * hold_plan.speed, least_speed(self.schedule, hold_plan.by_planes))
            way = self._way if self._way is not None else hold_plan.speed if now < slow else now
            hold_plan, quantities = self._planned({**held, "speed": (way,)})
        autopilot = self.autopilot
        # `command` reads `levelled`: it is set before, and restored if the command is refused.
        levelled, autopilot.levelled = autopilot.levelled, (
            LEVEL if hold_plan.by_planes or "level" in held else frozenset[str]()
        )  # fmt: skip
        try:
            autopilot.command(Setpoint(**quantities))
        except CommandError:
            autopilot.levelled = levelled
            raise
        self._held, self._way, self._plan = held, way, hold_plan
        self._kept = np.zeros(6)
        for name in held:
            self._kept[list(AXES_OF.get(name, ()))] = 1.0
        if autopilot.levelled:
            self._kept[[ROLL, PITCH]] = 1.0
        if way is not None:
            self._kept[SURGE] = 1.0

    def _turn(self, state: VehicleState) -> float:
        """Angle from the bow to the direction of the surge stick, to starboard, rad."""
        return {"body": 0.0, "camera": self._pan_rad, "north": -state.yaw}[self._frame]

    def _applied(self) -> np.ndarray:
        return np.clip(self._stick + self._trim, -1.0, 1.0)

    def _scaled(self) -> np.ndarray:
        return np.clip(self._stick * (self._gain * self._scaling.shares) + self._trim, -1.0, 1.0)

    def _manual(self, state: VehicleState) -> ManualCommand:
        """Command of the sticks on the axes without a hold."""
        stick = self._scaled()
        if self._frame != "body":
            stick[:2] = self._directed.shares(stick[SURGE], stick[SWAY], self._turn(state))
        if self._heave_is_pitch:
            stick[PITCH] = clip(stick[PITCH] - stick[HEAVE], -1.0, 1.0)
        stick *= self._usable * (1.0 - self._kept)
        thrust = self._sticks.wrench(stick)
        if self._scaling.turn_rad_s and stick[YAW]:
            thrust[YAW] = self._turning(float(thrust[YAW]), state)
        return ManualCommand(thrust, self._sticks.angles(stick), self._sticks.surface_limits)

    def _turning(self, moment: float, state: VehicleState) -> float:
        """Yaw moment of the stick, with rate feedback.

        The moment of a slow turn is small, and a current exceeds it. So it grows with the error of the rate of turn, by
        the damping gain of the heading loop and in proportion to the stick, up to the gain times the limit.
        """
        stick = float(self._stick[YAW])
        missing = stick * self._gain * self._scaling.turn_rad_s - float(state.nu[YAW])
        moment += abs(stick) * self.schedule.stage(float(state.nu_r[0])).yaw.kd * missing
        low, high = (self._gain * self._sticks.limits[:, YAW]).tolist()
        return clip(moment, -low, high)

    def _push(self, state: VehicleState, dt: float) -> None:
        """Move the setpoints of holds by the sticks; a value that the vehicle cannot hold is dropped."""
        surge, sway, heave, roll, pitch, yaw = self._stick.tolist()
        holds, held, way, turn = self._holds, dict(self._held), self._way, self._turn(state)
        planes = self._plan.by_planes
        moves = {"depth": heave, "altitude": heave, "heading": yaw, "position": surge or sway}
        pushed = frozenset(name for name in held if moves.get(name))
        for name in self._pushed - pushed:
            if name in held:
                held[name] = holds.let_go(name, held[name], state, planes)
        self._pushed = pushed
        for name in pushed:
            values = held[name]
            if name == "heading":
                held[name] = (holds.turned(values[0], yaw, state, dt),)
            elif name == "position":
                size = max(1.0, math.hypot(surge, sway))
                held[name] = holds.shifted(values, turned(surge / size, sway / size, turn + state.yaw), state, dt)
            else:
                held[name] = (holds.deeper(name, values[0], heave, state, planes, dt),)
        if "level" in held:
            nose = clip(pitch - heave, -1.0, 1.0) if self._heave_is_pitch else pitch
            held["level"] = tilted(held["level"], (roll, nose), dt)
        ahead = turned(surge, sway, turn)[0]
        if ahead and "speed" in held:
            least = least_speed(self.schedule, planes) if self._needs_way(held) else holds.slowest
            held["speed"] = (holds.faster(held["speed"][0], ahead, least, dt),)
        elif ahead and way is not None:
            self._way = holds.faster(way, ahead, least_speed(self.schedule, planes), dt)
        if held != self._held or way != self._way:
            try:
                self._take(held, state)
            except CommandError:
                self._way = way
