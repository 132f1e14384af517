"""Several vehicles in one world, advanced in lockstep, that collide as solid bodies.

After each control interval the motion of every pair of close vehicles is searched for the first touch of their hulls
(`hull_collision`). An impulse along the normal n stops them there: with J the row that maps the velocities of a vehicle
to that of the touching point along n, and M its mass matrix with the added mass,

    p = -(1 + e) v_n / (J1 M1^-1 J1^T + J2 M2^-1 J2^T),    nu_i += +- M_i^-1 J_i^T p,    e = 0.1

(Mirtich & Canny, 1995). Momentum is conserved; the rest of the interval continues with the new velocities. The contact
record of a vehicle receives the mean force, p / interval. Friction between vehicles and the flow of water between them
are neglected.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pelagos import providers
from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.sim.hull_collision import (
    SKIN_M,
    HullBody,
    Pose,
    Touch,
    contact_jacobian,
    displace,
    first_touch,
    impulse_response,
    nearest,
    spheres_touch,
    velocity_n,
)
from pelagos.sim.log.log import Log
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
RESTITUTION = 0.1  # a guess, no measurement: see docs/contact.md
VEHICLE = -3.0  # `contact_with` in the log: another vehicle
ROUNDS = 8  # most touches of one pair within an interval
PASSES = 4  # most passes over all pairs, since stopping one pair may push a vehicle into a third
AGAIN_S = 2.0  # touches of a pair closer in time than this are one collision


class Fleet:
    """Simulations that share a world and its contacts; their vehicles collide and detect each other by sonar.

    Args:
        sims: one simulation for each vehicle, with distinct names.
    """

    def __init__(self, sims: Sequence[Simulation]) -> None:
        if not sims:
            raise CommandError("a fleet has no vehicle", expected="at least one Simulation")
        self.sims = tuple(sims)
        names = [sim.name for sim in sims]
        for name in names:
            if names.count(name) > 1:
                message = "another vehicle has the same name"
                raise CommandError(message, key="name", value=name, expected="a different name for each: name=...")
        for sim in self.sims:
            sim.contacts = self.sims[0].contacts
            sim.others = tuple(other for other in self.sims if other is not sim)
        self._bodies = [HullBody.of(sim.plant) for sim in sims]
        self._begun = False
        self._before: list[Pose] = []  # poses after the last interval
        self._before_s: list[float] = []  # their times
        self._last_touch_s: dict[tuple[int, int], float] = {}  # by pair
        self.collisions: list[Event] = []

    def tick(self) -> None:
        """Run one control interval of all vehicles."""
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
        """Run all vehicles for some seconds and return their logs by name; arguments as for `Simulation.run`."""
        where = paths if paths is not None else [None] * len(self.sims)
        recorders = [
            RunRecorder(sim, path=path, log_rate_hz=log_rate_hz, forces=forces)
            for sim, path in zip(self.sims, where, strict=True)
        ]
        self.begin()
        stop = None if until is None else (lambda: until(self))
        logs = providers.run(recorders, seconds, fleet=self, progress=progress, until=stop, speed=speed)
        return dict(zip((sim.name for sim in self.sims), logs, strict=True))

    def begin(self) -> None:
        """Record the poses before a run; CommandError if vehicles overlap at the start."""
        if not self._begun:
            for i, k in combinations(range(len(self.sims)), 2):
                first, second = self.sims[i], self.sims[k]
                touch = nearest(self._bodies[i], Pose.of(first.plant), self._bodies[k], Pose.of(second.plant))
                if touch is not None and touch.gap < -SKIN_M:
                    raise CommandError(
                        f"{first.name} and {second.name} overlap by {-touch.gap:.2g} m at the start",
                        expected="a gap between them",
                    )
        self._begun = True
        self._record_poses()

    def _record_poses(self) -> None:
        self._before = [Pose.of(sim.plant) for sim in self.sims]
        self._before_s = [sim.time_s for sim in self.sims]

    def collide(self) -> None:
        """Apply the collisions of the last interval, and add their events."""
        if len(self.sims) < 2:
            return
        now = [Pose.of(sim.plant) for sim in self.sims]
        before = list(now)  # a vehicle that was placed or restored did not move here from its last pose
        for i, sim in enumerate(self.sims):
            if self._before and abs(sim.time_s - self._before_s[i] - sim.interval_s) < 1e-9:
                before[i] = self._before[i]
        for _ in range(PASSES):
            met = [self._collide_pair(i, k, before) for i, k in combinations(range(len(self.sims)), 2)]
            if len(self.sims) < 3 or not any(met):
                break
        self._record_poses()

    def _collide_pair(self, i: int, k: int, before: list[Pose]) -> bool:
        """Apply the collisions of two vehicles over the last interval; True if they touched."""
        first, second, first_hull, second_hull = (
            self.sims[i].plant,
            self.sims[k].plant,
            self._bodies[i],
            self._bodies[k],
        )
        start, end = (before[i], before[k]), (Pose.of(first), Pose.of(second))
        if not spheres_touch(first_hull, second_hull, start, end):
            return False
        left, met = 1.0, False
        for _ in range(ROUNDS):
            contact = first_touch(first_hull, second_hull, start, end)
            if contact is None:
                break
            share, touch, start = contact
            left *= 1.0 - share
            self._apply_impulse(i, k, touch, start, left)
            met, end = True, (Pose.of(first), Pose.of(second))
        for _ in range(ROUNDS):  # a remaining overlap, and vehicles that were placed into each other
            touch = nearest(first_hull, end[0], second_hull, end[1])
            if touch is None or touch.gap > 0.0:
                break
            self._apply_impulse(i, k, touch, end, 0.0)
            met, end = True, (Pose.of(first), Pose.of(second))
        return met

    def _apply_impulse(self, i: int, k: int, touch: Touch, poses: tuple[Pose, Pose], left: float) -> None:
        """Stop two vehicles at a touch, with a share `left` of the interval remaining."""
        first, second = self.sims[i], self.sims[k]
        normal, point = touch.normal, touch.point
        jacobian1, jacobian2 = contact_jacobian(poses[0], normal, point), contact_jacobian(poses[1], normal, point)
        response1, response2 = impulse_response(first.plant, jacobian1), impulse_response(second.plant, jacobian2)
        compliance1, compliance2 = float(jacobian1 @ response1), float(jacobian2 @ response2)
        compliance = compliance1 + compliance2
        closing = float(jacobian1 @ first.plant.nu - jacobian2 @ second.plant.nu)
        relative = velocity_n(first.plant, poses[0], point) - velocity_n(second.plant, poses[1], point)
        speed = float(np.linalg.norm(relative))
        impulse = -(1.0 + RESTITUTION) * closing / compliance if closing < 0.0 and compliance > 0.0 else 0.0
        for sim, jacobian, response, side in ((first, jacobian1, response1, 1.0), (second, jacobian2, response2, -1.0)):
            sim.plant.nu[:] += side * impulse * response
            displace(sim.plant, side * impulse * left * sim.interval_s * response)
            if impulse > 0.0:
                _add_contact(sim.plant, side * impulse / sim.interval_s * jacobian, touch.gap, -closing)
            sim.invalidate_state()
        # Forces of the rest of the interval may still bring the hulls closer, and they may overlap already: separate
        # them, each by its share of the compliance.
        way = poses[0].carried(Pose.of(first.plant), point) - poses[1].carried(Pose.of(second.plant), point)
        nearer = max(0.0, -float(normal @ way) - min(touch.gap, 0.0))
        part = compliance1 / compliance if compliance > 0.0 else 0.5
        first.plant.position_n[:] += part * nearer * normal
        second.plant.position_n[:] -= (1.0 - part) * nearer * normal
        self._report(i, k, speed, noteworthy=left > 0.0 or closing < 0.0)

    def _report(self, i: int, k: int, speed: float, noteworthy: bool) -> None:
        first, second = self.sims[i], self.sims[k]
        now = first.time_s
        if noteworthy and now - self._last_touch_s.get((i, k), -math.inf) > AGAIN_S:
            text = f"{first.name} and {second.name} collided at {speed:.3g} m/s"
            for sim in (first, second):
                sim.events.append(Event(now, "collision", text, sim.name))
            self.collisions.append(first.events[-1])
        self._last_touch_s[i, k] = now


def _add_contact(plant: Plant, wrench: Array, gap: float, closing: float) -> None:
    """Add the wrench of another vehicle, mean over the interval, to the contact record of a vehicle."""
    touch = plant.state["touch"]
    if touch["count"] < 1.0 or float(wrench[:3] @ wrench[:3]) >= float(touch["wrench"][:3] @ touch["wrench"][:3]):
        touch["obstacle"] = VEHICLE
    touch["wrench"] += wrench
    touch["count"] = max(1.0, float(touch["count"]))
    touch["depth"], touch["speed"] = max(float(touch["depth"]), -gap), max(float(touch["speed"]), closing)
