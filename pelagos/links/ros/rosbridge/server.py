"""The WebSocket server of rosbridge, in a thread of its own: who is let in, what is read, what is sent.

Everything in here runs in the loop of that thread but `call` and `close`. A client that floods, stalls or comes from a
page elsewhere is counted and sent away; a message that is none is answered with a sentence.

One client of the rosbridge server: what it has subscribed to, how often it may get it, what waits for it.

A subscription with `throttle_rate` gets at most one message in that time: with a `queue_length` the newest so many of
the others wait for their turn, without one they are left out. What a client does not take waits up to a limit; then
the oldest goes, and is counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from pelagos.errors import CommandError, MessageError, MissingExtraError, foreign_text
from pelagos.links.counts import Counts
from pelagos.links.ros.rosbridge.protocol import LARGEST, RosbridgeRequest, parse, status_text
from pelagos.session.security import BACKLOG, ConnectionLimit, Listener, RateLimit, is_loopback

MOST_WAITING = 128  # messages
MOST_SUBSCRIPTIONS = 200
PER_S = 200.0  # messages from one client
MOST_DROPPED = 2000  # of a flood: then the client has to go


class Subscription:
    """One topic for one client. `put` gets the texts that go out."""

    def __init__(self, throttle_s: float, queue_length: int, put: Callable[[str], None]) -> None:
        self.throttle_s, self._put = throttle_s, put
        self._held: deque[str] = deque(maxlen=queue_length)
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, text: str, loop: asyncio.AbstractEventLoop) -> None:
        """A new message of the topic."""
        if self.throttle_s <= 0.0:
            self._put(text)
            return
        now = loop.time()
        if now >= self._due_s and not self._held:
            self._due_s = now + self.throttle_s
            self._put(text)
        elif self._held.maxlen:
            self._held.append(text)
            if self._timer is None:
                self._timer = loop.call_at(self._due_s, self._next, loop)

    def cancel(self) -> None:
        """No more of it."""
        self._held.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        if self._held:
            self._put(self._held.popleft())
            self._due_s = loop.time() + self.throttle_s
            if self._held:
                self._timer = loop.call_at(self._due_s, self._next, loop)


class RosbridgeClient:
    """What the server keeps of one client; used in the loop of the server only."""

    def __init__(self, socket: Any, counts: Counts, loop: asyncio.AbstractEventLoop) -> None:
        self.socket, self._counts, self._loop = socket, counts, loop
        self._subscriptions: dict[str, dict[str | None, Subscription]] = {}
        self._waiting: deque[str] = deque()
        self._some = asyncio.Event()
        self._allowance = RateLimit(PER_S, loop.time)
        self.refused = 0  # messages that were not read

    @property
    def topics(self) -> set[str]:
        """What it has subscribed to."""
        return set(self._subscriptions)

    def allowed(self) -> bool:
        """Whether one more message is read."""
        if self._allowance.take():
            return True
        self.refused += 1
        return False

    @property
    def floods(self) -> bool:
        """Whether so much had to be thrown away that the client shall go."""
        return self.refused >= MOST_DROPPED

    def subscribe(self, topic: str, ident: str | None, throttle_s: float, queue_length: int) -> None:
        """Get a topic from now on; the same id again changes how."""
        if sum(map(len, self._subscriptions.values())) >= MOST_SUBSCRIPTIONS:
            raise MessageError(f"there are {MOST_SUBSCRIPTIONS} subscriptions already", expected="some to end first")
        mine = self._subscriptions.setdefault(topic, {})
        if ident in mine:
            mine[ident].cancel()
        mine[ident] = Subscription(throttle_s, queue_length, self.put)

    def unsubscribe(self, topic: str, ident: str | None) -> None:
        """Get it no more; without an id all subscriptions of the topic end."""
        mine = self._subscriptions.get(topic, {})
        for one in [one for one in mine if ident is None or one == ident]:
            mine.pop(one).cancel()
        if not mine:
            self._subscriptions.pop(topic, None)

    def offer(self, topic: str, text: str) -> None:
        """A message of a topic: once, by the most eager of its subscriptions."""
        mine = self._subscriptions.get(topic)
        if mine:
            min(mine.values(), key=lambda one: one.throttle_s).offer(text, self._loop)

    def put(self, text: str) -> None:
        """Send a text as soon as the client takes it."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._counts.drop("stalled", "a client does not take what it asked for; the oldest of it is left out")
        self._waiting.append(text)
        self._some.set()

    async def take(self) -> str:
        """The next text; waits for one."""
        while not self._waiting:
            self._some.clear()
            await self._some.wait()
        return self._waiting.popleft()

    def close(self) -> None:
        """It is gone."""
        for topic in list(self._subscriptions):
            self.unsubscribe(topic, None)


# ---- rosbridge server ------------------------------------------------------------------------------------------------


MOST_CLIENTS = 16
CROWD = f"there are {MOST_CLIENTS} clients; one more is not let in"
MOST_ARRIVING = 32  # connections that have not shaken hands
HANDSHAKE_S = 10.0
STALLED_S = 10.0  # a client that takes nothing for so long has to go


