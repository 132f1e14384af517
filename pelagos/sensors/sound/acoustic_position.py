"""Acoustic positioning: ultra-short baseline (USBL) from a ship and long baseline (LBL) from transponders.

USBL: a transceiver under a ship, or at any known place, measures range, bearing and elevation of the vehicle:

    range     r = |p - s|,   p the transponder on the vehicle, s the transceiver, NED
    bearing   atan2(east, north) of p - s;   elevation  asin(down / r), positive below the horizon
    fix       s + r (cos e cos b, cos e sin b, sin e)

LBL: ranges to n transponders at known positions, and the position that fits them best (Gauss-Newton on the range
residuals); of the two mirror images about the plane of three transponders it is the shallower one.

Delay: sound takes r / c each way. A reading is valid at the instant at which the vehicle sends or receives; it arrives

    `ways` r / c + turnaround_s + latency_s  later:  1 way   the vehicle hears a clock-synchronised ping
                                                     2 ways  interrogation and reply
                                                     3 ways  interrogation, reply, and the fix sent to the vehicle

c is the mean speed of sound of the world; the instrument uses `assumed_sound_speed_m_s`, so an error in it scales the
ranges. Rays are straight: bending by layers of different sound speed is left out, as is the vehicle's motion
while the sound travels (at most speed x r / c). A structure or the seabed in the line of sight: no reading.

Reference: P. H. Milne, "Underwater Acoustic Positioning Systems", Spon 1983, for both systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pelagos.checks import SENSOR, numbers, whole
from pelagos.errors import ScenarioError
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.beams import check_limits

STAND_M = 0.5  # obstacles this close to the far end do not block the path: a transponder stands on the seabed
MOST = 32  # transponders; each adds a column
EXPECTED = f"1 to {MOST} rows of NED metres"
Point = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class AcousticPosition(Sensor):
    """Keys that USBL and LBL have in common."""

    min_range_m: float = 1.0
    max_range_m: float = 1000.0
    noise_m: float = 0.0  # of a range
    noise_per_range: float = 0.0
    bias_m: float = 0.0
    walk_m_sqrt_h: float = 0.0  # random walk of that offset
    scale: float = 0.0  # standard deviation of a relative error common to all ranges: speed of sound
    resolution_m: float = 0.0
    ways: Literal[1, 2, 3] = 2
    turnaround_s: float = 0.0  # delay of the transponder between receiving and replying
    assumed_sound_speed_m_s: float | None = None  # None: the true one

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limits(self, "min_range_m", "max_range_m")
        for key in ("noise_m", "noise_per_range", "bias_m", "walk_m_sqrt_h", "resolution_m"):
            self.check(key, 0.0)
        self.check("scale", 0.0, 1.0)
        self.check("turnaround_s", 0.0, 60.0)
        whole("ways", self.ways, 1, 3, context=SENSOR)
        if self.assumed_sound_speed_m_s is not None:
            self.check("assumed_sound_speed_m_s", 1000.0, 2000.0)


@dataclass(frozen=True, kw_only=True)
class Usbl(AcousticPosition):
    """Ultra-short baseline system: range, bearing and elevation from a transceiver, and the position fix."""

    kind: ClassVar[str] = "usbl"

    ship_m: Point = (0.0, 0.0, 2.0)  # transceiver, NED, at time 0
    ship_velocity_m_s: Point = (0.0, 0.0, 0.0)  # of the ship, NED; it holds its course
    angle_noise_deg: float = 0.0  # of bearing and of elevation
    angle_bias_deg: float = 0.0  # standard deviation of a constant error of each: mounting and compass of the ship
    angle_walk_deg_sqrt_h: float = 0.0  # random walk of these errors

    def __post_init__(self) -> None:
        """Validate the keys; the transceiver must be under water."""
        super().__post_init__()
        self.check_all(0.0, 90.0, "angle_noise_deg", "angle_bias_deg", "angle_walk_deg_sqrt_h")
        for key in ("ship_m", "ship_velocity_m_s"):
            _check_point(key, getattr(self, key))
        if self.ship_m[2] <= 0.0:
            raise ScenarioError(
                file="sensor", key="ship_m", value=self.ship_m, expected="a transceiver under water: down above 0"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Range, bearing and elevation from the ship, and the position of the transponder on the vehicle."""
        return ("range_m", "bearing_deg", "elevation_deg", "north_m", "east_m", "depth_m")


@dataclass(frozen=True, kw_only=True)
class Lbl(AcousticPosition):
    """Long baseline system: ranges to transponders at known positions, and the position fix."""

    kind: ClassVar[str] = "lbl"

    transponders_m: tuple[Point, ...] = ()  # NED; empty in library parts, set in the vehicle or scenario file

    def __post_init__(self) -> None:
        """Validate the positions of the transponders."""
        super().__post_init__()
        if len(self.transponders_m) > MOST:
            raise ScenarioError(file="sensor", key="transponders_m", value=self.transponders_m, expected=EXPECTED)
        for point in self.transponders_m:
            _check_point("transponders_m", point)

    @property
    def columns(self) -> tuple[str, ...]:
        """Range of each transponder, NaN without a reply, and the position; NaN with fewer than three ranges."""
        return (*(f"range_{k}_m" for k in range(1, len(self.transponders_m) + 1)), "north_m", "east_m", "depth_m")


def _check_point(key: str, point: Sequence[float]) -> None:
    numbers(key, point, 3, expected="three finite numbers north, east, down", context=SENSOR)
