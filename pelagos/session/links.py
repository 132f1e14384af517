"""Links to other programs: the interface of a link, and the set that calls them and survives their failures.

The thread that owns the simulation calls the links between ticks, one after the other. A link must not block: its
sockets belong to threads of its own, which exchange the newest messages with it. A link that raises is closed and
removed, and the flight continues without it. The same happens to a link that delays the flight, with calls longer than
LONGEST_S MOST_LONG times in a row (a single long call may be the fault of the machine).

Of a `LinkSet`, other threads may call `post` only. It needs no lock: `deque.append` and `deque.popleft` are atomic, and
one thread alone empties the queue.
"""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pelagos.errors import PelagosError

if TYPE_CHECKING:
    from pelagos.session.session import Session

LONGEST_S = 0.1  # of a call: five intervals of a flight at 50 Hz
MOST_LONG = 8  # calls in a row; then the link is closed
MOST_POSTS = 100  # sentences in the queue; the oldest are dropped
MOST_EVENTS = 1000  # events between two calls of `after`; the oldest are dropped
REPORT_S = 1.0  # between two reports of counts

_log = logging.getLogger("pelagos.console")


class Link(Protocol):
    """A connection to another program. Any of its methods may raise; the link is then closed and removed.

    A link may have an attribute `frozen`; while it is true, simulated time stands still, as in a stopped exercise.
    """

    name: str

    def begin(self, session: Session) -> None:
        """Take up new simulations: at the start and after a reset."""
        ...

    def before(self, session: Session) -> None:
        """Act on the session before a tick: a link that steers calls `input`, `order` or `signal`."""

    def after(self, session: Session, events: Sequence[Mapping[str, Any]]) -> None:
        """Publish after a tick; `events` are those since the last call, each with `time_s`, `kind` and `text`."""
        ...

    def idle(self, session: Session) -> None:
        """Answer requests while simulated time stands still."""

    def counts(self) -> Mapping[str, int]:
        """Numbers of received, sent and dropped messages by kind, for the page and the end of the program."""
        ...

    def close(self) -> None:
        """Sign off and close sockets and files; called once."""
        ...


