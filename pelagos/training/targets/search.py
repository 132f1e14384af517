"""Search: find the objects that lie on the bottom of an area. Where they lie depends on the seed alone.

An object is in sight while its middle is in the picture, not farther from the camera than `sight_m` and the visibility,
with nothing between. It is sighted when it was in sight for `sight_s` without a break, and found when it was besides
held in the middle of the picture (`middle` of its width and height) for `confirm_s` without a break: that is how the
pilot confirms it, and it needs no button.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number, numbers
from pelagos.errors import CommandError
from pelagos.training.judge import Judge, Mark
from pelagos.training.observation import Observation
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
SIZE_M = 0.5  # of an object: edge of a box, length of a barrel, diameter of a ball
KINDS = ("ball", "box", "barrel")
TRIES = 10000
COLOUR = "#F0E442"
KEY = 0x5EA6C4  # sets these random numbers apart from others of the same seed


@dataclass(frozen=True, kw_only=True)
class Search:
    """An area of the bottom, seen from above a rectangle, with some objects in it."""

    kind: str = "search"
    north_m: tuple[float, float]
    east_m: tuple[float, float]
    count: int = 5
    apart_m: float = 8.0
    sight_m: float = 6.0
    sight_s: float = 2.0
    confirm_s: float = 2.0
    middle: float = 0.5

    def __post_init__(self) -> None:
        """Refuse an area without room."""
        for name in ("north_m", "east_m"):
            low, high = numbers(name, getattr(self, name), 2).tolist()
            if high - low < 1.0:
                raise CommandError(
                    f"{name} is [{low:g}, {high:g}]", expected="two numbers, the second 1 m or more above"
                )
        if isinstance(self.count, bool) or not isinstance(self.count, int) or not 1 <= self.count <= 100:
            raise CommandError(key="count", value=self.count, expected="a whole number from 1 to 100")
        number("middle", self.middle, 0.05, 1.0)
        for name in ("apart_m", "sight_m", "sight_s", "confirm_s"):
            number(name, getattr(self, name), 0.01, 1000.0)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the objects, which no map shows."""
        return tuple(f"object {k + 1}" for k in range(self.count))

    def places(self, world: World, seed: int) -> Array:
        """Middles of the objects, NED (count, 3): apart from each other and from the structures of the world."""
        rng = np.random.default_rng((KEY, seed))
        found: list[Array] = []
        for _ in range(TRIES):
            north, east = rng.uniform(*self.north_m), rng.uniform(*self.east_m)
            point = np.array([north, east, float(world.bottom_m(north, east)) - 0.5 * SIZE_M])
            if any(math.dist(point[:2], other[:2]) < self.apart_m for other in found):
                continue
            if any(_near(item, point) for item in world.structures):
                continue
            found.append(point)
            if len(found) == self.count:
                return np.array(found)
        raise CommandError(
            f"there is room for {len(found)} objects {self.apart_m:g} m apart", key="count", value=self.count
        )

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """The objects: balls, boxes and barrels."""
        free = [item for item in world.structures if item.name not in self.hidden]
        places = self.places(_with(world, tuple(free)), seed)
        return tuple(_object(k, place) for k, place in enumerate(places))

    def marks(self, world: World) -> list[Mark]:
        """The outline of the area, just above the bottom."""
        (south, north), (west, east) = self.north_m, self.east_m
        corners = [(south, west), (south, east), (north, east), (north, west), (south, west)]
        points = [[n, e, float(world.bottom_m(n, e)) - 0.1] for n, e in corners]
        return [{"kind": "line", "points": points, "colour": "#56B4E9", "label": "area"}]

    def vehicle_marks(self, vehicle: Vehicle) -> list[Mark]:
        """None."""
        return []

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """What is found, and how far it was to run for it."""
        return SearchJudge(self, world, vehicle)


