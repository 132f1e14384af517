"""What an estimator is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pelagos.messages import Actuation, Estimate, Reading, Truth


class Estimator(Protocol):
    """Readings in, motion out, once per control tick."""

    columns: tuple[str, ...]

    def start(self, truth: Truth) -> None:
        """Begin at a known place, as a vehicle that is started with a fix does; the truth is not seen again."""
        ...

    def update(self, time_s: float, arrived: Sequence[Reading], applied: Actuation) -> Estimate:
        """The motion now. `arrived`: every reading since the last call, in order; `applied`: the present demands."""
        ...

    def values(self) -> list[float]:
        """For the log, in the order of `columns`."""
        ...