class LinkSet:
    """The links of a session, called in turn; a link that fails or delays the session is removed.

    Args:
        links: the links in calling order.
        publish: receives sentences for the user (posts of links, reasons of removals) in the simulation's thread.
        clock: seconds, to measure the duration of calls.

    dropped  reasons of removals by name of the link
    """

    def __init__(
        self,
        links: Iterable[Link] = (),
        publish: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._links: list[Link] = []
        self._names: list[str] = []  # of all links so far, removed ones included
        for link in links:
            self.add(link)
        self.publish: Callable[[str], None] = publish or (lambda text: None)
        self._clock = clock
        self._posts: deque[str] = deque(maxlen=MOST_POSTS)  # the one attribute that other threads write
        self._events: deque[Mapping[str, Any]] = deque(maxlen=MOST_EVENTS)
        self._long: dict[tuple[str, str], int] = {}  # (link, method): long calls in a row
        self._last: dict[str, dict[str, int]] = {}  # final counts of closed links
        self.dropped: dict[str, str] = {}
        self._report_s = -math.inf

    def __len__(self) -> int:
        return len(self._links)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the open links."""
        return tuple(link.name for link in self._links)

    def add(self, link: Link) -> None:
        """Add a link, before the first `begin`."""
        self._links.append(link)
        self._names.append(link.name)

    def post(self, text: str) -> None:
        """Queue a sentence for the user. Any thread may call it."""
        self._posts.append(text)

    @property
    def frozen(self) -> bool:
        """Whether a link stops simulated time, as in a stopped exercise."""
        return any(getattr(link, "frozen", False) for link in self._links)

    def begin(self, session: Session) -> None:
        """Give all links new simulations; this call may take long."""
        self._each("begin", lambda link: link.begin(session), timed=False)

    def discard_events(self) -> None:
        """Discard the events that no link has received: they are of simulations that are gone."""
        self._events.clear()

    def note(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Keep events for the next `after`: those of orders occur between ticks."""
        if self._links:
            self._events.extend(event for event in events if "kind" in event)

    def before(self, session: Session) -> None:
        """Let all links act before a tick."""
        self._each("before", lambda link: link.before(session))

    def after(self, session: Session, events: Sequence[Mapping[str, Any]] = ()) -> None:
        """Let all links publish after a tick, with all events since the tick before."""
        if not self._links:
            self._publish_posts()
            return
        self.note(events)
        noted = tuple(self._events)
        self._events.clear()
        self._each("after", lambda link: link.after(session, noted))

    def idle(self, session: Session) -> None:
        """Let all links answer requests while simulated time stands still."""
        self._each("idle", lambda link: link.idle(session))

    def close(self) -> None:
        """Close all links, last added first; failures are published, not raised."""
        while self._links:
            link = self._links.pop()
            problem = self._end(link)
            if problem:
                self.post(f"{link.name}: could not be closed properly ({problem})")
        self._publish_posts()

    def counts(self) -> dict[str, dict[str, int]]:
        """Counts of messages by name of the link, closed links included."""
        counted: dict[str, dict[str, int]] = {}
        for link in list(self._links):
            try:
                counted[link.name] = dict(link.counts())
            except Exception as problem:
                self._drop(link, "counts", problem)
        counted |= self._last
        return {name: dict(counted[name]) for name in self._names if name in counted}

    def report(self, publish: Callable[[dict[str, Any]], None]) -> None:
        """Publish a message with all counts for the pages, at most once in REPORT_S."""
        if not (self._links or self._last) or self._clock() - self._report_s < REPORT_S:
            return
        self._report_s = self._clock()
        publish({"type": "links", "links": self.counts(), "dropped": dict(self.dropped)})

    def _each(self, method: str, call: Callable[[Link], None], timed: bool = True) -> None:
        for link in list(self._links):  # a copy: a failing link is removed from the list
            begin_s = self._clock()
            try:
                call(link)
            except Exception as problem:  # any error of a link ends the link, never the flight
                self._drop(link, method, problem)
                continue
            if timed:
                self._time(link, method, self._clock() - begin_s)
        self._publish_posts()

    def _time(self, link: Link, method: str, took_s: float) -> None:
        key = (link.name, method)
        if took_s <= LONGEST_S:
            self._long.pop(key, None)
            return
        self._long[key] = n = self._long.get(key, 0) + 1
        if n >= MOST_LONG:
            self._remove(link, f"it holds up the flight, {took_s:.2g} s a call")

    def _drop(self, link: Link, method: str, problem: Exception) -> None:
        trace = None if isinstance(problem, PelagosError) else problem  # a user's mistake needs no traceback
        _log.error("the link %s failed in %s", link.name, method, exc_info=trace)
        self._remove(link, f"{type(problem).__name__}: {problem}")

    def _remove(self, link: Link, why: str) -> None:
        self._links.remove(link)
        self.dropped[link.name] = why
        self._end(link)
        self.post(f"{link.name}: the link is closed, the flight goes on without it ({why})")

    def _end(self, link: Link) -> str:
        """Close a link and keep its counts; returns why closing failed, or an empty text."""
        failure = ""
        try:
            link.close()
        except Exception as problem:
            _log.error("the link %s could not be closed", link.name, exc_info=problem)
            failure = f"{type(problem).__name__}: {problem}"
        try:
            self._last[link.name] = dict(link.counts())
        except Exception:
            self._last[link.name] = {}
        return failure

    def _publish_posts(self) -> None:
        while self._posts:
            self.publish(self._posts.popleft())


def count_lines(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """One line of text for each link: "dis: received 12, sent 340"."""
    return [
        f"{name}: {', '.join(f'{kind} {n}' for kind, n in sorted(numbers.items())) or 'nothing came or went'}"
        for name, numbers in counts.items()
    ]
