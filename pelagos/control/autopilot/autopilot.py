"""The default autopilot: depth, altitude, heading, speed, pitch, roll and place of anything with thrusters or fins.

It finds out from the vehicle what can do what. Each quantity becomes a force or moment through a PID (pid, with gains
from tuning); moments go to the surfaces first where these reach far enough at the present speed, the rest to the
thrusters (allocation). Depth is held

- by vertical thrust, turned with the attitude so that it stays vertical, where thrusters can lift;
- through pitch, theta_cmd = w_z (z - z_cmd) / u + trim (see tuning), by planes under way: torpedoes, and hovering
  vehicles with planes once the speed asked for is above 40 % of their top speed.

An altitude is a depth over a bottom that is followed (bottom). A place is held by surge and sway thrust (station).
Feed-forward: net buoyancy, righting moment of the pitch and roll asked for, trim of level flight at speed, the drag of
the speed asked for (through the water, ahead), and, where thrusters alone hold attitude, the Munk moment of the oblique
flow as measured (a descending ROV that goes ahead is turned up hard by it).

What is not asked for is left alone, except that roll and pitch are held level where that can be done, and that a
vehicle which needs way to obey takes 70 % of its top speed. What cannot be done raises CommandError (orders).

Switching: when a loop begins or ends, when depth becomes an altitude or goes over to the planes, when gains change with
speed, and after `take_over`, the wrench asked for is the last one and moves from there. A loop that begins takes into
its integral what the model cannot explain of the last force; the rest fades. New values of what is held act at once.
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

LEVEL = frozenset({"roll", "pitch"})  # loops that run whatever is asked for, unless `levelled` says otherwise
LAGGING = 0.1  # rad: a pitch that far from what depth asks for keeps the depth's integral as it is
LOAD_SHARE = 0.5  # of what an axis can give, at most, is taken for a steady load


class Autopilot:
    """Holds a `Setpoint`. `command` changes it, `update` flies."""

    own_laws = False  # True for one that flies heading and dive by laws of its own, and asks this for the rest

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        self.vehicle = vehicle
        self.schedule = s = Schedule(vehicle, water, interval_s)
        self.setpoint = Setpoint()
        self.by_hand: ManualCommand | None = None  # what a pilot asks for on top, in the same allocation (helm)
        self.levelled = LEVEL  # goes with the next command
        self._plan = HoldPlan()
        self._ballast = ballast_at_start(vehicle)
        self._idle = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), self._ballast)
        self._yaw, self._pitch, self._roll = PID(0.0, angle=True), PID(0.0, angle=True), PID(0.0, angle=True)
        self._heave, self._surge, self._dive = PID(0.0), PID(0.0), PID(0.0)
        self._pids = {"yaw": self._yaw, "pitch": self._pitch, "roll": self._roll, "heave": self._heave,
                      "surge": self._surge, "dive": self._dive}  # fmt: skip
        self._station = StationKeeper(*s.place)
        self._afloat = SurfaceLimit(vehicle)
        self._bottom = BottomFilter(vehicle.control.altitude_filter_s)
        self._kinds: tuple[object, ...] = ()
        self._stage: Stage | None = None
        self._served = frozenset[int]()
        self._by_fins = self._by_thrust_alone = (False, False, False)  # which of roll, pitch, yaw
        s.heave.tune(self._heave)
        s.surge.tune(self._surge)
        self.reset()

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Take a whole setpoint, or change single quantities of the present one (None lets go); what holds now."""
        if setpoint is not None and changes:
            raise CommandError(f"{next(iter(changes))} is given beside a whole setpoint", expected="one or the other")
        new = setpoint if setpoint is not None else changed(self.setpoint, changes)
        kinds = (new.speed_m_s, self.levelled, *(value is None for value in vars(new).values()))
        if kinds != self._kinds:  # a guide changes values at every tick; the loops they need follow from these
            self._plan, self._kinds = plan(self.schedule, new, self.own_laws), kinds
            self._wanted = self._plan.loops | self.levelled if new.given else frozenset[str]()
        self.setpoint = new
        return new

    def can(self, quantity: str) -> bool:
        """Whether the vehicle can act on a setpoint such as "depth_m"."""
        both: dict[str, float | None] = {"north_m": 0.5, "east_m": 0.5}  # half a unit is inside every range
        wish = changed(Setpoint(), both if quantity in both else {quantity: 0.5})
        try:
            plan(self.schedule, wish, self.own_laws)
        except CommandError:
            return False
        return True

    def reset(self) -> None:
        """Forget integrals, the bottom and what was last done; gains and setpoint stay."""
        for pid in self._pids.values():
            pid.reset()
        self._station.reset()
        self._bottom.reset()
        self._fade = WrenchFade()
        self._moved = False  # depth has become an altitude, or the other way, at this update
        self._lies = False  # at the surface, though asked further up
        self._down, self._way_on, self._depth_then = (0.0, 0.0, 1.0), False, 0.0
        self._tau: list[float] | None = None  # last wrench applied; None: nothing yet, and nothing to go on from
        self._pitch_cmd = 0.0
        self._active: frozenset[str] = frozenset()  # loops that ran at the last update
        self._over_bottom = False
        self._wanted = self._plan.loops | self.levelled if self.setpoint.given else frozenset[str]()

    def take_over(self, actuation: Actuation, state: VehicleState) -> None:
        """Begin from what another controller, or a pilot, did last: the next demand is that, and moves from there."""
        self.reset()
        stage = self.schedule.stage(float(state.nu_r[0]))
        self._retune(stage)
        self._tau = wrench_of(self.schedule, stage, actuation, state)
        self._pitch_cmd = state.pitch

    def _begin(self, pid: PID, axis: int, at: tuple[float, float, float], feedforward: float, known: float,
               applied: float) -> None:  # fmt: skip
        """Start a loop where the last demand was; `at` is setpoint, measurement and rate.

        `known` is the force that the model needs for the present motion: what was applied beyond it is a load.
        """
        if self.by_hand is not None and axis in (HEAVE, YAW):  # driven faster than the loop's damping holds for
            known = feedforward + self.schedule.response.resistance(axis, at[2])
        by_fins = axis >= ROLL and self._by_fins[axis - ROLL]
        most = 0.0 if by_fins and not self._way_on else LOAD_SHARE * self.schedule.reach(axis, self._stage)
        load = clip(applied - known, -most, most)
        pid.condition(applied, at[0], at[1], rate=at[2], feedforward=feedforward, load=load)

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Demands for the next dt seconds."""
        wanted, hand = self._wanted, self.by_hand
        if not wanted and not self._active and not self._fade.left and hand is None:
            return self._idle
        s = self.schedule
        flow = state.nu_r.tolist()
        stage = s.stage(flow[0])
        if stage is not self._stage:
            self._retune(stage)
        last, start = self._tau, frozenset[str]()
        switched = wanted != self._active
        if switched:
            for name in self._active - wanted:
                (self._station if name == "place" else self._pids[name]).reset()
            if last is not None:
                start = wanted - self._active
            self._active = wanted
            self._way_on = flow[0] > 0.8 * stage.speed  # without it, what fins did says nothing of a load
        tau = self._wrench(state, flow, stage, start, dt) if wanted else [0.0] * 6
        if last is not None and (switched or self._moved):
            also = [0.0] * 6 if hand is None else hand.wrench(stage)
            jump = [last[i] - tau[i] - also[i] if i in self._served else 0.0 for i in range(6)]
            self._fade.begin(jump, s, stage)
        if self._fade.left:
            self._fade.add(tau, dt)
        return self._share(tau, state, stage, dt)

    def _wrench(
        self, state: VehicleState, flow: list[float], stage: Stage, start: frozenset[str], dt: float
    ) -> list[float]:
        """What the loops ask for: X Y Z K M N in the body. Loops in `start` begin from the last wrench."""
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
        self._moved = self._lies = False
        if "dive" in loops:
            pitch_cmd, trim = self._by_pitch(state, stage, start, dt), stage.trim_moment
        elif "heave" in loops:
            force = self._by_lift(state, start, last, dt)
            x, y, z = x + down[0] * force, y + down[1] * force, z + down[2] * force
        self._pitch_cmd = pitch_cmd
        tau = [x if SURGE in served else 0.0, y if SWAY in served else 0.0, z if HEAVE in served else 0.0]
        return tau + self._moments(state, flow, trim, start, last, dt)

    def _ahead(self, speed_now: float, start: frozenset[str], last: list[float], dt: float) -> float:
        """Thrust for the speed."""
        speed = self._plan.speed or 0.0
        drag = self.schedule.drag(speed)
        if "surge" in start:
            known = self.schedule.response.drag(speed_now)
            self._begin(self._surge, SURGE, (speed, speed_now, 0.0), drag, known, last[0])
        return step(self._surge, speed, speed_now, dt, differenced(self._surge, speed_now, dt), drag)

    def _to_place(self, state: VehicleState, turned: tuple[float, float, float, float], start: frozenset[str],
                  last: list[float], dt: float) -> tuple[float, float]:  # fmt: skip
        """Force ahead and to starboard, level, for the place; `turned` are sine and cosine of roll and of pitch."""
        wish, yaw = self.setpoint, state.yaw
        if "place" in start:
            needed = self.schedule.response.wrench(state.nu).tolist()
            most = [LOAD_SHARE * self.schedule.reach(axis, self._stage) for axis in (SURGE, SWAY)]
            ahead, aside = (clip(last[i] + needed[i], -most[i], most[i]) for i in (SURGE, SWAY))
            self._station.condition(ahead, aside, yaw)
        u, v, w = state.nu[:3].tolist()
        north, east, _ = state.pos_n.tolist()
        sr, cr, sp, cp = turned
        speeds = u * cp + (v * sr + w * cr) * sp, v * cr - w * sr
        way = (wish.north_m or 0.0) - north, (wish.east_m or 0.0) - east
        return self._station.update(way, speeds, yaw, dt, wish.speed_m_s)

    def _by_pitch(self, state: VehicleState, stage: Stage, start: frozenset[str], dt: float) -> float:
        """The pitch angle for the depth."""
        pid, trim = self._dive, -stage.trim_pitch
        target, depth, rate = self._vertical(state, dt)
        if "dive" in start:
            most = LOAD_SHARE * stage.pitch_limit if self._way_on else 0.0
            load = clip(-self._pitch_cmd - rate / max(stage.speed, 1e-6) - trim, -most, most)
            pid.condition(-self._pitch_cmd, target, depth, rate=rate, feedforward=trim, load=load)
        elif self._moved:
            pid.condition(pid.wanted, target, depth, rate=rate, feedforward=trim, load=pid.integral)
        integral, lagging = pid.integral, abs(self._pitch_cmd - state.pitch) > LAGGING
        pitch = -step(pid, target, depth, dt, rate, trim)
        # Without way, or at the surface, the nose does not follow: no fault of the trim.
        afloat = self._afloat.share(target, depth)
        self._lies = afloat > 0.0
        pid.integral = integral if lagging or self._lies else pid.integral
        return clip(pitch + afloat * (integral + trim), -stage.pitch_limit, stage.pitch_limit) if afloat else pitch

    def _by_lift(self, state: VehicleState, start: frozenset[str], last: list[float], dt: float) -> float:
        """The vertical force for the depth."""
        pid, weight = self._heave, -self.schedule.response.net_weight_n
        target, depth, rate = self._vertical(state, dt)
        if "heave" in start:
            applied = sum(d * f for d, f in zip(self._down, last, strict=False))
            known = (pid.approach_s * pid.kp - pid.kd) * rate + weight
            self._begin(pid, HEAVE, (target, depth, rate), weight, known, applied)
        elif self._moved:
            pid.condition(pid.wanted, target, depth, rate=rate, feedforward=weight, load=pid.integral)
        integral = pid.integral
        force = step(pid, target, depth, dt, rate, weight)
        pid.integral = integral if self._afloat.share(target, depth) > 0.0 else pid.integral
        return force

    def _moments(self, state: VehicleState, flow: list[float], trim: float, start: frozenset[str], last: list[float],
                 dt: float) -> list[float]:  # fmt: skip
        """Roll, pitch and yaw moments."""
        wish, served, response = self.setpoint, self._served, self.schedule.response
        _, _, _, p, q, r = state.nu.tolist()
        roll, pitch, yaw, pitch_cmd = state.roll, state.pitch, state.yaw, self._pitch_cmd
        munk = self.schedule.munk_moments(flow, self._by_thrust_alone)
        roll_cmd = 0.0 if wish.roll_deg is None else math.radians(wish.roll_deg)
        righting = response.righting(roll_cmd, pitch_cmd)
        k = m = n = 0.0
        if ROLL in served and "roll" in self._active:
            known = -righting[0] - munk[0]
            if "roll" in start:
                here = -response.righting(roll, pitch)[0] - munk[0]
                self._begin(self._roll, ROLL, (roll_cmd, roll, p), known, here, last[3])
            k = step(self._roll, roll_cmd, roll, dt, p, known)
        if PITCH in served and "pitch" in self._active:
            known = trim - righting[1] - munk[1]
            if "pitch" in start:
                here = trim - response.righting(roll, pitch)[1] - munk[1]
                self._begin(self._pitch, PITCH, (pitch_cmd, pitch, q), known, here, last[4])
            learnt = self._pitch.integral
            m = step(self._pitch, pitch_cmd, pitch, dt, q, known)
            self._pitch.integral = learnt if self._lies else self._pitch.integral
        if wish.heading_deg is not None and YAW in served:
            pid, target = self._yaw, math.radians(wish.heading_deg)
            rate = (q * math.sin(roll) + r * math.cos(roll)) / max(math.cos(pitch), 0.1)
            if "yaw" in start:
                here = (pid.approach_s * pid.kp - pid.kd) * rate - munk[2]
                self._begin(pid, YAW, (target, yaw, rate), -munk[2], here, last[5])
            n = step(pid, target, yaw, dt, rate, -munk[2])
        return [k, m, n]

    def _vertical(self, state: VehicleState, dt: float) -> tuple[float, float, float]:
        """Depth to hold, depth, and the rate at which the one goes to the other; over a bottom both move with it."""
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
        if target != target:  # no bottom seen yet: stay
            return self._depth_then, depth, rate
        return (target, depth, rate - bottom.rate_m_s) if target > 0.0 else (0.0, depth, rate)

    def _share(self, tau: list[float], state: VehicleState, stage: Stage, dt: float) -> Actuation:
        """Surfaces first, thrusters for the rest, the hand on top; then each integral hears what became of it."""
        achieved, allocation = [0.0] * 6, self.schedule.allocation
        surfaces, thrusters = self._idle.surfaces, self._idle.thrusters
        if stage.use_surfaces:
            a, b, c = self._by_fins
            angles, (k, m, n) = stage.mix.deflect(tau[3] if a else 0.0, tau[4] if b else 0.0, tau[5] if c else 0.0)
            surfaces = np.array(angles)
            achieved = [0.0, 0.0, 0.0, k if a else 0.0, m if b else 0.0, n if c else 0.0]
        rest, hand = [t - a for t, a in zip(tau, achieved, strict=True)], self.by_hand
        if hand is not None:
            surfaces, achieved = hand.on_top_of(surfaces, stage)
            rest = [r + h for r, h in zip(rest, hand.thrust.tolist(), strict=True)]
            tau = [t + h for t, h in zip(tau, hand.wrench(stage), strict=True)]
        if allocation.n:
            share = allocation.solve(np.array(rest), state.nu_r)
            got = share.achieved.tolist()
            for i in allocation.axes:
                achieved[i] += got[i]
            thrusters = share.drives
        self._tau = achieved
        missed = [a - t for a, t in zip(achieved, tau, strict=True)]
        if max(missed) > 1e-9 or min(missed) < -1e-9:
            self._track(missed, state.yaw, dt)
        return Actuation(thrusters, surfaces, self._ballast)

    def _track(self, missed: list[float], yaw: float, dt: float) -> None:
        """Back-calculation: the integrals hear what became of their demand."""
        loops, served = self._plan.loops, self._served
        for name, axis in (("surge", SURGE), ("yaw", YAW), ("pitch", PITCH), ("roll", ROLL)):
            if abs(missed[axis]) > 1e-9 and axis in served and (name in loops or name in self.levelled):
                pid = self._pids[name]
                pid.track(pid.wanted + missed[axis], dt)
        if "place" in loops:
            self._station.track(missed[0], missed[1], yaw, dt)
        if "heave" in loops:
            lost = sum(d * missed[i] for i, d in enumerate(self._down) if i in served)
            if abs(lost) > 1e-9:
                self._heave.track(self._heave.wanted + lost, dt)

    def _retune(self, stage: Stage) -> None:
        """Take the gains of a stage. Integrals are in N and N m and carry over."""
        self._stage = stage
        axes = self.schedule.allocation.axes
        self._served = frozenset(i for i in {*axes, *stage.use_surfaces} if self.vehicle.free[i])
        self._by_fins = (ROLL in stage.use_surfaces, PITCH in stage.use_surfaces, YAW in stage.use_surfaces)
        k, m, n = (i in axes and i not in stage.use_surfaces for i in (ROLL, PITCH, YAW))
        self._by_thrust_alone = (k, m, n)
        stage.yaw.tune(self._yaw)
        self._yaw.mass *= n  # behind a rudder the hull drifts: not that equation
        stage.pitch.tune(self._pitch)
        stage.roll.tune(self._roll)
        stage.dive.tune(self._dive, stage.speed, stage.pitch_limit)
