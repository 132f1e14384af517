"""Contacts as a page is told of them: where each is now and how it moves, some times a second while there are any.

The message goes beside the snapshots, since contacts come and go:

    {"type": "contacts", "time_s": 12.3, "contacts": [{"key", "name", "kind", "length_m", "beam_m", "height_m",
     "position_m": [n, e, d], "quaternion": [4], "velocity_m_s": [3, NED], "heard_s", "expires_s"}]}

Positions hold for `time_s`; between two messages the page moves them on by their velocities. `heard_s` is the time for
which the last news holds and `expires_s` when it is forgotten without more, null if never: the page lets old news fade.
When the last contact goes, one empty list says so.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.sim.contacts import Contacts, Sighting

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

PERIOD_S = 0.1  # of the wall: at most so often
MOST = 100  # the nearest ones; more cannot be told apart
STRAIGHT = (2, 3)  # algorithms of dead reckoning along a straight line at a steady speed
AHEAD_S = 0.1  # over which a velocity is measured


class Sightings:
    """Tells the pages of a flight what else is about."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._told_s, self._some = -math.inf, False

    def tell(self, flight: Flight) -> None:
        """Say where contacts are, if it is time to."""
        contacts = flight.sim.contacts
        if not len(contacts) and not self._some:
            return
        now = self._clock()
        if len(contacts) and now - self._told_s < PERIOD_S:
            return
        self._told_s, self._some = now, len(contacts) > 0
        flight.say(message_of(contacts, flight.time_s, flight.sim.plant.position_n))


def message_of(contacts: Contacts, time_s: float, here_n: Any) -> dict[str, Any]:
    """What a page is told; if there are many, of those that were last heard of nearest."""
    heard = list(contacts)
    if len(heard) > MOST:  # only those are reckoned: this runs between two ticks
        away = np.linalg.norm(np.array([contact.position_m for contact in heard]) - here_n, axis=1)
        heard = [heard[k] for k in np.argsort(away, kind="stable")[:MOST]]
    return {"type": "contacts", "time_s": time_s, "contacts": [_table(contact.at(time_s), time_s) for contact in heard]}


def _table(sighting: Sighting, time_s: float) -> dict[str, Any]:
    contact = sighting.contact
    if contact.algorithm in STRAIGHT:
        velocity = contact.velocity_n
    else:
        # as it is reckoned, not as it was heard: one that stands still by its algorithm may have a velocity too
        velocity = (contact.at(time_s + AHEAD_S).position_n - sighting.position_n) / AHEAD_S
    return {
        "key": contact.key,
        "name": contact.name,
        "kind": contact.kind,
        "length_m": contact.length_m,
        "beam_m": contact.beam_m,
        "height_m": contact.height_m,
        "position_m": [round(x, 3) for x in sighting.position_n.tolist()],
        "quaternion": [round(x, 5) for x in sighting.quaternion.tolist()],
        "velocity_m_s": [round(x, 3) for x in velocity.tolist()],
        "heard_s": contact.time_s,
        "expires_s": None if math.isinf(contact.expires_s) else contact.expires_s,
    }
