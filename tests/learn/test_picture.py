"""Pictures: of the right size, not blank, and showing the episode that is flown."""

import gymnasium
import numpy as np

from pelagos.learn.picture import DPI, SIZE_IN


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
    track = env.unwrapped.vector._viewer._track
    assert len(track) == 6
    env.reset()
    env.render()
    assert len(env.unwrapped.vector._viewer._track) == 1
    env.close()
