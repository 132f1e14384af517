"""The web server of the console: the page, its files, and the WebSocket for everything else.

uvicorn runs in one thread, the runner in another. Each client has a task that reads and one that writes; a client that
does not read blocks its own writer only, and is disconnected when that takes too long.
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
from pelagos.console.hello import PageSource, SceneCache, hello_message
from pelagos.errors import MissingExtraError
from pelagos.session.links import Link, LinkSet
from pelagos.session.realtime import SNAPSHOT_HZ, Runner
from pelagos.session.security import BACKLOG, ConnectionLimit, is_wildcard, listen_at, own_address

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
LARGEST_FRAME = 65536  # bytes, limit of the transport; `Clients` refuses messages above 4096 with a reason
SEND_S = 5.0  # longest time to send one message to a client
ALIVE_S = 10.0  # between pings of the transport, and to answer one
GONE_S = 2.0  # from the closing frame to the end of the connection
EXPIRE_S = 0.25  # between checks for requests of seats without an answer
MOST_VISITORS = 64  # connections besides those of clients: a browser opens six at a time
REQUEST_S = 10.0  # from the beginning of a connection, or the last answer, to the end of the next request
ANSWER_S = 60.0  # longest time for a client to receive an answer
SEND_BUFFER = 1 << 18  # bytes in the kernel: snapshots that wait there are outdated

# The registry of Windows may map .js to plain text, which browsers refuse to run.
for kind, ending in (("text/javascript", ".js"), ("text/css", ".css"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(kind, ending)


class _Requests(H11Protocol):
    """HTTP protocol with time limits: a connection without a whole request, or without a reader, is aborted."""

    # uvicorn annotates a wider type than the asyncio.Transport that it passes
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(REQUEST_S)

    def data_received(self, data: bytes) -> None:
        before = self.cycle  # uvicorn makes a new cycle for each request
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
    """WebSocket protocol that can abort: an orderly close would wait for ever for a peer that does not read."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused with an answer, which uvicorn else logs as missing

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
    """A console: the server and the runner of a source.

    Args:
        build: makes the source, in the runner's thread.
        host: address to bind to.
        port: port to bind to; 0 for any free one.
        token: secret of this run; random by default.
        snapshot_hz: most snapshots per second.
        tasks: task files that pages may load besides the built-in tasks.
        on_message: called in the runner's thread with every message to all pages.
        links: links that run beside the page.
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
        on_message: Callable[[Mapping[str, Any]], None] | None = None,
        links: LinkSet | Iterable[Link] = (),
    ) -> None:
        self.token = token or new_token()
        self.socket = listen_at(host, port, "the console", SEND_BUFFER)
        self.host, self.port = host, int(self.socket.getsockname()[1])
        self.clients = Clients(time.monotonic)
        self.clients.tasks = tasks
        self._on_message = on_message
        self._scenes = SceneCache()
        self.runner = Runner[PageSource](
            build, self.clients.publish, self._publish_message, hello=self._hello, snapshot_hz=snapshot_hz, links=links
        )
        self.clients.runner = self.runner
        self.dropped: list[str] = []  # reasons of the last hundred disconnections
        access = AccessPolicy(host, self.port, self.token)
        self.app = AccessMiddleware(self._application(access), access)
        self._server = uvicorn.Server(self._config())
        self._thread: threading.Thread | None = None

    @property
    def origin(self) -> str:
        """The origin of the server for a browser on this machine."""
        host = "127.0.0.1" if is_wildcard(self.host) else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"{self.origin}/?token={self.token}"

    def reachable(self) -> list[str]:
        """Addresses to open on another machine, as far as this machine has one."""
        host = own_address() if is_wildcard(self.host) else self.host
        shown = f"[{host}]" if ":" in host else host
        return [f"http://{shown}:{self.port}/?token={self.token}"] if host else []

    def run(self) -> None:
        """Serve until Ctrl-C, in this thread."""
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn has shut down and raises the signal again
            self._server.run(sockets=[self.socket])

    def start(self) -> None:
        """Serve in a new thread until `stop`."""
        self._thread = threading.Thread(target=self.run, name="pelagos-server", daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():  # uvicorn has no event to wait for
            time.sleep(0.005)

    def stop(self) -> None:
        """Stop the server; recordings are closed when this returns."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _hello(self, source: PageSource, columns: list[str]) -> dict[str, Any]:
        return hello_message(source, columns, self.runner.snapshot_hz, self._scenes)

    def _publish_message(self, message: dict[str, Any]) -> None:
        if self._on_message is not None:
            self._on_message(message)
        self.clients.publish_message(message)

    def _config(self) -> Any:
        return uvicorn.Config(
            self.app,
            http=_Requests,
            ws=_Transport,
            loop="asyncio",  # which calls accept() of `Listener`
            backlog=BACKLOG,
            ws_max_size=LARGEST_FRAME,
            ws_ping_interval=ALIVE_S,
            ws_ping_timeout=ALIVE_S,
            ws_per_message_deflate=False,  # snapshots are floats, which hardly shrink
            lifespan="on",
            log_config=None,  # leave the logging of the process as it is
            log_level="error",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )

    def _application(self, access: AccessPolicy) -> Starlette:
        async def page(request: Request) -> Response:
            if not access.allows_token(request.scope["query_string"]):
                return PlainTextResponse(SENTENCE, status_code=403, headers={"cache-control": "no-store"})
            return FileResponse(STATIC / "index.html", headers={"cache-control": "no-store"})

        async def check(request: Request) -> Response:
            """Answer whether the token is valid, so that a page without a socket recognises a new run."""
            known = access.allows_token(request.scope["query_string"])
            return Response(status_code=204 if known else 403, headers={"cache-control": "no-store"})

        routes = [
            Route("/", page),
            Route("/check", check),
            WebSocketRoute("/ws", self._serve_client),
            Mount("/", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, lifespan=self._life)

    @contextlib.asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[dict[str, Any]]:
        del app
        loop = asyncio.get_running_loop()
        self.clients.set_loop(loop)
        self.runner.start()
        expiry = asyncio.create_task(self._expire_requests())
        try:
            yield {"room": ConnectionLimit(MOST_VISITORS)}
        finally:
            expiry.cancel()
            await loop.run_in_executor(None, self.runner.stop)  # it joins a thread, which must not block the loop
            self.clients.set_loop(None)

    async def _expire_requests(self) -> None:
        while True:
            await asyncio.sleep(EXPIRE_S)
            self.clients.expire_requests()

    async def _serve_client(self, socket: WebSocket) -> None:
        """Serve a client until it disconnects."""
        await socket.accept()
        if self.clients.full:
            await socket.close(TRY_LATER, "too many are watching already")
            return
        socket.state.room.leave(socket.state.transport)  # a client is counted by `Clients`, not as a visitor
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
            await asyncio.gather(*tasks, return_exceptions=True)  # a cancelled task ends with an exception
            self.clients.leave(client)
            if client.dropped.is_set():
                await self._disconnect(socket, client)

    async def _read(self, socket: WebSocket, client: BrowserClient) -> None:
        while not client.dropped.is_set():
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            self.clients.receive(client, message["bytes"] if text is None else text)
            await asyncio.sleep(0)  # receive() does not wait if more messages are here: let other tasks run

    async def _write(self, socket: WebSocket, client: BrowserClient) -> None:
        while True:
            item = await client.outbox.take()
            try:
                async with asyncio.timeout(SEND_S):
                    await (socket.send_text(item) if isinstance(item, str) else socket.send_bytes(item))
            except TimeoutError:
                client.drop(TRY_LATER, f"nothing was read for {SEND_S:g} s", reads=False)
                return
            except (WebSocketDisconnect, RuntimeError):  # disconnected, which the reading task notices too
                return

    async def _disconnect(self, socket: WebSocket, client: BrowserClient) -> None:
        """Close the connection of a client that still reads, with code and reason; abort that of one that does not."""
        self.dropped = [*self.dropped[-99:], client.reason]
        abort: Callable[[], None] = socket.state.transport.abort
        if client.reads:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                async with asyncio.timeout(GONE_S):
                    await socket.close(client.code, client.reason)
            asyncio.get_running_loop().call_later(GONE_S, abort)
        else:
            abort()
