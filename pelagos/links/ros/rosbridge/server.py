"""WebSocket server of rosbridge in its own thread: connections, limits, subscriptions and queues of its clients.

Everything except `call` and `close` runs in the event loop of that thread. A client that floods or stalls, or a browser
page from elsewhere, is counted and disconnected; an invalid message is answered with an error message.

A subscription with `throttle_rate` gets at most one message in that time: with a `queue_length` the newest ones wait,
without one they are dropped. Messages that a client does not read wait up to a limit; then the oldest is dropped and
counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from pelagos.errors import MessageError, MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.ros.rosbridge.protocol import LARGEST, RosbridgeRequest, parse, status_text
from pelagos.session.security import BACKLOG, ConnectionLimit, RateLimit, is_loopback, listen_at

MOST_WAITING = 128  # messages that wait for a client
MOST_SUBSCRIPTIONS = 200  # of a client: bounds its memory
PER_S = 200.0  # messages read from one client per second
MOST_DROPPED = 2000  # messages of a client above the rate limit before it is disconnected
MOST_CLIENTS = 16  # as at the console
TOO_MANY_CLIENTS = f"there are {MOST_CLIENTS} clients already; no more can connect"
MOST_ARRIVING = 32  # connections before their handshake
HANDSHAKE_S = 10.0  # a connection without a handshake by then is closed
STALLED_S = 10.0  # a client that reads nothing for this long is disconnected


class Subscription:
    """Subscription of one client to one topic; `put` sends a text to the client."""

    def __init__(self, throttle_s: float, queue_length: int, put: Callable[[str], None]) -> None:
        self.throttle_s, self._put = throttle_s, put
        self._held: deque[str] = deque(maxlen=queue_length)
        self._due_s = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, text: str, loop: asyncio.AbstractEventLoop) -> None:
        """Send, queue or drop a new message of the topic."""
        if self.throttle_s <= 0.0:
            self._put(text)
            return
        now = loop.time()
        # Queued messages go first, so that the order is kept.
        if now >= self._due_s and not self._held:
            self._due_s = now + self.throttle_s
            self._put(text)
        elif self._held.maxlen:
            self._held.append(text)
            if self._timer is None:
                self._timer = loop.call_at(self._due_s, self._next, loop)

    def cancel(self) -> None:
        """End the subscription."""
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
    """State of one client; used in the event loop of the server only."""

    def __init__(self, socket: Any, counts: Counts, loop: asyncio.AbstractEventLoop) -> None:
        self.socket, self._counts, self._loop = socket, counts, loop
        self._subscriptions: dict[str, dict[str | None, Subscription]] = {}
        self._waiting: deque[str] = deque()
        self._nonempty = asyncio.Event()
        self._allowance = RateLimit(PER_S, loop.time)
        self.refused = 0  # messages dropped because of the rate limit

    @property
    def topics(self) -> set[str]:
        """Topics that the client has subscribed to."""
        return set(self._subscriptions)

    def allowed(self) -> bool:
        """Return whether the rate limit allows one more message."""
        if self._allowance.take():
            return True
        self.refused += 1
        return False

    @property
    def floods(self) -> bool:
        """Whether the client has exceeded the rate limit so often that it must be disconnected."""
        return self.refused >= MOST_DROPPED

    def subscribe(self, topic: str, ident: str | None, throttle_s: float, queue_length: int) -> None:
        """Subscribe to a topic; the same id again replaces the subscription."""
        if sum(map(len, self._subscriptions.values())) >= MOST_SUBSCRIPTIONS:
            expected = f"at most {MOST_SUBSCRIPTIONS}; unsubscribe from some first"
            raise MessageError("the client has too many subscriptions", expected=expected)
        subscriptions = self._subscriptions.setdefault(topic, {})
        if ident in subscriptions:
            subscriptions[ident].cancel()
        subscriptions[ident] = Subscription(throttle_s, queue_length, self.put)

    def unsubscribe(self, topic: str, ident: str | None) -> None:
        """End a subscription; without an id, all subscriptions of the topic."""
        subscriptions = self._subscriptions.get(topic, {})
        for key in [key for key in subscriptions if ident is None or key == ident]:
            subscriptions.pop(key).cancel()
        if not subscriptions:
            self._subscriptions.pop(topic, None)

    def offer(self, topic: str, text: str) -> None:
        """Send a message of a topic once, by the subscription with the shortest throttle time."""
        subscriptions = self._subscriptions.get(topic)
        if subscriptions:
            min(subscriptions.values(), key=lambda subscription: subscription.throttle_s).offer(text, self._loop)

    def put(self, text: str) -> None:
        """Queue a text for the client."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._counts.drop("stalled", "a client reads too slowly; its oldest messages are dropped")
        self._waiting.append(text)
        self._nonempty.set()

    async def take(self) -> str:
        """Wait for the next text of the queue."""
        while not self._waiting:
            self._nonempty.clear()
            await self._nonempty.wait()
        return self._waiting.popleft()

    def close(self) -> None:
        """End all subscriptions."""
        for topic in list(self._subscriptions):
            self.unsubscribe(topic, None)


