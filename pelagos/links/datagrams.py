"""UDP socket with a thread that reads it at a limited rate, so that no sender can take the simulation's time.

Datagrams above that rate stay in the buffer of the kernel and are lost there; Linux reports their number. Datagrams
from addresses that are not allowed, and those that are too long, are counted and dropped before they are parsed.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable, Collection

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.session.security import cannot_listen, is_loopback

Address = tuple[str, int]
SLICE_S = 0.01  # the rate limit applies to intervals of this length
LONGEST = 65535  # bytes of a UDP datagram
SO_RXQ_OVFL = 40  # Linux: each datagram carries the number lost so far (u32); Python has no name for it


def check_bind(link: str, host: str, allow_remote: bool) -> None:
    """Raise CommandError for an address that other machines can reach, unless `allow_remote`."""
    if not is_loopback(host) and not allow_remote:
        raise CommandError(
            "other machines can reach this address, and the link has no authentication",
            file=link,
            key="host",
            value=host,
            expected="a loopback address, or --allow-remote as well",
        )


class Datagrams:
    """Reader of a UDP socket that calls `take(data, sender)` in its own thread; exceptions of `take` are counted.

    Args:
        sock: bound socket; `close` closes it.
        take: callback for each datagram; must be quick.
        counts: counters of the link.
        per_s: largest number of datagrams read per second.
        largest: largest number of bytes; longer datagrams are dropped.
        allowed: addresses whose datagrams are accepted; None: all.
    """

    def __init__(
        self,
        sock: socket.socket,
        take: Callable[[bytes, Address], None],
        counts: Counts,
        *,
        per_s: float = 2000.0,
        largest: int = 8192,
        allowed: Collection[str] | None = None,
    ) -> None:
        self.socket, self._take, self._counts = sock, take, counts
        self._slice = max(1, round(per_s * SLICE_S))
        self._per_s, self._largest, self._allowed = per_s, largest, allowed
        self._stop = threading.Event()
        sock.settimeout(0.2)
        self._out = sock.dup()
        self._out.setblocking(False)  # a socket with a timeout would wait in `sendto` in spite of MSG_DONTWAIT
        self._reports_losses, self._lost = _enable_loss_reports(sock), 0
        self._thread = threading.Thread(target=self._read, name=f"pelagos-{counts.link}", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Local port."""
        return int(self.socket.getsockname()[1])

    def send(self, data: bytes, to: Address) -> bool:
        """Send without waiting; a failure is counted and returns False."""
        return send_datagram(self._out, data, to, self._counts)

    def close(self) -> None:
        """Stop the thread and close the socket."""
        self._stop.set()
        with contextlib.suppress(OSError):  # wakes the thread up, which then sees the stop
            self._out.sendto(b"", self.socket.getsockname())
        self._thread.join(2.0)
        self._out.close()
        self.socket.close()

    def _read(self) -> None:
        begun, left = time.monotonic(), self._slice
        while not self._stop.is_set():
            try:
                data, ancillary, _, sender = self.socket.recvmsg(LONGEST, socket.CMSG_SPACE(4))
            except TimeoutError:
                continue
            except OSError:
                if self._stop.is_set():
                    return
                continue  # an ICMP answer to a datagram sent: that port is closed
            if self._stop.is_set():
                return
            now = time.monotonic()
            # A new interval starts with the first datagram after the old one; a quiet socket saves no allowance.
            if now - begun >= SLICE_S:
                begun, left = now, self._slice
            self._count_losses(ancillary)
            self._handle(data, (str(sender[0]), int(sender[1])))
            left -= 1
            if left <= 0:
                if not self._reports_losses:
                    self._flooded(1)
                self._stop.wait(max(0.0, begun + SLICE_S - time.monotonic()))

    def _count_losses(self, ancillary: list[tuple[int, int, bytes]]) -> None:
        """Count the datagrams that the kernel has dropped since the last one read."""
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, SO_RXQ_OVFL):
                so_far = int.from_bytes(data[:4], sys.byteorder)
                # The counter of the kernel has 32 bits and wraps around.
                lost, self._lost = (so_far - self._lost) % 2**32, so_far
                if lost:
                    self._flooded(lost)

    def _flooded(self, n: int) -> None:
        self._counts.drop("flood", f"more than {self._per_s:g} datagrams a second come; the rest is dropped", n)

    def _handle(self, data: bytes, sender: Address) -> None:
        self._counts.add("received")
        if self._allowed is not None and sender[0] not in self._allowed:
            self._counts.drop("stranger", f"{sender[0]} is not an allowed sender; dropped")
        elif len(data) > self._largest:
            self._counts.drop("malformed", f"{len(data)} bytes from {sender[0]}; at most {self._largest} are read")
        else:
            try:
                self._take(data, sender)
            except Exception as problem:  # a bug here must not end the link
                self._counts.drop("failed", f"a datagram of {sender[0]} failed: {type(problem).__name__}: {problem}")


def _enable_loss_reports(sock: socket.socket) -> bool:
    """Enable reports of lost datagrams; without them, each exhausted interval counts as one loss."""
    if sys.platform != "linux":
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_RXQ_OVFL, 1)
    except OSError:
        return False
    return True


def send_datagram(sock: socket.socket, data: bytes, to: Address, counts: Counts) -> bool:
    """Send by a socket that does not block; a failure is counted and returns False."""
    try:
        sock.sendto(data, to)
    except (BlockingIOError, TimeoutError):
        counts.drop("stalled", f"{to[0]}:{to[1]} reads too slowly; the message is dropped")
    except ConnectionRefusedError:  # reports an earlier datagram: no program listens there yet
        counts.add("unreachable")
    except OSError as problem:
        counts.drop("unsent", f"nothing can be sent to {to[0]}:{to[1]} ({problem.strerror})")
    else:
        counts.add("sent")
        return True
    return False


def udp_socket(host: str, port: int, link: str = "") -> socket.socket:
    """Return a UDP socket bound to an address; CommandError if it is taken. `link` is what listens there."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.bind((host, port))
    except OSError as problem:
        with contextlib.suppress(OSError):
            sock.close()
        raise cannot_listen(host, port, problem, link) from None
    return sock
