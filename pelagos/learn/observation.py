"""What an environment sees of the motion: the truth, or what the instruments of the vehicle's file say.

With instruments (`pelagos.batch.instruments.suite`, their own rates, noise, latency and drop-outs):

    attitude          compass: heading, roll, pitch
    rates             gyroscopes of the IMU
    velocity          DVL over ground; where it has no bottom, what it said last
    depth             depth gauge
    north, east       dead reckoning: the true place at the start, from then on the sum of velocity times time
    altitude          altimeter, or the DVL's where there is none

A reading that has not come yet is the truth of the start. The velocity through the water, which only the autopilot of
an assist asks for, is the DVL's water track.

What an observation is made of: named numbers with units, each divided by a scale and held to a limit.

A task writes SI numbers; what a policy sees is number / scale, about -1 to 1 in ordinary flight. Beyond the limit, in
units of the scale, the observation stays at the limit, so that the space is bounded.

The motion of all vehicles in arrays that are filled anew at every step, and the turns between frames.

North, east, down in m; angles rad; body axes x forward, y starboard, z down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.instruments.suite import VectorSensorSuite
from pelagos.errors import CommandError
from pelagos.messages import VehicleStates

LIMIT = 5.0  # scales


@dataclass(frozen=True)
class Field:
    """One number of an observation.

    name, unit   of the number before it is divided
    scale        what is shown as 1
    about        what it is, for the page
    noise        standard deviation, in `unit`, of the noise that `randomise={"noise": ...}` multiplies
    limit        where the observation stays, in scales
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
        self._per = np.array([1.0 / f.scale for f in fields], dtype=np.float32)
        self.high = np.array([f.limit for f in fields], dtype=np.float32)
        self.low = -self.high
        self.noise = np.array([f.noise for f in fields])

    def __len__(self) -> int:
        return len(self.all)

    def scale(self, rows: NDArray[np.float32]) -> None:
        """SI numbers to observations, in place."""
        rows *= self._per
        np.clip(rows, self.low, self.high, out=rows)


# What most tasks show of the motion, in the order of `motion_into`.
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


# ---- motion ----------------------------------------------------------------------------------------------------------


Array = NDArray[np.float64]


class MotionArrays:
    """Where n vehicles are and how they move; `read` fills it from a batch without allocating.

    position_n (n, 3), euler (n, 3) roll, pitch, yaw, nu (n, 6) over ground and nu_r (n, 6) through the water in body
    axes, altitude_m (n,) NaN without a bottom, time_s (n,).
    """

    NAMES = ("position_n", "euler", "nu", "nu_r", "altitude_m", "time_s")

    def __init__(self, n: int) -> None:
        self.position_n, self.euler = np.zeros((n, 3)), np.zeros((n, 3))
        self.nu, self.nu_r = np.zeros((n, 6)), np.zeros((n, 6))
        self.altitude_m, self.time_s = np.full(n, np.nan), np.zeros(n)

    def read(self, batch: Batch, names: tuple[str, ...] = NAMES) -> None:
        """The exact motion now, or the part of it that is asked for."""
        for name in names:
            batch.read(name, getattr(self, name))

    def states(self) -> VehicleStates:
        """The same arrays as a controller takes them."""
        roll, pitch, yaw = self.euler.T
        return VehicleStates(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)