class RosbridgeServer:
    """Listens at once; CommandError if it cannot.

    Args:
        host: to listen at.
        port: 0 for any that is free.
        counts: of the link.
        follow: does what a client asks for; MessageError is told to it.
        gone: told of a client that has left.
        origins: pages that may connect besides those of this machine.
    """

    def __init__(
        self,
        host: str,
        port: int,
        counts: Counts,
        follow: Callable[[RosbridgeClient, RosbridgeRequest], None],
        gone: Callable[[RosbridgeClient], None],
        origins: Sequence[str] = (),
    ) -> None:
        try:
            import websockets.asyncio.server as server
            from websockets.exceptions import ConnectionClosed
        except ImportError:
            raise MissingExtraError("websockets", "rosbridge", "console") from None
        self._server: Any = server
        self._line_ended = ConnectionClosed
        self.host = host
        self._counts, self._follow, self._gone = counts, follow, gone
        self._origins = tuple(origin.lower() for origin in origins)
        self.clients: set[RosbridgeClient] = set()
        try:
            self._listen = Listener(host, port)
        except (OSError, OverflowError) as problem:
            why = foreign_text(problem)
            raise CommandError(
                f"rosbridge: {host}:{port} cannot be listened to ({why})", expected="a free port"
            ) from None
        self.port = int(self._listen.getsockname()[1])
        self._arriving = ConnectionLimit(MOST_ARRIVING)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="pelagos-rosbridge", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *values: Any) -> None:
        """Have something done in the loop. Any thread may call it."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is there any more
            self._loop.call_soon_threadsafe(function, *values)

    def close(self) -> None:
        """Say goodbye to the clients and end the thread."""
        self.call(self._stop.set)
        self._thread.join(10.0)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()
            self._listen.close()

    async def _serve(self) -> None:
        serving = self._server.serve(
            self._meet, sock=self._listen, backlog=BACKLOG, max_size=LARGEST, max_queue=16, compression=None,
            open_timeout=None, close_timeout=1.0, process_request=self._door, server_header=None,
            create_connection=self._connection(),
        )  # fmt: skip
        async with serving:
            await self._stop.wait()

    def _connection(self) -> Any:
        """The class of connections: one that does not shake hands is cut."""
        arriving = self._arriving

        class Arriving(self._server.ServerConnection):
            def connection_made(self, transport: asyncio.Transport) -> None:
                arriving.put(transport, HANDSHAKE_S)
                super().connection_made(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                arriving.leave(self.transport)
                super().connection_lost(exc)

        return Arriving

    def _door(self, connection: Any, request: Any) -> Any:
        """Refuse pages from elsewhere, for any page can reach a port of this machine; and one client too many."""
        origins = request.headers.get_all("Origin")
        if not all(self._trusted(origin) for origin in origins):
            self._counts.drop("stranger", f"a page of {origins[0][:80]} is not let in")
            return connection.respond(403, "pages from elsewhere are not let in\n")
        if len(self.clients) >= MOST_CLIENTS:
            self._counts.drop("crowd", CROWD)
            return connection.respond(503, "there are too many clients\n")
        return None

    def _trusted(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        try:
            return is_loopback(urlsplit(origin).hostname or "")
        except ValueError:
            return False

    async def _meet(self, socket: Any) -> None:
        if len(self.clients) >= MOST_CLIENTS:  # others shook hands at the same time
            self._counts.drop("crowd", CROWD)
            await socket.close(1013, "there are too many clients")
            return
        self._arriving.leave(socket.transport)
        client = RosbridgeClient(socket, self._counts, self._loop)
        self.clients.add(client)
        self._counts.add("clients")
        sender = asyncio.create_task(self._send(client))
        try:
            async for data in socket:
                self._counts.add("received")
                if client.allowed():
                    self._hear(client, data)
                    continue
                self._counts.drop("flood", "a client sends more messages than are read; the rest is dropped")
                if client.refused == 1:
                    client.put(status_text(f"more than {PER_S:g} messages a second come; the rest is not read"))
                if client.floods:
                    await socket.close(1008, "too many messages")
        except self._line_ended:
            pass
        except Exception as problem:  # a fault of ours must not end the server
            self._counts.drop("failed", f"a client was dropped: {type(problem).__name__}: {problem}")
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            client.close()
            self.clients.discard(client)
            self._gone(client)

    async def _send(self, client: RosbridgeClient) -> None:
        """Send what waits; one that takes nothing has to go."""
        while True:
            text = await client.take()
            try:
                await asyncio.wait_for(client.socket.send(text), STALLED_S)
            except TimeoutError:
                self._counts.drop("stalled", f"a client takes nothing for {STALLED_S:g} s; it is sent away")
                client.socket.transport.abort()
                return
            except self._line_ended:
                return
            self._counts.add("sent")

    def _hear(self, client: RosbridgeClient, data: str | bytes) -> None:
        request = RosbridgeRequest("")
        try:
            request = parse(data)
            self._follow(client, request)
        except MessageError as problem:
            self._counts.drop("malformed", str(problem))
            client.put(status_text(str(problem), request.id))
