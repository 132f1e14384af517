"""UDP sockets of a DIS exercise: all programs send to one address and port, by unicast, broadcast or multicast.

    127.0.0.1:3000             unicast to one program on this machine; receives on a free port
    127.0.0.1:3000/3001        the same, but receives on port 3001
    127.255.255.255:3000       broadcast to all programs on this machine that listen on the port
    239.1.2.3:3000             multicast; with the default TTL of 0, packets stay on this machine
    192.168.1.255:3000         broadcast in a network; 192.168.1.7:3000 is one machine of it

Broadcast and multicast PDUs leave through a separate socket, whose port identifies the packets that come back. Remote
addresses and a TTL above 0 need `allow_remote`, because DIS has no authentication.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import NamedTuple

from pelagos.checks import whole
from pelagos.errors import CommandError, foreign_text
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, Datagrams, check_bind, send_datagram, udp_socket
from pelagos.session.security import is_loopback

PORT = 3000  # the default of most DIS programs
LARGEST = 8192  # bytes of a PDU, the limit of IEEE 1278.1
IP_MULTICAST_ALL = 49  # Linux; Python has no name for it
ON_THIS_MACHINE, EVERYWHERE = "127.0.0.1", "0.0.0.0"


class ExerciseAddress(NamedTuple):
    """Address of an exercise: `kind` is unicast, broadcast or multicast; `listen` 0 means any free port."""

    host: str
    port: int
    listen: int
    kind: str

    @property
    def remote(self) -> bool:
        """Whether packets may reach other machines; for multicast the TTL decides that instead."""
        return self.kind != "multicast" and not is_loopback(self.host)


def parse_address(text: str) -> ExerciseAddress:
    """Parse ADDRESS[:PORT[/LISTEN]] with an IPv4 address; anything else raises CommandError."""
    address, _, ports = str(text).strip().partition(":")
    port, slash, listen = ports.partition("/")
    try:
        ip = ipaddress.IPv4Address(ON_THIS_MACHINE if address == "localhost" else address)
        to, local = int(port) if port else PORT, int(listen) if slash else 0
        if not 0 < to < 65536 or not (0 < local < 65536 or not slash):
            raise ValueError
    except ValueError:
        raise CommandError(
            key="DIS address",
            value=text,
            expected="ADDRESS:PORT or ADDRESS:PORT/LISTEN, such as 127.0.0.1:3000, 127.255.255.255:3000 "
            "or 239.1.2.3:3000",
        ) from None
    kind = "multicast" if ip.is_multicast else "broadcast" if str(ip).endswith(".255") else "unicast"
    alone = kind == "unicast" and ip.is_loopback  # the other program already occupies the port
    return ExerciseAddress(str(ip), to, local or (0 if alone else to), kind)


class Network:
    """UDP sockets of an exercise; a thread of their own reads them at a limited rate.

    Args:
        where: address as parsed by `parse_address`.
        take: callback `take(data, sender)` for each datagram sent by others; runs in the reading thread.
        counts: counters of the link.
        ttl: time to live of multicast; with 0, packets stay on this machine.
        allowed: addresses whose packets are accepted; None: all.
        allow_remote: whether other machines may be reached and may send.
        per_s: largest number of datagrams read per second.
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
        whole("DIS ttl", ttl, 0, 255)
        if place.remote or (place.kind == "multicast" and ttl > 0):
            check_bind("DIS", place.host, allow_remote)
        reads = _listener(place, ttl)
        try:
            # In unicast PDUs leave from the listening port, so that the other program can answer there.
            self._sends = reads.dup() if place.kind == "unicast" else _sender(place, ttl)
            self._sends.setblocking(False)  # a socket with a timeout would wait in spite of MSG_DONTWAIT
        except OSError as problem:
            reads.close()
            message = f"cannot send there ({foreign_text(problem)})"
            raise CommandError(message, key="DIS address", value=place.host) from None
        self._own_port = int(self._sends.getsockname()[1])
        self._datagrams = Datagrams(reads, self._receive, counts, per_s=per_s, largest=LARGEST, allowed=allowed)

    @property
    def port(self) -> int:
        """Port that the exercise listens on."""
        return self._datagrams.port

    @property
    def to(self) -> Address:
        """Address and port that PDUs are sent to."""
        return self.where.host, self.where.port

    def notice(self) -> str:
        """Return the message that tells the user the addresses and that DIS has no authentication."""
        host, port, _, kind = self.where
        return (
            f"DIS goes to {host}:{port} ({kind}) and is heard on port {self.port}; "
            "it has no authentication: whoever reaches that port takes part"
        )

    def send(self, data: bytes, to: Address | None = None) -> bool:
        """Send to the exercise or to one address without waiting; a failure is counted and returns False."""
        return send_datagram(self._sends, data, to or self.to, self._counts)

    def close(self) -> None:
        """Stop the reading thread and close the sockets."""
        self._datagrams.close()
        self._sends.close()

    def _receive(self, data: bytes, sender: Address) -> None:
        if sender[1] == self._own_port and _is_ours(sender[0]):
            self._counts.add("own")
        else:
            self._take(data, sender)


@lru_cache(maxsize=256)
def _is_ours(host: str) -> bool:
    """Return whether an address belongs to this machine; a socket can be bound only to those."""
    if is_loopback(host):
        return True
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def _listener(place: ExerciseAddress, ttl: int) -> socket.socket:
    """Open the receiving socket; other programs may share the port for broadcast and multicast."""
    if place.kind == "unicast":
        return udp_socket(EVERYWHERE if place.remote else ON_THIS_MACHINE, place.listen)
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((place.host, place.listen))  # to the group address itself, so that no unicast gets in
        if place.kind == "multicast":
            with contextlib.suppress(OSError):
                # Linux would otherwise also deliver groups that other programs joined.
                sock.setsockopt(socket.IPPROTO_IP, IP_MULTICAST_ALL, 0)
            joined = struct.pack("=4s4s", socket.inet_aton(place.host), socket.inet_aton(_interface(ttl)))
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, joined)
    except OSError as problem:
        sock.close()
        raise CommandError(
            f"cannot listen there ({foreign_text(problem)})",
            key="DIS address",
            value=f"{place.host}:{place.listen}",
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
    """Return the multicast interface: loopback if packets must stay here, else the choice of the kernel."""
    return ON_THIS_MACHINE if ttl == 0 else EVERYWHERE
