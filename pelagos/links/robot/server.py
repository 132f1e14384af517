"""The server of the robot link: sockets, clock and world in one loop, in one thread.

The loop never waits for a client: sockets do not block, answers that do not go are kept up to a limit. In lockstep an
order is answered in the pass that reads it. Everybody else, and by a clock the controller too, is heard so many lines
in an interval and no more: what comes over a connection waits there, of datagrams the rest is lost.

Serve a scenario, or a log, to a robot's program: the way in for the command line.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Callable

from pelagos.checks import number
from pelagos.errors import CommandError, foreign_text
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, check_bind, udp_socket
from pelagos.links.robot.clock import Clock
from pelagos.links.robot.host import Host, LockstepSession, SimulationHost
from pelagos.links.robot.messages import LARGEST_LINE, line_of
from pelagos.links.robot.peers import Peer, TcpPeer, UdpPeer
from pelagos.links.robot.protocol import RobotProtocol
from pelagos.links.robot.recorded import RecordedHost
from pelagos.session.security import Listener

LINES = 16  # heard of one client in an interval; of all followers by UDP together
CONTROLLER_LINES = 256  # of the controller, by a clock
LOCKSTEP_S = 0.1  # of the wall: the interval for this, in lockstep
DATAGRAMS = 16  # read in one pass of the loop
MOST_PEERS = 32
FROZEN_WAIT_S = 0.02  # between two looks whether time goes on again
HELLO_S = 10.0  # until then a client has said hello
UDP_SILENT_S = 30.0  # a follower by UDP that says nothing for so long is gone
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class RobotServer:
    """A world behind sockets; see `serve` for the arguments. `run` serves until it is over, and closes everything."""

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
        say: Callable[[str], None] | None = None,
    ) -> None:
        every = ticks_of(world.rate_hz, rate_hz)
        self.clock = Clock(clock, every / world.rate_hz, speed)
        self.counts = Counts("robot link", say)
        self.desk = RobotProtocol(
            world, self.clock, every, self.counts, deadman_s=number("deadman_s", deadman_s, 0.01, 3600.0)
        )  # fmt: skip
        self.world = world
        check_bind("the robot link", host, allow_remote)
        self._selector = selectors.DefaultSelector()
        self._listen = _listening(host, port)
        self.port = int(self._listen.getsockname()[1])
        self._udp: socket.socket | None = None
        try:
            self._udp = udp_socket(host, self.port) if udp else None
        except CommandError:
            self._listen.close()
            raise
        self._selector.register(self._listen, READ)
        if self._udp is not None:
            self._udp.setblocking(False)
            self._selector.register(self._udp, READ)
        self._tcp: dict[TcpPeer, int] = {}  # and what is waited for
        self._datagram_peers: dict[Address, UdpPeer] = {}
        self._heard: dict[Peer | None, int] = {}  # lines in this interval; None: followers by UDP
        self._heard_s = self._swept_s = time.monotonic()
        self._closed = False

    def run(self, stop: threading.Event | None = None) -> None:
        """Serve until the controller ends it, `stop` is set, or Ctrl-C. An error of the world is told and raised."""
        text, complete = "the server was stopped", False
        try:
            while not self.desk.over and not (stop is not None and stop.is_set()):
                self._pass()
            text, complete = self.desk.over or text, True
        except KeyboardInterrupt:
            complete = True  # the log has whole rows, and nobody expects more
        except Exception as problem:
            text = f"the world has ended: {problem}"
            raise
        finally:
            self.close(text, complete)

    def close(self, text: str = "the server was stopped", complete: bool = True) -> None:
        """Say bye to everybody, close sockets and logs; once."""
        if self._closed:
            return
        self._closed = True
        line = line_of({"type": "bye", "text": text})
        for peer in [*self._tcp, *self._datagram_peers.values()]:
            peer.close(line)
        self._selector.close()
        self._listen.close()
        if self._udp is not None:
            self._udp.close()
        self.world.close(complete)

    # ---- one pass ------------------------------------------------------------------------------------------------

    def _pass(self) -> None:
        ready = self._selector.select(FROZEN_WAIT_S if self.desk.pending else self.clock.wait_s())
        for key, mask in ready:
            if key.fileobj is self._listen:
                self._accept()
            elif key.fileobj is self._udp:
                self._hear()
            elif isinstance(key.data, TcpPeer):
                if mask & WRITE:
                    key.data.flush()
                if mask & READ:
                    self._read(key.data)
        if self.clock.due():
            self._begin_interval()
            self.desk.exchange()
        elif self.desk.pending:
            self.desk.exchange()
        elif not ready and not self.clock.running:
            self.world.idle()
        if not self.clock.running and time.monotonic() - self._heard_s > LOCKSTEP_S:
            self._begin_interval()
        self._sweep()

    def _begin_interval(self) -> None:
        """Everybody may be heard again, first those who were cut short."""
        self._heard.clear()
        self._heard_s = time.monotonic()
        for peer in [peer for peer in self._tcp if peer.queue]:
            self._listen_to(peer)

    def _may(self, peer: Peer, key: Peer | None) -> bool:
        """Whether one more line of a client is heard in this interval; it then counts."""
        holds = peer is self.desk.lease.holder
        if holds and not self.clock.free:
            return True
        heard = self._heard[key] = self._heard.get(key, 0) + 1
        return heard <= (CONTROLLER_LINES if holds else LINES)

    def _accept(self) -> None:
        try:
            sock, address = self._listen.accept()
        except OSError:
            return
        peer = TcpPeer(sock, (str(address[0]), int(address[1])), time.monotonic())
        silent = next((one for one in self._tcp if not one.role), None)
        if len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS and silent is not None:
            self.counts.drop("silent", f"{silent} said no hello and makes room for {peer}")
            self._drop(silent, "there was no hello, and another client came")
        if len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS:
            self.counts.drop("crowd", f"{peer} is one client too many; at most {MOST_PEERS} are served")
            peer.send(line_of({"type": "bye", "text": f"{MOST_PEERS} clients are served already"}))
            peer.close()
            return
        self.counts.add("connections")
        self._tcp[peer] = READ
        self._selector.register(sock, READ, peer)

    def _read(self, peer: TcpPeer) -> None:
        peer.queue += peer.read()
        self._listen_to(peer)

    def _listen_to(self, peer: TcpPeer) -> None:
        """Lines that have come, as many as may be."""
        while peer.queue and not self.desk.over and not any(peer is one for one, _ in self.desk.dropped):
            if not self._may(peer, peer):
                self.counts.drop("flood", f"{peer} sends more than is read in an interval; the rest waits", 0)
                return
            self.desk.take(peer, peer.queue.popleft())

    def _hear(self) -> None:
        """Datagrams, some at a time."""
        assert self._udp is not None
        for _ in range(DATAGRAMS):
            try:
                data, sender = self._udp.recvfrom(LARGEST_LINE + 1)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                continue  # an ICMP answer to something sent: nobody listens there any more
            address = (str(sender[0]), int(sender[1]))
            peer = self._datagram_peers.get(address) or UdpPeer(self._udp, address, time.monotonic())
            if not self._may(peer, peer if peer is self.desk.lease.holder else None):
                self.counts.drop("flood", "more datagrams come than are read in an interval; the rest is dropped")
            elif not peer.role and len(self._tcp) + len(self._datagram_peers) >= MOST_PEERS:
                self.counts.drop("crowd", f"{peer} is one client too many; at most {MOST_PEERS} are served")
            elif not self.desk.over:
                self.desk.take(peer, data.rstrip(b"\r\n"))
                if peer.role:
                    self._datagram_peers[address] = peer

    # ---- who goes ------------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Drop who is gone, stalled or sent away; wait for what is wanted of the others."""
        if self.desk.dropped:
            for peer, text in self.desk.dropped:
                self._drop(peer, text)
            self.desk.dropped.clear()
        for peer, waits in list(self._tcp.items()):
            if peer.gone:
                self._drop(peer, "")
                continue
            if peer.stalled:
                self.counts.drop("stalled", f"{peer} does not take what is sent and is dropped")
                self._drop(peer, "")
                continue
            wanted = (0 if peer.queue else READ) | (WRITE if peer.waiting else 0)
            if wanted != waits:
                self._wait_for(peer, waits, wanted)
        for peer in [peer for peer in self._datagram_peers.values() if peer.too_long]:
            text = f"an answer has {peer.too_long} bytes, too many for a datagram; expected TCP"
            self.counts.drop("long", f"{peer}: {text}")
            self._drop(peer, text)
        now = time.monotonic()
        if now - self._swept_s > 1.0:
            self._swept_s = now
            self._forget(now)

    def _wait_for(self, peer: TcpPeer, waits: int, wanted: int) -> None:
        if not waits:
            self._selector.register(peer.socket, wanted, peer)
        elif not wanted:
            self._selector.unregister(peer.socket)
        else:
            self._selector.modify(peer.socket, wanted, peer)
        self._tcp[peer] = wanted

    def _forget(self, now: float) -> None:
        """Clients that never said hello, and followers without a connection that have fallen silent."""
        for peer in [*self._tcp, *self._datagram_peers.values()]:
            silent = now - peer.heard_s
            if not peer.role and silent > HELLO_S:
                self.counts.drop("silent", f"{peer} said no hello within {HELLO_S:g} s and is dropped")
                self._drop(peer, f"there was no hello within {HELLO_S:g} s")
            elif isinstance(peer, UdpPeer) and peer.follows and silent > UDP_SILENT_S:
                self._drop(peer, f"nothing was heard for {UDP_SILENT_S:g} s; say hello to follow on")

    def _drop(self, peer: Peer, text: str) -> None:
        self.desk.left(peer)
        if isinstance(peer, TcpPeer):
            waits = self._tcp.pop(peer, None)
            self._heard.pop(peer, None)
            if waits:
                with contextlib.suppress(KeyError):
                    self._selector.unregister(peer.socket)
            if text:
                peer.send(line_of({"type": "bye", "text": text}))
            peer.close()
        elif isinstance(peer, UdpPeer):
            self._datagram_peers.pop(peer.address, None)
            peer.close(line_of({"type": "bye", "text": text}) if text else b"")


