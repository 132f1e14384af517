"""Rendered pictures have the right size, are not blank and show the current episode."""

import gymnasium
import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.learn.render import DPI, SIZE_IN


@pytest.mark.slow
def test_a_frame_shows_the_track():
    env = gymnasium.make("pelagos/StationKeeping-v0", render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    for _ in range(5):
        env.step(env.action_space.sample())
    later = env.render()
    assert first.shape == later.shape == (round(SIZE_IN[1] * DPI), round(SIZE_IN[0] * DPI), 3)
    assert first.dtype == np.uint8 and len(np.unique(later)) > 20
    assert (first != later).any()
    picture = env.unwrapped.vector._viewer.each[0]
    assert len(picture._track) == 6
    env.reset()
    env.render()
    assert len(picture._track) == 1
    env.close()


@pytest.mark.slow
def test_many_environments_have_a_frame_each():
    """`gymnasium.wrappers.vector.RecordVideo` and `HumanRendering` ask for that."""
    envs = gymnasium.make_vec("pelagos/StationKeeping-v0", num_envs=2, max_episode_steps=2, render_mode="rgb_array")
    with pytest.raises(CommandError, match=r"have not begun; call reset\(\) before render"):
        envs.render()
    envs.reset(seed=0)
    envs.unwrapped.batch.place([1], north_m=30.0)
    for _ in range(2):  # environment 1 ends in the first step and begins anew in the second
        envs.step(np.zeros((2, 8), np.float32))
    first, second = envs.render()
    assert first.shape == second.shape and (first != second).any()
    assert [len(picture._track) for picture in envs.unwrapped._viewer.each] == [3, 1]
    envs.close()
