"""Numbers belong to an environment."""

import numpy as np

from pelagos.learn.randomise import Draws


def test_numbers_belong_to_seed_episode_name_and_step():
    seeds, first = np.arange(5), np.zeros(5, np.int64)
    draws = Draws(seeds, first)
    a = draws.uniforms("a", 4)
    assert np.array_equal(a[3:], Draws(seeds[3:], first[3:]).uniforms("a", 4))
    others = Draws(seeds, first + 1), Draws(seeds + 5, first), Draws(seeds, first, first + 1)
    assert all(not np.isclose(other.uniforms("a", 4), a).any() for other in others)
    assert not np.isclose(draws.uniforms("b", 4), a).any()
    many = Draws(np.arange(4000), np.zeros(4000, np.int64))
    assert set(many.below("c", 3).tolist()) == {0, 1, 2}
    # the mean of 4000 normal numbers has a deviation of 0.016: four of these
    assert abs(many.normals("d", 1).mean()) < 0.064
