"""Live in Foxglove: a WebSocket server that its application connects to, with the same messages as the files.

Nobody can steer through it: it only shows. A browser page that knows the address can look on, and so can other
machines if the address lets them in: there is no authentication. The server drops what a slow viewer does not take, and
sends one away that asks for more than it takes answers to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.cdr import encoder
from pelagos.links.ros.foxglove_viewers import Overheard, stop_within
from pelagos.links.ros.relay import Begun, Relay, Tick, tick_messages
from pelagos.links.ros.schemas import definition, full_name
from pelagos.links.ros.topics import Message, static_message, topics_of

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
