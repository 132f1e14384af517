"""Water speed sensor: a paddle wheel or a pitot tube.

    reading = x_s . (v + omega x r - v_water)      x_s: first axis of the instrument

A wheel stops below a threshold speed; a pitot tube that points ahead reads 0 when going astern (`both_ways = false`).
Out of the water both read 0.

Units: m/s. Limits: no disturbance of the flow by the hull, for which a real sensor is calibrated; the velocity of
the water is that at the body origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor


@dataclass(frozen=True, kw_only=True)
class WaterSpeed(Sensor):
    """Speed sensor through the water, along its x axis."""

    kind: ClassVar[str] = "water_speed"

    noise_m_s: float = 0.0
    bias_m_s: float = 0.0
    walk_m_s_sqrt_h: float = 0.0
    scale: float = 0.0  # relative, drawn once
    resolution_m_s: float = 0.0
    threshold_m_s: float = 0.0  # lower speeds read 0
    range_m_s: float = 30.0  # beyond it the reading stays there
    both_ways: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_all(0.0, 100.0, "noise_m_s", "bias_m_s", "walk_m_s_sqrt_h", "resolution_m_s", "threshold_m_s")
        self.check("scale", 0.0, 1.0)
        self.check("range_m_s", 1e-3, 100.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Speed along the x axis of the sensor."""
        return ("speed_m_s",)
