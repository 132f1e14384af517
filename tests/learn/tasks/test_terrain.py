"""TerrainFollowing: beams against rays cast one vehicle at a time."""

import numpy as np
import pytest

from pelagos.learn.tasks.terrain import BEAMS_DEG, RANGE_M, hills
from tests.learn.tasks.helpers import envs_of


def test_beams_are_those_of_the_world():
    envs, zero = envs_of("TerrainFollowing", n=3)
    rows, *_ = envs.step(zero)
    world, motion, k = hills(), envs.motion, len(BEAMS_DEG)
    for i in range(3):
        roll, pitch, yaw = motion.euler[i]
        assert abs(roll) < 0.05
        down = np.radians(np.array(BEAMS_DEG)) - pitch
        along = np.stack([np.cos(down) * np.cos(yaw), np.cos(down) * np.sin(yaw), np.sin(down)], axis=1)
        expected = np.minimum(world.cast(motion.position_n[i], along, max_range_m=RANGE_M).range_m, RANGE_M)
        # a roll below 0.05 rad moves the foot of a beam by a few per cent of its slant; float32 keeps seven digits
        assert rows[i, :k] * 20.0 == pytest.approx(expected, rel=0.02, abs=0.05)
    altitude = motion.altitude_m
    assert rows[:, k - 1] * 20.0 == pytest.approx(altitude, rel=0.05)  # straight down, nearly
    slope = np.gradient(world.bottom_m(0.0, np.arange(-200.0, 200.0, 5.0)), 5.0)
    assert np.degrees(np.arctan(np.abs(slope).max())) < 9.0
