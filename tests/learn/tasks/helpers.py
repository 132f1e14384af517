"""Helpers shared by the tests of tasks."""

import numpy as np

from pelagos.learn.env import VectorEnvironment

CALM = {"randomise": {}}


def envs_of(task, n=2, **options):
    envs = VectorEnvironment(task, n, **CALM, **options)
    envs.reset(seed=0)
    return envs, np.zeros(envs.action_space.shape, np.float32)


def judged(envs, zero):
    _, reward, terminated, _, infos = envs.step(zero)
    return reward, terminated, infos
