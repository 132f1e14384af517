"""Sensitivity of a metric to the varied keys: indices that fit the design of the campaign, with intervals.

| design | indices | meaning |
|---|---|---|
| saltelli | S1, ST (Sobol) | share of the variance a key explains alone, and with all its interactions |
| morris | mu_star, mu, sigma | mean absolute and mean change per range of the key; sigma: spread, from interactions |
| any other | pawn, S1, rank | from the given runs, without a special design |

Sobol: Saltelli et al. 2010, Comput. Phys. Commun. 181, 259-270 (estimators of S1 and ST). Morris: Campolongo et al.
2007, Environ. Model. Softw. 22, 1509-1518. SALib computes both, and their bootstrap intervals. A Saltelli design
consists of blocks (a row of A, a row of B, and A with one column of B at a time), a Morris design of trajectories. A
failed or missing run removes its block or trajectory; `used` is the number of runs left.

Indices from given data work for any distribution of the keys and for 0/1 metrics:

- `pawn`: shift of the distribution of the metric when a key is known. The key is divided into slices; each gives the
  largest difference between the cumulative distribution in the slice and that of all runs; `pawn` is their mean. It
  detects every kind of influence, also interactions.
- `S1`: share of the variance a key explains alone. By RBD-FAST; for a key of few values by the means at each value.
- `rank`: standardised rank regression coefficient, -1 to 1: sign and size of a monotone influence.

PAWN: Pianosi and Wagener 2018, Environ. Model. Softw. 108, 197-207. RBD-FAST: Tarantola et al. 2006, Reliab. Eng.
Syst. Saf. 91, 717-727, with the bias correction of Tissot and Prieur 2012, by SALib. Few values: the correlation ratio
with the correction of Kelley 1935 for the number of values. `pawn` has no interval but a floor: its 95 % quantile over
shuffled keys, which have no influence; a value below it may be chance. The others have intervals by resampling.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.sampling import MORRIS_LEVELS
from pelagos.errors import MissingExtraError

Array = NDArray[np.float64]
SHOWN_BY = "pawn"
FEW_VALUES = 12  # a key with at most so many different values is treated value by value
SLICES = 8
FEWEST_IN_SLICE = 8  # runs; with fewer runs there are fewer slices
FEWEST = 16  # runs, or blocks of a Saltelli design, for any index
FEWEST_TRAJECTORIES = 4
MOST_TOTAL = 1.5  # an estimate of ST, a share, may exceed 1 by chance up to this
SHUFFLES = 200  # for the floor: its 95 % quantile then rests on the ten largest


def salib(part: str) -> Any:
    """Import a module of SALib, or raise the error that names the extra to install."""
    try:
        return importlib.import_module(f"SALib.{part}")
    except ImportError:
        raise MissingExtraError("SALib", "the sensitivity of a campaign", "campaign") from None


class GivenDataIndices(NamedTuple):
    """Indices from given data: by name (value, low, high) with one entry per key; floor of pawn; R2 of the ranks."""

    indices: dict[str, tuple[Array, Array, Array]]
    floor: float
    explained: float


def given_data_indices(x: Array, y: Array, seed: int, resamples: int, confidence: float) -> GivenDataIndices:
    """Return all indices of one metric from given data; rows are finished runs."""
    rng = np.random.default_rng(seed)
    wide = x.shape[1]
    unknown = np.full(wide, np.nan)
    pawn_values = np.array([pawn(slices(x[:, k]), y) for k in range(wide)])
    first_orders = [first_order(x[:, k], y, rng, resamples, confidence) for k in range(wide)]
    rank, explained = rank_regression(x, y)
    draws = rng.integers(len(y), size=(resamples, len(y)))
    spread = np.array([rank_regression(x[rows], y[rows])[0] for rows in draws])
    low, high = _ends(spread, confidence)
    return GivenDataIndices(
        {
            "pawn": (pawn_values, unknown, unknown),
            "S1": (
                np.array([f[0] for f in first_orders]),
                np.array([f[1] for f in first_orders]),
                np.array([f[2] for f in first_orders]),
            ),
            "rank": (rank, low, high),
        },
        pawn_floor(len(y), x, y, rng),
        explained,
    )


def slices(column: Array) -> NDArray[np.int64]:
    """Return the slice of each run: one per value if there are few values, else equally filled ones."""
    values, at = np.unique(column, return_inverse=True)
    if len(values) <= FEW_VALUES:
        return at.astype(np.int64)
    count = min(SLICES, max(2, len(column) // FEWEST_IN_SLICE))
    rank = np.empty(len(column), np.int64)
    # a stable sort leaves equal values in the order of the runs, so that the result is reproducible
    rank[np.argsort(column, kind="stable")] = np.arange(len(column))
    return rank * count // len(column)


def pawn(part: NDArray[np.int64], y: Array) -> float:
    """Return the mean over slices of the largest difference of cumulative distributions, slice against all runs."""
    order = np.argsort(y, kind="stable")
    last = np.append(np.flatnonzero(np.diff(y[order])), len(y) - 1)  # steps of the distribution: last of equal values
    inside = part[order][:, None] == np.arange(part.max() + 1)
    below = np.cumsum(inside, axis=0)[last] / np.maximum(inside.sum(axis=0), 1)
    whole = (last + 1.0)[:, None] / len(y)
    return float(np.abs(below - whole).max(axis=0).mean())


def pawn_floor(runs: int, x: Array, y: Array, rng: np.random.Generator) -> float:
    """Return what pawn reaches by chance: its 95 % quantile over shuffles of the key with most slices."""
    parts = [slices(x[:, k]) for k in range(x.shape[1])]
    part = max(parts, key=lambda part_of_key: int(part_of_key.max()))
    return float(np.quantile([pawn(rng.permutation(part), y) for _ in range(SHUFFLES)], 0.95)) if runs else 0.0


def first_order(
    column: Array, y: Array, rng: np.random.Generator, resamples: int, confidence: float
) -> tuple[float, float, float]:
    """Return the share of the variance one key explains alone, with its interval."""
    if len(np.unique(column)) <= FEW_VALUES:
        value = explained_by_values(column, y)
        draws = rng.integers(len(y), size=(resamples, len(y)))
        low, high = _ends(np.array([explained_by_values(column[rows], y[rows]) for rows in draws]), confidence)
        return value, float(low), float(high)
    # 10 harmonics if there are enough runs: the bias to correct is 2 M / N for M harmonics and N runs
    harmonics = int(min(10, max(3, len(y) // 20)))
    value = _rbd_fast(column, y, harmonics)
    # Halves without replacement: repeated runs would be neighbours along the key and imitate an influence. The spread
    # over halves estimates that of the whole (delete-half jackknife, Shao and Wu 1989).
    halves = [rng.permutation(len(y))[: len(y) // 2] for _ in range(resamples)]
    values = np.array([_rbd_fast(column[rows], y[rows], harmonics) for rows in halves if np.ptp(y[rows]) > 0.0])
    half = _two_sided(confidence) * float(values.std(ddof=1)) if len(values) > resamples // 2 else np.nan
    return value, value - half, value + half


def _rbd_fast(column: Array, y: Array, harmonics: int) -> float:
    parts = salib("analyze.rbd_fast")
    skewed = parts.compute_first_order(parts.permute_outputs(column, y), harmonics)
    return float(parts.unskew_S1(skewed, harmonics, len(y)))


def _two_sided(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2.0))


def explained_by_values(column: Array, y: Array) -> float:
    """Return 1 - (variance within the values of the key) / (variance of all), each per degree of freedom."""
    values, at = np.unique(column, return_inverse=True)
    if len(values) >= len(y) or np.ptp(y) == 0.0:
        return 0.0
    mean = np.bincount(at, y) / np.bincount(at)
    within = float(((y - mean[at]) ** 2).sum()) / (len(y) - len(values))
    return 1.0 - within / float(y.var(ddof=1))


def rank_regression(x: Array, y: Array) -> tuple[Array, float]:
    """Return standardised coefficients of a regression of ranks on ranks, and the share of variance explained."""
    from scipy.stats import rankdata

    ranks = np.asarray(rankdata(np.column_stack([x, y]), axis=0), float)
    ranks -= ranks.mean(axis=0)
    size = ranks.std(axis=0)
    scaled = ranks / np.where(size > 0.0, size, 1.0)
    solved = np.linalg.lstsq(scaled[:, :-1], scaled[:, -1], rcond=None)[0]
    left = scaled[:, -1] - scaled[:, :-1] @ solved
    return solved, 1.0 - float(left.var() / max(scaled[:, -1].var(), 1e-300))  # no division by zero


def _ends(spread: Array, confidence: float) -> Any:
    return np.quantile(spread, [0.5 - confidence / 2.0, 0.5 + confidence / 2.0], axis=0)


@dataclass(frozen=True)
class Estimates:
    """Estimates of one index for all keys.

    Attributes:
        value: the estimate.
        low: lower end of its interval; NaN where it has none.
        high: upper end of its interval.
    """

    value: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Sensitivity:
    """The sensitivity of one metric to the keys of a campaign.

    Attributes:
        method: "sobol", "morris" or "given".
        keys: the varied keys, as in the plan.
        used: number of runs used.
        indices: estimates by the name of the index.
        rank_by: the index that orders the keys.
        floor: value of `rank_by` that a key without influence exceeds in 1 of 20 cases; NaN if unknown.
        explained: share of the variance of the ranks that a linear regression explains; NaN if not computed.
        of_ranks: whether the indices use the ranks of the metric, because few runs hold most of its variance.
        reason: why there are no indices; empty if there are.
    """

    method: str
    keys: tuple[str, ...]
    used: int
    indices: dict[str, Estimates] = field(default_factory=dict[str, Estimates])
    rank_by: str = ""
    floor: float = float("nan")
    explained: float = float("nan")
    of_ranks: bool = False
    reason: str = ""

    @property
    def order(self) -> tuple[str, ...]:
        """The keys, the most influential first; in the order of the plan if there are no indices.

        Keys below the floor come last, ordered by S1, because `rank_by` does not distinguish them.
        """
        if not self.indices:
            return self.keys
        size = np.nan_to_num(self.indices[self.rank_by].value, nan=-np.inf)
        if np.isfinite(self.floor):
            below = np.nan_to_num(self.indices["S1"].value, nan=0.0)
            return tuple(self.keys[k] for k in np.lexsort((-below, -np.where(size > self.floor, size, 0.0))))
        return tuple(self.keys[k] for k in np.argsort(-size, kind="stable"))


def sensitivity(
    design: str,
    keys: Sequence[str],
    x: Array,
    y: Array,
    *,
    seed: int = 1,
    resamples: int = 200,
    confidence: float = 0.95,
) -> Sensitivity:
    """Return the indices of one metric.

    Args:
        design: the campaign's method: "saltelli", "morris" or any other.
        keys: names of the columns of x.
        x: the whole plan, one row per run in its order, one column per key.
        y: the metric of every row; NaN where the run failed or is missing.
        seed: of the bootstrap; equal seeds give equal reports.
        resamples: of the bootstrap.
        confidence: of the intervals.
    """
    names, known = tuple(keys), y[np.isfinite(y)]
    if not names:
        return Sensitivity(design, names, len(known), reason="nothing but the seed was varied")
    if not len(known):
        return Sensitivity(design, names, 0, reason="no run has a value")
    if np.ptp(known) == 0.0:
        return Sensitivity(design, names, len(known), reason=f"it is {known[0]:.6g} in every run")
    analyse = {"saltelli": _sobol, "morris": _morris}.get(design, _given_data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SALib warns of constant resamples, whose index is 0
        return analyse(names, x, y, seed + 1, resamples, confidence)  # SALib treats a seed of 0 as no seed


def saltelli_step(x: Array) -> int:
    """Return the rows of a block of a Saltelli design, D + 2 or 2 D + 2 (second order); 0 if it is no such design.

    The values show which it is: row k of a block equals the first row except for column k.
    """
    rows, wide = x.shape
    for step in (2 * wide + 2, wide + 2):
        if rows >= step and rows % step == 0 and _are_blocks(x.reshape(-1, step, wide)):
            return step
    return 0


def _are_blocks(blocks: NDArray[np.float64]) -> bool:
    """Return whether each block is A, A with one column of B each, B with one column of A each (second order), B."""
    _, step, wide = blocks.shape
    first, last = blocks[:, 0], blocks[:, -1]
    mixed = [(first, last)] if step == wide + 2 else [(first, last), (last, first)]
    for n, (base, other) in enumerate(mixed):
        for k in range(wide):
            expected = base.copy()
            expected[:, k] = other[:, k]
            if not np.array_equal(blocks[:, 1 + n * wide + k], expected):
                return False
    return True


def base_rows(design: str, x: Array) -> NDArray[np.bool_]:
    """Return the mask of rows that are independent draws: all, or those of A and B in a Saltelli design."""
    chosen = np.ones(len(x), bool)
    step = saltelli_step(x) if design == "saltelli" else 0
    if step:
        chosen[:] = False
        chosen[::step] = chosen[step - 1 :: step] = True
    return chosen


def _problem(names: tuple[str, ...]) -> dict[str, object]:
    # the analyses ignore the bounds; only the samplers use them
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _complete_blocks(y: Array, step: int) -> NDArray[np.bool_]:
    """Return the mask of blocks of `step` rows without a missing value."""
    return np.asarray(np.isfinite(y.reshape(-1, step)).all(axis=1), bool)


def _sobol(names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Sensitivity:
    step = saltelli_step(x)
    if not step:
        return Sensitivity("sobol", names, 0, reason="the plan is no Saltelli design")
    complete = _complete_blocks(y, step)
    if complete.sum() < FEWEST:
        few = f"{complete.sum()} whole blocks of the design are finished; Sobol indices need at least {FEWEST}"
        return Sensitivity("sobol", names, 0, reason=few)
    used = y.reshape(-1, step)[complete].ravel()
    second = step == 2 * len(names) + 2

    def analyse(values: Array) -> dict[str, Estimates]:
        analysis = salib("analyze.sobol").analyze(_problem(names), values, second, resamples, confidence, seed=seed)
        return {name: _interval_around(analysis[name], analysis[f"{name}_conf"]) for name in ("ST", "S1")}

    indices = analyse(used)
    total = indices["ST"]
    # A total index is a share. If its interval is wider than 1 or it is far above 1, few runs hold most of the variance
    # and the index is meaningless; that of the ranks is robust.
    of_ranks = bool(np.any(total.high - total.low > 1.0) or np.any(total.value > MOST_TOTAL))
    if of_ranks:
        from scipy.stats import rankdata

        indices = analyse(np.asarray(rankdata(used), float))
    return Sensitivity("sobol", names, len(used), indices, "ST", of_ranks=of_ranks)


def _morris(names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Sensitivity:
    step = len(names) + 1
    if len(y) % step:
        return Sensitivity("morris", names, 0, reason="the plan is no Morris design")
    complete = _complete_blocks(y, step)
    if complete.sum() < FEWEST_TRAJECTORIES:
        few = f"{complete.sum()} trajectories are finished; Morris' method needs at least {FEWEST_TRAJECTORIES}"
        return Sensitivity("morris", names, 0, reason=few)
    rows = np.repeat(complete, step)
    analysis = salib("analyze.morris").analyze(
        _problem(names), x[rows], y[rows], resamples, confidence, num_levels=MORRIS_LEVELS, seed=seed
    )
    star, none = np.asarray(analysis["mu_star"], float), np.full(len(names), np.nan)
    indices = {
        "mu_star": _interval_around(star, analysis["mu_star_conf"]),
        "mu": Estimates(np.asarray(analysis["mu"], float), none, none),
        "sigma": Estimates(np.asarray(analysis["sigma"], float), none, none),
    }
    return Sensitivity("morris", names, int(rows.sum()), indices, "mu_star")


def _given_data(
    names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float
) -> Sensitivity:
    rows = np.isfinite(y)
    if rows.sum() < FEWEST:
        return Sensitivity("given", names, 0, reason=f"{rows.sum()} runs are finished; at least {FEWEST} are needed")
    result = given_data_indices(x[rows], y[rows], seed, resamples, confidence)
    indices = {name: Estimates(*estimate) for name, estimate in result.indices.items()}
    return Sensitivity("given", names, int(rows.sum()), indices, SHOWN_BY, result.floor, result.explained)


def _interval_around(value: object, half: object) -> Estimates:
    middle, width = np.asarray(value, float), np.asarray(half, float)
    return Estimates(middle, middle - width, middle + width)
