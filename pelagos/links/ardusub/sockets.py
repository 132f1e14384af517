"""Two sockets at one port: the public one hears everybody, the private one the autopilot that flies and nobody else.

The kernel gives a datagram to the socket that is connected to its sender, if there is one. So whatever strangers send
fills the queue of the public socket only: it neither delays nor pushes out a packet of the autopilot. Where the system
does not allow two sockets at one port, there is one, and everything comes by it.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket

from pelagos.links.ardusub.wire import LONGEST
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, udp_socket

Datagram = tuple[bytes, Address]


class Sockets:
    """The sockets of one link; nothing here waits but `wait`.

    Args:
        host, port: where to listen; CommandError if it is taken.
        counts: of the link.
    """

    def __init__(self, host: str, port: int, counts: Counts) -> None:
        self._public = udp_socket(host, port)
        self._public.setblocking(False)
        self._private: socket.socket | None = None
        self._counts = counts

    @property
    def port(self) -> int:
        """Where they are."""
        return int(self._public.getsockname()[1])

    def close(self) -> None:
        """Give the port back."""
        self._close_private()
        self._public.close()

    def open_to(self, autopilot: Address) -> bool:
        """Hear this one by the private door from now on; False if it must come by the public one, as all others."""
        self._close_private()
        if os.name != "posix":  # elsewhere two sockets at one port share what comes in no order
            return False
        private = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            private.setblocking(False)
            for one in (self._public, private):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            private.bind(self._public.getsockname())
            private.connect(autopilot)
        except OSError:
            private.close()
            return False
        else:
            self._private = private
            return True
        finally:
            for one in (self._public, private):  # no other program may sit down beside us
                with contextlib.suppress(OSError):
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)

    def from_autopilot(self) -> Datagram | None:
        """What came by the private door."""
        return None if self._private is None else self._receive(self._private)

    def from_anybody(self) -> Datagram | None:
        """What came by the public one."""
        return self._receive(self._public)

    def send(self, data: bytes, to: Address) -> None:
        """Without waiting; what cannot be sent is counted."""
        try:
            self._public.sendto(data, to)
        except BlockingIOError:
            self._counts.drop("stalled", "the autopilot does not take what is sent; an answer is dropped")
        except OSError as problem:
            self._counts.drop("unsent", f"nothing can be sent to {to[0]}:{to[1]} ({problem.strerror})")
        else:
            self._counts.add("sent")

    def wait(self, seconds: float) -> None:
        """Until something comes, at most so long."""
        select.select([one for one in (self._public, self._private) if one is not None], [], [], seconds)

    def _receive(self, sock: socket.socket) -> Datagram | None:
        try:
            return sock.recvfrom(LONGEST + 1)
        except BlockingIOError:
            return None
        except OSError:  # an ICMP answer to something sent: nobody listens there any more
            self._counts.add("refused")
            return None

    def _close_private(self) -> None:
        private, self._private = self._private, None
        if private is not None:
            private.close()
