"""Thousands of vehicles as arrays, advanced together by the kernel that advances one.

    batch = pelagos.Batch("remus100", n=16384)
    batch.place(depth_m=10.0, surge_m_s=1.5, heading_deg=numpy.linspace(0.0, 350.0, 16384))
    batch.actuators.set(thrusters=[120.0], surfaces=[0.05, 0.0])
    batch.advance(seconds=60.0)
    batch.view.position_n, batch.view.nu, batch.view.alive         # (n, 3), (n, 6), (n,)

The forces are those of `engine/forces`, compiled for SIMD lanes of eight vehicles (float64) or sixteen (float32);
threads share the blocks of lanes. Results do not depend on batch size, order, neighbours or thread count; in float64
they equal those of `Simulation` to rounding. A vehicle that diverges stays at its last valid state, and `failures`
names it by its number; the others are not affected.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.actuators import BatchActuators
from pelagos.batch.clock import BatchClock
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import Groups
from pelagos.batch.inputs import (
    LANE_METHODS,
    Where,
    numbers_per_vehicle,
    resolve_vehicles,
    rows_per_vehicle,
    thread_count,
)
from pelagos.batch.lanes import WIDTH
from pelagos.batch.run import DEFAULT_COLUMNS, Control, run_batch
from pelagos.batch.tethers import BatchTethers, resolve_batch_tether
from pelagos.batch.view import BatchView
from pelagos.batch.workers import Workers
from pelagos.checks import choice
from pelagos.errors import CommandError, DivergedError
from pelagos.sim import inputs
from pelagos.sim.commands import ANGLES, POSITION, SPEEDS
from pelagos.sim.stepping import Stepping, largest_force
from pelagos.sim.tether import make_line
from pelagos.tether.spec import Tether
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]
MOTION = {"position_n": 3, "quaternion": 4, "euler": 3, "nu": 6}  # quantity of `set_motion`: numbers in a row
PLACE = {"position_n": POSITION, "euler": ANGLES, "nu": (*SPEEDS, *inputs.RATES)}  # the arguments of `place` for them


@dataclass(frozen=True)
class Failure:
    """A vehicle that diverged: its number in the batch, when, and the largest force on it then."""

    index: int
    time_s: float
    largest_force: str

    @property
    def message(self) -> str:
        """The sentence for people."""
        return str(DivergedError(self.time_s, self.largest_force, {}))


class Batch:
    """Many vehicles in one world, which do not affect each other.

    Its parts:
        view         what can be read: motion, surroundings, actuators, contact
        actuators    commands
        environment  the world, and currents of single vehicles
        tethers      the cables, for a batch with `tether`
        groups       the lanes of the kernel

    Args:
        vehicles: one Vehicle, library name or file for all, or a sequence with one for each vehicle.
        n: number of vehicles; not with a sequence.
        world: a World, a library name or a file; default: calm water without boundaries.
        dtype: "float64", or "float32": twice as fast, seven digits.
        threads: largest number of threads; default: the number of cores.
        integrator: "euler", "heun" or "rk4"; default: that of the first vehicle's file.
        step_s: longest step; each control interval is divided into equal steps. Default: the shortest of the files.
        control_rate_hz: control intervals per second; commands are constant within one.
        tether: True for the cable of the vehicle's file, a mode ("dynamic", "static"), or a `Tether`, for each vehicle.
    """

    def __init__(
        self,
        vehicles: Vehicle | str | os.PathLike[str] | Sequence[Vehicle | str | os.PathLike[str]],
        n: int | None = None,
        world: World | str | os.PathLike[str] | None = None,
        *,
        dtype: str = "float64",
        threads: int | None = None,
        integrator: str | None = None,
        step_s: float | None = None,
        control_rate_hz: float = 10.0,
        tether: Tether | str | bool | None = None,
    ) -> None:
        self.dtype = choice("dtype", dtype, WIDTH)
        self.vehicles, self.kind = resolve_vehicles(vehicles, n)
        self.n = len(self.kind)
        self.world = inputs.resolve_world(world)
        self.integrator = choice("integrator", inputs.resolve_integrator(self.vehicles[0], integrator), LANE_METHODS)
        self.control_rate_hz = inputs.positive("control_rate_hz", control_rate_hz)
        self.interval_s = 1.0 / self.control_rate_hz
        longest = min(v.step_s for v in self.vehicles) if step_s is None else inputs.positive("step_s", step_s)
        rigged = resolve_batch_tether(tether, self.dtype)
        stepping = Stepping(self.interval_s, longest, rigged.step_s if rigged else None, 0.0)
        self.n_steps, self.step_s = stepping.n_steps, stepping.step_s
        self._method = LANE_METHODS[self.integrator]
        self._workers = Workers(thread_count(threads))
        plants = [inputs.make_plant(v, self.world, None, None) for v in self.vehicles]
        # before the groups: whether a tether pulls belongs to the structure that makes a group
        lines = [make_line(rigged, plant.vehicle, plant) for plant in plants] if rigged else []
        self.groups = Groups(plants, self.kind, self.dtype)
        self._clock = BatchClock(self.n, self.control_rate_hz)
        self.environment = BatchEnvironment(self.groups, self._clock, self.world)
        self.view = BatchView(self.groups, self._clock, self.environment)
        self.actuators = BatchActuators(self.groups, self._method)
        self._tethers = None
        if rigged:
            at = self.groups, self.environment, stepping
            self._tethers = BatchTethers(rigged, lines, *at, self.integrator, self._workers)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        names = ", ".join(v.key for v in self.vehicles)
        return f"Batch of {self.n} ({names}): {self.integrator}, step {self.step_s:g} s, {self.dtype}"

    @property
    def vehicle(self) -> Vehicle:
        """The description of all vehicles, if they are equal."""
        first, *others = self.vehicles
        if others:
            expected = "1; `vehicles` lists them all"
            raise CommandError(key="number of vehicle types in the batch", value=len(self.vehicles), expected=expected)
        return first

    @property
    def tethers(self) -> BatchTethers:
        """The tethers; an error for a batch without them."""
        if self._tethers is None:
            raise CommandError("the vehicles of this batch have no tethers", expected="Batch(..., tether=True)")
        return self._tethers

    def reset(self, where: Where = None) -> None:
        """Put vehicles at rest at the origin, heading north, alive, time 0; keep parameters and currents."""
        chosen = self.groups.select(where)
        for group, local, _ in self.groups.split(chosen):
            group.reset(local)
        self._clock.reset(chosen)
        self.actuators.reset(chosen)
        if self._tethers:
            self._tethers.reset(chosen)
        self.environment.reset(chosen)

    def place(self, where: Where = None, **values: ArrayLike | None) -> None:
        """Set position, attitude and velocity by the arguments of `Simulation.place`: one number or one per vehicle.

        north_m, east_m, depth_m, roll_deg, pitch_deg, heading_deg, surge_m_s, sway_m_s, heave_m_s, roll_rate_deg_s,
        pitch_rate_deg_s, yaw_rate_deg_s; the others keep their values.
        """
        chosen = self.groups.select(where)
        placed = {
            key: numbers_per_vehicle(f"place {key}", value, chosen)
            for key, value in values.items()
            if value is not None
        }
        for key, value in placed.items():
            # ranges of single numbers: the extremes decide for all; `initial` is for an empty selection
            for extreme in (value.min(initial=0.0), value.max(initial=0.0)):
                inputs.check_place({key: float(extreme)})
        motion: dict[str, Array] = {}
        for quantity, names in PLACE.items():
            if placed.keys() & set(names):
                rows = getattr(self.view, quantity)[chosen]
                for i, name in enumerate(names):
                    if name in placed:
                        rows[:, i] = placed[name] * (math.radians(1.0) if "_deg" in name else 1.0)
                motion[quantity] = rows
        self.set_motion(chosen, **motion)

    def set_motion(
        self,
        where: Where = None,
        *,
        position_n: ArrayLike | None = None,
        quaternion: ArrayLike | None = None,
        euler: ArrayLike | None = None,
        nu: ArrayLike | None = None,
    ) -> None:
        """Set position (m, NED), attitude (quaternion or Euler angles, rad) and velocity: (k,) or (vehicles, k)."""
        chosen = self.groups.select(where)
        motion = {"position_n": position_n, "quaternion": quaternion, "euler": euler, "nu": nu}
        rows = {key: rows_per_vehicle(key, v, chosen, MOTION[key]) for key, v in motion.items() if v is not None}
        if "quaternion" in rows and "euler" in rows:
            raise CommandError("quaternion and euler are both given", expected="one of them")
        if "quaternion" in rows and (np.abs(np.linalg.norm(rows["quaternion"], axis=1) - 1.0) > 1e-6).any():
            raise CommandError("quaternion: not all have length 1", expected="unit quaternions, scalar first")
        # all checks come before the first write: an error leaves the batch as it was
        for group, _, mine in self.groups.split(chosen) if "nu" in rows else ():
            inputs.no_held_rates(group.vehicles[0], rows["nu"][mine, 3:])
        for group, local, mine in self.groups.split(chosen):
            group.put_motion(local, **{key: value[mine] for key, value in rows.items()})
        if self._tethers:
            self._tethers.place(chosen)
        self.environment.place(chosen)

    def set_external(self, wrench: ArrayLike, where: Where = None) -> None:
        """Apply an external wrench, (6,) or (vehicles, 6), N and N m, body axes about O, until the next one."""
        chosen = self.groups.select(where)
        rows = rows_per_vehicle("external", wrench, chosen, 6)
        for group, local, mine in self.groups.split(chosen):
            group.command.put(group.command.fields("external"), rows[mine], local)

    def scale(self, name: str, factors: ArrayLike, where: Where = None) -> None:
        """Multiply a parameter (see `batch.parameters`) of single vehicles by factors, which accumulate."""
        chosen = self.groups.select(where)
        factor = numbers_per_vehicle(f"scale {name}", factors, chosen)
        # Scale copies of all groups before any is changed: an error leaves the batch as it was.
        scaled = [(g, g.scaled(name, factor[mine], local), local) for g, local, mine in self.groups.split(chosen)]
        for group, rows, local in scaled:
            group.put_models(rows, local)
        self.groups.mark_changed()

    def unscale(self, where: Where = None) -> None:
        """Undo all factors of `scale`: restore the parameters of the vehicle's file bit for bit."""
        for group, local, _ in self.groups.split(self.groups.select(where)):
            group.unscale(local)
        self.groups.mark_changed()

    def advance(self, seconds: float | None = None) -> None:
        """Advance by whole control intervals, by default one; commands are held."""
        count = 1 if seconds is None else inputs.intervals_in(seconds, self.control_rate_hz)
        self.environment.check_cover(count * self.interval_s)
        for _ in range(count):
            self.tick()

    def tick(self) -> None:
        """Advance by one control interval."""
        self.environment.prepare()
        if self._tethers:
            valid = self._tethers.advance()
        else:
            valid = self.groups.advance(self.step_s, self.n_steps, self._method, self._workers)
        self._clock.tick()
        if not valid:
            self._stop_diverged()
        self.groups.mark_changed()

    def run(
        self,
        seconds: float,
        *,
        control: Control | None = None,
        path: str | os.PathLike[str] | None = None,
        columns: Sequence[str] = DEFAULT_COLUMNS,
        log_rate_hz: float = 1.0,
        progress: Callable[[float], None] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Advance and return samples: the first at the present time, then at the log rate.

        Args:
            seconds: simulated time, rounded to whole control intervals.
            control: a function of `VehicleStates` and the interval that returns `Actuations`, called before each
                interval, or an object with such a method `update`.
            path: a folder for the log as Parquet parts, written during the run in bounded memory: see `batch.record`.
            columns: names of columns in the log of a `Simulation`.
            log_rate_hz: samples per second, at most the control rate.
            progress: called once per simulated second with the simulated time since the start of the run.

        Returns:
            (samples,) times as "time_s" and (samples, n) arrays by column; with a path, the times only.
        """
        return run_batch(self, seconds, control, path, columns, log_rate_hz, progress)

    @property
    def failures(self) -> list[Failure]:
        """All vehicles that diverged since their last reset."""
        failed_s = self._clock.failed_s
        return [
            Failure(i, float(failed_s[i]), largest_force(self.groups.plant_of(i), self.step_s))
            for i in np.flatnonzero(np.isfinite(failed_s)).tolist()
        ]

    def save(self) -> dict[str, Any]:
        """Return a copy of everything that changes, including the factors of `scale`, for `restore`."""
        return {
            "made_by": self._made_by(),
            "arrays": [array.copy() for array in self._changing()],
            "models": [group.save_models() for group in self.groups],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore, bit for bit, what `save` returned for this batch or for one made with the same arguments."""
        if not isinstance(saved, Mapping) or not {"made_by", "arrays", "models"} <= set(saved):
            raise CommandError("the saved state was not made by Batch.save()")
        if saved["made_by"] != self._made_by():
            raise CommandError(
                f"the saved state was made by: {saved['made_by'][0]}",
                expected=f"one of this batch: {self!r}, with the same vehicles in the same order and the same tether",
            )
        for array, values in zip(self._changing(), saved["arrays"], strict=True):
            array[...] = values
        for group, models in zip(self.groups, saved["models"], strict=True):
            group.restore_models(models)
        self.groups.mark_changed()

    def close(self) -> None:
        """End the threads; a later call starts new ones if it needs them."""
        self._workers.close()

    def _stop_diverged(self) -> None:
        """Stop the time of vehicles that diverged in this interval or before, and note when."""
        for group in self.groups:
            steps = group.steps()
            stopped = steps < self.n_steps
            self._clock.stop(group.index[stopped], steps[stopped] * self.step_s)

    def _changing(self) -> list[NDArray[Any]]:
        """The arrays of all parts that change."""
        parts = self.groups, self._clock, self.environment, self.actuators, *([self._tethers] if self._tethers else [])
        return [array for part in parts for array in part.changing]

    def _made_by(self) -> tuple[object, ...]:
        """What two batches must share for one to restore what the other saved."""
        return repr(self), self.kind.tobytes(), self._tethers.tether if self._tethers else None
