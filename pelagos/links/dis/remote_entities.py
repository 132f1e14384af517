"""Remote entities of a DIS exercise and their conversion to contacts.

The network's thread stores Entity State PDUs (`receive`); the simulation's thread takes the newest one of each entity
(`take_updates`), a few at a time. An entity leaves when it deactivates itself, when it is removed, or after 2.4
heartbeats (wall-clock time) without a PDU while the exercise runs. Entities farther than `FAR_M` from the origin are
ignored: the local world is flat.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pelagos.dead_reckoning import IN_BODY_AXES, STATIC
from pelagos.errors import MessageError
from pelagos.frames import euler_from_rotation, quaternion_from_euler
from pelagos.geodesy import Origin, rotation_eb
from pelagos.links.counts import Counts
from pelagos.links.dis.entity_types import type_name, typical_size
from pelagos.links.dis.publisher import HEARTBEAT_S, TIMEOUT
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import DEACTIVATED, FROZEN
from pelagos.links.dis.wire.header import elapsed_s
from pelagos.links.dis.wire.records import EntityId
from pelagos.sim.contacts import MOST

FAR_M = 100e3  # half a degree of latitude and more: the flat world is off by 800 m in depth there
UPDATES_HZ = 500.0  # mean limit for all entities together: a session records every contact update in its journal
LATE_S = 5.0  # a PDU less than this behind the last one came out of order; more means that the sender restarted


def contact_key(entity: EntityId) -> str:
    """Return the key of an entity's contact."""
    return f"dis:{entity}"


def contact_fields(state: EntityState, origin: Origin, time_s: float) -> dict[str, Any]:
    """Return the fields of a contact order for an Entity State received at a simulated time.

    Geocentric vectors are converted to NED; vectors in body axes stay. Frozen entities and those with algorithm 0 are
    static.

    Raises:
        MessageError: if the entity is farther than `FAR_M` from the origin.
    """
    place = origin.to_ned(state.location)
    distance = float(np.linalg.norm(place))
    if distance > FAR_M:
        raise MessageError(
            key=f"distance of {state.entity} from the origin of the world (km)",
            value=round(distance / 1e3),
            expected=f"at most {FAR_M / 1e3:g}",
        )
    R_nb = origin.R_en.T @ rotation_eb(*state.orientation)
    reckoning = state.reckoning
    algorithm = STATIC if state.appearance & FROZEN else reckoning.algorithm or STATIC
    velocity, acceleration = np.array(state.velocity), np.array(reckoning.acceleration)
    if algorithm not in IN_BODY_AXES:
        velocity, acceleration = origin.R_en.T @ velocity, origin.R_en.T @ acceleration
    size, kind = typical_size(state.type), type_name(state.type)
    return {
        "key": contact_key(state.entity), "name": state.marking or f"{kind} {state.entity}", "kind": kind,
        "length_m": size.length_m, "beam_m": size.beam_m, "height_m": size.height_m,
        "position_m": place.tolist(),
        "quaternion": quaternion_from_euler(*euler_from_rotation(R_nb)).tolist(),
        "velocity_m_s": velocity.tolist(), "acceleration_m_s2": acceleration.tolist(),
        "rates_rad_s": list(reckoning.angular_velocity),
        "algorithm": algorithm, "time_s": time_s, "expires_s": None,
    }  # fmt: skip


@dataclass(frozen=True)
class ReceivedEntity:
    """Last Entity State of an entity and the wall-clock time of its arrival in s."""

    state: EntityState
    at_s: float


class RemoteEntities:
    """Table of the remote entities. `receive` and `remove` may be called from any thread."""

    def __init__(self, counts: Counts, heartbeat_s: float = HEARTBEAT_S, most: int = MOST) -> None:
        self._counts, self.timeout_s, self._most = counts, TIMEOUT * heartbeat_s, most
        self._lock = threading.Lock()
        self._known: dict[EntityId, ReceivedEntity] = {}  # oldest arrival first, so that timeouts check the front only
        self._thawed_s = -math.inf  # timeouts count from here: the end of the last freeze
        self._new: dict[EntityId, None] = {}  # an ordered set of entities whose last state was not yet taken
        self._gone: list[EntityId] = []
        # Token bucket: a full table may pass at once, after that `UPDATES_HZ`.
        self._tokens, self._tokens_s = float(most), math.inf

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, entity: object) -> bool:
        return entity in self._known

    def receive(self, state: EntityState, now_s: float) -> None:
        """Store an Entity State; a deactivated entity is removed."""
        if state.appearance & DEACTIVATED:
            self.remove(state.entity)
            return
        with self._lock:
            before = self._known.get(state.entity)
            if before is None and len(self._known) >= self._most:
                full = True
            else:
                full = False
                if before is not None and _out_of_order(before.state, state):
                    self._counts.add("late")
                    return
                # Pop and insert again, which moves the entity to the end: the order is that of arrival.
                self._known.pop(state.entity, None)
                self._known[state.entity] = ReceivedEntity(state, now_s)
                self._new[state.entity] = None
        # Outside the lock: `drop` may call back into user code.
        if full:
            self._counts.drop("full", f"more than {self._most} entities; {state.entity} is not taken in")

    def remove(self, entity: EntityId) -> bool:
        """Remove an entity and return whether it was known."""
        with self._lock:
            self._new.pop(entity, None)
            known = self._known.pop(entity, None) is not None
            if known:
                self._gone.append(entity)
            return known

    def requeue_all(self) -> None:
        """Mark all entities as updated, because a new world has no contacts yet."""
        with self._lock:
            self._new = dict.fromkeys(self._known)
            self._gone.clear()

    def take_departed(self, now_s: float, frozen: bool = False) -> list[EntityId]:
        """Return the entities that left or timed out since the last call.

        Entities do not time out while the exercise is frozen, because others may not be allowed to send then. The
        timeout restarts afterwards.
        """
        with self._lock:
            if frozen:
                self._thawed_s = now_s
            while self._known:
                entity, received = next(iter(self._known.items()))
                if now_s - max(received.at_s, self._thawed_s) <= self.timeout_s:
                    break
                del self._known[entity]
                self._new.pop(entity, None)
                self._gone.append(entity)
                self._counts.add("timed_out")
            gone, self._gone = self._gone, []
            return gone

    def take_updates(self, now_s: float) -> Iterator[ReceivedEntity]:
        """Yield updated entities, the longest waiting first, at most `UPDATES_HZ`; the rest stays for the next call."""
        self._tokens = min(float(self._most), self._tokens + UPDATES_HZ * max(0.0, now_s - self._tokens_s))
        self._tokens_s = now_s
        while self._tokens >= 1.0:
            with self._lock:
                entity = next(iter(self._new), None)
                if entity is None:
                    return
                del self._new[entity]
                received = self._known[entity]
            self._tokens -= 1.0
            yield received


def _out_of_order(before: EntityState, now: EntityState) -> bool:
    """Return whether a PDU is older than the last one of the same entity."""
    return -LATE_S < elapsed_s(before.header.timestamp, now.header.timestamp) < 0.0
