"""Collisions: when a vehicle meets something, where, how fast, and with what.

The kernel reports each interval whether anything was touched, what, and the largest speed of approach. A touch that
follows the last one of the same thing within APART_S is the same touch: a hull that grinds along a column is one,
and one that slides over the bottom into a wall meets two things. What meets the bottom more gently than GENTLE_M_S has
come to rest there: a touch, and not a collision.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pelagos.sim.simulation import Simulation

APART_S = 0.5
GENTLE_M_S = 0.05
SEABED = -1
STILL_M = 0.02  # a gap below this is no parting
NOTHING: set[int] = set()


def is_gentle(what: int, speed_m_s: float) -> bool:
    """Whether it only comes to rest on the bottom."""
    return what == SEABED and speed_m_s < GENTLE_M_S


class Collision(NamedTuple):
    """One meeting: north, east, down of the place, m; speed of approach, m/s; what was met, and whether it hurt."""

    time_s: float
    place_n: tuple[float, float, float]
    speed_m_s: float
    what: int
    name: str
    gentle: bool

    def told(self) -> dict[str, Any]:
        """As an event tells it."""
        if self.gentle:
            return {"kind": "touch", "text": f"rests on the {self.name}"}
        north, east, down = self.place_n
        text = f"hit {self.name} at {self.speed_m_s:.2g} m/s"
        place = {"north_m": north, "east_m": east, "depth_m": down}
        return {"kind": "collision", "text": text, **place, "speed_m_s": self.speed_m_s, "with": self.name}


class Touches:
    """The law by itself: which touches are new, thing by thing. `known` are the things touched so far."""

    def __init__(self) -> None:
        self._touched_s: dict[int, float] = {}  # when each thing was touched last
        self._hard: set[int] = set()  # things whose touch, which goes on, has been counted

    @property
    def known(self) -> set[int]:
        """Things touched so far."""
        return set(self._touched_s)

    def begins(self, now_s: float, what: int, gentle: bool, leaned: set[int] = NOTHING) -> bool:
        """Whether this touch is to be told; `leaned` is what else is still touched."""
        fresh = now_s - self._touched_s.get(what, -math.inf) > APART_S
        self._touched_s.update({one: now_s for one in leaned | {what}})
        if not fresh and (what in self._hard or gentle):
            return False
        (self._hard.discard if gentle else self._hard.add)(what)
        return True


class Collisions:
    """Counts them. `last` is the last that was no gentle touch."""

    def __init__(self) -> None:
        self.count = 0
        self.last: Collision | None = None
        self._touches = Touches()

    def update(self, sim: Simulation) -> Collision | None:
        """After an interval: what has just begun, if anything has."""
        touch: Any = sim.plant.state["touch"]
        if not touch["count"] > 0:
            return None
        now, what, speed = sim.time_s, int(touch["what"]), float(touch["speed"])
        gentle = is_gentle(what, speed)
        # the kernel names one thing an interval: what else is leaned on is still the same touch
        leaned = {int(hit["what"]) for hit in sim.plant.contacts(STILL_M)} & self._touches.known
        if not self._touches.begins(now, what, gentle, leaned):
            return None
        met = Collision(now, _place(sim, what), speed, what, sim.world.named(what), gentle)
        if not gentle:
            self.count += 1
            self.last = met
        return met


def _place(sim: Simulation, what: int) -> tuple[float, float, float]:
    """The deepest point of contact with what was met; the vehicle's origin if it is off again."""
    near = [hit for hit in sim.plant.contacts(0.1) if int(hit["what"]) == what]
    point = min(near, key=lambda hit: float(hit["gap"]))["point"] if near else sim.plant.position_n
    north, east, down = np.asarray(point, float).tolist()
    return north, east, down
