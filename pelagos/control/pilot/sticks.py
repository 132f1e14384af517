"""What stick positions ask of thrusters and surfaces: the mapping that a pilot and a helm share.

Full stick on an axis is `share` of what the thrusters can give on that axis alone, and full deflection of the surfaces
that serve it (in the sense they act going ahead). Several sticks at once share the actuators by least squares.
Body axes about the body origin, N and N m; angles rad.

Sticks that mean a direction: surge and sway turned so that ahead is where the camera looks, or north.

A hull resists sideways more than ahead and its thrusters push differently, so equal shares of the two limits do not
move it at 45 degrees. With the drag of each axis as D(v) = a v + b v^2, fitted to the model, a stick of length m in
the direction (c, s) asks for the steady velocity V (c, s) with the largest V at which no axis needs more than m of its
limit,

    V = min_i  v_i(m F_i) / |c_i|,      v_i(F) = (-a + sqrt(a^2 + 4 b F)) / (2 b),      share_i = D_i(V c_i) / F_i

Along an axis that is the share m of its limit, as without turning. Steady motion through the water, axes uncoupled;
body axes, N, m/s.

Sticks of a vehicle that has nothing but ballast to act on an axis: a glider with its engine and its moving mass.

| stick | what moves | full stick |
|---|---|---|
| heave | engines and tanks: volume less, or mass more, for down | their own rate |
| pitch | masses that shift along x: aft for nose up | their own rate |
| roll | masses that shift along y: to starboard for right side down | their own rate |

A stick sets the rate, so that what was reached stays when it is let go. Units of each ballast, as in its file.

Sticks to actuators: the vehicle flown by hand, without feedback. What a stick asks for: sticks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW, AxisDrag, ballast_at_start
from pelagos.control.tuning.pace import steady_rate
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.engine.laws import clip
from pelagos.errors import CommandError
from pelagos.messages import Actuation, PilotCommand, VehicleState
from pelagos.vehicle.spec import Ballast, Vehicle

Array = NDArray[np.float64]

TURN_RAD_S = math.radians(45.0)  # steady, of full yaw stick at the usual gain, at most
SPEED_SHARE = 0.6  # of the top speed, by full surge stick at the usual gain, at least
SPEED_M_S = 1.0  # and this, if the vehicle goes so fast: enough against the usual currents
LEAST_GAIN = 0.5
REACHED_S = 10.0
STEADY = 0.8  # of the speed at which a hull without pitch control noses over
STEP = 0.05


class Sticks:
    """Sticks of one vehicle, -1..1 in the order X Y Z K M N; `axes` are those that have something to act on."""

    def __init__(self, schedule: Schedule, share: float = 1.0) -> None:
        vehicle, allocation = schedule.vehicle, schedule.allocation
        # Row 0: stick pushed to negative, row 1: to positive.
        self.limits = share * np.array([[allocation.limit(i, s) for i in range(6)] for s in (-1.0, 1.0)])
        self._deflections = np.zeros((6, len(vehicle.surfaces)))
        if vehicle.surfaces:
            # Only proportions matter here, so any speed with way on will do for a vehicle without a screw.
            mix = schedule.stage(schedule.cruise).mix if schedule.top_speed > 0.0 else schedule.mix_at(1.0)
            for axis in (ROLL, PITCH, YAW):
                self._deflections[axis] = share * mix.along(axis)
        self.surface_limits = np.array([s.limit_rad for s in vehicle.surfaces], dtype=np.float64)
        self.axes = tuple(i for i in range(6) if i in allocation.axes or bool(np.any(self._deflections[i] != 0.0)))

    def wrench(self, stick: Array) -> Array:
        """Asked of the thrusters."""
        return stick * np.where(stick < 0.0, self.limits[0], self.limits[1])

    def angles(self, stick: Array) -> Array:
        """Asked of the surfaces, inside their limits."""
        return np.clip(stick @ self._deflections, -self.surface_limits, self.surface_limits)


class StickScaling(NamedTuple):
    """How a pilot's sticks begin: the gain of all, what each is scaled by besides, and the turn of the yaw stick."""

    gain: float = 1.0
    shares: Array = np.ones(6)
    turn_rad_s: float = 0.0  # asked for by stick times gain of 1; 0: the stick is a moment alone


