"""The links of a flight, called in turn so that none of them can end it.

A link that raises is closed, told of and left out from then on; so is one that holds up the flight, each of its calls
longer than LONGEST_S, MOST_LONG times in a row (once is an accident of the machine). What links say in threads of
their own waits here until the thread of the simulation passes it on. All but `say` belongs to that thread.

What rides beside the page on a flight: links to other programs.

A link is called in the thread of the simulation, between ticks, and never waits: its sockets belong to threads of its
own, which hand over the newest of what came and take the newest of what there is to say.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from pelagos.errors import PelagosError
from pelagos.sim.simulation import Simulation


class LinkedSession(Protocol):
    """What links are shown: simulations of one world, in step. `Flight` is one, `session.lockstep.LockstepDriver`
    another."""

    @property
    def sims(self) -> Sequence[Simulation]:
        """The vehicles; the first is the one that is flown."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...


class Link(Protocol):
    """A link that goes along. Any of its methods may raise: it is then closed and the flight goes on without it.

    One with an attribute `frozen` that is true has time stand still, as an exercise that is stopped does.
    """

    name: str

    def begin(self, session: LinkedSession) -> None:
        """The simulations are new: the start, or a reset."""
        ...

    def before(self, session: LinkedSession) -> None:
        """Before a tick: do what was asked for. One that steers needs a `Flight`, with its `input` and `order`."""
        ...

    def after(self, session: LinkedSession, events: Sequence[Mapping[str, Any]]) -> None:
        """After a tick, with what happened in it, each event with `time_s`, `kind` and `text`."""
        ...

    def idle(self, session: LinkedSession) -> None:
        """Time stands still (a pause): answer what has to be answered all the same."""
        ...

    def counts(self) -> Mapping[str, int]:
        """What came, went, and was dropped, and why; for the page and for the end of the program."""
        ...

    def close(self) -> None:
        """Say goodbye, close sockets and files; called once."""
        ...


# ---- riding ----------------------------------------------------------------------------------------------------------


LONGEST_S = 0.1
MOST_LONG = 8
MOST_SAYINGS = 100  # that wait; older ones are forgotten
MOST_NEWS = 1000  # events that wait for the end of a tick
REPORT_S = 1.0  # between two reports of counts

_log = logging.getLogger("pelagos.console")


