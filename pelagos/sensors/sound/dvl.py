"""Doppler velocity log (DVL): velocity over ground and through the water from four acoustic beams.

Beams in sensor axes (z is the axis of the DVL, down unless `orientation_deg` turns it), i = 1..4:

    d_i = (sin a cos b_i, sin a sin b_i, cos a),   b_i = first_azimuth + 90 (i - 1)   ("Janus" arrangement)
    radial velocity  s_i = d_i . v + error,        v = nu_1 + omega x r, the velocity of the DVL over ground
    velocity         v = (D^T D)^-1 D^T s          least squares over the beams with lock; at least three

A beam has bottom lock if it hits the seabed or a structure between `min_altitude_m` and `max_altitude_m`, which are
measured along the axis (r cos a) as data sheets do. Without three beams the velocity is NaN.

Errors: `noise_m_s`, `noise_per_speed` and `noise_per_range` add up to the standard deviation of a horizontal velocity
from all four beams, as data sheets give it ("single ping at 1 m/s"). Each beam has sqrt(2) sin a times that, so the
vertical velocity comes out with sin a / (sqrt(2) cos a) of it. `scale` is a relative error common to all beams (speed
of sound), `bias_m_s` an offset of each over ground, given like the noise, `walk_m_s_sqrt_h` the random walk of that
offset, `misalignment_deg` an unknown rotation of the DVL in the vehicle.

Water track: the same relative to the water at `water_layer_m` along the axis, at the position of each beam, if the
bottom is not nearer than 1 / 0.8 of that; 0 uses the water at O for all beams, which needs no extra computation.

Velocities are those of the DVL, in body axes, over ground (bottom) and through the water (water track).
References: Teledyne RD Instruments, "ADCP coordinate transformation", P/N 951-6079-00, for the least squares; the same
maker's Pathfinder guide (2018), page 27, for the 80 % rule of the water layer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array, Sensor
from pelagos.sensors.sound.beams import check_limits

BEAMS = 4
LEAST = 3  # beams needed for a velocity
NOTHING = (math.nan, math.nan, math.nan)
FORWARD = [0, 8]  # places of velocity_x_m_s and water_x_m_s among the columns
CLEAR = 0.8  # of the range to the bottom: beyond, its side-lobe echo masks that of the water


@dataclass(frozen=True, kw_only=True)
class Dvl(Sensor):
    """Doppler velocity log with four beams."""

    kind: ClassVar[str] = "dvl"

    beam_angle_deg: float = 30.0  # between each beam and the axis
    first_azimuth_deg: float = 45.0  # of beam 1, from x to y; the others follow every 90 deg
    min_altitude_m: float = 0.5
    max_altitude_m: float = 80.0
    max_speed_m_s: float = 10.0  # no lock beyond
    noise_m_s: float = 0.0
    noise_per_speed: float = 0.0
    noise_per_range: float = 0.0  # (m/s)/m
    bias_m_s: float = 0.0
    walk_m_s_sqrt_h: float = 0.0
    scale: float = 0.0
    misalignment_deg: float = 0.0
    resolution_m_s: float = 0.0
    range_noise_m: float = 0.0
    range_noise_per_range: float = 0.0
    beam_dropout: float = 0.0  # share of the pings of single beams without lock
    water_track: bool = True
    water_layer_m: float = 0.0
    water_noise_factor: float = 3.0  # noise of the water track over that of the bottom track

    def __post_init__(self) -> None:
        """Validate limits and errors."""
        super().__post_init__()
        check_limits(self, "min_altitude_m", "max_altitude_m")
        self.check("beam_angle_deg", 1.0, 60.0)
        self.check("first_azimuth_deg", -360.0, 360.0)
        self.check("max_speed_m_s", 0.0, 100.0)
        for key in ("noise_m_s", "noise_per_speed", "noise_per_range", "bias_m_s", "resolution_m_s", "water_layer_m"):
            self.check(key, 0.0)
        for key in ("walk_m_s_sqrt_h", "range_noise_m", "range_noise_per_range", "water_noise_factor"):
            self.check(key, 0.0)
        self.check("scale", 0.0, 1.0)
        self.check("beam_dropout", 0.0, 1.0)
        self.check("misalignment_deg", 0.0, 30.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Velocity over ground, altitude of the DVL, ranges, velocity through the water, number of beams with lock."""
        return (
            *(f"velocity_{axis}_m_s" for axis in "xyz"),
            "altitude_m",
            *(f"range_{k}_m" for k in range(1, BEAMS + 1)),
            *(f"water_{axis}_m_s" for axis in "xyz"),
            "n_beams",
        )

    def beams_s(self) -> Array:
        """Unit vectors of the beams (4, 3) in sensor axes."""
        angle = math.radians(self.beam_angle_deg)
        azimuth = np.radians(self.first_azimuth_deg + 90.0 * np.arange(BEAMS))
        flat = math.sin(angle)
        return np.column_stack([flat * np.cos(azimuth), flat * np.sin(azimuth), np.full(BEAMS, math.cos(angle))])


def solver(beams: Array, bits: int) -> list[list[float]] | None:
    """Return the least-squares matrix (3, 4) of the beams whose `bits` are set; None for fewer than three."""
    if bits.bit_count() < LEAST:
        return None
    chosen = np.array([bool(bits >> k & 1) for k in range(BEAMS)])
    full = np.zeros((3, BEAMS))
    full[:, chosen] = np.linalg.pinv(beams[chosen])
    return full.tolist()
