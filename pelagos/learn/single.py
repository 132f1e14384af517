"""One environment: the vector environment with n = 1, with its arrays taken apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.learn.task import Task
from pelagos.learn.vector import RENDER_MODES, AutoresetMode, VectorEnvironment, gymnasium

FOR_MANY = ("num_envs", "autoreset_mode", "copy")  # what one environment has no use for


class Environment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One environment of a task; arguments as of `VectorEnvironment`. `gymnasium.make` adds the time limit."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012

    def __init__(self, task: str | type[Task], *, render_mode: str | None = None, **options: Any) -> None:
        for name in FOR_MANY:
            if name in options:
                raise CommandError(f"{name} is for many environments; expected it in gymnasium.make_vec only")
        options = {"max_episode_steps": None} | options
        self.vector = VectorEnvironment(
            task, 1, render_mode=render_mode, autoreset_mode=AutoresetMode.DISABLED, copy=False, **options
        )
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space
        self.metadata = {key: value for key, value in self.vector.metadata.items() if key != "autoreset_mode"}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode; with a seed the first of that seed, without one the next."""
        super().reset(seed=seed)
        if seed is None and not self.vector.begun:
            seed = int(self.np_random.integers(2**31))
        rows, infos = self.vector.reset(seed=seed, options=options)
        return rows[0].copy(), one_of(infos)

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """One control interval. A step after the end goes on with the same vehicle, as Gymnasium leaves it open."""
        self.vector.go_on()
        rows, reward, terminated, truncated, infos = self.vector.step(np.asarray(action)[None])
        return rows[0].copy(), float(reward[0]), bool(terminated[0]), bool(truncated[0]), one_of(infos)

    def render(self) -> Any:
        """A picture (`rgb_array`), or None: the console shows it."""
        frames = self.vector.render()
        return frames[0] if frames else None

    def close(self) -> None:
        """End what was opened to show it."""
        self.vector.close()


def one_of(infos: dict[str, Any]) -> dict[str, Any]:
    """The info of environment 0, as plain numbers, where there is one."""
    told: dict[str, Any] = {}
    for name, values in infos.items():
        if not name.startswith("_") and infos[f"_{name}"][0]:
            value = values[0]
            told[name] = value.item() if isinstance(value, np.generic) else value
    return told