class SearchJudge(Judge):
    """Objects in sight, sighted and found; distance run."""

    judged = ("altitude_m",)
    shown = ("found", "sighted", "in_sight", "confirming", "distance_run_m")

    def __init__(self, target: Search, world: World, vehicle: Vehicle) -> None:
        self.target = target
        order = {item.name: k for k, item in enumerate(world.structures)}
        self._indices = np.array([order[name] for name in target.hidden])
        self.places_n = np.array([world.structures[k].center_n() for k in self._indices])
        super().__init__(world, vehicle)

    def begin(self) -> None:
        """Nothing found yet."""
        super().begin()
        n = self.target.count
        self.in_sight_s, self.in_middle_s = np.zeros(n), np.zeros(n)
        self.sighted, self.found = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        self.distance_run_m = 0.0
        self._before: Array | None = None

    def measured(self, observation: Observation) -> Mapping[str, float]:
        """Counts of the instant."""
        view = self.visible(observation)
        longest = float(np.max(np.where(self.found, 0.0, self.in_middle_s), initial=0.0))
        return {
            "altitude_m": observation.altitude_m,
            "found": float(self.found.sum()),
            "sighted": float(self.sighted.sum()),
            "in_sight": float((view & ~self.found).sum()),
            "confirming": min(longest / self.target.confirm_s, 1.0),
            "distance_run_m": self.distance_run_m,
        }

    def advance(self, observation: Observation) -> None:
        """How long each object is in sight, and the way made."""
        target, view = self.target, self.visible(observation)
        middle = view & observation.in_picture(self.places_n, target.middle)
        self.in_sight_s = np.where(view, self.in_sight_s + observation.dt, 0.0)
        self.in_middle_s = np.where(middle, self.in_middle_s + observation.dt, 0.0)
        self.sighted |= self.in_sight_s >= target.sight_s - 1e-9
        self.found |= self.sighted & (self.in_middle_s >= target.confirm_s - 1e-9)
        if self._before is not None:
            self.distance_run_m += float(np.linalg.norm(observation.position_n - self._before))
        self._before = observation.position_n.copy()
        self.now |= {"found": float(self.found.sum()), "sighted": float(self.sighted.sum()),
                     "distance_run_m": self.distance_run_m}  # fmt: skip
        self.completed = bool(self.found.all())
        self.progress = float(self.found.mean())
        self.news = int(self.found.sum())

    def own_measures(self) -> dict[str, float]:
        """What was found, and the way made for it."""
        return {
            "found": float(self.found.sum()),
            "sighted": float(self.sighted.sum()),
            "distance_run_m": self.distance_run_m,
        }

    def marks(self) -> list[Mark]:
        """The objects that were found."""
        return [
            {"kind": "point", "points": [self.places_n[k].tolist()], "colour": "#009E73", "label": f"found {k + 1}"}
            for k in np.flatnonzero(self.found).tolist()
        ]

    def visible(self, observation: Observation) -> NDArray[np.bool_]:
        """Which objects are in sight now."""
        sight = self.places_n - observation.camera_n
        far = np.linalg.norm(sight, axis=1)
        view = (far <= min(self.target.sight_m, observation.visibility_m)) & observation.in_picture(self.places_n)
        which = np.flatnonzero(view)
        if which.size:
            rays = sight[which] / np.maximum(far[which], 1e-9)[:, np.newaxis]
            hits = self.world.cast(np.tile(observation.camera_n, (which.size, 1)), rays, max_range_m=1e3)
            view[which] = np.asarray(hits.what) == self._indices[which]
        return view


def _object(k: int, place: Array) -> Structure:
    name, middle, half = f"object {k + 1}", tuple(place.tolist()), 0.5 * SIZE_M
    kind = KINDS[k % len(KINDS)]
    if kind == "ball":
        return Structure(kind="sphere", name=name, center_m=middle, radius_m=half, colour=COLOUR)
    if kind == "box":
        return Structure(kind="box", name=name, center_m=middle, size_m=(SIZE_M,) * 3, colour=COLOUR)
    north, east, down = place.tolist()
    ends = (north - half, east, down), (north + half, east, down)
    return Structure(kind="cylinder", name=name, from_m=ends[0], to_m=ends[1], radius_m=half, colour=COLOUR)


def _near(structure: Structure, point: Array) -> bool:
    """Whether a structure is less than 2 m away, as the ball around it has it."""
    return math.dist(structure.center_n(), point) < min(structure.bound_m(), 1e6) + 2.0


def _with(world: World, structures: tuple[Structure, ...]) -> World:
    return replace(world, structures=structures)
