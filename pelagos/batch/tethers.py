"""The tethers of a batch: one for each vehicle, rigged as the tether of a `Simulation` is, told and read as arrays.

    batch = pelagos.Batch("bluerov2_heavy", 64, tether=Tether(length_m=40.0, elements=20))
    batch.place(depth_m=20.0)
    batch.set_tether(length_m=numpy.linspace(30.0, 60.0, 64), ship_north_m=12.0)
    batch.advance(10.0)
    batch.tension_n, batch.tether_status                 # (64,), (64,)

A tether is hung at rest before the first interval after its vehicle was put somewhere, and again after each `reset` and
`place`, for those vehicles only. One that parts, or for which no shape is found, is no concern of the others.

Some vehicles and their tethers through an interval: what `vehicle/towed.py` does with one, row by row.

The cables make a step, foreseeing where the fairleads will be; the vehicles move under pull and end stiffness, in as
many steps as that asks of each; the cables follow. The vehicles go through the scalar kernel: a step of a cable costs
many times one of a vehicle, so that lanes would hardly show, and each vehicle does what it does in a `Simulation`.

Tethers of the vehicles of one group: rows of the engine's records, hung, advanced in threads, told of.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.batch.actuators import BatchActuators
from pelagos.batch.group import WORK_SIZE, Group, Indices
from pelagos.batch.inputs import one_each
from pelagos.engine.cable.layout import CHAIN, N_CHAIN, N_NODE, scratch_size
from pelagos.engine.cable.step import follow_lines, step_lines
from pelagos.engine.core import layout as lay
from pelagos.engine.core.integrate import METHODS
from pelagos.engine.core.lanes import aligned
from pelagos.errors import CommandError, PelagosError
from pelagos.sim.tether import hang, make_line, resolve_tether
from pelagos.tether.line import Line
from pelagos.tether.spec import Tether
from pelagos.vehicle.pack.records import lightest_at
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.towed import MOST_STEPS, ContactReport, fairleads, pull_limit, steps_needed, write_pull
from pelagos.world.spec import World

Array = NDArray[np.float64]
TIME, WATER_TIME = lay.STATE.offset("time")[0], lay.WATER.offset("time")[0]
STATE_RECORD, COMMAND_RECORD, HEAD_RECORD = lay.STATE.dtype, lay.COMMAND.dtype, CHAIN.dtype
FLOW = slice(lay.WATER.offset("current")[0], lay.WATER.offset("current")[0] + 3)
FLOW_RATE = slice(lay.WATER.offset("current_dot")[0], lay.WATER.offset("current_dot")[0] + 3)
FLOWS = slice(FLOW.start, FLOW_RATE.stop)  # both: what a tether is told of the water


class TetherSubset:
    """Rows of some vehicles: their numbers in the group, records for the scalar kernel, what a pull there has to move.

    Args:
        at: numbers in the group.
        state, water, command: rows of STATE, WATER, COMMAND.
        lightest_kg: least mass at the fairlead.
        most_n: greatest pull of the tether.
    """

    def __init__(
        self, at: Indices, state: Array, water: Array, command: Array, lightest_kg: Array, most_n: Array
    ) -> None:
        self.at, self.state, self.water, self.command = at, state, water, command
        self.lightest_kg, self.most_n = lightest_kg, most_n
        # records that share memory with the rows
        self.motion: Any = state.view(STATE_RECORD)[:, 0]
        self.pull: Any = command.view(COMMAND_RECORD)[:, 0]["pull"]

    def part(self, which: Any) -> TetherSubset:
        """Copies of some of them."""
        rows = self.state[which], self.water[which], self.command[which]
        return TetherSubset(self.at[which], *rows, self.lightest_kg[which], self.most_n[which])

    def take(self, other: TetherSubset, which: Any) -> None:
        """State and command of a part, back from it."""
        self.state[which], self.command[which] = other.state, other.command

    def ends(self, euler_angles: bool) -> tuple[Array, Array]:
        """Places and velocities of the fairleads, NED."""
        attitude = self.motion["attitude"]
        turned = frames.quaternion_from_euler(*attitude[:, :3].T) if euler_angles else attitude
        return fairleads(self.motion["position"], turned, self.motion["nu"], self.pull["fairlead"])


class Coupling:
    """Tethers and the group they pull at, in steps of a length; for one thread.

    Args:
        group: the vehicles.
        lines, chains: rows of LINE and CHAIN, one for each vehicle of the group.
        models, model_of: parameters for the scalar kernel, and which of them each vehicle has.
        dt: s, a step of the cables.
        n_steps: of the vehicles, in each.
        method: name of the integrator.
    """

    def __init__(
        self, group: Group, lines: Array, chains: Array, models: Array, model_of: Indices, dt: float, n_steps: int,
        method: str,
    ) -> None:  # fmt: skip
        self._group, self._lines, self._chains = group, lines, chains
        self._models, self._model_of = models, model_of
        self._dt, self._n_steps, self._method = dt, n_steps, method
        self._rope = np.zeros(scratch_size((chains.shape[1] - N_CHAIN) // N_NODE - 1))
        self._work = aligned((WORK_SIZE,))
        self._met: dict[int, ContactReport] = {}

    def run(self, all_: TetherSubset, which: Indices, n_cable: int, steps: Array) -> None:
        """Advance rows `which` by n_cable steps of the cables; steps[i] becomes how many of vehicle i's were sound.

        Those that diverge, and their tethers, stay at the last sound state; it is written back as the others are.
        """
        dt, n_steps, euler_angles = self._dt, self._n_steps, self._group.euler_angles
        some = all_.part(which)
        ends, velocities = some.ends(euler_angles)
        for k in range(n_cable if len(which) else 0):
            flows = np.ascontiguousarray(some.water[:, FLOWS])
            step_lines(some.at, self._lines, self._chains, self._rope, self._group.sea, flows, dt, ends, velocities)
            heads = self._heads(some.at)
            write_pull(some.pull, heads, heads["end"], dt, some.most_n)
            n = self._steps_for(some, heads)
            done = self._move(some, n)
            sound = done == n
            steps[some.at] = k * n_steps + np.where(sound, n_steps, np.minimum(done * n_steps // n, n_steps - 1))
            if not sound.all():
                all_.take(some.part(~sound), which[~sound])
                some, which = some.part(sound), which[sound]
                if not len(which):
                    return
            some.water[:, FLOW] += dt * some.water[:, FLOW_RATE]
            ends, velocities = some.ends(euler_angles)
            follow_lines(some.at, self._lines, self._chains, ends, dt)
            write_pull(some.pull, self._heads(some.at), ends, 0.0, some.most_n)
        for j in np.flatnonzero(np.isin(some.at, list(self._met))).tolist():
            met = self._met[int(some.at[j])]
            met.calls = n_cable
            met.write(some.motion["touch"][j])
        all_.take(some, which)

    def _heads(self, at: Indices) -> Any:
        """Copies of the records of CHAIN."""
        return self._chains[at, :N_CHAIN].view(HEAD_RECORD)[:, 0]

    def _steps_for(self, some: TetherSubset, heads: Any) -> Indices:
        """Steps of each vehicle in this one of its cable, as `towed.steps_for` has it."""
        wanted = steps_needed(heads["end_stiffness"], some.lightest_kg, self._dt, self._method)
        wanted = np.where(wanted >= 0.0, wanted, 0.0)  # no number: the vehicle will tell by diverging
        beyond = wanted > MOST_STEPS
        if beyond.any():
            some.pull["stiffness"][beyond] *= (MOST_STEPS / wanted[beyond])[:, np.newaxis]
        return np.clip(np.ceil(wanted), self._n_steps, max(MOST_STEPS, self._n_steps)).astype(np.int64)

    def _move(self, some: TetherSubset, n: Indices) -> Indices:
        """The vehicles through a step of the cables, each in its number of steps; how many were sound."""
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
                    part, sound = some.part(which), np.zeros(len(which), np.int64)
                    self._kernel(part, sound, count, True if touching else None)
                    some.take(part, which)
                    done[which] = sound
        for j in np.flatnonzero(near).tolist():
            self._met.setdefault(int(some.at[j]), ContactReport()).add_record(motion["touch"][j])
        return done

    def _kernel(self, some: TetherSubset, done: Indices, count: int, obstacles: bool | None) -> None:
        group = self._group
        group.kernel.advance_rows(
            some.state, self._models, self._model_of[some.at], group.structure, some.water, some.command, self._work,
            group.sea, group.hull, self._dt / count, count, METHODS[self._method], obstacles, done,
        )  # fmt: skip


# ---- tether rows -----------------------------------------------------------------------------------------------------


FEWEST = 4  # vehicles a thread: below that, handing over costs more than it brings
KEPT = ("lines", "chains", "hangs", "length_m", "ship_m")


class TetherRows:
    """One tether for each vehicle of a group.

    Args:
        group: its plants are tied.
        kinds: a Line for each plant of the group: what the tethers of its vehicles are like.
    """

    def __init__(self, group: Group, kinds: Sequence[Line]) -> None:
        self.group, self.kinds = group, tuple(kinds)
        saved = [line.save() for line in kinds]
        self._fresh = np.array([one["line"] for one in saved])
        self.lines = self._fresh[group.which]
        self.chains = np.zeros((group.n, len(saved[0]["chain"])))
        self.hangs = np.zeros(group.n, dtype=bool)
        self.length_m, self.ship_m = np.full(group.n, np.nan), np.full((group.n, 2), np.nan)  # NaN: the tether's own
        self._most_n = np.array([pull_limit(line) for line in kinds])[group.which]
        self._seen = -1
        self._take_models()

    @property
    def heads(self) -> Any:
        """Records of CHAIN, (n,): the memory itself."""
        return self.chains[:, :N_CHAIN].view(HEAD_RECORD)[:, 0]

    def line(self, i: int) -> Line:
        """The tether of one vehicle, alive: what is done with it is done here."""
        line = copy.deepcopy(self.kinds[self.group.which[i]])
        line.lies_in(self.lines[i], self.chains[i])
        line.sea = self.group.sea
        return line

    def reset(self, where: Indices) -> None:
        """Drum and ship as the tether has them, whatever they were told; to be hung anew."""
        self.lines[where] = self._fresh[self.group.which[where]]
        self.hangs[where] = False

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything that changes, exactly."""
        return {name: getattr(self, name).copy() for name in KEPT}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> None:
        """Back to a saved instant, bit for bit."""
        for name in KEPT:
            getattr(self, name)[...] = saved[name]

    def _take_models(self) -> None:
        """Parameters for the scalar kernel and the least mass at each fairlead; anew where factors have changed."""
        group = self.group
        if self._seen == group.changes:
            return
        self._seen = group.changes
        self._models = np.array([plant.packed.model for plant in group.plants])
        self._model_of = group.which
        self._lightest_kg = np.array([plant.lightest_at_fairlead for plant in group.plants])[group.which]
        if group.changes:
            own, every = self._models, np.arange(group.n)
            self._models, self._model_of = group.model_rows(every), every
            for kind, plant in enumerate(group.plants):  # by as much as the factors make it lighter or heavier
                mine, at = group.which == kind, plant.command["pull"]["fairlead"].tolist()
                now, before = _lightest(self._models[mine], at), _lightest(own[kind : kind + 1], at)
                self._lightest_kg[mine] *= now / before

    # ---- at rest -------------------------------------------------------------------------------------------------

    def hang(self, world: World, pool: ThreadPoolExecutor | None, threads: int) -> None:
        """Hang those at rest that do not hang yet, between the ship and the vehicle where it is now."""
        where = np.flatnonzero(~self.hangs)
        if not len(where):
            return
        some = self._some(where)
        ends, _ = some.ends(self.group.euler_angles)

        def part(own: Indices) -> None:
            lines = [copy.deepcopy(line) for line in self.kinds]
            for j in own.tolist():
                self._hang_one(lines[self.group.which[where[j]]], some, j, ends[j], world)

        _share(part, len(where), pool, threads)
        write_pull(some.pull, self.heads[where], ends, 0.0, some.most_n)
        self._put_pull(some)
        self.hangs[where] = True

    def _hang_one(self, line: Line, some: TetherSubset, j: int, end_n: Array, world: World) -> None:
        i = int(some.at[j])
        line.lies_in(self.lines[i], self.chains[i])
        line.sea, line.head["time"] = self.group.sea, some.state[j, TIME]
        line.set_current(some.water[j, FLOW], some.water[j, FLOW_RATE])
        ship, told = line.ship_start_n(end_n), self.ship_m[i]
        ship[:2] = np.where(np.isnan(told), ship[:2], told)
        length = None if np.isnan(self.length_m[i]) else float(self.length_m[i])
        try:
            hang(line, end_n, self.group.vehicles[self.group.which[i]], world, ship, length)
        except PelagosError as problem:
            raise CommandError(f"vehicle {int(self.group.index[i])}: {problem}") from None

    # ---- moving --------------------------------------------------------------------------------------------------

    def advance(
        self, seconds: float, n_cable: int, n_steps: int, method: str, pool: ThreadPoolExecutor | None, threads: int
    ) -> bool:
        """Vehicles and tethers through `seconds`: n_cable steps of the cables, each of n_steps of the vehicles.

        Returns whether every step was sound. See `group.steps` if not.
        """
        group = self.group
        self._take_models()
        some = self._some(np.flatnonzero(group.alive() > 0.0))
        steps = np.zeros(group.n)

        def part(own: Indices) -> None:
            rows = self.lines, self.chains, self._models, self._model_of
            Coupling(group, *rows, seconds / n_cable, n_steps, method).run(some, own, n_cable, steps)

        _share(part, len(some.at), pool, threads)
        group.state.put_rows(some.state, some.at)
        self._put_pull(some)
        sound = steps >= n_cable * n_steps
        group.tally.put_rows(np.stack([sound.astype(float), steps], axis=1))
        return bool(sound.all())

    def _some(self, where: Indices) -> TetherSubset:
        group = self.group
        state, water, command = (lanes.rows(where) for lanes in (group.state, group.water, group.command))
        return TetherSubset(where, state, water, command, self._lightest_kg[where], self._most_n[where])

    def _put_pull(self, some: TetherSubset) -> None:
        """For whoever looks at the forces."""
        fields = self.group.command.fields("pull")
        self.group.command.put(fields, some.command[:, fields], some.at)


