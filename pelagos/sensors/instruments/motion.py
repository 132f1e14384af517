"""Depth gauge, compass, water speed sensor, GPS receiver, leak detector, tachometers and position sensors.

The description of each, in `pelagos.sensors`, states the equations, their references and limits.
"""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from pelagos.engine.laws import also_compiled, law
from pelagos.errors import CommandError
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps, latitude_longitude, radii_m
from pelagos.sensors.instruments.base import PURPOSES, Instrument, depth_of, dot, place_n, rotation, velocity_b
from pelagos.sensors.instruments.instant import BELOW, FLOODED, POSITION, TIME, WATER, Array, Instant, Mask, Rows
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.random import Noise
from pelagos.sensors.water_speed import WaterSpeed

IRON = PURPOSES  # purpose of the random numbers of the deviation card, beyond those of the errors of a compass
SOON = 1e-9  # s: tolerance for rounding when a time is compared with that of a fix
UPRIGHT = 1.0 - 1e-12  # sine of the pitch beyond which roll and yaw cannot be told apart


class DepthInstrument(Instrument[Depth]):
    """Depth from pressure; 0 out of the water."""

    def __init__(self, sensor: Depth, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self._point = np.array(sensor.position_m)
        ratio = fit.density_kg_m3 / (sensor.assumed_density_kg_m3 or fit.density_kg_m3)
        self._ratio_and_decay = np.array((ratio, sensor.wave_decay_m))
        self._gauge = self.errors(
            noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m, high=sensor.range_m,
        )  # fmt: skip

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the depth, m."""
        del scene
        true = np.empty((len(rows), 1))
        felt_depths(self._point, self._ratio_and_decay, now.motion, true)
        return self._gauge.at(now, rows, true), None


class CompassInstrument(Instrument[Compass]):
    """Heading, with a tilt sensor also roll and pitch."""

    CHANGING = ("_iron",)

    def __init__(self, sensor: Compass, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self._mount = np.ascontiguousarray(sensor.R_bs)
        self._spread = np.repeat((sensor.hard_iron_deg, sensor.soft_iron_deg), 2)
        self._iron = np.zeros((self.n, 4))
        step = sensor.resolution_deg if sensor.tilt_resolution_deg is None else sensor.tilt_resolution_deg
        k = self._k = 3 if sensor.tilt else 1
        self._angles = self.errors(
            k=k, noise=_heading_and_tilt(k, sensor.noise_deg, sensor.tilt_noise_deg),
            bias=_heading_and_tilt(k, sensor.bias_deg, sensor.tilt_bias_deg),
            walk=_heading_and_tilt(k, sensor.walk_deg_sqrt_h / 60.0, sensor.tilt_walk_deg_sqrt_h / 60.0),
            memory_s=_heading_and_tilt(k, sensor.memory_s or math.inf, math.inf),
            scale=_heading_and_tilt(k, 0.0, sensor.tilt_scale),
            resolution=_heading_and_tilt(k, sensor.resolution_deg, step), turn=_heading_and_tilt(k, 360.0, 0.0),
        )  # fmt: skip

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw the constant errors and the deviation card."""
        super().begin(rows, first)
        if self._spread.any():
            self._iron[rows] = self._spread * self.draw.normal(IRON, 4)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the heading, and roll and pitch with a tilt sensor, deg."""
        del scene
        true = np.empty((len(rows), self._k))
        magnetic_angles(self._mount, self._iron, self.sensor.declination_deg, rows, now.motion, true)
        return self._angles.at(now, rows, true), None

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the heading."""
        values = values.copy()
        values[0] = (values[0] + size) % 360.0
        return values


def _heading_and_tilt(k: int, heading: float, tilt: float) -> Array:
    return np.array((heading, tilt, tilt)[:k])


class WaterSpeedInstrument(Instrument[WaterSpeed]):
    """Speed through the water along one axis."""

    def __init__(self, sensor: WaterSpeed, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self._point, self._axis_b = np.array(sensor.position_m), sensor.R_bs[:, 0].copy()
        self._wheel = self.errors(
            noise=sensor.noise_m_s, bias=sensor.bias_m_s, walk=sensor.walk_m_s_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m_s, low=-sensor.range_m_s, high=sensor.range_m_s,
        )  # fmt: skip

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the speed, m/s."""
        del scene
        sensor, true, turning = self.sensor, np.empty((len(rows), 1)), np.empty((len(rows), 1))
        least = -math.inf if sensor.both_ways else 0.0
        speeds_through_water(self._point, self._axis_b, sensor.threshold_m_s, least, now.motion, true, turning)
        return turning * self._wheel.at(now, rows, true), None


class GpsInstrument(Instrument[Gps]):
    """Position while the antenna is out of the water; the first fix takes `first_fix_s`, later ones `refix_s`."""

    CHANGING = ("_ready_s", "_wait_s")

    def __init__(self, sensor: Gps, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        rest = sensor.sigma_m * math.sqrt(1.0 - sensor.noise_share)
        self._satellites = self.errors(
            k=2, noise=sensor.sigma_m * math.sqrt(sensor.noise_share), walk=rest * math.sqrt(2.0 / sensor.memory_s),
            memory_s=sensor.memory_s, bias=sensor.bias_m, resolution=sensor.resolution_m,
        )  # fmt: skip
        self._point = np.array(sensor.position_m)
        self._ready_s = np.empty(self.n)  # time of the next fix; NaN: not acquiring
        self._wait_s = np.empty(self.n)
        along, across = radii_m(fit.origin_lat_deg)
        self._site = np.array((fit.origin_lat_deg, fit.origin_lon_deg, along, across, math.sqrt(2.0) * sensor.sigma_m))

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw the constant errors; there is no fix yet."""
        super().begin(rows, first)
        self._ready_s[rows], self._wait_s[rows] = math.nan, self.sensor.first_fix_s

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return a fix; no reading under water and until the receiver has one."""
        del scene
        # also under water: the errors of satellites evolve all the same
        error = self._satellites.at(now, rows, np.zeros((len(rows), 2)))
        out, has_fix = np.empty((len(rows), 5)), np.empty(len(rows), np.bool_)
        fixes(
            self._point, self.sensor.clearance_m, self.sensor.refix_s, self._site, self._ready_s, self._wait_s, rows,
            now.motion, error, out, has_fix,
        )  # fmt: skip
        return out, has_fix

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the fix to the north."""
        north, east = float(values[0]) + size, float(values[1])
        lat, lon = latitude_longitude(north, east, self.fit.origin_lat_deg, self.fit.origin_lon_deg)
        return np.array([north, east, lat, lon, values[4]])


class LeakInstrument(Instrument[LeakDetector]):
    """1 for a leak or a false alarm, else 0."""

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return 1 for an alarm, else 0."""
        del rows, scene
        flooded = now.motion[:, FLOODED : FLOODED + 1]
        wet = (flooded > 0.0) & (flooded >= self.sensor.threshold_kg)
        if self.sensor.false_alarm > 0.0:
            wet |= self.draw.uniform(0, 1) < self.sensor.false_alarm
        return wet.astype(float), None


class _ActuatorFeedback(Instrument[Tachometer | PlanePosition]):
    """Actual state of each actuator of a group, in the units of the columns."""

    GROUP: ClassVar[str] = ""  # its name in an instant
    factors: Array

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return one value for each actuator."""
        del scene
        k, states = len(self.factors), getattr(now, self.GROUP)
        if states.shape[1] < k:
            raise CommandError(
                key=f"number of {self.GROUP} in the states",
                value=states.shape[1],
                expected=f"the {k} that {self.sensor.kind} measures: pass a Batch, or {self.GROUP} with the states",
            )
        return self._errors[0].at(now, rows, self.factors * states[:, :k]), None


class TachometerInstrument(_ActuatorFeedback):
    """Shaft rate of every thruster, in the unit of the log."""

    GROUP = "thrusters"

    def __init__(self, sensor: Tachometer, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        in_rpm = np.array([unit == "rpm" for unit, _ in fit.thruster_units], dtype=bool)
        self.factors = np.array([factor for _, factor in fit.thruster_units], dtype=float)
        limits = np.where(in_rpm, sensor.range_rpm, math.inf)
        self.errors(
            k=len(in_rpm), noise=np.where(in_rpm, sensor.noise_rpm, 0.0), bias=np.where(in_rpm, sensor.bias_rpm, 0.0),
            walk=np.where(in_rpm, sensor.walk_rpm_sqrt_h / 60.0, 0.0), scale=sensor.scale,
            resolution=np.where(in_rpm, sensor.resolution_rpm, 0.0), low=-limits, high=limits,
        )  # fmt: skip


class PlanePositionInstrument(_ActuatorFeedback):
    """Angle of every control surface, deg."""

    GROUP = "surfaces"

    def __init__(self, sensor: PlanePosition, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self.factors = np.full(len(fit.surfaces), math.degrees(1.0))
        self.errors(
            k=len(fit.surfaces), noise=sensor.noise_deg, bias=sensor.bias_deg, walk=sensor.walk_deg_sqrt_h / 60.0,
            scale=sensor.scale, resolution=sensor.resolution_deg, low=-sensor.range_deg, high=sensor.range_deg,
        )  # fmt: skip


@also_compiled
def felt_depth(row, point, decay_m):
    """Depth that the pressure shows: the pressure of a wave fades with depth; 0 out of the water."""
    arm = dot(rotation(row)[2], point[0], point[1], point[2])
    still = row[POSITION + 2] + arm
    below = row[BELOW] + arm if math.isfinite(row[BELOW]) else still
    return still + (below - still) * math.exp(-below / decay_m) if below > 0.0 else 0.0


@law
def felt_depths(point, ratio_and_decay, motion, out):
    """Write `felt_depth` of each vehicle, in the water whose density the sensor assumes."""
    for i in range(len(out)):
        out[i, 0] = ratio_and_decay[0] * felt_depth(motion[i], point, ratio_and_decay[1])


@also_compiled
def deviation_deg(iron, yaw):
    """Deviation of a compass on a heading, deg; `iron` are its coefficients B to E."""
    double = 2.0 * yaw
    hard = iron[0] * math.sin(yaw) + iron[1] * math.cos(yaw)
    return hard + iron[2] * math.sin(double) + iron[3] * math.cos(double)


@law
def magnetic_angles(mount, iron, declination_deg, rows, motion, out):
    """Write the heading with its deviation, and roll and pitch if `out` has three columns, deg."""
    for i in range(len(out)):
        R = rotation(motion[i])
        xx, xy = dot(R[0], mount[0, 0], mount[1, 0], mount[2, 0]), dot(R[0], mount[0, 1], mount[1, 1], mount[2, 1])
        yx, yy = dot(R[1], mount[0, 0], mount[1, 0], mount[2, 0]), dot(R[1], mount[0, 1], mount[1, 1], mount[2, 1])
        zx, zy = dot(R[2], mount[0, 0], mount[1, 0], mount[2, 0]), dot(R[2], mount[0, 1], mount[1, 1], mount[2, 1])
        zz = dot(R[2], mount[0, 2], mount[1, 2], mount[2, 2])
        at_pole = abs(zx) > UPRIGHT
        yaw = math.atan2(-xy, yy) if at_pole else math.atan2(yx, xx)
        out[i, 0] = math.degrees(yaw) - declination_deg + deviation_deg(iron[rows[i]], yaw)
        if out.shape[1] > 1:
            out[i, 1] = 0.0 if at_pole else math.degrees(math.atan2(zy, zz))
            out[i, 2] = math.degrees(math.atan2(-zx, math.hypot(xx, yx)))


@law
def speeds_through_water(point, axis_b, threshold_m_s, least_m_s, motion, out, turning):
    """Write the speed of the water along an axis, and 1 if the wheel turns, else 0.

    It stands still below the threshold, below the least speed and out of the water.
    """
    for i in range(len(out)):
        row = motion[i]
        R, (u, v, w) = rotation(row), velocity_b(row, point)
        north, east, down = row[WATER], row[WATER + 1], row[WATER + 2]
        u -= R[0][0] * north + R[1][0] * east + R[2][0] * down
        v -= R[0][1] * north + R[1][1] * east + R[2][1] * down
        w -= R[0][2] * north + R[1][2] * east + R[2][2] * down
        true = dot(axis_b, u, v, w)
        still = abs(true) < threshold_m_s or true < least_m_s or depth_of(row, point) <= 0.0
        out[i, 0], turning[i, 0] = true, 0.0 if still else 1.0


@law
def fixes(point, clearance_m, refix_s, site, ready_s, wait_s, rows, motion, error, out, has_fix):
    """Write position, latitude, longitude and accuracy, and whether there is a fix."""
    for i in range(len(out)):
        row, k, time_s = motion[i], rows[i], motion[i, TIME]
        has_fix[i] = False
        if not depth_of(row, point) < -clearance_m:
            ready_s[k], wait_s[k] = math.nan, refix_s
        else:
            if math.isnan(ready_s[k]):
                ready_s[k] = time_s + wait_s[k]
            has_fix[i] = time_s >= ready_s[k] - SOON
        north, east, _ = place_n(row, point)
        north, east = north + error[i, 0], east + error[i, 1]
        lat_deg, lon_deg, along_m, across_m, accuracy_m = site[0], site[1], site[2], site[3], site[4]
        out[i, 0], out[i, 1], out[i, 4] = north, east, accuracy_m
        out[i, 2] = lat_deg + math.degrees(north / along_m)
        out[i, 3] = (lon_deg + math.degrees(east / across_m) + 180.0) % 360.0 - 180.0
