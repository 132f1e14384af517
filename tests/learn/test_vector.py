"""Ends of episodes: three ways to begin anew, time limits, a vehicle that diverges, and what callers get wrong."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from pelagos.errors import CommandError
from pelagos.learn.vector import VectorEnvironment

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
    with pytest.raises(CommandError, match="environment 1 has ended; call reset"):
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


def test_time_is_over():
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
    told = infos if mode is AutoresetMode.NEXT_STEP else infos["final_info"]
    assert terminated.tolist() == [False, True, False] and reward[1] == 0.0
    assert "diverged" in told["failure"][1] and told["_failure"].tolist() == [False, True, False]
    assert np.isfinite(rows).all() and np.array_equal(rows[[0, 2]], untouched[[0, 2]])
    for _ in range(2):
        rows, reward, terminated, _, infos = envs.step(ZERO)
        assert not terminated.any() and "failure" not in infos
    assert envs.batch.alive.all() and np.isfinite(rows).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"task": "StationKeepin"}, "did you mean StationKeeping"),
        ({"num_envs": 0}, "num_envs is 0; expected a whole number above 0"),
        ({"observe": "sonar"}, "observe is 'sonar'; expected 'truth' or 'sensors'"),
        ({"action": "forces"}, "action is 'forces'; expected one of actuators, wrench"),
        ({"assist": "lqr"}, "assist is 'lqr'; expected 'pid' or None"),
        ({"render_mode": "ansi"}, "render_mode is 'ansi'; expected one of rgb_array, human, or None"),
        ({"autoreset_mode": "Never"}, "expected one of NextStep, SameStep, Disabled"),
        ({"randomise": {"mass": (2.0, 1.0)}}, "randomise mass is .2, 1.; expected 0 <= low <= high"),
        ({"randomise": {"mass": "heavy"}}, "expected a range .low, high. or one number"),
        ({"task": "Trackline", "action": "wrench"}, "remus100 command surge alone; expected action='actuators'"),
    ],
)
def test_what_is_asked_wrongly_gets_one_sentence(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        VectorEnvironment(**({"task": "StationKeeping", "num_envs": 1} | options))


def test_wrong_calls_get_one_sentence():
    envs = VectorEnvironment("StationKeeping", 3, randomise={"Y_nothing": 1.0})
    with pytest.raises(CommandError, match="have not begun"):
        envs.step(ZERO)
    with pytest.raises(CommandError, match="has no such parameter"):
        envs.reset(seed=0)
    envs = make()
    with pytest.raises(CommandError, match=r"actions have shape \(3, 7\); expected \(3, 8\)"):
        envs.step(ZERO[:, :7])
    with pytest.raises(CommandError, match="not a finite number"):
        envs.step(ZERO * np.nan)
    with pytest.raises(CommandError, match="expected an array of 3 booleans"):
        envs.reset(options={"reset_mask": [True, False, False]})
    with pytest.raises(CommandError, match="there are 2 seeds; expected one, or 3"):
        envs.reset(seed=[1, 2])
    with pytest.raises(CommandError, match="render_mode is None"):
        envs.render()
