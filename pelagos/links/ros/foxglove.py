"""Live in Foxglove: a WebSocket server that its application connects to, with the same messages as the files.

Nobody can steer through it: it only shows. A browser page that knows the address can look on, and so can other
machines if the address lets them in: there is no authentication. The server drops what a slow viewer does not take, and
sends one away that asks for more than it takes answers to.

Viewers of the live server that know no manners: what the package says of them is counted, and none holds up the end.

The package tells its troubles to the logger `foxglove`, a line for every message that is none. Hundred thousands of
them from one viewer would fill the terminal and keep the interpreter from the simulation; so they are counted here, and
after MOST_HEARD the logger is deaf for DEAF_S. The package itself then sends away who asks without listening.

Its server ends when every line has ended. One that never finished to open, or is full, would take for ever: after
GOODBYE_S such lines are cut.

It also takes any number of lines, for as long as they like, and ends for good when there are no file descriptors left.
On Linux, where the lines of a process can be listed, there are at most MOST_LINES, one that has not shaken hands is cut
after HANDSHAKE_S, and a server that has ended is begun anew.
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

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.messages import definition, encoder, full_name
from pelagos.links.ros.relay import Relay, RunStart, Tick, tick_messages
from pelagos.links.ros.topics import Message, static_message, topics_of

MOST_HEARD = 50
DEAF_S = 5.0
GOODBYE_S = 1.0
LOOK_S = 0.5  # between two looks at the lines
MOST_LINES = 32
HANDSHAKE_S = 10.0
BYTES_ACKED = 120  # where tcp_info of Linux has how many bytes the other side has taken, as u64
HANDSHAKE = 100  # bytes: the answer to a handshake has more
LOGGER = "foxglove"


class ViewerLog(logging.Handler):
    """Counts what the package says of viewers; from when it is made until it is closed."""

    def __init__(self, counts: Counts, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.INFO)
        self._counts, self._clock = counts, clock
        self._heard, self._deaf_s = 0, 0.0
        self._logger = logging.getLogger(LOGGER)
        self._before = self._logger.level, self._logger.propagate
        self._logger.addHandler(self)
        self._logger.propagate = False
        self._logger.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        """One line of the package; in any of its threads."""
        if record.levelno >= logging.WARNING:
            self._counts.drop("malformed", "a viewer sends what is no message, or asks for what is not there")
        elif "outbox" in record.getMessage():
            self._counts.drop("stalled", "a viewer does not take what it asked for; the oldest of it is left out")
        self._heard += 1
        if self._heard >= MOST_HEARD and self._logger.level <= logging.CRITICAL:
            self._deaf_s = self._clock()
            self._logger.setLevel(logging.CRITICAL + 1)

    def listen(self) -> None:
        """Hear again, if it has been deaf for long enough."""
        if self._heard and self._clock() - self._deaf_s >= DEAF_S:
            self._heard, self._deaf_s = 0, self._clock()
            self._logger.setLevel(logging.INFO)

    def close(self) -> None:
        """The logger is as before."""
        self._logger.removeHandler(self)
        level, self._logger.propagate = self._before
        self._logger.setLevel(level)
        super().close()


def stop_within(stop: Callable[[], object], port: int, goodbye_s: float = GOODBYE_S) -> bool:
    """Call what ends a server at a port, and cut its lines if that takes too long; whether it ended."""
    thread = threading.Thread(target=stop, name="pelagos-foxglove-stop", daemon=True)
    thread.start()
    thread.join(goodbye_s)
    if thread.is_alive():
        hang_up(port)
        thread.join(5.0 * goodbye_s)
    return not thread.is_alive()


def sockets_at(port: int) -> Iterator[socket.socket]:
    """Every socket of this process at one of its ports: the one that listens, and lines that came in."""
    try:
        known = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # a system without: its lines end with the program
        return
    for fd in known:
        with contextlib.suppress(OSError):  # ended meanwhile
            held = os.dup(fd)  # a second hold on it: the number may go to another any time
            try:
                one = socket.socket(fileno=held)
            except OSError:  # no socket
                os.close(held)
                continue
            with one, contextlib.suppress(IndexError, TypeError):  # not of the internet
                if one.getsockname()[1] == port:
                    yield one


def hang_up(port: int, only: Sequence[Any] | None = None) -> int:
    """Cut every line that came in at a port, or those from some addresses; how many. The package has no word for it."""
    n = 0
    for line in sockets_at(port):
        with contextlib.suppress(OSError):  # the one that listens, or a line that has ended
            from_ = line.getpeername()
            if only is None or from_ in only:
                line.shutdown(socket.SHUT_RDWR)
                n += 1
    return n


class ViewerConnections:
    """The lines of a server at a port, looked at now and then."""

    def __init__(self, port: int, counts: Counts, clock: Callable[[], float] = time.monotonic) -> None:
        self._port, self._counts, self._clock = port, counts, clock
        self._since: dict[Any, float] = {}  # when each was first seen
        self._spare: list[int] = []  # descriptors to look with when there are no others
        self._keep_spare()

    def check(self) -> bool:
        """Cut lines that are too many, or do not shake hands; whether the server still listens."""
        self.close()
        listens, opened = False, dict[Any, bool]()
        for one in sockets_at(self._port):
            with contextlib.suppress(OSError):
                if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    listens = True
                else:
                    info = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                    opened[one.getpeername()] = struct.unpack_from("=Q", info, BYTES_ACKED)[0] > HANDSHAKE
        now = self._clock()
        self._since = {line: self._since.get(line, now) for line in opened}
        late = [line for line, begun in self._since.items() if not opened[line] and now - begun > HANDSHAKE_S]
        arriving = [line for line in opened if not opened[line] and line not in late]  # the first to come goes first
        viewers = [line for line in opened if opened[line]]  # the last to come goes first
        others = sorted(arriving, key=self._since.__getitem__) + sorted(viewers, key=lambda one: -self._since[one])
        cut = [*late, *others[: max(0, len(others) - MOST_LINES)]]
        if cut:
            n = hang_up(self._port, cut)
            self._counts.drop("crowd", "lines are cut that are too many, or do not shake hands", n)
        self._keep_spare()
        return listens

    def close(self) -> None:
        """Give up what is kept."""
        while self._spare:
            os.close(self._spare.pop())

    def _keep_spare(self) -> None:
        with contextlib.suppress(OSError):
            while len(self._spare) < 2:
                self._spare.append(os.open(os.devnull, os.O_RDONLY))


# ---- foxglove --------------------------------------------------------------------------------------------------------


PORT = 8765
STATIC_S = 1.0  # frames that do not move are told anew so often, for those who come late
BACKLOG = 1024  # messages that wait for one viewer


class FoxgloveServer(Relay):
    """Shows a flight to Foxglove at ws://HOST:PORT, subprotocol foxglove.sdk.v1.

    Args:
        host: to listen at.
        port: 0 for any that is free; see `port`.
        allow_remote: needed for a host that others can reach.
        say: gets sentences about what was dropped.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        say: Callable[[str], None] | None = None,
    ) -> None:
        try:
            import foxglove
            from foxglove.websocket import Capability
        except ImportError:
            raise MissingExtraError("foxglove-sdk", "a live view in Foxglove", "foxglove") from None
        check_bind("foxglove", host, allow_remote)
        self._foxglove: Any = foxglove
        self._context: Any = foxglove.Context()
        counts = Counts("foxglove", say)
        self._overheard = ViewerLog(counts)
        self._begin: Callable[[int], Any] = lambda port: foxglove.start_server(
            name="pelagos", host=host, port=port, context=self._context, capabilities=[Capability.Time],
            message_backlog_size=BACKLOG,
        )  # fmt: skip
        try:
            self._server: Any = self._begin(port)
        except Exception as problem:  # the package has an exception of its own for a port that is taken
            self._overheard.close()
            raise CommandError(f"{host}:{port} cannot be listened to ({problem})", file="foxglove") from None
        self.host, self.port = host, int(self._server.port)
        self._lines = ViewerConnections(self.port, counts) if sys.platform == "linux" else None
        self._looked_s = time.monotonic()
        self._channels: dict[str, Any] = {}
        self._static: Message | None = None
        self._static_s = 0.0
        super().__init__("foxglove", say, counts=counts)

    @property
    def address(self) -> str:
        """What to type into Foxglove."""
        return f"ws://{self.host}:{self.port}"

    def start(self, begun: RunStart) -> None:
        """Other vehicles, or a reset: viewers forget what was before."""
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

    def wanted(self) -> bool:
        """Whether somebody has asked for anything."""
        return any(channel.has_sinks() for channel in self._channels.values())

    def write(self, messages: Sequence[Message]) -> None:
        """To those who look on; nothing is encoded that nobody has asked for."""
        self._overheard.listen()
        if messages:
            self._server.broadcast_time(messages[0].time_ns)
        now = time.monotonic()
        if self._static is not None and now - self._static_s >= STATIC_S:
            self._static_s = now
            self._send(self._static)
        for message in messages:
            self._send(message)

    def mind(self) -> None:
        """Look at the lines of viewers."""
        now = time.monotonic()
        if self._lines is None or now - self._looked_s < LOOK_S:
            return
        self._looked_s = now
        if self._lines.check():
            return
        with contextlib.suppress(Exception):  # no descriptor for it yet, or it does listen and could not be seen
            anew = self._begin(self.port)
            self._counts.drop("failed", "the server of the package had ended, and is begun anew")
            ended, self._server = self._server, anew
            stop_within(ended.stop, self.port)

    def rest(self) -> None:
        """Time stands still: whoever comes now sees where everything is all the same, once a second."""
        self._overheard.listen()
        if self._last is not None and self.wanted() and time.monotonic() - self._static_s >= STATIC_S:
            self.write(tick_messages(_still(self._last)))

    def _send(self, message: Message) -> None:
        channel = self._channels[message.topic]
        if channel.has_sinks():
            channel.log(encoder(message.type)(message.values), log_time=message.time_ns)
            self._counts.add("sent")

    def finish(self) -> None:
        """Say goodbye to the viewers."""
        for channel in self._channels.values():
            channel.close()
        if not stop_within(self._server.stop, self.port):
            self._counts.drop("stalled", "a viewer does not let go of its line; it is left to the end of the program")
        if self._lines is not None:
            self._lines.close()
        self._overheard.close()


def _still(tick: Tick) -> Tick:
    """A tick without what must not be said twice: readings and events."""
    instants = tuple(now._replace(readings=(), pictures={}) for now in tick.instants)
    return tick._replace(instants=instants, events=())
