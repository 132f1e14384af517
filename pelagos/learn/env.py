"""Many environments as one: a native vector environment of Gymnasium on a `Batch`.

One array call a step: actions to demands, one control interval of all vehicles, observation and reward of all of them
written into arrays. The single environment is this one with n = 1.

Ends of episodes. `terminated`: the task says so, or the vehicle's motion diverged (it stays where it was last sound,
the others go on, `info["failure"]` has the sentence). `truncated`: the time of the episode is over.

Autoreset, as Gymnasium has it: NEXT_STEP (the step after an end resets, its action counts for nothing), SAME_STEP (the
step that ends an episode already shows the next one; the last observation is `info["final_obs"]`), DISABLED (the
caller resets with `options={"reset_mask": mask}`).

One environment: the vector environment with n = 1, with its arrays taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.checks import choice, whole
from pelagos.errors import CommandError, MissingExtraError
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

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise MissingExtraError("gymnasium", "pelagos.learn", "learn") from None

Infos = dict[str, Any]
ASSISTED = 0.25  # share of full drive that an action adds to the autopilot's, unless told otherwise


class VectorEnvironment(VectorEnv[NDArray[np.float32], NDArray[np.float32], NDArray[Any]]):
    """n environments of one task.

    Args:
        task: name of a task ("StationKeeping"), or a task of your own: its class, or "module:Class", which a spec of
            Gymnasium can keep as JSON.
        num_envs: how many.
        vehicle: another vehicle than the task's.
        max_episode_steps: after which an episode is truncated; the task's `episode_s` if not given, None never.
        observe: "truth" or "sensors", the instruments of the vehicle's file.
        action: "actuators" or "wrench"; see `pelagos.learn.actions`.
        assist: "pid" adds the action to what the autopilot asks for; None the action is all there is.
        authority: factor on the action, 0 to 1; 1, or 0.25 with an assist.
        randomise: ranges; None the task's own, {} none. See `pelagos.learn.randomise`.
        autoreset_mode: an `AutoresetMode` or its value.
        render_mode: "rgb_array" (a picture of each), "human" (the console shows environment 0 in a browser) or None.
        copy: True returns new arrays at every step; False the same ones, overwritten by the next step.
        dtype: of the physics, "float64" or "float32".
        threads: of the physics; None all.
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
        usual = round(kind.episode_s * rate)
        steps = usual if max_episode_steps == "task" else max_episode_steps
        self.max_episode_steps = None if steps is None else whole("max_episode_steps", steps, 1)
        self._most = self.max_episode_steps or np.iinfo(np.int64).max
        self._nominal = self.max_episode_steps or usual  # what `left` counts from
        choice("action", action, KINDS)
        share = resolve_authority(authority, 1.0 if assist is None else ASSISTED)
        self.actions = Actions(self.batch.vehicle, n, action, share)
        self.fields = Fields(kind.fields)
        self.pilot = make_pilot(assist, self.batch, self.interval_s)
        ranges = kind.ranges if randomise is None else randomise
        self.randomise = Randomise(ranges, n, self.batch.vehicle, kind.scales)
        self.motion = MotionArrays(n)
        bottom = kind.over_bottom or render_mode is not None or observe != "truth"
        unread = {"nu_r": assist is None, "altitude_m": not bottom}  # what nobody looks at is not read
        self._read = tuple(name for name in MotionArrays.NAMES if not unread.get(name, False))
        self.sensed = make_observer(observe, self.batch, self.motion, self.interval_s)
        self.verdict = StepOutcome(n)
        self._spaces(gymnasium.spaces)
        self.copy = copy
        self._observations = np.zeros((n, len(self.fields)), np.float32)
        self._terminated, self._truncated = np.zeros(n, bool), np.zeros(n, bool)
        self._over = np.zeros(n, bool)  # ended and not begun anew
        self._steps, self._episodes = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._seeds: NDArray[np.int64] | None = None
        self._everyone = np.ones(n, bool)
        self._viewer: Any = None
        self.told = np.zeros((n, len(self.batch.vehicle.thrusters))), np.zeros((n, len(self.batch.vehicle.surfaces)))

    def _spaces(self, spaces: Any) -> None:
        k = len(self.actions.names)
        self.single_observation_space = spaces.Box(self.fields.low, self.fields.high, dtype=np.float32)
        self.single_action_space = spaces.Box(-1.0, 1.0, (k,), np.float32)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    # ---- Gymnasium ----------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Begin anew: all, or those of `options["reset_mask"]`.

        A seed (environment i gets seed + i) or a list of them begins their sequences of episodes; without one, or with
        None in its place of the list, an environment goes on with its next episode.
        """
        check_options(options, ("reset_mask",))
        mask = resolve_reset_mask(options, self.num_envs, self.begun)
        where = np.flatnonzero(mask)
        self._seed(seed, where)
        self._begin(where)
        self._terminated[where] = self._truncated[where] = False
        rows = self._look()
        return rows, self._infos(mask)

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """One control interval of all environments."""
        if self._seeds is None:
            raise CommandError("the environments have not begun; call reset() before step()")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            first = int(np.argmax(self._over))
            raise CommandError(
                f"environment {first} has ended; call reset(options={{'reset_mask': ...}}) before step()"
            )
        batch, verdict = self.batch, self.verdict
        assisted = None
        if self.pilot is not None:
            self.pilot.command(**self.task.orders(self.sensed.motion))
            assisted = self.pilot.update(self.sensed.states(), self.interval_s)
        thrusters, surfaces = self.actions.demands(actions, assisted)
        self.told = thrusters, surfaces
        batch.set_actuators(thrusters=thrusters, surfaces=surfaces)
        self.task.during(batch, self._steps)
        batch.advance()
        self._steps += 1
        self.motion.read(batch, self._read)
        self.task.sense(self.motion, None)
        self.sensed.observe()
        verdict.clear()
        self.task.judge(self.motion, batch, self.actions.effort(), self._nominal - self._steps, verdict)
        lost = ~batch.alive
        np.copyto(verdict.reward, 0.0, where=lost)
        again = self._over.copy() if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        np.copyto(verdict.reward, 0.0, where=again)
        self._refuse_rewards()
        terminated = np.logical_or(verdict.failed | lost, verdict.succeeded, out=self._terminated)
        terminated &= ~again
        truncated = np.greater_equal(self._steps, self._most, out=self._truncated)
        truncated &= ~again
        over = terminated | truncated
        infos: Infos = {}
        if again.any():
            self._next(np.flatnonzero(again))
        elif self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._finals(over, lost)
            self._next(np.flatnonzero(over))
        rows = self._look()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._over[:] = over
            lost = lost & ~again
        else:
            lost = lost & ~over
        infos |= self._infos(self._everyone, lost)
        if self._viewer is not None:
            self._viewer.stepped(self)
        if not self.copy:
            return rows, verdict.reward, terminated, truncated, infos
        return rows, verdict.reward.copy(), terminated.copy(), truncated.copy(), infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each environment (`rgb_array`), or None: the console shows the first (`human`)."""
        if self.render_mode is None:
            raise CommandError("render_mode is None", expected="it to be given when the environment is made")
        if not self.begun:
            raise CommandError("the environments have not begun; call reset() before render()")
        return self._viewer.frame(self)

    def close_extras(self, **kwargs: Any) -> None:
        """End the viewer and the threads."""
        del kwargs
        self.batch.close()
        if self._viewer is not None:
            self._viewer.close()

    @property
    def steps(self) -> NDArray[np.int64]:
        """Steps that each episode has had."""
        return self._steps

    @property
    def begun(self) -> bool:
        """Whether it was reset once."""
        return self._seeds is not None

    def go_on(self) -> None:
        """Let ended episodes go on in the next step."""
        self._over[:] = False

    # ---- details ------------------------------------------------------------------------------------------------

    def _watched(self) -> None:
        """Make the viewer at first use: drawing needs packages that flying does not."""
        if self._viewer is None and self.render_mode == "rgb_array":
            from pelagos.learn.render import FigureRenderer

            self._viewer = FigureRenderer(self.num_envs)
        elif self._viewer is None and self.render_mode == "human":
            from pelagos.learn.viewer import HumanRenderer

            self._viewer = HumanRenderer(self)

    def _seed(self, seed: int | Sequence[int | None] | None, where: NDArray[np.int64]) -> None:
        seeds = resolve_seeds(seed, self.num_envs)
        super().reset(seed=next((one for one in seeds if one is not None), None))
        if self._seeds is None:  # those without a seed begin anywhere
            self._seeds = self.np_random.integers(2**31) + np.arange(self.num_envs)
            self._episodes[:] = -1
        self._episodes[where] += 1
        for i in where.tolist():
            if (one := seeds[i]) is not None:
                self._seeds[i], self._episodes[i] = one, 0

    def _next(self, where: NDArray[np.int64]) -> None:
        self._episodes[where] += 1
        self._begin(where)

    def _begin(self, where: NDArray[np.int64]) -> None:
        """New episodes; their numbers are theirs alone."""
        assert self._seeds is not None
        draws = Draws(self._seeds[where], self._episodes[where])
        self.batch.reset(where)
        self.randomise.begin(self.batch, where, draws)
        self.task.begin(self.batch, where, draws)
        self._steps[where] = 0
        self._over[where] = False
        if self.pilot is not None:
            self.pilot.reset(where)
        self.motion.read(self.batch, self._read)
        self.task.sense(self.motion, where)
        first = self._episodes[where] == 0
        if first.any():
            self.sensed.begin(where[first], self._seeds[where[first]])
        if not first.all():
            self.sensed.begin(where[~first], None)
        self._watched()
        if self._viewer is not None:
            self._viewer.began(self, where)

    def _look(self) -> NDArray[np.float32]:
        """Observations of all, in a new array or in the one that is used again."""
        rows = np.zeros_like(self._observations) if self.copy else self._observations
        rows.fill(np.nan)  # so that a column which the task leaves out is found
        self.task.observe(self.sensed.motion, rows)
        if self.randomise.noise.any():
            assert self._seeds is not None
            drawn = Draws(self._seeds, self._episodes, self._steps).normals("noise", len(self.fields))
            rows += drawn * self.randomise.noise[:, None] * self.fields.noise
        self.fields.scale(rows)
        if np.isnan(rows).any():
            i, k = np.argwhere(np.isnan(rows))[0].tolist()
            self._refuse(f"the observation {self.fields.names[k]}", np.nan, i, "look")
        return rows

    def _refuse_rewards(self) -> None:
        if not np.isfinite(self.verdict.reward).all():
            i = int(np.argmin(np.isfinite(self.verdict.reward)))
            self._refuse("the reward", self.verdict.reward[i], i, "judge")

    def _refuse(self, what: str, value: float, i: int, method: str) -> NoReturn:
        raise CommandError(
            f"{what} of environment {i} is {value:g} after {self._steps[i]} steps",
            expected=f"a finite number from {type(self.task).__name__}.{method}()",
        )

    def _infos(self, mask: NDArray[np.bool_], lost: NDArray[np.bool_] | None = None) -> Infos:
        """What Gymnasium wants: arrays, and a mask of each that says for whom they hold."""
        infos: Infos = {}
        for name, values in self.task.measures().items():
            infos[name], infos[f"_{name}"] = values.copy(), mask.copy()
        if lost is not None and lost.any():
            told = np.full(self.num_envs, None, dtype=object)
            for failure in self.batch.failures:
                told[failure.index] = failure.message
            infos["failure"], infos["_failure"] = told, lost.copy()
        return infos

    def _finals(self, over: NDArray[np.bool_], lost: NDArray[np.bool_]) -> Infos:
        """The last observation and info of the episodes that ended in this step."""
        rows = self._look().copy()
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over):
            last[i] = rows[i]
        told = self._infos(over, lost & over)
        return {"final_obs": last, "_final_obs": over.copy(), "final_info": told, "_final_info": over.copy()}


# ---- single ----------------------------------------------------------------------------------------------------------


FOR_MANY = ("num_envs", "autoreset_mode", "copy")  # what one environment has no use for


class Environment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One environment of a task; arguments as of `VectorEnvironment`. `gymnasium.make` adds the time limit."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 10}  # noqa: RUF012

    def __init__(self, task: str | type[Task], *, render_mode: str | None = None, **options: Any) -> None:
        for name in FOR_MANY:
            if name in options:
                raise CommandError(f"{name} is for many environments", expected="it in gymnasium.make_vec only")
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
        check_options(options, ())
        super().reset(seed=seed)
        if seed is None and not self.vector.begun:
            seed = int(self.np_random.integers(2**31))
        rows, infos = self.vector.reset(seed=seed)
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
