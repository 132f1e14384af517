"""What an environment sees of the motion: the truth, or what the instruments of the vehicle's file say.

With instruments (`pelagos.batch.instruments`, their own rates, noise, latency and drop-outs):

    attitude          compass: heading, roll, pitch
    rates             gyroscopes of the IMU
    velocity          DVL over ground; where it has no bottom, what it said last
    depth             depth gauge
    north, east       dead reckoning: the true place at the start, from then on the sum of velocity times time
    altitude          altimeter, or the DVL's where there is none

A reading that has not come yet is the truth of the start. The velocity through the water, which only the autopilot of
an assist asks for, is the DVL's water track.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.instruments import Instruments
from pelagos.errors import CommandError
from pelagos.learn.motion import Motion, in_ned
from pelagos.messages import Truths

Rows = NDArray[np.int64]
KINDS = ("imu", "depth", "compass", "dvl")  # without these there is no motion to show


class Truth:
    """The exact motion."""

    def __init__(self, true: Motion) -> None:
        self.motion = true

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """Episodes of `where` begin; with seeds, the first ones of these."""

    def look(self) -> None:
        """One interval on."""

    def truths(self) -> Truths:
        """As a controller takes it."""
        return self.motion.truths()


class Readings(Truth):
    """The motion as instruments tell it, in arrays of its own."""

    def __init__(self, batch: Batch, true: Motion, interval_s: float) -> None:
        vehicle = batch.vehicle
        fitted = {sensor.kind: sensor.name or sensor.kind for sensor in vehicle.sensors}
        missing = next((kind for kind in KINDS if kind not in fitted), None)
        if missing:
            raise CommandError(f"{vehicle.key} has no {missing} in its file; expected observe='truth'")
        wanted = [fitted[kind] for kind in (*KINDS, "altimeter") if kind in fitted]
        self._batch, self._true = batch, true
        self.motion = Motion(batch.n)
        self._instruments = Instruments(vehicle, batch.n, only=wanted, world=batch.world)
        self._names = fitted
        self._interval_s = interval_s

    def begin(self, where: Rows, seeds: Rows | None) -> None:
        """At the start the place is known."""
        for name in Motion.NAMES:
            getattr(self.motion, name)[where] = getattr(self._true, name)[where]
        self._instruments.reset(where, indices=seeds)

    def look(self) -> None:
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