def wrapped(angle: Array) -> Array:
    """The same angles in [-pi, pi)."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def in_body(vector_n: Array, euler: Array) -> Array:
    """NED vectors (n, 3) in body axes: R^T of the angles (n, 3), one turn after another, yaw first."""
    roll, pitch, yaw = euler.T
    north, east, down = vector_n.T
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = c * north + s * east, c * east - s * north
    c, s = np.cos(pitch), np.sin(pitch)
    ahead, z = c * x - s * down, s * x + c * down
    c, s = np.cos(roll), np.sin(roll)
    return np.stack([ahead, c * y + s * z, c * z - s * y], axis=1)


def in_ned(vector_b: Array, euler: Array) -> Array:
    """Body vectors (n, 3) in NED: the way back."""
    roll, pitch, yaw = euler.T
    x, y, z = vector_b.T
    c, s = np.cos(roll), np.sin(roll)
    y, z = c * y - s * z, s * y + c * z
    c, s = np.cos(pitch), np.sin(pitch)
    x, down = c * x + s * z, c * z - s * x
    c, s = np.cos(yaw), np.sin(yaw)
    return np.stack([c * x - s * y, s * x + c * y, down], axis=1)


def nearness(error: Array, scale: float) -> Array:
    """1 at no error, 1/2 at one scale, towards 0 far away: 1 / (1 + (e/s)^2). It has a slope everywhere."""
    return 1.0 / (1.0 + (error / scale) ** 2)


# ---- sensed ----------------------------------------------------------------------------------------------------------


Rows = NDArray[np.int64]
KINDS = ("imu", "depth", "compass", "dvl")  # without these there is no motion to show


class StateObserver:
    """The exact motion."""

    def __init__(self, true: MotionArrays) -> None:
        self.motion = true

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """Episodes of `where` begin; with seeds, the first ones of these."""

    def observe(self) -> None:
        """One interval on."""

    def states(self) -> VehicleStates:
        """As a controller takes it."""
        return self.motion.states()


class SensorObserver(StateObserver):
    """The motion as instruments tell it, in arrays of its own."""

    def __init__(self, batch: Batch, true: MotionArrays, interval_s: float) -> None:
        vehicle = batch.vehicle
        fitted = {sensor.kind: sensor.name or sensor.kind for sensor in vehicle.sensors}
        missing = next((kind for kind in KINDS if kind not in fitted), None)
        if missing:
            raise CommandError(f"{vehicle.key} has no {missing} in its file", expected="observe='truth'")
        wanted = [fitted[kind] for kind in (*KINDS, "altimeter") if kind in fitted]
        self._batch, self._true = batch, true
        self.motion = MotionArrays(batch.n)
        self._instruments = VectorSensorSuite(vehicle, batch.n, only=wanted, world=batch.world)
        self._names = fitted
        self._interval_s = interval_s

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """At the start the place is known."""
        for name in MotionArrays.NAMES:
            getattr(self.motion, name)[where] = getattr(self._true, name)[where]
        self._instruments.reset(where, indices=seeds)

    def observe(self) -> None:
        """Take in what has arrived, and reckon on."""
        said, seen, name = self._instruments.sample(self._batch), self.motion, self._names
        angles = (said[f"{name['compass']}_{part}_deg"] for part in ("roll", "pitch", "heading"))
        for k, angle in enumerate(angles):
            _take(seen.euler[:, k], np.radians(angle))
        for k, axis in enumerate("xyz"):
            _take(seen.nu[:, 3 + k], np.radians(said[f"{name['imu']}_gyro_{axis}_deg_s"]))
            _take(seen.nu[:, k], said[f"{name['dvl']}_velocity_{axis}_m_s"])
            _take(seen.nu_r[:, k], said[f"{name['dvl']}_water_{axis}_m_s"])
        over_ground = in_ned(seen.nu[:, :3], seen.euler)
        seen.position_n[:, :2] += self._interval_s * over_ground[:, :2]
        _take(seen.position_n[:, 2], said[f"{name['depth']}_depth_m"])
        _take(seen.altitude_m, said[f"{name.get('altimeter', name['dvl'])}_altitude_m"])
        np.copyto(seen.nu_r[:, 3:], seen.nu[:, 3:])
        np.copyto(seen.time_s, self._true.time_s)


def _take(to: NDArray[np.float64], said: NDArray[np.float64]) -> None:
    """What was said, where anything was."""
    np.copyto(to, said, where=np.isfinite(said))