def usual(schedule: Schedule, sticks: Sticks) -> StickScaling:
    """Sticks with which a pilot can do something and does not overdo it.

    The gain is the share of the thrust ahead that brings the hull to 60 % of its top speed, and to 1 m/s or its top
    speed, in some 10 s; in steps of 0.05 and not below 0.5: a light hull gets half of its thrust, a heavy one or one
    with little to spare all of it. Where nothing holds the pitch, full surge stick stays well below the speed at which
    the hull noses over. Full yaw stick turns it at 45 deg/s in the steady state, or as fast as it can:

        gain = max(0.5, (D(u) + M u / 10 s) / X_max),  u = max(0.6 u_max, min(1 m/s, u_max))
        share of yaw = min(1, N(45 deg/s) / (gain N_max)),   share of surge = min(1, D(0.8 u_over) / (gain X_max))
    """
    ahead, turn, top = float(sticks.limits[1, SURGE]), float(sticks.limits[:, YAW].max()), schedule.top_speed
    gain, shares, response = 1.0, np.ones(6), schedule.response
    if ahead > 0.0 and schedule.vehicle.free[SURGE]:
        fast = max(SPEED_SHARE * top, min(SPEED_M_S, top))
        needed = (response.drag(fast) + float(response.mass[0, 0]) * fast / REACHED_S) / ahead
        gain = round(min(max(math.ceil(needed / STEP - 1e-6) * STEP, LEAST_GAIN), 1.0), 2)
        if math.isfinite(schedule.steady_speed):
            shares[SURGE] = min(1.0, response.drag(STEADY * schedule.steady_speed) / (gain * ahead))
    if turn > 0.0:  # else by its rudder alone: that is as fast as the way it has
        shares[YAW] = min(1.0, response.resistance(YAW, TURN_RAD_S) / (gain * turn))
    return StickScaling(gain, shares, TURN_RAD_S / gain if shares[YAW] < 1.0 else 0.0)


class ManualCommand(NamedTuple):
    """What a hand asks for beside the loops of an autopilot."""

    thrust: Array  # wrench, of the thrusters
    angles: Array  # of the surfaces
    limits: Array  # of the surfaces

    def wrench(self, stage: Stage) -> list[float]:
        """All of it, X Y Z K M N: surfaces count on the axes on which a stage uses them."""
        wrench = self.thrust.tolist()
        for axis, moment in enumerate(_moments(self.angles, stage)):
            wrench[axis] += moment
        return wrench

    def on_top_of(self, surfaces: Array, stage: Stage) -> tuple[Array, list[float]]:
        """Angles with those of the loops added, inside the limits, and the wrench they give."""
        angles = np.clip(surfaces + self.angles, -self.limits, self.limits)
        return angles, _moments(angles, stage)


def _moments(angles: Array, stage: Stage) -> list[float]:
    moments = [0.0] * 6
    if stage.use_surfaces:
        given = (stage.mix.reach @ angles).tolist()
        for axis in stage.use_surfaces:
            moments[axis] = given[axis]
    return moments


# ---- stick frame -----------------------------------------------------------------------------------------------------


FASTEST = 20.0  # m/s: beyond what any of these reaches


