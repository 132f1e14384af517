"""Environments: three ways to reset, time limits, a vehicle that diverges; the single one is a vector of one."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from pelagos.errors import CommandError
from pelagos.learn import IDS
from pelagos.learn.env import VectorEnvironment

ZERO = np.zeros((3, 8), np.float32)


def make(mode=AutoresetMode.NEXT_STEP, **options):
    envs = VectorEnvironment("StationKeeping", 3, autoreset_mode=mode, max_episode_steps=4, **options)
    envs.reset(seed=1)
    return envs


def carry_off(envs, i):
    """Put one vehicle beyond where the task ends."""
    envs.batch.place([i], north_m=30.0)


def test_next_step_resets_one_step_later():
    envs = make()
    carry_off(envs, 1)
    rows, reward, terminated, truncated, infos = envs.step(ZERO)
    assert terminated.tolist() == [False, True, False] and not truncated.any()
    assert infos["distance_m"][1] > 8.0 and "final_obs" not in infos
    rows, reward, terminated, truncated, infos = envs.step(ZERO)
    assert reward[1] == 0.0 and reward[0] > 0.0
    assert not terminated.any() and not truncated.any()
    assert infos["distance_m"][1] <= 2.0  # the start of the next episode
    assert envs.steps.tolist() == [2, 0, 2]
    expected = VectorEnvironment("StationKeeping", 3)
    expected.reset(seed=1)
    assert np.array_equal(rows[1], expected.reset()[0][1])  # the second episode of its seed


def test_same_step_shows_the_next_episode_and_keeps_the_last_observation():
    envs = make("SameStep")
    carry_off(envs, 1)
    rows, reward, terminated, _, infos = envs.step(ZERO)
    assert terminated.tolist() == [False, True, False] and envs.steps.tolist() == [1, 0, 1]
    assert infos["_final_obs"].tolist() == [False, True, False] and infos["final_obs"][0] is None
    assert envs.single_observation_space.contains(infos["final_obs"][1])
    assert not np.array_equal(infos["final_obs"][1], rows[1])
    assert infos["final_info"]["distance_m"][1] > 8.0 and infos["distance_m"][1] <= 2.0
    assert infos["final_info"]["_distance_m"].tolist() == [False, True, False]
    other = make()
    carry_off(other, 1)
    assert np.array_equal(reward, other.step(ZERO)[1])  # of the step that ended, not of the new episode
    assert np.array_equal(rows[1], other.step(ZERO)[0][1])  # the same episode comes next in both modes


def test_disabled_waits_for_the_caller():
    envs = make(AutoresetMode.DISABLED)
    carry_off(envs, 1)
    envs.step(ZERO)
    with pytest.raises(CommandError, match="environment 1: has ended; expected reset"):
        envs.step(ZERO)
    before = envs.motion.position_n.copy()
    _, infos = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert infos["_distance_m"].tolist() == [False, True, False]
    assert np.array_equal(envs.motion.position_n[[0, 2]], before[[0, 2]])
    assert envs.steps.tolist() == [1, 0, 1]
    assert envs.step(ZERO)[2].sum() == 0


def test_a_mask_with_a_seed_seeds_those_only():
    envs = make(AutoresetMode.DISABLED)
    rows, _ = envs.reset(seed=100, options={"reset_mask": np.array([False, False, True])})
    expected = VectorEnvironment("StationKeeping", 3)
    assert np.array_equal(rows[2], expected.reset(seed=100)[0][2])
    assert np.array_equal(rows[0], expected.reset(seed=1)[0][0])


def test_an_episode_is_truncated_at_its_time_limit():
    envs = make()
    for _ in range(3):
        assert not envs.step(ZERO)[3].any()
    _, _, terminated, truncated, _ = envs.step(ZERO)
    assert truncated.all() and not terminated.any()
    assert not envs.step(ZERO)[3].any() and envs.steps.tolist() == [0, 0, 0]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vehicle_that_diverges_ends_its_own_episode_only(mode):
    envs, calm = make(mode), make(mode)
    envs.batch.set_external([0.0, 1e60, 0.0, 0.0, 0.0, 0.0], where=[1])
    rows, reward, terminated, _, infos = envs.step(ZERO)
    untouched = calm.step(ZERO)[0]
    last = infos if mode is AutoresetMode.NEXT_STEP else infos["final_info"]
    assert terminated.tolist() == [False, True, False] and reward[1] == 0.0
    assert "diverged" in last["failure"][1] and last["_failure"].tolist() == [False, True, False]
    assert np.isfinite(rows).all() and np.array_equal(rows[[0, 2]], untouched[[0, 2]])
    for _ in range(2):
        rows, reward, terminated, _, infos = envs.step(ZERO)
        assert not terminated.any() and "failure" not in infos
    assert envs.batch.view.alive.all() and np.isfinite(rows).all()


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


def test_single_precision_is_near_double():
    rows = {}
    for dtype in ("float64", "float32"):
        envs = VectorEnvironment("DepthHeading", 4, dtype=dtype)
        envs.reset(seed=0)
        for _ in range(20):
            rows[dtype], *_ = envs.step(np.full((4, 3), 0.2, np.float32))
    # seven digits, 100 kernel steps, observations of order 1
    assert rows["float32"] == pytest.approx(rows["float64"], abs=1e-3)
    assert not np.array_equal(rows["float32"], rows["float64"])


def test_the_single_environment_is_the_vector_one_with_one():
    single = gymnasium.make(IDS[0])
    vector = VectorEnvironment("StationKeeping", 2)
    first, _ = single.reset(seed=11)
    rows, infos = vector.reset(seed=11)
    assert np.array_equal(first, rows[0])
    action = np.linspace(-1.0, 1.0, 8, dtype=np.float32)
    for _ in range(5):
        row, reward, terminated, truncated, info = single.step(action)
        rows, rewards, *_, infos = vector.step(np.stack([action, -action]))
        assert np.array_equal(row, rows[0]) and reward == rewards[0]
        assert (terminated, truncated) == (False, False)
        assert info["distance_m"] == infos["distance_m"][0]
