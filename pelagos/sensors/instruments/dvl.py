"""Doppler velocity logs; `pelagos.sensors.sound.dvl` states the equations."""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.laws import also_compiled, law, records
from pelagos.frames import rotation_from_euler
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.instruments.base import NOTHING, PURPOSES, Instrument, dot, rounded, velocity_b
from pelagos.sensors.instruments.instant import WATER, Array, Instant, Mask, Rows
from pelagos.sensors.instruments.sounders import cast_beams
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.dvl import BEAMS, CLEAR, FORWARD, Dvl, solver

# purposes of random numbers beyond those of two groups of errors
NOISE, BEAM_DROPOUT, MISALIGNMENT = (2 * PURPOSES + i for i in range(3))
ALTITUDE, RANGES, THROUGH_WATER, LOCKED, WIDTH = 3, 4, 8, 11, 12  # columns behind the velocity over ground
SIZES_AND_LIMITS = (
    "near_m", "far_m", "max_speed_m_s", "noise_m_s", "noise_per_speed", "noise_per_range", "per_beam",
    "range_noise_m", "range_noise_per_range", "beam_dropout", "water_noise_factor", "water_away_m",
    "water_track", "resolution_m_s",
)  # fmt: skip
FIGURES = np.dtype([(name, np.float64) for name in SIZES_AND_LIMITS])


