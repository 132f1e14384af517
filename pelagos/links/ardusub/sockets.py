"""Two UDP sockets on one port: a private one for the autopilot that owns the vehicle, a public one for all others.

The kernel delivers a datagram to the socket that is connected to its sender, if there is one. Packets of other senders
therefore fill only the queue of the public socket and neither delay nor displace packets of the autopilot. On systems
that do not allow two sockets on one port, the public socket receives everything.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket

from pelagos.links.ardusub.wire import LONGEST
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, send_datagram, udp_socket

Datagram = tuple[bytes, Address]


class Sockets:
    """Public and private socket of a link; only `wait` blocks.

    Args:
        host, port: address to listen on; CommandError if it is taken.
        counts: counters of the link.
    """

    def __init__(self, host: str, port: int, counts: Counts) -> None:
        self._public = udp_socket(host, port, counts.link)
        self._public.setblocking(False)
        self._private: socket.socket | None = None
        self._counts = counts

    @property
    def port(self) -> int:
        """Port of both sockets."""
        return int(self._public.getsockname()[1])

    def close(self) -> None:
        """Close both sockets."""
        self._close_private()
        self._public.close()

    def connect(self, autopilot: Address) -> bool:
        """Open the private socket for an autopilot; False if it must use the public one."""
        self._close_private()
        if os.name != "posix":  # Windows does not prefer the connected socket
            return False
        private = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            private.setblocking(False)
            for sock in (self._public, private):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            private.bind(self._public.getsockname())
            private.connect(autopilot)
        except OSError:
            private.close()
            return False
        else:
            self._private = private
            return True
        finally:
            for sock in (self._public, private):  # no other program may bind the same port
                with contextlib.suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)

    def from_autopilot(self) -> Datagram | None:
        """Return the next datagram of the private socket, or None."""
        return None if self._private is None else self._receive(self._private)

    def from_others(self) -> Datagram | None:
        """Return the next datagram of the public socket, or None."""
        return self._receive(self._public)

    def send(self, data: bytes, to: Address) -> None:
        """Send without waiting; failures are counted."""
        send_datagram(self._public, data, to, self._counts)

    def wait(self, seconds: float) -> None:
        """Wait until a datagram arrives, at most for `seconds`."""
        select.select([sock for sock in (self._public, self._private) if sock is not None], [], [], seconds)

    def _receive(self, sock: socket.socket) -> Datagram | None:
        try:
            return sock.recvfrom(LONGEST + 1)
        except BlockingIOError:
            return None
        except OSError:  # an ICMP answer to a datagram sent: that port is closed
            self._counts.add("refused")
            return None

    def _close_private(self) -> None:
        private, self._private = self._private, None
        if private is not None:
            private.close()
