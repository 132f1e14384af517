"""Thousands of vehicles as arrays, advanced together by the kernel that advances one.

    batch = pelagos.Batch("remus100", n=16384)
    batch.place(depth_m=10.0, surge_m_s=1.5, heading_deg=numpy.linspace(0.0, 350.0, 16384))
    batch.set_actuators(thrusters=[120.0], surfaces=[0.05, 0.0])
    batch.advance(seconds=60.0)
    batch.position_n, batch.nu, batch.alive              # (n, 3), (n, 6), (n,)

The forces are those of `engine/forces`, compiled for SIMD lanes of eight vehicles (float64) or sixteen (float32);
threads share the blocks of lanes. Results do not depend on batch size, order, neighbours or thread count; in float64
they equal those of `Simulation` to rounding. A vehicle that diverges stays at its last valid state, and `failures`
names it by its number; the others are not affected.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.group import SMALLEST, Group, Indices
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
from pelagos.batch.tethers import Tethered, resolve_batch_tether
from pelagos.checks import choice
from pelagos.errors import CommandError, DivergedError
from pelagos.messages import Actuations
from pelagos.sim import inputs
from pelagos.sim.stepping import Stepping, largest_force
from pelagos.tether.spec import Tether
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]
_PLACE = {  # quantity of `set_motion`: the arguments of `place` for its columns
    "position_n": ("north_m", "east_m", "depth_m"),
    "euler": ("roll_deg", "pitch_deg", "heading_deg"),
    "nu": ("surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s"),
}
# with a row for each vehicle
_SAVED_ARRAYS = ("_ticks", "_failed_s", "_vehicle_current", "_vehicle_current_rate", "_unchecked")
_SAVED_LANES = ("state", "water", "command", "tally")
_SAVED_KEYS = {"made_by", "each", "clipped", "lanes", "models", "tethers"}


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


class Batch(Tethered):
    """Many vehicles in one world, which do not affect each other.

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
        self._method = LANE_METHODS[self.integrator]
        self.control_rate_hz = inputs.positive("control_rate_hz", control_rate_hz)
        self.interval_s = 1.0 / self.control_rate_hz
        longest = min(v.step_s for v in self.vehicles) if step_s is None else inputs.positive("step_s", step_s)
        self.tether = resolve_batch_tether(tether, self.dtype)
        stepping = Stepping(self.interval_s, longest, self.tether.step_s if self.tether else None, 0.0)
        self.n_steps, self.step_s, self._n_cable = stepping.n_steps, stepping.step_s, stepping.n_cable
        self.threads = thread_count(threads)
        self._pool: ThreadPoolExecutor | None = None
        self._until_s = -1.0  # no world is packed yet
        self._vehicle_current, self._vehicle_current_rate = np.zeros((self.n, 3)), np.zeros((self.n, 3))
        self._ticks = np.zeros(self.n, np.int64)
        self._failed_s = np.full(self.n, math.nan)  # time of divergence; NaN: alive
        self._clipped = {
            name: np.zeros((self.n, max(len(getattr(v, name)) for v in self.vehicles)), np.int64)
            for name in Actuations._fields
        }
        plants = [inputs.make_plant(v, self.world, None, None) for v in self.vehicles]
        lines = self._make_lines(plants)  # first: whether a tether pulls belongs to the structure that makes a group
        self._groups = _groups(plants, self.kind, self.dtype)
        self._make_tether_rows(lines)
        self._group_of, self._local = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        for k, group in enumerate(self._groups):
            self._group_of[group.index], self._local[group.index] = k, np.arange(group.n)
        self._unchecked = np.ones(self.n, np.bool_)
        # in this order: held velocities need the current, and the current needs the packed world
        self._cover(0.0)
        self._set_current()
        self._hold_in_water(np.arange(self.n))

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

    def reset(self, where: Where = None) -> None:
        """Put vehicles at rest at the origin, heading north, alive, time 0; keep parameters and currents."""
        chosen = self._chosen(where)
        for group, local, _ in self._parts(chosen):
            group.reset(local)
        self._ticks[chosen], self._failed_s[chosen], self._unchecked[chosen] = 0, math.nan, True
        for counts in self._clipped.values():
            counts[chosen] = 0
        self._unhang(chosen, reset=True)
        self._set_current()
        self._hold_in_water(chosen)
        self._changed()

    def place(self, where: Where = None, **values: ArrayLike | None) -> None:
        """Set position, attitude and velocity by the arguments of `Simulation.place`: one number or one per vehicle.

        north_m, east_m, depth_m, roll_deg, pitch_deg, heading_deg, surge_m_s, sway_m_s, heave_m_s, roll_rate_deg_s,
        pitch_rate_deg_s, yaw_rate_deg_s; the others keep their values.
        """
        chosen = self._chosen(where)
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
        for quantity, names in _PLACE.items():
            if placed.keys() & set(names):
                rows = getattr(self, quantity)[chosen]
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
        chosen = self._chosen(where)
        sizes = {"position_n": (position_n, 3), "quaternion": (quaternion, 4), "euler": (euler, 3), "nu": (nu, 6)}
        rows = {key: rows_per_vehicle(key, v, chosen, k) for key, (v, k) in sizes.items() if v is not None}
        if "quaternion" in rows and "euler" in rows:
            raise CommandError("quaternion and euler are both given", expected="one of them")
        if "quaternion" in rows and (np.abs(np.linalg.norm(rows["quaternion"], axis=1) - 1.0) > 1e-6).any():
            raise CommandError("quaternion: not all have length 1", expected="unit quaternions, scalar first")
        # all checks come before the first write: an error leaves the batch as it was
        for group, _, mine in self._parts(chosen) if "nu" in rows else ():
            inputs.no_held_rates(group.vehicles[0], rows["nu"][mine, 3:])
        for group, local, mine in self._parts(chosen):
            group.put_motion(local, **{key: value[mine] for key, value in rows.items()})
        self._unhang(chosen)
        self._hold_in_water(chosen)
        self._unchecked[chosen] = True
        self._changed()

    def set_current(self, current_n: ArrayLike, where: Where = None) -> None:
        """Set a uniform current for each vehicle, (3,) or (vehicles, 3), m/s NED, added to that of the world."""
        chosen = self._chosen(where)
        self._vehicle_current[chosen] = rows_per_vehicle("current_n", current_n, chosen, 3)
        self._vehicle_current_rate[chosen] = 0.0
        self._set_current()
        self._hold_in_water(chosen)
        self._changed()

    def set_changing_current(self, current_n: ArrayLike, rate_n: ArrayLike, where: Where = None) -> None:
        """Set the current as `set_current` does, and its rate over the next interval, m/s^2; held velocities stay."""
        chosen = self._chosen(where)
        self._vehicle_current[chosen] = rows_per_vehicle("current_n", current_n, chosen, 3)
        self._vehicle_current_rate[chosen] = rows_per_vehicle("rate_n", rate_n, chosen, 3)
        self._set_current()
        self._changed()

    def scale(self, name: str, factors: ArrayLike, where: Where = None) -> None:
        """Multiply a parameter (see `batch.parameters`) of single vehicles by factors, which accumulate."""
        chosen = self._chosen(where)
        factor = numbers_per_vehicle(f"scale {name}", factors, chosen)
        # Scale copies of all groups before any is changed: an error leaves the batch as it was.
        scaled = [(g, g.scaled(name, factor[mine], local), local) for g, local, mine in self._parts(chosen)]
        for group, rows, local in scaled:
            group.put_models(rows, local)
        self._changed()

    def unscale(self, where: Where = None) -> None:
        """Undo all factors of `scale`: restore the parameters of the vehicle's file bit for bit."""
        for group, local, _ in self._parts(self._chosen(where)):
            group.unscale(local)
        self._changed()

    def advance(self, seconds: float | None = None) -> None:
        """Advance by whole control intervals, by default one; commands are held."""
        count = 1 if seconds is None else self._intervals_in(seconds)
        self._check_cover(count * self.interval_s)
        for _ in range(count):
            self.tick()

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

    def tick(self) -> None:
        """Advance by one control interval."""
        # the vehicle that is furthest in time decides: single ones may have been reset
        self._cover(float(self._ticks.max()) / self.control_rate_hz + self.interval_s)
        self._check_places()
        self._water_now()
        pool = self._workers()
        if self.tether:
            valid = self._advance_tethered(pool)
        else:
            valid = [g.advance(self.step_s, self.n_steps, self._method, pool, self.threads) for g in self._groups]
        self._ticks += 1
        if not all(valid):
            self._note_failures()
        self._changed()

    def _note_failures(self) -> None:
        """Stop the time of vehicles that diverged in this interval or before, and note when."""
        for group in self._groups:
            steps = group.steps()
            stopped = steps < self.n_steps
            at = group.index[stopped]
            self._ticks[at] -= 1  # `tick` has counted this interval for all
            time_s = self._ticks[at] / self.control_rate_hz + steps[stopped] * self.step_s
            self._failed_s[at] = np.where(np.isnan(self._failed_s[at]), time_s, self._failed_s[at])

    @property
    def failures(self) -> list[Failure]:
        """All vehicles that diverged since their last reset."""
        return [self._failure(int(i)) for i in np.flatnonzero(np.isfinite(self._failed_s))]

    def _failure(self, index: int) -> Failure:
        group, local = self._groups[self._group_of[index]], self._local[index : index + 1]
        plant = group.plant_of(local)
        plant.set_sea(group.sea)
        time_s = float(self._failed_s[index])
        return Failure(index, time_s, largest_force(plant, self.step_s))

    def save(self) -> dict[str, Any]:
        """Return a copy of everything that changes, including the factors of `scale`, for `restore`."""
        return {
            "made_by": (repr(self), self.kind.tobytes(), self.tether),
            "each": {name: getattr(self, name).copy() for name in _SAVED_ARRAYS},
            "clipped": {name: counts.copy() for name, counts in self._clipped.items()},
            "lanes": [[getattr(group, name).array.copy() for name in _SAVED_LANES] for group in self._groups],
            "models": [group.save_models() for group in self._groups],
            "tethers": [rows.save() for rows in self._tethers],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore, bit for bit, what `save` returned for this batch or for one made with the same arguments."""
        if not isinstance(saved, Mapping) or not set(saved) >= _SAVED_KEYS:
            raise CommandError("the saved state was not made by Batch.save()")
        if saved["made_by"] != (repr(self), self.kind.tobytes(), self.tether):
            raise CommandError(
                f"the saved state was made by: {saved['made_by'][0]}",
                expected=f"one of this batch: {self!r}, with the same vehicles in the same order and the same tether",
            )
        for group, arrays, models in zip(self._groups, saved["lanes"], saved["models"], strict=True):
            for name, array in zip(_SAVED_LANES, arrays, strict=True):
                getattr(group, name).array[...] = array
            group.restore_models(models)
        for rows, saved_rows in zip(self._tethers, saved["tethers"], strict=True):
            rows.restore(saved_rows)
        for name in _SAVED_ARRAYS:
            np.copyto(getattr(self, name), saved["each"][name])
        for name, counts in saved["clipped"].items():
            np.copyto(self._clipped[name], counts)
        self._changed()

    def close(self) -> None:
        """End the threads; a later call starts new ones if it needs them."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _intervals_in(self, seconds: float) -> int:
        """Return a time as a number of control intervals, at least one."""
        count = round(inputs.positive("seconds", seconds) * self.control_rate_hz)
        if count == 0:
            raise CommandError(
                key="seconds", value=seconds, expected=f"at least one control interval, {self.interval_s:g} s"
            )
        return count

    def _workers(self) -> ThreadPoolExecutor | None:
        # threads pay for tethers always, otherwise for enough blocks that two threads get a share
        worth_it = self.tether or max(g.state.blocks for g in self._groups) >= 2 * SMALLEST
        if self.threads > 1 and self._pool is None and worth_it:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="pelagos-batch")
        return self._pool


def _groups(plants: Sequence[Plant], kind: Indices, dtype: str) -> list[Group]:
    """Groups of vehicles with equal structure, hull, free axes and gravity, on which the waves of the sea depend."""
    families: dict[tuple[bytes, bytes, str], list[int]] = {}
    for k, plant in enumerate(plants):
        settings = str((plant.vehicle.free, float(plant.water["gravity"])))
        key = (plant.packed.structure.tobytes(), plant.hull.tobytes(), settings)
        families.setdefault(key, []).append(k)
    groups: list[Group] = []
    for members in families.values():
        index = np.flatnonzero(np.isin(kind, members))
        which = np.searchsorted(members, kind[index])
        groups.append(Group([plants[k] for k in members], which.astype(np.int64), index, dtype))
    return groups
