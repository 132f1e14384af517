"""The mapping of a pilot's sticks to thrusters, control surfaces and ballast, and `Pilot`, which applies it directly.

Full stick on an axis is `share` of what the thrusters can give on that axis alone, and full deflection of the surfaces
that serve it (in the sense they act going ahead). Several sticks at once share the actuators by least squares.
Body axes about the body origin, N and N m; angles rad.

In the frames "camera" and "north" surge and sway mean a direction: ahead is where the camera looks, or north. A hull
resists sideways more than ahead and its thrusters push differently, so equal shares of the two limits do not move it at
45 degrees. With the drag of each axis as D(v) = a v + b v^2, fitted to the model, a stick of length m in the direction
(c, s) commands the steady velocity V (c, s) with the largest V at which no axis needs more than m of its limit,

    V = min_i  v_i(m F_i) / |c_i|,      v_i(F) = (-a + sqrt(a^2 + 4 b F)) / (2 b),      share_i = D_i(V c_i) / F_i

Along an axis that is the share m of its limit, as in the body frame. Steady motion through the water, axes uncoupled;
body axes, N, m/s.

Where only ballast acts on an axis, as in a glider with its buoyancy engine and its shifted mass, the stick moves that:

| stick | actuator | full stick |
|---|---|---|
| heave | engines and tanks: volume less, or mass more, for down | their own rate |
| pitch | masses that shift along x: aft for nose up | their own rate |
| roll | masses that shift along y: to starboard for right side down | their own rate |

Such a stick sets a rate, so that the ballast stays where it is when the stick is released. Units of each ballast, as in
its file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW, AxisDrag
from pelagos.control.tuning.pace import steady_rate
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.engine.laws import clip
from pelagos.errors import CommandError, one_of
from pelagos.messages import Actuation, PilotCommand, VehicleState
from pelagos.vehicle.spec import Ballast, Vehicle

Array = NDArray[np.float64]

TURN_RAD_S = math.radians(45.0)  # steady, of full yaw stick at the usual gain, at most
SPEED_SHARE = 0.6  # of the top speed, by full surge stick at the usual gain, at least
SPEED_M_S = 1.0  # and this, if the vehicle goes so fast: enough against usual currents
LEAST_GAIN = 0.5  # the usual gain is not below it (a choice)
REACHED_S = 10.0  # time to that speed
STEADY = 0.8  # of the speed at which a hull without pitch control noses over
STEP = 0.05  # of the gain
FASTEST = 20.0  # m/s: above the speed of any vehicle here


class Sticks:
    """Stick mapping of one vehicle; sticks are -1..1 in the order X Y Z K M N, `axes` those with an actuator."""

    def __init__(self, schedule: Schedule, share: float = 1.0) -> None:
        vehicle, allocation = schedule.vehicle, schedule.allocation
        # Row 0: stick pushed to negative, row 1: to positive.
        self.limits = share * np.array([[allocation.limit(i, s) for i in range(6)] for s in (-1.0, 1.0)])
        self._deflections = np.zeros((6, len(vehicle.surfaces)))
        if vehicle.surfaces:
            # Only proportions matter here, so any speed serves for a vehicle without a propeller.
            mix = schedule.stage(schedule.cruise).mix if schedule.top_speed > 0.0 else schedule.mix_at(1.0)
            for axis in (ROLL, PITCH, YAW):
                self._deflections[axis] = share * mix.along(axis)
        self.surface_limits = np.array([s.limit_rad for s in vehicle.surfaces], dtype=np.float64)
        self.axes = tuple(i for i in range(6) if i in allocation.axes or bool(np.any(self._deflections[i] != 0.0)))

    def wrench(self, stick: Array) -> Array:
        """Wrench of the thrusters for a stick position."""
        return stick * np.where(stick < 0.0, self.limits[0], self.limits[1])

    def angles(self, stick: Array) -> Array:
        """Angles of the control surfaces for a stick position, within their limits."""
        return np.clip(stick @ self._deflections, -self.surface_limits, self.surface_limits)


class StickScaling(NamedTuple):
    """Scaling of the sticks: the gain of all, a factor for each, and the rate of turn of full yaw stick."""

    gain: float = 1.0
    shares: Array = np.ones(6)
    turn_rad_s: float = 0.0  # at full stick and a gain of 1; 0: the yaw stick is a moment only


def default_scaling(schedule: Schedule, sticks: Sticks) -> StickScaling:
    """Choose a stick scaling with which a vehicle responds promptly but not violently.

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
    if turn > 0.0:  # a rudder alone turns only as fast as the speed allows
        shares[YAW] = min(1.0, response.resistance(YAW, TURN_RAD_S) / (gain * turn))
    return StickScaling(gain, shares, TURN_RAD_S / gain if shares[YAW] < 1.0 else 0.0)


class ManualCommand(NamedTuple):
    """A pilot's command that is added to the loops of an autopilot."""

    thrust: Array  # wrench of the thrusters
    angles: Array  # of the surfaces
    limits: Array  # of the surfaces

    def wrench(self, stage: Stage) -> list[float]:
        """Total wrench X Y Z K M N; surfaces count on the axes on which a stage uses them."""
        wrench = self.thrust.tolist()
        for axis, moment in enumerate(_moments(self.angles, stage)):
            wrench[axis] += moment
        return wrench

    def add_to(self, surfaces: Array, stage: Stage) -> tuple[Array, list[float]]:
        """Add the angles to those of the loops, within the limits; returns the angles and the wrench they give."""
        angles = np.clip(surfaces + self.angles, -self.limits, self.limits)
        return angles, _moments(angles, stage)


