"""Frozen records that vehicles, controllers, sensors and links exchange: state, setpoint, actuation, reading, event.

The constructor of a record checks that every number is finite and inside its range, so no receiver has to check again.
A bad number raises `CommandError` with the field, the value and the range.

Units are in the field names; fields without one (`VehicleState`, `Actuation`) are in SI units and radians. Body axes
are x forward, y starboard, z down; positions are north, east, down.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number, numbers
from pelagos.errors import CommandError

Array = NDArray[np.float64]

# The ranges catch wrong units (feet, radians, centimetres); whether a vehicle can hold a setpoint is checked elsewhere.
SETPOINT_RANGE = {
    "depth_m": (0.0, 12000.0),
    "altitude_m": (0.0, 12000.0),
    "heading_deg": (-360.0, 360.0),
    "speed_m_s": (-30.0, 30.0),
    "pitch_deg": (-90.0, 90.0),
    "roll_deg": (-180.0, 180.0),
    "north_m": (-1e7, 1e7),
    "east_m": (-1e7, 1e7),
}


@dataclass(frozen=True)
class Setpoint:
    """Setpoints of the autopilot: the quantities to hold; None leaves a quantity unchanged.

    depth_m      depth of the body origin below the still surface
    altitude_m   height of the body origin above the bottom, instead of a depth
    heading_deg  clockwise from north; the vehicle turns the shorter way
    speed_m_s    forward speed through the water
    pitch_deg    nose up positive
    roll_deg     starboard side down positive
    north_m, east_m   a position to keep, both or none; with them `speed_m_s` limits the speed towards it
    """

    depth_m: float | None = None
    heading_deg: float | None = None
    speed_m_s: float | None = None
    pitch_deg: float | None = None
    roll_deg: float | None = None
    altitude_m: float | None = None
    north_m: float | None = None
    east_m: float | None = None

    def __post_init__(self) -> None:
        for name, (low, high) in SETPOINT_RANGE.items():
            value = getattr(self, name)
            # a guide makes a setpoint at every tick: a float in range needs no call of the check
            if value is not None and not (type(value) is float and low <= value <= high):
                # a checked value replaces its raw one before the frozen record is in use
                object.__setattr__(self, name, number(name, value, low, high))
        if self.depth_m is not None and self.altitude_m is not None:
            message = f"depth_m is {self.depth_m:g} as well"
            raise CommandError(message, key="altitude_m", value=self.altitude_m, expected="one of them")
        if (self.north_m is None) != (self.east_m is None):
            missing = "north_m" if self.north_m is None else "east_m"
            raise CommandError("is missing", key=missing, expected="a place, north_m and east_m")

    @classmethod
    def unchecked(cls, **values: float | None) -> Self:
        """Make a setpoint without checks, for values in range by construction: checks cost more than guidance."""
        setpoint = object.__new__(cls)
        vars(setpoint).update(_NO_SETPOINT, **values)
        return setpoint

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names of the quantities that are not None."""
        return tuple(f.name for f in fields(self) if getattr(self, f.name) is not None)


QUANTITIES = tuple(item.name for item in fields(Setpoint))
_NO_SETPOINT: dict[str, float | None] = dict.fromkeys(QUANTITIES)


def release_vertical(values: dict[str, float | None], changes: Mapping[str, float | None]) -> None:
    """Release the altitude where `changes` set a depth, and the depth where they set an altitude."""
    for name, other in (("altitude_m", "depth_m"), ("depth_m", "altitude_m")):
        if changes.get(name) is not None and other not in changes:
            values[other] = None


@dataclass(frozen=True)
class PilotCommand:
    """Stick positions of a pilot, -1 to 1, in body axes.

    Positive surge is ahead, sway to starboard, heave DOWN; positive roll is starboard side down, pitch nose up, yaw to
    starboard.
    """

    surge: float = 0.0
    sway: float = 0.0
    heave: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    def __post_init__(self) -> None:
        for f in fields(self):
            # a checked value replaces its raw one before the frozen record is in use
            object.__setattr__(self, f.name, number(f"pilot {f.name}", getattr(self, f.name), -1.0, 1.0))

    @property
    def axes(self) -> tuple[float, float, float, float, float, float]:
        """The six sticks in the order X Y Z K M N."""
        return (self.surge, self.sway, self.heave, self.roll, self.pitch, self.yaw)


