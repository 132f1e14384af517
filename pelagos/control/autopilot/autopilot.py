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
from pelagos.control.autopilot.loops import (
    KNOWN_DRAG,
    KNOWN_HEAVE,
    KNOWN_SURGE,
    KNOWN_SWAY,
    KNOWN_YAW,
    NEGLIGIBLE,
    ON_DIVE,
    ON_HEAVE,
    ON_PLACE,
    ON_SURGE,
    ON_YAW,
    ActiveStage,
    LoopState,
    clear,
    constants_of,
    largest_loads,
    loops_of,
    switch,
    take_gains,
    track_missed,
    wrench,
)
from pelagos.control.autopilot.setpoints import HoldPlan, changed, plan
from pelagos.control.autopilot.switching import add_fading, begin_fading, wrench_of
from pelagos.control.base import HEAVE, YAW, depth_rate, down_in_body, heading_rate
from pelagos.control.pid import PID
from pelagos.control.pilot.sticks import ManualCommand
from pelagos.control.tuning.gains import SAMPLING_S
from pelagos.control.tuning.schedule import Schedule, Stage, WaterState
from pelagos.errors import CommandError
from pelagos.messages import QUANTITIES, Actuation, Setpoint, VehicleState
from pelagos.vehicle.spec import Vehicle

LEVEL = frozenset({"roll", "pitch"})  # loops that run with every setpoint, unless `levelled` has others
NO_WRENCH, NOTHING_KNOWN = [0.0] * 6, [math.nan] * 5


