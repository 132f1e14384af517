"""What crosses a boundary: frozen records, checked once, when they are made.

A record that exists is sound: every number in it is finite and inside its range, so nobody downstream
has to look again. A bad number raises `CommandError` with one sentence that names field, value and range.

Units are in the field names; where they are not (`VehicleState`, `Actuation`) they are SI and radians.
Body axes are x forward, y starboard, z down; positions are north, east, down.
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

# What a setpoint may ask for. The ranges catch slips of unit (feet, radians, centimetres), not bad seamanship.
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
    """What the autopilot shall hold. None leaves a quantity alone.

    depth_m      depth of the body origin below the still surface
    altitude_m   height of the body origin above the bottom, instead of a depth
    heading_deg  clockwise from north; the short way round is taken
    speed_m_s    forward speed through the water
    pitch_deg    nose up positive
    roll_deg     starboard side down positive
    north_m, east_m   a place to keep, both or none; with them `speed_m_s` is the fastest way there
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
            if value is not None and not (type(value) is float and low <= value <= high):
                # the value as checked: the record is frozen once __post_init__ ends
                object.__setattr__(self, name, number(f"setpoint {name}", value, low, high))
        if self.depth_m is not None and self.altitude_m is not None:
            raise CommandError(
                key=f"setpoint depth_m is {self.depth_m:g} and altitude_m",
                value=self.altitude_m,
                expected="one of them",
            )
        if (self.north_m is None) != (self.east_m is None):
            missing = "north_m" if self.north_m is None else "east_m"
            raise CommandError(f"setpoint {missing} is missing", expected="a place, north_m and east_m")

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the quantities that are set."""
        return tuple(f.name for f in fields(self) if getattr(self, f.name) is not None)


@dataclass(frozen=True)
class PilotCommand:
    """Stick positions, -1..1, in body axes: surge ahead, sway to starboard, heave DOWN, then the right-hand
    turns about them: roll to starboard, pitch nose up, yaw to starboard."""

    surge: float = 0.0
    sway: float = 0.0
    heave: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    def __post_init__(self) -> None:
        for f in fields(self):
            # the value as checked: the record is frozen once __post_init__ ends
            object.__setattr__(self, f.name, number(f"pilot {f.name}", getattr(self, f.name), -1.0, 1.0))

    @property
    def axes(self) -> tuple[float, float, float, float, float, float]:
        """The six sticks in the order X Y Z K M N."""
        return (self.surge, self.sway, self.heave, self.roll, self.pitch, self.yaw)


class Reading(NamedTuple):
    """What one instrument said.

    sensor     its name on the vehicle
    time_s     when it was measured
    arrived_s  when it could be read: time_s and the latency
    values     in the order and units of the instrument's columns; NaN where there was no answer
    """

    sensor: str
    time_s: float
    arrived_s: float
    values: Array


@dataclass(frozen=True)
class Event:
    """Something that happened: `kind` is one word for programs, `text` a sentence for people."""

    time_s: float
    kind: str
    text: str
    vehicle: str = ""


@dataclass(frozen=True, eq=False)
class VehicleState:
    """The motion of the vehicle at one instant: exact, or as an estimator has it (`Estimate`).

    pos_n north, east, down, m; roll, pitch, yaw rad; nu = (u v w p q r) of the body over ground and
    nu_r the same relative to the water, m/s and rad/s, in body axes. altitude_m is the height of the body
    origin above the bottom, NaN where there is none or it is not known; readings are those that came
    since the last control tick, by the name of the instrument, the latest of each.
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
            # the value as checked: the record is frozen once __post_init__ ends
            object.__setattr__(self, name, numbers(f"truth {name}", getattr(self, name), n))
        for name in ("time_s", "roll", "pitch", "yaw"):
            if not math.isfinite(getattr(self, name)):
                raise CommandError(f"truth {name} is {getattr(self, name)}", expected="a finite number")

    @classmethod
    def unchecked(cls, *values: Any, **named: Any) -> Self:
        """One whose numbers are known to be finite, such as the kernel's: made without looking at them again."""
        made = object.__new__(cls)
        vars(made).update(_UNKNOWN, **dict(zip(_MOTION, values, strict=False)), **named)
        return made

    def with_values(self, **values: Any) -> Self:
        """A copy with other values of some fields; `dataclasses.replace` checks all of them again, every tick."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), **values)
        return made


_MOTION = ("time_s", "pos_n", "roll", "pitch", "yaw", "nu", "nu_r")
_UNKNOWN: dict[str, Any] = {"altitude_m": math.nan, "readings": {}}


@dataclass(frozen=True, eq=False)
class Estimate(VehicleState):
    """The motion as an estimator has it, and how sure it is: one standard deviation each."""

    pos_sigma_m: Array = field(default_factory=lambda: np.full(3, np.nan))
    velocity_sigma_m_s: Array = field(default_factory=lambda: np.full(3, np.nan))
    attitude_sigma_rad: Array = field(default_factory=lambda: np.full(3, np.nan))


def _empty() -> Array:
    return np.zeros(0)


@dataclass(frozen=True)
class Actuation:
    """Demands to the actuators, in the order of the vehicle file.

    thrusters in the unit of each drive (rad/s, V, N or 1), surfaces rad, ballast in its own unit (kg, m3, m).
    """

    thrusters: Array = field(default_factory=_empty)
    surfaces: Array = field(default_factory=_empty)
    ballast: Array = field(default_factory=_empty)

    def __post_init__(self) -> None:
        for name in ("thrusters", "surfaces", "ballast"):
            # the value as checked: the record is frozen once __post_init__ ends
            object.__setattr__(self, name, numbers(f"actuation {name}", getattr(self, name)))


class VehicleStates(NamedTuple):
    """`VehicleState` of many vehicles, one row each: what a controller of many is shown.

    time_s (n,); pos_n (n, 3) north, east, down, m; roll, pitch, yaw (n,), rad; nu, nu_r (n, 6), over ground and through
    the water, body axes; altitude_m (n,), NaN where there is no bottom.
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
    """`Actuation` of many vehicles: (n, thrusters), (n, surfaces), (n, ballast), units as there."""

    thrusters: Array
    surfaces: Array
    ballast: Array
