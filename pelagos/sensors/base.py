"""Base class of all sensors: the description that is read from a file, and what it depends on.

A `Sensor` is a frozen description whose fields are the keys of a file: mounting, rate, latency and sizes of the errors.
`Sensor.make` builds an instrument (`pelagos.sensors.instruments`), which holds the state and measures, for one vehicle
or for many. `suite` runs all instruments of a vehicle.

    true value -> (1 + scale) x + bias + walk + noise -> rounding to the resolution -> limits -> drop-outs -> latency

Frames: NED and body axes (x forward, y starboard, z down); SI and radians inside, units in the names of columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import SENSOR, number, numbers
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler

if TYPE_CHECKING:
    from pelagos.sensors.instruments.base import Instrument
    from pelagos.sensors.random import Noise

Array = NDArray[np.float64]


class Scene(Protocol):
    """Surroundings that instruments can sense; `pelagos.World` implements it."""

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Any:
        """Cast rays, NED.

        Returns:
            An object with `range_m`, `normal` and `what` (number of the structure, -1 seabed, -2 nothing).
        """
        ...

    def water_velocity(self, positions_n: ArrayLike, time_s: float = 0.0) -> Array:
        """Return the velocity of the water at NED points (n, 3), m/s."""
        ...


@dataclass(frozen=True)
class VehicleContext:
    """Properties of the vehicle and of the site that instruments depend on."""

    vehicle: str = ""  # its name ...
    number: int = 0  # ... and number among those of the name, as in a batch: both select its random numbers
    thrusters: tuple[str, ...] = ()
    thruster_units: tuple[tuple[str, float], ...] = ()  # unit in the log and factor to it: ("rpm", 9.549)
    surfaces: tuple[str, ...] = ()
    origin_lat_deg: float = 0.0  # where north = east = 0 lies
    origin_lon_deg: float = 0.0
    density_kg_m3: float = 1025.0
    gravity_m_s2: float = 9.80665
    sound_speed_m_s: float = 1500.0


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """Description of a sensor; each kind adds keys for its errors, with units: `noise_m`, `bias_m`."""

    kind: ClassVar[str] = ""

    name: str = ""  # unique on the vehicle; empty: the kind
    summary: str = ""
    rate_hz: float = 1.0
    latency_s: float = 0.0  # from measuring to arriving
    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)  # body axes about O
    orientation_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)  # roll, pitch, yaw of its axes in the body
    dropout: float = 0.0  # share of readings that are lost

    def __post_init__(self) -> None:
        """Validate the common keys; each kind also validates its own."""
        self.check("rate_hz", 1e-6, 10000.0)
        self.check("latency_s", 0.0, 3600.0)
        self.check("dropout", 0.0, 1.0)
        if self.name and not (self.name.isascii() and self.name.isidentifier()):
            raise ScenarioError(
                file="sensor", key="name", value=self.name, expected="letters, digits and _, for the names of columns"
            )
        for key in ("position_m", "orientation_deg"):
            numbers(key, getattr(self, key), 3, expected="three finite numbers", context=SENSOR)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Raise a `ScenarioError` if the value of a key is not a number within the limits."""
        number(key, getattr(self, key), low, high, context=SENSOR)

    def check_all(self, low: float, high: float, *keys: str) -> None:
        """Check several keys against the same limits."""
        for key in keys:
            self.check(key, low, high)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names of the reading with units, without the name of the sensor."""
        raise NotImplementedError

    @cached_property
    def R_bs(self) -> Array:
        """Rotation matrix from sensor axes to body axes."""
        return rotation_from_euler(*np.radians(self.orientation_deg))

    def make(self, fit: VehicleContext, noise: Noise) -> Instrument[Any]:
        """Build the instrument that measures on each vehicle whose random numbers `noise` has, and switch it on."""
        # not at the top: to describe a sensor must not load Numba
        from pelagos.sensors.instruments.kinds import INSTRUMENTS

        instrument = INSTRUMENTS[self.kind](self, fit, noise)
        instrument.begin(instrument.everyone)
        return instrument

    def columns_on(self, fit: VehicleContext) -> tuple[str, ...]:
        """Column names on a given vehicle; they differ from `columns` where each actuator has one (tachometers)."""
        del fit
        return self.columns
