"""Speed of the Gymnasium environments: steps per second of every task, for one, some and many environments at once.

Environments that begin together end together, and a short measurement then contains no reset. Training has resets all
the time. Here the time limits are spread evenly over an episode, and a whole episode runs before the measurement, so
that ends of episodes, early ones included, are as frequent as in training.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from pelagos.learn.env import VectorEnvironment
from pelagos.learn.registration import EPISODE_STEPS

SIZES = (1, 64, 4096)  # environments at once
LEAST_S = 1.0  # shortest measurement
WARM = 1.0  # episodes before the measurement
PUSH = 0.3  # of full command, so that vehicles stay inside the limits of the task for a while


def measure_learn() -> dict[str, Any]:
    """Measure environment steps per second by task and number of environments, with autoreset and random actions."""
    return {task: {str(n): _rate(task, n) for n in SIZES} for task in EPISODE_STEPS}


def report_learn(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    heads = "".join(f"{f'n = {n}':>12}" for n in SIZES)
    lines = [f"{'environment steps a second':<30}{heads}{'kernel steps':>14}"]
    for task, row in result.items():
        figures = "".join(f"{row[str(n)]['steps_per_s']:12,.0f}" for n in SIZES)
        most = row[str(SIZES[-1])]
        lines.append(f"{task:<30}{figures}{most['steps_per_s'] * most['kernel_steps']:14,.0f}")
    lines.append(f"episodes end one after the other; kernel steps: of all vehicles, a second, at n = {SIZES[-1]}")
    return lines


def begin_staggered(envs: VectorEnvironment) -> None:
    """Reset all environments, with elapsed times spread evenly over an episode."""
    envs.reset(seed=0)
    assert envs.max_episode_steps is not None
    envs.steps[:] = np.arange(envs.num_envs) * envs.max_episode_steps // envs.num_envs


def _rate(task: str, n: int) -> dict[str, float]:
    envs = VectorEnvironment(task, n, copy=False)
    begin_staggered(envs)
    actions = np.random.default_rng(0).uniform(-PUSH, PUSH, (8, n, len(envs.actions.names))).astype(np.float32)
    for k in range(round(WARM * EPISODE_STEPS[task])):
        envs.step(actions[k % len(actions)])
    begin, steps, ends = time.perf_counter(), 0, 0
    while (spent := time.perf_counter() - begin) < LEAST_S or steps < 1:
        _, _, terminated, truncated, _ = envs.step(actions[steps % len(actions)])
        steps += 1
        ends += np.count_nonzero(terminated | truncated)
    envs.close()
    return {
        "steps_per_s": steps * n / spent,
        "kernel_steps": float(envs.batch.n_steps),
        "ends_per_step": ends / (steps * n),
    }
