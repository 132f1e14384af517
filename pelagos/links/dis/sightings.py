"""Entities of others, from the PDU to the contact in the world.

The network's thread puts Entity States in (`hear`), the simulation's takes the newest of each out again (`news`), a few
at a time. An entity is gone when it says so, when it is removed, or after 2.4 heartbeats of silence in an exercise that
runs; that is real time, as everything in DIS. What is farther than `FAR_M` from the origin is left out: the flat world
means nothing there.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pelagos.errors import MessageError
from pelagos.frames import euler_from_rotation, quaternion_from_euler
from pelagos.geodesy import Origin, rotation_eb
from pelagos.links.counts import Counts
from pelagos.links.dis.entity_types import bulk, words
from pelagos.links.dis.publisher import HEARTBEAT_S, TIMEOUT
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import DEACTIVATED, FROZEN
from pelagos.links.dis.wire.header import elapsed_s
from pelagos.links.dis.wire.records import EntityId
from pelagos.sim.contacts import MOST
from pelagos.sim.dead_reckoning import IN_BODY_AXES, STATIC

FAR_M = 100e3
NEWS_HZ = 500.0  # of all entities together, in the long run: a flight keeps each word of a contact in its journal
LATE_S = 5.0  # a PDU that is older than the last by less than this was overtaken; by more, the sender began anew


def key_of(entity: EntityId) -> str:
    """Key of an entity's contact."""
    return f"dis:{entity}"


def table_of(state: EntityState, origin: Origin, time_s: float) -> dict[str, Any]:
    """The contact of an Entity State heard at a simulated time, as an order has it.

    Geocentric vectors become NED, those in body axes stay; algorithm 0 and frozen entities stand still.

    Raises:
        MessageError: for an entity too far away to have a place in the world.
    """
    place = origin.to_ned(state.location)
    if float(np.linalg.norm(place)) > FAR_M:
        raise MessageError(f"{state.entity} is {np.linalg.norm(place) / 1e3:.0f} km from the origin of the world")
    R_nb = origin.R_en.T @ rotation_eb(*state.orientation)
    reckoning = state.reckoning
    algorithm = STATIC if state.appearance & FROZEN else reckoning.algorithm or STATIC
    velocity, acceleration = np.array(state.velocity), np.array(reckoning.acceleration)
    if algorithm not in IN_BODY_AXES:
        velocity, acceleration = origin.R_en.T @ velocity, origin.R_en.T @ acceleration
    size, kind = bulk(state.type), words(state.type)
    return {
        "key": key_of(state.entity), "name": state.marking or f"{kind} {state.entity}", "kind": kind,
        "length_m": size.length_m, "beam_m": size.beam_m, "height_m": size.height_m,
        "position_m": place.tolist(),
        "quaternion": quaternion_from_euler(*euler_from_rotation(R_nb)).tolist(),
        "velocity_m_s": velocity.tolist(), "acceleration_m_s2": acceleration.tolist(),
        "rates_rad_s": list(reckoning.angular_velocity),
        "algorithm": algorithm, "time_s": time_s, "expires_s": None,
    }  # fmt: skip


@dataclass(frozen=True)
class HeardEntity:
    """The last Entity State of an entity, and when it came, s of the clock on the wall."""

    state: EntityState
    at_s: float


class RemoteEntities:
    """Who takes part, besides us. `hear` and `forget` may be called by any thread."""

    def __init__(self, counts: Counts, heartbeat_s: float = HEARTBEAT_S, most: int = MOST) -> None:
        self._counts, self.timeout_s, self._most = counts, TIMEOUT * heartbeat_s, most
        self._lock = threading.Lock()
        self._known: dict[EntityId, HeardEntity] = {}  # the one that was heard of longest ago first
        self._awake_s = -math.inf  # silence is counted from here on
        self._new: dict[EntityId, None] = {}  # heard of and not yet taken, in the order they came
        self._gone: list[EntityId] = []
        self._room, self._room_s = float(most), math.inf  # for news: a table full at once, then at the rate

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, entity: object) -> bool:
        return entity in self._known

    def hear(self, state: EntityState, now_s: float) -> None:
        """An Entity State has come."""
        if state.appearance & DEACTIVATED:
            self.forget(state.entity)
            return
        with self._lock:
            before = self._known.get(state.entity)
            if before is None and len(self._known) >= self._most:
                full = True
            else:
                full = False
                if before is not None and _overtaken(before.state, state):
                    self._counts.add("late")
                    return
                self._known.pop(state.entity, None)
                self._known[state.entity] = HeardEntity(state, now_s)
                self._new[state.entity] = None
        if full:
            self._counts.drop("full", f"more than {self._most} entities; {state.entity} is not taken in")

    def forget(self, entity: EntityId) -> bool:
        """It has left; whether it was known."""
        with self._lock:
            self._new.pop(entity, None)
            known = self._known.pop(entity, None) is not None
            if known:
                self._gone.append(entity)
            return known

    def again(self) -> None:
        """Give out all that are known as new: the world has been made anew."""
        with self._lock:
            self._new = dict.fromkeys(self._known)
            self._gone.clear()

    def gone(self, now_s: float, frozen: bool = False) -> list[EntityId]:
        """Those that left since the last call, by themselves or by silence.

        While the exercise is frozen silence is no sign: others may have been told to be silent. It counts anew after.
        """
        with self._lock:
            if frozen:
                self._awake_s = now_s
            while self._known:
                entity, heard = next(iter(self._known.items()))
                if now_s - max(heard.at_s, self._awake_s) <= self.timeout_s:
                    break
                del self._known[entity]
                self._new.pop(entity, None)
                self._gone.append(entity)
                self._counts.add("timed_out")
            gone, self._gone = self._gone, []
            return gone

    def news(self, now_s: float) -> Iterator[HeardEntity]:
        """What is new, the one that waits longest first, at most NEWS_HZ of them; those not asked for wait on."""
        self._room = min(float(self._most), self._room + NEWS_HZ * max(0.0, now_s - self._room_s))
        self._room_s = now_s
        while self._room >= 1.0:
            with self._lock:
                entity = next(iter(self._new), None)
                if entity is None:
                    return
                del self._new[entity]
                heard = self._known[entity]
            self._room -= 1.0
            yield heard


def _overtaken(before: EntityState, now: EntityState) -> bool:
    """Whether a PDU is older than one that is known already."""
    return -LATE_S < elapsed_s(before.header.timestamp, now.header.timestamp) < 0.0
