"""One environment is the vector environment with one."""

import gymnasium
import numpy as np

from pelagos.learn import IDS
from pelagos.learn.env import VectorEnvironment


def test_the_single_environment_is_the_vector_one_with_one():
    one = gymnasium.make(IDS[0])
    many = VectorEnvironment("StationKeeping", 2)
    first, _ = one.reset(seed=11)
    rows, infos = many.reset(seed=11)
    assert np.array_equal(first, rows[0])
    action = np.linspace(-1.0, 1.0, 8, dtype=np.float32)
    for _ in range(5):
        row, reward, terminated, truncated, info = one.step(action)
        rows, rewards, *_, infos = many.step(np.stack([action, -action]))
        assert np.array_equal(row, rows[0]) and reward == rewards[0]
        assert (terminated, truncated) == (False, False)
        assert info["distance_m"] == infos["distance_m"][0]
