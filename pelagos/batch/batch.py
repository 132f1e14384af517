"""Thousands of vehicles advanced together by the kernel that moves one.

    batch = pelagos.Batch("remus100", n=16384)
    batch.place(depth_m=10.0, surge_m_s=1.5, heading_deg=numpy.linspace(0.0, 350.0, 16384))
    batch.set_actuators(thrusters=[120.0], surfaces=[0.05, 0.0])
    batch.advance(seconds=60.0)
    batch.position_n, batch.nu, batch.alive              # (n, 3), (n, 6), (n,)

The forces are those of `engine/forces`, compiled for lanes of eight vehicles (float64) or sixteen (float32), shared
among threads. A result depends neither on n nor on the order, the neighbours or the number of threads; in float64 it
is that of `Simulation` to rounding. A vehicle that diverges stays at its last sound state and is told by its number;
the others do not notice.
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
from pelagos.batch.inputs import LANE_METHODS, Where, one_each, resolve_vehicles, rows_each, thread_count
from pelagos.batch.lanes import WIDTH
from pelagos.batch.run import USUAL, Control, run_batch
from pelagos.batch.save import restore_batch, save_batch
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
_PLACE = {
    "position_n": ("north_m", "east_m", "depth_m"),
    "euler": ("roll_deg", "pitch_deg", "heading_deg"),
    "nu": ("surge_m_s", "sway_m_s", "heave_m_s", "roll_rate_deg_s", "pitch_rate_deg_s", "yaw_rate_deg_s"),
}


@dataclass(frozen=True)
class Failure:
    """A vehicle that diverged: its number in the batch, when, and the largest force on it then."""

    index: int
    time_s: float
    largest_force: str

    @property
    def message(self) -> str:
        """The sentence about it."""
        return str(DivergedError(self.time_s, self.largest_force, {}))


class Batch(Tethered):
    """Many vehicles in one sea.

    Args:
        vehicles: one Vehicle, library name or file for all, or a sequence with one for each vehicle.
        n: how many; not with a sequence.
        world: the sea, a World, a library name or a file; calm and endless if not given.
        dtype: "float64", or "float32": twice as fast, seven digits.
        threads: at most so many; all cores if not given.
        integrator: "euler", "heun" or "rk4"; if not given, that of the file of the first vehicle.
        step_s: longest step; each control interval is divided into equal ones. If not given, the shortest of the files.
        control_rate_hz: how often demands may change.
        tether: True for the cable of the vehicle's file, a mode ("dynamic", "static"), or a `Tether`: one for each.
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
        self._until_s = -1.0
        self._own_current = np.zeros((self.n, 3))
        self._ticks = np.zeros(self.n, np.int64)
        self._failed_s = np.full(self.n, math.nan)
        self._clipped = {
            name: np.zeros((self.n, max(len(getattr(v, name)) for v in self.vehicles)), np.int64)
            for name in Actuations._fields
        }
        plants = [inputs.make_plant(v, self.world, None, None) for v in self.vehicles]
        lines = self._tie(plants)
        self._groups = _groups(plants, self.kind, self.dtype)
        self._reeve(lines)
        self._group_of, self._local = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        for k, group in enumerate(self._groups):
            self._group_of[group.index], self._local[group.index] = k, np.arange(group.n)
        self._unchecked = np.ones(self.n, np.bool_)
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
        """The vehicle, if all are of one kind."""
        first, *others = self.vehicles
        if others:
            raise CommandError(f"the batch has {len(self.vehicles)} kinds of vehicle", expected="one: see `vehicles`")
        return first

    # ---- where they are ------------------------------------------------------------------------------------------

    def reset(self, where: Where = None) -> None:
        """At rest at the origin, heading north, alive, time 0; parameters and currents stay."""
        chosen = self._chosen(where)
        for group, local, _ in self._parts(chosen):
            group.reset(local)
        self._ticks[chosen], self._failed_s[chosen], self._unchecked[chosen] = 0, math.nan, True
        for counts in self._clipped.values():
            counts[chosen] = 0
        self._slip(chosen, anew=True)
        self._set_current()
        self._hold_in_water(chosen)
        self._changed()

    def place(self, where: Where = None, **values: ArrayLike | None) -> None:
        """Put vehicles somewhere, moving as told, with the words of `Simulation.place`: numbers, or one each.

        north_m, east_m, depth_m, roll_deg, pitch_deg, heading_deg, surge_m_s, sway_m_s, heave_m_s, roll_rate_deg_s,
        pitch_rate_deg_s, yaw_rate_deg_s; what is not given stays.
        """
        chosen = self._chosen(where)
        told = {key: one_each(f"place {key}", value, chosen) for key, value in values.items() if value is not None}
        for key, value in told.items():
            for extreme in (value.min(initial=0.0), value.max(initial=0.0)):
                inputs.check_place({key: float(extreme)})
        motion: dict[str, Array] = {}
        for what, names in _PLACE.items():
            if told.keys() & set(names):
                now = getattr(self, what)[chosen]
                for i, name in enumerate(names):
                    if name in told:
                        now[:, i] = told[name] * (math.radians(1.0) if "_deg" in name else 1.0)
                motion[what] = now
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
        """Position (m, NED), attitude (unit quaternion or roll, pitch, yaw in rad), velocity: (k,) or (vehicles, k)."""
        chosen = self._chosen(where)
        sizes = {"position_n": (position_n, 3), "quaternion": (quaternion, 4), "euler": (euler, 3), "nu": (nu, 6)}
        rows = {key: rows_each(key, v, chosen, k) for key, (v, k) in sizes.items() if v is not None}
        if "quaternion" in rows and "euler" in rows:
            raise CommandError("quaternion and euler are both given", expected="one of them")
        if "quaternion" in rows and (np.abs(np.linalg.norm(rows["quaternion"], axis=1) - 1.0) > 1e-6).any():
            raise CommandError("quaternion: not all have length 1", expected="unit quaternions, scalar first")
        for group, _, mine in self._parts(chosen) if "nu" in rows else ():
            inputs.no_held_rates(group.vehicles[0], rows["nu"][mine, 3:])
        for group, local, mine in self._parts(chosen):
            group.put_motion(local, **{key: value[mine] for key, value in rows.items()})
        self._slip(chosen)
        self._hold_in_water(chosen)
        self._unchecked[chosen] = True
        self._changed()

    def set_current(self, current_n: ArrayLike, where: Where = None) -> None:
        """A uniform current for each vehicle, (3,) or (vehicles, 3), m/s NED; the world's comes on top."""
        chosen = self._chosen(where)
        self._own_current[chosen] = rows_each("current_n", current_n, chosen, 3)
        self._set_current()
        self._hold_in_water(chosen)
        self._changed()

    def scale(self, name: str, factors: ArrayLike, where: Where = None) -> None:
        """Factors on a parameter of single vehicles: see `batch.parameters` for the names. They multiply up."""
        chosen = self._chosen(where)
        factor = one_each(f"scale {name}", factors, chosen)
        found = [(g, g.scaled(name, factor[mine], local), local) for g, local, mine in self._parts(chosen)]
        for group, rows, local in found:  # all could be scaled
            group.put_models(rows, local)
        self._changed()

    def unscale(self, where: Where = None) -> None:
        """Take every factor of `scale` away: the parameters of the vehicle's file again, bit for bit."""
        for group, local, _ in self._parts(self._chosen(where)):
            group.unscale(local)
        self._changed()

    # ---- running -------------------------------------------------------------------------------------------------

    def advance(self, seconds: float | None = None) -> None:
        """Advance by whole control intervals; by one if no time is given. Demands are held."""
        count = 1 if seconds is None else round(inputs.positive("seconds", seconds) * self.control_rate_hz)
        if count == 0:
            raise CommandError(
                key="seconds", value=seconds, expected=f"at least one control interval, {self.interval_s:g} s"
            )
        self._check_cover(count * self.interval_s)
        for _ in range(count):
            self.tick()

    def run(
        self,
        seconds: float,
        *,
        control: Control | None = None,
        path: str | os.PathLike[str] | None = None,
        columns: Sequence[str] = USUAL,
        log_rate_hz: float = 1.0,
        progress: Callable[[float], None] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """Run on and keep samples: the first now, then at the log rate.

        Args:
            seconds: simulated time, rounded to whole control intervals.
            control: called with `VehicleStates` and the interval before each, or an object with `update`; gives
                `Actuations`.
            path: a folder of Parquet parts, written in bounded memory while the run goes on: see `batch.record`.
            columns: names and units of the log of a `Simulation`.
            log_rate_hz: samples per second, at most the control rate.
            progress: told the simulated time done, once per simulated second.

        Returns:
            (samples,) times as "time_s" and (samples, n) arrays by column; nothing but the times with a path.
        """
        return run_batch(self, seconds, control, path, columns, log_rate_hz, progress)

    def tick(self) -> None:
        """One control interval."""
        self._cover(float(self._ticks.max()) / self.control_rate_hz + self.interval_s)
        self._check_places()
        self._water_now()
        pool = self._workers()
        if self.tether:
            sound = self._advance_towed(pool)
        else:
            sound = [g.advance(self.step_s, self.n_steps, self._method, pool, self.threads) for g in self._groups]
        self._ticks += 1
        if not all(sound):
            self._note_failures()
        self._changed()

    def _note_failures(self) -> None:
        """Those that have diverged, or had before, stay where and when they were."""
        for group in self._groups:
            steps = group.steps()
            short = steps < self.n_steps
            at = group.index[short]
            self._ticks[at] -= 1
            time_s = self._ticks[at] / self.control_rate_hz + steps[short] * self.step_s
            self._failed_s[at] = np.where(np.isnan(self._failed_s[at]), time_s, self._failed_s[at])

    @property
    def failures(self) -> list[Failure]:
        """Every vehicle that has diverged since it was last reset."""
        return [self._failure(int(i)) for i in np.flatnonzero(np.isfinite(self._failed_s))]

    def _failure(self, index: int) -> Failure:
        group, local = self._groups[self._group_of[index]], self._local[index : index + 1]
        plant = group.plant_of(local)
        plant.set_sea(group.sea)
        time_s = float(self._failed_s[index])
        return Failure(index, time_s, largest_force(plant, self.step_s))

    def save(self) -> dict[str, Any]:
        """Everything that changes, factors of `scale` too, exactly; give it to `restore`."""
        return save_batch(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant of this batch, or of one made the same way, bit for bit."""
        restore_batch(self, saved)

    def close(self) -> None:
        """End the threads; they come back when they are needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # ---- details -------------------------------------------------------------------------------------------------

    def _workers(self) -> ThreadPoolExecutor | None:
        worth_it = self.tether or max(g.state.blocks for g in self._groups) >= 2 * SMALLEST
        if self.threads > 1 and self._pool is None and worth_it:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="pelagos-batch")
        return self._pool


def _groups(plants: Sequence[Plant], kind: Indices, dtype: str) -> list[Group]:
    """Vehicles of equal structure, hull and gravity (the waves of their sea depend on it) go together."""
    families: dict[tuple[bytes, bytes, str], list[int]] = {}
    for k, plant in enumerate(plants):
        alike = str((plant.vehicle.free, float(plant.water["gravity"])))
        key = (plant.packed.structure.tobytes(), plant.hull.tobytes(), alike)
        families.setdefault(key, []).append(k)
    made: list[Group] = []
    for members in families.values():
        index = np.flatnonzero(np.isin(kind, members))
        which = np.searchsorted(members, kind[index])
        made.append(Group([plants[k] for k in members], which.astype(np.int64), index, dtype))
    return made
