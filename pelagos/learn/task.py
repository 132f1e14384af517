"""What a task is: a vehicle, a world, where an episode begins, what is seen, what it is worth and when it ends.

A task holds its targets as arrays over environments and works on all of them at once. The environment does the rest:
time, actions, randomisation, seeds, resets. A task of your own is a subclass with five methods.
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
    """What a step was worth: `reward` (n,), `failed` and `succeeded` (n,) end an episode. Filled by `Task.judge`."""

    def __init__(self, n: int) -> None:
        self.reward = np.zeros(n)
        self.failed, self.succeeded = np.zeros(n, bool), np.zeros(n, bool)

    def clear(self) -> None:
        """Worth nothing and not over: `judge` may write a part only, or add to it."""
        self.reward[:], self.failed[:], self.succeeded[:] = 0.0, False, False


class Task:
    """One task for n environments.

    key         the name in the id: pelagos/<key>-v0
    vehicle     a name of the library; any other that has the actuators may be given
    rate_hz     actions a second
    episode_s   until an episode is cut off
    fields      of the observation
    ranges      that are randomised unless others are given (see `randomise`)
    tether      on which all vehicles are, or None
    over_bottom whether `judge` looks at altitudes, which cost a look at the bottom
    scales      whether the task itself changes parameters with `Batch.scale`; a new episode begins with sound ones
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
        """The sea all environments share."""
        return World(depth_m=50.0)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles of `where`, which are at rest at the origin, and set their targets."""
        raise NotImplementedError

    def during(self, batch: Batch, steps: Indices) -> None:
        """What happens before a step besides the action, such as a fault; `steps` counts those of the episode."""

    def sense(self, true: MotionArrays, where: Indices | None) -> None:
        """Measure what instruments of the task's own see from the true place: of `where`, which begin, or of all."""

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write the fields, in SI, as columns of `out`."""
        raise NotImplementedError

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, verdict: StepOutcome) -> None:
        """Reward of the step that ended, and whether the episode did; `left` is the steps that were still to come."""
        raise NotImplementedError

    def measures(self) -> dict[str, NDArray[Any]]:
        """What `info` tells of each environment: names with units."""
        return {}

    def orders(self, motion: MotionArrays) -> dict[str, Array]:
        """What the autopilot of `assist="pid"` is told to hold, as keys of a setpoint, from the motion it sees."""
        del motion
        return {}

    def scene(self, i: int) -> dict[str, Any]:
        """What a picture shows of environment i: "target" (3,), "line" (m, 3), NED, "depth_m" asked for; or None."""
        del i
        return {"target": None, "line": None, "depth_m": None}
