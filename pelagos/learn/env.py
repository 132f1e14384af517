"""Gymnasium environments on a `Batch`: a native vector environment, and the single one, which is that with n = 1.

A step is one array call for all vehicles: actions to commands, one control interval, observations and rewards.

Ends of episodes. `terminated`: the task failed or succeeded, or the vehicle's motion diverged (it stays at its last
valid state, the others continue, `info["failure"]` has the message). `truncated`: the time of the episode is over.

Autoreset as in Gymnasium: NEXT_STEP (the step after an end resets and ignores its action), SAME_STEP (the step that
ends an episode returns the first observation of the next; the last one is `info["final_obs"]`), DISABLED (the caller
resets with `options={"reset_mask": mask}`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.checks import choice, whole
from pelagos.errors import CommandError, one_of
from pelagos.learn.actions import KINDS, Actions
from pelagos.learn.observation import Fields, MotionArrays
from pelagos.learn.options import (
    RENDER_MODES,
    check_options,
    check_render_mode,
    make_observer,
    make_pilot,
    resolve_authority,
    resolve_autoreset_mode,
    resolve_reset_mask,
    resolve_seeds,
)
from pelagos.learn.randomise import Draws, Randomise
from pelagos.learn.task import StepOutcome, Task
from pelagos.learn.tasks import resolve_task
from pelagos.vehicle.spec import Vehicle

Infos = dict[str, Any]
ASSISTED_AUTHORITY = 0.25  # default share of full command that an action adds to that of the autopilot
VECTOR_ONLY = ("num_envs", "autoreset_mode", "copy")  # arguments without a meaning for a single environment


class VectorEnvironment(VectorEnv[NDArray[np.float32], NDArray[np.float32], NDArray[Any]]):
    """n environments of one task.

    Args:
        task: name of a task ("StationKeeping"), a subclass of `Task`, or "module:Class", which a spec of Gymnasium can
            hold as JSON.
        num_envs: number of environments.
        vehicle: a vehicle in place of the task's.
        max_episode_steps: steps after which an episode is truncated, or None; default: the task's `episode_s`.
        observe: "truth" (the true state) or "sensors" (those of the vehicle's file).
        action: "actuators" or "wrench"; see `pelagos.learn.actions`.
        assist: "pid" adds the action to the commands of the autopilot; None applies the action alone.
        authority: factor on the action, 0 to 1; default: 1, with an assist 0.25.
        randomise: ranges; None for those of the task, {} for none. See `pelagos.learn.randomise`.
        autoreset_mode: an `AutoresetMode` or its value.
        render_mode: "rgb_array" (a picture of each), "human" (the console shows environment 0 in a browser) or None.
        copy: True returns new arrays at every step; False the same ones, overwritten by the next step.
        dtype: of the physics, "float64" or "float32".
        threads: largest number of threads; default: the number of cores.
    """

    def __init__(
        self,
        task: str | type[Task],
        num_envs: int = 1,
        *,
        vehicle: Vehicle | str | None = None,
        max_episode_steps: int | str | None = "task",
        observe: str = "truth",
        action: str = "actuators",
        assist: str | None = None,
        authority: float | None = None,
        randomise: Mapping[str, object] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        copy: bool = True,
        dtype: str = "float64",
        threads: int | None = None,
    ) -> None:
        kind = resolve_task(task)
        self.num_envs = n = whole("num_envs", num_envs, 1)
        self.task = kind(n)
        self.autoreset_mode = resolve_autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES), "render_fps": kind.rate_hz, "autoreset_mode": self.autoreset_mode,
        }  # fmt: skip
        self.render_mode = check_render_mode(render_mode)
        rate = kind.rate_hz
        self.batch = Batch(
            vehicle or kind.vehicle, n, self.task.world(), dtype=dtype, threads=threads, control_rate_hz=rate,
            tether=kind.tether,
        )  # fmt: skip
        self.interval_s = 1.0 / rate
        task_steps = round(kind.episode_s * rate)
        steps = task_steps if max_episode_steps == "task" else max_episode_steps
        self.max_episode_steps = None if steps is None else whole("max_episode_steps", steps, 1)
        self._step_limit = self.max_episode_steps or np.iinfo(np.int64).max
        self._nominal_steps = self.max_episode_steps or task_steps  # from which `left` of `Task.judge` counts down
        choice("action", action, KINDS)
        share = resolve_authority(authority, 1.0 if assist is None else ASSISTED_AUTHORITY)
        self.actions = Actions(self.batch.vehicle, n, action, share)
        self.fields = Fields(kind.fields)
        self.pilot = make_pilot(assist, self.batch, self.interval_s)
        ranges = kind.ranges if randomise is None else randomise
        self.randomise = Randomise(ranges, n, self.batch.vehicle, kind.scales)
        self.motion = MotionArrays(n)
        bottom = kind.over_bottom or render_mode is not None or observe != "truth"
        # both need an evaluation of the surroundings, so they are read only for those who use them
        unread = {"nu_r": assist is None, "altitude_m": not bottom}
        self._read = tuple(name for name in MotionArrays.NAMES if not unread.get(name, False))
        self.observer = make_observer(observe, self.batch, self.motion, self.interval_s)
        self.outcome = StepOutcome(n)
        self._make_spaces(gymnasium.spaces)
        self.copy = copy
        self._observations = np.zeros((n, len(self.fields)), np.float32)
        self._terminated, self._truncated = np.zeros(n, bool), np.zeros(n, bool)
        self._ended = np.zeros(n, bool)  # ended and not reset yet
        self._steps, self._episodes = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._seeds: NDArray[np.int64] | None = None
        self._all = np.ones(n, bool)
        self._viewer: Any = None
        # the last commands to thrusters and control surfaces
        self.commands = (
            np.zeros((n, len(self.batch.vehicle.thrusters))), np.zeros((n, len(self.batch.vehicle.surfaces))),
        )  # fmt: skip

    def _make_spaces(self, spaces: Any) -> None:
        k = len(self.actions.names)
        self.single_observation_space = spaces.Box(self.fields.low, self.fields.high, dtype=np.float32)
        self.single_action_space = spaces.Box(-1.0, 1.0, (k,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Start new episodes in all environments, or in those of `options["reset_mask"]`.

        A seed (environment i gets seed + i) or a list of seeds starts their sequences of episodes; without a seed, or
        with None in the list, an environment continues with its next episode.
        """
        check_options(options, ("reset_mask",))
        mask = resolve_reset_mask(options, self.num_envs, self.begun)
        where = np.flatnonzero(mask)
        self._seed(seed, where)
        self._begin(where)
        self._terminated[where] = self._truncated[where] = False
        rows = self._observe()
        return rows, self._infos(mask)

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Advance all environments by one control interval."""
        if self._seeds is None:
            raise CommandError("the environments have not begun; call reset() before step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            first = int(np.argmax(self._ended))
            expected = "reset(options={'reset_mask': ...}) before step()"
            raise CommandError("has ended", key=f"environment {first}", expected=expected)
        batch, outcome = self.batch, self.outcome
        autopilot = None
        if self.pilot is not None:
            self.pilot.command(**self.task.setpoints(self.observer.motion))
            autopilot = self.pilot.update(self.observer.states(), self.interval_s)
        self.commands = thrusters, surfaces = self.actions.commands(actions, autopilot)
        batch.actuators.set(thrusters=thrusters, surfaces=surfaces)
        self.task.during(batch, self._steps)
        batch.advance()
        self._steps += 1
        self.motion.read(batch, self._read)
        self.task.sense(self.motion, None)
        self.observer.observe()
        outcome.clear()
        self.task.judge(self.motion, batch, self.actions.effort(), self._nominal_steps - self._steps, outcome)
        diverged = ~batch.view.alive
        np.copyto(outcome.reward, 0.0, where=diverged)  # it stands still at its last valid state
        # NEXT_STEP: environments that ended in the step before are reset in this one, whatever they did in it
        next_step = self.autoreset_mode is AutoresetMode.NEXT_STEP
        restarting = self._ended.copy() if next_step else np.zeros(self.num_envs, bool)
        np.copyto(outcome.reward, 0.0, where=restarting)
        self._check_rewards()
        terminated = np.logical_or(outcome.failed | diverged, outcome.succeeded, out=self._terminated)
        terminated &= ~restarting
        truncated = np.greater_equal(self._steps, self._step_limit, out=self._truncated)
        truncated &= ~restarting
        ended = terminated | truncated
        infos: Infos = {}
        if restarting.any():
            self._begin_next(np.flatnonzero(restarting))
        elif self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            infos = self._final_infos(ended, diverged)
            self._begin_next(np.flatnonzero(ended))
        rows = self._observe()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended[:] = ended
            diverged = diverged & ~restarting
        else:
            diverged = diverged & ~ended
        infos |= self._infos(self._all, diverged)
        if self._viewer is not None:
            self._viewer.stepped(self)
        if not self.copy:
            return rows, outcome.reward, terminated, truncated, infos
        return rows, outcome.reward.copy(), terminated.copy(), truncated.copy(), infos

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture of each environment (`rgb_array`), or None: the console shows the first (`human`)."""
        if self.render_mode is None:
            raise CommandError(key="render_mode", value=None, expected=f"{one_of(RENDER_MODES)}, in gymnasium.make")
        if not self.begun:
            raise CommandError("the environments have not begun; call reset() before render()")
        return self._viewer.frame(self)

    def close_extras(self, **kwargs: Any) -> None:
        """Close the viewer and end the threads."""
        del kwargs
        self.batch.close()
        if self._viewer is not None:
            self._viewer.close()

    @property
    def steps(self) -> NDArray[np.int64]:
        """Number of steps of each present episode."""
        return self._steps

    @property
    def begun(self) -> bool:
        """Whether `reset` was called."""
        return self._seeds is not None

    def continue_ended(self) -> None:
        """Let ended episodes continue in the next step."""
        self._ended[:] = False

    def _make_viewer(self) -> None:
        """Make the viewer at first use: it needs packages that the physics does not."""
        if self._viewer is None and self.render_mode == "rgb_array":
            from pelagos.learn.render import FigureRenderer

            self._viewer = FigureRenderer(self.num_envs)
        elif self._viewer is None and self.render_mode == "human":
            from pelagos.learn.viewer import HumanRenderer

            self._viewer = HumanRenderer(self)

    def _seed(self, seed: int | Sequence[int | None] | None, where: NDArray[np.int64]) -> None:
        seeds = resolve_seeds(seed, self.num_envs)
        super().reset(seed=next((value for value in seeds if value is not None), None))
        if self._seeds is None:  # environments without a seed get a random one
            self._seeds = self.np_random.integers(2**31) + np.arange(self.num_envs)
            self._episodes[:] = -1
        self._episodes[where] += 1
        for i in where.tolist():
            if (value := seeds[i]) is not None:
                self._seeds[i], self._episodes[i] = value, 0

    def _begin_next(self, where: NDArray[np.int64]) -> None:
        self._episodes[where] += 1
        self._begin(where)

    def _begin(self, where: NDArray[np.int64]) -> None:
        """Start episodes; their random numbers depend on seed and episode only."""
        assert self._seeds is not None
        draws = Draws(self._seeds[where], self._episodes[where])
        # the task comes after the current, which the start of a tethered vehicle needs
        self.batch.reset(where)
        self.randomise.begin(self.batch, where, draws)
        self.task.begin(self.batch, where, draws)
        self._steps[where] = 0
        self._ended[where] = False
        if self.pilot is not None:
            self.pilot.reset(where)
        self.motion.read(self.batch, self._read)
        self.task.sense(self.motion, where)
        first = self._episodes[where] == 0
        if first.any():
            self.observer.begin(where[first], self._seeds[where[first]])
        if not first.all():
            self.observer.begin(where[~first], None)
        self._make_viewer()
        if self._viewer is not None:
            self._viewer.began(self, where)

    def _observe(self) -> NDArray[np.float32]:
        """Observations of all environments, in a new array or in the one that is reused."""
        rows = np.zeros_like(self._observations) if self.copy else self._observations
        rows.fill(np.nan)  # shows columns that the task does not write
        self.task.observe(self.observer.motion, rows)
        if self.randomise.noise.any():
            assert self._seeds is not None
            # a function of seed, episode and step: the order of resets does not change the noise
            drawn = Draws(self._seeds, self._episodes, self._steps).normals("noise", len(self.fields))
            rows += drawn * self.randomise.noise[:, None] * self.fields.noise
        self.fields.scale(rows)
        if np.isnan(rows).any():
            i, k = np.argwhere(np.isnan(rows))[0].tolist()
            self._refuse(f"the observation {self.fields.names[k]}", np.nan, i, "observe")
        return rows

    def _check_rewards(self) -> None:
        if not np.isfinite(self.outcome.reward).all():
            i = int(np.argmin(np.isfinite(self.outcome.reward)))
            self._refuse("the reward", float(self.outcome.reward[i]), i, "judge")

    def _refuse(self, quantity: str, value: float, i: int, method: str) -> NoReturn:
        raise CommandError(
            key=f"{quantity} of environment {i} after {self._steps[i]} steps",
            value=value,
            expected=f"a finite number from {type(self.task).__name__}.{method}()",
        )

    def _infos(self, mask: NDArray[np.bool_], diverged: NDArray[np.bool_] | None = None) -> Infos:
        """Infos in Gymnasium's form: arrays, each with a mask of the environments for which it holds."""
        infos: Infos = {}
        for name, values in self.task.measures().items():
            infos[name], infos[f"_{name}"] = values.copy(), mask.copy()
        if diverged is not None and diverged.any():
            messages = np.full(self.num_envs, None, dtype=object)
            for failure in self.batch.failures:
                messages[failure.index] = failure.message
            infos["failure"], infos["_failure"] = messages, diverged.copy()
        return infos

    def _final_infos(self, ended: NDArray[np.bool_], diverged: NDArray[np.bool_]) -> Infos:
        """The last observation and info of the episodes that ended in this step."""
        rows = self._observe().copy()
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            last[i] = rows[i]
        final = self._infos(ended, diverged & ended)
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": final, "_final_info": ended.copy()}


class Environment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """A single environment of a task, with arguments of `VectorEnvironment`; `gymnasium.make` adds the time limit."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012

    def __init__(self, task: str | type[Task], *, render_mode: str | None = None, **options: Any) -> None:
        for name in VECTOR_ONLY:
            if name in options:
                raise CommandError("only gymnasium.make_vec has this option", key=name, value=options[name])
        options = {"max_episode_steps": None} | options  # the wrapper TimeLimit of `gymnasium.make` truncates
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
        """Start an episode: with a seed the first of that seed, without one the next."""
        check_options(options, ())
        super().reset(seed=seed)
        if seed is None and not self.vector.begun:
            seed = int(self.np_random.integers(2**31))
        rows, infos = self.vector.reset(seed=seed)
        return rows[0].copy(), _single_info(infos)

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Advance by one control interval; after the end of the episode too, which Gymnasium leaves undefined."""
        self.vector.continue_ended()
        rows, reward, terminated, truncated, infos = self.vector.step(np.asarray(action)[None])
        return rows[0].copy(), float(reward[0]), bool(terminated[0]), bool(truncated[0]), _single_info(infos)

    def render(self) -> Any:
        """Return a picture (`rgb_array`), or None: the console shows it (`human`)."""
        frames = self.vector.render()
        return frames[0] if frames else None

    def close(self) -> None:
        """Close the viewer and end the threads."""
        self.vector.close()


def _single_info(infos: dict[str, Any]) -> dict[str, Any]:
    """The info of environment 0, as plain numbers."""
    info: dict[str, Any] = {}
    for name, values in infos.items():
        if not name.startswith("_") and infos[f"_{name}"][0]:
            value = values[0]
            info[name] = value.item() if isinstance(value, np.generic) else value
    return info
