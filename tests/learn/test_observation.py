"""Observations: scaled and clipped fields, rotations, the true motion, and the motion from sensors."""

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.observation import Field, Fields, MotionArrays, in_body, in_ned, nearness


def test_numbers_are_divided_and_held():
    fields = Fields((Field("a_m", "m", 2.0, "one"), Field("b", "1", 1.0, "another", limit=1.0)))
    rows = np.array([[3.0, 0.5], [-40.0, 7.0]], np.float32)
    fields.scale(rows)
    assert rows.tolist() == [[1.5, 0.5], [-5.0, 1.0]]
    assert fields.names == ("a_m", "b") and fields.high.tolist() == [5.0, 1.0]


def test_turns_are_those_of_frames():
    angles = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 3))
    vectors = np.random.default_rng(1).normal(size=(20, 3))
    R = pelagos.frames.rotation_from_euler(*angles.T)
    # three products after another: rounding only
    assert in_ned(vectors, angles) == pytest.approx(np.einsum("nij,nj->ni", R, vectors), abs=1e-14)
    assert in_body(in_ned(vectors, angles), angles) == pytest.approx(vectors, abs=1e-14)


def test_fields_are_the_values_of_the_batch():
    batch = pelagos.Batch("bluerov2_heavy", 3, pelagos.World(depth_m=20.0))
    batch.place(depth_m=[2.0, 5.0, 9.0], heading_deg=40.0, surge_m_s=0.3)
    motion = MotionArrays(3)
    motion.read(batch)
    expected, states = batch.view.states(), motion.states()
    for name in expected._fields:
        assert np.array_equal(getattr(states, name), getattr(expected, name)), name
    assert states.altitude_m == pytest.approx([18.0, 15.0, 11.0])


def test_nearness_is_a_half_at_one_scale():
    assert nearness(np.array([0.0, 2.0, -2.0, 4.0]), 2.0).tolist() == [1.0, 0.5, 0.5, 0.2]


@pytest.fixture(scope="module")
def flown():
    """A REMUS under its autopilot for 20 s, seen by its instruments."""
    envs = VectorEnvironment("DepthHeading", 4, observe="sensors", assist="pid")
    rows = [envs.reset(seed=7)[0]]
    zero = np.zeros(envs.action_space.shape, np.float32)
    rows += [envs.step(zero)[0] for _ in range(200)]
    return envs, np.array(rows)


@pytest.mark.slow
def test_the_measured_motion_is_near_the_true_one(flown):
    envs, _ = flown
    measured, true = envs.observer.motion, envs.motion
    assert measured is not true and not np.array_equal(measured.position_n, true.position_n)
    # depth gauge 0.1 m, compass some degrees, DVL 1 % of 1.5 m/s; 20 s at 1.5 m/s with a heading 3 deg wrong: 1.6 m
    assert measured.position_n[:, 2] == pytest.approx(true.position_n[:, 2], abs=0.3)
    assert np.abs(np.angle(np.exp(1j * (measured.euler[:, 2] - true.euler[:, 2])))).max() < np.radians(10.0)
    assert measured.nu[:, :3] == pytest.approx(true.nu[:, :3], abs=0.15)
    assert np.linalg.norm((measured.position_n - true.position_n)[:, :2], axis=1).max() < 4.0


def test_the_same_seed_sees_the_same(flown):
    envs, rows = flown
    again = VectorEnvironment("DepthHeading", 2, observe="sensors", assist="pid")
    zero = np.zeros((2, 3), np.float32)
    assert np.array_equal(again.reset(seed=8)[0], rows[0, 1:3])
    for k in range(1, 15):
        assert np.array_equal(again.step(zero)[0], rows[k, 1:3])
    zero = np.zeros((4, 3), np.float32)
    envs.reset(seed=[7, 8, 9, 10])  # and after other episodes
    assert np.array_equal(envs.step(zero)[0], rows[1])


def test_a_vehicle_without_instruments_is_refused():
    with pytest.raises(CommandError, match="observe is 'sensors'; phoenix has no dvl in its file; expected 'truth'"):
        VectorEnvironment("DepthHeading", 1, vehicle="phoenix", observe="sensors")
