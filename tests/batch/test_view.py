"""The state of a batch as arrays: without copies, as it was placed, with accelerations and angles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pelagos
from pelagos.batch.batch import Batch
from pelagos.batch.clock import BatchClock
from pelagos.batch.environment import BatchEnvironment
from pelagos.batch.group import Groups
from pelagos.batch.view import BatchView
from pelagos.frames import quaternion_from_euler
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.spec import World
from tests.batch.started import moving, started


def test_reading_without_new_arrays():
    batch = started("remus100", 11)
    batch.advance(0.2)
    for name, shape in (
        ("position_n", (11, 3)),
        ("nu", (11, 6)),
        ("nu_r", (11, 6)),
        ("nu_dot", (11, 6)),
        ("euler", (11, 3)),
        ("below_m", (11,)),
    ):
        out = np.full(shape, np.nan, np.float32)
        assert batch.view.read(name, out) is out
        np.testing.assert_allclose(out, getattr(batch.view, name), rtol=1e-6, atol=1e-7)


def test_without_a_batch_it_reads_lanes_clock_and_environment():
    """Two vehicles side by side in a current of 0.5 m/s north, one heading north, one heading east."""
    groups, clock = Groups([Plant(load_vehicle("remus100"))], np.zeros(2, np.int64), "float64"), BatchClock(2, 10.0)
    water = BatchEnvironment(groups, clock, World(depth_m=20.0, current_m_s=0.5))
    view = BatchView(groups, clock, water)
    euler = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.5 * np.pi]])
    groups[0].put_motion(np.arange(2), position_n=np.array([[0.0, 0.0, 5.0], [0.0, 9.0, 8.0]]), euler=euler)
    water.place(np.arange(2))
    clock.tick()
    states = view.states()
    np.testing.assert_allclose(states.nu_r[:, :2], [[-0.5, 0.0], [0.0, 0.5]], atol=1e-15)
    np.testing.assert_allclose(states.altitude_m, [15.0, 12.0])
    np.testing.assert_allclose(states.yaw, euler[:, 2])
    assert states.time_s.tolist() == [0.1, 0.1] and view.world is water.world


def test_states_read_back_as_placed():
    batch, motion = Batch("remus100", 9), moving(None, 9)
    batch.set_motion(**motion)
    np.testing.assert_array_equal(batch.view.position_n, motion["position_n"])
    np.testing.assert_array_equal(batch.view.quaternion, motion["quaternion"])
    np.testing.assert_array_equal(batch.view.nu, motion["nu"])
    np.testing.assert_allclose(quaternion_from_euler(*batch.view.euler.T), motion["quaternion"], atol=1e-12)
    assert np.isnan(batch.view.altitude_m).all() and (batch.view.wet_share == 1.0).all()
    np.testing.assert_array_equal(batch.view.below_m, batch.view.position_n[:, 2])


@pytest.mark.parametrize("key", ["remus100", "bluerov2_heavy"])
def test_the_acceleration_is_of_the_present_state(key):
    """That of the scalar kernel: before the first tick, after it, and after vehicles were put elsewhere."""
    batch, motion = Batch(key, 9), moving(None, 9)

    def check():
        group = batch.groups[0]
        kept = [lanes.array.copy() for lanes in (group.state, group.command, group.tally)]
        for i, nu_dot in enumerate(batch.view.nu_dot):
            plant = group.plant_of(np.array([i]))
            expected = plant.acceleration()
            assert np.abs(expected).max() > 1e-3
            np.testing.assert_allclose(nu_dot, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
        for array, lanes in zip(kept, (group.state, group.command, group.tally), strict=True):
            assert np.array_equal(array, lanes.array)  # to look changes nothing

    batch.set_motion(**motion)
    check()
    batch.actuators.set(thrusters=[0.5 * t.maximum for t in batch.vehicle.thrusters])
    batch.advance(0.5)
    check()
    batch.place([2, 5], surge_m_s=2.0, yaw_rate_deg_s=20.0)
    check()


def test_angles_of_euler_kinematics_are_wrapped_too():
    batch = Batch(replace(pelagos.load_vehicle("remus100"), kinematics="euler"), 3)
    batch.place(depth_m=10.0, yaw_rate_deg_s=[90.0, -90.0, 0.0], heading_deg=[170.0, 190.0, 0.0])
    batch.advance(1.0)
    assert (np.abs(batch.view.euler[:, 2]) <= np.pi).all() and batch.view.euler[0, 2] < 0.0 < batch.view.euler[1, 2]
