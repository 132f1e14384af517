"""Instants for instruments: a body at rest, in steady motion or turning, in closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pelagos.frames import quaternion_from_euler
from pelagos.sensors.instruments.instant import Instant

NOTHING: Any = None  # a scene that these instruments do not look at


def instant(time_s=0.0, *, position=(0.0, 0.0, 10.0), euler_deg=(0.0, 0.0, 0.0), nu=(0.0,) * 6, **more):
    """One instant; angles in deg."""
    return Instant(
        time_s,
        np.array(position, dtype=float),
        quaternion_from_euler(*np.radians(euler_deg)),
        np.array(nu, dtype=float),
        **more,
    )


def instants(n, dt, first=1, **more):
    """n instants dt apart, the body at rest."""
    return [instant((first + i) * dt, **more) for i in range(n)]


def circling(time_s, speed, rate):
    """A level steady turn: at `speed` along its own x axis, heading rate `rate` rad/s."""
    return instant(
        time_s,
        position=(speed / rate * math.sin(rate * time_s), speed / rate * (1.0 - math.cos(rate * time_s)), 5.0),
        euler_deg=(0.0, 0.0, math.degrees(rate * time_s)),
        nu=(speed, 0.0, 0.0, 0.0, 0.0, rate),
    )


def readings(sensor, fit, seed, track, per_call=1):
    """(times, rows) of one instrument that is taken along a track."""
    from pelagos.sensors.suite import SensorSuite

    suite = SensorSuite([sensor], fit, seed)
    times, rows = [], []
    for i in range(0, len(track), per_call):
        suite.sample(track[i : i + per_call], NOTHING)
        times += [reading.time_s for reading in suite.arrived]
        rows += [reading.values for reading in suite.arrived]
    return np.array(times), np.array(rows)