def _lightest(models: Array, at_b: Sequence[float]) -> Array:
    inverse = models.view(lay.MODEL.dtype)[:, 0]["mass_inverse"].reshape(len(models), 6, 6)
    return lightest_at(inverse, at_b)


def _share(part: Callable[[Indices], None], n: int, pool: ThreadPoolExecutor | None, threads: int) -> None:
    """Numbers 0 .. n - 1 among threads, dealt out in turn: neighbours are often alike, and so is their work."""
    count = max(1, min(threads, n // FEWEST)) if pool is not None else 1
    waiting = [pool.submit(part, np.arange(k, n, count)) for k in range(1, count)] if pool is not None else []
    try:
        if n:
            part(np.arange(0, n, count))
    finally:
        for other in waiting:
            other.result()


# ---- tethers ---------------------------------------------------------------------------------------------------------


def resolve_batch_tether(given: object, dtype: str) -> Tether | None:
    """What `Simulation` takes, as far as rows of tethers can be computed."""
    tether = resolve_tether(given)
    if tether is not None and tether.mode == "royer":
        raise CommandError(
            'tether mode is "royer"', expected='"dynamic" or "static" in a batch: Royer\'s is for one vehicle'
        )
    if tether is not None and dtype != "float64":
        raise CommandError(
            f'dtype is "{dtype}"',
            expected='"float64" with tethers: seven digits are too few for the stretch of a cable',
        )
    return tether


class Tethered(BatchActuators):
    """The part of a batch that is tied to ships."""

    tether: Tether | None
    threads: int
    integrator: str
    n_steps: int
    _n_cable: int
    _pool: ThreadPoolExecutor | None
    _tethers: list[TetherRows]

    def _tie(self, plants: Sequence[Plant]) -> list[Line]:
        """Before the vehicles become lanes: whether a pull acts belongs to their structure."""
        return [make_line(self.tether, plant.vehicle, plant) for plant in plants] if self.tether else []

    def _reeve(self, lines: Sequence[Line]) -> None:
        """Rows for the vehicles of each group, whose plants are those that were tied."""
        of = {id(vehicle): line for vehicle, line in zip(self.vehicles, lines, strict=False)}
        self._tethers = [TetherRows(g, [of[id(v)] for v in g.vehicles]) for g in self._groups] if lines else []

    def set_tether(
        self,
        where: ArrayLike | None = None,
        *,
        length_m: ArrayLike | None = None,
        ship_north_m: ArrayLike | None = None,
        ship_east_m: ArrayLike | None = None,
    ) -> None:
        """Lengths and ships of single tethers, numbers or one each, until told otherwise; those are hung anew."""
        tether = self._given_tether()
        chosen = self._chosen(where)
        told = {"length_m": length_m, "ship_north_m": ship_north_m, "ship_east_m": ship_east_m}
        values = {key: one_each(f"tether {key}", v, chosen) for key, v in told.items() if v is not None}
        if "length_m" in values and tether.payout == "ratio":
            raise CommandError('length_m of a tether with payout "ratio"', expected="none: its length is in the ratio")
        if values.keys() & {"ship_north_m", "ship_east_m"} and tether.ship == "path":
            raise CommandError(
                "ship_north_m, ship_east_m of a ship on a path", expected="none: it starts where that does"
            )
        for key, value in values.items():
            for extreme in (value.min(), value.max()) if len(value) else ():
                dataclasses.replace(tether, **{key: float(extreme)})  # checks it
        for rows, local, mine in self._tether_parts(chosen):
            if "length_m" in values:
                rows.length_m[local] = values["length_m"][mine]
            for k, key in enumerate(("ship_north_m", "ship_east_m")):
                if key in values:
                    rows.ship_m[local, k] = values[key][mine]
            rows.hangs[local] = False

    def tether_of(self, index: int) -> Line:
        """The tether of one vehicle: `haul`, `cut`, `move_ship`, `shape_n`, ... of it act on the batch."""
        self._hang()
        one = self._chosen(index)
        if len(one) != 1:
            raise CommandError(key="index", value=index, expected=f"the number of one vehicle, 0 to {self.n - 1}")
        i = one[0]
        return self._tethers[self._group_of[i]].line(int(self._local[i]))

    # ---- read ----------------------------------------------------------------------------------------------------

    @property
    def tension_n(self) -> Array:
        """Tension at the vehicle, N: (n,)."""
        return self._heads("tension_b")

    @property
    def ship_tension_n(self) -> Array:
        """Tension at the ship, N: (n,)."""
        return self._heads("tension_a")

    @property
    def tether_force_n(self) -> Array:
        """Force of the tether on the vehicle, N, NED: (n, 3)."""
        return self._heads("force_b")

    @property
    def tether_length_m(self) -> Array:
        """Unstretched length between ship and vehicle: (n,)."""
        return self._heads("length")

    @property
    def tether_status(self) -> NDArray[np.int64]:
        """Bits of `tether.spec.Status`, 0 where there is nothing to say: (n,)."""
        return self._heads("status").astype(np.int64)

    @property
    def ship_n(self) -> Array:
        """Where the cable leaves the ship, NED, m: (n, 3)."""
        return self._heads("ship")

    def _heads(self, name: str) -> Array:
        self._hang()
        first = self._tethers[0].heads[name]
        out = np.zeros((self.n, *first.shape[1:]))
        for rows in self._tethers:
            out[rows.group.index] = rows.heads[name]
        return out

    # ---- details -------------------------------------------------------------------------------------------------

    def _given_tether(self) -> Tether:
        if self.tether is None:
            raise CommandError("the vehicles of this batch are on no tethers", expected="Batch(..., tether=True)")
        return self.tether

    def _tether_parts(self, chosen: Indices) -> list[tuple[TetherRows, Indices, Any]]:
        of = {id(rows.group): rows for rows in self._tethers}
        return [(of[id(group)], local, mine) for group, local, mine in self._parts(chosen)]

    def _slip(self, chosen: Indices, *, anew: bool = False) -> None:
        """They were put elsewhere: hang their tethers before they move; `anew` with drum and ship as at first."""
        for rows, local, _ in self._tether_parts(chosen) if self._tethers else ():
            if anew:
                rows.reset(local)
            rows.hangs[local] = False

    def _hang(self) -> None:
        self._given_tether()
        if all(rows.hangs.all() for rows in self._tethers):
            return
        self._water_now()
        for rows in self._tethers:
            rows.hang(self.world, self._pool, self.threads)

    def _advance_towed(self, pool: ThreadPoolExecutor | None) -> list[bool]:
        """Vehicles and tethers through an interval; whether all steps were sound, of each group."""
        self._hang()
        split = self._n_cable, self.n_steps // self._n_cable, self.integrator
        return [rows.advance(self.interval_s, *split, pool, self.threads) for rows in self._tethers]
