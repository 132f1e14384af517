"""What can go wrong, as frozen descriptions: their fields are the keys of [[fault]] in a scenario file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pelagos.checks import SCENARIO, is_number, number
from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import Condition


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """When something happens: at a time, near a place, or once a condition holds. Exactly one of them."""

    at_s: float | None = None
    when: str = ""  # see conditions
    place_m: tuple[float, float] | None = None  # north, east; within radius_m of it
    radius_m: float = 5.0

    def __post_init__(self) -> None:
        """Refuse what never or always happens."""
        given = [key for key in ("at_s", "when", "place_m") if getattr(self, key) not in (None, "")]
        if len(given) != 1:
            raise ScenarioError(
                file="scenario",
                key=given[1] if given else "at_s",
                expected=f"one of at_s, when, place_m; there is {' and '.join(given) or 'none'}",
            )
        if self.at_s is not None:
            self.check("at_s", 0.0)
        if self.place_m is not None:
            self.check_all_finite("place_m")
        self.check("radius_m", 1e-9)
        if self.when:
            Condition(self.when)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Refuse a value outside its range."""
        number(key, getattr(self, key), low, high, context=SCENARIO)

    def check_all_finite(self, key: str) -> None:
        """Refuse a place that is nowhere."""
        value = getattr(self, key)
        if not all(is_number(one) and math.isfinite(one) for one in value):
            raise ScenarioError(file="scenario", key=key, value=value, expected="finite numbers")


@dataclass(frozen=True, kw_only=True)
class Fault(Trigger):
    """What every fault has. `seconds_s`: it passes after so long; without, it stays."""

    kind: ClassVar[str] = ""
    name: str = ""
    seconds_s: float = math.inf

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        super().__post_init__()
        number("seconds_s", self.seconds_s, 0.0, above=True, infinite=True, context=SCENARIO)
        if self.name and not (self.name.isascii() and self.name.isidentifier()):
            raise ScenarioError(
                file="scenario", key="name", value=self.name, expected="letters, digits and _, for the name of a column"
            )


@dataclass(frozen=True, kw_only=True)
class ThrusterLost(Fault):
    """A thruster that gives nothing any more."""

    kind: ClassVar[str] = "thruster_lost"
    thruster: str


@dataclass(frozen=True, kw_only=True)
class ThrusterStuck(Fault):
    """A thruster that goes on with the demand it had."""

    kind: ClassVar[str] = "thruster_stuck"
    thruster: str


@dataclass(frozen=True, kw_only=True)
class ThrusterWeak(Fault):
    """A thruster that gives a share of its thrust."""

    kind: ClassVar[str] = "thruster_weak"
    thruster: str
    share: float = 0.5

    def __post_init__(self) -> None:
        """A share is between nothing and all."""
        super().__post_init__()
        self.check("share", 0.0, 1.0)


@dataclass(frozen=True, kw_only=True)
class FinJammed(Fault):
    """A surface that does not move any more: where it is, or at an angle to which it goes as fast as it can."""

    kind: ClassVar[str] = "fin_jammed"
    surface: str
    angle_deg: float | None = None

    def __post_init__(self) -> None:
        """An angle is one."""
        super().__post_init__()
        if self.angle_deg is not None:
            self.check("angle_deg", -90.0, 90.0)


@dataclass(frozen=True, kw_only=True)
class SensorBias(Fault):
    """An instrument that adds a constant to its values, in their units."""

    kind: ClassVar[str] = "sensor_bias"
    sensor: str
    bias: float

    def __post_init__(self) -> None:
        """A bias is a number."""
        super().__post_init__()
        self.check("bias", -1e12, 1e12)


@dataclass(frozen=True, kw_only=True)
class SensorFreeze(Fault):
    """An instrument that repeats its last reading."""

    kind: ClassVar[str] = "sensor_freeze"
    sensor: str


@dataclass(frozen=True, kw_only=True)
class SensorLoss(Fault):
    """An instrument that says nothing any more."""

    kind: ClassVar[str] = "sensor_loss"
    sensor: str


@dataclass(frozen=True, kw_only=True)
class Leak(Fault):
    """Water comes in at a place until the room there is full. What has come in stays when the leak stops."""

    kind: ClassVar[str] = "leak"
    rate_kg_s: float
    room_kg: float = math.inf
    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)  # body axes about O

    def __post_init__(self) -> None:
        """Water comes in, not out."""
        super().__post_init__()
        self.check("rate_kg_s", 1e-12, 1e6)
        self.check_all_finite("position_m")
        if not (is_number(self.room_kg) and self.room_kg > 0.0):
            raise ScenarioError(file="scenario", key="room_kg", value=self.room_kg, expected="a number above 0")


@dataclass(frozen=True, kw_only=True)
class CurrentGust(Fault):
    """A current on top of the world's, which rises, stays and falls: 0 to speed in rise_s, a cosine ramp."""

    kind: ClassVar[str] = "current_gust"
    speed_m_s: float
    to_deg: float = 0.0
    down_m_s: float = 0.0
    rise_s: float = 5.0

    def __post_init__(self) -> None:
        """A gust is a current."""
        super().__post_init__()
        for key, low, high in (("speed_m_s", -20.0, 20.0), ("to_deg", -360.0, 360.0), ("down_m_s", -20.0, 20.0)):
            self.check(key, low, high)
        self.check("rise_s", 0.0, 1e6)

    def velocity_n(self, since_s: float, left_s: float) -> tuple[float, float, float]:
        """North, east, down, m/s, so long after its start and before its end."""
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
