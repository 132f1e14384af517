"""Collisions of a vehicle: time, place, speed of approach and the structure it hit.

The kernel reports for each interval whether the hull touched anything, one structure that it touched, and the largest
speed of approach. A touch within APART_S of the last one of the same structure continues that touch: a hull that grinds
along a column collides once, and one that slides over the bottom into a wall touches two things. A vehicle that meets
the bottom slower than GENTLE_M_S comes to rest there: a touch, not a collision.
"""

from __future__ import annotations

import math
from collections.abc import Set
from typing import Any, NamedTuple

import numpy as np

from pelagos.sim.simulation import Simulation

APART_S = 0.5  # chosen, no source: bounces of one impact follow each other faster
GENTLE_M_S = 0.05  # chosen, no source
SEABED = -1  # number of the seabed among structures, as in the kernel
TOUCHING_M = 0.02  # a smaller gap does not end a touch
PLACE_M = 0.1  # contacts within this gap are candidates for the place of a collision
NOTHING: frozenset[int] = frozenset()


def is_gentle(obstacle: int, speed_m_s: float) -> bool:
    """Whether a touch is a slow landing on the bottom."""
    return obstacle == SEABED and speed_m_s < GENTLE_M_S


class Collision(NamedTuple):
    """A touch that has begun.

    `place_n` is north, east, down, m; `speed_m_s` the speed of approach; `obstacle` the number of the structure, -1 for
    the seabed, and `name` its name; `gentle` marks a slow landing, which is no collision.
    """

    time_s: float
    place_n: tuple[float, float, float]
    speed_m_s: float
    obstacle: int
    name: str
    gentle: bool

    def event(self) -> dict[str, Any]:
        """The touch as fields of an event."""
        if self.gentle:
            return {"kind": "touch", "text": f"rests on the {self.name}"}
        north, east, down = self.place_n
        text = f"hit {self.name} at {self.speed_m_s:.2g} m/s"
        place = {"north_m": north, "east_m": east, "depth_m": down}
        return {"kind": "collision", "text": text, **place, "speed_m_s": self.speed_m_s, "with": self.name}


class Touches:
    """Decides for each structure whether a touch is new or continues the last one."""

    def __init__(self) -> None:
        self._touched_s: dict[int, float] = {}  # time of the last touch of each structure
        self._counted: set[int] = set()  # structures whose present touch was counted as a collision

    @property
    def known(self) -> set[int]:
        """Structures touched so far."""
        return set(self._touched_s)

    def begins(self, now_s: float, obstacle: int, gentle: bool, still_touching: Set[int] = NOTHING) -> bool:
        """Whether this touch is new, or is the first hard one of a gentle touch.

        `still_touching` are other structures that the hull still touches: their touches continue.
        """
        fresh = now_s - self._touched_s.get(obstacle, -math.inf) > APART_S
        self._touched_s.update(dict.fromkeys(still_touching | {obstacle}, now_s))
        if not fresh and (obstacle in self._counted or gentle):
            return False
        (self._counted.discard if gentle else self._counted.add)(obstacle)
        return True


class Collisions:
    """Counter of collisions of a simulation; `last` is the last one, gentle touches left out."""

    def __init__(self) -> None:
        self.count = 0
        self.last: Collision | None = None
        self._touches = Touches()

    def update(self, sim: Simulation) -> Collision | None:
        """Evaluate the interval that has just ended; returns a touch that began in it."""
        touch: Any = sim.plant.state["touch"]
        if not touch["count"] > 0:
            return None
        now, obstacle, speed = sim.time_s, int(touch["obstacle"]), float(touch["speed"])
        gentle = is_gentle(obstacle, speed)
        # The kernel reports one structure per interval; contacts with others that were touched before still last.
        still_touching = {int(hit["obstacle"]) for hit in sim.plant.contacts(TOUCHING_M)} & self._touches.known
        if not self._touches.begins(now, obstacle, gentle, still_touching):
            return None
        collision = Collision(now, _place(sim, obstacle), speed, obstacle, sim.world.named(obstacle), gentle)
        if not gentle:
            self.count += 1
            self.last = collision
        return collision


def _place(sim: Simulation, obstacle: int) -> tuple[float, float, float]:
    """The deepest point of contact with a structure; the vehicle's origin if the contact has ended."""
    near = [hit for hit in sim.plant.contacts(PLACE_M) if int(hit["obstacle"]) == obstacle]
    point = min(near, key=lambda hit: float(hit["gap"]))["point"] if near else sim.plant.position_n
    north, east, down = np.asarray(point, float).tolist()
    return north, east, down
