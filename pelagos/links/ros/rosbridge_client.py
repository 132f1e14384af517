"""One client of the rosbridge server: what it has subscribed to, how often it may get it, what waits for it.

A subscription with `throttle_rate` gets at most one message in that time: with a `queue_length` the newest so many of
the others wait for their turn, without one they are left out. What a client does not take waits up to a limit; then
the oldest goes, and is counted.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from pelagos.console.limits import Allowance
from pelagos.errors import MessageError
from pelagos.links.counts import Counts

MOST_WAITING = 128  # messages
MOST_SUBSCRIPTIONS = 200
PER_S = 200.0  # messages from one client
MOST_DROPPED = 2000  # of a flood: then the client has to go


class Subscription:
    """One topic for one client. `put` gets the texts that go out."""

    def __init__(self, throttle_s: float, queue_length: int, put: Callable[[str], None]) -> None:
        self.throttle_s, self._put = throttle_s, put
        self._held: deque[str] = deque(maxlen=queue_length)
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, text: str, loop: asyncio.AbstractEventLoop) -> None:
        """A new message of the topic."""
        if self.throttle_s <= 0.0:
            self._put(text)
            return
        now = loop.time()
        if now >= self._due_s and not self._held:
            self._due_s = now + self.throttle_s
            self._put(text)
        elif self._held.maxlen:
            self._held.append(text)
            if self._timer is None:
                self._timer = loop.call_at(self._due_s, self._next, loop)

    def cancel(self) -> None:
        """No more of it."""
        self._held.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        if self._held:
            self._put(self._held.popleft())
            self._due_s = loop.time() + self.throttle_s
            if self._held:
                self._timer = loop.call_at(self._due_s, self._next, loop)


class Client:
    """What the server keeps of one client; used in the loop of the server only."""

    def __init__(self, socket: Any, counts: Counts, loop: asyncio.AbstractEventLoop) -> None:
        self.socket, self._counts, self._loop = socket, counts, loop
        self._subscriptions: dict[str, dict[str | None, Subscription]] = {}
        self._waiting: deque[str] = deque()
        self._some = asyncio.Event()
        self._allowance = Allowance(PER_S, loop.time)
        self.refused = 0  # messages that were not read

    @property
    def topics(self) -> set[str]:
        """What it has subscribed to."""
        return set(self._subscriptions)

    def allowed(self) -> bool:
        """Whether one more message is read."""
        if self._allowance.take():
            return True
        self.refused += 1
        return False

    @property
    def floods(self) -> bool:
        """Whether so much had to be thrown away that the client shall go."""
        return self.refused >= MOST_DROPPED

    def subscribe(self, topic: str, ident: str | None, throttle_s: float, queue_length: int) -> None:
        """Get a topic from now on; the same id again changes how."""
        if sum(map(len, self._subscriptions.values())) >= MOST_SUBSCRIPTIONS:
            raise MessageError(f"there are {MOST_SUBSCRIPTIONS} subscriptions already; expected some to end first")
        mine = self._subscriptions.setdefault(topic, {})
        if ident in mine:
            mine[ident].cancel()
        mine[ident] = Subscription(throttle_s, queue_length, self.put)

    def unsubscribe(self, topic: str, ident: str | None) -> None:
        """Get it no more; without an id all subscriptions of the topic end."""
        mine = self._subscriptions.get(topic, {})
        for one in [one for one in mine if ident is None or one == ident]:
            mine.pop(one).cancel()
        if not mine:
            self._subscriptions.pop(topic, None)

    def offer(self, topic: str, text: str) -> None:
        """A message of a topic: once, by the most eager of its subscriptions."""
        mine = self._subscriptions.get(topic)
        if mine:
            min(mine.values(), key=lambda one: one.throttle_s).offer(text, self._loop)

    def put(self, text: str) -> None:
        """Send a text as soon as the client takes it."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._counts.drop("stalled", "a client does not take what it asked for; the oldest of it is left out")
        self._waiting.append(text)
        self._some.set()

    async def take(self) -> str:
        """The next text; waits for one."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        return self._waiting.popleft()

    def close(self) -> None:
        """It is gone."""
        for topic in list(self._subscriptions):
            self.unsubscribe(topic, None)
