"""Non-acoustic instruments of many vehicles: depth, compass, water speed, GPS, actuators, leak detector.

Each class is the array form of the instrument in `pelagos.sensors`, whose module states the error model, its reference
and its limits: the same parameters and order of operations, so that readings without noise are equal.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments.base import Array, Draw, Mask, Rows, VectorInstant, VectorInstrument
from pelagos.errors import CommandError
from pelagos.frames import euler_from_rotation
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps, radii_m
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.suite import SOON
from pelagos.sensors.water_speed import WaterSpeed

IRON = 16  # purpose of the random numbers of the deviation card, beyond those of the errors of a compass


class VectorDepth(VectorInstrument[Depth]):
    """Depth from pressure; 0 out of the water."""

    def __init__(self, sensor: Depth, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._ratio = fit.density_kg_m3 / (sensor.assumed_density_kg_m3 or fit.density_kg_m3)
        self._errors = self.error(
            0, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m,
        )  # fmt: skip

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the depth, m."""
        del scene
        still = now.place_n(self.sensor.position_m)[:, 2]
        below = now.depth_of(self.sensor.position_m)
        wet = below > 0.0
        # the pressure of waves decays with depth: deep down the sensor measures still water
        felt = np.exp(-np.where(wet, below, 0.0) / self.sensor.wave_decay_m)
        true = self._ratio * np.where(wet, still + (below - still) * felt, 0.0)
        return np.minimum(self._errors.at(rows, true[:, None], now.time_s), self.sensor.range_m), None


