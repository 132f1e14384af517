"""The default autopilot: depth, heading, speed, pitch and roll of anything with thrusters or fins.

It finds out from the vehicle what can do what. Each setpoint becomes a force or moment through a PID (pid, with gains
from tuning); moments go to the surfaces first where these reach far enough at the present speed, the rest to the
thrusters (allocation). Depth is held

- by vertical thrust, turned with the attitude so that it stays vertical, where thrusters can lift: hovering vehicles;
- through pitch, theta_cmd = w_z (z - z_cmd) / u + trim (see tuning), by planes under way: torpedoes, and hovering
  vehicles with planes once the speed asked for is above 40 % of their top speed.

Feed-forward: net buoyancy, righting moment of the pitch and roll asked for, trim of level flight at speed, the drag of
the speed asked for with the inflow to the screws, and, where thrusters alone hold attitude, the Munk moment of the
oblique flow as measured (a descending ROV that goes ahead is turned up hard by it).

What is not asked for is left alone, except that roll and pitch are held level where that can be done, and that a
vehicle which needs way to obey takes 70 % of its top speed. Speed is through the water, ahead.
A setpoint that nothing on the vehicle can act on raises CommandError, when it is given and not under way.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import (
    AXIS_NAMES,
    HEAVE,
    PITCH,
    ROLL,
    SURGE,
    YAW,
    ballast_at_start,
    down_in_body,
)
from pelagos.control.pid import PID
from pelagos.control.schedule import Schedule, Stage, Water
from pelagos.control.tuning import Loop
from pelagos.errors import CommandError
from pelagos.messages import Actuation, Setpoint, Truth
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]

PLANES_FROM = 0.4  # share of top speed above which planes take depth over from vertical thrusters


class Autopilot:
    """Holds a `Setpoint`. `command` changes it, `update` flies."""

    def __init__(self, vehicle: Vehicle, water: Water | None = None) -> None:
        self.vehicle = vehicle
        self.schedule = Schedule(vehicle, water)
        self.setpoint = Setpoint()
        self._ballast = ballast_at_start(vehicle)
        self._idle = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), self._ballast)
        self._yaw, self._pitch, self._roll = PID(0.0, angle=True), PID(0.0, angle=True), PID(0.0, angle=True)
        self._heave, self._surge, self._dive = PID(0.0), PID(0.0), PID(0.0)
        self._speed: float | None = None
        self._by_planes = False
        self._stage: Stage | None = None
        self._served: frozenset[int] = frozenset()
        self._mask = np.zeros(6)
        self._cancel = (0.0, 0.0, 0.0)
        self._drag_at = (math.nan, 0.0)
        self._gains(self._heave, self.schedule.heave)
        self._gains(self._surge, self.schedule.surge)

    # What is asked for --------------------------------------------------------------------------------------------

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Take a whole setpoint, or change single quantities of the present one; returns what now holds."""
        try:
            new = setpoint if setpoint is not None else Setpoint(**{**vars(self.setpoint), **changes})
        except TypeError:
            unknown = next(name for name in changes if name not in vars(self.setpoint))
            known = ", ".join(vars(self.setpoint))
            raise CommandError(f"the autopilot has no setpoint {unknown!r}; expected one of {known}.") from None
        speed, by_planes = self._plan(new)
        if by_planes != self._by_planes:
            self._dive.reset()
            self._heave.reset()
        self.setpoint, self._speed, self._by_planes = new, speed, by_planes
        return new

    def can(self, quantity: str) -> bool:
        """Whether the vehicle can act on a setpoint such as "depth_m"."""
        try:
            self._plan(Setpoint(**{quantity: 0.5}))  # half a metre, degree or m/s: inside every range
        except CommandError:
            return False
        return True

    def _plan(self, wish: Setpoint) -> tuple[float | None, bool]:
        """Speed to keep and whether depth goes by planes; CommandError if something cannot be done."""
        s = self.schedule
        lift, thrust = s.heave.works, s.allocation.axes
        planes = self._steered(PITCH)
        speed = wish.speed_m_s
        if speed is not None:
            if not self.vehicle.free[SURGE]:
                raise self._refuse("speed", f"its surge is held at {self.vehicle.held_speed_m_s:g} m/s by its model")
            if not s.surge.works:
                raise self._refuse("speed", "it has no thruster that pushes ahead")
        for name, value, axis in (("heading", wish.heading_deg, YAW), ("pitch", wish.pitch_deg, PITCH),
                                  ("roll", wish.roll_deg, ROLL)):  # fmt: skip
            if value is not None and not self.vehicle.free[axis]:
                raise self._refuse(name, f"its model holds {AXIS_NAMES[axis]} fixed")
            if value is not None and axis not in thrust and not self._steered(axis):
                raise self._refuse(name, f"no thruster and no control surface gives it a {AXIS_NAMES[axis]} moment")
        by_planes = False
        if wish.depth_m is not None:
            if not self.vehicle.free[HEAVE]:
                raise self._refuse("depth", "its model holds heave fixed")
            if not lift and not planes:
                ballast = "; its ballast is not driven by this autopilot" if self.vehicle.ballast else ""
                raise self._refuse("depth", f"it has no thruster that lifts it and no plane that pitches it{ballast}")
            by_planes = planes and (not lift or (speed is not None and abs(speed) >= PLANES_FROM * s.top_speed))
            if by_planes and wish.pitch_deg is not None:
                raise self._refuse("pitch and depth at once", "it holds depth through its pitch")
        wanted = ((wish.heading_deg, YAW), (wish.pitch_deg, PITCH), (wish.roll_deg, ROLL))
        way = by_planes or any(value is not None and axis not in thrust for value, axis in wanted)
        if way:
            if speed is None:
                speed = s.cruise if self.vehicle.free[SURGE] else None
            elif speed < s.lowest:
                why = f"it steers with its fins, which need way: ask for at least {s.lowest:.2g} m/s"
                raise self._refuse("this", why)
        return speed, by_planes

    def _steered(self, axis: int) -> bool:
        s = self.schedule
        return s.top_speed > 0.0 and axis in s.stage(s.cruise).mix.axes

    def _refuse(self, what: str, why: str) -> CommandError:
        return CommandError(f"{self.vehicle.name} cannot hold {what}: {why}.")

    # Flying -------------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Forget integrals; gains and setpoint stay."""
        for pid in (self._yaw, self._pitch, self._roll, self._heave, self._surge, self._dive):
            pid.reset()

    def update(self, truth: Truth, dt: float) -> Actuation:
        """Demands for the next dt seconds."""
        wish = self.setpoint
        if not wish.given:
            return self._idle
        s = self.schedule
        stage = s.stage(float(truth.nu_r[0]))
        if stage is not self._stage:
            self._retune(stage)
        down = down_in_body(truth.roll, truth.pitch)
        u, v, w, p, q, r = truth.nu.tolist()
        tau = [0.0] * 6
        used: list[tuple[PID, int]] = []
        served = self._served

        if self._speed is not None and s.surge.works:
            force = self._surge.update(self._speed, float(truth.nu_r[0]), dt, feedforward=self._drag(self._speed))
            tau[SURGE] += force
            used.append((self._surge, SURGE))
        pitch_cmd = 0.0 if wish.pitch_deg is None else math.radians(wish.pitch_deg)
        trim = 0.0
        if wish.depth_m is not None:
            depth = float(truth.pos_n[2])
            rate = down[0] * u + down[1] * v + down[2] * w
            if self._by_planes:
                dive = self._dive.update(wish.depth_m, depth, dt, rate=rate, feedforward=-stage.trim_pitch)
                pitch_cmd, trim = -dive, stage.trim_moment
            else:
                net = s.response.net_weight_n
                force = self._heave.update(wish.depth_m, depth, dt, rate=rate, feedforward=-net)
                for i in (0, 1, 2):
                    if i in served:
                        tau[i] += down[i] * force
        munk = self._munk(truth)
        if YAW in served and wish.heading_deg is not None:
            rate = (q * math.sin(truth.roll) + r * math.cos(truth.roll)) / max(math.cos(truth.pitch), 0.1)
            tau[YAW] = self._yaw.update(math.radians(wish.heading_deg), truth.yaw, dt, rate=rate, feedforward=-munk[2])
            used.append((self._yaw, YAW))
        roll_cmd = 0.0 if wish.roll_deg is None else math.radians(wish.roll_deg)
        righting = s.response.righting(roll_cmd, pitch_cmd)
        if PITCH in served:
            known = trim - righting[1] - munk[1]
            tau[PITCH] = self._pitch.update(pitch_cmd, truth.pitch, dt, rate=q, feedforward=known)
            used.append((self._pitch, PITCH))
        if ROLL in served:
            tau[ROLL] = self._roll.update(roll_cmd, truth.roll, dt, rate=p, feedforward=-righting[0] - munk[0])
            used.append((self._roll, ROLL))
        return self._share(np.array(tau), truth, stage, used, down, dt)

    def _share(self, tau: Array, truth: Truth, stage: Stage, used: list[tuple[PID, int]],
               down: tuple[float, float, float], dt: float) -> Actuation:  # fmt: skip
        """Surfaces first, thrusters for the rest; then each integral hears what became of its demand."""
        achieved = np.zeros(6)
        surfaces = self._idle.surfaces
        if stage.use_surfaces:
            mask = self._mask
            surfaces = stage.mix.solve(tau * mask)
            achieved = (stage.mix.reach @ surfaces) * mask
        if self.schedule.allocation.n:
            share = self.schedule.allocation.solve(tau - achieved, truth.nu_r)
            achieved = achieved + share.achieved
            thrusters = share.drives
        else:
            thrusters = self._idle.thrusters
        missed = (achieved - tau).tolist()
        for pid, axis in used:
            if abs(missed[axis]) > 1e-9:
                pid.track(pid.wanted + missed[axis], dt)
        if self.setpoint.depth_m is not None and not self._by_planes:
            lost = sum(d * m for i, (d, m) in enumerate(zip(down, missed, strict=False)) if i in self._served)
            if abs(lost) > 1e-9:
                self._heave.track(self._heave.wanted + lost, dt)
        return Actuation(thrusters, surfaces, self._ballast)

    def _munk(self, truth: Truth) -> tuple[float, float, float]:
        """Munk moments of the flow as measured, on the axes that thrusters serve alone; elsewhere zero."""
        u, v, w = truth.nu_r[:3].tolist()
        k, m, n = self.schedule.munk
        a, b, c = self._cancel
        return a * k * v * w, b * m * u * w, c * n * u * v

    def _drag(self, speed: float) -> float:
        """Drag of a speed, kept: it is asked for at every update."""
        if self._drag_at[0] != speed:
            self._drag_at = (speed, self.schedule.response.drag(speed))
        return self._drag_at[1]

    def _retune(self, stage: Stage) -> None:
        """Take the gains of a stage. Integrals are in N and N m and carry over."""
        self._stage = stage
        self._served = frozenset(
            i for i in {*self.schedule.allocation.axes, *stage.use_surfaces} if self.vehicle.free[i]
        )
        self._mask = np.array([1.0 if i in stage.use_surfaces else 0.0 for i in range(6)])
        by_thrust = [i in self.schedule.allocation.axes and i not in stage.use_surfaces for i in (ROLL, PITCH, YAW)]
        self._cancel = (float(by_thrust[0]), float(by_thrust[1]), float(by_thrust[2]))
        self._gains(self._yaw, stage.yaw)
        self._gains(self._pitch, stage.pitch)
        self._gains(self._roll, stage.roll)
        dive = stage.dive
        gain = dive.frequency / max(stage.speed, 1e-6)
        self._dive.kp, self._dive.ki, self._dive.kd = gain, gain * dive.frequency / 10.0, gain * dive.rate_s
        self._dive.approach_s = dive.approach_s
        self._dive.low, self._dive.high = -stage.pitch_limit, stage.pitch_limit
        self._dive.error_limit = stage.pitch_limit / gain if gain > 0.0 else math.inf

    @staticmethod
    def _gains(pid: PID, loop: Loop) -> None:
        pid.kp, pid.ki, pid.kd = loop.kp, loop.ki, loop.kd
        pid.error_limit, pid.approach_s = loop.error_limit, loop.approach_s
