"""A sliding-mode autopilot for heading and depth, with the interface of the default autopilot.

Laws (see law, which also derives their gains from the model):

- heading by rudder: x = (v, r), y = psi: Healey & Lienard 1993, steering;
- depth by planes: x = (w, q, theta), y = z, with z_dot = w - u theta: the same, diving;
- heading and depth by thrusters: one axis each, x = the rate alone; most of the drag of the axis, d1 x + d2 x|x|, is
  compensated by feedforward: Yoerger & Slotine 1985.

Speed, and roll and pitch where they are held, use the PID loops of the default autopilot. An altitude is a depth above
the last known bottom. There is no sliding law for a place: with a place in the setpoint the default autopilot controls
all axes. It also decides which setpoints the vehicle can hold.

Moments go to the control surfaces first where these are strong enough, the rest to the thrusters, as in the default
autopilot. Body axes, N, N m, rad, m.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.loops import NEGLIGIBLE
from pelagos.control.base import (
    HEAVE,
    PITCH,
    ROLL,
    SURGE,
    YAW,
    depth_rate,
    down_in_body,
    heading_rate,
)
from pelagos.control.pid import PID
from pelagos.control.sliding.law import Law, Slide, SlidingStage, hover_law, known_drag, make_stage
from pelagos.control.tuning.gains import SAMPLING_S, Loop
from pelagos.control.tuning.schedule import Stage, WaterState
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]


class SlidingMode:
    """Controller that holds a `Setpoint` by sliding-mode laws: `command` changes it, `update` computes the actuation.

    yaw, depth, dive   the laws in use: heading; depth by thrust; depth by planes
    """

    columns = ("heading_surface_deg", "depth_surface_m")

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        self.vehicle = vehicle
        self.autopilot = Autopilot(vehicle, water, interval_s)
        self.autopilot.skip_rate_check = True
        self.schedule = self.autopilot.schedule
        self.yaw, self.depth, self.dive = Slide(angle=True), Slide(), Slide()
        self.depth.law, self._heave_drag = hover_law(self.schedule, HEAVE, self.schedule.heave)
        self._speed_loop, self._pitch, self._roll = PID(0.0), PID(0.0, angle=True), PID(0.0, angle=True)
        _gains(self._speed_loop, self.schedule.surge)
        self._stages: dict[float, SlidingStage] = {}
        self._stage: Stage | None = None
        self._laws: SlidingStage | None = None
        self._ballast = vehicle.ballast_at_start
        self._idle = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), self._ballast)
        self._by_planes = False
        self._bottom_m: float | None = None

    @property
    def setpoint(self) -> Setpoint:
        """The present setpoint."""
        return self.autopilot.setpoint

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Replace the setpoint, or change single quantities of it (None releases one); returns the new setpoint."""
        new = self.autopilot.command(setpoint, **changes)
        by_planes = self.autopilot.hold_plan.by_planes
        if by_planes != self._by_planes:
            self.depth.reset()
            self.dive.reset()
        self._by_planes = by_planes
        return new

    def can(self, quantity: str) -> bool:
        """Whether the vehicle can hold a quantity such as "depth_m"."""
        return self.autopilot.can(quantity)

    def reset(self) -> None:
        """Clear disturbance estimates and integrals; keep gains and setpoint."""
        self.autopilot.reset()
        for part in (self.yaw, self.depth, self.dive, self._speed_loop, self._pitch, self._roll):
            part.reset()
        self._bottom_m = None

    def values(self) -> list[float]:
        """Distances from the sliding surfaces, for the log, in the order of `columns`."""
        return [math.degrees(self.yaw.s), self.dive.s if self._by_planes else self.depth.s]

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Compute the actuator commands for the next dt seconds."""
        setpoint = self.setpoint
        if not setpoint.quantities:
            return self._idle
        if setpoint.north_m is not None:
            return self.autopilot.update(state, dt)
        stage = self.schedule.stage(float(state.nu_r[0]))
        if stage is not self._stage or self._laws is None:
            self._laws = self._retune(stage)
        laws = self._laws
        u, v, w, p, q, r = state.nu_r.tolist()
        down = down_in_body(state.roll, state.pitch)
        tau = [0.0] * 6
        speed = self.autopilot.hold_plan.speed
        if speed is not None and self.schedule.surge.works:
            tau[SURGE] = self._speed_loop.update(speed, u, dt, feedforward=self.schedule.drag(speed))
        munk_k, munk_m, munk_n = self.schedule.munk_moments([u, v, w, p, q, r], laws.cancel)
        depth = self._target_depth(setpoint, state)
        diving = depth is not None and self._by_planes
        if depth is not None and not self._by_planes:
            force = self._lift(float(state.pos_n[2]), depth, down, state, dt)
            for i in (0, 1, 2):
                if i in laws.served:
                    tau[i] += down[i] * force
        if YAW in laws.served and setpoint.heading_deg is not None:
            rate = heading_rate(state.roll, state.pitch, q, r)
            x = (v, rate) if len(laws.yaw.k) == 2 else (rate,)
            known = -munk_n + known_drag(laws.yaw_drag, rate)
            tau[YAW] = self.yaw.update(x, state.yaw, math.radians(setpoint.heading_deg), dt, known)
        roll_cmd = 0.0 if setpoint.roll_deg is None else math.radians(setpoint.roll_deg)
        pitch_cmd = 0.0 if setpoint.pitch_deg is None else math.radians(setpoint.pitch_deg)
        righting_k, righting_m = self.schedule.response.righting(roll_cmd, pitch_cmd)
        if laws.dive.works and diving and depth is not None:
            x = (w - laws.trim_heave, q, state.pitch - stage.trim_pitch)
            x = x if len(laws.dive.k) == 3 else x[1:]
            tau[PITCH] = self.dive.update(x, float(state.pos_n[2]), depth, dt, laws.trim_moment)
        elif PITCH in laws.served:
            known = -righting_m - munk_m
            tau[PITCH] = self._pitch.update(pitch_cmd, state.pitch, dt, rate=q, feedforward=known)
        if ROLL in laws.served:
            known = -righting_k - munk_k
            tau[ROLL] = self._roll.update(roll_cmd, state.roll, dt, rate=p, feedforward=known)
        return self._share(np.array(tau), state, stage, laws, down, diving, dt)

    def _target_depth(self, setpoint: Setpoint, state: VehicleState) -> float | None:
        """Depth to hold, m; an altitude without an echo is that above the last known bottom."""
        if setpoint.altitude_m is None:
            return setpoint.depth_m
        depth = float(state.pos_n[2])
        if math.isfinite(state.altitude_m):
            self._bottom_m = depth + state.altitude_m
        return depth if self._bottom_m is None else self._bottom_m - setpoint.altitude_m

    def _lift(self, z: float, target: float, down: tuple[float, float, float], state: VehicleState, dt: float) -> float:
        """Vertical force by thrusters, N, positive down."""
        rate = depth_rate(down, state.nu.tolist())
        known = -self.schedule.response.net_weight_n + known_drag(self._heave_drag, rate)
        return self.depth.update((rate,), z, target, dt, known)

    def _share(self, tau: Array, state: VehicleState, stage: Stage, laws: SlidingStage,
               down: tuple[float, float, float],
               diving: bool, dt: float) -> Actuation:  # fmt: skip
        """Allocate a wrench, surfaces first, thrusters for the rest; then report the missed part to each law."""
        achieved = np.zeros(6)
        surfaces, thrusters = self._idle.surfaces, self._idle.thrusters
        if stage.use_surfaces:
            angles, moments = stage.mix.deflect(*(tau * laws.mask)[ROLL:].tolist())
            surfaces = np.array(angles)
            achieved[ROLL:] = moments * laws.mask[ROLL:]
        if self.schedule.allocation.n:
            share = self.schedule.allocation.solve(tau - achieved, state.nu_r)
            achieved = achieved + share.achieved
            thrusters = share.drives
        missed = (achieved - tau).tolist()
        self.yaw.track(missed[YAW])
        loops = [(self._speed_loop, SURGE), (self._roll, ROLL)]
        if diving:
            self.dive.track(missed[PITCH])
        else:
            loops.append((self._pitch, PITCH))
            self.depth.track(sum(down[i] * missed[i] for i in (0, 1, 2) if i in laws.served))
        for pid, axis in loops:
            if abs(missed[axis]) > NEGLIGIBLE:
                pid.track(pid.unsaturated + missed[axis], dt)
        return Actuation(thrusters, surfaces, self._ballast)

    def _retune(self, stage: Stage) -> SlidingStage:
        """Apply the laws and gains of a stage."""
        laws = self._stages.get(stage.speed)
        if laws is None:
            laws = self._stages[stage.speed] = make_stage(self.schedule, stage)
        self._stage = stage
        self.yaw.take(laws.yaw)
        self.dive.take(laws.dive)
        _gains(self._pitch, stage.pitch)
        _gains(self._roll, stage.roll)
        return laws

    def laws(self, speed_m_s: float) -> dict[str, Law]:
        """Laws of heading, depth (by thrust) and dive (by planes) at a speed, to inspect their gains."""
        stage = make_stage(self.schedule, self.schedule.stage(speed_m_s))
        return {"heading": stage.yaw, "depth": self.depth.law, "dive": stage.dive}


def _gains(pid: PID, loop: Loop) -> None:
    pid.kp, pid.ki, pid.kd = loop.kp, loop.ki, loop.kd
    pid.error_limit, pid.approach_s = loop.error_limit, loop.approach_s
