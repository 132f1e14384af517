"""The controller of a piloted flight: sticks and autopilot at once.

Axes that nothing holds follow the sticks (sticks); those under a hold are flown by the autopilot, and there the stick
moves what is held (holds). Both go into one allocation, and a hold that goes on or off does not jump: its loop begins
from the wrench of the last tick, and what no loop answers for fades (switching).

| hold | axes | stick |
|---|---|---|
| depth, altitude | heave (through pitch where planes do it) | 0.5 m/s |
| heading | yaw | 30 deg/s |
| position | surge, sway | 0.5 m/s in the direction of the stick |
| speed | surge | 0.2 m/s each second |
| level | roll, pitch | an angle, 20 deg at full stick, level when let go |

The gain scales sticks where nothing is held (not the trims); `begin` sets what a pilot finds: the usual gain (sticks),
and level held where that takes no way.

A vehicle without vertical thrust takes the heave stick as pitch, nose down for down. One that steers with fins needs
way to hold anything: then the speed is held as well, from the present one, or from cruise where that is too slow for
fins. Trims are added to the sticks where these act themselves, not where something is held. Where nothing but ballast
acts on heave, pitch or roll, the stick there moves that (ballast_sticks).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from pelagos.checks import number
from pelagos.control.autopilot.autopilot import LEVEL, Autopilot
from pelagos.control.autopilot.setpoints import HoldPlan, least_speed, plan
from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.pilot.holds import PUTS_OUT, QUANTITIES, Holds, Values, tilted
from pelagos.control.pilot.sticks import (
    BallastSticks,
    DirectionLimits,
    ManualCommand,
    Sticks,
    StickScaling,
    turned,
    usual,
)
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import WaterState
from pelagos.engine.laws import clip
from pelagos.errors import CommandError
from pelagos.messages import Actuation, PilotCommand, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

Frame = Literal["body", "camera", "north"]
FRAMES: tuple[Frame, ...] = get_args(Frame)
GAINS = (0.1, 1.0)
SLOW = 0.5  # of cruise: below, fins do little, and a vehicle that needs way takes cruise
AXES_OF = {"depth": (HEAVE,), "altitude": (HEAVE,), "heading": (YAW,), "position": (SURGE, SWAY), "speed": (SURGE,)}


class Helm:
    """Sticks, trims and holds of one vehicle.

    axes    names of the sticks that do something
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
        self._gain, self._ease = 1.0, StickScaling()
        self.reset()

    def reset(self) -> None:
        """As new: sticks in the middle, no trims, nothing held; the frame and the gain of the sticks stay."""
        self._stick, self._trim, self._pan_rad = np.zeros(6), np.zeros(6), 0.0
        self._held: dict[str, Values] = {}
        self._pushed: frozenset[str] = frozenset()  # holds that sticks moved at the last tick
        self._way: float | None = None  # speed held because something else needs way
        self._plan, self._kept = HoldPlan(), np.zeros(6)
        self._ballast.reset()
        self.autopilot.levelled = frozenset[str]()
        self.autopilot.command(Setpoint())
        self.autopilot.reset()

    def begin(self, state: VehicleState) -> None:
        """As a pilot finds it: sticks at the usual gain, and level held if the vehicle can do that without way."""
        self._ease = usual(self.schedule, self._sticks)
        self._gain = self._ease.gain
        if self.can("level") and not self._needs_way({"level": (0.0, 0.0)}):
            self.hold("level", True, state)

    def take_over(self, actuation: Actuation, state: VehicleState) -> None:
        """Begin from what another controller did last; what is held from now on goes on from there."""
        self.autopilot.take_over(actuation, state)

    # What the pilot does ------------------------------------------------------------------------------------------

    def move(self, sticks: PilotCommand, pan_rad: float = 0.0) -> None:
        """Take stick positions, and where the camera looks, to starboard of the bow. Those without use do nothing."""
        self._stick, self._pan_rad = np.array(sticks.axes), number("pan_rad", pan_rad)

    @property
    def frame(self) -> Frame:
        """What surge and sway mean: "body", "camera" (ahead is where it looks) or "north" (ahead is north)."""
        return self._frame

    @frame.setter
    def frame(self, name: str) -> None:
        if name not in FRAMES:
            raise CommandError(key="the frame of the sticks", value=name, names=FRAMES)
        if name != "body" and not self._directed.works:
            raise CommandError(f"{self.vehicle.name} cannot move sideways; its sticks stay in the frame body")
        self._frame = name

    @property
    def gain(self) -> float:
        """What the sticks are scaled by where nothing is held, 0.1 to 1."""
        return self._gain

    @gain.setter
    def gain(self, factor: float) -> None:
        self._gain = number("the gain of the sticks", factor, *GAINS)

    def trim(self, **axes: float) -> None:
        """Set trims, -1..1, by the names of the sticks; what is not named stays."""
        new = self._trim.copy()
        for name, value in axes.items():
            if name not in AXIS_NAMES:
                raise CommandError(
                    f"there is no stick {name!r} to trim",
                    expected=f"one of {', '.join(AXIS_NAMES)}",
                    names=AXIS_NAMES,
                    misspelt=name,
                )
            new[AXIS_NAMES.index(name)] = number(f"trim of {name}", value, -1.0, 1.0)
            if value and name not in self.axes:
                able = ", ".join(self.axes) or "none"
                raise CommandError(f"{self.vehicle.name} has nothing that acts in {name}; it has sticks for: {able}")
        self._trim = new

    @property
    def trims(self) -> dict[str, float]:
        """Trims by the names of the sticks."""
        return dict(zip(AXIS_NAMES, self._trim.tolist(), strict=True))

    def can(self, what: str) -> bool:
        """Whether the vehicle can hold something; altitude: if it sees a bottom."""
        return self._can.get(what, False)

    @property
    def modes(self) -> dict[str, bool]:
        """What is held, by name."""
        return {name: name in self._held or (name == "speed" and self._way is not None) for name in QUANTITIES}

    def hold(self, what: str, on: bool, state: VehicleState, value: float | Sequence[float] | None = None) -> None:
        """Hold something from now on, or let it go.

        Args:
            what: depth, altitude, heading, position, level or speed.
            on: True holds it.
            state: the motion now.
            value: m, deg, m/s; north and east of a position. If None, where the vehicle comes to rest.
        """
        if what not in QUANTITIES:
            raise CommandError(
                "there is no hold", value=what, expected=f"one of {', '.join(QUANTITIES)}", names=QUANTITIES
            )
        held = {name: v for name, v in self._held.items() if name != what}
        if on:
            held.pop(PUTS_OUT.get(what, ""), None)
            if what == "altitude" and math.isnan(state.altitude_m):
                raise CommandError(f"{self.vehicle.name} cannot hold altitude: no bottom is in sight")
            held[what] = self._begin(what, held, state) if value is None else self._holds.checked(what, value, state)
        elif what == "speed" and self.modes["speed"] and self._needs_way(held):
            others = ", ".join(held)
            raise CommandError(f"{self.vehicle.name} needs way to hold {others}; let go of that first")
        self._take(held, state)

    @property
    def setpoint(self) -> Setpoint:
        """What is held."""
        return self.autopilot.setpoint

    def values(self) -> list[float]:
        """Sticks as they act, with their trims, and the trims; in the order of `columns`."""
        return [*self._applied().tolist(), *self._trim.tolist()]

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Demands for the next dt seconds."""
        if "level" in self._held or self._pushed or (self._held and self._stick.any()):
            self._push(state, dt)
        self.autopilot.by_hand = self._by_hand(state)
        demand = self.autopilot.update(state, dt)
        if not self._ballast.axes:
            return demand
        self._ballast.move(self._scaled(), dt)
        return Actuation(demand.thrusters, demand.surfaces, self._ballast.demand.copy())

    # Holds --------------------------------------------------------------------------------------------------------

    def _wish(self, held: dict[str, Values], by_planes: bool) -> dict[str, float]:
        """Quantities of a setpoint; pitch is not free to be held where it makes the depth."""
        wish = {name: v for what, values in held.items() for name, v in zip(QUANTITIES[what], values, strict=True)}
        for name, able in zip(QUANTITIES["level"], self._tilts, strict=True):
            if not able or (by_planes and name == "pitch_deg"):
                wish.pop(name, None)
        return wish

    def _planned(self, held: dict[str, Values]) -> tuple[HoldPlan, dict[str, float]]:
        """How holds would be flown, and the quantities; CommandError with a sentence if they cannot be."""
        if not held:
            return HoldPlan(), {}
        plain = {name: v for name, v in held.items() if name != "level"}
        by_planes = plan(self.schedule, Setpoint(**self._wish(plain, False))).by_planes if plain else False
        wish = self._wish(held, by_planes)
        return plan(self.schedule, Setpoint(**wish)), wish

    def _needs_way(self, held: dict[str, Values]) -> bool:
        """Whether a speed is held for the sake of the others."""
        others = {name: v for name, v in held.items() if name != "speed"}
        return "position" not in held and self._planned(others)[0].speed is not None

    def _begin(self, what: str, held: dict[str, Values], state: VehicleState) -> Values:
        """Where a hold begins."""
        if what == "speed" and self._way is not None:
            return (self._way,)
        first = self._holds.begin(what, state, False)
        by_planes = self._planned({**held, what: first})[0].by_planes
        return self._holds.begin(what, state, by_planes)

    def _take(self, held: dict[str, Values], state: VehicleState) -> None:
        """Hold these; nothing changes if they are refused."""
        found, wish = self._planned(held)
        way = None
        if found.speed is not None and "speed" not in held and "position" not in held:
            now = float(state.nu_r[0])
            slow = max(SLOW * found.speed, least_speed(self.schedule, found.by_planes))
            way = self._way if self._way is not None else found.speed if now < slow else now
            found, wish = self._planned({**held, "speed": (way,)})
        autopilot = self.autopilot
        levelled, autopilot.levelled = autopilot.levelled, (
            LEVEL if found.by_planes or "level" in held else frozenset[str]()
        )  # fmt: skip
        try:
            autopilot.command(Setpoint(**wish))
        except CommandError:
            autopilot.levelled = levelled
            raise
        self._held, self._way, self._plan = held, way, found
        self._kept = np.zeros(6)
        for name in held:
            self._kept[list(AXES_OF.get(name, ()))] = 1.0
        if autopilot.levelled:
            self._kept[[ROLL, PITCH]] = 1.0
        if way is not None:
            self._kept[SURGE] = 1.0

    # Sticks -------------------------------------------------------------------------------------------------------

    def _turn(self, state: VehicleState) -> float:
        """Angle from the bow to starboard at which the sticks' ahead lies, rad."""
        return {"body": 0.0, "camera": self._pan_rad, "north": -state.yaw}[self._frame]

    def _applied(self) -> np.ndarray:
        return np.clip(self._stick + self._trim, -1.0, 1.0)

    def _scaled(self) -> np.ndarray:
        return np.clip(self._stick * (self._gain * self._ease.shares) + self._trim, -1.0, 1.0)

    def _by_hand(self, state: VehicleState) -> ManualCommand:
        """What the sticks ask for on the axes that nothing holds."""
        stick = self._scaled()
        if self._frame != "body":
            stick[:2] = self._directed.shares(stick[0], stick[1], self._turn(state))
        if self._heave_is_pitch:
            stick[PITCH] = clip(stick[PITCH] - stick[HEAVE], -1.0, 1.0)
        stick *= self._usable * (1.0 - self._kept)
        thrust = self._sticks.wrench(stick)
        if self._ease.turn_rad_s and stick[YAW]:
            thrust[YAW] = self._turning(float(thrust[YAW]), state)
        return ManualCommand(thrust, self._sticks.angles(stick), self._sticks.surface_limits)

    def _turning(self, moment: float, state: VehicleState) -> float:
        """The yaw moment with a share for the turn that is missing.

        The moment of a slow turn is small: drifting water outdoes it. So it grows with what is missing of the turn, as
        the damping of the heading loop would have it, the more the stick is pushed, up to the gain of all there is.
        """
        stick = float(self._stick[YAW])
        missing = stick * self._gain * self._ease.turn_rad_s - float(state.nu[5])
        moment += abs(stick) * self.schedule.stage(float(state.nu_r[0])).yaw.kd * missing
        low, high = (self._gain * self._sticks.limits[:, YAW]).tolist()
        return clip(moment, -low, high)

    def _push(self, state: VehicleState, dt: float) -> None:
        """Move what is held by the sticks; a value that the vehicle could not hold is not taken."""
        surge, sway, heave, roll, pitch, yaw = self._stick.tolist()
        holds, held, way, turn = self._holds, dict(self._held), self._way, self._turn(state)
        planes = self._plan.by_planes
        moves = {"depth": heave, "altitude": heave, "heading": yaw, "position": surge or sway}
        pushed = frozenset(what for what in held if moves.get(what))
        for what in self._pushed - pushed:
            if what in held:
                held[what] = holds.let_go(what, held[what], state, planes)
        self._pushed = pushed
        for what in pushed:
            values = held[what]
            if what == "heading":
                held[what] = (holds.turned(values[0], yaw, state, dt),)
            elif what == "position":
                size = max(1.0, math.hypot(surge, sway))
                held[what] = holds.shifted(values, turned(surge / size, sway / size, turn + state.yaw), state, dt)
            else:
                held[what] = (holds.deeper(what, values[0], heave, state, planes, dt),)
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
