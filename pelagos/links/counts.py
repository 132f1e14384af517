"""How much came and went over a link, what was dropped and why; and sentences about it, not too many of them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

SAY_AGAIN_S = 5.0  # between two sentences about the same fault


class Counts:
    """Counters of one link; any thread may count. `say` gets a sentence for the first of each fault, then rarely.

    Names are words for programs: `received`, `sent`, and for what was not used `dropped_` and the reason
    (`dropped_malformed`, `dropped_flood`, `dropped_stranger`, `dropped_stalled`).
    """

    def __init__(
        self, link: str, say: Callable[[str], None] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.link = link
        self._say, self._clock = say, clock
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._said: dict[str, tuple[float, int]] = {}

    def add(self, name: str, n: int = 1) -> None:
        """Count something usual."""
        with self._lock:
            self._counts[name] += n

    def drop(self, reason: str, text: str, n: int = 1) -> None:
        """Count something that was dropped, and say so unless that was done a moment ago."""
        name, now = f"dropped_{reason}", self._clock()
        with self._lock:
            self._counts[name] += n
            said_s, said = self._said.get(reason, (-SAY_AGAIN_S, 0))
            if now - said_s < SAY_AGAIN_S:
                return
            count = self._counts[name]
            self._said[reason] = (now, count)
        if self._say is not None:
            more = f" ({count - said} of this kind since it was last said)" if count - said > 1 else ""
            self._say(f"{self.link}: {text}{more}")

    def __getitem__(self, name: str) -> int:
        with self._lock:
            return self._counts[name]

    def all(self) -> dict[str, int]:
        """Every counter."""
        with self._lock:
            return dict(self._counts)
