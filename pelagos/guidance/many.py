"""Missions of many vehicles through one autopilot of many: each vehicle has its own legs, or its own way along them.

Common ticks are compiled (many_legs). What is rare is done by a scalar `Mission` for each vehicle, from the same state,
so legs, events and numbers are those of the scalar missions: any leg can be flown; those along lines, at a place and
of a steady setpoint are fast.

    mission = ManyMission(ManyAutopilot(vehicle, n), legs)
    actuations = mission.update(truths, 0.1)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.compiled_laws import records
from pelagos.errors import CommandError
from pelagos.guidance.base import GUIDE_COLUMNS, Leg, sound
from pelagos.guidance.many_legs import COURSE, GUIDE, NAMES, SCALAR, STAY, guide_all, load, store
from pelagos.guidance.mission import Mission
from pelagos.messages import Actuation, Actuations, Event, Setpoint, Truth, Truths

Array = NDArray[np.float64]
CROSS, ALONG = GUIDE_COLUMNS.index("cross_track_m"), GUIDE_COLUMNS.index("along_track_m")


class ManyHelm(Protocol):
    """What missions steer through: `control.many.ManyAutopilot`, or one of your own."""

    n: int

    @property
    def held(self) -> Array:
        """Setpoints, (n, 8) in the order of `Setpoint`, NaN where nothing is held."""
        ...

    def hold(self, rows: NDArray[np.int64], setpoints: Array) -> None:
        """Hold these from now on."""
        ...

    def reset(self, where: ArrayLike | None = None) -> None:
        """Forget the past of all vehicles, or of some."""
        ...

    def update(self, truths: Truths, dt: float) -> Actuations:
        """Demands for the next dt seconds."""
        ...


class _Row:
    """The helm of one scalar mission: it keeps what it is told."""

    def __init__(self, row: Array) -> None:
        values: list[float] = row.tolist()
        self.setpoint: Setpoint = sound(**{name: x for name, x in zip(NAMES, values, strict=True) if x == x})

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> None:
        """Hold this from now on."""
        if setpoint is not None:
            self.setpoint = setpoint

    def reset(self) -> None:
        """Nothing is forgotten: there is nothing."""

    def update(self, truth: Truth, dt: float) -> Actuation:
        """Somebody else flies."""
        return _NOTHING


_NOTHING = Actuation()


class ManyMission:
    """Legs in order, of each vehicle.

    Args:
        helm: holds setpoints of n vehicles; those it holds now are what the first legs begin with.
        legs: one sequence of legs for all, or n sequences.
        keep_going: a vehicle whose helm refuses what its leg asks for stays with what it holds, and is told of in
            `refused`; else the refusal is raised.

    done      (n,) which have flown their last leg
    index     (n,) the leg that each is at
    refused   why, by the number of the vehicle
    """

    columns = GUIDE_COLUMNS

    def __init__(
        self, helm: ManyHelm, legs: Sequence[Leg] | Sequence[Sequence[Leg]], *, keep_going: bool = False
    ) -> None:
        self.helm, self.n, self.keep_going = helm, helm.n, keep_going
        first: Any = legs[0] if legs else None
        given: Any = [legs] * helm.n if first is None or isinstance(first, Leg) else legs
        if len(given) != helm.n:
            raise CommandError(f"legs of {len(given)} vehicles were given; expected {helm.n}.")
        self.legs: tuple[tuple[Leg, ...], ...] = tuple(tuple(one) for one in given)
        self._first = helm.held.copy()
        self.reset()

    def reset(self, where: ArrayLike | None = None) -> None:
        """Before the first leg, and with the setpoints that were held then: all vehicles, or some (mask, indices)."""
        rows = np.arange(self.n)
        if where is None:
            self._missions: list[Mission] = [Mission(_Row(row), ()) for row in self._first]
            self._guides = records(self.n, GUIDE)
            self._rare = np.zeros(self.n, np.bool_)
            self._values = np.full((self.n, len(GUIDE_COLUMNS)), math.nan)
            self.done, self.index = np.zeros(self.n, np.bool_), np.zeros(self.n, np.int64)
            self.refused: dict[int, CommandError] = {}
        else:
            rows = np.atleast_1d(rows[np.asarray(where)])
        self.helm.reset(rows)
        self.helm.hold(rows, self._first[rows])
        for i in rows.tolist():
            self._missions[i] = mission = Mission(_Row(self._first[i]), self.legs[i])
            self._guides[i]["kind"] = SCALAR
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, 0
            self.refused.pop(i, None)

    def one(self, i: int) -> Mission:
        """The mission of vehicle i; between rare ticks it has not heard of the way along its present line."""
        return self._missions[i]

    def events(self, i: int) -> list[Event]:
        """What happened to vehicle i so far."""
        return self._missions[i].events

    def update(self, truths: Truths, dt: float) -> Actuations:
        """Ask the guides, tell the helm."""
        t, held = truths, self.helm.held
        motion = [np.ascontiguousarray(x) for x in (t.time_s, t.pos_n, t.pitch, t.yaw, t.nu, t.nu_r)]
        if guide_all(self._guides, held, *motion, dt, self._rare):
            self._ask(np.flatnonzero(self._rare), truths, dt)
        return self.helm.update(truths, dt)

    def _ask(self, rows: NDArray[np.int64], truths: Truths, dt: float) -> None:
        """The scalar missions of some vehicles."""
        held = self.helm.held
        told: list[int] = []
        for i in rows.tolist():
            mission, helm, g = self._missions[i], self._missions[i].helm, self._guides[i]
            store(g, mission)
            if g["kind"] == COURSE:  # heading and depth have moved on since
                helm.setpoint = _Row(held[i]).setpoint
            before = helm.setpoint
            mission.update(_truth(truths, i), dt)
            load(g, mission)
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, mission.index
            if helm.setpoint is not before:
                told.append(i)
        if told:
            self._tell(told)

    def _tell(self, told: list[int]) -> None:
        """The helm holds what some missions ask for."""
        wishes = [vars(self._missions[i].setpoint) for i in told]
        new = np.array([[math.nan if wish[name] is None else wish[name] for name in NAMES] for wish in wishes])
        try:
            self.helm.hold(np.array(told), new)
        except CommandError as refusal:
            if not self.keep_going:
                raise
            if len(told) == 1:
                self.refused.setdefault(told[0], refusal)
                return
            for i in told:
                self._tell([i])

    def values(self) -> Array:
        """For the log, (n, columns); NaN where a guide does not say."""
        values, guides = self._values, self._guides
        lines, places = guides["kind"] == COURSE, guides["kind"] == STAY
        values[lines, CROSS] = guides["cross_m"][lines]
        along = lines | places
        values[along, ALONG] = guides["along_m"][along]
        return values.copy()


def _truth(t: Truths, i: int) -> Truth:
    """One of them, as a scalar mission sees it."""
    angles = (float(t.roll[i]), float(t.pitch[i]), float(t.yaw[i]))
    motion = (t.pos_n[i].copy(), *angles, t.nu[i].copy(), t.nu_r[i].copy())
    return Truth.sound(float(t.time_s[i]), *motion, altitude_m=float(t.altitude_m[i]))
