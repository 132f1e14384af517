"""The vehicles of a batch, in groups of equal structure and hull: SIMD lanes, and the kernel that advances them.

Threads share the blocks of lanes. A block goes through the whole control interval before the next one starts, so that
its numbers stay in the cache. The scalar kernel advances vehicles that may touch something within the interval, because
contact divides a step into pieces; their results go back to the lanes afterwards. The other vehicles of the block are
not affected.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.batch.inputs import Indices, Where, select_vehicles
from pelagos.batch.lanes import WIDTH, Lanes
from pelagos.batch.parameters import scale_model
from pelagos.batch.workers import Workers
from pelagos.engine.contact.impulses import NOTHING
from pelagos.engine.contact.solids import detect, near_rows
from pelagos.engine.core import layout as lay
from pelagos.engine.core.lanes import aligned, to_lanes
from pelagos.engine.core.steppers import EULER
from pelagos.engine.water.sea import CONTACT, HULL, MAX_CONTACTS, SEA
from pelagos.vehicle.plant import EMPTY_SEA, SPURT, Plant
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
WORK_SIZE = lay.WORK.size
TOUCHED = lay.TOUCH.offset("obstacle")[0]
ALIVE, STEPS = lay.TALLY.offset("alive")[0], lay.TALLY.offset("steps")[0]
PIECES = 8  # of work per thread: a thread that was suspended for a while takes fewer of them
SMALLEST = 16  # blocks per thread: with fewer, starting a thread costs more than it saves
MARGIN_M = 0.1  # added to the distance a vehicle can cover before contact is searched
SETTLED_S = 1e12  # a step so long that every lag has ended


class Group:
    """Lanes of n vehicles with equal structure and hull.

    Args:
        plants: the different vehicles, at rest.
        which: index of the plant of each vehicle.
        index: number of each vehicle in the batch.
        dtype: "float64" or "float32".
    """

    def __init__(self, plants: Sequence[Plant], which: Indices, index: Indices, dtype: str) -> None:
        self.vehicles: tuple[Vehicle, ...] = tuple(plant.vehicle for plant in plants)
        first = plants[0]
        self.plants, self.which, self.index, self.n, self.dtype = tuple(plants), which, index, len(index), dtype
        self.structure, self.hull, self.kernel = first.packed.structure, first.hull, first.kernel
        self.euler_angles = first.euler_angles
        self.state, self.water, self.command, self.tally, self.surroundings = (
            Lanes(layout, self.n, dtype) for layout in (lay.STATE, lay.WATER, lay.COMMAND, lay.TALLY, lay.SURROUNDINGS)
        )
        self.changing = self.state.array, self.water.array, self.command.array, self.tally.array
        self._width = WIDTH[dtype]
        self.changes = 0  # how often parameters have changed: copies of them compare it
        self._take_models()
        self._initial_state = np.array([plant.rows.state for plant in plants])
        self._initial_command = np.array([plant.rows.command for plant in plants])
        self.water.put_rows(np.array([plant.rows.water for plant in plants])[which])
        self.set_sea(first.sea)
        self.reset(np.arange(self.n))

    def reset(self, where: Indices) -> None:
        """Put vehicles at rest at the origin, alive, actuators at initial values; keep parameters and water."""
        kind = self.which[where]
        self.state.put_rows(self._initial_state[kind], where)
        self.command.put_rows(self._initial_command[kind], where)
        self.tally.put_rows(np.array([1.0, 0.0]), where if len(where) < self.n else None)

    def put_motion(
        self,
        where: Indices,
        position_n: Any = None,
        quaternion: Any = None,
        euler: Any = None,
        nu: Any = None,
    ) -> None:
        """Write rows of motion, and clear the contacts of the former place."""
        state = self.state
        touch = np.zeros(state.fields("touch").stop - state.fields("touch").start)
        touch[TOUCHED] = NOTHING
        state.put(state.fields("touch"), touch if len(where) < self.n else np.tile(touch, (self.n, 1)), where)
        # a group has one kinematics; the other form of the attitude is converted
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

    def beyond_limits(self, actuators: str, commands: Any, where: Indices) -> NDArray[np.bool_]:
        """Return which commands, (k,) or (vehicles, k), are beyond the limits of the vehicle's file."""
        if len(self.plants) == 1:
            return self.plants[0].limits.beyond(actuators, commands)
        kind, rows = self.which[where], np.broadcast_to(commands, (len(where), np.shape(commands)[-1]))
        beyond = np.zeros(rows.shape, np.bool_)
        for i, plant in enumerate(self.plants):
            beyond[kind == i] = plant.limits.beyond(actuators, rows[kind == i])
        return beyond

    def plant_of(self, local: Indices) -> Plant:
        """Return one vehicle as a separate plant for the scalar kernel."""
        plant = copy.deepcopy(self.plants[self.which[local[0]]])
        plant.packed = dataclasses.replace(plant.packed, model=self.model_rows(local)[0])
        row, water, command = (lanes.rows(local)[0] for lanes in (self.state, self.water, self.command))
        plant.restore({**plant.save(), "state": row, "water": water, "command": command})
        plant.set_sea(self.sea)
        return plant

    def _take_models(self) -> None:
        """Take the parameters of the plants; blocks with the same sequence of plants share one record."""
        blocks = self.state.blocks
        padded = np.concatenate([self.which, np.repeat(self.which[-1:], blocks * self._width - self.n)])
        kinds = padded.reshape(blocks, self._width)
        # most batches have one pattern, and its record stays in the cache
        patterns, of = np.unique(kinds, axis=0, return_inverse=True)
        rows = np.array([plant.packed.model for plant in self.plants])
        self.models = to_lanes(rows[patterns.ravel()], np.dtype(self.dtype))
        self.model_of = np.ascontiguousarray(of.reshape(-1), dtype=np.int64)

    def model_rows(self, where: Indices) -> Array:
        """Return the parameters of single vehicles, (m, MODEL.size)."""
        block, lane = self.model_of[where // self._width], where % self._width
        return np.ascontiguousarray(self.models[block, :, lane], dtype=np.float64)

    def scaled(self, name: str, factor: Array, where: Indices) -> Array:
        """Return the parameters of single vehicles with a factor for each on one of them, for `put_models`."""
        rows = self.model_rows(where)
        for kind in np.unique(self.which[where]):
            mine = self.which[where] == kind
            part = rows[mine]
            scale_model(part, self.vehicles[kind], name, factor[mine])
            rows[mine] = part
        return rows

    def unscale(self, where: Indices) -> None:
        """Restore the parameters of the vehicle's file."""
        rows = np.array([plant.packed.model for plant in self.plants])
        self.put_models(rows[self.which[where]], where)

    def put_models(self, rows: Array, where: Indices) -> None:
        """Set the parameters of single vehicles; from then on each block has a separate record."""
        self.changes += 1
        if len(self.models) != self.state.blocks or not (np.diff(self.model_of) == 1).all():
            separate = aligned((self.state.blocks, lay.MODEL.size, self._width), np.dtype(self.dtype))
            separate[...] = self.models[self.model_of]
            self.models, self.model_of = separate, np.arange(self.state.blocks)
        self.models[where // self._width, :, where % self._width] = rows
        if len(where) and where.max() == self.n - 1:  # the unused lanes are copies of the last vehicle
            last = (self.n - 1) % self._width
            self.models[-1, :, last + 1 :] = self.models[-1, :, last : last + 1]

    def save_models(self) -> tuple[NDArray[Any], Indices] | None:
        """Return a copy of the parameters; None while they are those of the vehicles' files."""
        return (self.models.copy(), self.model_of.copy()) if self.changes else None

    def restore_models(self, saved: tuple[NDArray[Any], Indices] | None) -> None:
        """Restore parameters from `save_models`."""
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

    def set_sea(self, sea: Array) -> None:
        """Set the packed world, and note whether it has anything that the hull can touch."""
        self.sea = sea
        head, shape = sea[: SEA.size].view(SEA.dtype)[0], self.hull[: HULL.size].view(HULL.dtype)[0]
        has_obstacles = head["bottom"] > 0 or head["n_solids"] > 0
        self.can_touch = bool(has_obstacles and shape["n_forms"] + shape["n_feelers"] > 0)

    def near(self, seconds: float) -> Indices:
        """Return the vehicles that may touch something within a time, even if they gain `SPURT` of speed at once."""
        if not self.can_touch:
            return np.zeros(0, np.int64)
        position, nu = self.state.get(self.state.fields("position")), self.state.get(self.state.fields("nu", 3))
        return np.flatnonzero(self.may_touch(position, nu, seconds) & (self.alive() > 0.0))

    def may_touch(self, position: Array, nu: Array, seconds: float) -> NDArray[np.bool_]:
        """Return which positions (m, 3), with velocities over ground (m, 3), are near enough for contact."""
        margins = (np.sqrt((nu * nu).sum(axis=1)) + SPURT) * seconds + MARGIN_M
        near = np.zeros(len(position), np.bool_)
        near_rows(self.sea, self.hull, np.ascontiguousarray(position), margins, near)
        return near

    def contacts(self, position: Array, quaternion: Array) -> NDArray[Any]:
        """Return the contacts of a vehicle with a pose: records of `engine.water.sea.CONTACT`."""
        records = np.zeros((MAX_CONTACTS, CONTACT.size))
        n = detect(self.sea, self.hull, position, quaternion, 0.0, records)
        return records[:n].view(CONTACT.dtype)[:, 0]

    def alive(self) -> Array:
        """Return 1 for each vehicle that has not diverged, else 0: (n,)."""
        return self.tally.get(slice(ALIVE, ALIVE + 1))[:, 0]

    def advance(self, dt: float, n_steps: int, method: int, workers: Workers) -> bool:
        """Advance all vehicles by n_steps; return whether every step was valid. See `steps` if not."""
        near = self.near(dt * n_steps)
        rows = [lanes.rows(near) for lanes in (self.state, self.water, self.command)] if len(near) else []
        blocks = np.arange(self.state.blocks)
        if len(near):  # skip blocks in which all vehicles are near
            near_count = np.bincount(near // self._width, minlength=len(blocks))
            members = np.minimum(self._width, self.n - blocks * self._width)
            blocks = blocks[near_count < members]
        lanes = self.state.array, self.models, self.model_of, self.structure, self.water.array, self.command.array
        tally, world = self.tally.array, (self.sea, self.hull)

        def advance_part(part: Indices, work: Any) -> None:
            self.kernel.advance_blocks(part, *lanes, tally, work, *world, dt, n_steps, method)

        _share(advance_part, blocks, workers, self._lane_work)
        if len(near):
            # `rows` were copied before: the lanes advance near vehicles too, without contact, and are overwritten here
            self._advance_near(near, rows, dt, n_steps, method, workers)
        return bool((self.tally.array[:, STEPS] >= n_steps).all())

    def steps(self) -> Array:
        """Return the number of valid steps of each vehicle in the last call, (n,)."""
        return self.tally.get(slice(STEPS, STEPS + 1))[:, 0]

    def _advance_near(
        self, near: Indices, rows: list[Any], dt: float, n_steps: int, method: int, workers: Workers
    ) -> None:
        """Advance single vehicles by the scalar kernel with contact."""
        state, water, command = rows
        models, done = self.model_rows(near), np.zeros(len(near), np.int64)
        numbers = np.arange(len(near))

        def advance_part(part: Indices, work: Any) -> None:
            a, b = int(part[0]), int(part[-1]) + 1
            self.kernel.advance_rows(
                state[a:b], models, numbers[a:b], self.structure, water[a:b], command[a:b], work, self.sea, self.hull,
                dt, n_steps, method, True, done[a:b],
            )  # fmt: skip

        _share(advance_part, numbers, workers, lambda: aligned((WORK_SIZE,)))
        self.state.put_rows(state, near)
        self.tally.put_rows(np.stack([np.where(done == n_steps, 1.0, 0.0), done.astype(float)], axis=1), near)

    def _lane_work(self) -> Any:
        return aligned((WORK_SIZE, self._width), np.dtype(self.dtype))

    def evaluate(self) -> None:
        """Update `surroundings`: velocity through the water, current, free surface, seabed."""
        lanes = self.state.array, self.models, self.model_of, self.structure, self.water.array, self.command.array
        self.kernel.sample_surroundings(*lanes, self._lane_work(), self.sea, self.hull, self.surroundings.array)

    def acceleration(self) -> Array:
        """Return nu_dot now, (n, 6), from an Euler step of zero length on a copy of the state."""
        # a shallow copy with another array: layout and slices are shared
        state, tally = copy.copy(self.state), self.tally.array.copy()
        state.array = aligned(self.state.array.shape, self.state.array.dtype)
        state.array[...] = self.state.array
        self.kernel.advance_blocks(
            np.arange(state.blocks), state.array, self.models, self.model_of, self.structure, self.water.array,
            self.command.array, tally, self._lane_work(), self.sea, self.hull, 0.0, 1, EULER,
        )  # fmt: skip
        return state.get(state.fields("nu_dot"))

    def settle_actuators(self, where: Indices, method: int) -> None:
        """Move actuators to their steady states: the kernel runs lag and dead band to the end with the body held."""
        held = self.model_rows(where)
        record = held.view(lay.MODEL.dtype)[:, 0]
        record["free"], record["mass_inverse"] = 0.0, 0.0  # no force accelerates the body
        state, done = self.state.rows(where), np.zeros(len(where), np.int64)
        state[:, self.state.fields("nu")] = 0.0
        self.kernel.advance_rows(
            state, held, np.arange(len(where)), self.structure, self.water.rows(where), self.command.rows(where),
            aligned((WORK_SIZE,)), EMPTY_SEA, self.hull, SETTLED_S, 1, method, None, done,
        )  # fmt: skip
        fields = self.state.fields("actuators")
        self.state.put(fields, state[:, fields], where)


class Groups:
    """All vehicles of a batch, in groups; values go in and out as rows in the order of the batch.

    Args:
        plants: the different vehicles, at rest.
        kind: index of the plant of each vehicle.
        dtype: "float64" or "float32".
    """

    def __init__(self, plants: Sequence[Plant], kind: Indices, dtype: str) -> None:
        self.n, self.vehicles = len(kind), tuple(plant.vehicle for plant in plants)
        self._groups = _make_groups(plants, kind, dtype)
        self._group_of, self._local = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        for k, group in enumerate(self._groups):
            self._group_of[group.index], self._local[group.index] = k, np.arange(group.n)
        # what a saved batch keeps; the parameters are saved apart, only if they are not those of the files
        self.changing = tuple(array for group in self._groups for array in group.changing)
        self.version = 0  # counts changes of motion, water or parameters: what was evaluated before is outdated

    def __iter__(self) -> Iterator[Group]:
        return iter(self._groups)

    def __getitem__(self, k: int) -> Group:
        return self._groups[k]

    def mark_changed(self) -> None:
        """Count a change of the lanes; every method outside this class that writes to them calls this."""
        self.version += 1

    def select(self, where: Where) -> Indices:
        """Return the numbers of vehicles from a mask, from numbers, or of all from None."""
        return select_vehicles(where, self.n)

    def split(self, chosen: Indices) -> list[tuple[Group, Indices, Any]]:
        """Split chosen vehicles by group: the group, their numbers in it, and their places in `chosen`."""
        if len(self._groups) == 1:
            return [(self._groups[0], chosen, slice(None))] if len(chosen) else []
        of = self._group_of[chosen]
        members = [(group, np.flatnonzero(of == k)) for k, group in enumerate(self._groups)]
        return [(group, self._local[chosen[mine]], mine) for group, mine in members if len(mine)]

    def collect(self, record: str, path: str, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return a field of a record ("state", "surroundings", ...): (n, k), or (n,) for a single number."""
        first = getattr(self._groups[0], record)
        fields = first.fields(path)
        single = fields.stop - fields.start == 1
        if out is None:
            out = np.zeros((self.n,) if single else (self.n, fields.stop - fields.start))
        rows = out.reshape(self.n, -1) if single else out
        for group in self._groups:
            lanes = getattr(group, record)
            if group.n == self.n:  # a single group is in the order of the batch: no copy
                lanes.get(fields, rows)
            else:
                rows[group.index] = lanes.get(fields)
        return out

    def collect_actuators(self, record: str, name: str) -> Array:
        """Return "thrusters", "surfaces" or "ballast" of "state" or "command": (n, most of them on a vehicle)."""
        out = np.zeros((self.n, max(len(getattr(vehicle, name)) for vehicle in self.vehicles)))
        for group in self._groups:
            lanes, k = getattr(group, record), len(getattr(group.vehicles[0], name))
            out[group.index, :k] = lanes.get(lanes.fields(f"actuators.{name.rstrip('s')}", k))  # the others stay 0
        return out

    def quaternions(self) -> Array:
        """Return attitudes as unit quaternions, scalar first: (n, 4)."""
        out = self.collect("state", "attitude")
        for group in self._groups:
            if group.euler_angles:
                roll, pitch, yaw = out[group.index, :3].T
                out[group.index] = frames.quaternion_from_euler(roll, pitch, yaw)
        return out

    def advance(self, dt: float, n_steps: int, method: int, workers: Workers) -> bool:
        """Advance all vehicles by n_steps; return whether every step was valid."""
        valid = [group.advance(dt, n_steps, method, workers) for group in self._groups]
        return all(valid)

    def plant_of(self, index: int) -> Plant:
        """Return one vehicle as a separate plant."""
        return self._groups[self._group_of[index]].plant_of(self._local[index : index + 1])


def _make_groups(plants: Sequence[Plant], kind: Indices, dtype: str) -> tuple[Group, ...]:
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
    return tuple(groups)


def _share(
    advance: Callable[[Indices, Any], None], items: Indices, workers: Workers, make_work: Callable[[], Any]
) -> None:
    """Divide items into small pieces; each goes to the thread that is free first."""
    if not len(items):
        return
    count = workers.count(len(items), SMALLEST)
    if count == 1:
        advance(items, make_work())
        return
    pieces = deque(np.array_split(items, min(PIECES * count, len(items) // SMALLEST)))

    def work_off() -> None:
        work = make_work()  # scratch memory of this thread
        while True:
            try:
                piece = pieces.popleft()  # atomic: a deque needs no lock
            except IndexError:  # nothing is left
                return
            advance(piece, work)

    workers.run([work_off] * count)
