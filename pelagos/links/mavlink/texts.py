"""STATUSTEXT messages: texts for the ground stations, split into parts of 50 bytes and sent at a limited rate."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from pelagos.session.security import RateLimit

PIECE = 50  # bytes of a STATUSTEXT
LONGEST = 4 * PIECE  # bytes of a text; the rest is cut off
PER_S, BURST = 4.0, 12.0  # token bucket of texts
MOST_WAITING = 24  # texts in the queue: six seconds at PER_S
CRITICAL, ERROR, WARNING, INFO = 2, 3, 4, 6  # MAV_SEVERITY
SEVERITY = {"critical": CRITICAL, "error": ERROR, "warning": WARNING, "info": INFO}
# Severity of events of a flight; all others are information.
OF_EVENTS = {
    "fault": CRITICAL, "collision": WARNING, "contact": WARNING, "warning": WARNING, "refused": WARNING,
    "link_lost": WARNING, "timeout": WARNING, "overrun": WARNING,
}  # fmt: skip
NOT_FOR_STATIONS = ("link", "links")


class StatusTexts:
    """Queue of texts for the stations.

    Args:
        messages: pymavlink dialect module.
        send: sends a message to all stations.
        clock: wall clock, s.
    """

    def __init__(self, messages: Any, send: Callable[[Any], object], clock: Callable[[], float]) -> None:
        self._messages, self._send = messages, send
        self._waiting: deque[tuple[int, str]] = deque(maxlen=MOST_WAITING)
        self._limit = RateLimit(PER_S, clock, BURST)
        self._number = 0

    def report(self, text: str, severity: str = "info") -> None:
        """Queue a text."""
        self._add(SEVERITY[severity], text)

    def event(self, event: Mapping[str, Any]) -> None:
        """Queue the text of an event of the flight."""
        kind, text = str(event.get("kind", "")), event.get("text")
        if kind and text and kind not in NOT_FOR_STATIONS:
            self._add(OF_EVENTS.get(kind, INFO), str(text))

    def _add(self, severity: int, text: str) -> None:
        """Queue a text unless it is queued already; a full queue drops its least severe text."""
        if (severity, text) in self._waiting:
            return
        if len(self._waiting) >= MOST_WAITING:
            # MAV_SEVERITY counts down: the largest number is the least severe.
            least = max(self._waiting, key=lambda waiting: waiting[0])
            if severity > least[0]:
                return
            self._waiting.remove(least)
        self._waiting.append((severity, text))

    def send(self) -> None:
        """Send as many texts as the rate limit allows."""
        while self._waiting and self._limit.take():
            severity, text = self._waiting.popleft()
            for message in self.pieces(severity, text):
                self._send(message)

    def pieces(self, severity: int, text: str) -> list[Any]:
        """Return the messages of a text: one if it is short, else numbered parts."""
        data = " ".join(text.split()).encode("ascii", "replace")[:LONGEST]
        make = self._messages.MAVLink_statustext_message
        if len(data) <= PIECE:
            return [make(severity, data, 0, 0)]
        self._number = self._number % 0xFFFF + 1
        parts = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        if len(parts[-1]) == PIECE and len(data) < LONGEST:
            parts.append(b"")  # a receiver takes a full part as a sign that more follows
        return [make(severity, part, self._number, i) for i, part in enumerate(parts)]
