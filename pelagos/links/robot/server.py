"""The server of the robot link: sockets, clock and world in one loop.

One thread owns everything here, so nothing is locked; only the `stop` event may be set from another thread. The loop
never blocks on a client: sockets are non-blocking, and answers to slow clients are queued up to a limit. In lockstep an
order is answered in the pass that reads it. The lines of all other clients, and with a free-running clock those of the
controller too, are limited in each interval: over TCP the rest waits, over UDP it is dropped.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Callable

from pelagos.checks import number
from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, check_bind, udp_socket
from pelagos.links.robot.clock import Clock
from pelagos.links.robot.host import Host
from pelagos.links.robot.messages import LARGEST_LINE, encode_line
from pelagos.links.robot.peers import Peer, TcpPeer, UdpPeer
from pelagos.links.robot.protocol import RobotProtocol
from pelagos.session.security import listen_at

LINES = 16  # processed of one client in an interval; of all followers by UDP together
CONTROLLER_LINES = 256  # of the controller, with a free-running clock
LOCKSTEP_S = 0.1  # wall time of an interval for these limits in lockstep
DATAGRAMS = 16  # read in one pass of the loop
MOST_PEERS = 32  # one controller and its followers
FROZEN_WAIT_S = 0.02  # between two checks whether time is still frozen
HELLO_S = 10.0  # a client without a hello by then is dropped
UDP_SILENT_S = 30.0  # a silent follower by UDP is dropped after this time
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class RobotServer:
    """Serves simulations or a log to robot programs; `run` closes the world at the end.

    Args:
        world: the simulations, or a log.
        clock: "lockstep" (an order, an interval, an answer), "realtime" or "scaled".
        rate_hz: exchanges per simulated second: the control rate, or it divided by a whole number.
        speed: real-time factor of the scaled clock.
        host: address to listen at.
        port: of TCP, and of UDP; 0 for any.
        udp: also listen for datagrams.
        allow_remote: allow an address that other machines can reach; the link has no authentication.
        deadman_s: silence of the controller after which directly driven actuators are stopped; not in lockstep.
        report: receives messages for people: the address, and what was dropped and why.
    """

    def __init__(
        self,
        world: Host,
        *,
        clock: str = "lockstep",
        rate_hz: float | None = None,
        speed: float = 1.0,
        host: str = "127.0.0.1",
        port: int = 9100,
        udp: bool = False,
        allow_remote: bool = False,
        deadman_s: float = 2.0,
        report: Callable[[str], None] | None = None,
    ) -> None:
        every = ticks_per_exchange(world.rate_hz, rate_hz)
        self.clock = Clock(clock, every / world.rate_hz, speed)
        self.counts = Counts("robot link", report)
        self.protocol = RobotProtocol(
            world, self.clock, every, self.counts, deadman_s=number("deadman_s", deadman_s, 0.01, 3600.0)
        )  # fmt: skip
        self.world = world
        check_bind("the robot link", host, allow_remote)
        self._selector = selectors.DefaultSelector()
        self._listener = listen_at(host, port, "the robot link")
        self._listener.setblocking(False)
        self.port = int(self._listener.getsockname()[1])
        self._udp: socket.socket | None = None
        try:
            self._udp = udp_socket(host, self.port, "the robot link") if udp else None
        except CommandError:
            self._listener.close()
            raise
        self._selector.register(self._listener, READ)
        if self._udp is not None:
            self._udp.setblocking(False)
            self._selector.register(self._udp, READ)
        self._tcp: dict[TcpPeer, int] = {}  # with the selector events that each is registered for
        self._datagram_peers: dict[Address, UdpPeer] = {}
        self._line_counts: dict[Peer | None, int] = {}  # in this interval; None: all followers by UDP
        self._interval_began_s = self._checked_s = time.monotonic()
        self._closed = False
        if report is not None:
            over = "TCP and UDP" if udp else "TCP"
            report(f"robot link: listens at {host}:{self.port} ({over}, {clock}, no authentication)")

    def run(self, stop: threading.Event | None = None) -> dict[str, int]:
        """Serve until the controller ends it, `stop` is set, or Ctrl-C; then close everything and return the counts.

        Clients get the text of an error of the world, which is then raised again.
        """
        text, complete = "the server was stopped", False
        try:
            while not self.protocol.over and not (stop is not None and stop.is_set()):
                self._pass()
            text, complete = self.protocol.over or text, True
        except KeyboardInterrupt:
            complete = True  # Ctrl-C is a normal end: every row of the log is whole
        except Exception as problem:
            text = f"the world has ended: {problem}"
            raise
        finally:
            self.close(text, complete)
        return self.counts.all()

    def close(self, text: str = "the server was stopped", complete: bool = True) -> None:
        """Send a bye to all clients and close sockets and logs; a second call has no effect."""
        if self._closed:
            return
        self._closed = True
        line = encode_line({"type": "bye", "text": text})
        for peer in [*self._tcp, *self._datagram_peers.values()]:
            peer.close(line)
        self._selector.close()
        self._listener.close()
        if self._udp is not None:
            self._udp.close()
        self.world.close(complete)

    def _pass(self) -> None:
        """One pass of the loop: read and write sockets, exchange if due, drop clients."""
        ready = self._selector.select(FROZEN_WAIT_S if self.protocol.pending else self.clock.wait_s())
        for key, mask in ready:
            if key.fileobj is self._listener:
                self._accept()
            elif key.fileobj is self._udp:
                self._read_datagrams()
            elif isinstance(key.data, TcpPeer):
                if mask & WRITE:
                    key.data.flush()
                if mask & READ:
                    self._read(key.data)
        if self.clock.due():
            self._begin_interval()
            self.protocol.exchange()
        elif self.protocol.pending:
            self.protocol.exchange()
        elif not ready and not self.clock.running:
            self.world.idle()
        if not self.clock.running and time.monotonic() - self._interval_began_s > LOCKSTEP_S:
            self._begin_interval()
        self._update_peers()

    def _begin_interval(self) -> None:
        """Reset the limits of lines, and process lines that waited for it."""
        self._line_counts.clear()
        self._interval_began_s = time.monotonic()
        for peer in [peer for peer in self._tcp if peer.queue]:
            self._process_queue(peer)

    def _within_limit(self, peer: Peer, key: Peer | None) -> bool:
        """Count a line of a client under `key`; whether it may be processed in this interval."""
        holds = peer is self.protocol.lease.holder
        if holds and not self.clock.free:
            return True
        count = self._line_counts[key] = self._line_counts.get(key, 0) + 1
        return count <= (CONTROLLER_LINES if holds else LINES)

    def _accept(self) -> None:
        try:
            sock, address = self._listener.accept()
        except OSError:  # the client has left already
            return
        peer = TcpPeer(sock, (str(address[0]), int(address[1])), time.monotonic())
        silent = next((other for other in self._tcp if not other.role), None)
        # Connections without a hello must not keep a robot out: the oldest of them makes room.
        if len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS and silent is not None:
            self.counts.drop("silent", f"{silent} sent no hello; {peer} takes its place")
            self._drop(silent, "no hello was received, and another client needs the place")
        if len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS:
            self.counts.drop("too_many_clients", f"{peer} is one client too many; at most {MOST_PEERS} are served")
            peer.send(encode_line({"type": "bye", "text": f"{MOST_PEERS} clients are served already"}))
            peer.close()
            return
        self.counts.add("connections")
        self._tcp[peer] = READ
        self._selector.register(sock, READ, peer)

    def _read(self, peer: TcpPeer) -> None:
        peer.queue += peer.read()
        self._process_queue(peer)

    def _process_queue(self, peer: TcpPeer) -> None:
        """Process the lines of a client up to its limit."""
        protocol = self.protocol
        while peer.queue and not protocol.over and not any(peer is other for other, _ in protocol.dropped):
            if not self._within_limit(peer, peer):
                self.counts.drop("flood", f"{peer} sends more than is read in an interval; the rest waits", 0)
                return
            protocol.receive(peer, peer.queue.popleft())

    def _read_datagrams(self) -> None:
        """Read and process at most DATAGRAMS datagrams."""
        assert self._udp is not None
        for _ in range(DATAGRAMS):
            try:
                data, sender = self._udp.recvfrom(LARGEST_LINE + 1)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                continue  # an ICMP error for an earlier datagram: the port of that client is closed
            address = (str(sender[0]), int(sender[1]))
            peer = self._datagram_peers.get(address) or UdpPeer(self._udp, address, time.monotonic())
            # Senders without a connection share one limit, or a flood from many ports would pass it.
            if not self._within_limit(peer, peer if peer is self.protocol.lease.holder else None):
                self.counts.drop("flood", "more datagrams come than are read in an interval; the rest is dropped")
            elif not peer.role and len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS:
                self.counts.drop("too_many_clients", f"{peer} is one client too many; at most {MOST_PEERS} are served")
            elif not self.protocol.over:
                self.protocol.receive(peer, data.rstrip(b"\r\n"))
                if peer.role:
                    self._datagram_peers[address] = peer

    def _update_peers(self) -> None:
        """Drop clients that have left, stalled or been refused; update the selector events of the others."""
        if self.protocol.dropped:
            for peer, text in self.protocol.dropped:
                self._drop(peer, text)
            self.protocol.dropped.clear()
        for peer, registered in list(self._tcp.items()):
            if peer.gone:
                self._drop(peer, "")
                continue
            if peer.stalled:
                self.counts.drop("stalled", f"{peer} reads too slowly and is dropped")
                self._drop(peer, "")
                continue
            # A client with unprocessed lines is not read: its input waits in the network, not in our memory.
            events = (0 if peer.queue else READ) | (WRITE if peer.waiting else 0)
            if events != registered:
                self._register(peer, registered, events)
        for peer in [peer for peer in self._datagram_peers.values() if peer.too_long]:
            text = f"an answer has {peer.too_long} bytes, too many for a datagram; expected TCP"
            self.counts.drop("long", f"{peer}: {text}")
            self._drop(peer, text)
        now = time.monotonic()
        if now - self._checked_s > 1.0:
            self._checked_s = now
            self._drop_silent(now)

    def _register(self, peer: TcpPeer, registered: int, events: int) -> None:
        """Change the selector events of a client."""
        if not registered:
            self._selector.register(peer.socket, events, peer)
        elif not events:
            self._selector.unregister(peer.socket)
        else:
            self._selector.modify(peer.socket, events, peer)
        self._tcp[peer] = events

    def _drop_silent(self, now: float) -> None:
        """Drop clients without a hello, and silent followers by UDP, which cannot show that they have left."""
        for peer in [*self._tcp, *self._datagram_peers.values()]:
            silent = now - peer.received_s
            if not peer.role and silent > HELLO_S:
                self.counts.drop("silent", f"{peer} sent no hello within {HELLO_S:g} s and is dropped")
                self._drop(peer, f"no hello was received within {HELLO_S:g} s")
            elif isinstance(peer, UdpPeer) and peer.follows and silent > UDP_SILENT_S:
                self._drop(peer, f"nothing was received for {UDP_SILENT_S:g} s; send a hello to continue")

    def _drop(self, peer: Peer, text: str) -> None:
        self.protocol.remove(peer)
        if isinstance(peer, TcpPeer):
            registered = self._tcp.pop(peer, None)
            self._line_counts.pop(peer, None)
            if registered:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(peer.socket)
            if text:
                peer.send(encode_line({"type": "bye", "text": text}))
            peer.close()
        elif isinstance(peer, UdpPeer):
            self._datagram_peers.pop(peer.address, None)
            peer.close(encode_line({"type": "bye", "text": text}) if text else b"")


def ticks_per_exchange(control_rate_hz: float, rate_hz: float | None) -> int:
    """Control intervals in an exchange; CommandError unless the rate of exchanges divides the control rate."""
    if rate_hz is None:
        return 1
    every = control_rate_hz / number("rate_hz", rate_hz, 1e-6, 1e6)
    if round(every) < 1 or abs(every - round(every)) > 1e-6 * every:
        rate = f"the control rate of {control_rate_hz:g} Hz (control_rate_hz in the scenario sets it)"
        raise CommandError(key="rate_hz", value=rate_hz, expected=f"{rate}, or it divided by a whole number")
    return round(every)
