"""Which values each run gets: a grid, random draws, a Latin hypercube, a Sobol sequence, or a design for sensitivity.

Everything follows from the campaign's seed and the number of the run. Of "random" and "sobol" the first runs are the
same however many there are, so that a campaign can be run on. Sobol and Latin hypercube are scipy.stats.qmc's (Owen's
scrambling), the designs of Morris and Saltelli are SALib's. A design comes in blocks: Morris of D + 1 runs, Saltelli of
D + 2 (2 D + 2 with `second_order`), D keys; as many whole blocks are made as `runs` has room for, of Saltelli's a power
of two.

From a number from 0 to 1 to a value of a varied key, by the quantiles of its distribution.

The plan of a campaign: the exact values and the seed of every run, known before the first one starts.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.spec import DESIGNS, SEED, Campaign, Vary
from pelagos.errors import MissingExtraError, ScenarioError

Array = NDArray[np.float64]
LEAST = 2.0**-54  # below every number a generator gives but 0, whose normal quantile would be infinite


def drawn(vary: Vary, share: Array) -> NDArray[Any]:
    """The values at these shares of the distribution: float64, int64, texts or booleans."""
    if vary.values:
        at = np.minimum((share * len(vary.values)).astype(np.int64), len(vary.values) - 1)
        return listed(vary.values)[at]
    if vary.mean is not None and vary.sigma is not None:
        return _normal(vary, share)
    assert vary.low is not None and vary.high is not None
    if vary.is_whole:
        count = int(vary.high) - int(vary.low) + 1
        return int(vary.low) + np.minimum((share * count).astype(np.int64), count - 1)
    if vary.log:
        low, high = np.log(vary.low), np.log(vary.high)
        return np.clip(np.exp(low + share * (high - low)), vary.low, vary.high)  # the ends exactly
    return np.clip(vary.low + share * (vary.high - vary.low), vary.low, vary.high)


def on_grid(vary: Vary) -> NDArray[Any]:
    """The points of a grid: the values, or evenly from end to end; of a normal distribution evenly in probability."""
    if vary.values:
        return listed(vary.values)
    points = vary.points or 1
    if vary.mean is not None or points == 1:
        return drawn(vary, (np.arange(points) + 0.5) / points)
    if vary.is_whole:
        assert vary.low is not None and vary.high is not None
        return np.unique(np.round(np.linspace(vary.low, vary.high, points)).astype(np.int64))
    return drawn(vary, np.linspace(0.0, 1.0, points))


def listed(values: Sequence[int | float | bool | str]) -> NDArray[Any]:
    """A list of values as an array of its kind."""
    if isinstance(values[0], str):
        return np.array([str(value) for value in values])
    if isinstance(values[0], bool):
        return np.array(values, bool)
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if whole else np.float64)


def _normal(vary: Vary, share: Array) -> Array:
    """Normal, cut off at `low` and `high` if they are given: what lies beyond is never drawn."""
    from scipy.special import ndtr, ndtri

    assert vary.mean is not None and vary.sigma is not None
    below = ndtr((vary.low - vary.mean) / vary.sigma) if vary.low is not None else 0.0
    above = ndtr((vary.high - vary.mean) / vary.sigma) if vary.high is not None else 1.0
    inside = np.clip(below + share * (above - below), LEAST, 1.0 - LEAST / 2.0)
    value = vary.mean + vary.sigma * np.asarray(ndtri(inside), np.float64)
    low = -np.inf if vary.low is None else vary.low
    high = np.inf if vary.high is None else vary.high
    return np.clip(value, low, high)  # rounding at the ends


# ---- sampling --------------------------------------------------------------------------------------------------------


SEEDS = 2**53  # seeds of runs are below: exact in a JSON file too
MORRIS_LEVELS = 4
POINTS_STREAM, SEEDS_STREAM = 0, 1  # random numbers for points, and for the seeds of runs


def sample(campaign: Campaign) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """The seed of each run, and the values of each varied key."""
    if campaign.method == "grid":
        columns = _grid(campaign)
        n = len(next(iter(columns.values()))) if columns else 1
    else:
        share = shares(campaign)
        n = len(share)
        columns = {item.key: drawn(item, share[:, k]) for k, item in enumerate(campaign.vary)}
    if SEED in columns:
        return columns.pop(SEED).astype(np.int64), columns
    if SEED in campaign.set:
        return np.full(n, campaign.set[SEED], np.int64), columns
    # a block of a design shares its seed: what differs in it comes from the keys alone, not from the noise
    size = _blocks(campaign)[1] if campaign.method in DESIGNS else 1
    seeds = np.random.default_rng([campaign.seed, SEEDS_STREAM]).integers(0, SEEDS, -(-n // size))
    return np.repeat(seeds, size)[:n], columns


def shares(campaign: Campaign) -> Array:
    """The points of the unit cube, one row a run; not of a grid."""
    runs, wide = campaign.runs or 1, len(campaign.vary)
    if campaign.method == "random":
        return np.random.default_rng([campaign.seed, POINTS_STREAM]).random((runs, wide))
    if campaign.method == "lhs":
        qmc = _package("scipy.stats.qmc", "scipy")
        return qmc.LatinHypercube(wide, rng=_generator(campaign)).random(runs)
    if campaign.method == "sobol":
        qmc = _package("scipy.stats.qmc", "scipy")
        whole = max(runs - 1, 0).bit_length()  # a power of two keeps the balance of the sequence; the rest is left out
        return qmc.Sobol(wide, scramble=True, rng=_generator(campaign)).random_base2(whole)[:runs]
    blocks, size = _blocks(campaign)
    problem = {"num_vars": wide, "names": list(map(str, range(wide))), "bounds": [[0.0, 1.0]] * wide}
    seed = int(_generator(campaign).integers(1, 2**31))  # SALib takes a seed of 0 for none
    if campaign.method == "morris":
        made = _package("SALib.sample.morris", "SALib").sample(problem, blocks, num_levels=MORRIS_LEVELS, seed=seed)
    else:
        design = _package("SALib.sample.sobol", "SALib")
        made = design.sample(problem, blocks, calc_second_order=campaign.second_order, seed=seed)
    assert len(made) == blocks * size
    return np.asarray(made, np.float64)


def _blocks(campaign: Campaign) -> tuple[int, int]:
    """How many blocks of how many runs a design has."""
    runs, wide = campaign.runs or 1, len(campaign.vary)
    if campaign.method == "morris":
        size, blocks = wide + 1, runs // (wide + 1)
    else:
        size = 2 * wide + 2 if campaign.second_order else wide + 2
        blocks = 1 << (runs // size).bit_length() - 1 if runs >= size else 0
    if blocks < 2:
        raise ScenarioError(
            f"a {campaign.method} design of {wide} keys has blocks of {size} runs",
            file=campaign.file,
            key="runs",
            value=runs,
            expected=f"at least {2 * size}",
        )
    return blocks, size


def _generator(campaign: Campaign) -> np.random.Generator:
    return np.random.default_rng([campaign.seed, POINTS_STREAM])


def _grid(campaign: Campaign) -> dict[str, NDArray[Any]]:
    """Every combination; the last key changes fastest."""
    axes = [on_grid(item) for item in campaign.vary]
    at = np.array(list(itertools.product(*(range(len(axis)) for axis in axes))), np.int64).reshape(-1, len(axes))
    return {item.key: axis[at[:, k]] for k, (item, axis) in enumerate(zip(campaign.vary, axes, strict=True))}


def _package(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(package, "a campaign", "campaign") from None


# ---- plan ------------------------------------------------------------------------------------------------------------


class PlannedRun(NamedTuple):
    """One run: its number, its seed, and the value of each varied key, as a scenario file would have it."""

    run: int
    seed: int
    values: dict[str, Any]


@dataclass(frozen=True)
class CampaignPlan:
    """All runs of a campaign, as columns."""

    seeds: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]  # by varied key

    def __len__(self) -> int:
        return len(self.seeds)

    def run(self, number: int) -> PlannedRun:
        """One of them."""
        return PlannedRun(
            number, int(self.seeds[number]), {key: column[number].item() for key, column in self.columns.items()}
        )

    @cached_property
    def table(self) -> dict[str, NDArray[Any]]:
        """Columns with the number of the run in front."""
        return {"run": np.arange(len(self), dtype=np.int64), "seed": self.seeds, **self.columns}

    def begins_like(self, table: dict[str, NDArray[Any]]) -> bool:
        """Whether the runs that both have are the same, to the last bit."""
        if list(table) != list(self.table):
            return False
        n = min(len(self), len(table["run"]))
        return all(np.array_equal(self.table[name][:n], column[:n]) for name, column in table.items())


def make_plan(campaign: Campaign) -> CampaignPlan:
    """The plan of a campaign; the same campaign gives the same plan."""
    return CampaignPlan(*sample(campaign))
