"""`World`: description of surface, waves, water, currents, seabed and structures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import STRUCTURE, WORLD, flag, number, numbers
from pelagos.errors import CommandError, ScenarioError
from pelagos.files.reader import by_name
from pelagos.world.current.kinds import Current
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.structure import Structure
from pelagos.world.water import Water, rgb
from pelagos.world.waves import Waves

if TYPE_CHECKING:
    from pelagos.world.rays import Hits, Rays

TimeFunction = Callable[[float], Sequence[float]]
GRAVITY = 9.80665  # m/s2, standard gravity


@by_name("world", "World(depth_m=30)")
@dataclass(frozen=True, kw_only=True)
class World:
    """Environment of the vehicle: surface, waves, water, currents, seabed and structures.

    All fields are optional: `World()` is a calm, infinitely deep sea with a surface. `depth_m` alone makes a flat
    bottom; `seabed`, `structures`, `waves`, `water` and `currents` (which add up) describe more; `pelagos.load_world`
    reads all of them from a file. A density or gravity of None is the one for which the vehicle was modelled.

    The uniform current flows *towards* `current_to_deg`, clockwise from north. `current` replaces it by a function of
    time in seconds that returns north, east, down in m/s; between control ticks it is interpolated linearly.

    `visibility_m` and `water_colour` affect images only, not forces or instruments.
    """

    name: str = ""
    summary: str = ""
    depth_m: float = math.inf
    surface: bool = True  # False: no surface; every vehicle is always fully submerged
    density_kg_m3: float | None = None
    density_gradient_kg_m4: float = 0.0
    gravity_m_s2: float | None = None
    current_m_s: float = 0.0
    current_to_deg: float = 0.0
    current_down_m_s: float = 0.0
    visibility_m: float = 15.0  # of a black object against the water; images only
    water_colour: str | tuple[float, float, float] = "blue"  # a name, or red, green, blue from 0 to 1
    origin_lat_deg: float | None = None  # of north = east = 0, for files in latitude and longitude
    origin_lon_deg: float | None = None
    current: TimeFunction | None = None
    water: Water | None = None
    waves: Waves | None = None
    currents: tuple[Current, ...] = ()
    seabed: Seabed | None = None
    structures: tuple[Structure, ...] = ()
    sources: tuple[str, ...] = ()
    path: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Validate all fields."""
        number("depth_m", self.depth_m, 0.0, above=True, infinite=True, context=WORLD)
        for key in ("density_kg_m3", "gravity_m_s2", "visibility_m"):
            if getattr(self, key) is not None or key == "visibility_m":
                number(key, getattr(self, key), 0.0, above=True, expected="a finite number above 0", context=WORLD)
        for key in ("density_gradient_kg_m4", "current_m_s", "current_to_deg", "current_down_m_s"):
            number(key, getattr(self, key), context=WORLD)
        rgb(self.water_colour)
        flag("surface", self.surface, context=WORLD)
        for key, kind in (("water", Water), ("waves", Waves), ("seabed", Seabed)):
            value = getattr(self, key)
            if value is not None and not isinstance(value, kind):
                WORLD.fail(key, value=value, expected=f"a {kind.__name__}")
        for key, kind in (("currents", Current), ("structures", Structure)):
            items = getattr(self, key)
            if not isinstance(items, tuple | list) or not all(isinstance(item, kind) for item in items):
                WORLD.fail(key, value=items, expected=f"a tuple of {kind.__name__}s")
            # the value as checked: the record is frozen once __post_init__ ends
            object.__setattr__(self, key, tuple(items))
        if self.water is not None and (self.density_kg_m3 is not None or self.density_gradient_kg_m4 != 0.0):
            WORLD.fail("density_kg_m3", "not together with water, which has its own", value=self.density_kg_m3)
        if self.waves is not None and not self.surface:
            WORLD.fail("surface", value=False, expected="true where there are waves")
        self._refuse_twins()
        self._refuse_bad_function()
        if self.waves is not None:
            self.waves.check(depth_m=self.still_depth_m, gravity_m_s2=self.gravity_m_s2 or GRAVITY)

    def _refuse_twins(self) -> None:
        names = [item.name for item in self.structures if item.name]
        for name in names:
            if names.count(name) > 1:
                STRUCTURE.fail("name", value=name, expected="a name of its own for each structure")

    def _refuse_bad_function(self) -> None:
        if self.current is None:
            return
        if not callable(self.current):
            WORLD.fail(
                "current",
                value=self.current,
                expected="a function of time in seconds that returns north, east, down in m/s; a steady one is "
                "current_m_s, and descriptions such as Tidal belong to currents",
            )
        for key in ("current_m_s", "current_to_deg", "current_down_m_s"):
            if getattr(self, key) != 0.0:
                WORLD.fail(key, "not together with the function current", value=getattr(self, key))

    @cached_property
    def bottom(self) -> Seabed | None:
        """The seabed: `seabed`, or a flat one at `depth_m`; None in infinitely deep water."""
        if self.seabed is not None or not math.isfinite(self.depth_m):
            return self.seabed
        return Seabed(kind="flat", depth_m=self.depth_m)

    @property
    def still_depth_m(self) -> float:
        """Water depth for waves: `depth_m`, or the depth of the seabed at the origin."""
        if math.isfinite(self.depth_m) or self.bottom is None:
            return self.depth_m
        return float(self.bottom.z(0.0, 0.0))

    @property
    def surface_density_kg_m3(self) -> float | None:
        """Density of the water at the surface; None: that for which the vehicle was modelled."""
        return self.density_kg_m3 if self.water is None else self.water.surface_density_kg_m3

    def bottom_m(self, north_m: ArrayLike, east_m: ArrayLike) -> NDArray[np.float64]:
        """Return the depth of the seabed at points, m; infinite without a seabed."""
        north, east = np.broadcast_arrays(np.asarray(north_m, float), np.asarray(east_m, float))
        return np.full(north.shape, math.inf) if self.bottom is None else np.asarray(self.bottom.z(north, east))

    def packed(self, *, gravity_m_s2: float | None = None, until_s: float = 0.0) -> NDArray[np.float64]:
        """Return the flat array that the kernel reads."""
        from pelagos.world.pack import pack_world

        return pack_world(self, gravity_m_s2=gravity_m_s2 or self.gravity_m_s2 or GRAVITY, until_s=until_s)

    @cached_property
    def _rays(self) -> Rays:
        from pelagos.world.rays import Rays

        meshes = [(k, item.triangles()) for k, item in enumerate(self.structures) if item.kind == "mesh"]
        return Rays(self.packed(), meshes, [self.named(k) for k in range(len(self.structures))])

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Hits:
        """Cast rays from NED points along NED directions; see `pelagos.world.rays.Hits`."""
        return self._rays.cast(origins, directions, max_range_m=max_range_m)

    def named(self, number: int) -> str:
        """Return the name of what a ray or a contact hit: number of a structure, -1 seabed, -3 another vehicle."""
        if number < 0:
            return {-1: "seabed", -3: "another vehicle"}.get(number, "")
        return self.structures[number].name or f"structure {number}"

    def current_n(self, time_s: float) -> NDArray[np.float64]:
        """Return the velocity of the uniform current, NED, m/s; `water_velocity` adds `currents` and waves."""
        if self.current is None:
            to = math.radians(self.current_to_deg)
            speed = self.current_m_s
            return np.array([speed * math.cos(to), speed * math.sin(to), self.current_down_m_s])
        flow = self.current(time_s)
        try:
            return numbers("current", flow, 3)
        except CommandError:
            raise ScenarioError(
                file="world",
                key=f"current({time_s:g})",
                value=flow,
                expected="three finite numbers north, east, down, m/s",
            ) from None

    def water_velocity(self, positions_n: ArrayLike, time_s: float = 0.0) -> NDArray[np.float64]:
        """Return the velocity of the water at NED points (n, 3), m/s: all currents and the orbital motion of waves."""
        from pelagos.engine.water.flow import sample_flow
        from pelagos.engine.water.waves import sample_waves

        points = np.atleast_2d(np.asarray(positions_n, float))
        sea, times = self.packed(until_s=time_s), np.full(len(points), float(time_s))
        flow, waves = np.zeros((len(points), 6)), np.zeros((len(points), 9))
        sample_flow(sea, points, times, flow)
        sample_waves(sea, points, times, waves)
        return self.current_n(time_s) + flow[:, :3] + waves[:, 3:6]

    def surface_m(self, north_m: ArrayLike, east_m: ArrayLike, time_s: float = 0.0) -> NDArray[np.float64]:
        """Return z (positive down) of the moving surface, m."""
        from pelagos.engine.water.waves import sample_waves

        north, east = np.broadcast_arrays(np.asarray(north_m, float), np.asarray(east_m, float))
        if self.waves is None:
            return np.zeros(north.shape)
        points = np.stack([north.ravel(), east.ravel(), np.zeros(north.size)], axis=1)
        out = np.zeros((north.size, 9))
        sample_waves(self.packed(), points, np.full(north.size, float(time_s)), out)
        return out[:, 0].reshape(north.shape)
