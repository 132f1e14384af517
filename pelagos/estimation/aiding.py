"""Aiding measurements of the navigation filter: one class per kind of instrument, and the vehicle's dynamics as one.

The figures are those of the instrument's description, as a navigator reads them on the data sheet: white noise gives
the variance of a measurement, everything that lasts (bias, scale, mounting, wander) becomes error states. Steps of a
resolution d count as noise of variance d^2/12.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.estimation.error_state import DEPTH, HEADING, LEVEL, POSITION, RANGE, VELOCITY
from pelagos.estimation.strapdown import States
from pelagos.messages import Actuation
from pelagos.sensors.base import Sensor
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.dvl import FORWARD, Dvl
from pelagos.sensors.water_speed import WaterSpeed
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
STEP_S = 0.05  # longest step of the model


Indices = NDArray[np.int64]
ROOT_HOUR = 60.0  # square root of an hour's seconds
SLOWEST_SOUND_M_S = 1400.0
COAST_RATE_RAD_S = 0.1  # turn rate that is unknown without an IMU; times the lever arm, noise of a velocity
ACOUSTIC_MEMORY_S = 600.0  # a lasting error of angles is an error of position that changes as the vehicle moves
# Least standard deviations (SI), also for a description without noise: the filter would become singular
LEAST = {"velocity": 1e-3, "position": 0.02, "depth": 2e-3, "heading": math.radians(0.02), "range": 0.02}


@dataclass
class Measurement:
    """Arguments of one call of `error_state.fuse`; `z` and `sigma` are filled in for each reading."""

    kind: int
    m: int
    lever: Array  # 6
    index: Indices  # 4
    z: Array = field(default_factory=lambda: np.zeros(3))
    sigma: Array = field(default_factory=lambda: np.zeros(3))


class Aid:
    """Aiding instrument: turns readings into measurements of the filter.

    `read` yields the same `Measurement` objects each time: the caller uses one before it asks for the next.
    `velocity`, `position`, `heading`, `water`: what it observes; `longest_s`: age of its oldest readings on arrival.
    """

    velocity = position = heading = water = False

    def __init__(self, sensor: Sensor, arm_b: Array, noise: float) -> None:
        self.arm_b = np.concatenate([arm_b, np.zeros(3)])  # from the IMU
        self.noise = noise  # factor on the standard deviations of the description
        self.longest_s = sensor.latency_s

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Measurements of one reading; none where the instrument gave no answer."""
        raise NotImplementedError

    def _measurement(self, kind: int, m: int, sigma: float = 0.0, index: tuple[int, int, int, int] = (-1, -1, -1, -1),
                     lever: Array | None = None) -> Measurement:  # fmt: skip
        measurement = Measurement(kind, m, self.arm_b if lever is None else lever, np.array(index))
        measurement.sigma[:] = self.noise * sigma
        return measurement


