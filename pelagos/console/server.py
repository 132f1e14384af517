"""The server of the console: the page, its files, and the socket over which all else goes.

uvicorn in one thread, the runner in another. Each client has a task that reads and one that writes; a client that does
not read blocks its own writer only, and is dropped when that takes too long.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pelagos.console.clients import TRY_LATER, BrowserClient, Clients
from pelagos.console.hello import PageSource, Scenes, hello_message
from pelagos.errors import CommandError, MissingExtraError, foreign_text
from pelagos.session.links import Link, LinkSet
from pelagos.session.realtime import SNAPSHOT_HZ, Runner
from pelagos.session.security import BACKLOG, ConnectionLimit, Listener, is_wildcard, own_address

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import FileResponse, PlainTextResponse, Response
    from starlette.routing import Mount, Route, WebSocketRoute
    from starlette.staticfiles import StaticFiles
    from starlette.websockets import WebSocket, WebSocketDisconnect
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    from pelagos.session.security import SENTENCE, AccessMiddleware, AccessPolicy, new_token
except ImportError as missing:
    raise MissingExtraError((missing.name or "starlette").partition(".")[0], "the console", "console") from None

STATIC = Path(__file__).parent / "static"
LARGEST_FRAME = 65536  # bytes, refused by the transport; ours are refused at 4096
SEND_S = 5.0  # for one message to a client
ALIVE_S = 10.0  # between pings of the transport, and to answer one
GONE_S = 2.0  # from a farewell to the end of the connection
WATCH_S = 0.25
MOST_VISITORS = 64  # connections besides those of clients: a browser opens six at a time
REQUEST_S = 10.0  # from the beginning of a connection, or the last answer, until a whole request has come
ANSWER_S = 60.0  # for a client to take an answer
SEND_BUFFER = 1 << 18  # bytes, of the kernel: what waits there is old

# A registry of the machine may call JavaScript plain text, which a browser then refuses to run.
for kind, ending in (("text/javascript", ".js"), ("text/css", ".css"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(kind, ending)


class _Requests(H11Protocol):
    """A connection for pages and files, or the beginning of a socket, that is cut when nothing comes of it."""

    # uvicorn annotates a wider type than the asyncio.Transport that it passes
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(REQUEST_S)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before and not self.cycle.response_complete:
            self._await(ANSWER_S)

    def on_response_complete(self) -> None:
        self._await(REQUEST_S)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self.app_state["room"].leave(self.transport)
        super().connection_lost(exc)

    def _await(self, seconds: float) -> None:
        self.app_state["room"].put(self.transport, seconds)


class _Transport(WebSocketsSansIOProtocol):
    """A socket that can be cut: closing alone waits for a peer that does not read, for ever."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused with an answer, which else is logged as if there were none

    async def run_asgi(self) -> None:
        self.scope["state"]["transport"] = self.transport  # type: ignore[typeddict-item]  # a key of ours
        await super().run_asgi()

    def connection_lost(self, exc: Exception | None) -> None:
        self.app_state["room"].leave(self.transport)
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