class VectorCompass(VectorInstrument[Compass]):
    """Heading, with a tilt sensor also roll and pitch."""

    def __init__(self, sensor: Compass, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._iron = np.zeros((n, 4))
        self._spread = np.repeat((sensor.hard_iron_deg, sensor.soft_iron_deg), 2)
        self._heading = self.error(
            0, noise=sensor.noise_deg, bias=sensor.bias_deg, walk=sensor.walk_deg_sqrt_h / 60.0,
            memory_s=sensor.memory_s or math.inf, resolution=sensor.resolution_deg,
        )  # fmt: skip
        step = sensor.tilt_resolution_deg
        self._tilt = self.error(
            3, 2, noise=sensor.tilt_noise_deg, bias=sensor.tilt_bias_deg, walk=sensor.tilt_walk_deg_sqrt_h / 60.0,
            scale=sensor.tilt_scale, resolution=sensor.resolution_deg if step is None else step,
        )  # fmt: skip

    def begin(self, rows: Rows) -> None:
        """Draw the constant errors and the deviation card."""
        super().begin(rows)
        if self._spread.any():
            self._iron[rows] = self._spread * self.draw.normal(IRON, 4)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return heading (and roll, pitch), deg."""
        del scene
        sensor = self.sensor
        R = now.R_nb @ sensor.R_bs if any(sensor.orientation_deg) else now.R_nb
        roll, pitch, yaw = euler_from_rotation(R).T
        heading = np.degrees(yaw) - sensor.declination_deg
        if self._spread.any():
            b, c, d, e = self._iron[rows].T  # coefficients B to E of the deviation of a compass
            heading += b * np.sin(yaw) + c * np.cos(yaw) + d * np.sin(2.0 * yaw) + e * np.cos(2.0 * yaw)
        value = self._heading.at(rows, heading[:, None], now.time_s) % 360.0
        if not sensor.tilt:
            return value, None
        level = np.degrees(np.stack([roll, pitch], axis=1))
        return np.concatenate([value, self._tilt.at(rows, level, now.time_s)], axis=1), None


class VectorWaterSpeed(VectorInstrument[WaterSpeed]):
    """Speed through the water along one axis."""

    def __init__(self, sensor: WaterSpeed, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._errors = self.error(
            0, noise=sensor.noise_m_s, bias=sensor.bias_m_s, walk=sensor.walk_m_s_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m_s,
        )  # fmt: skip

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the speed, m/s."""
        del scene
        sensor = self.sensor
        water_b = np.einsum("mi,mij->mj", now.water_n, now.R_nb)
        true = (now.velocity_b(sensor.position_m) - water_b) @ sensor.R_bs[:, 0]
        read = self._errors.at(rows, true[:, None], now.time_s)
        still = (np.abs(true) < sensor.threshold_m_s) | (now.depth_of(sensor.position_m) <= 0.0)
        if not sensor.both_ways:
            still |= true < 0.0
        return np.where(still[:, None], 0.0, np.clip(read, -sensor.range_m_s, sensor.range_m_s)), None


class VectorGps(VectorInstrument[Gps]):
    """Position while the antenna is out of the water."""

    def __init__(self, sensor: Gps, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        rest = sensor.sigma_m * math.sqrt(1.0 - sensor.noise_share)
        self._errors = self.error(
            0, 2, noise=sensor.sigma_m * math.sqrt(sensor.noise_share), walk=rest * math.sqrt(2.0 / sensor.memory_s),
            memory_s=sensor.memory_s, bias=sensor.bias_m, resolution=sensor.resolution_m,
        )  # fmt: skip
        self._ready_s, self._wait_s = np.empty(n), np.empty(n)
        self._along_m, self._across_m = radii_m(fit.origin_lat_deg)

    def begin(self, rows: Rows) -> None:
        """Draw the constant errors; the first fix takes `first_fix_s`, later ones `refix_s`."""
        super().begin(rows)
        self._ready_s[rows], self._wait_s[rows] = math.nan, self.sensor.first_fix_s

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return a fix; no reading under water and until the receiver has one."""
        del scene
        sensor, fit, time_s = self.sensor, self.fit, now.time_s
        # the error continues under water, because most of it comes from the satellites
        error = self._errors.at(rows, np.zeros((len(now), 2)), time_s)
        out = now.depth_of(sensor.position_m) < -sensor.clearance_m
        ready = np.where(np.isnan(self._ready_s[rows]), time_s + self._wait_s[rows], self._ready_s[rows])
        self._ready_s[rows] = np.where(out, ready, math.nan)
        self._wait_s[rows] = np.where(out, self._wait_s[rows], sensor.refix_s)
        north, east = (now.place_n(sensor.position_m)[:, :2] + error).T
        lat = fit.origin_lat_deg + np.degrees(north / self._along_m)
        lon = (fit.origin_lon_deg + np.degrees(east / self._across_m) + 180.0) % 360.0 - 180.0
        accuracy = np.full(len(now), math.sqrt(2.0) * sensor.sigma_m)
        return np.stack([north, east, lat, lon, accuracy], axis=1), out & ~(time_s < ready - SOON)


class VectorLeakDetector(VectorInstrument[LeakDetector]):
    """Leak detector: 0, or 1 for a false alarm; a batch has no leaks."""

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return 1 for an alarm, else 0."""
        del rows, scene
        if self.sensor.false_alarm == 0.0:
            return np.zeros((len(now), 1)), None
        return (self.draw.uniform(0, 1) < self.sensor.false_alarm).astype(float), None


class _Positions(VectorInstrument[Tachometer | PlanePosition]):
    """Actual state of each actuator of a group."""

    actuators = ""  # name of the group in `VectorInstant`
    factors: Array  # to the units of the columns
    limits: Array

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return one value for each actuator."""
        del scene
        k, positions = len(self.factors), getattr(now, self.actuators)
        if positions.shape[1] < k:
            raise CommandError(
                key=f"number of {self.actuators} in the states",
                value=positions.shape[1],
                expected=f"the {k} that {self.sensor.kind} measures: pass a Batch, or {self.actuators} with the states",
            )
        value = self.errors[0].at(rows, self.factors * positions[:, :k], now.time_s)
        return np.clip(value, -self.limits, self.limits), None


class VectorTachometers(_Positions):
    """Shaft rate of every thruster, in the unit of the log."""

    actuators = "thrusters"

    def __init__(self, sensor: Tachometer, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        in_rpm = np.array([unit == "rpm" for unit, _ in fit.thruster_units], dtype=bool)
        self.factors = np.array([factor for _, factor in fit.thruster_units], dtype=float)
        self.limits = np.where(in_rpm, sensor.range_rpm, np.inf)
        self.error(
            0, len(in_rpm), noise=np.where(in_rpm, sensor.noise_rpm, 0.0), bias=np.where(in_rpm, sensor.bias_rpm, 0.0),
            walk=np.where(in_rpm, sensor.walk_rpm_sqrt_h / 60.0, 0.0), scale=sensor.scale,
            resolution=np.where(in_rpm, sensor.resolution_rpm, 0.0),
        )  # fmt: skip


class VectorPlanes(_Positions):
    """Angle of every control surface, deg."""

    actuators = "surfaces"

    def __init__(self, sensor: PlanePosition, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        k = len(fit.surfaces)
        self.factors, self.limits = np.full(k, 180.0 / np.pi), np.full(k, sensor.range_deg)
        self.error(
            0, k, noise=sensor.noise_deg, bias=sensor.bias_deg, walk=sensor.walk_deg_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_deg,
        )  # fmt: skip