class DepthAid(Aid):
    """Depth gauge; near the surface the pressure of waves is noise."""

    def __init__(self, sensor: Depth, name: str, states: States, arm_b: Array, noise: float, wave_m: float) -> None:
        super().__init__(sensor, arm_b, noise)
        scale = states.add(f"{name} scale", 1, sensor.scale)
        bias = states.add(f"{name} bias", 1, sensor.bias_m, walk=sensor.walk_m_sqrt_h / ROOT_HOUR)
        sigma = _white(sensor.noise_m, sensor.resolution_m, LEAST["depth"])
        self._measured = self._measurement(DEPTH, 1, sigma, (-1, scale, -1, bias))
        self._sigma, self._wave_m, self._decay_m = noise * sigma, noise * wave_m, sensor.wave_decay_m

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Depth."""
        measured = self._measured
        measured.z[0] = depth = values[0]
        if self._wave_m > 0.0:
            measured.sigma[0] = math.hypot(self._sigma, self._wave_m * math.exp(-max(depth, 0.0) / self._decay_m))
        if math.isfinite(depth):
            yield measured


class CompassAid(Aid):
    """Compass: heading with its deviation; roll and pitch, where it has them, only while there is no IMU."""

    heading = True

    def __init__(self, sensor: Compass, name: str, states: States, arm_b: Array, noise: float) -> None:
        super().__init__(sensor, arm_b, noise)
        walk = math.radians(sensor.walk_deg_sqrt_h) / ROOT_HOUR
        memory = sensor.memory_s or math.inf
        wander = walk * math.sqrt(0.5 * memory) if math.isfinite(memory) else 0.0
        bias = states.add(
            f"{name} bias", 1, math.radians(sensor.bias_deg), wander=wander, memory_s=memory,
            walk=0.0 if wander > 0.0 else walk,
        )  # fmt: skip
        hard = states.add(f"{name} hard iron", 2, math.radians(sensor.hard_iron_deg))
        soft = states.add(f"{name} soft iron", 2, math.radians(sensor.soft_iron_deg))
        sigma = _white(math.radians(sensor.noise_deg), math.radians(sensor.resolution_deg), LEAST["heading"])
        axis = np.concatenate([sensor.R_bs[:, 0], np.zeros(3)])
        self._measured = self._measurement(HEADING, 1, sigma, (hard, soft, -1, bias), axis)
        self._declination = sensor.declination_deg  # a navigator knows it
        self._tilt = sensor.tilt
        self._R_bs = sensor.R_bs
        tilt = math.radians(math.hypot(sensor.tilt_noise_deg, sensor.tilt_bias_deg))
        self._level = self._measurement(LEVEL, 2, max(tilt, math.radians(0.1)))

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Heading, and the direction of down while coasting."""
        self._measured.z[0] = math.radians(values[0] + self._declination)
        if math.isfinite(values[0]):
            yield self._measured
        if coasting and self._tilt and math.isfinite(values[1] + values[2]):
            roll, pitch = math.radians(values[1]), math.radians(values[2])
            level = math.cos(pitch)
            down_b = self._R_bs @ (-math.sin(pitch), level * math.sin(roll), level * math.cos(roll))
            self._level.z[:2] = down_b[:2]
            yield self._level


class DvlAid(Aid):
    """DVL: velocity over ground with bottom lock, velocity through the water with water track."""

    velocity = True

    def __init__(self, sensor: Dvl, name: str, states: States, arm_b: Array, noise: float, current: int) -> None:
        super().__init__(sensor, arm_b, noise)
        slant = math.radians(sensor.beam_angle_deg)
        upright = math.tan(slant) / math.sqrt(2.0)  # noise of the vertical velocity over that of the horizontal ones
        scale = states.add(f"{name} scale", 1, sensor.scale)
        turn = states.add(f"{name} turn", 3, math.radians(sensor.misalignment_deg))
        b = sensor.bias_m_s
        bias = states.add(f"{name} bias", 3, (b, b, upright * b))
        self._sensor, self._per_range = sensor, sensor.noise_per_range / math.cos(slant)
        self._share = noise * np.array([1.0, 1.0, upright])
        self._ground = self._measurement(VELOCITY, 3, 0.0, (-1, scale, turn, bias))
        self._water = self._measurement(VELOCITY, 3, 0.0, (current, scale, turn, -1)) if current >= 0 else None
        self.water, self._arm_m = sensor.water_track, float(np.linalg.norm(arm_b))

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Velocity over ground, then through the water."""
        sensor, height = self._sensor, values[3]
        ground, water = FORWARD
        for measured, at, more in ((self._ground, ground, 1.0), (self._water, water, sensor.water_noise_factor)):
            if measured is None or not math.isfinite(values[at] + values[at + 1] + values[at + 2]):
                continue
            speed = math.hypot(*values[at : at + 3])
            sigma = sensor.noise_m_s + sensor.noise_per_speed * speed
            if at == ground and math.isfinite(height):
                sigma += self._per_range * height
            measured.z[:] = values[at : at + 3]
            measured.sigma[:] = _white(more * sigma, sensor.resolution_m_s, LEAST["velocity"]) * self._share
            if coasting:
                measured.sigma[:] = np.hypot(measured.sigma, COAST_RATE_RAD_S * self._arm_m)
            yield measured


class WaterSpeedAid(Aid):
    """Speed through the water along one axis; only instruments that point straight ahead are used."""

    velocity = water = True

    def __init__(self, sensor: WaterSpeed, name: str, states: States, arm_b: Array, noise: float, current: int) -> None:
        super().__init__(sensor, arm_b, noise)
        scale = states.add(f"{name} scale", 1, sensor.scale)
        bias = states.add(f"{name} bias", 1, sensor.bias_m_s, walk=sensor.walk_m_s_sqrt_h / ROOT_HOUR)
        self._measured = self._measurement(VELOCITY, 1, 0.0, (current, scale, -1, bias))
        self._measured.sigma[:] = noise * _white(sensor.noise_m_s, sensor.resolution_m_s, LEAST["velocity"])
        self._least = sensor.threshold_m_s

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Speed, if the wheel turns."""
        self._measured.z[0] = values[0]
        if math.isfinite(values[0]) and abs(values[0]) > self._least and values[0] != 0.0:
            yield self._measured


