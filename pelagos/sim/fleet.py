"""Several vehicles in one world, in step, each with its own controller; they meet as solid bodies.

After each control interval the hulls (the convex forms that contact uses) of vehicles near each other are compared.
Where two overlap or touch and close in on each other an impulse along the normal n stops them: with J the row that
takes the velocities of a vehicle to that of the touching point along n, and M its mass matrix with the added mass,

    p = -(1 + e) v_n / (J1 M1^-1 J1^T + J2 M2^-1 J2^T),    nu_i += +- M_i^-1 J_i^T p,    e = 0.1

(impulses: Mirtich & Canny, 1995). Momentum is kept; hulls that overlap are moved apart by half the depth each. Friction
between vehicles is left out, as is the water that flows between them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.convex import separation
from pelagos.engine.sea import FORM, HULL
from pelagos.engine.shapes import SHAPE
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_quaternion
from pelagos.messages import Event
from pelagos.sim.log import Log
from pelagos.sim.loop import Task, run_together
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
RESTITUTION = 0.1
AGAIN_S = 2.0  # a touch that comes so soon after the last is the same collision


class Fleet:
    """Simulations that share a world.

    Args:
        sims: one a vehicle, with names of their own.
    """

    def __init__(self, sims: Sequence[Simulation]) -> None:
        if not sims:
            raise CommandError("a fleet has no vehicle; expected at least one Simulation")
        self.sims = tuple(sims)
        names = [sim.name for sim in sims]
        for name in names:
            if names.count(name) > 1:
                raise CommandError(f"two vehicles are called {name!r}; expected names of their own: name=...")
        self._bodies = [_forms(sim.plant) for sim in sims]
        self._last: dict[tuple[int, int], float] = {}
        self.collisions: list[Event] = []

    def tick(self) -> None:
        """One control interval of all."""
        for sim in self.sims:
            sim.tick()
        self.collide()

    def run(
        self,
        seconds: float,
        *,
        paths: Sequence[str | os.PathLike[str] | None] | None = None,
        progress: Callable[[float], None] | None = None,
        log_rate_hz: float | None = None,
        forces: bool | None = None,
        until: Callable[[Fleet], bool] | None = None,
        speed: float | None = None,
    ) -> dict[str, Log]:
        """Run all on for some seconds; see `Simulation.run`. The logs by the names of the vehicles."""
        where = paths if paths is not None else [None] * len(self.sims)
        tasks = [
            Task(sim, path=path, log_rate_hz=log_rate_hz, forces=forces)
            for sim, path in zip(self.sims, where, strict=True)
        ]
        stop = None if until is None else (lambda: until(self))
        logs = run_together(tasks, seconds, progress=progress, until=stop, each=self.collide, speed=speed)
        return dict(zip((sim.name for sim in self.sims), logs, strict=True))

    def collide(self) -> None:
        """Let vehicles that touch bounce off each other, and tell of it."""
        for i, k in combinations(range(len(self.sims)), 2):
            a, b = self.sims[i].plant, self.sims[k].plant
            reach = self._bodies[i][1] + self._bodies[k][1]
            if float(np.sum((a.position_n - b.position_n) ** 2)) < reach * reach:
                met = _deepest(a, self._bodies[i][0], b, self._bodies[k][0])
                if met is not None:
                    self._meet(i, k, *met)

    def _meet(self, i: int, k: int, gap: float, normal: Array, point: Array) -> None:
        """Stop two vehicles on each other; `normal` points from the second to the first."""
        one, two = self.sims[i], self.sims[k]
        j1, j2 = _row(one.plant, normal, point), _row(two.plant, normal, point)
        closing = float(j1 @ one.plant.nu - j2 @ two.plant.nu)
        m1, m2 = _answer(one.plant, j1), _answer(two.plant, j2)
        give = float(j1 @ m1 + j2 @ m2)
        if closing < 0.0 and give > 0.0:
            impulse = -(1.0 + RESTITUTION) * closing / give
            one.plant.nu[:] += impulse * m1
            two.plant.nu[:] -= impulse * m2
        for sim, side in ((one, 1.0), (two, -1.0)):
            sim.plant.position_n[:] += side * 0.5 * max(-gap, 0.0) * normal
            sim.moved()
        now = one.time_s
        if closing < 0.0 and now - self._last.get((i, k), -math.inf) > AGAIN_S:
            for sim, other in ((one, two), (two, one)):
                text = f"{sim.name} ran into {other.name} at {-closing:.2g} m/s"
                event = Event(now, "collision", text, sim.name)
                sim.events.append(event)
                if sim is one:
                    self.collisions.append(event)
        self._last[i, k] = now


def _forms(plant: Plant) -> tuple[Array, float]:
    """The convex forms of a hull, body axes, and the radius about O that holds them all."""
    head = plant.hull[: HULL.size].view(HULL.dtype)[0]
    first, n = int(head["forms_at"]), int(head["n_forms"])
    return plant.hull[first : first + n * FORM.size].reshape(n, FORM.size), float(head["reach"])


def _placed(plant: Plant, forms: Array) -> Array:
    """Forms of a hull where they are now, NED: rows as the engine's `shapes` read them."""
    R = rotation_from_quaternion(plant.quaternion)
    rows = forms[:, :SHAPE].copy()
    rows[:, 1:4] = forms[:, 1:4] @ R.T + plant.position_n
    rows[:, 4:13] = (R @ forms[:, 4:13].reshape(-1, 3, 3)).reshape(-1, 9)
    return rows


def _deepest(a: Plant, forms_a: Array, b: Plant, forms_b: Array) -> tuple[float, Array, Array] | None:
    """Gap, normal from b to a and touching point of the pair of forms that overlaps most; None if none touches."""
    work, best = np.empty((13, 4)), np.empty(6)
    worst: tuple[float, Array, Array] | None = None
    for one in _placed(a, forms_a):
        for two in _placed(b, forms_b):
            gap = float(separation(one, two, 0.0, work, best))
            if gap <= 0.0 and (worst is None or gap < worst[0]):
                worst = (gap, best[:3].copy(), best[3:].copy())
    return worst


def _row(plant: Plant, normal: Array, point: Array) -> Array:
    """J: takes nu to the velocity of a point of the body along a direction, both NED."""
    R = rotation_from_quaternion(plant.quaternion)
    n, r = R.T @ normal, R.T @ (point - plant.position_n)
    return np.concatenate([n, np.cross(r, n)])


def _answer(plant: Plant, row: Array) -> Array:
    """M^-1 J^T on the free axes: the change of nu for a unit impulse."""
    free = np.array(plant.vehicle.free)
    answer = np.zeros(6)
    inner: Any = plant.packed.mass_matrix[np.ix_(free, free)]
    answer[free] = np.linalg.solve(inner, row[free])
    return answer
