"""Search for objects that lie on the bottom of an area; the seed alone determines their places.

An object is in sight while its middle is in the picture, not farther from the camera than `sight_m` and the visibility,
and no structure blocks the view. It is sighted after `sight_s` in sight without a break, and found after `confirm_s`
more in the middle of the picture (`middle` of its width and height), without a break either: so the pilot confirms an
object without a button.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number, numbers, whole
from pelagos.errors import CommandError
from pelagos.training.judge import Judge, Mark, Target
from pelagos.training.observation import Observation
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
SIZE_M = 0.5  # of an object: edge of a box, length of a barrel, diameter of a ball
KINDS = ("ball", "box", "barrel")
TRIES = 10000  # random places before the area counts as full
COLOUR = "#F0E442"
KEY = 0x5EA6C4  # separates these random numbers from others of the same seed


@dataclass(frozen=True, kw_only=True)
class Search(Target):
    """A rectangular area of the bottom with objects in it."""

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
        """Validate the numbers."""
        for name in ("north_m", "east_m"):
            low, high = numbers(name, getattr(self, name), 2).tolist()
            if high - low < 1.0:
                raise CommandError(
                    key=name, value=[low, high], expected="two numbers, the second 1 m or more above the first"
                )
        whole("count", self.count, 1, 100)
        number("middle", self.middle, 0.05, 1.0)
        for name in ("apart_m", "sight_m", "sight_s", "confirm_s"):
            number(name, getattr(self, name), 0.01, 1000.0)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the objects, which no map shows."""
        return tuple(f"object {k + 1}" for k in range(self.count))

    def places(self, world: World, seed: int) -> Array:
        """Middles of the objects, NED (count, 3), away from each other and from the structures of the world."""
        rng = np.random.default_rng((KEY, seed))
        places: list[Array] = []
        for _ in range(TRIES):
            north, east = rng.uniform(*self.north_m), rng.uniform(*self.east_m)
            point = np.array([north, east, float(world.bottom_m(north, east)) - 0.5 * SIZE_M])
            if any(math.dist(point[:2], other[:2]) < self.apart_m for other in places):
                continue
            if any(_near(item, point) for item in world.structures):
                continue
            places.append(point)
            if len(places) == self.count:
                return np.array(places)
        expected = f"at most {len(places)}, the room for objects {self.apart_m:g} m apart"
        raise CommandError(key="count", value=self.count, expected=expected)

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """The objects: balls, boxes and barrels."""
        # Objects that the world has already take no room: the places depend on the seed alone.
        free = [item for item in world.structures if item.name not in self.hidden]
        places = self.places(_with(world, tuple(free)), seed)
        return tuple(_object(k, place) for k, place in enumerate(places))

    def marks(self, world: World) -> list[Mark]:
        """The outline of the area, just above the bottom."""
        (south, north), (west, east) = self.north_m, self.east_m
        corners = [(south, west), (south, east), (north, east), (north, west), (south, west)]
        points = [[n, e, float(world.bottom_m(n, e)) - 0.1] for n, e in corners]
        return [{"kind": "line", "points": points, "colour": "#56B4E9", "label": "area"}]

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge of objects found and distance run."""
        return SearchJudge(self, world, vehicle)


class SearchJudge(Judge):
    """Judge of objects in sight, sighted and found, and of the distance run."""

    judged = ("altitude_m",)
    shown = ("found", "sighted", "in_sight", "confirming", "distance_run_m")

    def __init__(self, target: Search, world: World, vehicle: Vehicle) -> None:
        self.target = target
        order = {item.name: k for k, item in enumerate(world.structures)}
        self._indices = np.array([order[name] for name in target.hidden])
        self.places_n = np.array([world.structures[k].center_n() for k in self._indices])
        super().__init__(world, vehicle)

    def begin(self) -> None:
        """Reset sightings, finds and the distance."""
        super().begin()
        n = self.target.count
        self.in_sight_s, self.in_middle_s = np.zeros(n), np.zeros(n)
        self.sighted, self.confirmed = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        self.distance_run_m = 0.0
        self._before: Array | None = None

    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """Numbers of objects found, sighted and in sight, and the distance run."""
        view = self.visible(observation)
        longest = float(np.max(np.where(self.confirmed, 0.0, self.in_middle_s), initial=0.0))
        return {
            "altitude_m": observation.altitude_m,
            "found": float(self.confirmed.sum()),
            "sighted": float(self.sighted.sum()),
            "in_sight": float((view & ~self.confirmed).sum()),
            "confirming": min(longest / self.target.confirm_s, 1.0),
            "distance_run_m": self.distance_run_m,
        }

    def advance(self, observation: Observation) -> None:
        """Update the times in sight of each object, and the distance run."""
        target, view = self.target, self.visible(observation)
        middle = view & observation.in_picture(self.places_n, target.middle)
        self.in_sight_s = np.where(view, self.in_sight_s + observation.dt, 0.0)
        self.in_middle_s = np.where(middle, self.in_middle_s + observation.dt, 0.0)
        self.sighted |= self.in_sight_s >= target.sight_s - 1e-9
        self.confirmed |= self.sighted & (self.in_middle_s >= target.confirm_s - 1e-9)
        if self._before is not None:
            self.distance_run_m += float(np.linalg.norm(observation.position_n - self._before))
        self._before = observation.position_n.copy()
        # `update` computed these before this tick was counted: the columns show the new numbers at once.
        self.now |= {"found": float(self.confirmed.sum()), "sighted": float(self.sighted.sum()),
                     "distance_run_m": self.distance_run_m}  # fmt: skip
        self.completed = bool(self.confirmed.all())
        self.progress = float(self.confirmed.mean())
        self.marks_version = int(self.confirmed.sum())

    def extra_measures(self) -> dict[str, float]:
        """Numbers of objects found and sighted, and the distance run."""
        return {
            "found": float(self.confirmed.sum()),
            "sighted": float(self.sighted.sum()),
            "distance_run_m": self.distance_run_m,
        }

    def marks(self) -> list[Mark]:
        """The objects found so far."""
        return [
            {"kind": "point", "points": [self.places_n[k].tolist()], "colour": "#009E73", "label": f"found {k + 1}"}
            for k in np.flatnonzero(self.confirmed).tolist()
        ]

    def visible(self, observation: Observation) -> NDArray[np.bool_]:
        """Which objects are in sight."""
        sight = self.places_n - observation.camera_n
        far = np.linalg.norm(sight, axis=1)
        view = (far <= min(self.target.sight_m, observation.visibility_m)) & observation.in_picture(self.places_n)
        which = np.flatnonzero(view)
        if which.size:
            rays = sight[which] / np.maximum(far[which], 1e-9)[:, np.newaxis]
            # An object is visible if the ray to its middle hits it first.
            hits = self.world.cast(np.tile(observation.camera_n, (which.size, 1)), rays, max_range_m=1e3)
            view[which] = np.asarray(hits.obstacle) == self._indices[which]
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
    """Whether the bounding sphere of a structure is less than 2 m away; half spaces have an infinite one."""
    return math.dist(structure.center_n(), point) < min(structure.bound_m(), 1e6) + 2.0


def _with(world: World, structures: tuple[Structure, ...]) -> World:
    return replace(world, structures=structures)