class DvlInstrument(Instrument[Dvl]):
    """Velocity over ground and through the water, altitude, and ranges of four beams."""

    CHANGING = ("_beams_b",)

    def __init__(self, sensor: Dvl, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        angle = math.radians(sensor.beam_angle_deg)
        cos, per_beam = math.cos(angle), math.sqrt(2.0) * math.sin(angle)
        self._nominal_b = sensor.beams_s() @ sensor.R_bs.T  # beams in body axes without misalignment
        self._beams_b = np.tile(self._nominal_b, (self.n, 1, 1))  # actual beams
        self._point = np.array(sensor.position_m)
        self._away_m, self._far_m = sensor.water_layer_m / cos, sensor.max_altitude_m / cos
        self._figures = records(1, FIGURES)
        figures = {name: getattr(sensor, name) for name in SIZES_AND_LIMITS if hasattr(sensor, name)}
        figures |= {
            "near_m": sensor.min_altitude_m / cos, "far_m": self._far_m, "per_beam": per_beam,
            "water_away_m": self._away_m,
        }  # fmt: skip
        for name, value in figures.items():
            self._figures[name] = value
        # bottom and water track share the error of scale; bias and walk belong to the bottom track
        self._sound = self.errors(0, 1, scale=sensor.scale)
        self._ground = self.errors(
            PURPOSES, BEAMS, bias=per_beam * sensor.bias_m_s, walk=per_beam * sensor.walk_m_s_sqrt_h / 60.0
        )
        nothing = np.full((3, BEAMS), math.nan).tolist()
        # least-squares solution for each set of beams with lock, NaN for fewer than three
        self._solve = np.array([solver(self._nominal_b, bits) or nothing for bits in range(1 << BEAMS)])

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw the constant errors and the misalignment of the DVL in the vehicle."""
        super().begin(rows, first)
        if self.sensor.misalignment_deg > 0.0:
            angles = np.radians(self.sensor.misalignment_deg) * self.draw.normal(MISALIGNMENT, 3)
            self._beams_b[rows] = self._nominal_b @ rotation_from_euler(*angles.T).transpose(0, 2, 1)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the values of the columns of `Dvl`."""
        sensor, m = self.sensor, len(rows)
        ranges, along, wet = cast_beams(now, rows, scene, self._point, self._beams_b, self._far_m)
        drift = self._ground.at(now, rows, np.zeros((m, BEAMS)))
        chances = self.draw.uniform(BEAM_DROPOUT, BEAMS) if sensor.beam_dropout > 0.0 else NOTHING
        flow = self._layer(now, scene, along) if sensor.water_track and self._away_m > 0.0 else NOTHING
        out = np.empty((m, WIDTH))
        velocities(
            self._figures, self._point, self._beams_b, self._solve, self._sound.channels, rows, now.motion, wet, ranges,
            along, drift, flow, self.draw.normal(NOISE, 3 * BEAMS), chances, out,
        )  # fmt: skip
        return out, None

    def _layer(self, now: Instant, scene: Scene, along: Array) -> Array:
        """Velocity of the water along each beam, where the beam passes the layer of the water track."""
        points = now.place_n(self._point)[:, None] + self._away_m * along
        times = np.atleast_1d(now.time_s)
        water = np.empty_like(points)
        for time_s in np.unique(times):  # a scene evaluates its currents at one time per call
            then = times == time_s
            water[then] = scene.water_velocity(points[then].reshape(-1, 3), float(time_s)).reshape(-1, BEAMS, 3)
        return (along * water).sum(axis=2)

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the forward velocity, over ground and through the water."""
        shifted = values.copy()
        shifted[FORWARD] += size
        return shifted


@also_compiled
def solved(solve, radial, resolution, out, first):
    """Write the velocity that fits the radial velocities of the beams best."""
    for axis in range(3):
        s = solve[axis]
        value = s[0] * radial[0] + s[1] * radial[1] + s[2] * radial[2] + s[3] * radial[3]
        out[first + axis] = rounded(value, resolution)


@law
def velocities(
    figures, point, beams_b, solve, sound, rows, motion, wet, ranges, along, drift, flow, numbers, chances, out
):
    """Write the readings of all vehicles.

    Args:
        figures: the limits and sizes of the errors, one record of `FIGURES`.
        point: position of the DVL, body axes.
        beams_b: (n, 4, 3) actual beams.
        solve: (16, 3, 4) least-squares solution by the beams with lock, as bits.
        sound: (n, 1) records whose slope is the error of scale.
        rows: (m,) the vehicle of each row below.
        motion: (m, COLUMNS) rows of an `Instant`.
        wet: (m,) who is in the water.
        ranges: (m, 4) true ranges.
        along: (m, 4, 3) directions of the beams, NED.
        drift: (m, 4) bias and walk of each beam.
        flow: (m, 4) velocity of the water along each beam; none: the water at O.
        numbers: (m, 12) normal numbers: bottom, water and range of each beam.
        chances: (m, 4) uniform numbers for lost beams, or none.
        out: (m, 12) output.
    """
    f = figures[0]
    for i in range(len(rows)):
        row, k, values = motion[i], rows[i], out[i]
        u, v, w = velocity_b(row, point)
        speed, slope = math.sqrt(u * u + v * v + w * w), sound[k, 0].slope
        base = f.noise_m_s + f.noise_per_speed * speed
        bits, clear, count, heights = 0, 0, 0, 0.0
        a, b, c, d = 0.0, 0.0, 0.0, 0.0  # radial velocities over ground
        e, g, h, l = 0.0, 0.0, 0.0, 0.0  # through the water
        for j in range(BEAMS):
            true, r = slope * dot(beams_b[k, j], u, v, w), ranges[i, j]
            ground, values[RANGES + j] = 0.0, math.nan
            locked = wet[i] and f.near_m <= r <= f.far_m and speed <= f.max_speed_m_s
            if locked and not (chances.shape[1] > 0 and chances[i, j] < f.beam_dropout):
                sigma = f.per_beam * (base + f.noise_per_range * r)
                ground = true + drift[i, j] + sigma * numbers[i, j]
                measured = r + (f.range_noise_m + f.range_noise_per_range * r) * numbers[i, 2 * BEAMS + j]
                values[RANGES + j] = measured
                heights += measured * along[i, j, 2]
                bits, count = bits | 1 << j, count + 1
            if flow.shape[1] > 0:
                past = flow[i, j]
                clear |= (1 << j) if f.water_away_m <= CLEAR * r else 0
            else:
                past = dot(along[i, j], row[WATER], row[WATER + 1], row[WATER + 2])
                clear |= 1 << j
            through = true - slope * past + f.per_beam * f.water_noise_factor * base * numbers[i, BEAMS + j]
            if j == 0:
                a, e = ground, through
            elif j == 1:
                b, g = ground, through
            elif j == 2:
                c, h = ground, through
            else:
                d, l = ground, through
        solved(solve[bits], (a, b, c, d), f.resolution_m_s, values, 0)
        values[ALTITUDE] = heights / count if count > 0 else math.nan
        tracked = wet[i] and f.water_track > 0.0
        solved(solve[clear if tracked else 0], (e, g, h, l), f.resolution_m_s, values, THROUGH_WATER)
        values[LOCKED] = count