def _moments(angles: Array, stage: Stage) -> list[float]:
    moments = [0.0] * 6
    if stage.use_surfaces:
        wrench = (stage.mix.reach @ angles).tolist()
        for axis in stage.use_surfaces:
            moments[axis] = wrench[axis]
    return moments


class DirectionLimits:
    """Limits of surge and sway in any horizontal direction, for one vehicle; `works` if thrusters act on both."""

    def __init__(self, schedule: Schedule, sticks: Sticks) -> None:
        self.works = SURGE in sticks.axes and SWAY in sticks.axes
        self._limits = sticks.limits[:, :2].tolist()
        self._drags = tuple(_fit_drag(schedule, axis, float(sticks.limits[:, axis].max())) for axis in (SURGE, SWAY))

    def shares(self, ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
        """Compute shares of the surge and sway limits for a stick whose ahead is `turn_rad` to starboard of the bow."""
        size = min(math.hypot(ahead, aside), 1.0)
        if size == 0.0 or not self.works:
            return 0.0, 0.0
        way = math.atan2(aside, ahead) + turn_rad
        along = math.cos(way), math.sin(way)
        limits = [self._limits[0 if part < 0.0 else 1][i] for i, part in enumerate(along)]
        # An axis across the direction sets no limit.
        rows = [(p, f, d) for p, f, d in zip(along, limits, self._drags, strict=True) if abs(p) > 1e-9]
        if any(limit <= 0.0 for _, limit, _ in rows):
            return 0.0, 0.0
        speed = min(drag.rate(size * limit, FASTEST) / abs(part) for part, limit, drag in rows)
        shares = [0.0, 0.0]
        for i, part in enumerate(along):
            if abs(part) > 1e-9:
                shares[i] = math.copysign(min(self._drags[i].at(speed * abs(part)) / limits[i], size), part)
        return shares[0], shares[1]


def _fit_drag(schedule: Schedule, axis: int, force: float) -> AxisDrag:
    """Fit linear and quadratic drag at the speed that the force reaches, and at half of it."""
    if force <= 0.0:
        return AxisDrag(1.0, 0.0)
    response = schedule.response
    top = steady_rate(response, axis, force, FASTEST)
    half, full = (response.resistance(axis, share * top) for share in (0.5, 1.0))
    return AxisDrag.through(top, full, half, 0.0)


class BallastSticks:
    """Commands of the ballast under sticks; `axes` are those of the given axes on which ballast acts."""

    def __init__(self, vehicle: Vehicle, axes: Sequence[int]) -> None:
        self._vehicle = vehicle
        signs = [(axis, k, _sign(ballast, axis)) for axis in axes for k, ballast in enumerate(vehicle.ballast)]
        self._signs = [(axis, k, sign) for axis, k, sign in signs if sign]
        self.axes = tuple(sorted({axis for axis, _, _ in self._signs}))
        self.reset()

    def reset(self) -> None:
        """Set the commands to the initial ballast of the vehicle file."""
        self.command = self._vehicle.ballast_at_start

    def move(self, stick: Array, dt: float) -> None:
        """Move the commands by the sticks, X Y Z K M N, for dt seconds, between the stops."""
        for axis, k, sign in self._signs:
            if stick[axis]:
                ballast, now = self._vehicle.ballast[k], float(self.command[k])
                moved = now + sign * float(stick[axis]) * ballast.rate * dt
                self.command[k] = clip(moved, ballast.minimum, ballast.maximum)


def _sign(ballast: Ballast, axis: int) -> float:
    """Sense in which a ballast acts on an axis: +1, -1, or 0 if it does not."""
    if axis == HEAVE:
        return float(np.sign(ballast.mass_per_unit - ballast.volume_per_unit))
    if axis == PITCH:
        return -float(np.sign(ballast.axis_b[0]))
    return float(np.sign(ballast.axis_b[1])) if axis == ROLL else 0.0


class Pilot:
    """Open-loop manual controller: turns a `PilotCommand` into an `Actuation`, held until the next command."""

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, share: float = 1.0) -> None:
        share = number("pilot share", share, 0.0, 1.0, above=True)
        self.vehicle = vehicle
        schedule = Schedule(vehicle, water)
        self._allocation = schedule.allocation
        self._sticks = Sticks(schedule, share)
        self.axes = self._sticks.axes
        self._ballast = vehicle.ballast_at_start
        self.reset()

    def reset(self) -> None:
        """Centre the sticks."""
        self.command(PilotCommand())

    def command(self, sticks: PilotCommand | None = None, **axes: float) -> Actuation:
        """Set stick positions, all at once or by name with the others centred; returns the actuation."""
        if sticks is not None and axes:
            name, value = next(iter(axes.items()))
            raise CommandError("a whole command is given too", key=name, value=value, expected="one or the other")
        if sticks is None:
            unknown = next((name for name in axes if name not in AXIS_NAMES), None)
            if unknown is not None:
                raise CommandError("there is no stick", value=unknown, expected=one_of(AXIS_NAMES), names=AXIS_NAMES)
            sticks = PilotCommand(**axes)
        stick = np.array(sticks.axes)
        for i in np.flatnonzero(stick):
            if i not in self.axes:
                served = one_of(AXIS_NAMES[k] for k in self.axes)
                message = f"{self.vehicle.name} has no actuator for {AXIS_NAMES[i]}"
                raise CommandError(message, key=f"stick {AXIS_NAMES[i]}", value=float(stick[i]), expected=served)
        drives = self._allocation.solve(self._sticks.wrench(stick)).drives
        self._actuation = Actuation(drives, self._sticks.angles(stick), self._ballast)
        return self._actuation

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Return the actuation of the last command."""
        return self._actuation
