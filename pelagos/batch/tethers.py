"""Tethers of a batch: a cable from a ship to each vehicle, set and read as arrays.

    batch = pelagos.Batch("bluerov2_heavy", 64, tether=Tether(length_m=40.0, elements=20))
    batch.place(depth_m=20.0)
    batch.tethers.set(length_m=numpy.linspace(30.0, 60.0, 64), ship_north_m=12.0)
    batch.advance(10.0)
    batch.tethers.tension_n, batch.tethers.status        # (64,), (64,)

Each tether gets its shape at rest before the first interval after a `reset` or `place` of its vehicle. A tether that
parts, or whose shape is not found, does not affect the others.

The coupling is that of `vehicle/towed.py`, for rows of records. In each step the cables predict the positions of the
fairleads; the vehicles move under pull and end stiffness, in as many steps as the stiffness of each needs; the cables
follow to the fairleads. The vehicles go through the scalar kernel: a step of a cable costs many times one of a vehicle,
so that SIMD lanes would save little, and each vehicle moves as in a `Simulation`.

`BatchTethers` holds the tethers of a batch, `TetherRows` those of one group; `Coupling` advances some of them in one
thread, on the copies of a `TetherSubset`.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import WORK_SIZE, Group, Groups
from pelagos.batch.inputs import Indices, Where, numbers_per_vehicle
from pelagos.batch.workers import Workers
from pelagos.engine.cable.layout import CHAIN, N_CHAIN, N_NODE, scratch_size
from pelagos.engine.cable.step import follow_lines, step_lines
from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import METHODS
from pelagos.engine.core.lanes import aligned
from pelagos.errors import CommandError, PelagosError
from pelagos.sim.stepping import Stepping
from pelagos.sim.tether import hang, resolve_tether
from pelagos.tether.line import Line
from pelagos.tether.spec import Tether
from pelagos.vehicle.pack.records import lightest_at
from pelagos.vehicle.towed import MOST_STEPS, ContactReport, fairleads, pull_limit, steps_needed, write_pull
from pelagos.world.spec import World

Array = NDArray[np.float64]
TIME, WATER_TIME = lay.STATE.offset("time")[0], lay.WATER.offset("time")[0]
STATE_RECORD, COMMAND_RECORD, HEAD_RECORD = lay.STATE.dtype, lay.COMMAND.dtype, CHAIN.dtype
FLOW = slice(lay.WATER.offset("current")[0], lay.WATER.offset("current")[0] + 3)
FLOW_RATE = slice(lay.WATER.offset("current_dot")[0], lay.WATER.offset("current_dot")[0] + 3)
FLOWS = slice(FLOW.start, FLOW_RATE.stop)  # both, which lie side by side: the cable kernel takes them as one array
FEWEST = 4  # vehicles per thread: with fewer, starting a thread costs more than it saves


class TetherSubset:
    """Copies of the records of some vehicles of a group, as the scalar kernel takes them.

    Args:
        at: numbers of the vehicles in the group.
        state, water, command: rows of STATE, WATER, COMMAND.
        lightest_kg: smallest effective mass of the vehicle at the fairlead, over all directions.
        most_n: largest pull of the tether.
    """

    def __init__(
        self, at: Indices, state: Array, water: Array, command: Array, lightest_kg: Array, most_n: Array
    ) -> None:
        self.at, self.state, self.water, self.command = at, state, water, command
        self.lightest_kg, self.most_n = lightest_kg, most_n
        # named records that share memory with the rows
        self.motion: Any = state.view(STATE_RECORD)[:, 0]
        self.pull: Any = command.view(COMMAND_RECORD)[:, 0]["pull"]

    def part(self, which: Any) -> TetherSubset:
        """Return copies of some of them."""
        rows = self.state[which], self.water[which], self.command[which]
        return TetherSubset(self.at[which], *rows, self.lightest_kg[which], self.most_n[which])

    def take(self, other: TetherSubset, which: Any) -> None:
        """Write state and command of a part back."""
        self.state[which], self.command[which] = other.state, other.command

    def ends(self, euler_angles: bool) -> tuple[Array, Array]:
        """Return positions and velocities of the fairleads, NED."""
        attitude = self.motion["attitude"]
        quaternion = frames.quaternion_from_euler(*attitude[:, :3].T) if euler_angles else attitude
        return fairleads(self.motion["position"], quaternion, self.motion["nu"], self.pull["fairlead"])


class Coupling:
    """Advances vehicles and their tethers together, in one thread.

    Args:
        group: the vehicles.
        lines, chains: rows of LINE and CHAIN, one for each vehicle of the group.
        models, model_of: parameters for the scalar kernel, and the row of each vehicle.
        dt: step of the cables, s.
        n_steps: smallest number of steps of a vehicle in a step of the cables.
        method: name of the integrator.
    """

    def __init__(
        self, group: Group, lines: Array, chains: Array, models: Array, model_of: Indices, dt: float, n_steps: int,
        method: str,
    ) -> None:  # fmt: skip
        self._group, self._lines, self._chains = group, lines, chains
        self._models, self._model_of = models, model_of
        self._dt, self._n_steps, self._method = dt, n_steps, method
        self._cable_work = np.zeros(scratch_size((chains.shape[1] - N_CHAIN) // N_NODE - 1))
        self._work = aligned((WORK_SIZE,))
        self._contacts: dict[int, ContactReport] = {}  # by number of the vehicle in the group

    def run(self, every: TetherSubset, which: Indices, n_cable: int, steps: Array) -> None:
        """Advance rows `which` by n_cable steps of the cables; write the number of valid steps of each to `steps`.

        Vehicles that diverge, and their tethers, stay at their last valid state, which is written back too.
        """
        dt, n_steps, euler_angles = self._dt, self._n_steps, self._group.euler_angles
        some = every.part(which)
        ends, velocities = some.ends(euler_angles)
        for k in range(n_cable if len(which) else 0):
            flows = np.ascontiguousarray(some.water[:, FLOWS])
            rows = some.at, self._lines, self._chains
            step_lines(*rows, self._cable_work, self._group.sea, flows, dt, ends, velocities)
            heads = self._heads(some.at)
            write_pull(some.pull, heads, heads["end"], dt, some.most_n)
            n = self._steps_for(some, heads)
            done = self._move(some, n)
            valid = done == n
            # `steps` counts in n_steps per step of the cables, however many steps the stiffness needed
            steps[some.at] = k * n_steps + np.where(valid, n_steps, np.minimum(done * n_steps // n, n_steps - 1))
            if not valid.all():
                every.take(some.part(~valid), which[~valid])
                some, which = some.part(valid), which[valid]
                if not len(which):
                    return
            some.water[:, FLOW] += dt * some.water[:, FLOW_RATE]
            ends, velocities = some.ends(euler_angles)
            follow_lines(some.at, self._lines, self._chains, ends, dt)
            write_pull(some.pull, self._heads(some.at), ends, 0.0, some.most_n)
        for j in np.flatnonzero(np.isin(some.at, list(self._contacts))).tolist():
            report = self._contacts[int(some.at[j])]
            report.calls = n_cable  # the mean is over all steps, also those without an obstacle near
            report.write(some.motion["touch"][j])
        every.take(some, which)

    def _heads(self, at: Indices) -> Any:
        """Copies of the records of CHAIN."""
        return self._chains[at, :N_CHAIN].view(HEAD_RECORD)[:, 0]

    def _steps_for(self, some: TetherSubset, heads: Any) -> Indices:
        """Number of steps of each vehicle in this step of its cable, as by `towed.steps_for`."""
        needed = steps_needed(heads["end_stiffness"], some.lightest_kg, self._dt, self._method)
        needed = np.where(needed >= 0.0, needed, 0.0)  # NaN: the vehicle diverges in the kernel, which reports it
        beyond = needed > MOST_STEPS
        if beyond.any():
            some.pull["stiffness"][beyond] *= (MOST_STEPS / needed[beyond])[:, np.newaxis]
        return np.clip(np.ceil(needed), self._n_steps, max(MOST_STEPS, self._n_steps)).astype(np.int64)

    def _move(self, some: TetherSubset, n: Indices) -> Indices:
        """Advance the vehicles by a step of the cables, each in its n steps; return the numbers of valid steps."""
        some.water[:, WATER_TIME] = some.state[:, TIME]
        group, motion = self._group, some.motion
        done = np.zeros(len(n), np.int64)
        near = group.may_touch(motion["position"], motion["nu"][:, :3], self._dt) if group.can_touch else n < 0
        if not near.any() and (n == n[0]).all():
            self._kernel(some, done, int(n[0]), None)
            return done
        for count in np.unique(n).tolist():
            for touching in (False, True):
                which = np.flatnonzero((n == count) & (near == touching))
                if len(which):
                    part, done_part = some.part(which), np.zeros(len(which), np.int64)
                    self._kernel(part, done_part, count, True if touching else None)
                    some.take(part, which)
                    done[which] = done_part
        for j in np.flatnonzero(near).tolist():
            self._contacts.setdefault(int(some.at[j]), ContactReport()).add_record(motion["touch"][j])
        return done

    def _kernel(self, some: TetherSubset, done: Indices, count: int, obstacles: bool | None) -> None:
        group = self._group
        group.kernel.advance_rows(
            some.state, self._models, self._model_of[some.at], group.structure, some.water, some.command, self._work,
            group.sea, group.hull, self._dt / count, count, METHODS[self._method], obstacles, done,
        )  # fmt: skip


class TetherRows:
    """The tethers of one group, a row of the engine's records for each vehicle.

    `length_m` and `ship_m` are values of `BatchTethers.set`; NaN stands for those of the `Tether`. `hangs` is True for
    tethers that have a shape; `hang` computes it for the others.

    Args:
        group: its plants have fairleads.
        kinds: for each plant of the group a Line, the pattern of the tethers of its vehicles.
    """

    def __init__(self, group: Group, kinds: Sequence[Line]) -> None:
        self.group, self.kinds = group, tuple(kinds)
        saved = [line.save() for line in kinds]
        self._initial_lines = np.array([record["line"] for record in saved])
        self.lines = self._initial_lines[group.which]
        self.chains = np.zeros((group.n, len(saved[0]["chain"])))
        self.hangs = np.zeros(group.n, dtype=bool)
        self.length_m, self.ship_m = np.full(group.n, np.nan), np.full((group.n, 2), np.nan)
        self.changing = self.lines, self.chains, self.hangs, self.length_m, self.ship_m  # what a saved batch keeps
        self._most_n = np.array([pull_limit(line) for line in kinds])[group.which]
        self._model_changes = -1  # `changes` of the group when its parameters were taken
        self._take_models()

    @property
    def heads(self) -> Any:
        """Records of CHAIN, (n,), sharing memory."""
        return self.chains[:, :N_CHAIN].view(HEAD_RECORD)[:, 0]

    def line(self, i: int) -> Line:
        """Return the tether of one vehicle, which shares memory: its methods act on the batch."""
        line = copy.deepcopy(self.kinds[self.group.which[i]])
        line.lies_in(self.lines[i], self.chains[i])
        line.sea = self.group.sea
        return line

    def reset(self, where: Indices) -> None:
        """Reset winch and ship of some tethers, which then need a new shape."""
        self.lines[where] = self._initial_lines[self.group.which[where]]
        self.hangs[where] = False

    def _take_models(self) -> None:
        """Take the parameters for the scalar kernel and the mass at each fairlead, if factors have changed."""
        group = self.group
        if self._model_changes == group.changes:
            return
        self._model_changes = group.changes
        self._models = np.array([plant.packed.model for plant in group.plants])
        self._model_of = group.which
        self._lightest_kg = np.array([plant.lightest_at_fairlead for plant in group.plants])[group.which]
        if group.changes:
            of_files, every = self._models, np.arange(group.n)
            self._models, self._model_of = group.model_rows(every), every
            for kind, plant in enumerate(group.plants):
                # by their ratio: the plant inverts its whole mass matrix, a record has the inverse of its free axes
                mine, at = group.which == kind, plant.command["pull"]["fairlead"].tolist()
                now, before = _lightest(self._models[mine], at), _lightest(of_files[kind : kind + 1], at)
                self._lightest_kg[mine] *= now / before

    def hang(self, world: World, workers: Workers) -> None:
        """Compute the shapes at rest of tethers that have none, between the ship and the vehicle's present place."""
        where = np.flatnonzero(~self.hangs)
        if not len(where):
            return
        some = self._some(where)
        ends, _ = some.ends(self.group.euler_angles)

        def hang_part(part: Indices) -> None:
            lines = [copy.deepcopy(line) for line in self.kinds]  # a Line has scratch memory: one for each thread
            for j in part.tolist():
                self._hang_vehicle(lines[self.group.which[where[j]]], some, j, ends[j], world)

        _share(hang_part, len(where), workers)
        write_pull(some.pull, self.heads[where], ends, 0.0, some.most_n)
        self._put_pull(some)
        self.hangs[where] = True

    def _hang_vehicle(self, line: Line, some: TetherSubset, j: int, end_n: Array, world: World) -> None:
        i = int(some.at[j])
        line.lies_in(self.lines[i], self.chains[i])
        line.sea, line.head["time"] = self.group.sea, some.state[j, TIME]
        line.set_current(some.water[j, FLOW], some.water[j, FLOW_RATE])
        ship, ship_m = line.ship_start_n(end_n), self.ship_m[i]
        ship[:2] = np.where(np.isnan(ship_m), ship[:2], ship_m)
        length = None if np.isnan(self.length_m[i]) else float(self.length_m[i])
        try:
            hang(line, end_n, self.group.vehicles[self.group.which[i]], world, ship, length)
        except PelagosError as problem:
            raise problem.at(CommandError, file=f"vehicle {int(self.group.index[i])}") from None

    def advance(self, seconds: float, n_cable: int, n_steps: int, method: str, workers: Workers) -> bool:
        """Advance vehicles and tethers by `seconds`: n_cable steps of the cables, each of n_steps of the vehicles.

        Returns whether every step was valid. See `group.steps` if not.
        """
        group = self.group
        self._take_models()
        some = self._some(np.flatnonzero(group.alive() > 0.0))
        steps = np.zeros(group.n)

        def advance_part(part: Indices) -> None:
            rows = self.lines, self.chains, self._models, self._model_of
            Coupling(group, *rows, seconds / n_cable, n_steps, method).run(some, part, n_cable, steps)

        _share(advance_part, len(some.at), workers)
        group.state.put_rows(some.state, some.at)
        self._put_pull(some)
        valid = steps >= n_cable * n_steps
        group.tally.put_rows(np.stack([valid.astype(float), steps], axis=1))
        return bool(valid.all())

    def _some(self, where: Indices) -> TetherSubset:
        group = self.group
        state, water, command = (lanes.rows(where) for lanes in (group.state, group.water, group.command))
        return TetherSubset(where, state, water, command, self._lightest_kg[where], self._most_n[where])

    def _put_pull(self, some: TetherSubset) -> None:
        """Copy the pulls to the lanes, from which forces and accelerations are read."""
        fields = self.group.command.fields("pull")
        self.group.command.put(fields, some.command[:, fields], some.at)