class GpsAid(Aid):
    """GPS: north and east of the antenna; most of its error wanders."""

    position = True

    def __init__(self, sensor: Gps, name: str, states: States, arm_b: Array, noise: float) -> None:
        super().__init__(sensor, arm_b, noise)
        sigma, share = sensor.sigma_m, sensor.noise_share
        wander = noise * sigma * math.sqrt(1.0 - share)
        bias = states.add(f"{name} wander", 2, 0.0, wander=wander, memory_s=sensor.memory_s)
        white = _white(sigma * math.sqrt(share), sensor.resolution_m, LEAST["position"])
        self._measured = self._measurement(POSITION, 2, white, (-1, -1, -1, bias))

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """The fix."""
        self._measured.z[:2] = values[:2]
        if math.isfinite(values[0] + values[1]):
            yield self._measured


class UsblAid(Aid):
    """USBL fix by a ship: noise of range and angles; a lasting error of angles counts as one of position."""

    position = True

    def __init__(self, sensor: Usbl, name: str, states: States, arm_b: Array, noise: float) -> None:
        super().__init__(sensor, arm_b, noise)
        self.longest_s += sensor.turnaround_s + sensor.ways * sensor.max_range_m / SLOWEST_SOUND_M_S
        self._sensor = sensor
        away = 0.5 * sensor.max_range_m
        lasting = math.hypot(sensor.bias_m, math.radians(sensor.angle_bias_deg) * away)
        bias = states.add(f"{name} bias", 3, 0.0, wander=noise * lasting, memory_s=ACOUSTIC_MEMORY_S)
        self._measured = self._measurement(POSITION, 3, 0.0, (-1, -1, -1, bias))

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """The fix."""
        r, bearing, elevation = values[0], math.radians(values[1]), math.radians(values[2])
        fix = values[3:6]  # north, east, depth
        if not math.isfinite(r + fix[0] + fix[1] + fix[2]):
            return
        along = _white(
            self._sensor.noise_m + self._sensor.noise_per_range * r, self._sensor.resolution_m, LEAST["range"]
        )
        across = r * math.radians(self._sensor.angle_noise_deg)
        cb, sb, ce, se = math.cos(bearing), math.sin(bearing), math.cos(elevation), math.sin(elevation)
        level, up = along * ce, across * se  # parts of range and elevation that are horizontal
        sigma = self._measured.sigma
        sigma[0] = self.noise * math.hypot(level * cb, up * cb, across * ce * sb)
        sigma[1] = self.noise * math.hypot(level * sb, up * sb, across * ce * cb)
        sigma[2] = self.noise * math.hypot(along * se, across * ce)
        self._measured.z[:] = fix
        yield self._measured


class LblAid(Aid):
    """LBL: ranges to transponders at known positions, one by one."""

    position = True

    def __init__(self, sensor: Lbl, name: str, states: States, arm_b: Array, noise: float) -> None:
        super().__init__(sensor, arm_b, noise)
        self.longest_s += sensor.turnaround_s + sensor.ways * sensor.max_range_m / SLOWEST_SOUND_M_S
        self._sensor = sensor
        self._ranges: list[Measurement] = []
        for k, place in enumerate(sensor.transponders_m):
            bias = states.add(f"{name} bias {k + 1}", 1, sensor.bias_m)
            lever = np.concatenate([arm_b, np.asarray(place, float)])
            self._ranges.append(self._measurement(RANGE, 1, 0.0, (-1, -1, -1, bias), lever))

    def read(self, values: list[float], coasting: bool) -> Iterator[Measurement]:
        """Each range."""
        sensor = self._sensor
        for measured, r in zip(self._ranges, values, strict=False):
            if math.isfinite(r):
                measured.z[0] = r
                spread = sensor.noise_m + sensor.noise_per_range * r
                measured.sigma[0] = self.noise * _white(spread, sensor.resolution_m, LEAST["range"])
                yield measured


