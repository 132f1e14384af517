"""Which values each run gets: a grid, random draws, a Latin hypercube, a Sobol sequence, or a design for sensitivity.

Everything follows from the campaign's seed and the number of the run. Of "random" and "sobol" the first runs are the
same however many there are, so that a campaign can be run on. Sobol and Latin hypercube are scipy.stats.qmc's (Owen's
scrambling), the designs of Morris and Saltelli are SALib's. A design comes in blocks: Morris of D + 1 runs, Saltelli of
D + 2 (2 D + 2 with `second_order`), D keys; as many whole blocks are made as `runs` has room for, of Saltelli's a power
of two.
"""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.draws import drawn, on_grid
from pelagos.campaign.spec import DESIGNS, SEED, Campaign
from pelagos.errors import MissingExtraError, ScenarioError

Array = NDArray[np.float64]
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
        expected = f"a {campaign.method} design of {wide} keys has blocks of {size} runs; expected at least {2 * size}"
        raise ScenarioError(campaign.file, "runs", runs, expected)
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
