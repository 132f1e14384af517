"""ThrusterFault: a thruster fails once and works again in the next episode."""

import numpy as np

from pelagos.learn.env import VectorEnvironment
from tests.learn.tasks.helpers import CALM, envs_of


def test_a_thruster_fails_once_and_is_whole_in_the_next_episode():
    envs, zero = envs_of("ThrusterFault", n=8)
    full = np.full_like(zero, 0.3)
    broken = np.full(8, -1)
    for _ in range(151):
        _, _, _, _, infos = envs.step(zero)
        broken = infos["failed_thruster"]
    assert (broken >= 0).all() and len(set(broken.tolist())) > 1
    envs.step(full)
    weak = envs.batch.view.nu.copy()
    envs.reset(seed=0)
    assert (envs.task.broken == -1).all()
    sound = VectorEnvironment("StationKeeping", 8, **CALM)
    sound.reset(seed=0)
    assert np.array_equal(envs.step(full)[0], sound.step(full)[0])
    assert not np.allclose(weak, envs.batch.view.nu)
