"""Properties of the water: density, temperature, salinity and speed of sound over depth; visibility and colour.

Presets and `density_kg_m3` are constants, the same at all depths. A temperature and salinity, or a measured profile of
both, give in-situ density and speed of sound by TEOS-10 (package gsw) at the pressure of the depth.

Visibility and colour affect images only. A black target of inherent contrast -1 fades against the water as
C = -exp(-c r) along a horizontal line of sight (Duntley 1963, after Koschmieder 1924). It is visible down to a contrast
of 2 %, so c = ln(50) / visibility = 3.9 / visibility.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import WATER, WORLD, choice, number, numbers
from pelagos.errors import MissingExtraError, one_of
from pelagos.files.reader import by_name

if TYPE_CHECKING:
    from pelagos.world.writer import SeaWriter


Array = NDArray[np.float64]
TABLE_ERROR_KG_M3 = 0.005  # largest difference of the kernel's table from TEOS-10
TABLE_STEP_M = 5.0  # sampling of TEOS-10 from which the table is selected
DEFAULT_TABLE_M, DEEPEST_M = 1000.0, 11000.0  # table of a world without a depth; deepest ocean
RANGE = {"temperature_c": (-3.0, 45.0), "salinity_g_kg": (0.0, 120.0), "latitude_deg": (-90.0, 90.0)}
THRESHOLD = 0.02  # smallest visible contrast
Colour = tuple[float, float, float]
COLOURS: dict[str, Colour] = {  # of the light scattered back from deep water, red, green, blue from 0 to 1
    "blue": (0.02, 0.15, 0.30),  # ocean, far from land
    "turquoise": (0.03, 0.27, 0.33),  # coastal, over sand
    "green": (0.05, 0.22, 0.17),  # coastal, with plankton
    "brown": (0.20, 0.17, 0.09),  # harbours and rivers
    "clear": (0.20, 0.42, 0.50),  # a lit basin
}


class Preset(NamedTuple):
    """Properties of water at the surface; density and speed of sound by TEOS-10."""

    temperature_c: float
    salinity_g_kg: float
    density_kg_m3: float
    sound_speed_m_s: float


PRESETS = {
    "sea": Preset(15.0, 35.0, 1025.849, 1506.48),
    "brackish": Preset(10.0, 8.0, 1005.916, 1457.11),
    "fresh": Preset(15.0, 0.0, 999.103, 1465.94),
}


@by_name("water", "Water(preset='sea')")
@dataclass(frozen=True, kw_only=True)
class Water:
    """Description of the water: a preset, a constant density, or temperature and salinity.

    A `preset` alone is a constant density. `temperature_c` (in situ) or `salinity_g_kg` (absolute) replace those of the
    preset, and `profile` (rows of depth m, temperature, salinity) replaces both; density then follows from TEOS-10 and
    changes with depth. `density_kg_m3` overrides it with a constant. Profiles are linear between rows and constant
    outside. The latitude determines the gravity for pressure.
    """

    preset: str = "sea"
    density_kg_m3: float | None = None
    temperature_c: float | None = None
    salinity_g_kg: float | None = None
    profile: tuple[tuple[float, ...], ...] = ()
    latitude_deg: float | None = None

    def __post_init__(self) -> None:
        """Validate the keys and their combination."""
        choice("preset", self.preset, ("", *PRESETS), f'{one_of(PRESETS)}, or ""', context=WATER)
        for key, (low, high) in {**RANGE, "density_kg_m3": (500.0, 2000.0)}.items():
            value: Any = getattr(self, key)
            if value is not None:
                number(key, value, low, high, context=WATER)
        if self.profile != ():
            self._rows()
            for key in ("density_kg_m3", "temperature_c", "salinity_g_kg"):
                if getattr(self, key) is not None:
                    WATER.fail(key, "not together with profile", value=getattr(self, key))
        elif not self.preset and self.density_kg_m3 is None:
            for key in ("temperature_c", "salinity_g_kg"):
                if getattr(self, key) is None:
                    WATER.fail("preset", value=self.preset, expected=f"a preset, a density, or {key} as well")

    @property
    def stratified(self) -> bool:
        """Whether density comes from TEOS-10 and changes with depth."""
        overridden = self.temperature_c is not None or self.salinity_g_kg is not None
        return bool(self.profile) or (overridden and self.density_kg_m3 is None)

    @property
    def surface_density_kg_m3(self) -> float:
        """Density at the surface."""
        return float(self.density(0.0))

    @property
    def gravity_m_s2(self) -> float | None:
        """Gravity at sea level and latitude: normal gravity of WGS84 (Somigliana); None without a latitude."""
        if self.latitude_deg is None:
            return None
        s2 = math.sin(math.radians(self.latitude_deg)) ** 2
        return 9.7803253359 * (1.0 + 0.00193185265241 * s2) / math.sqrt(1.0 - 0.00669437999014 * s2)

    def temperature(self, depth_m: ArrayLike) -> Array:
        """Return the in-situ temperature, deg C."""
        return self._column(depth_m, 1, "temperature_c")

    def salinity(self, depth_m: ArrayLike) -> Array:
        """Return the absolute salinity, g/kg."""
        return self._column(depth_m, 2, "salinity_g_kg")

    def density(self, depth_m: ArrayLike) -> Array:
        """Return the in-situ density, kg/m^3."""
        if self.stratified:
            return np.asarray(_gsw().rho_t_exact(*self._state(depth_m)), dtype=np.float64)
        constant = PRESETS[self.preset].density_kg_m3 if self.density_kg_m3 is None else self.density_kg_m3
        return np.full(np.shape(depth_m), float(constant))

    def sound_speed_m_s(self, depth_m: ArrayLike) -> Array:
        """Return the speed of sound: constant for a preset, else TEOS-10 for temperature, salinity and pressure."""
        if self.profile or self.temperature_c is not None or self.salinity_g_kg is not None:
            return np.asarray(_gsw().sound_speed_t_exact(*self._state(depth_m)), dtype=np.float64)
        return np.full(np.shape(depth_m), self._preset("sound_speed_m_s"))

    def _state(self, depth_m: ArrayLike) -> tuple[Array, Array, Array]:
        """Salinity, temperature, pressure in dbar."""
        latitude = 45.0 if self.latitude_deg is None else self.latitude_deg
        pressure = _gsw().p_from_z(-np.maximum(np.asarray(depth_m, dtype=np.float64), 0.0), latitude)
        return self.salinity(depth_m), self.temperature(depth_m), pressure

    def _column(self, depth_m: ArrayLike, column: int, key: str) -> Array:
        if self.profile:
            rows = self._rows()
            return np.asarray(np.interp(np.asarray(depth_m, dtype=np.float64), rows[:, 0], rows[:, column]))
        value = getattr(self, key)
        return np.full(np.shape(depth_m), self._preset(key) if value is None else float(value))

    def _preset(self, key: str) -> float:
        if not self.preset:
            WATER.fail(
                "preset", value=self.preset, expected=f"a preset, or temperature_c and salinity_g_kg, to know the {key}"
            )
        return float(getattr(PRESETS[self.preset], key))

    def _rows(self) -> Array:
        expected = "rows of depth_m, temperature_c, salinity_g_kg: depths from 0 ascending"
        try:
            rows = np.array([[float(x) for x in row] for row in self.profile])
        except (TypeError, ValueError):
            rows = np.zeros((0, 0))
        if rows.ndim != 2 or rows.shape[1] != 3 or not np.isfinite(rows).all():
            WATER.fail("profile", expected=expected, value=self.profile)
        if rows[0, 0] < 0.0 or not (np.diff(rows[:, 0]) > 0.0).all():
            WATER.fail("profile", expected=expected, value=self.profile)
        for column, key in ((1, "temperature_c"), (2, "salinity_g_kg")):
            low, high = RANGE[key]
            for value in rows[:, column].tolist():
                number("profile", value, low, high, expected=f"{key} from {low:g} to {high:g}", context=WATER)
        return rows


def density_table(water: Water, depth_m: float | None = None) -> tuple[Array, Array]:
    """Return a short table of depths and densities within 0.005 kg/m^3 of TEOS-10, linear between rows.

    Down to `depth_m`, the last row of the profile or 1000 m, whichever is deepest (without a `depth_m`); at most 11 km.
    """
    deepest = water._rows()[-1, 0] if water.profile else 0.0
    requested = DEFAULT_TABLE_M if depth_m is None or not math.isfinite(depth_m) else depth_m
    end = min(max(deepest, requested), DEEPEST_M)
    if not water.stratified:
        return np.zeros(1), np.array([water.surface_density_kg_m3])
    fine = np.linspace(0.0, end, max(int(end / TABLE_STEP_M), 20) + 1)
    if water.profile:  # also between rows that are close to each other, in a thermocline
        rows = water._rows()[:, 0]
        fine = np.unique(np.concatenate([fine, np.linspace(rows[:-1], rows[1:], 17).ravel(), rows]))
    exact = water.density(fine)
    keep = _needed(fine, exact, 0, len(fine) - 1)
    return fine[keep], exact[keep]


def _needed(x: Array, y: Array, first: int, last: int) -> list[int]:
    """Indices of a polyline within the tolerance: split at the largest error (Douglas & Peucker 1973)."""
    keep, open_ = {first, last}, [(first, last)]
    while open_:
        a, b = open_.pop()
        if b - a < 2:
            continue
        line = y[a] + (y[b] - y[a]) * (x[a:b] - x[a]) / (x[b] - x[a])
        worst = a + int(np.argmax(np.abs(y[a:b] - line)))
        if abs(y[worst] - line[worst - a]) > TABLE_ERROR_KG_M3:
            keep.add(worst)
            open_ += [(a, worst), (worst, b)]
    return sorted(keep)


def pack_water(water: Water, writer: SeaWriter, *, depth_m: float | None = None) -> None:
    """Write the density relative to the surface into the kernel's table, down to `depth_m`; none if constant."""
    from pelagos.engine.water.sea import DENSITY

    if not water.stratified:
        return
    depths, densities = density_table(water, depth_m)
    slopes = np.append(np.diff(densities) / np.diff(depths), 0.0)
    extra = densities - densities[0]
    knots = [{"depth": d, "value": v, "slope": s} for d, v, s in zip(depths, extra, slopes, strict=True)]
    writer.table("density", DENSITY, knots)


def _gsw() -> Any:
    try:
        import gsw
    except ImportError:
        raise MissingExtraError("gsw", "density from temperature and salinity (TEOS-10)", "world") from None
    return gsw


def attenuation_1_m(visibility_m: float) -> float:
    """Return the attenuation c of exp(-c r), 1/m: contrast falls to 2 % at the visibility."""
    return -math.log(THRESHOLD) / visibility_m


def rgb(colour: object) -> Colour:
    """Return red, green and blue from 0 to 1 of a colour name or of three numbers."""
    if isinstance(colour, str):
        expected = f"{one_of(COLOURS)}, or three numbers from 0 to 1"
        return COLOURS[choice("water_colour", colour, COLOURS, expected, context=WORLD)]
    expected = "three numbers from 0 to 1: red, green, blue"
    values = numbers("water_colour", colour, 3, expected=expected, context=WORLD).tolist()
    red, green, blue = (number("water_colour", value, 0.0, 1.0, expected=expected, context=WORLD) for value in values)
    return red, green, blue
