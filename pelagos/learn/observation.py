"""Observations of an environment: their named fields, and the motion they are made from, true or measured.

Fields. A task writes SI numbers; the policy gets number / scale, about -1 to 1 in ordinary motion. Beyond its limit, in
units of the scale, an observation is clipped, so that the space is bounded.

Motion. `MotionArrays` holds positions (north, east, down, m), angles (rad) and velocities in body axes (x forward, y
starboard, z down) of all vehicles. `StateObserver` passes the true motion on, `SensorObserver` that of the vehicle's
sensors (`pelagos.batch.sensors`), with their rates, noise, latency and drop-outs:

    attitude          compass: heading, roll, pitch
    rates             gyroscopes of the IMU
    velocity          DVL over ground; without bottom lock its last value
    depth             depth sensor
    north, east       dead reckoning: the true position at the start, plus the integral of the velocity
    altitude          altimeter; without one, that of the DVL

Before the first reading of a sensor, its quantity has the true value of the start. The velocity through the water,
which only the autopilot of an assist uses, is the water track of the DVL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.sensors import VectorSensorSuite
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates

Array = NDArray[np.float64]
Rows = NDArray[np.int64]
LIMIT = 5.0  # default limit of a field, in scales
KINDS = ("imu", "depth", "compass", "dvl")  # sensors that the measured motion needs


@dataclass(frozen=True)
class Field:
    """One number of an observation.

    name, unit   of the number before the division
    scale        the value that becomes 1
    about        meaning, for the documentation
    noise        standard deviation, in `unit`, of the noise that `randomise={"noise": ...}` multiplies
    limit        largest magnitude of the observation, in scales
    """

    name: str
    unit: str
    scale: float
    about: str
    noise: float = 0.0
    limit: float = LIMIT


class Fields:
    """The fields of a task as arrays."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.all = fields
        self.names = tuple(f.name for f in fields)
        self._factors = np.array([1.0 / f.scale for f in fields], dtype=np.float32)
        self.high = np.array([f.limit for f in fields], dtype=np.float32)
        self.low = -self.high
        self.noise = np.array([f.noise for f in fields])

    def __len__(self) -> int:
        return len(self.all)

    def scale(self, rows: NDArray[np.float32]) -> None:
        """Convert SI numbers to observations, in place."""
        rows *= self._factors
        np.clip(rows, self.low, self.high, out=rows)


# Fields of most tasks: nu, roll and pitch, turn to a heading, vector to a target.
RATES = (
    Field("surge_m_s", "m/s", 1.0, "velocity over ground, body axes, ahead", noise=0.02),
    Field("sway_m_s", "m/s", 1.0, "to starboard", noise=0.02),
    Field("heave_m_s", "m/s", 1.0, "down", noise=0.02),
    Field("roll_rate_rad_s", "rad/s", 1.0, "right-hand turn about the first axis", noise=0.01),
    Field("pitch_rate_rad_s", "rad/s", 1.0, "bow up", noise=0.01),
    Field("yaw_rate_rad_s", "rad/s", 1.0, "to starboard", noise=0.01),
)
TILT = (
    Field("roll_rad", "rad", 0.5, "starboard side down", noise=0.01),
    Field("pitch_rad", "rad", 0.5, "bow up", noise=0.01),
)
HEADING = (
    Field("sin_heading_error", "1", 1.0, "of the heading asked for less the heading", limit=1.0),
    Field("cos_heading_error", "1", 1.0, "of the same angle", limit=1.0),
)
PLACE = (
    Field("ahead_m", "m", 2.0, "from the vehicle to the target, body axes, ahead", noise=0.05),
    Field("starboard_m", "m", 2.0, "to starboard", noise=0.05),
    Field("below_m", "m", 2.0, "down", noise=0.05),
)


class MotionArrays:
    """Position, attitude and velocity of n vehicles; `read` fills the arrays from a batch without new ones.

    position_n (n, 3), euler (n, 3) roll, pitch, yaw, nu (n, 6) over ground and nu_r (n, 6) through the water in body
    axes, altitude_m (n,) NaN without a bottom, time_s (n,).
    """

    NAMES = ("position_n", "euler", "nu", "nu_r", "altitude_m", "time_s")

    def __init__(self, n: int) -> None:
        self.position_n, self.euler = np.zeros((n, 3)), np.zeros((n, 3))
        self.nu, self.nu_r = np.zeros((n, 6)), np.zeros((n, 6))
        self.altitude_m, self.time_s = np.full(n, np.nan), np.zeros(n)

    def read(self, batch: Batch, names: tuple[str, ...] = NAMES) -> None:
        """Read the true motion, or some quantities of it."""
        for name in names:
            batch.view.read(name, getattr(self, name))

    def states(self) -> VehicleStates:
        """Return the same arrays as a controller takes them."""
        roll, pitch, yaw = self.euler.T
        return VehicleStates(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)


