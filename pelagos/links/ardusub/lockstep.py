"""Simulation that advances by any interval, with the motion as an ideal inertial unit at the body origin measures it.

The mean specific force over an interval from 0 to 1 is

    f_b = (v_1 - v_0) / dt + mean(omega x v) - mean(R_bn g_n)

as in `sensors.imu`: the difference of the velocities is exact and includes contact forces, the other two means are
trapezoidal. At rest and level it is (0, 0, -g).

Frames: NED and body axes. Units: SI. Limits: no tether; the rotation of the earth is neglected.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.sensors.base import Sensor
from pelagos.sim import inputs
from pelagos.sim.simulation import Simulation
from pelagos.sim.stepping import Stepping, diverged
from pelagos.sim.true_state import true_state_of
from pelagos.vehicle.spec import Vehicle
from pelagos.vehicle.towed import ContactReport
from pelagos.world.spec import World

CALM = World(name="calm sea", depth_m=50.0, density_kg_m3=1025.0, gravity_m_s2=9.80665)  # default world
SAMPLE_HZ = 10.0  # rate of the sensors and the log; fast enough for altimeters and batteries
Three = tuple[float, float, float]


class ImuState(NamedTuple):
    """Motion at an instant, with the mean specific force over the interval before it."""

    time_s: float
    position_n: Three
    quaternion: tuple[float, float, float, float]
    euler: Three
    velocity_n: Three
    velocity_b: Three
    rates_b: Three
    down_b: Three  # R_bn applied to (0, 0, 1)
    specific_force_b: Three


class Lockstep(Simulation):
    """`Simulation` that advances by any interval with the same kernel; its time is that of the plant.

    Args:
        vehicle, world: as for `Simulation`; the default world is calm sea water 50 m deep.
        start: initial state as for `Simulation.place`, used again by `restart`.
        sensors: sensors to simulate, at 10 Hz at most.
        seed: seed of their errors.
    """

    def __init__(
        self,
        vehicle: Vehicle | str | os.PathLike[str],
        world: World | str | os.PathLike[str] | None = None,
        *,
        start: Mapping[str, Any] | None = None,
        sensors: Sequence[Sensor] = (),
        seed: int = 0,
    ) -> None:
        self._start = dict(start or {})
        super().__init__(
            vehicle, CALM if world is None else world, seed=seed, control_rate_hz=SAMPLE_HZ, sensors=sensors or None
        )
        self._longest_s = self.vehicle.step_s
        self._drives = self.plant.command["actuators"]["thruster"][: len(self.vehicle.thrusters)]
        self.restart()

    @property
    def time_s(self) -> float:
        """Simulated time in s."""
        return float(self.plant.state["time"])

    def restart(self) -> None:
        """Reset to the initial state."""
        self.reset()
        if self._start:
            self.place(**self._start)
        self._make_ready()
        self.imu, self._contacts = self._imu_state(0.0), ContactReport()

    def advance(self, drives: Sequence[float], seconds: float) -> ImuState:
        """Advance with these thruster commands; DivergedError if the motion is no longer finite."""
        plant = self.plant
        before_s = self.time_s
        self._cover(before_s + seconds)
        self._drives[:] = drives
        if not self._steady:
            # The kernel interpolates the current linearly within the interval.
            now, later = self._current_n(before_s), self._current_n(before_s + seconds)
            plant.water["current"], plant.water["current_dot"] = now, (later - now) / seconds
        # Kept while the autopilot does not change its rate, which is the usual case.
        if seconds != self.stepping.interval_s:
            self.stepping = Stepping(seconds, self._longest_s, None, 0.0)
            self.n_steps, self.step_s = self.stepping.n_steps, self.stepping.step_s
        done = self.stepping.advance(plant, None, self.integrator)
        self._contacts.add(plant)
        self.invalidate_state()
        if done < self.n_steps:
            raise diverged(self, done)
        if not self._all_free:
            inputs.check_held_directions(plant, self.world)
        self.imu = self._imu_state(seconds)
        return self.imu

    def sense(self) -> None:
        """Simulate the sensors; contacts since the last call count as contacts of this instant."""
        self._contacts.write(self.plant.state["touch"])
        self._contacts = ContactReport()
        self.invalidate_state()
        if self.sensing:
            self.sensing.measure(true_state_of(self.plant, self.time_s), self._actuation)

    def stop_thrusters(self) -> None:
        """Set all thrusters to rest without their lag."""
        self.plant.set_actuators(thrusters=[0.0] * len(self.vehicle.thrusters), at_once=True)

    def _imu_state(self, seconds: float) -> ImuState:
        """Return the present motion, with the mean specific force of the last `seconds`; for 0 s, as if held still."""
        north, east, down, a, b, c, d, u, v, w, p, q, r = self.plant.motion_row().tolist()
        # Rotation matrix from body to NED, written out: this runs at every packet, 400 times a second or more.
        xx, xy, xz = a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)
        yx, yy, yz = 2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)
        zx, zy, zz = 2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d
        euler = (math.atan2(zy, zz), -math.asin(min(max(zx, -1.0), 1.0)), math.atan2(yx, xx))
        velocity = (xx * u + xy * v + xz * w, yx * u + yy * v + yz * w, zx * u + zy * v + zz * w)
        half_g = 0.5 * float(self.plant.water["gravity"])
        if seconds > 0.0:
            old = self.imu
            (u0, v0, w0), (p0, q0, r0), (x0, y0, z0) = old.velocity_b, old.rates_b, old.down_b
            force = (
                (u - u0) / seconds + 0.5 * (q0 * w0 - r0 * v0 + q * w - r * v) - half_g * (x0 + zx),
                (v - v0) / seconds + 0.5 * (r0 * u0 - p0 * w0 + r * u - p * w) - half_g * (y0 + zy),
                (w - w0) / seconds + 0.5 * (p0 * v0 - q0 * u0 + p * v - q * u) - half_g * (z0 + zz),
            )
        else:
            force = (-2.0 * half_g * zx, -2.0 * half_g * zy, -2.0 * half_g * zz)
        return ImuState(
            float(self.plant.state["time"]), (north, east, down), (a, b, c, d), euler, velocity, (u, v, w), (p, q, r),
            (zx, zy, zz), force,
        )  # fmt: skip
