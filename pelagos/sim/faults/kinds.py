"""Kinds of faults: frozen descriptions whose fields are the keys of [[fault]] in a scenario file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pelagos.checks import SCENARIO, number, numbers
from pelagos.sim.faults.conditions import Condition


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """Start condition of a fault or event: a time, a place, or a condition on the state; exactly one of these."""

    at_s: float | None = None
    when: str = ""  # see conditions
    place_m: tuple[float, float] | None = None  # north, east; within radius_m of it
    radius_m: float = 5.0

    def __post_init__(self) -> None:
        """Check that exactly one of the three is given, and its value."""
        keys = [key for key in ("at_s", "when", "place_m") if getattr(self, key) not in (None, "")]
        if len(keys) != 1:
            expected = f"one of at_s, when, place_m; there is {' and '.join(keys) or 'none'}"
            SCENARIO.fail(keys[1] if keys else "at_s", expected=expected)
        if self.at_s is not None:
            self.check("at_s", 0.0)
        if self.place_m is not None:
            self.check_all_finite("place_m")
        self.check("radius_m", 1e-9)
        if self.when:
            Condition(self.when)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Raise an error if a field is outside its range."""
        number(key, getattr(self, key), low, high, context=SCENARIO)

    def check_all_finite(self, key: str) -> None:
        """Raise an error if a field holds anything but finite numbers."""
        numbers(key, getattr(self, key), context=SCENARIO)


@dataclass(frozen=True, kw_only=True)
class Fault(Trigger):
    """A fault: its trigger, its name in the log and its duration `seconds_s`, infinite by default."""

    kind: ClassVar[str] = ""
    ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}  # least and greatest value of numbers that are given
    name: str = ""
    seconds_s: float = math.inf

    def __post_init__(self) -> None:
        """Check the fields that all faults have."""
        super().__post_init__()
        number("seconds_s", self.seconds_s, 0.0, above=True, infinite=True, context=SCENARIO)
        if self.name and not (self.name.isascii() and self.name.isidentifier()):
            SCENARIO.fail("name", value=self.name, expected="letters, digits and _, for the name of a column")
        for key, (low, high) in self.ranges.items():
            if getattr(self, key) is not None:
                self.check(key, low, high)


@dataclass(frozen=True, kw_only=True)
class ThrusterLost(Fault):
    """A thruster that produces no thrust."""

    kind: ClassVar[str] = "thruster_lost"
    thruster: str


@dataclass(frozen=True, kw_only=True)
class ThrusterStuck(Fault):
    """A thruster that keeps its last command."""

    kind: ClassVar[str] = "thruster_stuck"
    thruster: str


@dataclass(frozen=True, kw_only=True)
class ThrusterWeak(Fault):
    """A thruster that produces a share of its thrust."""

    kind: ClassVar[str] = "thruster_weak"
    ranges: ClassVar = {"share": (0.0, 1.0)}
    thruster: str
    share: float = 0.5


@dataclass(frozen=True, kw_only=True)
class FinJammed(Fault):
    """A control surface that jams at its present angle, or at `angle_deg`, which it reaches at its largest rate."""

    kind: ClassVar[str] = "fin_jammed"
    ranges: ClassVar = {"angle_deg": (-90.0, 90.0)}
    surface: str
    angle_deg: float | None = None


@dataclass(frozen=True, kw_only=True)
class SensorBias(Fault):
    """A sensor that adds a constant to its values, in their units."""

    kind: ClassVar[str] = "sensor_bias"
    ranges: ClassVar = {"bias": (-1e12, 1e12)}
    sensor: str
    bias: float


@dataclass(frozen=True, kw_only=True)
class SensorFreeze(Fault):
    """A sensor that repeats its last reading."""

    kind: ClassVar[str] = "sensor_freeze"
    sensor: str


@dataclass(frozen=True, kw_only=True)
class SensorLoss(Fault):
    """A sensor that produces no readings."""

    kind: ClassVar[str] = "sensor_loss"
    sensor: str


@dataclass(frozen=True, kw_only=True)
class Leak(Fault):
    """Water that flows in at a place until the room there is full; flood water remains when the leak stops."""

    kind: ClassVar[str] = "leak"
    ranges: ClassVar = {"rate_kg_s": (1e-12, 1e6)}
    rate_kg_s: float
    room_kg: float = math.inf
    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)  # body axes about O

    def __post_init__(self) -> None:
        """Check rate, room and place."""
        super().__post_init__()
        self.check_all_finite("position_m")
        number("room_kg", self.room_kg, 0.0, above=True, infinite=True, context=SCENARIO)


@dataclass(frozen=True, kw_only=True)
class CurrentGust(Fault):
    """A current added to that of the world: it rises to its speed and falls again by cosine ramps of `rise_s`."""

    kind: ClassVar[str] = "current_gust"
    ranges: ClassVar = {
        "speed_m_s": (-20.0, 20.0), "to_deg": (-360.0, 360.0), "down_m_s": (-20.0, 20.0), "rise_s": (0.0, 1e6),
    }  # fmt: skip
    speed_m_s: float
    to_deg: float = 0.0
    down_m_s: float = 0.0
    rise_s: float = 5.0

    def velocity_n(self, since_s: float, left_s: float) -> tuple[float, float, float]:
        """North, east, down, m/s, at a time after the start and before the end of the gust."""
        inside = min(since_s, left_s)
        if inside <= 0.0:
            return (0.0, 0.0, 0.0)
        share = 1.0 if inside >= self.rise_s else 0.5 - 0.5 * math.cos(math.pi * inside / self.rise_s)
        to, speed = math.radians(self.to_deg), share * self.speed_m_s
        return (speed * math.cos(to), speed * math.sin(to), share * self.down_m_s)


@dataclass(frozen=True, kw_only=True)
class TetherCut(Fault):
    """The tether parts at the vehicle."""

    kind: ClassVar[str] = "tether_cut"


KINDS: dict[str, type[Fault]] = {
    spec.kind: spec
    for spec in (
        ThrusterLost, ThrusterStuck, ThrusterWeak, FinJammed, SensorBias, SensorFreeze, SensorLoss, Leak, CurrentGust,
        TetherCut,
    )
}  # fmt: skip