def ticks_of(control_rate_hz: float, rate_hz: float | None) -> int:
    """Ticks in an exchange; CommandError unless the rate of exchanges divides the control rate."""
    if rate_hz is None:
        return 1
    every = control_rate_hz / number("rate_hz", rate_hz, 1e-6, 1e6)
    if round(every) < 1 or abs(every - round(every)) > 1e-6 * every:
        raise CommandError(
            f"rate_hz is {rate_hz:g} with a control rate of {control_rate_hz:g}",
            expected="the control rate, or it divided by a whole number (control_rate_hz in the scenario sets it)",
        )
    return round(every)


def _listening(host: str, port: int) -> Listener:
    """A TCP socket that listens there; CommandError if it is taken."""
    try:
        sock = Listener(host, port)
    except (OSError, OverflowError) as problem:
        reason = foreign_text(problem)
        raise CommandError(f"{host}:{port} cannot be listened to ({reason})", expected="a free port") from None
    sock.setblocking(False)
    return sock


# ---- serve -----------------------------------------------------------------------------------------------------------


def serve(
    host_: LockstepSession | RecordedHost,
    *,
    clock: str = "lockstep",
    rate_hz: float | None = None,
    speed: float = 1.0,
    host: str = "127.0.0.1",
    port: int = 9100,
    udp: bool = False,
    allow_remote: bool = False,
    deadman_s: float = 2.0,
    title: str = "",
    say: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
) -> dict[str, int]:
    """Serve until the controller ends it, `stop` is set or Ctrl-C; the world is closed then. The counts of the link.

    Args:
        host_: a driver, or a log.
        clock: "lockstep" (an order, an interval, an answer), "realtime" or "scaled".
        rate_hz: exchanges in a simulated second; the control rate, or it divided by a whole number.
        speed: of the scaled clock: simulated seconds in a second.
        host: address to listen at.
        allow_remote: let it be one that other machines reach; nobody is asked who he is.
        port: of TCP, and of UDP; 0 for any.
        udp: listen to datagrams too.
        deadman_s: silence of the controller after which what it drives by hand is put to rest; not in lockstep.
        title: of the scenario, for the hello.
        say: gets sentences for people: where it listens, what was dropped and why.
        stop: set it to end.
    """
    world = host_ if isinstance(host_, RecordedHost) else SimulationHost(host_, title)
    server = RobotServer(
        world, clock=clock, rate_hz=rate_hz, speed=speed, host=host, port=port, udp=udp, allow_remote=allow_remote,
        deadman_s=deadman_s, say=say,
    )  # fmt: skip
    if say is not None:
        over = "TCP and UDP" if udp else "TCP"
        say(f"robot link: listens at {host}:{server.port} ({over}, {clock}, no authentication)")
    server.run(stop)
    return server.counts.all()
