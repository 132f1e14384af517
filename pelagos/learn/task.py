"""Base class of tasks: vehicle, world, start of an episode, observation, reward and end.

A task holds its targets as arrays over environments and works on all of them at once. The environment handles time,
actions, randomisation, seeds and resets. A new task is a subclass of `Task` with `begin`, `observe` and `judge`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import Field, MotionArrays
from pelagos.learn.randomise import Draws
from pelagos.tether.spec import Tether
from pelagos.world.spec import World

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class StepOutcome:
    """Result of a step, written by `Task.judge`: `reward` (n,); `failed` or `succeeded` (n,) ends an episode."""

    def __init__(self, n: int) -> None:
        self.reward = np.zeros(n)
        self.failed, self.succeeded = np.zeros(n, bool), np.zeros(n, bool)

    def clear(self) -> None:
        """Set reward and ends to zero, so that `judge` may write only some of them, or add to them."""
        self.reward[:], self.failed[:], self.succeeded[:] = 0.0, False, False


class Task:
    """A task for n environments.

    key         name in the id: pelagos/<key>-v0
    vehicle     default vehicle, a name of the library
    rate_hz     actions per second
    episode_s   duration after which an episode is truncated
    fields      fields of the observation
    ranges      default ranges of the randomisation (see `randomise`)
    tether      tether of all vehicles, or None
    over_bottom whether `judge` uses altitudes, which need an evaluation of the seabed at every step
    scales      whether the task itself calls `Batch.scale`; its factors are undone before a new episode
    """

    key: ClassVar[str] = ""
    vehicle: ClassVar[str] = "bluerov2_heavy"
    rate_hz: ClassVar[float] = 10.0
    episode_s: ClassVar[float] = 60.0
    fields: ClassVar[tuple[Field, ...]] = ()
    ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}
    tether: ClassVar[Tether | None] = None
    over_bottom: ClassVar[bool] = False
    scales: ClassVar[bool] = False

    def __init__(self, n: int) -> None:
        self.n = n

    def world(self) -> World:
        """Return the world of all environments."""
        return World(depth_m=50.0)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles `where`, which are at rest at the origin, and set their targets."""
        raise NotImplementedError

    def during(self, batch: Batch, steps: Indices) -> None:
        """Change targets or vehicles before a step, for example by a fault; `steps` counts those of each episode."""

    def sense(self, true: MotionArrays, where: Indices | None) -> None:
        """Measure by sensors of the task itself: for the environments `where`, which start, or for all."""

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write the fields of the observation, in SI, to the columns of `out`."""
        raise NotImplementedError

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write reward and ends of the last step; `effort` is the mean square action, `left` the remaining steps."""
        raise NotImplementedError

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return the values of `info` for each environment, by names with units."""
        return {}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return the setpoints for the autopilot of `assist="pid"`, computed from the observed motion."""
        del motion
        return {}

    def scene(self, i: int) -> dict[str, Any]:
        """Return what a picture of environment i shows: "target" (3,), "line" (m, 3), NED, "depth_m"; or None."""
        del i
        return {"target": None, "line": None, "depth_m": None}
