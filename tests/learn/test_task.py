"""Tasks can be done: the autopilot does them. And what a task of a user's own must have."""

import numpy as np
import pytest

from pelagos.learn.task import Task
from pelagos.learn.vector import VectorEnvironment


# returns per step of the autopilot with nothing added, the worst of four seeds as measured, less a margin
@pytest.mark.parametrize(
    ("task", "least"),
    [("StationKeeping", 0.8), ("DepthHeading", 0.55), ("Trackline", 0.4), ("PipelineFollowing", 0.4),
     ("TerrainFollowing", 0.5), ("ThrusterFault", 0.7), ("TetheredHover", 0.45)],
)  # fmt: skip
def test_the_autopilot_earns_most_of_the_reward(task, least):
    envs = VectorEnvironment(task, 4, assist="pid")
    zero = np.zeros(envs.action_space.shape, np.float32)
    envs.reset(seed=20)
    steps = 60 if task == "TetheredHover" else 250
    rewards = np.zeros(4)
    for k in range(steps):
        _, reward, terminated, _, _ = envs.step(zero)
        assert not terminated.any()
        rewards += reward * (k >= steps // 2)  # once it is there
    assert (rewards / (steps - steps // 2)).min() > least


def test_an_unfinished_task_says_so():
    class Bare(Task):
        key = "Bare"

    with pytest.raises(NotImplementedError):
        VectorEnvironment(Bare, 1).reset(seed=0)
    assert Bare(1).measures() == {} and Bare(1).orders() == {}
