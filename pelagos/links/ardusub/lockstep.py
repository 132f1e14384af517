"""A simulation that goes as far as it is told, by any interval, and the motion as an inertial unit at O feels it.

    f_b = (v_1 - v_0) / dt + mean(omega x v) - mean(R_bn g_n)

is the mean specific force over an interval from 0 to 1, as in `sensors.imu`: the difference of the velocities is exact
and holds what a contact did, the other two means are trapezoidal. At rest and level it is (0, 0, -g).

Frames: NED and body axes. Units: SI. Limits: no tether; the earth does not turn (conventions).
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
from pelagos.vehicle.towed import StepReport
from pelagos.world.spec import World

CALM = World(name="calm sea", depth_m=50.0, density_kg_m3=1025.0, gravity_m_s2=9.80665)  # where no world is named
LOOK_HZ = 10.0  # how often instruments look and a log is written; fast enough for altimeters and batteries
Three = tuple[float, float, float]


class ImuState(NamedTuple):
    """The motion at one instant, and the specific force over the interval that led to it."""

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
    """A `Simulation` whose time is that of its plant; `advance` takes it on by any interval with the same kernel.

    Args:
        vehicle, world: as of `Simulation`; without a world, calm sea water 50 m deep.
        start: where it begins, as `Simulation.place` takes it; again after each `restart`.
        sensors: the instruments that measure, ten times a second at most.
        seed: of their errors.
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
            vehicle, CALM if world is None else world, seed=seed, control_rate_hz=LOOK_HZ, sensors=sensors or None
        )
        self._longest_s = self.vehicle.step_s
        self._drives = self.plant.command["demand"]["thruster"][: len(self.vehicle.thrusters)]
        self.restart()

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return float(self.plant.state["time"])

    def restart(self) -> None:
        """As new, at its start; a sentence if that is not in open water."""
        self.reset()
        if self._start:
            self.place(**self._start)
        self._make_ready()
        self.felt, self._met = self._feel(0.0), StepReport()

    def advance(self, drives: Sequence[float], seconds: float) -> ImuState:
        """Go on with these demands of the thrusters; DivergedError if the motion leaves the finite numbers."""
        plant = self.plant
        before_s = self.time_s
        self._cover(before_s + seconds)
        self._drives[:] = drives
        if not self._steady:
            now, later = self._current_n(before_s), self._current_n(before_s + seconds)
            plant.water["current"], plant.water["current_dot"] = now, (later - now) / seconds
        if seconds != self.stepping.interval_s:
            self.stepping = Stepping(seconds, self._longest_s, None, 0.0)
            self.n_steps, self.step_s = self.stepping.n_steps, self.stepping.step_s
        done = self.stepping.advance(plant, None, self.integrator)
        self._met.add(plant)
        self._look = None
        if done < self.n_steps:
            raise diverged(self, done)
        if not self._all_free:
            inputs.check_held_directions(plant, self.world)
        self.felt = self._feel(seconds)
        return self.felt

    def sense(self) -> None:
        """Let the instruments look; what was touched since they last did is told as of now."""
        self._met.tell(self.plant)
        self._met, self._look = StepReport(), None
        if self.sensing:
            self.sensing.measure(true_state_of(self.plant, self.time_s), self._actuation)

    def stop_thrusters(self) -> None:
        """All at rest, at once."""
        self.plant.set_actuators(thrusters=[0.0] * len(self.vehicle.thrusters), at_once=True)

    def _feel(self, seconds: float) -> ImuState:
        """The motion now, with the specific force of the last so many seconds; after none, as if held still."""
        north, east, down, a, b, c, d, u, v, w, p, q, r = self.plant.motion_row().tolist()
        xx, xy, xz = a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)
        yx, yy, yz = 2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)
        zx, zy, zz = 2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d
        euler = (math.atan2(zy, zz), -math.asin(min(max(zx, -1.0), 1.0)), math.atan2(yx, xx))
        velocity = (xx * u + xy * v + xz * w, yx * u + yy * v + yz * w, zx * u + zy * v + zz * w)
        half_g = 0.5 * float(self.plant.water["gravity"])
        if seconds > 0.0:
            old = self.felt
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
