"""Live view of an environment (`render_mode="human"`): environment 0 in the web page of `pelagos fly`.

This machine serves the console; its address is printed once and stored in `address`. Steps wait for the wall clock, as
in other Gymnasium environments with a window. The page cannot steer.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from pelagos import providers
from pelagos.messages import Actuation, VehicleState

if TYPE_CHECKING:
    from pelagos.learn.env import VectorEnvironment

Point = Sequence[float]


class Viewer(Protocol):
    """A window or page that shows one vehicle. `console` and `learn` do not import each other: `providers` opens it."""

    address: str

    def begin(self, target: Point | None, line: Sequence[Point] | None, current_n: Point) -> None:
        """Start a new episode with its target or line, points north, east, down."""
        ...

    def show(self, state: VehicleState, actual: Actuation, command: Actuation, current_n: Point) -> None:
        """Show the newest state, and the actual and commanded actuators."""
        ...

    def close(self) -> None:
        """Close the window or page."""
        ...


class HumanRenderer:
    """Renderer that shows environment 0 in a viewer, in real time."""

    def __init__(self, env: VectorEnvironment) -> None:
        near_m = float(env.motion.position_n[0, 0]), 0.0
        self._viewer: Viewer = providers.open_viewer(
            env.batch.vehicle, env.batch.world, name=env.task.key, rate_hz=env.task.rate_hz, near_m=near_m
        )
        self.address = self._viewer.address
        self.began(env, np.zeros(1, np.int64))
        self._next_s = time.monotonic()
        print(f"pelagos: watch environment 0 at {self.address}", file=sys.stderr)

    def began(self, env: VectorEnvironment, where: NDArray[np.int64]) -> None:
        """Start a new episode, if environment 0 is among `where`."""
        if 0 in where:
            scene = env.task.scene(0)
            self._viewer.begin(scene["target"], scene["line"], env.randomise.current_n[0].tolist())
            self._show(env)

    def stepped(self, env: VectorEnvironment) -> None:
        """Show the newest state, and wait until its time on the wall clock."""
        self._show(env)
        now = time.monotonic()
        # after a delay, catch up by one interval at most
        self._next_s = max(self._next_s + env.interval_s, now - env.interval_s)
        time.sleep(max(0.0, self._next_s - now))

    def frame(self, env: VectorEnvironment) -> None:
        """Return no picture: the page shows it."""
        del env

    def close(self) -> None:
        """Close the viewer."""
        self._viewer.close()

    def _show(self, env: VectorEnvironment) -> None:
        motion, batch, (thrusters, surfaces) = env.motion, env.batch, env.commands
        roll, pitch, yaw = motion.euler[0].tolist()
        state = VehicleState(
            float(motion.time_s[0]), motion.position_n[0], roll, pitch, yaw, motion.nu[0], motion.nu_r[0],
            altitude_m=float(motion.altitude_m[0]),
        )  # fmt: skip
        actual = Actuation(batch.view.thrusters[0], batch.view.surfaces[0])
        self._viewer.show(state, actual, Actuation(thrusters[0], surfaces[0]), env.randomise.current_n[0].tolist())
