"""A policy that holds its place better than the autopilot: PPO in one file, three minutes on two cores.

The environment is `pelagos/StationKeeping-v0` with its currents and its random vehicles. With `assist="pid"` an action
is added to what the autopilot asks for, and the last layer of the policy starts at zero: before the first update the
policy is the autopilot, to the last bit. Proximal Policy Optimization (Schulman and others, arXiv:1707.06347) with
generalised advantages (arXiv:1506.02438) goes on from there. Episodes are of 10 s in training, since what can be
learnt is in the approach, and of 40 s, the task's own, where policy and autopilot are compared: on seeds that were
never trained on, the same for both. Writes ppo_station_keeping.npz, the policy, and ppo_station_keeping.png.

    python examples/ppo_station_keeping.py [--minutes 3] [--updates N] [--envs 64] [--seed 1] [--out FOLDER]

`--updates` in place of `--minutes` gives the same numbers at every run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pelagos.analysis.plots import PALETTE, STYLE
from pelagos.errors import CommandError, MissingExtraError, PelagosError

try:
    import gymnasium
    import matplotlib
    import torch
    from matplotlib.figure import Figure
    from torch import Tensor, nn

    import pelagos.learn  # noqa: F401  # registers the environments
except ImportError as missing:
    sys.exit(str(MissingExtraError(missing.name or "torch", "examples/ppo_station_keeping.py")))

TASK, AUTHORITY = "pelagos/StationKeeping-v0", 1.0  # an action may ask for all that a thruster has
TRAINED_STEPS, ROLLOUT = 100, 64  # of 0.1 s: an episode in training; steps of each environment before an update
GAMMA, LAMBDA, CLIP, EPOCHS, MINIBATCHES = 0.98, 0.95, 0.2, 10, 4
RATE, LARGEST_GRADIENT, LOG_SPREAD, HIDDEN = 1e-3, 0.5, -1.5, 64
HELD_OUT, TESTED = 2_000_000, 256  # seeds of the comparison: so many from here on; those of training are below
RESAMPLED, SAY_EVERY = 1000, 10
Policy = Callable[[np.ndarray], np.ndarray]


class Flights(NamedTuple):
    """Episodes of the comparison: reward and distance (steps, episodes), and whether each failed."""

    reward: np.ndarray
    distance_m: np.ndarray
    failed: np.ndarray


class Outcome(NamedTuple):
    """Mean returns in training over environment steps, and the flights of both."""

    steps: np.ndarray
    returns: np.ndarray
    pid: Flights
    policy: Flights


def network(inputs: int, outputs: int, gain: float) -> nn.Sequential:
    """Two hidden layers; `gain` 0 makes a last layer of zeros."""
    layers = [nn.Linear(inputs, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, outputs)]
    for layer, size in zip(layers, (2**0.5, 2**0.5, gain), strict=True):
        nn.init.orthogonal_(layer.weight, size)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


class Agent:
    """The mean of the action, the spread around it, and what a state is worth."""

    def __init__(self, state: int, acted: int) -> None:
        self.actor, self.critic = network(state, acted, 0.0), network(state, 1, 1.0)
        self.log_spread = nn.Parameter(torch.full((acted,), LOG_SPREAD))
        self.parts = [*self.actor.parameters(), self.log_spread], list(self.critic.parameters())
        self.optimiser = torch.optim.Adam([*self.parts[0], *self.parts[1]], lr=RATE, eps=1e-5)

    def chances(self, state: Tensor) -> torch.distributions.Normal:
        """Of actions, one normal distribution each."""
        return torch.distributions.Normal(self.actor(state), self.log_spread.exp(), validate_args=False)

    def worth(self, state: Tensor) -> Tensor:
        """Sum of the rewards to come, a step later GAMMA times as much."""
        return self.critic(state)[..., 0]

    def improve(self, rollout: list[Tensor]) -> None:
        """Some epochs of clipped steps."""
        for _ in range(EPOCHS):
            for some in torch.randperm(len(rollout[0])).chunk(MINIBATCHES):
                seen, done, likely, better, worth = (column[some] for column in rollout)
                ratio = (self.chances(seen).log_prob(done).sum(1) - likely).exp()
                better = (better - better.mean()) / (better.std() + 1e-8)
                gained = torch.minimum(ratio * better, ratio.clamp(1.0 - CLIP, 1.0 + CLIP) * better).mean()
                wrong = (self.worth(seen) - worth).square().mean()
                self.optimiser.zero_grad()
                (wrong - gained).backward()
                for part in self.parts:
                    nn.utils.clip_grad_norm_(part, LARGEST_GRADIENT)
                self.optimiser.step()

    def save(self, path: Path) -> None:
        """Weights and biases of the policy as arrays."""
        numbers = [p.detach().numpy() for p in self.actor.parameters()]
        np.savez(path, w0=numbers[0], b0=numbers[1], w1=numbers[2], b1=numbers[3], w2=numbers[4], b2=numbers[5])


def read_policy(path: str | Path) -> Policy:
    """Observations (n, 13) to actions (n, 8), from a file."""
    with np.load(path) as file:
        layers = [(file[f"w{k}"].T, file[f"b{k}"]) for k in range(3)]

    def policy(state: np.ndarray) -> np.ndarray:
        for weight, bias in layers[:-1]:
            state = np.tanh(state @ weight + bias)
        return state @ layers[-1][0] + layers[-1][1]

    return policy


def make(count: int, **more: Any) -> Any:
    """So many environments on top of the autopilot."""
    return gymnasium.make_vec(TASK, num_envs=count, assist="pid", authority=AUTHORITY, **more)


class Training:
    """Environments that are learnt from, and the returns of episodes that have ended."""

    def __init__(self, count: int, seed: int) -> None:
        self.envs = make(count, autoreset_mode="SameStep", max_episode_steps=TRAINED_STEPS)
        self.seen, _ = self.envs.reset(seed=seed)
        self.so_far, self.ended = np.zeros(count), []
        self.agent = Agent(self.seen.shape[1], self.envs.single_action_space.shape[0])

    @torch.no_grad()
    def rollout(self) -> list[Tensor]:
        """What was seen and done, how likely that was, how much better than expected it was, and what it was worth."""
        rows: list[tuple[Tensor, ...]] = []
        for _ in range(ROLLOUT):
            seen = torch.from_numpy(self.seen)
            chances = self.agent.chances(seen)
            done = chances.sample()
            self.seen, reward, terminated, truncated, infos = self.envs.step(done.numpy())
            over, cut = terminated | truncated, np.flatnonzero(truncated & ~terminated)
            self.so_far += reward
            self.ended += self.so_far[over].tolist()
            self.so_far[over] = 0.0
            if cut.size:  # the time is over, the task is not: what would have come counts
                reward[cut] += GAMMA * self.agent.worth(torch.from_numpy(np.stack(infos["final_obs"][cut]))).numpy()
            gain, goes_on = torch.from_numpy(reward).float(), torch.from_numpy(~over).float()
            rows.append((seen, done, chances.log_prob(done).sum(1), gain, goes_on))
        seen, done, likely, gain, goes_on = (torch.stack(column) for column in zip(*rows, strict=True))
        worth, then = self.agent.worth(seen), self.agent.worth(torch.from_numpy(self.seen))
        better, later = torch.zeros_like(worth), torch.zeros_like(then)
        for t in reversed(range(ROLLOUT)):
            surprise = gain[t] + GAMMA * goes_on[t] * then - worth[t]
            better[t] = later = surprise + GAMMA * LAMBDA * goes_on[t] * later
            then = worth[t]
        return [column.flatten(0, 1) for column in (seen, done, likely, better, better + worth)]

    def run(self, minutes: float, updates: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Environment steps and mean returns, a pair for each update that saw an episode end; Ctrl-C ends it early."""
        begin, k, share, curve, known = time.perf_counter(), 0, 0.0, [], 0
        try:
            while share < 1.0:
                self.agent.optimiser.param_groups[0]["lr"] = RATE * (1.0 - share)
                self.agent.improve(self.rollout())
                k, took = k + 1, time.perf_counter() - begin
                share = k / updates if updates else took / (60.0 * minutes)
                steps = k * ROLLOUT * len(self.seen)
                if len(self.ended) > known:
                    curve.append((steps, np.mean(self.ended[known:])))
                    known = len(self.ended)
                if curve and (k % SAY_EVERY == 0 or share >= 1.0):
                    spread = self.agent.log_spread.exp().mean().item()
                    line = f"return {curve[-1][1]:6.2f}  spread of actions {spread:.3f}"
                    print(f"update {k:4d}  {steps:8d} steps  {took:4.0f} s  {line}", flush=True)
        except KeyboardInterrupt:
            print(f"stopped after {k} updates; what was learnt until then:")
        steps, returns = np.array(curve, float).reshape(-1, 2).T
        return steps, returns


