"""What a simulation says of itself to a log: columns, their values now, and how it was made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Setpoint
from pelagos.sim import towing
from pelagos.sim.faults import Faults
from pelagos.sim.look import Look
from pelagos.sim.meta import meta_of
from pelagos.sim.ordered import Ordered
from pelagos.sim.sample import Sampler, columns
from pelagos.sim.sensing import Sensing
from pelagos.tether.line import Line
from pelagos.vehicle.plant import TERMS

NO_SETPOINT = Setpoint()


class Logged(Ordered):
    """The part of a simulation that is logged."""

    tether: Line | None
    sensing: Sensing | None
    faults: Faults | None
    _sampler: Sampler

    def look(self) -> Look:
        """Motion, forces and surroundings now."""
        raise NotImplementedError

    @property
    def held(self) -> Setpoint:
        """What the controller holds, if it says so."""
        held = getattr(self.controller, "setpoint", NO_SETPOINT)
        return held if isinstance(held, Setpoint) else NO_SETPOINT

    def sample_into(self, row: NDArray[np.float64]) -> None:
        """Write the values of `columns` now into a row."""
        at = self._sampler.width
        self._sampler.fill(row, self.look(), self.held)
        for part in self._extras():
            values = part()
            row[at : at + len(values)] = values
            at += len(values)

    def sample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Values of the columns now, and the wrench of each force term."""
        row = np.empty(len(self.columns()))
        self.sample_into(row)
        return row, self.look().forces

    def columns(self) -> tuple[str, ...]:
        """Names of the log's columns."""
        more: list[str] = []
        if self.tether:
            more += towing.TETHER_COLUMNS
        if self.sensing:
            more += self.sensing.columns
        if self.faults:
            more += self.faults.columns
        return (*columns(self.vehicle), *more, *getattr(self.controller, "columns", ()))

    def _extras(self) -> list[Callable[[], Any]]:
        """What fills the columns after the vehicle's own, in their order."""
        parts: list[Callable[[], Any]] = []
        if self.tether:
            parts.append(lambda: towing.tether_values(self.tether))  # type: ignore[arg-type]
        if self.sensing:
            parts.append(self.sensing.values)
        if self.faults:
            parts.append(self.faults.values)
        if getattr(self.controller, "columns", ()):
            parts.append(self.controller.values)  # type: ignore[attr-defined]
        return parts

    def terms(self) -> tuple[str, ...]:
        """Names of the force terms."""
        return TERMS

    def meta(self) -> dict[str, Any]:
        """How the run was made, every default spelled out."""
        return meta_of(self)  # type: ignore[arg-type]
