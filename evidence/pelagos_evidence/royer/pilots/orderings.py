"""Exact tests of whether one group of attempts is worse than another, with medians."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pelagos_evidence.royer.pilots.experiments import PilotFlight

LEVEL = 0.01  # of chance: some fifteen comparisons are made; above, an ordering may be luck


@dataclass(frozen=True)
class Comparison:
    """Errors of two groups of attempts; paired if two attempts share all but the condition."""

    worse: tuple[float, ...]
    better: tuple[float, ...]
    paired: bool = False

    @property
    def medians(self) -> tuple[float, float]:
        """Medians of the condition claimed to be worse and of the other."""
        return float(np.median(self.worse)), float(np.median(self.better))

    @property
    def ratio(self) -> float:
        """Ratio of the medians."""
        worse, better = self.medians
        return worse / better if better > 0.0 else float("inf")

    @property
    def chance(self) -> float:
        """Probability that randomly dealt labels make the first group at least as bad: exact, one-sided."""
        return (sign_chance if self.paired else rank_sum_chance)(self.worse, self.better)

    @property
    def holds(self) -> bool:
        """Whether the first group is significantly worse."""
        return self.ratio > 1.0 and self.chance < LEVEL

    @property
    def contradicted(self) -> bool:
        """Whether the first group is significantly better."""
        turned = Comparison(self.better, self.worse, self.paired)
        return turned.holds

    def words(self, unit: str = "m", digits: int = 2) -> str:
        """Both medians, their ratio, the chance."""
        worse, better = self.medians
        return (
            f"{worse:.{digits}f} against {better:.{digits}f} {unit} (medians of {len(self.worse)} and "
            f"{len(self.better)} attempts), ratio {self.ratio:.2f}, chance {self.chance:.2g}"
        )

    def numbers(self) -> dict[str, float]:
        """The comparison as numbers."""
        worse, better = self.medians
        return {"worse": worse, "better": better, "ratio": self.ratio, "chance": self.chance}


def rank_sum_chance(high: Sequence[float], low: Sequence[float]) -> float:
    """Share of all ways to deal the labels in which the rank sum of the first group is at least what it is.

    The test of Wilcoxon, Mann and Whitney.
    """
    twice = _twice_ranks([*high, *low])
    ways = np.zeros((len(high) + 1, sum(twice) + 1))  # to choose so many with such a sum
    ways[0, 0] = 1.0
    for rank in twice:
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    return float(ways[-1, sum(twice[: len(high)]) :].sum() / ways[-1].sum())


def sign_chance(high: Sequence[float], low: Sequence[float]) -> float:
    """Share of all ways to exchange the two of a pair in which the ranks of what grows sum up to what they do.

    Wilcoxon's test of pairs.
    """
    differences = np.subtract(high, low)
    twice = _twice_ranks(np.abs(differences).tolist())
    ways = np.zeros(sum(twice) + 1)  # with such a sum
    ways[0] = 1.0
    for rank in twice:
        ways[rank:] += ways[: len(ways) - rank].copy()
    grown = sum(rank for rank, difference in zip(twice, differences, strict=True) if difference > 0.0)
    return float(ways[grown:].sum() / ways.sum())


def _twice_ranks(values: Sequence[float]) -> list[int]:
    """Ranks, twice: whole numbers where some are equal."""
    every = np.array(values)
    return [int(2 * (every < v).sum() + (every == v).sum() + 1) for v in every]


def compared(
    worse: Sequence[PilotFlight],
    better: Sequence[PilotFlight],
    of: Callable[[PilotFlight], float] = lambda flight: flight.size_m,
    *,
    paired: bool = False,
) -> Comparison:
    """Two groups of flights by a size of each; by default the rms of distance or path error."""
    return Comparison(tuple(map(of, worse)), tuple(map(of, better)), paired)