def fly(policy: Policy | None) -> Flights:
    """Whole episodes on the seeds of the comparison; without a policy the autopilot is alone."""
    envs = make(TESTED)
    seen, infos = envs.reset(seed=HELD_OUT)
    nothing = np.zeros(envs.action_space.shape, np.float32)
    going, failed, at = np.ones(TESTED, bool), np.zeros(TESTED, bool), infos["distance_m"]
    rewards, distances = [], []
    while going.any():
        seen, reward, terminated, truncated, infos = envs.step(nothing if policy is None else policy(seen))
        at = np.where(going, infos["distance_m"], at)  # one that failed stays where it was and earns nothing more
        rewards.append(np.where(going, reward, 0.0))
        distances.append(at)
        failed |= going & terminated
        going &= ~(terminated | truncated)
    envs.close()
    return Flights(np.array(rewards), np.array(distances), failed)


def compare(pid: Flights, policy: Flights) -> list[str]:
    """A table: measures of both, and 95 % intervals of the differences (bootstrap: pairs of episodes drawn anew)."""
    measures: dict[str, tuple[str, Callable[[np.ndarray], Any]]] = {
        "return": ("reward", lambda reward: reward.sum(0).mean()),
        "mean distance [m]": ("distance_m", np.mean),
        "95th percentile of distance [m]": ("distance_m", lambda distance: np.percentile(distance, 95.0)),
        "mean distance after 20 s [m]": ("distance_m", lambda distance: distance[200:].mean()),
    }
    rng, count = np.random.default_rng(0), pid.reward.shape[1]
    drawn = [np.arange(count), *(rng.integers(count, size=count) for _ in range(RESAMPLED))]
    lines = [f"{'':32s}{'PID':>9s}{'policy':>9s}   difference (95 % interval)"]
    for name, (of, measure) in measures.items():
        a, b = (np.array([measure(getattr(flights, of)[:, rows]) for rows in drawn]) for flights in (pid, policy))
        low, high = np.percentile(b[1:] - a[1:], (2.5, 97.5))
        d = 2 if of == "reward" else 4
        gap, percent = b[0] - a[0], 100.0 * (b[0] / a[0] - 1.0)
        line = f"{gap:+.{d}f} ({low:+.{d}f} to {high:+.{d}f}), {percent:+.0f} %"
        lines.append(f"{name:32s}{a[0]:9.{d}f}{b[0]:9.{d}f}   {line}")
    return [*lines, f"{'episodes that failed':32s}{pid.failed.sum():9d}{policy.failed.sum():9d}   of {count}"]


