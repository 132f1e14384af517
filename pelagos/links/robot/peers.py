"""Clients of the robot link: lines in, lines out, over TCP or UDP, without ever waiting for one of them.

What a client does not take is kept for it up to a limit; beyond it the client is dropped. What it sends is read in
pieces, so that no client keeps the others from being heard.
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
MOST_UNSENT = 1 << 20  # bytes that wait for a slow client
PIECES_LEFT = 16  # read at the end, and thrown away
LINGER_S = 0.2  # at most, for a last line to a client that does not read


class Peer(ABC):
    """One client. `send` never waits; `stalled` says that it does not take what is sent."""

    def __init__(self, where: str, now_s: float) -> None:
        self.where = where
        self.name = ""
        self.role = ""  # "" until its hello
        self.forces = False
        self.heard_s = now_s
        self.bad = 0  # lines in a row that could not be used
        self.stalled = False

    def __str__(self) -> str:
        return f"{self.name} ({self.where})" if self.name else self.where

    @property
    def follows(self) -> bool:
        """Whether it only watches."""
        return self.role == FOLLOWER

    @abstractmethod
    def send(self, line: bytes) -> None:
        """Hand over a line, or as much as goes; the rest follows when there is room."""

    @abstractmethod
    def close(self, line: bytes = b"") -> None:
        """End it, with a last line if it can still take one."""


class TcpPeer(Peer):
    """A client with a connection of its own."""

    def __init__(self, sock: socket.socket, address: Address, now_s: float) -> None:
        super().__init__(f"{address[0]}:{address[1]}", now_s)
        self.socket = sock
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.queue: deque[bytes | None] = deque()  # lines that were read and not yet heard
        self._inbox = bytearray()
        self._outbox = bytearray()
        self._skipping = False  # the rest of a line that is too long
        self.gone = False

    @property
    def waiting(self) -> bool:
        """Whether something is left to be sent."""
        return bool(self._outbox)

    def read(self) -> list[bytes | None]:
        """Lines that are whole now, None in place of one that is too long; `gone` is set when the client has left."""
        try:
            piece = self.socket.recv(PIECE)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            piece = b""
        if not piece:
            self.gone = True
            return []
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
                self._skipping = False  # here the long line ends; it has been told of
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
        """Send at once what goes."""
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
        """Send more of what waits."""
        try:
            sent = self.socket.send(self._outbox)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self.gone = True
            return
        del self._outbox[:sent]

    def close(self, line: bytes = b"") -> None:
        """Shut the connection; a last line follows what waits, if the client takes it soon."""
        with contextlib.suppress(OSError):
            if line and not self.gone and not self.stalled:
                self.socket.settimeout(LINGER_S)
                self.socket.sendall(bytes(self._outbox) + line)
            self.socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):  # what was not read when it is closed would undo the last line
                for _ in range(PIECES_LEFT):
                    if not self.socket.recv(LARGEST_LINE):
                        break
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class UdpPeer(Peer):
    """A client that sends datagrams, one line each."""

    def __init__(self, sock: socket.socket, address: Address, now_s: float) -> None:
        super().__init__(f"{address[0]}:{address[1]}/udp", now_s)
        self.address = address
        self._socket = sock
        self.lost = 0  # datagrams that the network did not take
        self.too_long = 0  # bytes of a line that no datagram holds: this client has to come by TCP

    def send(self, line: bytes) -> None:
        """Send it, or lose it: who misses an answer sends its order again."""
        try:
            self._socket.sendto(line, socket.MSG_DONTWAIT, self.address)
        except OSError as problem:
            self.lost += 1
            if problem.errno == errno.EMSGSIZE:
                self.too_long = len(line)

    def close(self, line: bytes = b"") -> None:
        """A last line."""
        if line:
            self.send(line)
