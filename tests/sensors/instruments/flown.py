"""Motions of a few vehicles for the tests of instruments, and the comparison of a vehicle alone and among others."""

from dataclasses import replace
from typing import Any

import numpy as np

from pelagos.batch.sensors import VectorSensorSuite
from pelagos.frames import quaternion_from_euler
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.suite import SensorSuite
from pelagos.sim.inputs import make_plant, resolve_vehicle
from pelagos.sim.sensing import vehicle_context
from pelagos.world.current.kinds import Profile
from pelagos.world.spec import World
from pelagos.world.structure import Structure

TURNED: dict[str, Any] = {"position_m": (0.3, -0.2, 0.1), "orientation_deg": (5.0, -8.0, 20.0)}
N, TICKS, DT = 5, 18, 0.05


def _world():
    pillar = Structure(kind="cylinder", from_m=(8.0, 3.0, 0.0), to_m=(9.0, 4.0, 30.0), radius_m=2.0)
    shear = Profile(rows=((0.0, 0.4, 0.0), (30.0, 0.3, 270.0)))
    return World(depth_m=30.0, surface=True, structures=(pillar,), currents=(shear,), origin_lat_deg=60.0,
                 origin_lon_deg=179.9999)  # fmt: skip


VEHICLE, WORLD = resolve_vehicle("remus100"), _world()
FIT = vehicle_context(make_plant(VEHICLE, WORLD, None, None), WORLD)


def track(n, ticks):
    """Motions of n vehicles that dive, turn and roll; the last is at the surface and comes out of the water."""
    k, s = len(VEHICLE.thrusters), len(VEHICLE.surfaces)
    i = np.arange(n)
    instants = []
    for tick in range(ticks):
        t = DT * tick
        depth = np.where(i == n - 1, 0.4 * np.cos(7.0 * t), 4.0 + 3.0 * i + t)
        euler = np.stack([0.3 * np.sin(t + i), 0.4 * np.cos(2.0 * t + i), 2.0 * i + 0.5 * t], axis=1)
        nu = np.stack([np.sin(t + j * i) + i / 2 for j in range(6)], axis=1)
        place = np.stack([1.3 * i + t, 20.0 * np.sin(i), depth], axis=1)
        water = 0.2 * np.cos(i[:, None] + np.arange(3))
        wet = np.where(i == n - 1, 0.5, 1.0)
        thrusters = np.outer(1.0 + np.sin(t + i), 60.0 * np.ones(k))
        surfaces = np.outer(np.sin(3.0 * t + i), 0.3 * np.ones(s))
        instants.append((t, place, euler, nu, water, depth - 0.1 * np.sin(t), wet, thrusters, surfaces))
    return instants


def many(row):
    """One instant of a track, of all its vehicles."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return Instant(np.full(len(nu), t), position, quaternion_from_euler(*euler.T), nu, water, below, wet, thrusters,
                   surfaces, 100.0 + 50.0 * nu[:, 0], 0.01 * t)  # fmt: skip


def instant_at(row, i):
    """The same of one vehicle."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return Instant(t, position[i], quaternion_from_euler(*euler[i]), nu[i], water[i], float(below[i]), float(wet[i]),
                   thrusters[i], surfaces[i], 100.0 + 50.0 * float(nu[i, 0]), 0.01 * t)  # fmt: skip


def same_alone_and_among_others(sensor):
    """Assert that a vehicle among others reads at every tick of a track what it reads alone, to the last bit.

    Returns how many readings of each there were.
    """
    rows, key = track(N, TICKS), sensor.name or sensor.kind
    together = VectorSensorSuite(VEHICLE, N, seed=5, only=[sensor], world=WORLD)
    suites = [SensorSuite([sensor], replace(FIT, number=i), seed=5) for i in range(N)]
    came = np.zeros(N, dtype=int)
    for row in rows:
        values = np.stack(list(together.sample(many(row)).values()), axis=1)
        for i, suite in enumerate(suites):
            arrived = suite.sample([instant_at(row, i)], WORLD)
            latest = suite.latest.get(key)
            assert bool(arrived) == together.fresh(key)[i]
            if latest is None:
                assert np.isnan(values[i]).all()
                continue
            came[i] += bool(arrived)
            np.testing.assert_array_equal(values[i], latest.values)
            assert together.measured_s(key)[i] == latest.time_s
    assert tuple(together.readings()) == suites[0].columns
    return came
