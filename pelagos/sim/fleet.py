"""Several vehicles in one world, in step, each with its own controller; they meet as solid bodies.

After each control interval the way of every two vehicles near each other is gone through for the first touch of their
hulls (the convex forms that contact uses; see `meeting`). There an impulse along the normal n stops them: with J the
row that takes the velocities of a vehicle to that of the touching point along n, and M its mass matrix with the added
mass,

    p = -(1 + e) v_n / (J1 M1^-1 J1^T + J2 M2^-1 J2^T),    nu_i += +- M_i^-1 J_i^T p,    e = 0.1

(impulses: Mirtich & Canny, 1995). Momentum is kept; the rest of the interval is gone with the new velocities. The
record of what a vehicle touched gets the mean force, p / interval. Friction between vehicles is left out, as is the
water that flows between them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.sim.hull_collision import (
    SKIN_M,
    HullBody,
    Pose,
    Touch,
    answer,
    first_touch,
    may_touch,
    move,
    nearest,
    row,
    velocity_n,
)
from pelagos.sim.log.log import Log
from pelagos.sim.loop import RunRecorder, run_together
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
RESTITUTION = 0.1
VEHICLE = -3.0  # what was touched, in the log: another vehicle
ROUNDS = 8  # touches of one pair within an interval
PASSES = 4  # over all pairs
AGAIN_S = 2.0  # a touch that comes so soon after the last is the same collision


class Fleet:
    """Simulations that share a world; they see each other by sonar, and share contacts.

    Args:
        sims: one a vehicle, with names of their own.
    """

    def __init__(self, sims: Sequence[Simulation]) -> None:
        if not sims:
            raise CommandError("a fleet has no vehicle", expected="at least one Simulation")
        self.sims = tuple(sims)
        names = [sim.name for sim in sims]
        for name in names:
            if names.count(name) > 1:
                raise CommandError(f"two vehicles are called {name!r}", expected="names of their own: name=...")
        for sim in self.sims:
            sim.contacts = self.sims[0].contacts
            sim.others = tuple(other for other in self.sims if other is not sim)
        self._bodies = [HullBody.of(sim.plant) for sim in sims]
        self._begun = False
        self._before: list[Pose] = []  # where each was after the last interval
        self._noted_s: list[float] = []
        self._last: dict[tuple[int, int], float] = {}
        self.collisions: list[Event] = []

    def tick(self) -> None:
        """One control interval of all."""
        self.begin()
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
            RunRecorder(sim, path=path, log_rate_hz=log_rate_hz, forces=forces)
            for sim, path in zip(self.sims, where, strict=True)
        ]
        self.begin()
        stop = None if until is None else (lambda: until(self))
        logs = run_together(tasks, seconds, progress=progress, until=stop, each=self.collide, speed=speed)
        return dict(zip((sim.name for sim in self.sims), logs, strict=True))

    def begin(self) -> None:
        """Note where all are before a run; refuse vehicles that stand in each other, once."""
        if not self._begun:
            for i, k in combinations(range(len(self.sims)), 2):
                one, two = self.sims[i], self.sims[k]
                touch = nearest(self._bodies[i], Pose.of(one.plant), self._bodies[k], Pose.of(two.plant))
                if touch is not None and touch.gap < -SKIN_M:
                    raise CommandError(
                        f"{one.name} and {two.name} overlap by {-touch.gap:.2g} m at the start", expected="them apart"
                    )
        self._begun = True
        self._before = [Pose.of(sim.plant) for sim in self.sims]
        self._noted_s = [sim.time_s for sim in self.sims]

    def collide(self) -> None:
        """Let vehicles that met during the last interval bounce off each other, and tell of it."""
        if len(self.sims) < 2:
            return
        now = [Pose.of(sim.plant) for sim in self.sims]
        before = list(now)  # nothing is known of the way of one that was put here
        for i, sim in enumerate(self.sims):
            if self._before and abs(sim.time_s - self._noted_s[i] - sim.interval_s) < 1e-9:
                before[i] = self._before[i]
        for _ in range(PASSES):  # what stops one may push it into a third
            met = [self._pair(i, k, before) for i, k in combinations(range(len(self.sims)), 2)]
            if len(self.sims) < 3 or not any(met):
                break
        self._before = [Pose.of(sim.plant) for sim in self.sims]
        self._noted_s = [sim.time_s for sim in self.sims]

    def _pair(self, i: int, k: int, before: list[Pose]) -> bool:
        """Two vehicles over the last interval; whether they met."""
        one, two, a, b = self.sims[i].plant, self.sims[k].plant, self._bodies[i], self._bodies[k]
        start, end = (before[i], before[k]), (Pose.of(one), Pose.of(two))
        if not may_touch(a, b, start, end):
            return False
        left, met = 1.0, False
        for _ in range(ROUNDS):
            found = first_touch(a, b, start, end)
            if found is None:
                break
            share, touch, start = found
            left *= 1.0 - share
            self._meet(i, k, touch, start, left)
            met, end = True, (Pose.of(one), Pose.of(two))
        for _ in range(ROUNDS):  # what is left of an overlap, and vehicles that were put into each other
            touch = nearest(a, end[0], b, end[1])
            if touch is None or touch.gap > 0.0:
                break
            self._meet(i, k, touch, end, 0.0)
            met, end = True, (Pose.of(one), Pose.of(two))
        return met

    def _meet(self, i: int, k: int, touch: Touch, at: tuple[Pose, Pose], left: float) -> None:
        """Stop two vehicles on each other where they touch, `left` of the interval before its end."""
        one, two = self.sims[i], self.sims[k]
        normal, point = touch.normal, touch.point
        j1, j2 = row(at[0], normal, point), row(at[1], normal, point)
        m1, m2 = answer(one.plant, j1), answer(two.plant, j2)
        give1, give2 = float(j1 @ m1), float(j2 @ m2)
        give = give1 + give2
        closing = float(j1 @ one.plant.nu - j2 @ two.plant.nu)
        speed = float(np.linalg.norm(velocity_n(one.plant, at[0], point) - velocity_n(two.plant, at[1], point)))
        impulse = -(1.0 + RESTITUTION) * closing / give if closing < 0.0 and give > 0.0 else 0.0
        for sim, push, change, side in ((one, j1, m1, 1.0), (two, j2, m2, -1.0)):
            sim.plant.nu[:] += side * impulse * change
            move(sim.plant, side * impulse * left * sim.interval_s * change)
            if impulse > 0.0:
                _note(sim.plant, side * impulse / sim.interval_s * push, touch.gap, -closing)
            sim.moved()
        # what they would still come nearer on the rest of the way, by forces that acted on it, or overlap already
        way = at[0].carried(Pose.of(one.plant), point) - at[1].carried(Pose.of(two.plant), point)
        nearer = max(0.0, -float(normal @ way) - min(touch.gap, 0.0))
        part = give1 / give if give > 0.0 else 0.5
        one.plant.position_n[:] += part * nearer * normal
        two.plant.position_n[:] -= (1.0 - part) * nearer * normal
        self._tell(i, k, speed, told=left > 0.0 or closing < 0.0)

    def _tell(self, i: int, k: int, speed: float, told: bool) -> None:
        one, two = self.sims[i], self.sims[k]
        now = one.time_s
        if told and now - self._last.get((i, k), -math.inf) > AGAIN_S:
            text = f"{one.name} and {two.name} collided at {speed:.3g} m/s"
            for sim in (one, two):
                sim.events.append(Event(now, "collision", text, sim.name))
            self.collisions.append(one.events[-1])
        self._last[i, k] = now


def _note(plant: Plant, wrench: Array, gap: float, closing: float) -> None:
    """Add a push of another vehicle, mean over the interval, to what the vehicle touched in it."""
    touch = plant.state["touch"]
    if touch["count"] < 1.0 or float(wrench[:3] @ wrench[:3]) >= float(touch["wrench"][:3] @ touch["wrench"][:3]):
        touch["what"] = VEHICLE
    touch["wrench"] += wrench
    touch["count"] = max(1.0, float(touch["count"]))
    touch["depth"], touch["speed"] = max(float(touch["depth"]), -gap), max(float(touch["speed"]), closing)
