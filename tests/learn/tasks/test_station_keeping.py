"""StationKeeping: reward over distance and effort, and the errors reported after a reset."""

import numpy as np
import pytest

from tests.learn.tasks.helpers import envs_of, judged


def test_the_reward_is_1_at_the_target_and_falls_with_distance_and_effort():
    envs, zero = envs_of("StationKeeping")
    envs.batch.set_motion(position_n=envs.task.target_n, euler=[[0.0, 0.0, h] for h in envs.task.heading])
    reward, terminated, infos = judged(envs, zero)
    # a tenth of a second of buoyancy moves it by some millimetres
    assert reward == pytest.approx(1.0, abs=1e-3) and not terminated.any()
    envs.batch.set_motion([0], position_n=envs.task.target_n[0] + (0.5, 0.0, 0.0))
    reward, _, infos = judged(envs, zero)
    assert infos["distance_m"][0] == pytest.approx(0.5, abs=0.01)
    assert reward[0] == pytest.approx(0.35 + 0.3, abs=0.01)  # half of the 0.7 is lost at one scale
    reward, *_ = judged(envs, np.ones_like(zero))
    assert reward[1] < 0.91  # all thrusters full cost their tenth


def test_info_after_a_reset_is_of_the_start():
    """The errors of info agree with the observation from the first row on."""
    envs, zero = envs_of("StationKeeping", n=4)
    for rows, infos in (envs.reset(seed=5), envs.step(zero)[::4]):
        turn = np.degrees(np.arctan2(rows[:, 3], rows[:, 4]))
        assert infos["heading_error_deg"] == pytest.approx(turn, abs=1e-3)  # float32
        assert infos["distance_m"] == pytest.approx(2.0 * np.linalg.norm(rows[:, :3], axis=1), rel=1e-5)
