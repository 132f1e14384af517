"""Every registered environment keeps to Gymnasium's rules, alone and as one of many."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from pelagos.learn import IDS
from pelagos.learn.registration import EPISODE_STEPS, identifier
from pelagos.learn.tasks import CLASSES, resolve_task

STEPS = 12


@pytest.mark.slow
@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_own_check_passes(name):
    env = gymnasium.make(name).unwrapped
    check_env(env, skip_render_check=True)  # pictures: test_picture, test_watch
    env.close()


@pytest.mark.slow
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


def test_gymnasium_finds_them_by_module():
    assert gymnasium.make("pelagos.learn:pelagos/StationKeeping-v0").observation_space.shape == (13,)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_the_native_vector_environment_is_what_gymnasium_makes_of_single_ones(mode):
    """Gymnasium's SyncVectorEnv is the independent account of autoreset, seeds and infos: all is equal to the bit."""
    name, n = "pelagos/StationKeeping-v0", 2
    native = gymnasium.make_vec(name, num_envs=n, max_episode_steps=4, autoreset_mode=mode)
    single = [lambda: gymnasium.make(name, max_episode_steps=4)] * n
    synced = gymnasium.vector.SyncVectorEnv(single, autoreset_mode=mode)
    assert np.array_equal(native.reset(seed=1)[0], synced.reset(seed=1)[0])
    for _ in range(10):
        ours, theirs = (envs.step(np.full((n, 8), 0.3, np.float32)) for envs in (native, synced))
        assert all(np.array_equal(a, b) for a, b in zip(ours[:4], theirs[:4], strict=True))
        _same_infos(ours[4], theirs[4])
    native.close()
    native.close()  # twice is once
    synced.close()


@pytest.mark.parametrize("observe", ["truth", "sensors"])
def test_seeds_of_some_environments_only_are_as_gymnasium_has_them(observe):
    """Those without a seed go on with their next episode, with the noise of their instruments as well."""
    name, n = "pelagos/DepthHeading-v0", 3
    native = gymnasium.make_vec(name, num_envs=n, observe=observe)
    synced = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(name, observe=observe)] * n)
    native.reset(seed=[1, None, 3]), synced.reset(seed=[1, None, 3])  # the second begins anywhere
    for seeds in ([1, 2, 3], [None, 2, None], [8, None, 9], [None, None, None]):
        assert np.array_equal(native.reset(seed=seeds)[0], synced.reset(seed=seeds)[0])
        for _ in range(3):
            ours, theirs = (envs.step(np.full((n, 3), 0.2, np.float32))[0] for envs in (native, synced))
            assert np.array_equal(ours, theirs)
    native.close()
    synced.close()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_mode_is_where_gymnasium_and_learners_look_for_it(mode):
    """Gymnasium's wrappers read the metadata, TorchRL the attribute of Gymnasium's own vector environments."""
    name = "pelagos/StationKeeping-v0"
    native = gymnasium.make_vec(name, num_envs=1, autoreset_mode=mode.value)
    synced = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(name)], autoreset_mode=mode)
    assert native.autoreset_mode is synced.autoreset_mode is mode
    assert native.metadata["autoreset_mode"] is synced.metadata["autoreset_mode"] is mode


def _same_infos(ours, theirs):
    assert ours.keys() == theirs.keys()
    for key, value in ours.items():
        if isinstance(value, dict):
            _same_infos(value, theirs[key])
        elif value.dtype == object:
            assert all(np.array_equal(a, b) for a, b in zip(value, theirs[key], strict=True))
        else:
            assert np.array_equal(value, theirs[key])


def test_wrappers_of_gymnasium_work():
    envs = gymnasium.make_vec("pelagos/DepthHeading-v0", num_envs=2, max_episode_steps=5)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs.reset(seed=0)
    total = np.zeros(2)
    for _ in range(5):
        _, reward, _, truncated, infos = envs.step(np.zeros((2, 3), np.float32))
        total += reward
    assert truncated.all() and infos["episode"]["l"].tolist() == [5, 5]
    assert infos["episode"]["r"] == pytest.approx(total)


def test_the_registry_agrees_with_the_tasks():
    assert set(EPISODE_STEPS) == set(CLASSES)
    for name, steps in EPISODE_STEPS.items():
        kind = resolve_task(name)
        assert kind.key == name
        assert steps == round(kind.episode_s * kind.rate_hz)
        assert gymnasium.spec(identifier(name)).max_episode_steps == steps
