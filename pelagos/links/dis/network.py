"""Where an exercise is held: one address and port that all send to, unicast, broadcast or multicast by the address.

    127.0.0.1:3000             to one program on this machine; heard on a free port of our own
    127.0.0.1:3000/3001        the same, heard on port 3001
    127.255.255.255:3000       broadcast on this machine, to all programs that listen there
    239.1.2.3:3000             multicast; with TTL 0, the default, it stays on this machine
    192.168.1.255:3000         broadcast of a network; 192.168.1.7:3000 one machine of it

To a group PDUs are sent from a socket of its own, so that what comes back from it is known by its port. Addresses that
reach beyond this machine, and a TTL above 0, have to be allowed: DIS has no authentication.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, Datagrams, check_bind, udp_socket
from pelagos.session.security import is_loopback

PORT = 3000  # what DIS programs use
LARGEST = 8192
IP_MULTICAST_ALL = 49  # Linux; Python has no name for it
ON_THIS_MACHINE, EVERYWHERE = "127.0.0.1", "0.0.0.0"


class ExerciseAddress(NamedTuple):
    """An address to hold an exercise at: `kind` is unicast, broadcast or multicast; `listen` 0 is any free port."""

    host: str
    port: int
    listen: int
    kind: str

    @property
    def remote(self) -> bool:
        """Whether other machines may be there; how far a group reaches is said by its TTL."""
        return self.kind != "multicast" and not is_loopback(self.host)


def parse_address(text: str) -> ExerciseAddress:
    """ADDRESS[:PORT[/LISTEN]], an IPv4 address; CommandError for anything else."""
    address, _, ports = str(text).strip().partition(":")
    port, slash, listen = ports.partition("/")
    try:
        ip = ipaddress.IPv4Address(ON_THIS_MACHINE if address == "localhost" else address)
        to, own = int(port) if port else PORT, int(listen) if slash else 0
        if not 0 < to < 65536 or not (0 < own < 65536 or not slash):
            raise ValueError
    except ValueError:
        raise CommandError(
            f"DIS address {text!r}",
            expected="ADDRESS:PORT or ADDRESS:PORT/LISTEN, such as 127.0.0.1:3000, 127.255.255.255:3000 "
            "or 239.1.2.3:3000",
        ) from None
    kind = "multicast" if ip.is_multicast else "broadcast" if str(ip).endswith(".255") else "unicast"
    alone = kind == "unicast" and ip.is_loopback  # the program we send to has that port
    return ExerciseAddress(str(ip), to, own or (0 if alone else to), kind)


class Network:
    """The sockets of an exercise. `take(data, sender)` is called in a thread that reads within a budget.

    Args:
        where: see `parse_address`.
        take: gets every datagram but our own.
        counts: of the link.
        ttl: of multicast; 0 does not leave this machine.
        allowed: addresses that may send; None: all that reach us.
        allow_remote: whether other machines may be reached, and reach us.
        per_s: at most so many datagrams a second are read.
    """

    def __init__(
        self,
        where: str,
        take: Callable[[bytes, Address], None],
        counts: Counts,
        *,
        ttl: int = 0,
        allowed: Collection[str] | None = None,
        allow_remote: bool = False,
        per_s: float = 2000.0,
    ) -> None:
        self.where = place = parse_address(where)
        self._take, self._counts = take, counts
        if not isinstance(ttl, int) or isinstance(ttl, bool) or not 0 <= ttl <= 255:
            raise CommandError(key="DIS ttl", value=ttl, expected="a whole number from 0 to 255")
        if place.remote or (place.kind == "multicast" and ttl > 0):
            check_bind("DIS", place.host, allow_remote)
        reads = _listener(place, ttl)
        try:
            self._sends = reads.dup() if place.kind == "unicast" else _sender(place, ttl)
            self._sends.setblocking(False)  # one with a time-out would wait for it, whatever a flag says
        except OSError as problem:
            reads.close()
            raise CommandError(f"DIS cannot send to {place.host} ({problem.strerror})") from None
        self._own_port = int(self._sends.getsockname()[1])
        self._datagrams = Datagrams(reads, self._hear, counts, per_s=per_s, largest=LARGEST, allowed=allowed)

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._datagrams.port

    @property
    def to(self) -> Address:
        """Where it sends."""
        return self.where.host, self.where.port

    def said(self) -> str:
        """What a user should know, in a sentence."""
        host, port, _, kind = self.where
        return (
            f"DIS goes to {host}:{port} ({kind}) and is heard on port {self.port}; "
            "it has no authentication: whoever reaches that port takes part"
        )

    def send(self, data: bytes, to: Address | None = None) -> bool:
        """Send to all, or to one, without waiting; False, and counted, if the network does not take it."""
        host, port = to or self.to
        try:
            self._sends.sendto(data, (host, port))
        except (BlockingIOError, TimeoutError):
            self._counts.drop("stalled", f"{host}:{port} does not take what is sent; it is dropped")
            return False
        except ConnectionRefusedError:  # of an earlier datagram: nobody listens there yet
            self._counts.add("unheard")
            return False
        except OSError as problem:
            self._counts.drop("unsent", f"nothing can be sent to {host}:{port} ({problem.strerror})")
            return False
        self._counts.add("sent")
        return True

    def close(self) -> None:
        """End the thread, close the sockets."""
        self._datagrams.close()
        self._sends.close()

    def _hear(self, data: bytes, sender: Address) -> None:
        if sender[1] == self._own_port and _is_ours(sender[0]):
            self._counts.add("own")
        else:
            self._take(data, sender)


@lru_cache(maxsize=256)
def _is_ours(host: str) -> bool:
    """Whether an address is one of this machine: only such can be bound."""
    if is_loopback(host):
        return True
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def _listener(place: ExerciseAddress, ttl: int) -> socket.socket:
    """The socket that hears; others may hear on the same port, where all send to one address."""
    if place.kind == "unicast":
        return udp_socket(EVERYWHERE if place.remote else ON_THIS_MACHINE, place.listen)
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((place.host, place.listen))  # to the address itself: nothing else gets in
        if place.kind == "multicast":
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.IPPROTO_IP, IP_MULTICAST_ALL, 0)  # only what was joined here
            joined = struct.pack("=4s4s", socket.inet_aton(place.host), socket.inet_aton(_interface(ttl)))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, joined)
    except OSError as problem:
        sock.close()
        raise CommandError(
            f"DIS cannot listen at {place.host}:{place.listen} ({problem.strerror})",
            expected="an address of a network this machine is in, and a free port",
        ) from None
    return sock


def _sender(place: ExerciseAddress, ttl: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        if place.kind == "broadcast":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        else:
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, ttl)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(_interface(ttl)))
        sock.bind((EVERYWHERE if place.remote or ttl > 0 else ON_THIS_MACHINE, 0))
    except OSError:
        sock.close()
        raise
    return sock


def _interface(ttl: int) -> str:
    """Of a group: the machine itself where nothing may leave it, else the kernel's choice."""
    return ON_THIS_MACHINE if ttl == 0 else EVERYWHERE
