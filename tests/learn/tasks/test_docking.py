"""Docking: reward and success in the garage, and collisions with it."""

import numpy as np

from tests.learn.tasks.helpers import envs_of, judged


def test_docking_pays_the_remaining_steps_and_ends():
    envs, zero = envs_of("Docking", assist="pid")
    total = np.zeros(2)
    left = envs.max_episode_steps
    while left:
        reward, terminated, infos = judged(envs, zero)
        total, left = total + reward, left - 1
        if terminated.any():
            break
    i = int(np.argmax(terminated))
    assert infos["is_success"][i] and infos["distance_m"][i] < 0.2 and abs(infos["heading_error_deg"][i]) < 10.0
    assert left < reward[i] <= left + 1.0
    assert (total[i] / envs.max_episode_steps) > 0.7


def test_the_garage_can_be_touched():
    envs, zero = envs_of("Docking")
    envs.batch.place(north_m=-0.9, east_m=[0.0, 0.5], surge_m_s=1.0, heading_deg=0.0)  # into its middle, into a wall
    touched = np.zeros(2, bool)
    for _ in range(4):
        rows, *_ = envs.step(zero)
        touched |= rows[:, 13] > 0.0
    assert touched.tolist() == [False, True]