class Autopilot:
    """Controller that holds a `Setpoint`: `command` changes it, `update` computes the actuation."""

    skip_rate_check = False  # True if heading and dive are controlled by other laws (sliding): see `plan`

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        self.vehicle = vehicle
        self.schedule = s = Schedule(vehicle, water, interval_s)
        self.setpoint = Setpoint()
        self.manual: ManualCommand | None = None  # a pilot's command, added in the same allocation (helm)
        self.levelled = LEVEL  # a change takes effect with the next command
        self.hold_plan = HoldPlan()  # of the setpoint
        self._ballast = vehicle.ballast_at_start
        self._idle = Actuation(np.zeros(len(vehicle.thrusters)), np.zeros(len(vehicle.surfaces)), self._ballast)
        self._yaw, self._pitch, self._roll = PID(0.0, angle=True), PID(0.0, angle=True), PID(0.0, angle=True)
        self._heave, self._surge, self._dive = PID(0.0), PID(0.0), PID(0.0)
        self._pids = [self._yaw, self._pitch, self._roll, self._heave, self._surge, self._dive]  # in the order of LOOPS
        self._lane, self._constants = LoopState(), constants_of(s)
        self._held, self._tracked = [math.nan] * len(QUANTITIES), 0
        self._fade = [[0.0] * 6 for _ in range(3)]
        self._bottom = BottomFilter(vehicle.control.altitude_filter_s)
        self._kinds: tuple[object, ...] = ()
        self._stage: Stage | None = None
        self._heave.retune(s.heave.gains())
        self._surge.retune(s.surge.gains())
        self.reset()

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> Setpoint:
        """Replace the setpoint, or change single quantities of it (None releases one); returns the new setpoint."""
        if setpoint is not None and changes:
            name, value = next(iter(changes.items()))
            raise CommandError("a whole setpoint is given too", key=name, value=value, expected="one or the other")
        new = setpoint if setpoint is not None else changed(self.setpoint, changes)
        kinds = (new.speed_m_s, self.levelled, *(value is None for value in vars(new).values()))
        if kinds != self._kinds:  # a guide changes values at every tick; the plan depends on these alone
            self.hold_plan, self._kinds = plan(self.schedule, new, self.skip_rate_check), kinds
            self._require(new)
        self.setpoint = new
        self._held = [math.nan if value is None else value for value in vars(new).values()]
        return new

    def _require(self, setpoint: Setpoint) -> None:
        self._tracked = loops_of(self.hold_plan.loops | self.levelled)
        self._lane.required = self._tracked if setpoint.quantities else 0
        self._lane.speed = self.hold_plan.speed or 0.0

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
        clear(self._lane, self._pids)
        self._require(self.setpoint)
        self._bottom.reset()
        self._down, self._depth_then = (0.0, 0.0, 1.0), 0.0
        self._tau = [0.0] * 6  # last wrench applied
        self._over_bottom = False

    def take_over(self, actuation: Actuation, state: VehicleState) -> None:
        """Start from the last actuation of another controller or a pilot: the next wrench continues from it."""
        self.reset()
        stage = self.schedule.stage(float(state.nu_r[0]))
        self._retune(stage)
        self._tau = wrench_of(self.schedule, stage, actuation, state)
        self._lane.applied, self._lane.pitch_cmd = True, state.pitch

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Compute the actuator commands for the next dt seconds."""
        lane, manual, pids = self._lane, self.manual, self._pids
        loops = lane.required
        if not loops and not lane.active and not lane.fading and manual is None:
            return self._idle
        s, last, tau = self.schedule, self._tau, [0.0] * 6
        flow = state.nu_r.tolist()
        stage = s.stage(flow[0])
        if stage is not self._stage:
            self._retune(stage)
        active, start = self._active, 0
        switched = loops != lane.active
        if switched:
            start = switch(lane, pids, flow[0], active)
        lane.moved = False
        if loops:
            roll, pitch = state.roll, state.pitch
            self._down = down = down_in_body(roll, pitch)
            pos, nu = state.pos_n.tolist(), state.nu.tolist()
            target, rate = self._vertical(state, nu, dt) if loops & (ON_DIVE | ON_HEAVE) else (0.0, 0.0)
            if loops & ON_SURGE:
                lane.drag = s.drag(lane.speed)
            known = self._known(start, stage, state, rate) if start else NOTHING_KNOWN
            wrench(lane, pids, self._held, target, rate, roll, pitch, state.yaw, pos, nu, flow, down, last, active,
                   self._constants, known, start, dt, tau)  # fmt: skip
        if lane.applied and (switched or lane.moved):  # the part that no loop took over
            added = NO_WRENCH if manual is None else manual.wrench(stage)
            lane.fading = begin_fading(self._fade, last, tau, added, active)
        if lane.fading:
            lane.fading = add_fading(self._fade, tau, dt)
        return self._share(tau, state, stage, dt)

    def _known(self, start: int, stage: Stage, state: VehicleState, rate: float) -> list[float]:
        """Compute the forces of the model with which the loops in `start` begin: see loops.KNOWN_DRAG."""
        response, known = self.schedule.response, [math.nan] * 5
        self._active.most = largest_loads(self.schedule, stage)
        if start & ON_SURGE:
            known[KNOWN_DRAG] = response.drag(float(state.nu_r[0]))
        if start & ON_PLACE:
            known[KNOWN_SURGE], known[KNOWN_SWAY] = response.wrench(state.nu)[:2].tolist()
        if self.manual is not None and start & ON_HEAVE:
            known[KNOWN_HEAVE] = response.resistance(HEAVE, rate)
        if self.manual is not None and start & ON_YAW:
            q, r = state.nu[4:].tolist()
            known[KNOWN_YAW] = response.resistance(YAW, heading_rate(state.roll, state.pitch, q, r))
        return known

    def _vertical(self, state: VehicleState, nu: list[float], dt: float) -> tuple[float, float]:
        """Target depth and the rate of depth; with an altitude, both follow the bottom."""
        depth, rate = float(state.pos_n[2]), depth_rate(self._down, nu)
        altitude, bottom = self.setpoint.altitude_m, self._bottom
        if (altitude is not None) != self._over_bottom:
            self._over_bottom = altitude is not None
            self._lane.moved = self._lane.applied
            bottom.reset()
            self._depth_then = depth
        if altitude is None:
            return self.setpoint.depth_m or 0.0, rate
        bottom.update(depth, state.altitude_m, dt)
        target = bottom.depth_m - altitude
        if target != target:  # NaN, no echo yet: keep the depth
            return self._depth_then, rate
        return (target, rate - bottom.rate_m_s) if target > 0.0 else (0.0, rate)

    def _share(self, tau: list[float], state: VehicleState, stage: Stage, dt: float) -> Actuation:
        """Allocate a wrench: surfaces first, thrusters for the rest, the manual command added; then anti-windup."""
        achieved, allocation = [0.0] * 6, self.schedule.allocation
        surfaces, thrusters = self._idle.surfaces, self._idle.thrusters
        if stage.use_surfaces:
            a, b, c = self._active.by_fins
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
        self._tau, self._lane.applied = achieved, True
        missed = [a - t for a, t in zip(achieved, tau, strict=True)]
        if max(missed) > NEGLIGIBLE or min(missed) < -NEGLIGIBLE:
            track_missed(self._lane, self._pids, self._tracked, missed, state.yaw, self._down, self._active,
                         self._constants, dt)  # fmt: skip
        return Actuation(thrusters, surfaces, self._ballast)

    def _retune(self, stage: Stage) -> None:
        self._stage, self._active = stage, ActiveStage(self.schedule, stage)
        take_gains(self._pids, self._active.gains)
