"""DIS enumerations used by Pelagos, from SISO-REF-010 version 29 (2021).

Part classes are multiples of 32, metrics are 0..31, and a parameter type is their sum. The standard has classes for
rudders, dive planes and propellers, but none for tunnel thrusters and sonar heads. Pelagos numbers those from
`OUR_CLASSES` on, far above the last class assigned (9792), so that other programs do not draw them as something else.
"""

from __future__ import annotations

from enum import IntEnum


class Force(IntEnum):
    """Force that an entity belongs to."""

    OTHER = 0
    FRIENDLY = 1
    OPPOSING = 2
    NEUTRAL = 3


class PartClass(IntEnum):
    """Classes of articulated parts."""

    RUDDER = 1024
    PROPELLER_1 = 1280
    PROPELLER_2 = 1312
    PROPELLER_3 = 1344
    PROPELLER_4 = 1376
    PERISCOPE = 2048
    GENERIC_ANTENNA = 2080
    DIVE_PLANE_SAIL_LEFT = 2176
    DIVE_PLANE_SAIL_RIGHT = 2208
    DIVE_PLANE_BOW_LEFT = 2240
    DIVE_PLANE_BOW_RIGHT = 2272
    DIVE_PLANE_STERN_LEFT = 2304
    DIVE_PLANE_STERN_RIGHT = 2336


CLASS_STEP = 32
OUR_CLASSES = 0x10000
OUR_THRUSTERS = OUR_CLASSES  # thruster n, from 0, adds 32 n; fins and sonars likewise
OUR_FINS = OUR_CLASSES + 0x1000
OUR_SONARS = OUR_CLASSES + 0x2000


class ArticulationMetric(IntEnum):
    """Quantity that the value of an articulated part measures; units are m, rad and their rates per second."""

    NOT_SPECIFIED = 0
    POSITION = 1
    POSITION_RATE = 2
    EXTENSION = 3
    EXTENSION_RATE = 4
    X = 5
    X_RATE = 6
    Y = 7
    Y_RATE = 8
    Z = 9
    Z_RATE = 10
    AZIMUTH = 11
    AZIMUTH_RATE = 12
    ELEVATION = 13
    ELEVATION_RATE = 14
    ROTATION = 15
    ROTATION_RATE = 16


class Damage(IntEnum):
    """Damage of an entity; two bits of its appearance."""

    NONE = 0
    SLIGHT = 1
    MODERATE = 2
    DESTROYED = 3


MOBILITY_KILLED, LIGHTS_ON, FROZEN, POWER_ON, DEACTIVATED = 1 << 1, 1 << 12, 1 << 21, 1 << 22, 1 << 23
DAMAGE_BIT = 3


def appearance(
    *,
    damage: Damage = Damage.NONE,
    immobile: bool = False,
    lights: bool = False,
    frozen: bool = False,
    power: bool = False,
    deactivated: bool = False,
) -> int:
    """Return the 32 appearance bits of a subsurface platform.

    immobile     bit 1, it cannot move
    damage       bits 3 and 4
    lights       bit 12, running lights
    frozen       bit 21, it is at rest because the exercise is frozen: receivers must not extrapolate it
    power        bit 22, its engines run
    deactivated  bit 23, it has left the exercise; set in the last Entity State PDU of an entity
    """
    bits = int(damage) << DAMAGE_BIT
    for is_set, bit in (
        (immobile, MOBILITY_KILLED),
        (lights, LIGHTS_ON),
        (frozen, FROZEN),
        (power, POWER_ON),
        (deactivated, DEACTIVATED),
    ):
        bits |= bit if is_set else 0
    return bits


def metric_unit(metric: int) -> str:
    """Return the unit of a metric's value, "" if the standard has none."""
    if metric in (ArticulationMetric.AZIMUTH, ArticulationMetric.ELEVATION, ArticulationMetric.ROTATION):
        return "rad"
    if metric in (ArticulationMetric.AZIMUTH_RATE, ArticulationMetric.ELEVATION_RATE, ArticulationMetric.ROTATION_RATE):
        return "rad/s"
    if metric in (
        ArticulationMetric.POSITION,
        ArticulationMetric.EXTENSION,
        ArticulationMetric.X,
        ArticulationMetric.Y,
        ArticulationMetric.Z,
    ):
        return "m"
    return "m/s" if 2 <= metric <= 10 else ""
