"""Turns between frames, and what is read of a batch."""

import numpy as np
import pytest

import pelagos
from pelagos.learn.observation import MotionArrays, in_body, in_ned, nearness


def test_turns_are_those_of_frames():
    angles = np.random.default_rng(0).uniform(-1.0, 1.0, (20, 3))
    vectors = np.random.default_rng(1).normal(size=(20, 3))
    R = pelagos.frames.rotation_from_euler(*angles.T)
    # three products after another: rounding only
    assert in_ned(vectors, angles) == pytest.approx(np.einsum("nij,nj->ni", R, vectors), abs=1e-14)
    assert in_body(in_ned(vectors, angles), angles) == pytest.approx(vectors, abs=1e-14)


def test_what_is_read_is_what_the_batch_says():
    batch = pelagos.Batch("bluerov2_heavy", 3, pelagos.World(depth_m=20.0))
    batch.place(depth_m=[2.0, 5.0, 9.0], heading_deg=40.0, surge_m_s=0.3)
    motion = MotionArrays(3)
    motion.read(batch)
    truth, told = batch.state(), motion.states()
    for name in truth._fields:
        assert np.array_equal(getattr(told, name), getattr(truth, name)), name
    assert told.altitude_m == pytest.approx([18.0, 15.0, 11.0])


def test_nearness_is_a_half_at_one_scale():
    assert nearness(np.array([0.0, 2.0, -2.0, 4.0]), 2.0).tolist() == [1.0, 0.5, 0.5, 0.2]
