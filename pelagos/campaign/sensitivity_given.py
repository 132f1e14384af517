"""Influence from runs as they are: no special design, any distribution of the keys, 0/1 metrics too.

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
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Given(NamedTuple):
    """Indices by name, each (value, low, high) with one entry a key; floor of pawn; R2 of the rank regression."""

    indices: dict[str, tuple[Array, Array, Array]]
    floor: float
    explained: float


def given_indices(x: Array, y: Array, seed: int, resamples: int, confidence: float) -> Given:
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
    return Given(
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
