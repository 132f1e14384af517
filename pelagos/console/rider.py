"""What rides beside the page on a flight: links to other programs.

A rider is called in the thread of the simulation, between ticks, and never waits: its sockets belong to threads of its
own, which hand over the newest of what came and take the newest of what there is to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pelagos.sim.simulation import Simulation


class Afloat(Protocol):
    """What riders are shown: simulations of one world, in step. `Flight` is one, `links.voyage.Voyage` another."""

    @property
    def sims(self) -> Sequence[Simulation]:
        """The vehicles; the first is the one that is flown."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...


class Rider(Protocol):
    """A link that goes along. Any of its methods may raise: it is then closed and the flight goes on without it.

    One with an attribute `frozen` that is true has time stand still, as an exercise that is stopped does.
    """

    name: str

    def begin(self, afloat: Afloat) -> None:
        """The simulations are new: the start, or a reset."""
        ...

    def before(self, afloat: Afloat) -> None:
        """Before a tick: do what was asked for. One that steers needs a `Flight`, with its `input` and `order`."""
        ...

    def after(self, afloat: Afloat, events: Sequence[Mapping[str, Any]]) -> None:
        """After a tick, with what happened in it, each event with `time_s`, `kind` and `text`."""
        ...

    def idle(self, afloat: Afloat) -> None:
        """Time stands still (a pause): answer what has to be answered all the same."""
        ...

    def counts(self) -> Mapping[str, int]:
        """What came, went, and was dropped, and why; for the page and for the end of the program."""
        ...

    def close(self) -> None:
        """Say goodbye, close sockets and files; called once."""
        ...