class LinkSet:
    """Those that ride along.

    Args:
        links: in the order in which they are called.
        tell: gets a sentence when one was dropped or has something to say, in the thread of the simulation.
        clock: seconds, to see how long calls take.

    dropped  why links were dropped, by name
    """

    def __init__(
        self,
        links: Iterable[Link] = (),
        tell: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._links: list[Link] = []
        self._names: list[str] = []  # of all that ever rode
        for link in links:
            self.add(link)
        self.tell: Callable[[str], None] = tell or (lambda text: None)
        self._clock = clock
        self._sayings: deque[str] = deque(maxlen=MOST_SAYINGS)
        self._news: deque[Mapping[str, Any]] = deque(maxlen=MOST_NEWS)
        self._long: dict[tuple[str, str], int] = {}  # link and call: how often in a row it took too long
        self._last: dict[str, dict[str, int]] = {}  # counts of those that are gone
        self.dropped: dict[str, str] = {}
        self._report_s = -math.inf

    def __len__(self) -> int:
        return len(self._links)

    @property
    def names(self) -> tuple[str, ...]:
        """Of those that still ride."""
        return tuple(link.name for link in self._links)

    def add(self, link: Link) -> None:
        """One more; before the first `begin`."""
        self._links.append(link)
        self._names.append(link.name)

    def say(self, text: str) -> None:
        """A sentence for whoever listens. Any thread may call it."""
        self._sayings.append(text)

    @property
    def frozen(self) -> bool:
        """Whether one of them has time stand still: an exercise that is stopped."""
        return any(getattr(link, "frozen", False) for link in self._links)

    # ---- in the thread of the simulation ---------------------------------------------------------------------------

    def begin(self, session: LinkedSession) -> None:
        """The simulations are new; a link may take its time."""
        self._news.clear()
        self._each("begin", lambda link: link.begin(session), timed=False)

    def note(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Keep events for the next `after`: those of orders come between ticks."""
        if self._links:
            self._news.extend(event for event in events if "kind" in event)

    def before(self, session: LinkedSession) -> None:
        """Before a tick."""
        self._each("before", lambda link: link.before(session))

    def after(self, session: LinkedSession, events: Sequence[Mapping[str, Any]] = ()) -> None:
        """After a tick, with what happened in it and since the one before."""
        if not self._links:
            self._pass_on()
            return
        self.note(events)
        news = tuple(self._news)
        self._news.clear()
        self._each("after", lambda link: link.after(session, news))

    def idle(self, session: LinkedSession) -> None:
        """Time stands still."""
        self._each("idle", lambda link: link.idle(session))

    def close(self) -> None:
        """All say goodbye; what went wrong is told, and nothing is raised."""
        while self._links:
            link = self._links.pop()
            problem = self._end(link)
            if problem:
                self.say(f"{link.name}: could not be closed properly ({problem})")
        self._pass_on()

    def counts(self) -> dict[str, dict[str, int]]:
        """What came, went and was dropped, by the name of the link; of those that are gone what it came to."""
        counted: dict[str, dict[str, int]] = {}
        for link in list(self._links):
            try:
                counted[link.name] = dict(link.counts())
            except Exception as problem:  # counting must not end anything either
                self._drop(link, "counts", problem)
        counted |= self._last
        return {name: dict(counted[name]) for name in self._names if name in counted}

    def report(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Tell all counts, once a second: a message to the pages."""
        if not (self._links or self._last) or self._clock() - self._report_s < REPORT_S:
            return
        self._report_s = self._clock()
        tell({"type": "links", "links": self.counts(), "dropped": dict(self.dropped)})

    # ---- details ---------------------------------------------------------------------------------------------------

    def _each(self, what: str, call: Callable[[Link], None], timed: bool = True) -> None:
        for link in list(self._links):
            begun = self._clock()
            try:
                call(link)
            except Exception as problem:  # whatever it was: the flight goes on
                self._drop(link, what, problem)
                continue
            if timed:
                self._time(link, what, self._clock() - begun)
        self._pass_on()

    def _time(self, link: Link, what: str, took_s: float) -> None:
        key = (link.name, what)
        if took_s <= LONGEST_S:
            self._long.pop(key, None)
            return
        self._long[key] = n = self._long.get(key, 0) + 1
        if n >= MOST_LONG:
            self._leave_out(link, f"it holds up the flight, {took_s:.2g} s a call")

    def _drop(self, link: Link, what: str, problem: Exception) -> None:
        trace = None if isinstance(problem, PelagosError) else problem  # a sentence needs none
        _log.error("the link %s failed in %s", link.name, what, exc_info=trace)
        self._leave_out(link, f"{type(problem).__name__}: {problem}")

    def _leave_out(self, link: Link, why: str) -> None:
        self._links.remove(link)
        self.dropped[link.name] = why
        self._end(link)
        self.say(f"{link.name}: the link is closed, the flight goes on without it ({why})")

    def _end(self, link: Link) -> str:
        """Close one, and keep what it counted; why that failed, or nothing."""
        said = ""
        try:
            link.close()
        except Exception as problem:
            _log.error("the link %s could not be closed", link.name, exc_info=problem)
            said = f"{type(problem).__name__}: {problem}"
        try:
            self._last[link.name] = dict(link.counts())
        except Exception:
            self._last[link.name] = {}
        return said

    def _pass_on(self) -> None:
        while self._sayings:
            self.tell(self._sayings.popleft())


def counted(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A line for each link: dis: received 12, sent 340."""
    return [
        f"{name}: {', '.join(f'{what} {n}' for what, n in sorted(one.items())) or 'nothing came or went'}"
        for name, one in counts.items()
    ]
