"""The benchmark of environments times and reports every task. Speed itself is not tested: machines are noisy."""

import numpy as np
import pytest

from benchmarks import learn
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.registration import EPISODE_STEPS


@pytest.fixture(scope="module")
def result():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn, "SIZES", (1, 3))
        patch.setattr(learn, "LEAST_S", 0.0)
        patch.setattr(learn, "WARM", 0.01)
        return learn.measure_learn()


@pytest.mark.slow
def test_every_task_is_timed_at_every_size(result):
    assert set(result) == set(EPISODE_STEPS)
    for row in result.values():
        assert set(row) == {"1", "3"}
        assert all(figures["steps_per_s"] > 0.0 for figures in row.values())
    assert result["StationKeeping"]["3"]["kernel_steps"] == 5.0  # 0.1 s in steps of 0.02 s


def test_episodes_end_one_after_the_other():
    envs = VectorEnvironment("StationKeeping", 4, max_episode_steps=12)
    learn.begin_staggered(envs)
    ends = [envs.step(np.zeros((4, 8), np.float32))[3].tolist() for _ in range(13)]  # an episode, and a step to reset
    assert [sum(step) for step in ends] == [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]
    assert [sum(env) for env in zip(*ends, strict=True)] == [1, 1, 1, 1]


def test_the_report_names_all(result):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learn, "SIZES", (1, 3))
        lines = learn.report_learn(result)
    assert [line.split()[0] for line in lines[1:-1]] == list(EPISODE_STEPS)
    assert "n = 3" in lines[0]
