"""Vehicles of one structure and one hull in one sea: their lanes, and the kernel that advances them.

Blocks are shared among threads; a block is advanced through the whole control interval before the next, so that its
numbers stay in the cache. A vehicle that may touch something within the interval is taken out of its block and
advanced by the scalar kernel, in the pieces that contact needs: what its neighbours do is the same with and without it.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos import frames
from pelagos.batch.lanes import WIDTH, Lanes
from pelagos.batch.parameters import scale_model
from pelagos.engine.contact.impulses import NOTHING
from pelagos.engine.contact.solids import detect, near_rows
from pelagos.engine.core import layout as lay
from pelagos.engine.core.lanes import aligned, to_lanes
from pelagos.engine.core.steppers import EULER
from pelagos.engine.water.sea import CONTACT, HULL, MAX_CONTACTS, SEA
from pelagos.vehicle.plant import EMPTY_SEA, SPURT, Plant
from pelagos.vehicle.spec import Vehicle

Indices = NDArray[np.int64]
WORK_SIZE = lay.WORK.size
ALIVE, STEPS = lay.TALLY.offset("alive")[0], lay.TALLY.offset("steps")[0]
PIECES = 8  # a thread: one that is held up for a while has less to do in the end
SMALLEST = 16  # blocks a thread: below that, handing over costs more than it brings


class Group:
    """Lanes of n vehicles that share Structure and hull; `index` are their numbers in the batch."""

    def __init__(self, plants: Sequence[Plant], which: Indices, index: Indices, dtype: str) -> None:
        """`plants` are the different vehicles, at rest; which[i] is that of vehicle i."""
        self.vehicles: tuple[Vehicle, ...] = tuple(plant.vehicle for plant in plants)
        first = plants[0]
        self.plants, self.which, self.index, self.n, self.dtype = tuple(plants), which, index, len(index), dtype
        self.structure, self.hull, self.kernel = first.packed.structure, first.hull, first.kernel
        self.euler_angles = first.euler_angles
        self.state, self.water, self.command, self.tally, self.sight = (
            Lanes(layout, self.n, dtype) for layout in (lay.STATE, lay.WATER, lay.COMMAND, lay.TALLY, lay.SURROUNDINGS)
        )
        self._width = WIDTH[dtype]
        self._works: list[Any] = []
        self.changes = 0  # of parameters, so far
        self._take_models()
        rows = np.array([plant.rows.state for plant in plants]), np.array([plant.rows.water for plant in plants])
        self._rest, self._still = rows
        self._told = np.array([plant.rows.command for plant in plants])
        self.water.put_rows(self._still[which])
        self.set_sea(first.sea)
        self.reset(np.arange(self.n))

    def reset(self, where: Indices) -> None:
        """At rest at the origin, alive, actuators at their initial values; parameters and water stay."""
        kind = self.which[where]
        self.state.put_rows(self._rest[kind], where)
        self.command.put_rows(self._told[kind], where)
        self.tally.put_rows(np.array([1.0, 0.0]), where if len(where) < self.n else None)

    def put_motion(
        self,
        where: Indices,
        position_n: Any = None,
        quaternion: Any = None,
        euler: Any = None,
        nu: Any = None,
    ) -> None:
        """Rows of the chosen; what was met at another place is not met here."""
        state = self.state
        touch = np.zeros(state.fields("touch").stop - state.fields("touch").start)
        touch[-1] = NOTHING
        state.put(state.fields("touch"), touch if len(where) < self.n else np.tile(touch, (self.n, 1)), where)
        if quaternion is not None and self.euler_angles:
            euler = frames.euler_from_quaternion(quaternion)
        elif euler is not None and not self.euler_angles:
            quaternion = frames.quaternion_from_euler(euler[:, 0], euler[:, 1], euler[:, 2])
        attitude = euler if self.euler_angles else quaternion
        if attitude is not None:
            state.put(state.fields("attitude", attitude.shape[1]), attitude, where)
        if position_n is not None:
            state.put(state.fields("position"), position_n, where)
        if nu is not None:
            state.put(state.fields("nu"), nu, where)

    def beyond_limits(self, actuators: str, demands: Any, where: Indices) -> NDArray[np.bool_]:
        """Which demands, (k,) or (vehicles, k), are beyond the limits of the vehicle's file."""
        if len(self.plants) == 1:
            return self.plants[0].limits.beyond(actuators, demands)
        kind, rows = self.which[where], np.broadcast_to(demands, (len(where), np.shape(demands)[-1]))
        beyond = np.zeros(rows.shape, np.bool_)
        for i, plant in enumerate(self.plants):
            beyond[kind == i] = plant.limits.beyond(actuators, rows[kind == i])
        return beyond

    def plant_of(self, local: Indices) -> Plant:
        """One vehicle as the scalar kernel has it: a plant of its own with its numbers."""
        plant = copy.deepcopy(self.plants[self.which[local[0]]])
        plant.packed = dataclasses.replace(plant.packed, model=self.model_rows(local)[0])
        row, water, command = (lanes.rows(local)[0] for lanes in (self.state, self.water, self.command))
        plant.restore({**plant.save(), "state": row, "water": water, "command": command})
        return plant

    # ---- parameters ----------------------------------------------------------------------------------------------

    def _take_models(self) -> None:
        """Blocks whose vehicles are all alike share one record in the lanes."""
        blocks = self.state.blocks
        padded = np.concatenate([self.which, np.repeat(self.which[-1:], blocks * self._width - self.n)])
        kinds = padded.reshape(blocks, self._width)
        patterns, of = np.unique(kinds, axis=0, return_inverse=True)
        rows = np.array([plant.packed.model for plant in self.plants])
        self.models = to_lanes(rows[patterns.ravel()], np.dtype(self.dtype))
        self.model_of = np.ascontiguousarray(of.reshape(-1), dtype=np.int64)

    def model_rows(self, where: Indices) -> NDArray[np.float64]:
        """Parameters of single vehicles, (m, MODEL.size)."""
        block, lane = self.model_of[where // self._width], where % self._width
        return np.ascontiguousarray(self.models[block, :, lane], dtype=np.float64)

    def scaled(self, name: str, factors: ArrayLike, where: Indices) -> NDArray[np.float64]:
        """Parameters of single vehicles with factors on one of them, for `put_models`."""
        given = np.broadcast_to(np.asarray(factors, dtype=np.float64), (len(where),))
        rows = self.model_rows(where)
        for kind in np.unique(self.which[where]):
            mine = self.which[where] == kind
            part = rows[mine]
            scale_model(part, self.vehicles[kind], name, given[mine])
            rows[mine] = part
        return rows

    def unscale(self, where: Indices) -> None:
        """The parameters of the vehicle's file again."""
        rows = np.array([plant.packed.model for plant in self.plants])
        self.put_models(rows[self.which[where]], where)

    def put_models(self, rows: NDArray[np.float64], where: Indices) -> None:
        """Parameters of single vehicles; from then on every block has a record of its own."""
        self.changes += 1
        if len(self.models) != self.state.blocks or not (np.diff(self.model_of) == 1).all():
            own = aligned((self.state.blocks, lay.MODEL.size, self._width), np.dtype(self.dtype))
            own[...] = self.models[self.model_of]
            self.models, self.model_of = own, np.arange(self.state.blocks)
        self.models[where // self._width, :, where % self._width] = rows
        if len(where) and where.max() == self.n - 1:
            last = (self.n - 1) % self._width
            self.models[-1, :, last + 1 :] = self.models[-1, :, last : last + 1]

    def save_models(self) -> tuple[NDArray[Any], Indices] | None:
        """The parameters; None while they are those of the vehicles' files."""
        return (self.models.copy(), self.model_of.copy()) if self.changes else None

    def restore_models(self, saved: tuple[NDArray[Any], Indices] | None) -> None:
        """Those that were saved."""
        if saved is None and not self.changes:
            return
        self.changes += 1
        if saved is None:
            self._take_models()
            return
        models, model_of = saved
        self.models = aligned(models.shape, models.dtype)
        self.models[...] = models
        self.model_of = model_of.copy()

    # ---- the sea -------------------------------------------------------------------------------------------------

    def set_sea(self, sea: NDArray[np.float64]) -> None:
        """Change the world."""
        self.sea = sea
        head, shape = sea[: SEA.size].view(SEA.dtype)[0], self.hull[: HULL.size].view(HULL.dtype)[0]
        there = head["bottom"] > 0 or head["n_solids"] > 0
        self.can_touch = bool(there and shape["n_forms"] + shape["n_feelers"] > 0)

    def near(self, seconds: float) -> Indices:
        """Those that may touch something within so many seconds: nothing they could reach at SPURT more is left out."""
        if not self.can_touch:
            return np.zeros(0, np.int64)
        place, nu = self.state.get(self.state.fields("position")), self.state.get(self.state.fields("nu", 3))
        return np.flatnonzero(self.may_touch(place, nu, seconds) & (self.alive() > 0.0))

    def may_touch(self, place: NDArray[np.float64], nu: NDArray[np.float64], seconds: float) -> NDArray[np.bool_]:
        """Which of these places (m, 3), with these velocities over ground (m, 3), are so near."""
        margins = (np.sqrt((nu * nu).sum(axis=1)) + SPURT) * seconds + 0.1
        found = np.zeros(len(place), np.bool_)
        near_rows(self.sea, self.hull, np.ascontiguousarray(place), margins, found)
        return found

    def contacts(self, place: NDArray[np.float64], quaternion: NDArray[np.float64]) -> NDArray[Any]:
        """What a vehicle there touches: records of `engine.water.sea.CONTACT`."""
        found = np.zeros((MAX_CONTACTS, CONTACT.size))
        n = detect(self.sea, self.hull, place, quaternion, 0.0, found)
        return found[:n].view(CONTACT.dtype)[:, 0]

    # ---- motion --------------------------------------------------------------------------------------------------

    def alive(self) -> NDArray[np.float64]:
        """1 for each vehicle that has not diverged, else 0."""
        return self.tally.get(slice(ALIVE, ALIVE + 1))[:, 0]

    def advance(self, dt: float, n_steps: int, method: int, pool: ThreadPoolExecutor | None, threads: int) -> bool:
        """Advance all by n_steps; whether every step was sound. See `steps` if not."""
        near = self.near(dt * n_steps)
        rows = [lanes.rows(near) for lanes in (self.state, self.water, self.command)] if len(near) else []
        blocks = np.arange(self.state.blocks)
        if len(near):  # a block whose every vehicle is near has nothing to do
            held = np.bincount(near // self._width, minlength=len(blocks))
            room = np.minimum(self._width, self.n - blocks * self._width)
            blocks = blocks[held < room]
        lanes = self.state.array, self.models, self.model_of, self.structure, self.water.array, self.command.array
        tally, world = self.tally.array, (self.sea, self.hull)

        def part(of: Indices, work: Any) -> None:
            self.kernel.advance_blocks(of, *lanes, tally, work, *world, dt, n_steps, method)

        self._share(part, blocks, pool, threads, self._lane_work)
        if len(near):
            self._near(near, rows, dt, n_steps, method, pool, threads)
        return bool((self.tally.array[:, STEPS] >= n_steps).all())

    def steps(self) -> NDArray[np.float64]:
        """Sound steps of each in the last call, (n,)."""
        return self.tally.get(slice(STEPS, STEPS + 1))[:, 0]

    def _near(
        self, near: Indices, rows: list[Any], dt: float, n_steps: int, method: int, pool: Any, threads: int
    ) -> None:
        """The scalar kernel with contact, for single vehicles."""
        state, water, command = rows
        models, done = self.model_rows(near), np.zeros(len(near), np.int64)
        of = np.arange(len(near))

        def part(own: Indices, work: Any) -> None:
            a, b = int(own[0]), int(own[-1]) + 1
            self.kernel.advance_rows(
                state[a:b], models, of[a:b], self.structure, water[a:b], command[a:b], work, self.sea, self.hull,
                dt, n_steps, method, True, done[a:b],
            )  # fmt: skip

        self._share(part, of, pool, threads, lambda: aligned((WORK_SIZE,)))
        self.state.put_rows(state, near)
        self.tally.put_rows(np.stack([np.where(done == n_steps, 1.0, 0.0), done.astype(float)], axis=1), near)

    def _lane_work(self) -> Any:
        return aligned((WORK_SIZE, self._width), np.dtype(self.dtype))

    def _share(
        self, part: Callable[[Indices, Any], None], items: Indices, pool: ThreadPoolExecutor | None, threads: int,
        work: Callable[[], Any],
    ) -> None:  # fmt: skip
        """Items in small pieces, each for the thread that is free first, this one among them."""
        if not len(items):
            return
        count = max(1, min(threads, len(items) // SMALLEST)) if pool is not None else 1
        if pool is None or count == 1:
            part(items, work())
            return
        pieces = deque(np.array_split(items, min(PIECES * count, len(items) // SMALLEST)))

        def hand_out() -> None:
            own = work()
            while True:
                try:
                    piece = pieces.popleft()
                except IndexError:  # nothing is left
                    return
                part(piece, own)

        waiting = [pool.submit(hand_out) for _ in range(count - 1)]
        try:
            hand_out()
        finally:  # whatever happens here, nobody writes to the lanes when this returns
            for other in waiting:
                other.result()

    def evaluate(self) -> None:
        """Bring `sight` up to date: velocity through the water, current, surface, bottom."""
        lanes = self.state.array, self.models, self.model_of, self.structure, self.water.array, self.command.array
        self.kernel.sample_surroundings(*lanes, self._lane_work(), self.sea, self.hull, self.sight.array)

    def acceleration(self) -> NDArray[np.float64]:
        """nu_dot now, (n, 6): what a step of no length of a copy begins with."""
        state, tally = copy.copy(self.state), self.tally.array.copy()
        state.array = aligned(self.state.array.shape, self.state.array.dtype)
        state.array[...] = self.state.array
        self.kernel.advance_blocks(
            np.arange(state.blocks), state.array, self.models, self.model_of, self.structure, self.water.array,
            self.command.array, tally, self._lane_work(), self.sea, self.hull, 0.0, 1, EULER,
        )  # fmt: skip
        return state.get(state.fields("nu_dot"))

    def settle_actuators(self, where: Indices, method: int) -> None:
        """Put actuators where they tend to: the kernel's own lag and dead band, run to the end with the body held."""
        held = self.model_rows(where)
        record = held.view(lay.MODEL.dtype)[:, 0]
        record["free"], record["mass_inverse"] = 0.0, 0.0
        state, done = self.state.rows(where), np.zeros(len(where), np.int64)
        state[:, self.state.fields("nu")] = 0.0
        self.kernel.advance_rows(
            state, held, np.arange(len(where)), self.structure, self.water.rows(where), self.command.rows(where),
            aligned((WORK_SIZE,)), EMPTY_SEA, self.hull, 1e12, 1, method, None, done,
        )  # fmt: skip
        fields = self.state.fields("actuators")
        self.state.put(fields, state[:, fields], where)