def _lightest(models: Array, at_b: Sequence[float]) -> Array:
    inverse = models.view(lay.MODEL.dtype)[:, 0]["mass_inverse"].reshape(len(models), 6, 6)
    return lightest_at(inverse, at_b)


def _share(work: Callable[[Indices], None], n: int, workers: Workers) -> None:
    """Divide numbers 0 .. n - 1 among threads in turn, because neighbours often need the same amount of work."""
    if n:
        count = workers.count(n, FEWEST)
        workers.run([partial(work, np.arange(k, n, count)) for k in range(count)])


def resolve_batch_tether(tether: object, dtype: str) -> Tether | None:
    """Return the tether of a batch from an argument as of `Simulation`; refuse those for a single vehicle."""
    resolved = resolve_tether(tether)
    if resolved is not None and resolved.mode == "royer":
        raise CommandError(
            key="tether mode", value=resolved.mode, expected='"dynamic" or "static"; "royer" is for a single vehicle'
        )
    if resolved is not None and dtype != "float64":
        raise CommandError(
            key="dtype",
            value=dtype,
            expected='"float64" with tethers: seven digits are too few for the stretch of a cable',
        )
    return resolved


class BatchTethers:
    """The tethers of a batch, one on each vehicle.

    Args:
        tether: the description of all.
        lines: for each kind of vehicle in the groups the pattern of its tethers, attached to the plant.
        groups: the vehicles.
        environment: the water and the ground in which the tethers get their shapes at rest.
        stepping: the steps of a control interval.
        integrator: name of the integrator of the vehicles.
        workers: threads.
    """

    def __init__(
        self,
        tether: Tether,
        lines: Sequence[Line],
        groups: Groups,
        environment: BatchEnvironment,
        stepping: Stepping,
        integrator: str,
        workers: Workers,
    ) -> None:
        self.tether = tether
        self._groups, self._environment, self._workers = groups, environment, workers
        self._stepping, self._integrator = stepping, integrator
        of = {id(vehicle): line for vehicle, line in zip(groups.vehicles, lines, strict=True)}
        self._rows = [TetherRows(group, [of[id(vehicle)] for vehicle in group.vehicles]) for group in groups]
        self.changing = tuple(array for rows in self._rows for array in rows.changing)  # what a saved batch keeps

    def set(
        self,
        where: Where = None,
        *,
        length_m: ArrayLike | None = None,
        ship_north_m: ArrayLike | None = None,
        ship_east_m: ArrayLike | None = None,
    ) -> None:
        """Set lengths and ships of single tethers, one number or one per vehicle; these tethers get a new shape."""
        chosen = self._groups.select(where)
        settings = {"length_m": length_m, "ship_north_m": ship_north_m, "ship_east_m": ship_east_m}
        values = {
            key: numbers_per_vehicle(f"tether {key}", value, chosen)
            for key, value in settings.items()
            if value is not None
        }
        if "length_m" in values and self.tether.payout == "ratio":
            raise CommandError(
                'a tether with payout "ratio" takes no length_m', expected="none: the ratio determines the length"
            )
        if values.keys() & {"ship_north_m", "ship_east_m"} and self.tether.ship == "path":
            raise CommandError(
                "a ship on a path takes no ship_north_m and ship_east_m", expected="none: it starts where the path does"
            )
        for key, value in values.items():
            for extreme in (value.min(), value.max()) if len(value) else ():
                dataclasses.replace(self.tether, **{key: float(extreme)})  # the constructor checks the value
        for rows, local, mine in self._split(chosen):
            if "length_m" in values:
                rows.length_m[local] = values["length_m"][mine]
            for k, key in enumerate(("ship_north_m", "ship_east_m")):
                if key in values:
                    rows.ship_m[local, k] = values[key][mine]
            rows.hangs[local] = False

    def line(self, index: int) -> Line:
        """Return the tether of one vehicle; its `haul`, `cut`, `move_ship`, ... act on the batch."""
        self.hang()
        chosen = self._groups.select(index)
        if len(chosen) != 1:
            expected = f"the number of one vehicle, 0 to {self._groups.n - 1}"
            raise CommandError(key="index", value=index, expected=expected)
        ((rows, local, _),) = self._split(chosen)
        return rows.line(int(local[0]))

    @property
    def tension_n(self) -> Array:
        """Tension at the vehicle, N: (n,)."""
        return self._heads("tension_b")

    @property
    def ship_tension_n(self) -> Array:
        """Tension at the ship, N: (n,)."""
        return self._heads("tension_a")

    @property
    def force_n(self) -> Array:
        """Force of the tether on the vehicle, N, NED: (n, 3)."""
        return self._heads("force_b")

    @property
    def length_m(self) -> Array:
        """Unstretched length between ship and vehicle: (n,)."""
        return self._heads("length")

    @property
    def status(self) -> NDArray[np.int64]:
        """Bits of `tether.spec.Status`, 0 without a condition to report: (n,)."""
        return self._heads("status").astype(np.int64)

    @property
    def ship_n(self) -> Array:
        """Position of the point where the cable leaves the ship, NED, m: (n, 3)."""
        return self._heads("ship")

    def place(self, chosen: Indices) -> None:
        """Prepare vehicles that were put elsewhere: their tethers get a new shape."""
        for rows, local, _ in self._split(chosen):
            rows.hangs[local] = False

    def reset(self, chosen: Indices) -> None:
        """Reset winches and ships of some tethers, which get a new shape."""
        for rows, local, _ in self._split(chosen):
            rows.reset(local)

    def hang(self) -> None:
        """Compute the shapes at rest of tethers that have none."""
        if all(rows.hangs.all() for rows in self._rows):
            return
        self._environment.update()
        for rows in self._rows:
            rows.hang(self._environment.world, self._workers)

    def advance(self) -> bool:
        """Advance vehicles and tethers by a control interval; return whether all steps were valid."""
        self.hang()
        stepping = self._stepping
        split = stepping.n_cable, stepping.n_steps // stepping.n_cable, self._integrator
        valid = [rows.advance(stepping.interval_s, *split, self._workers) for rows in self._rows]
        return all(valid)

    def _heads(self, name: str) -> Array:
        self.hang()
        first = self._rows[0].heads[name]
        out = np.zeros((self._groups.n, *first.shape[1:]))
        for rows in self._rows:
            out[rows.group.index] = rows.heads[name]
        return out

    def _split(self, chosen: Indices) -> list[tuple[TetherRows, Indices, Any]]:
        of = {id(rows.group): rows for rows in self._rows}
        return [(of[id(group)], local, mine) for group, local, mine in self._groups.split(chosen)]
