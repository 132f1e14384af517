"""Fixtures of the tests of environments."""

import numpy as np
import pytest

import pelagos.learn  # noqa: F401  registers


@pytest.fixture(scope="session")
def rollout():
    """Observations, rewards and ends of some steps with actions that depend on the environment's seed alone."""

    def run(envs, seeds, steps):
        k = envs.single_action_space.shape[0]
        draws = [np.random.default_rng(seed) for seed in seeds]
        rows, _ = envs.reset(seed=list(seeds))
        kept = [(rows, np.zeros(len(seeds)), np.zeros(len(seeds), bool))]
        for _ in range(steps):
            actions = np.array([draw.uniform(-1.0, 1.0, k) for draw in draws], np.float32)
            rows, reward, terminated, _, _ = envs.step(actions)
            kept.append((rows, reward, terminated))
        return [np.stack(part) for part in zip(*kept, strict=True)]

    return run
