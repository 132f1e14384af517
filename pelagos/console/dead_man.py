"""The sticks of the pilot, as the newest message has them, and what becomes of them when no message comes.

Written by the thread of the server, read by that of the simulation. Without a message for DEAD_MAN_S of wall time
the sticks go to the middle: a page that was closed or hangs must not go on flying.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from pelagos.console.protocol import InputMessage
from pelagos.console.source import CENTRED, Input

DEAD_MAN_S = 0.5


class Sticks(NamedTuple):
    """What shall act now: the sticks, and of which message they are."""

    sticks: Input
    ack: int
    echo_ms: float


NOBODY = Sticks(CENTRED, 0, 0.0)


def moved(new: Input, before: Input, now: Input) -> Input:
    """What shall act when the page's sticks change: all of them, or only the camera while others fly.

    Looking round is not flying: sticks that the page holds still stay with whoever moved them last, such as a ground
    station.

    Args:
        new: of the page.
        before: of the page.
        now: that act.
    """
    return new if new[:6] != before[:6] else Input(*now[:6], *new[6:])


class DeadMan:
    """A mailbox for one message, the newest, with a time-out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: Sticks = NOBODY
        self._heard_s: float | None = None  # when the last message came; None before the first
        self.lost = False

    def put(self, message: InputMessage, now_s: float) -> None:
        """A message of the pilot; the newest wins."""
        with self._lock:
            self._newest = Sticks(message.sticks, message.seq, message.t)
            self._heard_s = now_s

    def clear(self, now_s: float) -> None:
        """Another pilot, or none: what the last one held is let go, and the next has a moment to begin."""
        with self._lock:
            self._newest = NOBODY
            if self._heard_s is not None:
                self._heard_s = now_s

    def take(self, now_s: float) -> tuple[Sticks, bool]:
        """What shall act now, and whether the link was lost or found again with this call."""
        with self._lock:
            lost = self._heard_s is not None and now_s - self._heard_s > DEAD_MAN_S
            turned, self.lost = lost != self.lost, lost
            if lost:
                self._newest = self._newest._replace(sticks=CENTRED)
            return self._newest, turned
