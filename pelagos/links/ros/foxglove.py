"""Live view in Foxglove: a WebSocket server with the same messages as the MCAP files.

Viewers cannot control anything. There is no authentication: any browser page that has the address can watch, and other
machines can if the address is reachable. The server drops messages that a slow viewer does not take and disconnects a
viewer that sends more requests than it reads answers.

The server itself is the package foxglove-sdk, which needs three safeguards against misbehaving viewers:

- It logs a line to the logger `foxglove` for every invalid message. Many thousands of them would fill the terminal and
  slow down the simulation, so they are counted here, and after MOST_LINES_LOGGED the logger is muted for MUTED_S.
- It stops only after every connection has ended, which one that never opened or whose buffers are full does not do.
  After GOODBYE_S such connections are shut down.
- It accepts any number of connections, and stops for good when the process has no file descriptors left. On Linux,
  where a process can list its sockets, there are at most MOST_CONNECTIONS, one without a handshake is shut down after
  HANDSHAKE_S, and a server that has stopped is started again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pelagos.errors import MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.messages import definition, encoder, full_name
from pelagos.links.ros.relay import Relay, RunStart, Tick, tick_messages
from pelagos.links.ros.topics import Message, static_message, topics_of
from pelagos.session.security import cannot_listen

PORT = 8765  # default of Foxglove
STATIC_S = 1.0  # static frames are repeated this often, for viewers that connect later
BACKLOG = 1024  # messages that wait for one viewer
MOST_LINES_LOGGED = 50
MUTED_S = 5.0
GOODBYE_S = 1.0
CHECK_S = 0.5  # between two checks of the connections
MOST_CONNECTIONS = 32  # far below the usual limit of 1024 file descriptors
HANDSHAKE_S = 10.0  # a connection without a handshake by then is closed
BYTES_ACKED = 120  # offset of tcpi_bytes_acked (u64) in struct tcp_info of Linux
HANDSHAKE = 100  # bytes: the answer to a handshake is longer
LOGGER = "foxglove"


class ViewerLog(logging.Handler):
    """Log handler that counts the messages of foxglove-sdk about viewers until it is closed."""

    def __init__(self, counts: Counts, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.INFO)
        self._counts, self._clock = counts, clock
        self._logged, self._muted_s = 0, 0.0
        self._logger = logging.getLogger(LOGGER)
        self._before = self._logger.level, self._logger.propagate
        self._logger.addHandler(self)
        self._logger.propagate = False
        self._logger.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        """Count one log record; called in any thread of the package."""
        if record.levelno >= logging.WARNING:
            self._counts.drop("malformed", "a viewer sends an invalid message or requests an unknown topic")
        elif "outbox" in record.getMessage():
            self._counts.drop("stalled", "a viewer reads too slowly; its oldest messages are dropped")
        self._logged += 1
        if self._logged >= MOST_LINES_LOGGED and self._logger.level <= logging.CRITICAL:
            self._muted_s = self._clock()
            self._logger.setLevel(logging.CRITICAL + 1)

    def unmute(self) -> None:
        """Enable the logger again after MUTED_S."""
        if self._logged and self._clock() - self._muted_s >= MUTED_S:
            self._logged, self._muted_s = 0, self._clock()
            self._logger.setLevel(logging.INFO)

    def close(self) -> None:
        """Restore the logger."""
        self._logger.removeHandler(self)
        level, self._logger.propagate = self._before
        self._logger.setLevel(level)
        super().close()


def stop_within(stop: Callable[[], object], port: int, goodbye_s: float = GOODBYE_S) -> bool:
    """Stop a server on a port, shut down its connections if that takes too long, and return whether it stopped."""
    thread = threading.Thread(target=stop, name="pelagos-foxglove-stop", daemon=True)
    thread.start()
    thread.join(goodbye_s)
    if thread.is_alive():
        shut_down_connections(port)
        thread.join(5.0 * goodbye_s)
    return not thread.is_alive()


def sockets_at(port: int) -> Iterator[socket.socket]:
    """Yield the sockets of this process on one port: the listening one and accepted connections."""
    try:
        descriptors = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # not available on this system: connections end with the program
        return
    for descriptor in descriptors:
        with contextlib.suppress(OSError):  # closed meanwhile
            duplicate = os.dup(descriptor)  # the package may close the original and reuse its number at any time
            try:
                sock = socket.socket(fileno=duplicate)
            except OSError:  # not a socket
                os.close(duplicate)
                continue
            with sock, contextlib.suppress(IndexError, TypeError):  # not an internet socket
                if sock.getsockname()[1] == port:
                    yield sock


def shut_down_connections(port: int, only: Sequence[Any] | None = None) -> int:
    """Shut down all connections on a port, or those from some addresses; returns their number.

    The package has no function for it.
    """
    n = 0
    for sock in sockets_at(port):
        with contextlib.suppress(OSError):  # getpeername fails for the listening socket and for ended connections
            peer = sock.getpeername()
            if only is None or peer in only:
                sock.shutdown(socket.SHUT_RDWR)
                n += 1
    return n


class ViewerConnections:
    """Limits on the connections of a server on a port."""

    def __init__(self, port: int, counts: Counts, clock: Callable[[], float] = time.monotonic) -> None:
        self._port, self._counts, self._clock = port, counts, clock
        self._since: dict[Any, float] = {}  # time of the first check that found it
        self._spare: list[int] = []  # reserved descriptors: `check` works even if the process has no others left
        self._keep_spare()

    def check(self) -> bool:
        """Shut down surplus connections and those without a handshake; return whether the server still listens."""
        self.close()
        listens, opened = False, dict[Any, bool]()
        for sock in sockets_at(self._port):
            with contextlib.suppress(OSError):
                if sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    listens = True
                else:
                    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                    opened[sock.getpeername()] = struct.unpack_from("=Q", info, BYTES_ACKED)[0] > HANDSHAKE
        now = self._clock()
        self._since = {peer: self._since.get(peer, now) for peer in opened}
        late = [peer for peer, since_s in self._since.items() if not opened[peer] and now - since_s > HANDSHAKE_S]
        # Surplus connections go in this order: those still in the handshake, oldest first, then viewers, newest first.
        arriving = [peer for peer in opened if not opened[peer] and peer not in late]
        viewers = [peer for peer in opened if opened[peer]]
        others = sorted(arriving, key=self._since.__getitem__) + sorted(viewers, key=lambda peer: -self._since[peer])
        surplus = [*late, *others[: max(0, len(others) - MOST_CONNECTIONS)]]
        if surplus:
            n = shut_down_connections(self._port, surplus)
            self._counts.drop("too_many_clients", "connections over the limit or without a handshake are closed", n)
        self._keep_spare()
        return listens

    def close(self) -> None:
        """Close the reserved descriptors."""
        while self._spare:
            os.close(self._spare.pop())

    def _keep_spare(self) -> None:
        with contextlib.suppress(OSError):
            while len(self._spare) < 2:
                self._spare.append(os.open(os.devnull, os.O_RDONLY))


class FoxgloveServer(Relay):
    """Session link that shows a flight in Foxglove at ws://HOST:PORT, subprotocol foxglove.sdk.v1.

    Args:
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        allow_remote: required for an address that other machines can reach.
        report: callback for messages about dropped data.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        report: Callable[[str], None] | None = None,
    ) -> None:
        try:
            import foxglove
            from foxglove.websocket import Capability
        except ImportError:
            raise MissingExtraError("foxglove-sdk", "a live view in Foxglove", "foxglove") from None
        check_bind("foxglove", host, allow_remote)
        self._foxglove: Any = foxglove
        self._context: Any = foxglove.Context()
        counts = Counts("foxglove", report)
        self._viewer_log = ViewerLog(counts)
        self._start_server: Callable[[int], Any] = lambda port: foxglove.start_server(
            name="pelagos", host=host, port=port, context=self._context, capabilities=[Capability.Time],
            message_backlog_size=BACKLOG,
        )  # fmt: skip
        try:
            self._server: Any = self._start_server(port)
        except Exception as problem:  # the package raises its own exception if the port is taken
            self._viewer_log.close()
            raise cannot_listen(host, port, problem, "foxglove") from None
        self.host, self.port = host, int(self._server.port)
        self._connections = ViewerConnections(self.port, counts) if sys.platform == "linux" else None
        self._checked_s = time.monotonic()
        self._channels: dict[str, Any] = {}
        self._static: Message | None = None
        self._static_s = 0.0
        super().__init__("foxglove", report, counts=counts)

    @property
    def address(self) -> str:
        """Address to enter in Foxglove."""
        return f"ws://{self.host}:{self.port}"

    def start(self, begun: RunStart) -> None:
        """Advertise the topics of a new run and clear the history of the viewers."""
        kinds = topics_of(begun.vehicles)
        for topic in [topic for topic in self._channels if topic not in kinds]:
            self._channels.pop(topic).close()
        for topic, kind in kinds.items():
            if topic not in self._channels:
                schema = self._foxglove.Schema(
                    name=full_name(kind), encoding="ros2msg", data=definition(kind).encode()
                )  # fmt: skip
                self._channels[topic] = self._foxglove.Channel(
                    topic, schema=schema, message_encoding="cdr", context=self._context
                )
        if self._static is not None:
            self._server.clear_session()
        self._static = static_message(begun.vehicles, begun.time_s)
        self._static_s = 0.0

    def has_subscribers(self) -> bool:
        """Return whether any topic has a subscriber."""
        return any(channel.has_sinks() for channel in self._channels.values())

    def write(self, messages: Sequence[Message]) -> None:
        """Send messages to their subscribers; only subscribed topics are encoded."""
        self._viewer_log.unmute()
        if messages:
            self._server.broadcast_time(messages[0].time_ns)
        now = time.monotonic()
        if self._static is not None and now - self._static_s >= STATIC_S:
            self._static_s = now
            self._send(self._static)
        for message in messages:
            self._send(message)

    def check_connections(self) -> None:
        """Check the connections of viewers, and start the server again if it has stopped."""
        now = time.monotonic()
        if self._connections is None or now - self._checked_s < CHECK_S:
            return
        self._checked_s = now
        if self._connections.check():
            return
        with contextlib.suppress(Exception):  # no free descriptor yet, or it listens and the check could not see it
            restarted = self._start_server(self.port)
            self._counts.drop("failed", "the server of the package has stopped and is restarted")
            stopped, self._server = self._server, restarted
            stop_within(stopped.stop, self.port)

    def rest(self) -> None:
        """Repeat the last state once a second while no ticks come, for viewers that connect now."""
        self._viewer_log.unmute()
        if self._last is not None and self.has_subscribers() and time.monotonic() - self._static_s >= STATIC_S:
            self.write(tick_messages(_still(self._last)))

    def _send(self, message: Message) -> None:
        channel = self._channels[message.topic]
        if channel.has_sinks():
            # Only the thread of the relay may call `log`. With a second caller both were seen to stand still: one in
            # the package's message "outbox full", which goes through Python's logging, the other in `log`.
            channel.log(encoder(message.type)(message.values), log_time=message.time_ns)
            self._counts.add("sent")

    def finish(self) -> None:
        """Close the channels and stop the server."""
        for channel in self._channels.values():
            channel.close()
        if not stop_within(self._server.stop, self.port):
            self._counts.drop("stalled", "a viewer does not close its connection; it stays open until the program ends")
        if self._connections is not None:
            self._connections.close()
        self._viewer_log.close()


def _still(tick: Tick) -> Tick:
    """Return a tick without readings and events, which must not be sent twice."""
    instants = tuple(now._replace(readings=(), pictures={}) for now in tick.instants)
    return tick._replace(instants=instants, events=())