def write_columns(out: NDArray[np.float32], *parts: NDArray[Any]) -> None:
    """Write arrays (n,) or (n, k) side by side to the columns of an observation."""
    first = 0
    for part in parts:
        k = 1 if part.ndim == 1 else part.shape[1]
        out[:, first : first + k] = part.reshape(len(out), k)
        first += k


def wrapped(angle: Array) -> Array:
    """Wrap angles to [-pi, pi)."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def in_body(vector_n: Array, euler: Array) -> Array:
    """Rotate NED vectors (n, 3) into body axes by Euler angles (n, 3), one rotation after another, yaw first."""
    roll, pitch, yaw = euler.T
    north, east, down = vector_n.T
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = c * north + s * east, c * east - s * north
    c, s = np.cos(pitch), np.sin(pitch)
    ahead, z = c * x - s * down, s * x + c * down
    c, s = np.cos(roll), np.sin(roll)
    return np.stack([ahead, c * y + s * z, c * z - s * y], axis=1)


def in_ned(vector_b: Array, euler: Array) -> Array:
    """Rotate body vectors (n, 3) into NED by Euler angles (n, 3): the inverse of `in_body`."""
    roll, pitch, yaw = euler.T
    x, y, z = vector_b.T
    c, s = np.cos(roll), np.sin(roll)
    y, z = c * y - s * z, s * y + c * z
    c, s = np.cos(pitch), np.sin(pitch)
    x, down = c * x + s * z, c * z - s * x
    c, s = np.cos(yaw), np.sin(yaw)
    return np.stack([c * x - s * y, s * x + c * y, down], axis=1)


def nearness(error: Array, scale: float) -> Array:
    """Reward for a small error: 1 / (1 + (e/s)^2), 1 without error, 1/2 at one scale.

    Unlike a Gaussian it has a useful slope far away too.
    """
    return 1.0 / (1.0 + (error / scale) ** 2)


class StateObserver:
    """Observer that passes the true motion on."""

    def __init__(self, true: MotionArrays) -> None:
        self.motion = true

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """Start episodes of the environments `where`; with `seeds` if they are the first of new seeds."""

    def observe(self) -> None:
        """Update the observed motion after an interval."""

    def states(self) -> VehicleStates:
        """Return the observed motion as a controller takes it."""
        return self.motion.states()


class SensorObserver(StateObserver):
    """Observer that computes the motion from the readings of the vehicle's sensors."""

    def __init__(self, batch: Batch, true: MotionArrays, interval_s: float) -> None:
        vehicle = batch.vehicle
        fitted = {sensor.kind: sensor.name or sensor.kind for sensor in vehicle.sensors}
        missing = next((kind for kind in KINDS if kind not in fitted), None)
        if missing:
            message = f"{vehicle.key} has no {missing} in its file"
            raise CommandError(message, key="observe", value="sensors", expected="'truth'")
        used = [fitted[kind] for kind in (*KINDS, "altimeter") if kind in fitted]
        self._view, self._true = batch.view, true
        self.motion = MotionArrays(batch.n)
        self._suite = VectorSensorSuite(vehicle, batch.n, only=used, world=batch.world)
        self._names = fitted
        self._interval_s = interval_s

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """Start episodes with the true motion, and reset the sensors."""
        for name in MotionArrays.NAMES:
            getattr(self.motion, name)[where] = getattr(self._true, name)[where]
        self._suite.reset(where, indices=seeds)

    def observe(self) -> None:
        """Take the readings that have arrived, and continue the dead reckoning by an interval."""
        readings, motion, name = self._suite.sample(self._view), self.motion, self._names
        angles = (readings[f"{name['compass']}_{part}_deg"] for part in ("roll", "pitch", "heading"))
        for k, angle in enumerate(angles):
            _copy_finite(motion.euler[:, k], np.radians(angle))
        for k, axis in enumerate("xyz"):
            _copy_finite(motion.nu[:, 3 + k], np.radians(readings[f"{name['imu']}_gyro_{axis}_deg_s"]))
            _copy_finite(motion.nu[:, k], readings[f"{name['dvl']}_velocity_{axis}_m_s"])
            _copy_finite(motion.nu_r[:, k], readings[f"{name['dvl']}_water_{axis}_m_s"])
        over_ground = in_ned(motion.nu[:, :3], motion.euler)
        motion.position_n[:, :2] += self._interval_s * over_ground[:, :2]
        _copy_finite(motion.position_n[:, 2], readings[f"{name['depth']}_depth_m"])
        _copy_finite(motion.altitude_m, readings[f"{name.get('altimeter', name['dvl'])}_altitude_m"])
        np.copyto(motion.nu_r[:, 3:], motion.nu[:, 3:])  # the water is taken as free of rotation
        np.copyto(motion.time_s, self._true.time_s)


def _copy_finite(to: Array, values: Array) -> None:
    """Copy the values that are numbers; NaN stands for no reading."""
    np.copyto(to, values, where=np.isfinite(values))
