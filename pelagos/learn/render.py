"""Pictures of environments (`render_mode="rgb_array"`): track from above, depth over time, and the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled

if TYPE_CHECKING:
    from pelagos.learn.env import VectorEnvironment

SIZE_IN, DPI = (7.2, 3.4), 100
TRACK, TARGET, GROUND = PALETTE[0], PALETTE[1], PALETTE[7]
LEAST_M = 3.0  # smallest half width of the view from above
NEAR_M = 15.0  # the seabed is drawn if it is within this distance of the depths shown
# columns of the track
NORTH, EAST, DEPTH, HEADING, ALTITUDE = range(5)


class FigureRenderer:
    """Renderer with one picture for each environment, as Gymnasium's wrappers expect."""

    def __init__(self, n: int) -> None:
        self.each = [EpisodeFigure(i) for i in range(n)]

    def began(self, env: VectorEnvironment, where: NDArray[np.int64]) -> None:
        """Start the pictures of new episodes."""
        for i in where:
            self.each[i].began(env)

    def stepped(self, env: VectorEnvironment) -> None:
        """Add a step to all pictures."""
        for picture in self.each:
            picture.stepped(env)

    def frame(self, env: VectorEnvironment) -> tuple[NDArray[np.uint8], ...]:
        """Return all pictures, (height, width, 3) bytes each."""
        return tuple(picture.frame(env) for picture in self.each)

    def close(self) -> None:
        """Do nothing: no window is open."""


class EpisodeFigure:
    """The picture of one environment: stores the track of its episode and draws it."""

    def __init__(self, i: int) -> None:
        self._i = i
        self._track: list[NDArray[np.float64]] = []
        self._reward: list[float] = []
        self._target_depth: list[float | None] = []

    def began(self, env: VectorEnvironment) -> None:
        """Start a new track."""
        self._track, self._reward = [self._row(env)], [0.0]
        self._target_depth = [env.task.scene(self._i)["depth_m"]]

    def stepped(self, env: VectorEnvironment) -> None:
        """Add a step to the track."""
        if env.steps[self._i] > 0:  # otherwise the environment was reset in this step
            self._track.append(self._row(env))
            self._reward.append(float(env.outcome.reward[self._i]))
            self._target_depth.append(env.task.scene(self._i)["depth_m"])

    def frame(self, env: VectorEnvironment) -> NDArray[np.uint8]:
        """Return the picture, (height, width, 3) bytes."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        track = np.array(self._track)
        time_s = np.arange(len(track), dtype=np.float64) * env.interval_s
        scene = env.task.scene(self._i)
        with styled():
            figure = new_figure(UNWRITTEN, SIZE_IN, None)
            canvas = FigureCanvasAgg(figure)
            figure.set_dpi(DPI)
            plan, side = figure.subplots(1, 2, width_ratios=(1.0, 1.25))
            self._plan(plan, track, scene)
            self._side(side, time_s, track, env)
            canvas.draw()
            return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()

    def _row(self, env: VectorEnvironment) -> NDArray[np.float64]:
        """A row of the track."""
        motion, i = env.motion, self._i
        return np.array([*motion.position_n[i], motion.euler[i, 2], motion.altitude_m[i]])

    @staticmethod
    def _plan(ax: Any, track: NDArray[np.float64], scene: dict[str, Any]) -> None:
        """Draw the track from above, north up."""
        north, east = track[:, NORTH], track[:, EAST]
        if scene["line"] is not None:
            ax.plot(scene["line"][:, 1], scene["line"][:, 0], color=TARGET, linestyle="--", label="line")
        if scene["target"] is not None:
            ax.plot(scene["target"][1], scene["target"][0], "+", color=TARGET, markersize=11, mew=2, label="target")
        ax.plot(east, north, color=TRACK, label="track")
        heading = track[-1, HEADING]
        points = [north, *([scene["target"][:1]] if scene["target"] is not None else [])]
        points_e = [east, *([scene["target"][1:2]] if scene["target"] is not None else [])]
        n, e = np.concatenate(points), np.concatenate(points_e)
        middle = 0.5 * (n.max() + n.min()), 0.5 * (e.max() + e.min())
        half = max(LEAST_M, 0.6 * max(np.ptp(n), np.ptp(e)))
        arrow = 0.14 * half
        ax.annotate(
            "", (east[-1] + arrow * np.sin(heading), north[-1] + arrow * np.cos(heading)),
            (east[-1] - arrow * np.sin(heading), north[-1] - arrow * np.cos(heading)),
            arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 2.0},
        )  # fmt: skip
        ax.set(xlim=(middle[1] - half, middle[1] + half), ylim=(middle[0] - half, middle[0] + half))
        ax.set_aspect("equal", adjustable="box")
        ax.set(title="from above", xlabel="east (m)", ylabel="north (m)")
        if scene["line"] is not None or scene["target"] is not None:
            ax.legend(loc="upper left")

    def _side(self, ax: Any, time_s: NDArray[np.float64], track: NDArray[np.float64], env: VectorEnvironment) -> None:
        """Draw the depth over time, and the seabed if it is near."""
        depth, altitude = track[:, DEPTH], track[:, ALTITUDE]
        ax.plot(time_s, depth, color=TRACK, label="depth")
        target = np.array(self._target_depth, dtype=float)
        if np.isfinite(target).all():
            ax.plot(time_s, target, color=TARGET, linestyle="--", label="asked for")
        shown = np.concatenate([depth, target[np.isfinite(target)]])
        low, high = float(shown.min()), float(shown.max())
        room = max(1.0, 0.15 * (high - low))
        low, high = low - room, high + room
        bottom = depth + altitude
        if np.isfinite(bottom).all() and bottom.min() < high + NEAR_M:
            high = max(high, float(bottom.max()) + 1.0)
            ax.fill_between(time_s, bottom, high, color=GROUND, alpha=0.35, linewidth=0.0, label="bottom")
        ax.set(xlim=(0.0, max(5.0, time_s[-1])), ylim=(high, low), xlabel="time (s)", ylabel="depth (m)")
        reward = np.sum(self._reward)
        ax.set_title(f"{env.task.key}: {time_s[-1]:.1f} s, return {reward:.1f}")
        ax.legend(loc="best")
