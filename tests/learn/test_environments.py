"""Every registered environment keeps to Gymnasium's rules, alone and as one of many."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pelagos.learn import IDS
from pelagos.learn.names import EPISODE_STEPS, identifier
from pelagos.learn.tasks import MODULES, the_task
from pelagos.learn.vector import VectorEnvironment

STEPS = 12


def test_the_registry_knows_what_the_tasks_say():
    assert set(EPISODE_STEPS) == set(MODULES)
    for name, steps in EPISODE_STEPS.items():
        kind = the_task(name)
        assert kind.key == name
        assert steps == round(kind.episode_s * kind.rate_hz)
        assert gymnasium.spec(identifier(name)).max_episode_steps == steps


@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_own_check_passes(name):
    env = gymnasium.make(name).unwrapped
    check_env(env, skip_render_check=True)  # pictures: test_picture, test_watch
    env.close()


@pytest.mark.parametrize("name", IDS)
def test_an_environment_is_the_same_among_others(name, rollout):
    """Environments of seeds 3, 4, 5 in a batch of three and in one of eight, bit for bit; and again."""
    few = rollout(gymnasium.make_vec(name, num_envs=3), range(3, 6), STEPS)
    many = rollout(gymnasium.make_vec(name, num_envs=8), range(8), STEPS)
    again = rollout(gymnasium.make_vec(name, num_envs=8), range(8), STEPS)
    for a, b, c in zip(few, many, again, strict=True):
        assert np.array_equal(a, b[:, 3:6])
        assert np.array_equal(b, c)
    observations, rewards, _ = many
    space = gymnasium.spec(name).make().observation_space
    assert all(space.contains(row) for row in observations[-1])
    assert (observations[-1] != observations[0]).any(axis=1).all()  # something moves in all of them
    assert not np.array_equal(observations[0, 0], observations[0, 1])  # and they begin differently
    assert (rewards >= 0.0).all() and (rewards[1:] <= 1.0).all()


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


def test_without_a_seed_the_next_episode_comes_and_a_seed_begins_again():
    envs = VectorEnvironment("StationKeeping", 2)
    first, second = envs.reset(seed=4)[0], envs.reset()[0]
    assert not np.array_equal(first, second)
    assert np.array_equal(envs.reset(seed=4)[0], first)
    assert np.array_equal(envs.reset()[0], second)
    unseeded = VectorEnvironment("StationKeeping", 2).reset()[0]
    assert not np.array_equal(unseeded, first)


def test_arrays_are_new_or_the_same_as_asked():
    actions = np.zeros((2, 8), np.float32)
    fresh, reused = VectorEnvironment("StationKeeping", 2), VectorEnvironment("StationKeeping", 2, copy=False)
    for envs, shared in ((fresh, False), (reused, True)):
        envs.reset(seed=0)
        a, b = envs.step(actions), envs.step(actions)
        assert [np.shares_memory(x, y) for x, y in zip(a[:4], b[:4], strict=True)] == [shared] * 4
    assert np.array_equal(fresh.step(actions)[0], reused.step(actions)[0])


def test_gymnasium_finds_them_by_module():
    assert gymnasium.make("pelagos.learn:pelagos/StationKeeping-v0").observation_space.shape == (13,)
