"""Tethers of the vehicles of one group: rows of the engine's records, hung, advanced in threads, told of."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.group import Group, Indices
from pelagos.batch.tether_step import FLOW, FLOW_RATE, HEAD_RECORD, TIME, Coupling, Some
from pelagos.engine import layout as lay
from pelagos.engine.line import N_CHAIN
from pelagos.errors import CommandError, PelagosError
from pelagos.sim.towing import hang
from pelagos.tether.line import Line
from pelagos.vehicle.pack import lightest_at
from pelagos.vehicle.towed import most_pull, put_pull
from pelagos.world.spec import World

Array = NDArray[np.float64]
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
        self._most_n = np.array([most_pull(line) for line in kinds])[group.which]
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
        put_pull(some.pull, self.heads[where], ends, 0.0, some.most_n)
        self._put_pull(some)
        self.hangs[where] = True

    def _hang_one(self, line: Line, some: Some, j: int, end_n: Array, world: World) -> None:
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

    def _some(self, where: Indices) -> Some:
        group = self.group
        state, water, command = (lanes.rows(where) for lanes in (group.state, group.water, group.command))
        return Some(where, state, water, command, self._lightest_kg[where], self._most_n[where])

    def _put_pull(self, some: Some) -> None:
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
