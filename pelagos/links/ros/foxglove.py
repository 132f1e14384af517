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
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.messages import definition, encoder, full_name
from pelagos.links.ros.relay import Begun, Relay, Tick, tick_messages
from pelagos.links.ros.topics import Message, static_message, topics_of

MOST_HEARD = 50
DEAF_S = 5.0
GOODBYE_S = 1.0
LOGGER = "foxglove"


class Overheard(logging.Handler):
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


def hang_up(port: int) -> int:
    """Cut every line of this process that came in at one of its ports; how many. The package has no word for it."""
    n = 0
    try:
        known = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # a system without: its lines end with the program
        return 0
    for fd in known:
        try:
            with socket.socket(fileno=os.dup(fd)) as line:  # a second hold on it: the number may go to another any time
                if line.getsockname()[1] == port and line.getpeername():
                    line.shutdown(socket.SHUT_RDWR)
                    n += 1
        except (OSError, IndexError, TypeError):  # no socket, not of the internet, or ended meanwhile
            continue
    return n


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
        self._overheard = Overheard(counts)
        try:
            self._server: Any = foxglove.start_server(
                name="pelagos", host=host, port=port, context=self._context, capabilities=[Capability.Time],
                message_backlog_size=BACKLOG,
            )  # fmt: skip
        except Exception as problem:  # the package has an exception of its own for a port that is taken
            self._overheard.close()
            raise CommandError(f"foxglove: {host}:{port} cannot be listened to ({problem})") from None
        self.host, self.port = host, int(self._server.port)
        self._channels: dict[str, Any] = {}
        self._static: Message | None = None
        self._static_s = 0.0
        super().__init__("foxglove", say, counts=counts)

    @property
    def address(self) -> str:
        """What to type into Foxglove."""
        return f"ws://{self.host}:{self.port}"

    def start(self, begun: Begun) -> None:
        """Other vehicles, or a reset: viewers forget what was before."""
        kinds = topics_of(begun.crafts)
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
        self._static = static_message(begun.crafts, begun.time_s)
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
        self._overheard.close()


def _still(tick: Tick) -> Tick:
    """A tick without what must not be said twice: readings and events."""
    instants = tuple(now._replace(readings=(), pictures={}) for now in tick.instants)
    return tick._replace(instants=instants, events=())
