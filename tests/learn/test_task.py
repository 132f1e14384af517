"""Tasks: the autopilot earns most of the reward; errors of tasks that users write."""

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.learn.env import VectorEnvironment
from pelagos.learn.observation import Field, MotionArrays
from pelagos.learn.task import Task


# returns per step of the autopilot with nothing added, the worst of four seeds as measured, less a margin
@pytest.mark.slow
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


def test_an_unfinished_task_raises_an_error():
    class Bare(Task):
        key = "Bare"

    with pytest.raises(NotImplementedError):
        VectorEnvironment(Bare, 1).reset(seed=0)
    assert Bare(1).measures() == {} and Bare(1).setpoints(MotionArrays(1)) == {}


def test_an_outcome_is_of_this_step_alone():
    """A task that only adds to the outcome does not end the next episode with the end of the last."""

    class Shallow(Task):
        key, vehicle = "Shallow", "remus100"
        fields = (Field("depth_m", "m", 1.0, "depth"),)

        def begin(self, batch, where, draws):
            batch.place(where, depth_m=10.0)

        def observe(self, state, out):
            out[:, 0] = state.position_n[:, 2]

        def judge(self, true, batch, effort, left, outcome):
            outcome.reward += 0.5
            outcome.failed |= true.position_n[:, 2] < 5.0

    envs = VectorEnvironment(Shallow, 2, autoreset_mode="SameStep")
    envs.reset(seed=0)
    envs.batch.place([1], depth_m=2.0)
    zero = np.zeros((2, 3), np.float32)
    assert envs.step(zero)[2].tolist() == [False, True]
    _, reward, terminated, _, _ = envs.step(zero)
    assert not terminated.any() and reward.tolist() == [0.5, 0.5]


class Shaky(Task):
    """Leaves a column out unless `whole`; its reward is no number below 20 m."""

    key, vehicle, whole = "Shaky", "remus100", True
    fields = (Field("depth_m", "m", 1.0, "depth", limit=50.0), Field("north_m", "m", 1.0, "north", limit=50.0))

    def begin(self, batch, where, draws):
        batch.place(where, depth_m=10.0)

    def observe(self, state, out):
        out[:, 0] = state.position_n[:, 2]
        if self.whole:
            out[:, 1] = state.position_n[:, 0]

    def judge(self, true, batch, effort, left, outcome):
        outcome.reward[:] = np.where(true.position_n[:, 2] > 20.0, np.nan, 1.0)


@pytest.mark.parametrize("copy", [True, False])
def test_an_observation_that_is_no_number_is_refused(copy):
    """Neither unwritten memory nor the numbers of the step before are an observation."""
    envs = VectorEnvironment(Shaky, 3, copy=copy)
    envs.reset(seed=0)
    envs.step(np.zeros((3, 3), np.float32))
    envs.task.whole = False
    with pytest.raises(
        CommandError, match=r"the observation north_m of environment 0 after 2 steps is nan; .*Shaky\.observe"
    ):
        envs.step(np.zeros((3, 3), np.float32))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_reward_that_is_no_number_is_refused(mode):
    envs = VectorEnvironment(Shaky, 3, autoreset_mode=mode)
    envs.reset(seed=0)
    assert envs.step(np.zeros((3, 3), np.float32))[1].tolist() == [1.0, 1.0, 1.0]
    envs.batch.place([1], depth_m=30.0)
    with pytest.raises(CommandError, match=r"the reward of environment 1 after 2 steps is nan; .*Shaky\.judge"):
        envs.step(np.zeros((3, 3), np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["Trackline", "PipelineFollowing", "TerrainFollowing"])
def test_the_autopilot_follows_the_sensors(task):
    """A wrong place and a wrong altitude make it steer otherwise, as long as the truth is the same."""
    commands = []
    for off in (0.0, 2.0):
        envs = VectorEnvironment(task, 2, assist="pid", observe="sensors", randomise={})
        envs.reset(seed=0)
        envs.observer.motion.position_n[:, :2] += off
        envs.observer.motion.altitude_m += off
        envs.step(np.zeros(envs.action_space.shape, np.float32))
        commands.append(np.hstack(envs.commands))
    assert not np.array_equal(*commands)
