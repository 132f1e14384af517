"""Which of the varied keys a metric depends on: indices that fit the design of the campaign, with intervals.

| design | indices | what they say |
|---|---|---|
| saltelli | S1, ST (Sobol) | share of the variance a key explains alone, and with all its interactions |
| morris | mu_star, mu, sigma | mean size of the change per range of the key; sigma: it depends on others |
| any other | indices from given data | from the runs as they are |

Sobol: Saltelli et al. 2010, Comput. Phys. Commun. 181, 259-270 (estimators of S1 and ST); Morris: Campolongo et al.
2007, Environ. Model. Softw. 22, 1509-1518. Both are those of SALib; intervals are its bootstraps.

A Saltelli design comes in blocks (one row of A, one of B, and A with one column of B at a time), a Morris design in
trajectories. A run that failed or is still missing takes its block or trajectory out, and the number left is told.

Influence from runs as they are: no special design, any distribution of the keys, 0/1 metrics too.

- `pawn`: how far the distribution of the metric moves when a key is known. The key is cut into slices; in each the
  largest gap between the cumulative distribution there and that of all runs; the mean of the gaps. It sees every
  kind of influence, interactions too.
- `S1`: share of the variance that a key explains alone. By RBD-FAST; for a key of few values by the means at each.
- `rank`: standardised rank regression coefficient, -1 to 1: sign and size of a monotone influence.

PAWN: Pianosi and Wagener 2018, Environ. Model. Softw. 108, 197-207. RBD-FAST: Tarantola et al. 2006, Reliab. Eng.
Syst. Saf. 91, 717-727, with the bias correction of Tissot and Prieur 2012, by SALib. Few values: the correlation ratio
with the correction of Kelley 1935 for the number of values. `pawn` has no interval but a floor: its 95 % point over
shuffled keys, which have no influence; what lies below it cannot be told from chance. The others have intervals by
resampling.
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
FEW_VALUES = 12  # a key with so many or fewer different values is taken value by value
SLICES = 8
FEWEST_IN_SLICE = 8  # runs; with fewer runs there are fewer slices
SHUFFLES = 200  # for the floor: its 95 % point then rests on the ten largest


def salib(part: str) -> Any:
    """A module of SALib, or the sentence that says how to get it."""
    try:
        return importlib.import_module(f"SALib.{part}")
    except ImportError:
        raise MissingExtraError("SALib", "the sensitivity of a campaign", "campaign") from None


class GivenDataIndices(NamedTuple):
    """Indices by name, each (value, low, high) with one entry a key; floor of pawn; R2 of the rank regression."""

    indices: dict[str, tuple[Array, Array, Array]]
    floor: float
    explained: float


def given_indices(x: Array, y: Array, seed: int, resamples: int, confidence: float) -> GivenDataIndices:
    """All indices of one metric; rows are finished runs."""
    rng = np.random.default_rng(seed)
    wide = x.shape[1]
    none = np.full(wide, np.nan)
    pawn_values = np.array([pawn(slices(x[:, k]), y) for k in range(wide)])
    first = [first_order(x[:, k], y, rng, resamples, confidence) for k in range(wide)]
    rank, explained = rank_regression(x, y)
    draws = rng.integers(len(y), size=(resamples, len(y)))
    spread = np.array([rank_regression(x[rows], y[rows])[0] for rows in draws])
    low, high = _ends(spread, confidence)
    return GivenDataIndices(
        {
            "pawn": (pawn_values, none, none),
            "S1": (np.array([f[0] for f in first]), np.array([f[1] for f in first]), np.array([f[2] for f in first])),
            "rank": (rank, low, high),
        },
        pawn_floor(len(y), x, y, rng),
        explained,
    )


def slices(column: Array) -> NDArray[np.int64]:
    """The slice each run is in: one a value if there are few of them, else equally full ones."""
    values, at = np.unique(column, return_inverse=True)
    if len(values) <= FEW_VALUES:
        return at.astype(np.int64)
    count = min(SLICES, max(2, len(column) // FEWEST_IN_SLICE))
    rank = np.empty(len(column), np.int64)
    rank[np.argsort(column, kind="stable")] = np.arange(len(column))
    return rank * count // len(column)


def pawn(part: NDArray[np.int64], y: Array) -> float:
    """Mean over slices of the largest gap between the distribution in a slice and that of all runs."""
    order = np.argsort(y, kind="stable")
    last = np.append(np.flatnonzero(np.diff(y[order])), len(y) - 1)  # steps of the distribution: last of equal values
    inside = part[order][:, None] == np.arange(part.max() + 1)
    below = np.cumsum(inside, axis=0)[last] / np.maximum(inside.sum(axis=0), 1)
    whole = (last + 1.0)[:, None] / len(y)
    return float(np.abs(below - whole).max(axis=0).mean())


def pawn_floor(runs: int, x: Array, y: Array, rng: np.random.Generator) -> float:
    """What pawn reaches by chance: its 95 % point over shuffles of the key with the most slices, the noisiest."""
    parts = [slices(x[:, k]) for k in range(x.shape[1])]
    part = max(parts, key=lambda one: int(one.max()))
    return float(np.quantile([pawn(rng.permutation(part), y) for _ in range(SHUFFLES)], 0.95)) if runs else 0.0


def first_order(
    column: Array, y: Array, rng: np.random.Generator, resamples: int, confidence: float
) -> tuple[float, float, float]:
    """Share of the variance explained by one key alone, with its interval."""
    if len(np.unique(column)) <= FEW_VALUES:
        value = explained_by_values(column, y)
        draws = rng.integers(len(y), size=(resamples, len(y)))
        low, high = _ends(np.array([explained_by_values(column[rows], y[rows]) for rows in draws]), confidence)
        return value, float(low), float(high)
    # harmonics: 10 where there are runs for them; the correction for bias takes out 2 M / N
    harmonics = int(min(10, max(3, len(y) // 20)))
    value = _rbd_fast(column, y, harmonics)
    # Halves without replacement: equal runs would lie side by side along the key and look like an influence. The spread
    # over halves is that of the whole (delete-half jackknife, Shao and Wu 1989).
    halves = [rng.permutation(len(y))[: len(y) // 2] for _ in range(resamples)]
    found = np.array([_rbd_fast(column[rows], y[rows], harmonics) for rows in halves if np.ptp(y[rows]) > 0.0])
    half = _two_sided(confidence) * float(found.std(ddof=1)) if len(found) > resamples // 2 else np.nan
    return value, value - half, value + half


def _rbd_fast(column: Array, y: Array, harmonics: int) -> float:
    parts = salib("analyze.rbd_fast")
    found = parts.compute_first_order(parts.permute_outputs(column, y), harmonics)
    return float(parts.unskew_S1(found, harmonics, len(y)))


def _two_sided(confidence: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2.0))


def explained_by_values(column: Array, y: Array) -> float:
    """1 - (variance within the values of the key) / (variance of all), each per its degrees of freedom."""
    values, at = np.unique(column, return_inverse=True)
    if len(values) >= len(y) or np.ptp(y) == 0.0:
        return 0.0
    mean = np.bincount(at, y) / np.bincount(at)
    within = float(((y - mean[at]) ** 2).sum()) / (len(y) - len(values))
    return 1.0 - within / float(y.var(ddof=1))


def rank_regression(x: Array, y: Array) -> tuple[Array, float]:
    """Standardised coefficients of ranks on ranks, and the share of the variance they explain."""
    from scipy.stats import rankdata

    ranks = np.asarray(rankdata(np.column_stack([x, y]), axis=0), float)
    ranks -= ranks.mean(axis=0)
    size = ranks.std(axis=0)
    scaled = ranks / np.where(size > 0.0, size, 1.0)
    solved = np.linalg.lstsq(scaled[:, :-1], scaled[:, -1], rcond=None)[0]
    left = scaled[:, -1] - scaled[:, :-1] @ solved
    return solved, 1.0 - float(left.var() / max(scaled[:, -1].var(), 1e-300))


def _ends(spread: Array, confidence: float) -> Any:
    return np.quantile(spread, [0.5 - confidence / 2.0, 0.5 + confidence / 2.0], axis=0)


# ---- sensitivity -----------------------------------------------------------------------------------------------------


FEWEST = 16  # runs, or blocks of a design; fewer say nothing of several keys
FEWEST_TRAJECTORIES = 4
MOST_TOTAL = 1.5  # of an estimate of a share that chance explains


@dataclass(frozen=True)
class Estimates:
    """One index of every key.

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
    """What the keys of a campaign do to one metric.

    Attributes:
        method: "sobol", "morris" or "given".
        keys: the varied keys, as in the plan.
        used: runs the numbers are made of.
        indices: estimates by the name of the index.
        rank_by: the index that says which key matters most.
        floor: what `rank_by` reaches by chance in 19 of 20 cases where a key has no influence; NaN if not known.
        explained: share of the variance of the ranks that a straight line explains; NaN if not asked.
        of_ranks: whether the indices are those of the metric's ranks, as single runs hold most of its variance.
        reason: why there are no indices, in words; empty if there are.
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
        """The keys, the most influential one first; as in the plan if nothing is known.

        What lies below the floor cannot be told apart by `rank_by`: those come last, by S1.
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
    """The indices of one metric.

    Args:
        design: the campaign's method: "saltelli", "morris" or any other.
        keys: names of the columns of x.
        x: the whole plan, one row a run in its order, one column a key.
        y: the metric of every row; NaN where the run failed or is missing.
        seed: of the bootstrap, so that a report is the same twice.
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
    made = {"saltelli": _sobol, "morris": _morris}.get(design, _given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SALib warns of resamples without a change; such an index is 0, as it says
        return made(names, x, y, seed + 1, resamples, confidence)  # SALib takes a seed of 0 for none


def saltelli_step(x: Array) -> int:
    """Rows of a block of a Saltelli design: D + 2, or 2 D + 2 with rows for second-order indices; 0 if it is none.

    The plan does not say which it is, but shows it: row k of a block is the first row but for column k.
    """
    rows, wide = x.shape
    for step in (2 * wide + 2, wide + 2):
        if rows >= step and rows % step == 0 and _are_blocks(x.reshape(-1, step, wide)):
            return step
    return 0


def _are_blocks(blocks: NDArray[np.float64]) -> bool:
    """Whether the rows of each are A, A with one column of B at a time, perhaps B with one of A at a time, B."""
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
    """Rows that are independent draws of the keys: all, but of a Saltelli design only those of A and B."""
    chosen = np.ones(len(x), bool)
    step = saltelli_step(x) if design == "saltelli" else 0
    if step:
        chosen[:] = False
        chosen[::step] = chosen[step - 1 :: step] = True
    return chosen


def _problem(names: tuple[str, ...]) -> dict[str, object]:
    # bounds are not looked at by the analyses, only by the samplers
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def _whole(y: Array, step: int) -> NDArray[np.bool_]:
    """Blocks of `step` rows without a gap, as a mask of blocks."""
    return np.asarray(np.isfinite(y.reshape(-1, step)).all(axis=1), bool)


def _sobol(names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Sensitivity:
    step = saltelli_step(x)
    if not step:
        return Sensitivity("sobol", names, 0, reason="the plan is no Saltelli design")
    whole = _whole(y, step)
    if whole.sum() < FEWEST:
        few = f"{whole.sum()} whole blocks of the design are finished; Sobol indices need at least {FEWEST}"
        return Sensitivity("sobol", names, 0, reason=few)
    used = y.reshape(-1, step)[whole].ravel()
    second = step == 2 * len(names) + 2

    def made(values: Array) -> dict[str, Estimates]:
        found = salib("analyze.sobol").analyze(_problem(names), values, second, resamples, confidence, seed=seed)
        return {name: _around(found[name], found[f"{name}_conf"]) for name in ("ST", "S1")}

    indices = made(used)
    total = indices["ST"]
    # A total index is a share. Where its interval is as wide as all there is, or it is far above 1, few runs hold most
    # of the variance and it says nothing; of ranks it does.
    of_ranks = bool(np.any(total.high - total.low > 1.0) or np.any(total.value > MOST_TOTAL))
    if of_ranks:
        from scipy.stats import rankdata

        indices = made(np.asarray(rankdata(used), float))
    return Sensitivity("sobol", names, len(used), indices, "ST", of_ranks=of_ranks)


def _morris(names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Sensitivity:
    step = len(names) + 1
    if len(y) % step:
        return Sensitivity("morris", names, 0, reason="the plan is no Morris design")
    whole = _whole(y, step)
    if whole.sum() < FEWEST_TRAJECTORIES:
        few = f"{whole.sum()} trajectories are finished; Morris' method needs at least {FEWEST_TRAJECTORIES}"
        return Sensitivity("morris", names, 0, reason=few)
    rows = np.repeat(whole, step)
    found = salib("analyze.morris").analyze(
        _problem(names), x[rows], y[rows], resamples, confidence, num_levels=MORRIS_LEVELS, seed=seed
    )
    star, none = np.asarray(found["mu_star"], float), np.full(len(names), np.nan)
    made = {
        "mu_star": _around(star, found["mu_star_conf"]),
        "mu": Estimates(np.asarray(found["mu"], float), none, none),
        "sigma": Estimates(np.asarray(found["sigma"], float), none, none),
    }
    return Sensitivity("morris", names, int(rows.sum()), made, "mu_star")


def _given(names: tuple[str, ...], x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Sensitivity:
    rows = np.isfinite(y)
    if rows.sum() < FEWEST:
        return Sensitivity("given", names, 0, reason=f"{rows.sum()} runs are finished; at least {FEWEST} are needed")
    found = given_indices(x[rows], y[rows], seed, resamples, confidence)
    made = {name: Estimates(*estimate) for name, estimate in found.indices.items()}
    return Sensitivity("given", names, int(rows.sum()), made, SHOWN_BY, found.floor, found.explained)


def _around(value: object, half: object) -> Estimates:
    middle, width = np.asarray(value, float), np.asarray(half, float)
    return Estimates(middle, middle - width, middle + width)
