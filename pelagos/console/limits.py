"""How much one client may send, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

MESSAGES_PER_S = 200.0
ORDERS_PER_S = 50.0
SEATS_PER_S = 2.0  # wishes about seats, and names
MOST_TEXTS = 256  # waiting


class Allowance:
    """So many a second in the long run, twice as many at once: a bucket that fills while nothing comes."""

    def __init__(self, per_s: float, clock: Callable[[], float]) -> None:
        self._per_s, self._room, self._clock = per_s, 2.0 * per_s, clock
        self._left, self._then = self._room, clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = self._clock()
        self._left = min(self._room, self._left + self._per_s * (now - self._then))
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Outbox:
    """What waits for one client: all texts in order; of rosters, answers to pings and snapshots only the newest."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._newest: dict[str, str] = {}
        self._snapshot: bytes | None = None
        self._some = asyncio.Event()
        self.skipped = 0  # snapshots that were replaced before they could be sent

    def put_text(self, text: str) -> bool:
        """Add a text; False if too many wait already."""
        if len(self._texts) >= MOST_TEXTS:
            return False
        self._texts.append(text)
        self._some.set()
        return True

    def put_newest(self, kind: str, text: str) -> None:
        """A text that makes those of its kind before it worthless; it comes behind all others."""
        self._newest.pop(kind, None)
        self._newest[kind] = text
        self._some.set()

    def put_snapshot(self, data: bytes) -> None:
        """The newest state."""
        self.skipped += self._snapshot is not None
        self._snapshot = data
        self._some.set()

    async def take(self) -> str | bytes:
        """The next text, else one of the newest, else the snapshot; waits for one."""
        while True:
            await self._some.wait()
            if self._texts:
                return self._texts.popleft()
            if self._newest:
                return self._newest.pop(next(iter(self._newest)))
            data, self._snapshot = self._snapshot, None
            if data is not None:
                return data
            self._some.clear()
