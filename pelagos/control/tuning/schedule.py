"""The gain schedule of one vehicle: model, allocation, and the actuators and gains of its loops at each speed.

`Schedule` computes a `Stage` for a speed ahead when it is first needed. Speeds are taken in steps of 4 % of the top
speed, so that a run uses a handful of stages. The lowest stage is 15 % of the top speed: below it surfaces keep the
gains they have there.

Thrusters serve the axes that their positions and directions allow. Surfaces serve roll, pitch and yaw where they reach
at least a fifth as far as the thrusters at that speed; they are used first, thrusters give the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pelagos.control.allocation.allocation import Allocation
from pelagos.control.allocation.surfaces import SurfaceMix
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.tuning.gains import (
    NO_DIVE,
    NO_LOOP,
    SAMPLING_S,
    ZETA,
    AxisModel,
    Dive,
    Loop,
    Plane,
    coupled_loop,
    diagonal_loop,
    dive_loop,
    paced,
    plane,
    speed_loop,
    with_gains,
)
from pelagos.control.tuning.level_flight import plane_failure
from pelagos.control.tuning.pace import steady_pitch_speed, steady_rate, turning_rate
from pelagos.control.tuning.response import VehicleResponse, munk_moments
from pelagos.engine.laws import clip
from pelagos.vehicle.spec import ControlSurface, LoopGains, Vehicle

Array = NDArray[np.float64]

# Limits and references below are choices; a vehicle file can replace most of them (docs/control.md).
CRUISE_SHARE = 0.7  # of the top speed: speed of a vehicle that needs way, without a speed setpoint
PITCH_LIMIT = math.radians(25.0)  # largest pitch setpoint of depth control
YAW_RATE_LIMIT = math.radians(30.0)  # a second; a hull that cannot stop such a turn gets less (see pace)
DEPTH_RATE_LIMIT = 1.5  # m/s, by thrusters
PLACE_SPEED_LIMIT = 1.0  # m/s
RATE_SHARE = 0.7  # of the rate at which drag takes all the force: the rest accelerates and meets disturbances
PLANES_FROM = 0.4  # share of top speed above which planes take depth over from vertical thrusters
YAW_ERROR_REF = 0.5  # rad (29 deg): error at which the actuators saturate, e_ref of gains
PITCH_ERROR_REF = 0.35  # rad (20 deg), also of roll
USEFUL = 0.2  # of the reach of the thrusters: weaker surfaces are not used


class WaterState(Protocol):
    """Density and gravity, the properties of the water that the autopilot uses."""

    @property
    def density_kg_m3(self) -> float:
        """Density, kg/m3."""
        ...

    @property
    def gravity_m_s2(self) -> float:
        """Gravity, m/s2."""
        ...


@dataclass(frozen=True)
class Stage:
    """Gains and effectiveness of the actuators at one speed."""

    speed: float
    mix: SurfaceMix
    use_surfaces: tuple[int, ...]  # axes on which surfaces are used
    yaw: Loop
    pitch: Loop
    roll: Loop
    dive: Dive
    pitch_limit: float  # largest pitch that can be held, rad
    trim_pitch: float  # angle of level flight, rad
    trim_moment: float  # pitch moment needed for it besides the righting moment, N m
    lateral: Plane  # models that the loops were tuned on
    vertical: Plane


class Schedule:
    """Model, allocation and gains of one vehicle, with its stages cached by speed."""

    def __init__(self, vehicle: Vehicle, water: WaterState | None = None, interval_s: float = SAMPLING_S) -> None:
        w = water if water is not None else vehicle.water
        self.vehicle = vehicle
        self.water, self.interval_s = w, interval_s
        self._unstalled = tuple(_unstalled(vehicle, i) for i in range(len(vehicle.surfaces)))
        self.response = VehicleResponse(vehicle, w.density_kg_m3, w.gravity_m_s2)
        self.allocation = Allocation(vehicle, density_kg_m3=w.density_kg_m3)
        self.thruster_lag_s = max((t.time_constant_s for t in vehicle.thrusters), default=0.0)
        self.top_speed = self._top_speed()
        self.step = self.top_speed / 25.0  # fin forces change by 8 % from stage to stage at top speed
        self.lowest = 0.15 * self.top_speed
        self.roll_stiffness, self.pitch_stiffness = self.response.stiffness()
        self._stages: dict[int, Stage] = {}
        self._lost_at, self._held_at = 0.0, math.inf  # speeds at which planes fail, and hold a depth
        self._drag_at = (math.nan, 0.0)
        self._yaw_rate: float | None = None  # turning on the spot, cached
        # Munk moments of the hull in oblique flow, K = k v w, M = m u w, N = n u v, from the added mass alone.
        a = np.diag(self.response.mass_a) if vehicle.coriolis == "full" else np.zeros(6)
        self.munk = (float(a[1] - a[2]), float(a[2] - a[0]), float(a[0] - a[1]))
        self.late_s = self.thruster_lag_s + 0.5 * interval_s  # a held command is half an interval late on average
        self.heave = self._heave()
        self.surge = self._surge()
        self.place = self._place()
        held = PITCH in self.allocation.axes or self._pitching() or not vehicle.free[PITCH]
        # Above this speed a hull with nothing to hold its pitch noses over while its depth is held; else infinite.
        self.steady_speed = (
            math.inf if held else steady_pitch_speed(self.response, self.pitch_stiffness, self.top_speed)
        )

    @property
    def cruise(self) -> float:
        """Speed of a vehicle that needs way, without a speed setpoint, m/s."""
        if not self.vehicle.free[SURGE]:
            return self.top_speed
        return self.vehicle.control.cruise_speed_m_s or CRUISE_SHARE * self.top_speed

    @property
    def planes_from(self) -> float:
        """Speed from which planes hold depth where vertical thrusters could, m/s."""
        return self.vehicle.control.planes_from_m_s or PLANES_FROM * self.top_speed

    @property
    def needs_planes(self) -> bool:
        """Whether only planes can hold a depth: no thruster lifts or pitches the vehicle."""
        free = self.vehicle.free
        return not self.heave.works and PITCH not in self.allocation.axes and free[HEAVE] and free[PITCH]

    def planes_hold(self, speed: float) -> bool:
        """Whether planes hold a depth at a speed; if they do at one speed, they do at every higher one."""
        if not self._lost_at < speed < self._held_at:
            return speed >= self._held_at
        holds = not self.planes_fail(speed)
        if holds:
            self._held_at = speed
        else:
            self._lost_at = speed
        return holds

    @cached_property
    def planes_hold_from(self) -> float:
        """Least speed, m/s, from `lowest` on, at which planes hold a depth; infinite if there is none."""
        low, high = self.lowest, self.cruise if self.planes_hold(self.cruise) else self.top_speed
        if not self.planes_hold(high):
            return math.inf
        if self.planes_hold(low):
            return low
        while high - low > 0.005 * high:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.planes_hold(middle) else (middle, high)
        return high

    def planes_fail(self, speed: float) -> str:
        """Why planes cannot hold a depth at a speed, in words; "" if they can."""
        before = self.response.propulsion  # `mix_at` replaces it
        mix = self.mix_at(speed)
        ahead = np.array([self.response.drag(speed), 0.0, 0.0, 0.0, 0.0, 0.0])
        thrust = self.allocation.b @ self.allocation.thrusts(ahead) if self.allocation.n else np.zeros(6)
        full = mix.along(PITCH)
        why, share = plane_failure(self.response, speed, full, thrust, self._pitch_limit(mix.limit(PITCH)))
        self.response.propulsion = before
        if why == "reversed":
            return "so slow, its planes act in reverse: with the nose up it sinks"
        if why == "planes":
            k = int(np.argmax(np.abs(full) / np.maximum(mix.limits, 1e-12)))
            angle, limit = math.degrees(share * abs(full[k])), math.degrees(mix.limits[k])
            return f"level flight takes {angle:.3g} deg of {self.vehicle.surfaces[k].name}, and {limit:.3g} are there"
        return "level flight takes more pitch than its planes can hold" if why else ""

    def _pitch_limit(self, moment: float) -> float:
        """Largest pitch setpoint, rad, with so much pitch moment available."""
        from_file = self.vehicle.control.pitch_limit_rad
        limit = PITCH_LIMIT if from_file is None else from_file
        # A fifth of the moment is left for control.
        return min(limit, 0.8 * moment / self.pitch_stiffness) if self.pitch_stiffness > 0.0 else limit

    def _pitching(self) -> bool:
        return self.top_speed > 0.0 and PITCH in self.mix_at(self.cruise).axes

    def stage(self, speed: float) -> Stage:
        """The stage of the step nearest to a speed ahead."""
        key = round(max(speed, self.lowest) / self.step) if self.step > 0.0 else 0
        stage = self._stages.get(key)
        if stage is None:
            stage = self._stages[key] = self._make(max(key * self.step, self.lowest))
        return stage

    def learn(self, other: Schedule) -> None:
        """Copy the stages of a schedule of the same vehicle, water and interval: each is slow to compute."""
        self._stages.update(other._stages)
        self._lost_at, self._held_at = other._lost_at, other._held_at

    def reach(self, axis: int, stage: Stage | None = None) -> float:
        """Largest force or moment, either way, on one axis: thrusters, and the surfaces of a stage."""
        reach = min(self.allocation.limit(axis, 1.0), self.allocation.limit(axis, -1.0))
        return reach + stage.mix.limit(axis) if stage is not None and axis in stage.use_surfaces else reach

    def drag(self, speed: float) -> float:
        """Drag of a speed ahead, N; the last one is cached, because every update needs it."""
        if self._drag_at[0] != speed:
            self._drag_at = (speed, self.response.drag(speed))
        return self._drag_at[1]

    def munk_moments(self, flow: list[float], axes: tuple[bool, bool, bool]) -> tuple[float, float, float]:
        """Munk moments of the flow (u v w p q r), N m, on the selected of roll, pitch, yaw; zero on the others."""
        if not (axes[0] or axes[1] or axes[2]):
            return 0.0, 0.0, 0.0
        k, m, n = munk_moments(flow, *self.munk, self.late_s)
        return k if axes[0] else 0.0, m if axes[1] else 0.0, n if axes[2] else 0.0

    def mix_at(self, speed: float) -> SurfaceMix:
        """Allocation of the surfaces at a speed, in the slipstream of the propellers that keep it."""
        self.response.propulsion = None
        if any(f.wash_thruster >= 0 for f in self.vehicle.fins) and self.allocation.n:
            tau = np.array([self.response.drag(speed), 0.0, 0.0, 0.0, 0.0, 0.0])
            share = self.allocation.solve(tau, np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))
            self.response.propulsion = (share.thrusts, share.drives)
        return SurfaceMix(self._unstalled, self.response.surface_reach(speed))

    def _top_speed(self) -> float:
        """Speed at which full thrust, reduced by the inflow, equals the drag; or the fixed speed of the model."""
        if not self.vehicle.free[SURGE]:
            return abs(self.vehicle.held_speed_m_s)
        if SURGE not in self.allocation.axes:
            return 0.0
        thrusts = self.allocation.thrusts(np.array([self.allocation.limit(SURGE), 0.0, 0.0, 0.0, 0.0, 0.0]))
        curves, ahead = self.allocation.curves, self.allocation.b[0]
        drives = [c.drive(t) for c, t in zip(curves, thrusts.tolist(), strict=True)]

        def spare(speed: float) -> float:
            inflow = self.allocation.inflow(np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])).tolist()
            push = [c.thrust(s, u) for c, s, u in zip(curves, drives, inflow, strict=True)]
            return float(ahead @ np.array(push)) - self.response.drag(speed)

        low, high = 0.0, 30.0  # m/s, above any vehicle
        for _ in range(40):  # to 3e-11 m/s
            middle = 0.5 * (low + high)
            low, high = (middle, high) if spare(middle) > 0.0 else (low, middle)
        return low

    def _heave(self) -> Loop:
        """Loop of depth by vertical thrust at rest; thrust against the net buoyancy is not available for control."""
        net = abs(self.response.net_weight_n)
        force = self.reach(HEAVE) - net
        if not self.vehicle.free[HEAVE] or force <= 0.0:
            force = 0.0  # gives NO_LOOP
        limit = self.vehicle.control.depth_rate_limit_m_s
        rate = RATE_SHARE * steady_rate(self.response, HEAVE, force, DEPTH_RATE_LIMIT) if limit is None else limit
        return self._by_thrust(HEAVE, force, rate, self.vehicle.control.depth)

    def _by_thrust(self, axis: int, force: float, rate: float, gains: LoopGains) -> Loop:
        """Loop of one translation by thrusters, at rest."""
        damping = -float(self.response.slope(np.zeros(6))[axis, axis])
        reference = max(0.5, 0.5 * self.vehicle.length_m)  # m: the error of full thrust
        mass = float(self.response.mass[axis, axis])
        zeta = ZETA if gains.damping is None else gains.damping
        lag, w = self.thruster_lag_s, gains.frequency_rad_s
        model = AxisModel(mass, damping, 0.0, force, lag, reference, rate, zeta, w, self.interval_s)
        return with_gains(diagonal_loop(model), model, gains)

    def _surge(self) -> Loop:
        force = self.allocation.limit(SURGE) if self.vehicle.free[SURGE] else 0.0
        nu = np.array([self.cruise, 0.0, 0.0, 0.0, 0.0, 0.0])
        damping = -float(self.response.slope(nu)[0, 0])
        mass, lag = float(self.response.mass[0, 0]), self.thruster_lag_s
        return speed_loop(mass, damping, force, self.top_speed, lag, self.vehicle.control.speed, self.interval_s)

    def _place(self) -> tuple[Loop, Loop]:
        """Loops of surge and sway for station keeping, both at the lower frequency, so that the path is straight."""
        axes = (SURGE, SWAY)
        force = [self.reach(i) for i in axes]
        if min(force) <= 0.0 or not all(self.vehicle.free[i] for i in axes):
            return NO_LOOP, NO_LOOP
        gains = self.vehicle.control.place
        steady = [steady_rate(self.response, i, f, PLACE_SPEED_LIMIT) for i, f in zip(axes, force, strict=True)]
        rate = self.vehicle.control.place_speed_m_s or RATE_SHARE * min(steady)
        loops = [self._by_thrust(i, f, rate, gains) for i, f in zip(axes, force, strict=True)]
        common = replace(gains, frequency_rad_s=min(loop.frequency for loop in loops))
        if gains.kp is None:
            loops = [self._by_thrust(i, f, rate, common) for i, f in zip(axes, force, strict=True)]
        return loops[0], loops[1]

    def _make(self, speed: float) -> Stage:
        """Tune all loops at a speed."""
        response, free = self.response, self.vehicle.free
        nu = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        mix = self.mix_at(speed)
        slope = response.slope(nu)
        thrust = {axis: self.reach(axis) for axis in (ROLL, PITCH, YAW)}
        used = tuple(axis for axis in mix.axes if free[axis] and mix.limit(axis) > USEFUL * thrust[axis])
        moment = {a: (thrust[a] + (mix.limit(a) if a in used else 0.0)) * (1.0 if free[a] else 0.0) for a in thrust}
        lag = {a: max(mix.lag_s if a in used else 0.0, self.thruster_lag_s if thrust[a] > 0.0 else 0.0) for a in thrust}

        # Thrusters cancel the measured Munk moment (see autopilot), so their loops are tuned without it.
        if PITCH not in used and thrust[PITCH] > 0.0:
            slope[PITCH, HEAVE] -= self.munk[1] * speed
        if YAW not in used and thrust[YAW] > 0.0:
            slope[YAW, SWAY] -= self.munk[2] * speed

        def axis(i: int, stiffness: float, reference: float, rate: float, gains: LoopGains) -> AxisModel:
            zeta = ZETA if gains.damping is None else gains.damping
            mass, damping = float(response.mass[i, i]), -float(slope[i, i])
            w = gains.frequency_rad_s
            return AxisModel(mass, damping, stiffness, moment[i], lag[i], reference, rate, zeta, w, self.interval_s)

        control = self.vehicle.control
        ratio = mix.cross_force(YAW) if YAW in used else 0.0
        lateral = plane(response, slope, YAW, 0.0, ratio, speed, lag[YAW], free, self.interval_s)
        turning = self._turning(speed, thrust[YAW], mix.along(YAW) if YAW in used else None)
        yaw = _loop(axis(YAW, 0.0, YAW_ERROR_REF, turning, control.heading), lateral, control.heading)
        ratio = mix.cross_force(PITCH) if PITCH in used else 0.0
        vertical = plane(response, slope, PITCH, self.pitch_stiffness, ratio, speed, lag[PITCH], free, self.interval_s)
        at_pitch = axis(PITCH, self.pitch_stiffness, PITCH_ERROR_REF, math.inf, control.pitch)
        pitch = _loop(at_pitch, vertical, control.pitch)
        at_roll = axis(ROLL, self.roll_stiffness, PITCH_ERROR_REF, math.inf, control.roll)
        roll = with_gains(diagonal_loop(at_roll), at_roll, control.roll)
        limit = self._pitch_limit(moment[PITCH])
        trim_pitch, trim_moment = self._trim(nu, slope, ratio)
        return Stage(
            speed=speed,
            mix=mix,
            use_surfaces=used,
            yaw=yaw,
            pitch=pitch,
            roll=roll,
            dive=self._dive(vertical, pitch) if pitch.works and speed > 0.0 and PITCH in mix.axes else NO_DIVE,
            pitch_limit=limit,
            trim_pitch=clip(trim_pitch, -0.5 * limit, 0.5 * limit),  # the other half is for control
            trim_moment=trim_moment,
            lateral=lateral,
            vertical=vertical,
        )

    def _turning(self, speed: float, thrust: float, rudder: Array | None) -> float:
        """Largest rate of turn of the heading loop, rad/s."""
        limit = self.vehicle.control.yaw_rate_limit_rad_s
        if limit is not None:
            return limit
        if self.response.propulsion is not None:  # fins in the slipstream: it changes with speed
            turning = RATE_SHARE * steady_rate(self.response, YAW, thrust, YAW_RATE_LIMIT)
        else:
            if self._yaw_rate is None:
                self._yaw_rate = RATE_SHARE * steady_rate(self.response, YAW, thrust, YAW_RATE_LIMIT)
            turning = self._yaw_rate
        if rudder is None:
            return turning
        # A hull that is steered by its rudder turns with a radius of two lengths at least (a choice).
        tightest = min(YAW_RATE_LIMIT, speed / (2.0 * self.vehicle.length_m))
        return max(turning, turning_rate(self.response, speed, rudder, thrust, tightest))

    def _dive(self, vertical: Plane, pitch: Loop) -> Dive:
        control = self.vehicle.control
        if control.dive_frequency_rad_s is not None:
            return Dive(control.dive_frequency_rad_s, control.dive_rate_s or 0.0)
        dive = dive_loop(vertical, pitch)
        return dive if control.dive_rate_s is None else replace(dive, rate_s=control.dive_rate_s)

    def _trim(self, nu: Array, slope: Array, ratio: float) -> tuple[float, float]:
        """Pitch and moment of straight level flight: heave force and pitch moment zero with theta = w / u.

        Z_w w + ratio m + Z_0 = 0,   M_w w + m - K w / u + M_0 = 0. The moment returned is m less the part
        against the righting moment, which is fed forward by itself.
        """
        still = self.response.wrench(nu)
        level = self.response.righting(0.0, 0.0)[1]
        speed = float(nu[0])
        if speed <= 0.0 or not self.vehicle.free[HEAVE]:
            return 0.0, level - float(still[PITCH])
        left = np.array([[slope[2, 2], ratio], [slope[4, 2] - self.pitch_stiffness / speed, 1.0]])
        if abs(np.linalg.det(left)) < 1e-9 * float(np.abs(left).max()):  # at plane reversal
            return 0.0, level - float(still[PITCH])
        w, moment = np.linalg.solve(left, -still[[2, 4]])
        pitch = float(w) / speed
        return pitch, float(moment) - self.pitch_stiffness * pitch + level


def _loop(axis: AxisModel, coupled: Plane, gains: LoopGains) -> Loop:
    """Tune heading or pitch: by a search in the coupled motion, unless the vehicle file has the gains."""
    tuned = coupled_loop(axis, coupled)
    loop = with_gains(tuned, axis, gains)
    return tuned if loop is tuned else paced(loop, axis, coupled) if axis.stiffness == 0.0 else loop


def _unstalled(vehicle: Vehicle, surface: int) -> ControlSurface:
    """Reduce the limit of a surface to the angle at which the first of its fins stalls in straight flow."""
    item = vehicle.surfaces[surface]
    stalls = [f.stall_rad / abs(f.gain) for f in vehicle.fins if f.surface == surface and f.gain != 0.0]
    return replace(item, limit_rad=min([item.limit_rad, *stalls]))
