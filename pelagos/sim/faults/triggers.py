"""Triggers of faults and events while a scenario runs: the same rules for one vehicle and for n at one time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pelagos.sim.columns import magnitude
from pelagos.sim.faults.conditions import Condition, Observed
from pelagos.sim.faults.kinds import Trigger

Item = TypeVar("Item")


class TriggerWatch:
    """A trigger of a running simulation, with its condition compiled."""

    def __init__(self, trigger: Trigger) -> None:
        self._trigger = trigger
        self._condition = Condition(trigger.when) if trigger.when else None

    def due(self, observed: Observed) -> Any:
        """Whether the fault or event must begin now: a bool, or (n,) for n vehicles."""
        t = self._trigger
        if t.at_s is not None:
            return observed.time_s >= t.at_s - 1e-9
        if t.place_m is not None:
            north, east, _ = observed.position_n
            return magnitude(north - t.place_m[0], east - t.place_m[1], 0.0) <= t.radius_m
        assert self._condition is not None
        return observed.holds(self._condition)


@dataclass
class _Equal(Generic[Item]):
    """Equal triggers."""

    watch: TriggerWatch
    vehicles: NDArray[np.int64]
    items: list[tuple[int, int, Item]]  # number in the sequence of all triggers, vehicle, item


class WaitingTriggers(Generic[Item]):
    """Triggers of n vehicles that have not fired yet; each fires once.

    Args:
        triggers: the number of a vehicle, the trigger, and what it starts. Equal triggers are evaluated together.
    """

    def __init__(self, triggers: Iterable[tuple[int, Trigger, Item]]) -> None:
        equal: dict[Any, list[tuple[int, int, Item]]] = {}
        watches: dict[Any, TriggerWatch] = {}
        for number, (vehicle, trigger, item) in enumerate(triggers):
            key = (trigger.at_s, trigger.when, trigger.place_m, trigger.radius_m)
            if key not in equal:
                equal[key], watches[key] = [], TriggerWatch(trigger)
            equal[key].append((number, vehicle, item))
        groups = {key: _Equal(watches[key], np.array([i for _, i, _ in items]), items) for key, items in equal.items()}
        # only the next time is looked at
        self._timed = [groups[key] for key in sorted((key for key in groups if key[0] is not None), reverse=True)]
        self._others = [group for key, group in groups.items() if key[0] is None]

    def __len__(self) -> int:
        return sum(len(group.items) for group in (*self._timed, *self._others))

    def due(self, observed: Observed) -> list[tuple[int, Item]]:
        """Return the vehicle and the item of each trigger that fires now, in the sequence of the arguments."""
        fired: list[tuple[int, int, Item]] = []
        while self._timed and self._timed[-1].watch.due(observed):
            fired += self._timed.pop().items
        for group in self._others:
            due = group.watch.due(observed)
            if not isinstance(due, np.ndarray):
                fired += group.items if due else []
                group.items = [] if due else group.items
            elif (mine := due[group.vehicles]).any():
                fired += [item for item, fires in zip(group.items, mine, strict=True) if fires]
                group.items = [item for item, fires in zip(group.items, mine, strict=True) if not fires]
                group.vehicles = group.vehicles[~mine]
        if not fired:
            return []
        self._others = [group for group in self._others if group.items]
        return [(vehicle, item) for _, vehicle, item in sorted(fired, key=lambda entry: entry[0])]
