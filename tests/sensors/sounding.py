"""Instants and instruments for the tests of acoustic instruments."""

import numpy as np

from pelagos.frames import quaternion_from_euler
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise

FIT = VehicleContext(vehicle="tested")


def instant(position=(0.0, 0.0, 10.0), euler_deg=(0.0, 0.0, 0.0), nu=(0.0,) * 6, **others):
    """A instant with the attitude in degrees."""
    others.setdefault("time_s", 0.0)
    q = quaternion_from_euler(*np.radians(euler_deg))
    return Instant(position_n=np.array(position, float), quaternion=q, nu=np.array(nu, float), **others)


def at_work(sensor, seed=1, fit=FIT):
    return sensor.make(fit, Noise(seed))


def named(sensor, values):
    """Values by their columns."""
    assert len(values) == len(sensor.columns)
    return dict(zip(sensor.columns, np.asarray(values).tolist(), strict=True))


def reading(sensor, now, scene, seed=1):
    """One reading of a new instrument by its columns."""
    return named(sensor, at_work(sensor, seed).measure_single(now, scene))