def draw(outcome: Outcome, path: Path) -> None:
    """How it learnt, and how far from the place both are."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 3.4), layout="constrained")
        learnt, approach, spread = figure.subplots(1, 3)
        learnt.plot(outcome.steps / 1e6, outcome.returns, color=PALETTE[0], label="policy, exploring")
        start = outcome.pid.reward[:TRAINED_STEPS].sum(0).mean()
        learnt.axhline(start, color=PALETTE[1], linestyle="--", label="PID start")
        learnt.set(title="Return of 10 s in training", xlabel="environment steps [million]", ylabel="mean return")
        learnt.legend(loc="lower right")
        for name, flights, colour in (("PID", outcome.pid, PALETTE[1]), ("policy", outcome.policy, PALETTE[0])):
            time_s = 0.1 * np.arange(1, len(flights.distance_m) + 1)
            low, middle, high = np.percentile(flights.distance_m, (5.0, 50.0, 95.0), axis=1)
            approach.fill_between(time_s, low, high, color=colour, alpha=0.2, linewidth=0.0)
            approach.plot(time_s, middle, color=colour, label=f"{name}: median, 5 to 95 %")
            ordered = np.sort(flights.distance_m, axis=None)
            spread.plot(ordered, np.linspace(1.0, 0.0, ordered.size), color=colour, label=name)
        approach.set(title=f"Approach, {TESTED} held-out seeds", xlabel="time [s]", ylabel="distance [m]", xlim=(0, 10))
        spread.set(title="How often farther away", xlabel="distance [m]", ylabel="share of all steps")
        spread.set(xscale="log", xlim=(1e-4, 2.0))
        approach.legend()
        spread.legend()
        figure.savefig(path, dpi=120)


def main(
    folder: str | Path = ".", *, minutes: float = 3.0, updates: int | None = None, envs: int = 64, seed: int = 1
) -> Outcome:
    """Train, write the policy, fly it from its file, compare."""
    for name, value, good, expected in (
        ("minutes", minutes, 0.0 < minutes < float("inf"), "a number above 0"),
        ("updates", updates, updates is None or updates > 0, "a whole number above 0"),
        ("envs", envs, envs > 0, "a whole number above 0"),
        ("seed", seed, 0 <= seed <= HELD_OUT - envs, f"0 to {HELD_OUT - envs}; those above are of the comparison"),
    ):
        if not good:
            raise CommandError(f"{name} is {value}; expected {expected}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # networks this small gain nothing from more, and one sums in one order
    torch.manual_seed(seed)
    training = Training(envs, seed)
    print(f"{envs} environments, seed {seed}, " + (f"{updates} updates" if updates else f"{minutes:g} minutes"))
    steps, returns = training.run(minutes, updates)
    training.envs.close()
    training.agent.save(folder / "ppo_station_keeping.npz")
    outcome = Outcome(steps, returns, fly(None), fly(read_policy(folder / "ppo_station_keeping.npz")))
    print("\n".join(compare(outcome.pid, outcome.policy)))
    draw(outcome, folder / "ppo_station_keeping.png")
    return outcome


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a policy on top of the autopilot and compare the two.")
    parser.add_argument("--minutes", type=float, default=3.0, help="of training (3)")
    parser.add_argument("--updates", type=int, help="train by number instead: the same result at every run")
    parser.add_argument("--envs", type=int, default=64, help="environments at once (64)")
    parser.add_argument("--seed", type=int, default=1, help="of networks, exploration and episodes (1)")
    parser.add_argument("--out", default=".", metavar="FOLDER", help="for the policy and the figure (here)")
    arguments = parser.parse_args()
    try:
        main(
            arguments.out,
            minutes=arguments.minutes,
            updates=arguments.updates,
            envs=arguments.envs,
            seed=arguments.seed,
        )
    except PelagosError as error:
        sys.exit(str(error))