class RosbridgeServer:
    """WebSocket server that listens as soon as it is made; CommandError if it cannot.

    Args:
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        counts: counters of the link.
        handle: handles a request of a client; its MessageError is sent to the client.
        client_left: called when a client has disconnected.
        origins: origins of pages that may connect besides those of this machine.
    """

    def __init__(
        self,
        host: str,
        port: int,
        counts: Counts,
        handle: Callable[[RosbridgeClient, RosbridgeRequest], None],
        client_left: Callable[[RosbridgeClient], None],
        origins: Sequence[str] = (),
    ) -> None:
        try:
            import websockets.asyncio.server as server
            from websockets.exceptions import ConnectionClosed
        except ImportError:
            raise MissingExtraError("websockets", "rosbridge", "console") from None
        self._server: Any = server
        self._connection_closed = ConnectionClosed
        self.host = host
        self._counts, self._handle, self._client_left = counts, handle, client_left
        self._origins = tuple(origin.lower() for origin in origins)
        self.clients: set[RosbridgeClient] = set()
        self._listen = listen_at(host, port, "rosbridge")
        self.port = int(self._listen.getsockname()[1])
        self._arriving = ConnectionLimit(MOST_ARRIVING)
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="pelagos-rosbridge", daemon=True)
        self._thread.start()

    def call(self, function: Callable[..., object], *values: Any) -> None:
        """Call a function in the event loop, from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed and all clients are gone
            self._loop.call_soon_threadsafe(function, *values)

    def close(self) -> None:
        """Disconnect the clients and end the thread."""
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
            self._serve_client, sock=self._listen, backlog=BACKLOG, max_size=LARGEST, max_queue=16, compression=None,
            open_timeout=None, close_timeout=1.0, process_request=self._admit, server_header=None,
            create_connection=self._connection_class(),
        )  # fmt: skip
        async with serving:
            await self._stop.wait()

    def _connection_class(self) -> Any:
        """Return a connection class that limits the time of the handshake."""
        arriving = self._arriving

        class ConnectionWithDeadline(self._server.ServerConnection):
            """A connection that is closed if it does not finish its handshake in time."""

            def connection_made(self, transport: asyncio.Transport) -> None:
                arriving.put(transport, HANDSHAKE_S)
                super().connection_made(transport)

            def connection_lost(self, exc: Exception | None) -> None:
                arriving.leave(self.transport)
                super().connection_lost(exc)

        return ConnectionWithDeadline

    def _admit(self, connection: Any, request: Any) -> Any:
        """Reject surplus clients and pages from elsewhere: any browser page can reach a port of this machine."""
        origins = request.headers.get_all("Origin")
        if not all(self._trusted(origin) for origin in origins):
            self._counts.drop("stranger", f"a page of {origins[0][:80]} is refused")
            return connection.respond(403, "pages from elsewhere are not let in\n")
        if len(self.clients) >= MOST_CLIENTS:
            self._counts.drop("too_many_clients", TOO_MANY_CLIENTS)
            return connection.respond(503, "there are too many clients\n")
        return None

    def _trusted(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        try:
            return is_loopback(urlsplit(origin).hostname or "")
        except ValueError:
            return False

    async def _serve_client(self, socket: Any) -> None:
        if len(self.clients) >= MOST_CLIENTS:  # others completed their handshake at the same time
            self._counts.drop("too_many_clients", TOO_MANY_CLIENTS)
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
                    self._receive(client, data)
                    continue
                self._counts.drop("flood", "a client sends more messages than are read; the rest is dropped")
                if client.refused == 1:
                    client.put(status_text(f"more than {PER_S:g} messages a second were received; the rest is dropped"))
                if client.floods:
                    await socket.close(1008, "too many messages")
        except self._connection_closed:
            pass
        except Exception as problem:  # a bug here must not end the server
            self._counts.drop("failed", f"a client was dropped: {type(problem).__name__}: {problem}")
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            client.close()
            self.clients.discard(client)
            self._client_left(client)

    async def _send(self, client: RosbridgeClient) -> None:
        """Send queued texts; a client that reads nothing is disconnected."""
        while True:
            text = await client.take()
            try:
                await asyncio.wait_for(client.socket.send(text), STALLED_S)
            except TimeoutError:
                self._counts.drop("stalled", f"a client has read nothing for {STALLED_S:g} s; it is disconnected")
                client.socket.transport.abort()
                return
            except self._connection_closed:
                return
            self._counts.add("sent")

    def _receive(self, client: RosbridgeClient, data: str | bytes) -> None:
        request = RosbridgeRequest("")
        try:
            request = parse(data)
            self._handle(client, request)
        except MessageError as problem:
            self._counts.drop("malformed", str(problem))
            client.put(status_text(str(problem), request.id))
