"""The default autopilot: holds depth, altitude, heading, speed, pitch, roll and place by thrusters and fins.

It derives from the vehicle which actuators serve which axes. Each quantity has a PID loop (pid, gains from tuning)
whose output is a force or moment; moments go to the control surfaces first where these are strong enough at the present
speed, the rest to the thrusters (allocation). Depth is held

- by vertical thrust, turned with the attitude so that it stays vertical, where thrusters can lift;
- through pitch, theta_cmd = w_z (z - z_cmd) / u + trim (see tuning), by planes under way: torpedoes, and hovering
  vehicles with planes once the speed setpoint is above 40 % of their top speed.

An altitude is a depth above the filtered bottom (bottom). A place is held by surge and sway thrust (station).
Feedforward: net buoyancy, righting moment of the pitch and roll setpoints, trim of level flight at speed, the drag of
the speed setpoint (through the water, ahead), and, where thrusters alone hold attitude, the Munk moment of the measured
oblique flow (it turns up a descending ROV that moves ahead).

Quantities without a setpoint are free, with two exceptions: roll and pitch are held level where actuators can do it,
and a vehicle that needs way to be controlled takes 70 % of its top speed. A setpoint that the vehicle cannot hold
raises CommandError (setpoints).

Switching: when a loop begins or ends, when depth becomes an altitude or is taken over by the planes, when gains change
with speed, and after `take_over`, the commanded wrench continues from the last one. A loop that begins takes into its
integral the part of the last force that the model does not explain; the rest fades (switching). A new value of a
quantity that is already held acts at once.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.control.autopilot.bottom import BottomFilter
from pelagos.control.autopilot.setpoints import HoldPlan, changed, plan
from pelagos.control.autopilot.station import StationKeeper
from pelagos.control.autopilot.surface_limit import SurfaceLimit
from pelagos.control.autopilot.switching import WrenchFade, wrench_of
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW, ballast_at_start
from pelagos.control.pid import PID, differenced, step
from pelagos.control.pilot.sticks import ManualCommand
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.engine.laws import clip
from pelagos.errors import CommandError
from pelagos.messages import Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

LEVEL = frozenset({"roll", "pitch"})  # loops that run with every setpoint, unless `levelled` has others
LAGGING = 0.1  # rad: a larger error of pitch freezes the integral of depth
LOAD_SHARE = 0.5  # of the reach of an axis: the largest steady load that a loop starts with


class Autopilot:
    """Controller that holds a `Setpoint`: `command` changes it, `update` computes the actuation."""

    skip_rate_check = False  # True if heading and dive are controlled by other laws (sliding): see `plan`

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        self.vehicle = vehicle
        self.schedule = s = Schedule(vehicle, water, interval_s)
        self.setpoint = Setpoint()
        self.manual: ManualCommand | None = None  # a pilot's command, added in the same allocation (helm)
        self.levelled = LEVEL  # a change takes effect with the next command
        self._plan = HoldPlan()
        self._ballast = ballast_at_start(vehicle)
        self._idle = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), self._ballast)
        self._yaw, self._pitch, self._roll = PID(0.0, angle=True), PID(0.0, angle=True), PID(0.0, angle=True)
        self._heave, self._surge, self._dive = PID(0.0), PID(0.0), PID(0.0)
        self._pids = {"yaw": self._yaw, "pitch": self._pitch, "roll": self._roll, "heave": self._heave,
                      "surge": self._surge, "dive": self._dive}  # fmt: skip
        self._station = StationKeeper(*s.place)
        self._surface_limit = SurfaceLimit(vehicle)
        self._bottom = BottomFilter(vehicle.control.altitude_filter_s)
        self._kinds: tuple[object, ...] = ()
        self._stage: Stage | None = None
        self._served = frozenset[int]()
        self._by_fins = self._by_thrust_alone = (False, False, False)  # which of roll, pitch, yaw
        s.heave.tune(self._heave)
        s.surge.tune(self._surge)
        self.reset()

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Replace the setpoint, or change single quantities of it (None releases one); returns the new setpoint."""
        if setpoint is not None and changes:
            name, value = next(iter(changes.items()))
            raise CommandError("a whole setpoint is given too", key=name, value=value, expected="one or the other")
        new = setpoint if setpoint is not None else changed(self.setpoint, changes)
        kinds = (new.speed_m_s, self.levelled, *(value is None for value in vars(new).values()))
        if kinds != self._kinds:  # a guide changes values at every tick; the plan depends on these alone
            self._plan, self._kinds = plan(self.schedule, new, self.skip_rate_check), kinds
            self._required = self._plan.loops | self.levelled if new.quantities else frozenset[str]()
        self.setpoint = new
        return new

    def can(self, quantity: str) -> bool:
        """Whether the vehicle can hold a quantity such as "depth_m"."""
        both: dict[str, float | None] = {"north_m": 0.5, "east_m": 0.5}  # half a unit is inside every range
        setpoint = changed(Setpoint(), both if quantity in both else {quantity: 0.5})
        try:
            plan(self.schedule, setpoint, self.skip_rate_check)
        except CommandError:
            return False
        return True

    def reset(self) -> None:
        """Clear integrals, the bottom and the last wrench; keep gains and setpoint."""
        for pid in self._pids.values():
            pid.reset()
        self._station.reset()
        self._bottom.reset()
        self._fade = WrenchFade()
        self._moved = False  # depth became an altitude, or the reverse, at this update
        self._surfaced = False  # afloat below a depth setpoint that is further up
        self._down, self._way_on, self._depth_then = (0.0, 0.0, 1.0), False, 0.0
        self._tau: list[float] | None = None  # last wrench applied; None before the first update
        self._pitch_cmd = 0.0
        self._active: frozenset[str] = frozenset()  # loops that ran at the last update
        self._over_bottom = False
        self._required = self._plan.loops | self.levelled if self.setpoint.quantities else frozenset[str]()

    def take_over(self, actuation: Actuation, state: VehicleState) -> None:
        """Start from the last actuation of another controller or a pilot: the next wrench continues from it."""
        self.reset()
        stage = self.schedule.stage(float(state.nu_r[0]))
        self._retune(stage)
        self._tau = wrench_of(self.schedule, stage, actuation, state)
        self._pitch_cmd = state.pitch

    def _begin(self, pid: PID, axis: int, at: tuple[float, float, float], feedforward: float, known: float,
               applied: float) -> None:  # fmt: skip
        """Start a loop from the last wrench; `at` is setpoint, measurement and rate.

        `known` is the force that the present motion takes by the model: the rest of the applied force is a load.
        """
        if self.manual is not None and axis in (HEAVE, YAW):  # a pilot moves faster than the linear damping is valid
            known = feedforward + self.schedule.response.resistance(axis, at[2])
        by_fins = axis >= ROLL and self._by_fins[axis - ROLL]
        most = 0.0 if by_fins and not self._way_on else LOAD_SHARE * self.schedule.reach(axis, self._stage)
        load = clip(applied - known, -most, most)
        pid.condition(applied, at[0], at[1], rate=at[2], feedforward=feedforward, load=load)

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Compute the actuator commands for the next dt seconds."""
        required, manual = self._required, self.manual
        if not required and not self._active and not self._fade.left and manual is None:
            return self._idle
        s = self.schedule
        flow = state.nu_r.tolist()
        stage = s.stage(flow[0])
        if stage is not self._stage:
            self._retune(stage)
        last, start = self._tau, frozenset[str]()
        switched = required != self._active
        if switched:
            for name in self._active - required:
                (self._station if name == "place" else self._pids[name]).reset()
            if last is not None:
                start = required - self._active
            self._active = required
            self._way_on = flow[0] > 0.8 * stage.speed  # without way, fin angles do not indicate a load
        tau = self._wrench(state, flow, stage, start, dt) if required else [0.0] * 6
        if last is not None and (switched or self._moved):  # the part that no loop took over
            added = [0.0] * 6 if manual is None else manual.wrench(stage)
            jump = [last[i] - tau[i] - added[i] if i in self._served else 0.0 for i in range(6)]
            self._fade.begin(jump, s, stage)
        if self._fade.left:
            self._fade.add(tau, dt)
        return self._share(tau, state, stage, dt)

    def _wrench(
        self, state: VehicleState, flow: list[float], stage: Stage, start: frozenset[str], dt: float
    ) -> list[float]:
        """Wrench of the loops: X Y Z K M N, body axes. Loops in `start` begin from the last wrench."""
        loops, served = self._plan.loops, self._served
        last = self._tau or [0.0] * 6
        sr, cr = math.sin(state.roll), math.cos(state.roll)
        sp, cp = math.sin(state.pitch), math.cos(state.pitch)
        down = self._down = (-sp, cp * sr, cp * cr)
        x = y = z = trim = 0.0
        pitch_deg = self.setpoint.pitch_deg
        pitch_cmd = 0.0 if pitch_deg is None else math.radians(pitch_deg)
        if "surge" in loops:
            x = self._ahead(flow[0], start, last, dt)
        elif "place" in loops:
            ahead, aside = self._to_place(state, (sr, cr, sp, cp), start, last, dt)
            x, y, z = cp * ahead, sr * sp * ahead + cr * aside, cr * sp * ahead - sr * aside
        self._moved = self._surfaced = False
        if "dive" in loops:
            pitch_cmd, trim = self._by_pitch(state, stage, start, dt), stage.trim_moment
        elif "heave" in loops:
            force = self._by_lift(state, start, last, dt)
            x, y, z = x + down[0] * force, y + down[1] * force, z + down[2] * force
        self._pitch_cmd = pitch_cmd
        tau = [x if SURGE in served else 0.0, y if SWAY in served else 0.0, z if HEAVE in served else 0.0]
        return tau + self._moments(state, flow, trim, start, last, dt)

    def _ahead(self, speed_now: float, start: frozenset[str], last: list[float], dt: float) -> float:
        """Surge force of the speed loop."""
        speed = self._plan.speed or 0.0
        drag = self.schedule.drag(speed)
        if "surge" in start:
            known = self.schedule.response.drag(speed_now)
            self._begin(self._surge, SURGE, (speed, speed_now, 0.0), drag, known, last[SURGE])
        return step(self._surge, speed, speed_now, dt, differenced(self._surge, speed_now, dt), drag)

    def _to_place(self, state: VehicleState, turned: tuple[float, float, float, float], start: frozenset[str],
                  last: list[float], dt: float) -> tuple[float, float]:  # fmt: skip
        """Horizontal force ahead and to starboard for the place; `turned` are sine and cosine of roll and of pitch."""
        setpoint, yaw = self.setpoint, state.yaw
        if "place" in start:
            needed = self.schedule.response.wrench(state.nu).tolist()
            most = [LOAD_SHARE * self.schedule.reach(axis, self._stage) for axis in (SURGE, SWAY)]
            ahead, aside = (clip(last[i] + needed[i], -most[i], most[i]) for i in (SURGE, SWAY))
            self._station.condition(ahead, aside, yaw)
        u, v, w = state.nu[:3].tolist()
        north, east, _ = state.pos_n.tolist()
        sr, cr, sp, cp = turned
        speeds = u * cp + (v * sr + w * cr) * sp, v * cr - w * sr
        way = (setpoint.north_m or 0.0) - north, (setpoint.east_m or 0.0) - east
        return self._station.update(way, speeds, yaw, dt, setpoint.speed_m_s)

    def _by_pitch(self, state: VehicleState, stage: Stage, start: frozenset[str], dt: float) -> float:
        """Pitch setpoint of the depth loop."""
        pid, trim = self._dive, -stage.trim_pitch
        target, depth, rate = self._vertical(state, dt)
        if "dive" in start:
            most = LOAD_SHARE * stage.pitch_limit if self._way_on else 0.0
            load = clip(-self._pitch_cmd - rate / max(stage.speed, 1e-6) - trim, -most, most)
            pid.condition(-self._pitch_cmd, target, depth, rate=rate, feedforward=trim, load=load)
        elif self._moved:
            pid.condition(pid.unsaturated, target, depth, rate=rate, feedforward=trim, load=pid.integral)
        integral, lagging = pid.integral, abs(self._pitch_cmd - state.pitch) > LAGGING
        pitch = -step(pid, target, depth, dt, rate, trim)
        # Without way, or at the surface, pitch does not follow its setpoint: that is no error of the trim to learn.
        afloat = self._surface_limit.share(target, depth)
        self._surfaced = afloat > 0.0
        pid.integral = integral if lagging or self._surfaced else pid.integral
        return clip(pitch + afloat * (integral + trim), -stage.pitch_limit, stage.pitch_limit) if afloat else pitch

    def _by_lift(self, state: VehicleState, start: frozenset[str], last: list[float], dt: float) -> float:
        """Vertical force of the depth loop, positive down."""
        pid, weight = self._heave, -self.schedule.response.net_weight_n
        target, depth, rate = self._vertical(state, dt)
        if "heave" in start:
            applied = sum(d * f for d, f in zip(self._down, last, strict=False))
            known = (pid.approach_s * pid.kp - pid.kd) * rate + weight
            self._begin(pid, HEAVE, (target, depth, rate), weight, known, applied)
        elif self._moved:
            pid.condition(pid.unsaturated, target, depth, rate=rate, feedforward=weight, load=pid.integral)
        integral = pid.integral
        force = step(pid, target, depth, dt, rate, weight)
        pid.integral = integral if self._surface_limit.share(target, depth) > 0.0 else pid.integral
        return force

    def _moments(self, state: VehicleState, flow: list[float], trim: float, start: frozenset[str], last: list[float],
                 dt: float) -> list[float]:  # fmt: skip
        """Roll, pitch and yaw moments of the attitude loops."""
        setpoint, served, response = self.setpoint, self._served, self.schedule.response
        _, _, _, p, q, r = state.nu.tolist()
        roll, pitch, yaw, pitch_cmd = state.roll, state.pitch, state.yaw, self._pitch_cmd
        munk = self.schedule.munk_moments(flow, self._by_thrust_alone)
        roll_cmd = 0.0 if setpoint.roll_deg is None else math.radians(setpoint.roll_deg)
        righting = response.righting(roll_cmd, pitch_cmd)
        k = m = n = 0.0
        if ROLL in served and "roll" in self._active:
            known = -righting[0] - munk[0]
            if "roll" in start:
                here = -response.righting(roll, pitch)[0] - munk[0]
                self._begin(self._roll, ROLL, (roll_cmd, roll, p), known, here, last[ROLL])
            k = step(self._roll, roll_cmd, roll, dt, p, known)
        if PITCH in served and "pitch" in self._active:
            known = trim - righting[1] - munk[1]
            if "pitch" in start:
                here = trim - response.righting(roll, pitch)[1] - munk[1]
                self._begin(self._pitch, PITCH, (pitch_cmd, pitch, q), known, here, last[PITCH])
            learnt = self._pitch.integral
            m = step(self._pitch, pitch_cmd, pitch, dt, q, known)
            self._pitch.integral = learnt if self._surfaced else self._pitch.integral
        if setpoint.heading_deg is not None and YAW in served:
            pid, target = self._yaw, math.radians(setpoint.heading_deg)
            # Rate of the Euler angle psi; near the pole of the angles the divisor is kept off zero.
            rate = (q * math.sin(roll) + r * math.cos(roll)) / max(math.cos(pitch), 0.1)
            if "yaw" in start:
                here = (pid.approach_s * pid.kp - pid.kd) * rate - munk[2]
                self._begin(pid, YAW, (target, yaw, rate), -munk[2], here, last[YAW])
            n = step(pid, target, yaw, dt, rate, -munk[2])
        return [k, m, n]

    def _vertical(self, state: VehicleState, dt: float) -> tuple[float, float, float]:
        """Target depth, depth, and the rate of depth; with an altitude, target and rate follow the bottom."""
        depth = float(state.pos_n[2])
        u, v, w = state.nu[:3].tolist()
        rate = self._down[0] * u + self._down[1] * v + self._down[2] * w
        altitude, bottom = self.setpoint.altitude_m, self._bottom
        if (altitude is not None) != self._over_bottom:
            self._over_bottom = altitude is not None
            self._moved = self._tau is not None
            bottom.reset()
            self._depth_then = depth
        if altitude is None:
            return self.setpoint.depth_m or 0.0, depth, rate
        bottom.update(depth, state.altitude_m, dt)
        target = bottom.depth_m - altitude
        if target != target:  # NaN, no echo yet: keep the depth
            return self._depth_then, depth, rate
        return (target, depth, rate - bottom.rate_m_s) if target > 0.0 else (0.0, depth, rate)

    def _share(self, tau: list[float], state: VehicleState, stage: Stage, dt: float) -> Actuation:
        """Allocate a wrench: surfaces first, thrusters for the rest, the manual command added; then anti-windup."""
        achieved, allocation = [0.0] * 6, self.schedule.allocation
        surfaces, thrusters = self._idle.surfaces, self._idle.thrusters
        if stage.use_surfaces:
            a, b, c = self._by_fins
            # Only moments that the surfaces serve; what they give on other axes is not counted.
            angles, (k, m, n) = stage.mix.deflect(tau[3] if a else 0.0, tau[4] if b else 0.0, tau[5] if c else 0.0)
            surfaces = np.array(angles)
            achieved = [0.0, 0.0, 0.0, k if a else 0.0, m if b else 0.0, n if c else 0.0]
        rest, manual = [t - a for t, a in zip(tau, achieved, strict=True)], self.manual
        if manual is not None:
            surfaces, achieved = manual.add_to(surfaces, stage)
            rest = [r + h for r, h in zip(rest, manual.thrust.tolist(), strict=True)]
            tau = [t + h for t, h in zip(tau, manual.wrench(stage), strict=True)]
        if allocation.n:
            share = allocation.solve(np.array(rest), state.nu_r)
            thrust = share.achieved.tolist()
            for i in allocation.axes:
                achieved[i] += thrust[i]
            thrusters = share.drives
        self._tau = achieved
        missed = [a - t for a, t in zip(achieved, tau, strict=True)]
        if max(missed) > 1e-9 or min(missed) < -1e-9:  # N, N m: beyond rounding
            self._track(missed, state.yaw, dt)
        return Actuation(thrusters, surfaces, self._ballast)

    def _track(self, missed: list[float], yaw: float, dt: float) -> None:
        """Correct the integrals for the part of the wrench that was not applied (back-calculation)."""
        loops, served = self._plan.loops, self._served
        for name, axis in (("surge", SURGE), ("yaw", YAW), ("pitch", PITCH), ("roll", ROLL)):
            if abs(missed[axis]) > 1e-9 and axis in served and (name in loops or name in self.levelled):
                pid = self._pids[name]
                pid.track(pid.unsaturated + missed[axis], dt)
        if "place" in loops:
            self._station.track(missed[SURGE], missed[SWAY], yaw, dt)
        if "heave" in loops:
            lost = sum(d * missed[i] for i, d in enumerate(self._down) if i in served)
            if abs(lost) > 1e-9:
                self._heave.track(self._heave.unsaturated + lost, dt)

    def _retune(self, stage: Stage) -> None:
        """Apply the gains of a stage. Integrals are in N and N m, so they remain valid."""
        self._stage = stage
        axes = self.schedule.allocation.axes
        self._served = frozenset(i for i in {*axes, *stage.use_surfaces} if self.vehicle.free[i])
        self._by_fins = (ROLL in stage.use_surfaces, PITCH in stage.use_surfaces, YAW in stage.use_surfaces)
        k, m, n = (i in axes and i not in stage.use_surfaces for i in (ROLL, PITCH, YAW))
        self._by_thrust_alone = (k, m, n)
        stage.yaw.tune(self._yaw)
        self._yaw.mass *= n  # steered by a rudder the hull drifts: the load equation of `pid` does not hold
        stage.pitch.tune(self._pitch)
        stage.roll.tune(self._roll)
        stage.dive.tune(self._dive, stage.speed, stage.pitch_limit)