def make_aids(
    sensors: Mapping[str, Sensor], states: States, imu_b: Array, *, noise: float, wave_m: float, current: int
) -> dict[str, Aid]:
    """Make the aids of all instruments that have one, by name; `current`: error state of the current, -1 for none."""
    aids: dict[str, Aid] = {}
    for name, sensor in sensors.items():
        arm_b = np.asarray(sensor.position_m, float) - imu_b
        if isinstance(sensor, Depth):
            aids[name] = DepthAid(sensor, name, states, arm_b, noise, wave_m)
        elif isinstance(sensor, Compass):
            aids[name] = CompassAid(sensor, name, states, arm_b, noise)
        elif isinstance(sensor, Dvl):
            aids[name] = DvlAid(sensor, name, states, arm_b, noise, current if sensor.water_track else -1)
        elif isinstance(sensor, WaterSpeed) and current >= 0 and sensor.R_bs[0, 0] > 0.999:
            aids[name] = WaterSpeedAid(sensor, name, states, arm_b, noise, current)
        elif isinstance(sensor, Gps):
            aids[name] = GpsAid(sensor, name, states, arm_b, noise)
        elif isinstance(sensor, Usbl):
            aids[name] = UsblAid(sensor, name, states, arm_b, noise)
        elif isinstance(sensor, Lbl):
            aids[name] = LblAid(sensor, name, states, arm_b, noise)
    return aids


def _white(noise: float, resolution: float, least: float) -> float:
    """Standard deviation of noise and quantisation together, at least `least`."""
    return max(math.sqrt(noise * noise + resolution * resolution / 12.0), least)


class ModelAid:
    """Model aiding: velocity through the water from the vehicle's dynamics and its actuators.

    The navigator runs the kernel of the simulated vehicle a second time, in still water without surface or bottom:

        nu_r' = M^-1 tau(nu_r, attitude, actuators)      u_r, v_r, w_r run free; attitude, p, q, r are estimates
        z = nu_r = R^T (v - c) + w x l + b + noise

    c is the current, a random walk, and b the error of the model, a Gauss-Markov process in body axes. While a DVL has
    bottom lock c is observable; without it, z and c together still bound the velocity. Turning separates c from b: one
    keeps its direction in the world, the other in the vehicle.

    Reference: Hegrenaes and Hallingstad (2011), Model-aided INS with sea current estimation for robust underwater
    navigation, IEEE J. Oceanic Eng. 36(2), 316-337. Limits: near the surface the model has neither waves nor wetted
    share; a fault of an actuator that the navigator has no report of is an error of the model.
    """

    def __init__(
        self, vehicle: Vehicle, *, gravity_m_s2: float | None = None, density_kg_m3: float | None = None
    ) -> None:
        self._plant = Plant(vehicle, gravity_m_s2=gravity_m_s2, density_kg_m3=density_kg_m3)
        self._first = np.zeros(3)

    def __deepcopy__(self, memo: dict[int, Any]) -> ModelAid:
        other = object.__new__(type(self))
        other._plant, other._first = copy.deepcopy(self._plant, memo), self._first.copy()
        memo[id(self)] = other
        return other

    def start(self, velocity_b: Array) -> None:
        """Begin with a velocity through the water, m/s."""
        self._plant.reset()
        self._first = np.asarray(velocity_b, float)
        self._plant.nu[:3] = self._first

    def advance(
        self, seconds: float, quaternion: Array, rates_b: Array, depth_m: float, applied: Actuation
    ) -> Array | None:
        """Velocity of O through the water after so many seconds with the actuators at work, body axes, m/s.

        None if the model left the finite numbers; it then begins again at rest.
        """
        plant = self._plant
        plant.position_n[2] = depth_m
        if plant.euler_angles:
            plant.place(quaternion=quaternion)
        else:
            plant.state["attitude"][:] = quaternion
        plant.nu[3:] = rates_b
        plant.set_actuators(thrusters=applied.thrusters, surfaces=applied.surfaces, ballast=applied.ballast)
        n = max(1, math.ceil(seconds / STEP_S - 1e-9))
        if plant.advance(seconds / n, n) < n:
            self.start(np.zeros(3))
            return None
        return plant.nu[:3].copy()
