"""Motions of a few vehicles for the tests of instruments, and the two comparisons with those of one vehicle."""

from typing import Any

import numpy as np

from pelagos.batch.instruments.base import VectorInstant
from pelagos.batch.instruments.suite import VectorSensorSuite
from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.sensors.base import Instant
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
    """One instant of a track as arrays."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return VectorInstant(np.full(len(nu), t), position, rotation_from_euler(*euler.T), nu, water, below, wet, thrusters,
                   surfaces)  # fmt: skip


def moment_at(row, i):
    """The same of one vehicle."""
    t, position, euler, nu, water, below, wet, thrusters, surfaces = row
    return Instant(t, position[i], quaternion_from_euler(*euler[i]), nu[i], water[i], float(below[i]),
                  wet_share=float(wet[i]), thrusters=thrusters[i], surfaces=surfaces[i])  # fmt: skip


def same_readings(sensor):
    """Without noise, many read at every tick of a track what the instrument of one vehicle reads there.

    Returns how many readings of each there were.
    """
    rows = track(N, TICKS)
    instruments = VectorSensorSuite(VEHICLE, N, only=[sensor], world=WORLD)
    suites = [SensorSuite([sensor], FIT) for _ in range(N)]
    came = np.zeros(N, dtype=int)
    for row in rows:
        values = np.stack(list(instruments.sample(many(row)).values()), axis=1)
        for i, suite in enumerate(suites):
            arrived = suite.sample([moment_at(row, i)], WORLD)
            latest = suite.latest.get(sensor.name or sensor.kind)
            assert bool(arrived) == instruments.fresh(sensor.name or sensor.kind)[i]
            if latest is None:
                assert np.isnan(values[i]).all()
                continue
            came[i] += bool(arrived)
            # the same law in another order of a few sums of numbers up to 100: 1e-12 of them
            np.testing.assert_allclose(values[i], latest.values, rtol=1e-12, atol=1e-12)
            assert instruments.measured_s(sensor.name or sensor.kind)[i] == latest.time_s
    assert tuple(instruments.readings()) == suites[0].columns
    return came


def same_errors(sensor):
    """With noise, means and standard deviations over many are those of the instrument of one over many seeds.

    Returns the names of the columns that have errors.
    """
    alone, together, last = 250, 2000, 4
    i = N - 1 if sensor.kind == "gps" else 1
    rows = track(N, last)
    scalar = []
    for seed in range(alone):
        suite = SensorSuite([sensor], FIT, seed)
        for row in rows:
            suite.sample([moment_at(row, i)], WORLD)
        scalar.append(suite.latest[sensor.kind].values)
    instruments = VectorSensorSuite(VEHICLE, together, seed=3, only=[sensor], world=WORLD)
    for t, *arrays in rows:
        instruments.sample(many((t, *(np.repeat(x[i : i + 1], together, axis=0) for x in arrays))))
    vector, single = np.stack(list(instruments.readings().values()), axis=1), np.array(scalar)
    # 5 standard deviations of the ratio of two standard deviations, and of the difference of two means
    compared = []
    spread = 5.0 * np.sqrt(0.5 / alone + 0.5 / together)
    for name, mine, theirs in zip(instruments.columns, vector.T, single.T, strict=True):
        if np.isnan(theirs).all():
            assert np.isnan(mine).all(), name
            continue
        if theirs.std() == 0.0:
            np.testing.assert_allclose(mine, theirs[0], rtol=1e-12, err_msg=name)
            continue
        assert abs(np.log(mine.std() / theirs.std())) < spread, name
        sure = theirs.std() * np.sqrt(1.0 / alone + 1.0 / together)
        assert abs(mine.mean() - theirs.mean()) < 5.0 * sure, name
        compared.append(name)
    return compared
