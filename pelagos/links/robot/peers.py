"""Connections to the clients of the robot link: lines over TCP or UDP, without blocking.

Lines that a slow client does not receive are queued up to a limit; beyond it the server drops the client. Input is
read in pieces, so that no client starves the others.
"""

from __future__ import annotations

import contextlib
import errno
import socket
from abc import ABC, abstractmethod
from collections import deque

from pelagos.links.datagrams import Address
from pelagos.links.robot.messages import FOLLOWER, LARGEST_LINE

PIECE = 4096  # bytes read of one connection at a time
MOST_UNSENT = 1 << 20  # bytes queued for a slow client
PIECES_LEFT = 16  # read and discarded when a connection closes
LINGER_S = 0.2  # longest wait for a client to receive its last line


class Peer(ABC):
    """One client. `send` never blocks; `stalled` is set when the queue for a slow client is full."""

    def __init__(self, where: str, now_s: float) -> None:
        self.where = where
        self.name = ""
        self.role = ""  # "" until its hello
        self.forces = False
        self.received_s = now_s  # wall time of its last message
        self.bad = 0  # consecutive invalid lines
        self.stalled = False

    def __str__(self) -> str:
        return f"{self.name} ({self.where})" if self.name else self.where

    @property
    def follows(self) -> bool:
        """Whether the client only receives states."""
        return self.role == FOLLOWER

    @abstractmethod
    def send(self, line: bytes) -> None:
        """Send a line, or queue the part that cannot be sent now."""

    @abstractmethod
    def close(self, line: bytes = b"") -> None:
        """Close the connection, after a last line if possible."""


class TcpPeer(Peer):
    """A client over TCP."""

    def __init__(self, sock: socket.socket, address: Address, now_s: float) -> None:
        super().__init__(f"{address[0]}:{address[1]}", now_s)
        self.socket = sock
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer in lockstep must not wait for more
        self.queue: deque[bytes | None] = deque()  # lines that were read and not yet processed
        self._inbox = bytearray()  # the beginning of a line
        self._outbox = bytearray()
        self._skipping = False  # until the end of a line that is too long
        self.gone = False

    @property
    def waiting(self) -> bool:
        """Whether bytes are queued for sending."""
        return bool(self._outbox)

    def read(self) -> list[bytes | None]:
        """Read complete lines, None in place of one that is too long; sets `gone` when the client has left."""
        try:
            piece = self.socket.recv(PIECE)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            piece = b""
        if not piece:
            self.gone = True
            return []
        # The usual case of one whole line needs no copy into the inbox.
        if not self._inbox and not self._skipping and piece.count(b"\n") == 1 and piece[-1] == 10:
            return [piece[:-1]] if len(piece) <= LARGEST_LINE + 1 else [None]
        return self._cut(piece)

    def _cut(self, piece: bytes) -> list[bytes | None]:
        lines: list[bytes | None] = []
        self._inbox += piece
        whole = self._inbox.split(b"\n")
        self._inbox = whole.pop()
        for line in whole:
            if self._skipping:
                self._skipping = False  # the end of the long line, which was reported as None before
            else:
                lines.append(bytes(line) if len(line) <= LARGEST_LINE else None)
        if len(self._inbox) > LARGEST_LINE:
            if not self._skipping:
                lines.append(None)
            self._skipping = True
        if self._skipping:
            self._inbox.clear()
        return lines

    def send(self, line: bytes) -> None:
        """Send what the socket accepts now and queue the rest."""
        if self.gone or self.stalled:
            return
        if not self._outbox:
            try:
                sent = self.socket.send(line)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                self.gone = True
                return
            if sent == len(line):
                return
            line = line[sent:]
        self._outbox += line
        self.stalled = len(self._outbox) > MOST_UNSENT

    def flush(self) -> None:
        """Send more of the queued bytes."""
        try:
            sent = self.socket.send(self._outbox)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.gone = True
            return
        del self._outbox[:sent]

    def close(self, line: bytes = b"") -> None:
        """Close the connection; queued bytes and a last line are sent if the client receives them soon."""
        with contextlib.suppress(OSError):
            if line and not self.gone and not self.stalled:
                self.socket.settimeout(LINGER_S)
                self.socket.sendall(bytes(self._outbox) + line)
            self.socket.setblocking(False)
            # Closing a socket with unread input resets the connection, and the client would lose the last line.
            with contextlib.suppress(BlockingIOError):
                for _ in range(PIECES_LEFT):
                    if not self.socket.recv(LARGEST_LINE):
                        break
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class UdpPeer(Peer):
    """A client over UDP, one line per datagram."""

    def __init__(self, sock: socket.socket, address: Address, now_s: float) -> None:
        super().__init__(f"{address[0]}:{address[1]}/udp", now_s)
        self.address = address
        self._socket = sock
        self.lost = 0  # datagrams that could not be sent
        self.too_long = 0  # bytes of a line that exceeds a datagram: this client needs TCP

    def send(self, line: bytes) -> None:
        """Send a line or lose it: a client that misses an answer sends its order again."""
        try:
            self._socket.sendto(line, socket.MSG_DONTWAIT, self.address)
        except OSError as problem:
            self.lost += 1
            if problem.errno == errno.EMSGSIZE:
                self.too_long = len(line)

    def close(self, line: bytes = b"") -> None:
        """Send a last line."""
        if line:
            self.send(line)