class Reading(NamedTuple):
    """Values of one sensor at one time.

    sensor     name of the sensor on the vehicle
    time_s     time of the measurement
    arrived_s  time at which the reading is available: time_s plus the latency
    values     in the order and units of the sensor's columns; NaN where the measurement failed
    """

    sensor: str
    time_s: float
    arrived_s: float
    values: Array


@dataclass(frozen=True)
class Event:
    """Something that happened at one instant of a run; `kind` is a word for programs, `text` a sentence for people."""

    time_s: float
    kind: str
    text: str
    vehicle: str = ""


@dataclass(frozen=True, eq=False)
class VehicleState:
    """Position, attitude and velocities of a vehicle at one instant: the true state, or an `Estimate` of it.

    pos_n       north, east, down, m
    roll, pitch, yaw   rad
    nu          (u v w p q r) of the body over ground, m/s and rad/s, in body axes
    nu_r        the same relative to the water
    altitude_m  height of the body origin above the bottom; NaN without a bottom or if it is unknown
    readings    the latest reading of each sensor since the last control tick, by sensor name
    """

    time_s: float
    pos_n: Array
    roll: float
    pitch: float
    yaw: float
    nu: Array
    nu_r: Array
    altitude_m: float = math.nan
    readings: Mapping[str, Reading] = field(default_factory=dict[str, Reading])

    def __post_init__(self) -> None:
        for name, n in (("pos_n", 3), ("nu", 6), ("nu_r", 6)):
            # a checked value replaces its raw one before the frozen record is in use
            object.__setattr__(self, name, numbers(f"state {name}", getattr(self, name), n))
        for name in ("time_s", "roll", "pitch", "yaw"):
            number(f"state {name}", getattr(self, name))

    @classmethod
    def unchecked(cls, *values: Any, **named: Any) -> Self:
        """Make a state without checks, from numbers that are known to be finite, such as those of the kernel."""
        state = object.__new__(cls)
        items = vars(state)
        items.update(_UNKNOWN)
        items.update(zip(_MOTION, values, strict=False), **named)
        return state

    def with_values(self, **values: Any) -> Self:
        """Return a copy with other values of some fields.

        `dataclasses.replace` would check every field again; this runs every tick.
        """
        state = object.__new__(type(self))
        vars(state).update(vars(self), **values)
        return state


_MOTION = ("time_s", "pos_n", "roll", "pitch", "yaw", "nu", "nu_r")
_UNKNOWN: dict[str, Any] = {"altitude_m": math.nan, "readings": {}}


@dataclass(frozen=True, eq=False)
class Estimate(VehicleState):
    """State computed from readings by an estimator, with standard deviations."""

    pos_sigma_m: Array = field(default_factory=lambda: np.full(3, np.nan))
    velocity_sigma_m_s: Array = field(default_factory=lambda: np.full(3, np.nan))
    attitude_sigma_rad: Array = field(default_factory=lambda: np.full(3, np.nan))


def _empty() -> Array:
    return np.zeros(0)


_ACTUATION_KEYS = tuple((name, f"actuation {name}") for name in ("thrusters", "surfaces", "ballast"))


@dataclass(frozen=True)
class Actuation:
    """Commands to all actuators of a vehicle for one control interval, in the order of the vehicle file.

    thrusters in the unit of each drive (rad/s, V, N or 1), surfaces in rad, ballast in the unit of each device
    (kg, m3 or m).
    """

    thrusters: Array = field(default_factory=_empty)
    surfaces: Array = field(default_factory=_empty)
    ballast: Array = field(default_factory=_empty)

    def __post_init__(self) -> None:
        for name, key in _ACTUATION_KEYS:
            # a checked value replaces its raw one before the frozen record is in use
            object.__setattr__(self, name, numbers(key, getattr(self, name)))


class VehicleStates(NamedTuple):
    """States of n vehicles as arrays, one row per vehicle; a vector controller receives them.

    time_s (n,); pos_n (n, 3) north, east, down, m; roll, pitch, yaw (n,), rad; nu, nu_r (n, 6), over ground and
    relative to the water, body axes; altitude_m (n,), NaN without a bottom.
    """

    time_s: Array
    pos_n: Array
    roll: Array
    pitch: Array
    yaw: Array
    nu: Array
    nu_r: Array
    altitude_m: Array


class Actuations(NamedTuple):
    """Actuations of n vehicles: arrays (n, thrusters), (n, surfaces), (n, ballast) in the units of `Actuation`."""

    thrusters: Array
    surfaces: Array
    ballast: Array
