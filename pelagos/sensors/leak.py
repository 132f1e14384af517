"""Leak sensor: a bilge probe that reports water above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor


@dataclass(frozen=True, kw_only=True)
class LeakDetector(Sensor):
    """Leak sensor that reads 1 above a mass of water, else 0; `false_alarm` is the share of wrong readings of 1."""

    kind: ClassVar[str] = "leak"

    threshold_kg: float = 0.02
    false_alarm: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("threshold_kg", 0.0, 1e5)
        self.check("false_alarm", 0.0, 1.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Whether the probe is wet: 1 or 0."""
        return ("wet",)
