"""Who has the controls, and how far its orders have got.

One client at a time. It keeps them until it says bye, its connection ends, or it has been silent for a while and
another one asks. A client that comes back with the same session goes on with the numbers it had: what it sends again
is answered again and not done twice.
"""

from __future__ import annotations

from typing import Generic, TypeVar

Client = TypeVar("Client")
SILENT_S = 10.0  # then another one that asks may have the controls


class Lease(Generic[Client]):
    """The controls of one world. Times are seconds of the wall."""

    def __init__(self) -> None:
        self.holder: Client | None = None
        self.session = ""
        self.last_seq = 0
        self.followed_seq = 0  # of the last order that was followed: one that was refused leaves it
        self.answer = b""  # to the order of that number
        self.heard_s = 0.0  # when the holder, or the one before, last said something

    def ask(self, client: Client, session: str, now_s: float) -> bool:
        """Whether the client has the controls from now on. Numbers begin anew unless it is the same one again."""
        same = bool(session) and session == self.session
        if self.holder is not None and self.holder is not client and not same and now_s - self.heard_s < SILENT_S:
            return False
        if not same and not (self.holder is client and session == self.session):
            self.last_seq, self.followed_seq, self.answer = 0, 0, b""
        self.holder, self.session, self.heard_s = client, session, now_s
        return True

    def leave(self, client: Client) -> None:
        """The client is gone; its session stays known until another one has the controls."""
        if self.holder is client:
            self.holder = None