class Console:
    """A console that serves what `build` makes.

    Args:
        build: makes the source, in the runner's thread.
        host: address to bind to.
        port: 0 for any that is free.
        token: of this run; drawn if not given.
        snapshot_hz: at most so many snapshots a second.
        tasks: files of tasks that may be asked for over the link, besides the tasks that come with Pelagos.
        hear: is told, in the runner's thread, every message that goes to all pages.
        links: links that go along.
    """

    def __init__(
        self,
        build: Callable[[], PageSource],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str = "",
        snapshot_hz: float = SNAPSHOT_HZ,
        tasks: tuple[str, ...] = (),
        hear: Callable[[Mapping[str, Any]], None] | None = None,
        links: LinkSet | Iterable[Link] = (),
    ) -> None:
        self.token = token or new_token()
        self.socket = bound(host, port)
        self.host, self.port = host, int(self.socket.getsockname()[1])
        self.clients = Clients(time.monotonic)
        self.clients.tasks = tasks
        self._hear = hear
        self._scenes = Scenes()
        self.runner = Runner[PageSource](
            build, self.clients.publish, self._tell, hello=self._hello, snapshot_hz=snapshot_hz, links=links
        )
        self.clients.driven = self.runner
        self.dropped: list[str] = []  # why clients were sent away, the last hundred
        policy = AccessPolicy(host, self.port, self.token)
        self.app = AccessMiddleware(self._application(policy), policy)
        self._server = uvicorn.Server(self._config())
        self._thread: threading.Thread | None = None

    @property
    def origin(self) -> str:
        """What a browser on this machine calls the server."""
        host = "127.0.0.1" if is_wildcard(self.host) else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"{self.origin}/?token={self.token}"

    def reachable(self) -> list[str]:
        """What to open on another machine, as far as that can be known."""
        host = own_address() if is_wildcard(self.host) else self.host
        shown = f"[{host}]" if ":" in host else host
        return [f"http://{shown}:{self.port}/?token={self.token}"] if host else []

    def run(self) -> None:
        """Serve until Ctrl-C, in this thread."""
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has ended properly and passes the signal on
            self._server.run(sockets=[self.socket])

    def start(self) -> None:
        """Serve in a thread of its own until `stop`."""
        self._thread = threading.Thread(target=self.run, name="pelagos-server", daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.005)

    def stop(self) -> None:
        """End it; recordings are closed when this returns."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _hello(self, source: PageSource, columns: list[str]) -> dict[str, Any]:
        return hello_message(source, columns, self.runner.snapshot_hz, self._scenes)

    def _tell(self, message: dict[str, Any]) -> None:
        if self._hear is not None:
            self._hear(message)
        self.clients.tell(message)

    def _config(self) -> Any:
        return uvicorn.Config(
            self.app,
            http=_Requests,
            ws=_Transport,
            loop="asyncio",  # which accepts by our own socket
            backlog=BACKLOG,
            ws_max_size=LARGEST_FRAME,
            ws_ping_interval=ALIVE_S,
            ws_ping_timeout=ALIVE_S,
            ws_per_message_deflate=False,
            lifespan="on",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )

    def _application(self, policy: AccessPolicy) -> Starlette:
        async def page(request: Request) -> Response:
            if not policy.allows_token(request.scope["query_string"]):
                return PlainTextResponse(SENTENCE, status_code=403, headers={"cache-control": "no-store"})
            return FileResponse(STATIC / "index.html", headers={"cache-control": "no-store"})

        async def check(request: Request) -> Response:
            """So that a page that gets no socket can tell a new run, whose token is another, from none."""
            known = policy.allows_token(request.scope["query_string"])
            return Response(status_code=204 if known else 403, headers={"cache-control": "no-store"})

        routes = [
            Route("/", page),
            Route("/check", check),
            WebSocketRoute("/ws", self._talk),
            Mount("/", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, lifespan=self._life)

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[dict[str, Any]]:
        del app
        loop = asyncio.get_running_loop()
        self.clients.serve_in(loop)
        self.runner.start()
        watch = asyncio.create_task(self._watch())
        try:
            yield {"room": ConnectionLimit(MOST_VISITORS)}
        finally:
            watch.cancel()
            await loop.run_in_executor(None, self.runner.stop)
            self.clients.serve_in(None)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_S)
            self.clients.watch()

    async def _talk(self, socket: WebSocket) -> None:
        """One client from its arrival to its end."""
        await socket.accept()
        if self.clients.full:
            await socket.close(TRY_LATER, "too many are watching already")
            return
        socket.state.room.leave(socket.state.transport)
        client = self.clients.join(socket.query_params.get("name", ""))
        tasks = [
            asyncio.create_task(self._read(socket, client)),
            asyncio.create_task(self._write(socket, client)),
            asyncio.create_task(client.dropped.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.clients.leave(client)
            if client.dropped.is_set():
                await self._send_away(socket, client)

    async def _read(self, socket: WebSocket, client: BrowserClient) -> None:
        while not client.dropped.is_set():
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            self.clients.receive(client, message["bytes"] if text is None else text)
            await asyncio.sleep(0)  # many may be here already: the others, and what this one is told, come in between

    async def _write(self, socket: WebSocket, client: BrowserClient) -> None:
        while True:
            item = await client.outbox.take()
            try:
                async with asyncio.timeout(SEND_S):
                    await (socket.send_text(item) if isinstance(item, str) else socket.send_bytes(item))
            except TimeoutError:
                client.drop(TRY_LATER, f"nothing was read for {SEND_S:g} s", reads=False)
                return
            except (WebSocketDisconnect, RuntimeError):  # it is gone, which the reader will notice too
                return

    async def _send_away(self, socket: WebSocket, client: BrowserClient) -> None:
        """Say farewell to one who still reads; cut the line of one who does not."""
        self.dropped = [*self.dropped[-99:], client.reason]
        cut: Callable[[], None] = socket.state.transport.abort
        if client.reads:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(GONE_S):
                    await socket.close(client.code, client.reason)
            asyncio.get_running_loop().call_later(GONE_S, cut)
        else:
            cut()


def bound(host: str, port: int) -> Listener:
    """A socket that listens at an address at once: a browser that is opened now waits in the queue. Or a sentence."""
    try:
        return Listener(host, port, SEND_BUFFER)
    except (OSError, OverflowError) as problem:
        reason = foreign_text(problem)
        raise CommandError(f"the console cannot be served at {host}, port {port}: {reason}") from None