class DirectionLimits:
    """Directions in the level plane of one vehicle."""

    def __init__(self, schedule: Schedule, sticks: Sticks) -> None:
        self.works = SURGE in sticks.axes and SWAY in sticks.axes
        self._limits = sticks.limits[:, :2].tolist()
        self._drags = tuple(_fitted(schedule, axis, float(sticks.limits[:, axis].max())) for axis in (SURGE, SWAY))

    def shares(self, ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
        """Surge and sway, shares of their limits, for a stick whose ahead is `turn_rad` to starboard of the bow."""
        size = min(math.hypot(ahead, aside), 1.0)
        if size == 0.0 or not self.works:
            return 0.0, 0.0
        way = math.atan2(aside, ahead) + turn_rad
        along = math.cos(way), math.sin(way)
        limits = [self._limits[0 if part < 0.0 else 1][i] for i, part in enumerate(along)]
        rows = [(p, f, d) for p, f, d in zip(along, limits, self._drags, strict=True) if abs(p) > 1e-9]
        if any(limit <= 0.0 for _, limit, _ in rows):
            return 0.0, 0.0
        speed = min(drag.rate(size * limit, FASTEST) / abs(part) for part, limit, drag in rows)
        shares = [0.0, 0.0]
        for i, part in enumerate(along):
            if abs(part) > 1e-9:
                shares[i] = math.copysign(min(self._drags[i].at(speed * abs(part)) / limits[i], size), part)
        return shares[0], shares[1]


def turned(ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
    """A vector whose ahead is `turn_rad` to starboard of the bow, in body axes; or in world axes, by the heading."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return c * ahead - s * aside, s * ahead + c * aside


def _fitted(schedule: Schedule, axis: int, force: float) -> AxisDrag:
    """Through the drag at the speed that the force reaches, and at half of it."""
    if force <= 0.0:
        return AxisDrag(1.0, 0.0)
    response = schedule.response
    top = steady_rate(response, axis, force, FASTEST)
    half, full = (response.resistance(axis, share * top) for share in (0.5, 1.0))
    square = max(2.0 * (full - 2.0 * half) / top**2, 0.0)
    return AxisDrag(max(full / top - square * top, 0.0), square)


# ---- ballast sticks --------------------------------------------------------------------------------------------------


class BallastSticks:
    """Demands of the ballast under sticks; `axes` are those that move some, of the ones given."""

    def __init__(self, vehicle: Vehicle, axes: Sequence[int]) -> None:
        self._vehicle = vehicle
        ways = [(axis, k, _way(one, axis)) for axis in axes for k, one in enumerate(vehicle.ballast)]
        self._ways = [(axis, k, way) for axis, k, way in ways if way]
        self.axes = tuple(sorted({axis for axis, _, _ in self._ways}))
        self.reset()

    def reset(self) -> None:
        """As the file has it at the start."""
        self.demand = ballast_at_start(self._vehicle)

    def move(self, stick: Array, dt: float) -> None:
        """Move the demands by the sticks, X Y Z K M N, for dt seconds, between the stops."""
        for axis, k, way in self._ways:
            if stick[axis]:
                one, now = self._vehicle.ballast[k], float(self.demand[k])
                self.demand[k] = clip(now + way * float(stick[axis]) * one.rate * dt, one.minimum, one.maximum)


def _way(one: Ballast, axis: int) -> float:
    """In which sense a ballast acts on an axis: +1, -1, or 0 for not at all."""
    if axis == HEAVE:
        return float(np.sign(one.mass_per_unit - one.volume_per_unit))
    if axis == PITCH:
        return -float(np.sign(one.axis_b[0]))
    return float(np.sign(one.axis_b[1])) if axis == ROLL else 0.0


# ---- pilot -----------------------------------------------------------------------------------------------------------


class Pilot:
    """Turns a `PilotCommand` into an `Actuation`, the same one until the next command."""

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, share: float = 1.0) -> None:
        if not 0.0 < share <= 1.0:
            raise CommandError(key="pilot share", value=share, expected="a number above 0 and up to 1")
        self.vehicle = vehicle
        schedule = Schedule(vehicle, water)
        self._allocation = schedule.allocation
        self._sticks = Sticks(schedule, share)
        self.axes = self._sticks.axes
        self._ballast = ballast_at_start(vehicle)
        self.reset()

    def reset(self) -> None:
        """Sticks to the middle."""
        self.command(PilotCommand())

    def command(self, sticks: PilotCommand | None = None, **axes: float) -> Actuation:
        """Take stick positions (all at once, or by name with the others in the middle); returns the demands."""
        if sticks is not None and axes:
            raise CommandError(f"{next(iter(axes))} is given beside a whole command", expected="one or the other")
        if sticks is None:
            unknown = next((name for name in axes if name not in AXIS_NAMES), None)
            if unknown is not None:
                raise CommandError(f"there is no stick {unknown!r}", expected=f"one of {', '.join(AXIS_NAMES)}")
            sticks = PilotCommand(**axes)
        stick = np.array(sticks.axes)
        for i in np.flatnonzero(stick):
            if i not in self.axes:
                able = ", ".join(AXIS_NAMES[k] for k in self.axes) or "none"
                raise CommandError(
                    f"{self.vehicle.name} has nothing that acts in {AXIS_NAMES[i]}; it can be piloted in: {able}."
                )
        drives = self._allocation.solve(self._sticks.wrench(stick)).drives
        self._actuation = Actuation(drives, self._sticks.angles(stick), self._ballast)
        return self._actuation

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """The demands of the last command."""
        return self._actuation
