"""Counters of a link for received, sent and dropped data, with rate-limited messages about drops."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

REPEAT_S = 5.0  # shortest time between two messages about the same reason


class Counts:
    """Thread-safe counters of one link; `report` gets a message for the first drop of a reason, then at most every 5 s.

    Counters are named `received`, `sent`, and `dropped_` with the reason
    (`dropped_malformed`, `dropped_flood`, `dropped_stranger`, `dropped_stalled`).
    """

    def __init__(
        self, link: str, report: Callable[[str], None] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.link = link
        self._report, self._clock = report, clock
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._reported: dict[str, tuple[float, int]] = {}

    def add(self, name: str, n: int = 1) -> None:
        """Add to a counter."""
        with self._lock:
            self._counts[name] += n

    def drop(self, reason: str, text: str, n: int = 1) -> None:
        """Count a drop and report it, unless the same reason was reported less than REPEAT_S ago."""
        name, now = f"dropped_{reason}", self._clock()
        with self._lock:
            self._counts[name] += n
            reported_s, reported = self._reported.get(reason, (-REPEAT_S, 0))
            if now - reported_s < REPEAT_S:
                return
            count = self._counts[name]
            self._reported[reason] = (now, count)
        if self._report is not None:  # outside the lock: the callback may block
            more = f" ({count - reported} of this kind since it was last said)" if count - reported > 1 else ""
            self._report(f"{self.link}: {text}{more}")

    def __getitem__(self, name: str) -> int:
        with self._lock:
            return self._counts[name]

    def all(self) -> dict[str, int]:
        """Return a copy of all counters."""
        with self._lock:
            return dict(self._counts)
