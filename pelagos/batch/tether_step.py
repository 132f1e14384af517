"""Some vehicles and their tethers through an interval: what `vehicle/towed.py` does with one, row by row.

The cables make a step, foreseeing where the fairleads will be; the vehicles move under pull and end stiffness, in as
many steps as that asks of each; the cables follow. The vehicles go through the scalar kernel: a step of a cable costs
many times one of a vehicle, so that lanes would hardly show, and each vehicle does what it does in a `Simulation`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos import frames
from pelagos.batch.group import WORK_SIZE, Group, Indices
from pelagos.engine import layout as lay
from pelagos.engine.integrate import METHODS
from pelagos.engine.lanes import aligned
from pelagos.engine.line import CHAIN, N_CHAIN, N_NODE, scratch_size
from pelagos.engine.tow import follow_lines, step_lines
from pelagos.vehicle.towed import MOST_STEPS, Met, fairleads, put_pull, steps_wanted

Array = NDArray[np.float64]
TIME, WATER_TIME = lay.STATE.offset("time")[0], lay.WATER.offset("time")[0]
STATE_RECORD, COMMAND_RECORD, HEAD_RECORD = lay.STATE.dtype, lay.COMMAND.dtype, CHAIN.dtype
FLOW = slice(lay.WATER.offset("current")[0], lay.WATER.offset("current")[0] + 3)
FLOW_RATE = slice(lay.WATER.offset("current_dot")[0], lay.WATER.offset("current_dot")[0] + 3)
FLOWS = slice(FLOW.start, FLOW_RATE.stop)  # both: what a tether is told of the water


class Some:
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

    def part(self, which: Any) -> Some:
        """Copies of some of them."""
        rows = self.state[which], self.water[which], self.command[which]
        return Some(self.at[which], *rows, self.lightest_kg[which], self.most_n[which])

    def take(self, other: Some, which: Any) -> None:
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
        self._met: dict[int, Met] = {}

    def run(self, all_: Some, which: Indices, n_cable: int, steps: Array) -> None:
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
            put_pull(some.pull, heads, heads["end"], dt, some.most_n)
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
            put_pull(some.pull, self._heads(some.at), ends, 0.0, some.most_n)
        for j in np.flatnonzero(np.isin(some.at, list(self._met))).tolist():
            met = self._met[int(some.at[j])]
            met.calls = n_cable
            met.write(some.motion["touch"][j])
        all_.take(some, which)

    def _heads(self, at: Indices) -> Any:
        """Copies of the records of CHAIN."""
        return self._chains[at, :N_CHAIN].view(HEAD_RECORD)[:, 0]

    def _steps_for(self, some: Some, heads: Any) -> Indices:
        """Steps of each vehicle in this one of its cable, as `towed.steps_for` has it."""
        wanted = steps_wanted(heads["end_stiffness"], some.lightest_kg, self._dt, self._method)
        wanted = np.where(wanted >= 0.0, wanted, 0.0)  # no number: the vehicle will tell by diverging
        beyond = wanted > MOST_STEPS
        if beyond.any():
            some.pull["stiffness"][beyond] *= (MOST_STEPS / wanted[beyond])[:, np.newaxis]
        return np.clip(np.ceil(wanted), self._n_steps, max(MOST_STEPS, self._n_steps)).astype(np.int64)

    def _move(self, some: Some, n: Indices) -> Indices:
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
            self._met.setdefault(int(some.at[j]), Met()).take(motion["touch"][j])
        return done

    def _kernel(self, some: Some, done: Indices, count: int, obstacles: bool | None) -> None:
        group = self._group
        group.kernel.advance_rows(
            some.state, self._models, self._model_of[some.at], group.structure, some.water, some.command, self._work,
            group.sea, group.hull, self._dt / count, count, METHODS[self._method], obstacles, done,
        )  # fmt: skip
