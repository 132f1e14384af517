"""The plan of a campaign: values and seed of every run, by a sampling method or a design for sensitivity analysis.

Methods: grid, random draws, Latin hypercube, Sobol sequence, and the designs of Morris and Saltelli. All follow from
the seed of the campaign and the number of the run. The first runs of "random" and "sobol" do not depend on the number
of runs, so such a campaign can be extended. Sobol and Latin hypercube come from scipy.stats.qmc (Owen scrambling), the
designs from SALib. A design consists of blocks: D + 1 runs for Morris, D + 2 for Saltelli (2 D + 2 with
`second_order`), with D keys. `runs` is rounded down to whole blocks, for Saltelli to a power of two of them.

A point of the unit cube becomes a value of each key by the quantiles of its distribution.
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
LEAST = 2.0**-54  # in place of 0, whose normal quantile is infinite; generators return no smaller number
SEEDS = 2**53  # upper bound of the seeds: exact as a float64, and so in JSON
MORRIS_LEVELS = 4
POINTS_STREAM, SEEDS_STREAM = 0, 1  # separate random streams for points and for seeds of runs


class PlannedRun(NamedTuple):
    """A planned run: its number, its seed and the values of the varied keys."""

    run: int
    seed: int
    values: dict[str, Any]


@dataclass(frozen=True)
class CampaignPlan:
    """All planned runs of a campaign, as columns."""

    seeds: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]  # by varied key

    def __len__(self) -> int:
        return len(self.seeds)

    def run(self, number: int) -> PlannedRun:
        """Return one planned run."""
        return PlannedRun(
            number, int(self.seeds[number]), {key: column[number].item() for key, column in self.columns.items()}
        )

    @cached_property
    def table(self) -> dict[str, NDArray[Any]]:
        """The columns, with number and seed of the run first."""
        return {"run": np.arange(len(self), dtype=np.int64), "seed": self.seeds, **self.columns}

    def begins_like(self, table: dict[str, NDArray[Any]]) -> bool:
        """Return whether the runs in both plans are equal to the last bit."""
        if list(table) != list(self.table):
            return False
        n = min(len(self), len(table["run"]))
        return all(np.array_equal(self.table[name][:n], column[:n]) for name, column in table.items())


def make_plan(campaign: Campaign) -> CampaignPlan:
    """Return the plan of a campaign; equal campaigns have equal plans."""
    return CampaignPlan(*sample(campaign))


def values_at(vary: Vary, share: Array) -> NDArray[Any]:
    """Return the quantiles of a distribution at these shares: float64, int64, texts or booleans."""
    if vary.values:
        # a share of 1 belongs to the last value
        at = np.minimum((share * len(vary.values)).astype(np.int64), len(vary.values) - 1)
        return as_array(vary.values)[at]
    if vary.mean is not None and vary.sigma is not None:
        return _normal(vary, share)
    assert vary.low is not None and vary.high is not None
    if vary.is_whole:
        count = int(vary.high) - int(vary.low) + 1
        return int(vary.low) + np.minimum((share * count).astype(np.int64), count - 1)
    if vary.log:
        low, high = np.log(vary.low), np.log(vary.high)
        return np.clip(np.exp(low + share * (high - low)), vary.low, vary.high)  # rounding of exp may exceed the ends
    return np.clip(vary.low + share * (vary.high - vary.low), vary.low, vary.high)


def grid_points(vary: Vary) -> NDArray[Any]:
    """Return the points of a grid: the values, or evenly spaced ones; for a normal distribution equally probable."""
    if vary.values:
        return as_array(vary.values)
    points = vary.points or 1
    if vary.mean is not None or points == 1:
        return values_at(vary, (np.arange(points) + 0.5) / points)
    if vary.is_whole:
        assert vary.low is not None and vary.high is not None
        return np.unique(np.round(np.linspace(vary.low, vary.high, points)).astype(np.int64))
    return values_at(vary, np.linspace(0.0, 1.0, points))


def as_array(values: Sequence[int | float | bool | str]) -> NDArray[Any]:
    """Return a list of values as an array of their kind."""
    if isinstance(values[0], str):
        return np.array([str(value) for value in values])
    if isinstance(values[0], bool):
        return np.array(values, bool)
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if whole else np.float64)


def _normal(vary: Vary, share: Array) -> Array:
    """Return quantiles of a normal distribution, truncated at `low` and `high` if there are any."""
    from scipy.special import ndtr, ndtri

    assert vary.mean is not None and vary.sigma is not None
    below = ndtr((vary.low - vary.mean) / vary.sigma) if vary.low is not None else 0.0
    above = ndtr((vary.high - vary.mean) / vary.sigma) if vary.high is not None else 1.0
    inside = np.clip(below + share * (above - below), LEAST, 1.0 - LEAST / 2.0)
    value = vary.mean + vary.sigma * np.asarray(ndtri(inside), np.float64)
    low = -np.inf if vary.low is None else vary.low
    high = np.inf if vary.high is None else vary.high
    return np.clip(value, low, high)  # rounding may exceed the ends


def sample(campaign: Campaign) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Return the seed of each run and the values of each varied key."""
    if campaign.method == "grid":
        columns = _grid(campaign)
        n = len(next(iter(columns.values()))) if columns else 1
    else:
        share = shares(campaign)
        n = len(share)
        columns = {item.key: values_at(item, share[:, k]) for k, item in enumerate(campaign.vary)}
    if SEED in columns:
        return columns.pop(SEED).astype(np.int64), columns
    if SEED in campaign.set:
        return np.full(n, campaign.set[SEED], np.int64), columns
    # the runs of a block share a seed, so that they differ by the keys alone and not by noise
    size = _blocks(campaign)[1] if campaign.method in DESIGNS else 1
    seeds = np.random.default_rng([campaign.seed, SEEDS_STREAM]).integers(0, SEEDS, -(-n // size))
    return np.repeat(seeds, size)[:n], columns


def shares(campaign: Campaign) -> Array:
    """Return the points in the unit cube, one row per run; not for a grid."""
    runs, wide = campaign.runs or 1, len(campaign.vary)
    if campaign.method == "random":
        return np.random.default_rng([campaign.seed, POINTS_STREAM]).random((runs, wide))
    if campaign.method == "lhs":
        qmc = _package("scipy.stats.qmc", "scipy")
        return qmc.LatinHypercube(wide, rng=_generator(campaign)).random(runs)
    if campaign.method == "sobol":
        qmc = _package("scipy.stats.qmc", "scipy")
        whole = max(runs - 1, 0).bit_length()  # a Sobol sequence is balanced at powers of two; extra points are dropped
        return qmc.Sobol(wide, scramble=True, rng=_generator(campaign)).random_base2(whole)[:runs]
    blocks, size = _blocks(campaign)
    problem = {"num_vars": wide, "names": list(map(str, range(wide))), "bounds": [[0.0, 1.0]] * wide}
    seed = int(_generator(campaign).integers(1, 2**31))  # SALib treats a seed of 0 as no seed
    if campaign.method == "morris":
        made = _package("SALib.sample.morris", "SALib").sample(problem, blocks, num_levels=MORRIS_LEVELS, seed=seed)
    else:
        design = _package("SALib.sample.sobol", "SALib")
        made = design.sample(problem, blocks, calc_second_order=campaign.second_order, seed=seed)
    assert len(made) == blocks * size
    return np.asarray(made, np.float64)


def _blocks(campaign: Campaign) -> tuple[int, int]:
    """Return the number of blocks of a design, and the runs of a block."""
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
    """Return all combinations; the last key changes fastest."""
    axes = [grid_points(item) for item in campaign.vary]
    at = np.array(list(itertools.product(*(range(len(axis)) for axis in axes))), np.int64).reshape(-1, len(axes))
    return {item.key: axis[at[:, k]] for k, (item, axis) in enumerate(zip(campaign.vary, axes, strict=True))}


def _package(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(package, "a campaign", "campaign") from None
