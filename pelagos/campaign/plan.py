"""The plan of a campaign: the exact values and the seed of every run, known before the first one starts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.sampling import sample
from pelagos.campaign.spec import Campaign


class Run(NamedTuple):
    """One run: its number, its seed, and the value of each varied key, as a scenario file would have it."""

    run: int
    seed: int
    values: dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """All runs of a campaign, as columns."""

    seeds: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]  # by varied key

    def __len__(self) -> int:
        return len(self.seeds)

    def run(self, number: int) -> Run:
        """One of them."""
        return Run(
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


def make_plan(campaign: Campaign) -> Plan:
    """The plan of a campaign; the same campaign gives the same plan."""
    return Plan(*sample(campaign))
