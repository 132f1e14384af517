"""Access control and limits of the servers: hosts, origins, tokens, message rates, queues and connections.

Any page in a browser can send requests to 127.0.0.1. A request must therefore name this server as its host (a foreign
name that resolves to this machine is DNS rebinding); a WebSocket must come from the server's own origin and carry the
token of this run. The headers of every response forbid the page to load from or connect to any other server.

Rates, queues and connection limits belong to the thread of the server's event loop and have no locks; other threads
enter that loop with `call_soon_threadsafe`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import os
import secrets
import socket
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pelagos.errors import CommandError, foreign_text

MESSAGES_PER_S = 200.0  # of a client: a page sends its sticks 40 times a second
ORDERS_PER_S = 50.0  # of a client: no pilot presses keys that fast
SEATS_PER_S = 2.0  # requests for seats and changes of names
MOST_TEXTS = 256  # in the queue of a client
BACKLOG = 32  # connections that wait to be accepted; asyncio accepts as many in a row before it serves any of them
LOOPBACK = ("127.0.0.1", "localhost", "::1")
CONTENT = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SENTENCE = "This is the console of Pelagos: open the address that the program printed, with the token at its end."


class RateLimit:
    """Token bucket: a mean rate per second, with bursts of two seconds' worth or of `burst` messages."""

    def __init__(self, per_s: float, clock: Callable[[], float], burst: float | None = None) -> None:
        self._per_s, self._room, self._clock = per_s, 2.0 * per_s if burst is None else burst, clock
        self._left, self._then = self._room, clock()

    def take(self, n: int = 1) -> bool:
        """Whether `n` more messages are allowed now; none of them counts if not."""
        now = self._clock()
        self._left = min(self._room, self._left + self._per_s * max(now - self._then, 0.0))
        self._then = now
        if self._left < n:
            return False
        self._left -= n
        return True


class Outbox:
    """Queue of one client: all texts in order; of rosters, ping replies and snapshots only the newest."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._newest: dict[str, str] = {}
        self._snapshot: bytes | None = None
        self._some = asyncio.Event()
        self.skipped = 0  # snapshots that a newer one replaced before they were sent

    def put_text(self, text: str) -> bool:
        """Add a text; False if the queue is full."""
        if len(self._texts) >= MOST_TEXTS:
            return False
        self._texts.append(text)
        self._some.set()
        return True

    def put_newest(self, kind: str, text: str) -> None:
        """Replace the text of its kind; it is sent after all texts of `put_text`."""
        self._newest.pop(kind, None)  # so that the kind moves to the end of the dictionary
        self._newest[kind] = text
        self._some.set()

    def put_snapshot(self, data: bytes) -> None:
        """Replace the snapshot."""
        self.skipped += self._snapshot is not None
        self._snapshot = data
        self._some.set()

    async def take(self) -> str | bytes:
        """Wait for the next item: a text, then one of the newest, then the snapshot."""
        while True:
            await self._some.wait()
            if self._texts:
                return self._texts.popleft()
            if self._newest:
                return self._newest.pop(next(iter(self._newest)))
            data, self._snapshot = self._snapshot, None
            if data is not None:
                return data
            self._some.clear()


def cannot_listen(host: str, port: int, problem: BaseException, server: str = "") -> CommandError:
    """Return the error for an address at which a socket cannot be opened; `server` is what would listen there."""
    return CommandError(
        f"cannot listen there ({foreign_text(problem)})",
        file=server,
        key="address",
        value=f"{host}:{port}",
        expected="an address of this machine and a free port",
    )


class Listener(socket.socket):
    """A listening TCP socket that closes new connections when the process has no file descriptors left.

    A connection left in the queue would wake the event loop again and again, and keep a core busy.
    """

    def __init__(self, host: str, port: int, send_buffer: int = 0) -> None:
        super().__init__(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        self._spare = -1  # a descriptor to release, so that a connection can be accepted and closed
        try:
            if hasattr(socket, "SO_REUSEPORT"):  # not on Windows, where SO_REUSEADDR takes a port from another process
                self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if send_buffer:  # a small one: what the kernel buffers is stale before a slow client reads it
                self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
            self.bind((host, port))
            self.listen(BACKLOG)
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except (OSError, OverflowError):
            self.close()
            raise

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection; ConnectionAbortedError if it had to be closed at once."""
        try:
            return super().accept()
        except OSError as problem:
            if problem.errno not in (errno.EMFILE, errno.ENFILE):
                raise
        self._release_spare()
        with contextlib.suppress(OSError):  # another thread took the descriptor: the next call closes the connection
            super().accept()[0].close()
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)
        raise ConnectionAbortedError(errno.ECONNABORTED, "there are no file descriptors left")

    def close(self) -> None:
        """Close the socket."""
        self._release_spare()
        super().close()

    def _release_spare(self) -> None:
        spare, self._spare = self._spare, -1
        if spare >= 0:
            os.close(spare)


def listen_at(host: str, port: int, server: str = "", send_buffer: int = 0) -> Listener:
    """Open a socket that listens at once, so that a client that connects now waits in its queue.

    CommandError if the address cannot be used; `server` is what listens there.
    """
    try:
        return Listener(host, port, send_buffer)
    except (OSError, OverflowError) as problem:
        raise cannot_listen(host, port, problem, server) from None


class ConnectionLimit:
    """Limits number and duration of connections that have not sent a request yet.

    One more than the limit aborts the oldest: a client that sends its request at once gets in, however many silent
    connections there are.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._timers: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def put(self, transport: asyncio.Transport, seconds: float) -> None:
        """Add a connection, or move it to the end; it is aborted after a number of seconds from now."""
        self.leave(transport)
        if len(self._timers) >= self._most:
            self._abort(next(iter(self._timers)))  # dictionaries keep their order: the oldest
        self._timers[transport] = asyncio.get_running_loop().call_later(seconds, self._abort, transport)

    def leave(self, transport: asyncio.Transport) -> None:
        """Remove a connection that has sent its request or is closed."""
        timer = self._timers.pop(transport, None)
        if timer is not None:
            timer.cancel()

    def _abort(self, transport: asyncio.Transport) -> None:
        self.leave(transport)
        transport.abort()


def is_address(name: str) -> bool:
    """Whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a name or address is a loopback address, which only this machine can reach."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_wildcard(host: str) -> bool:
    """Whether a host is the wildcard address, which stands for all addresses of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def own_address() -> str:
    """The address of this machine in its network; "" without a network."""
    # Connecting a datagram socket sends nothing: the kernel selects the local address of the route. 192.0.2.1 is
    # reserved for documentation (RFC 5737).
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def new_token() -> str:
    """A random token for one run."""
    return secrets.token_urlsafe(24)


class AccessPolicy:
    """Checks of the host, origin and token of requests; `host` is the address that the server is bound to."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self.host, self.port = host, port
        self._token = token.encode()

    def allows_host(self, header: str | None) -> bool:
        """Whether a Host header names this server: a loopback name or the bound address, with the port.

        A server bound to the wildcard address accepts any IP address: DNS rebinding needs a name.
        """
        if header is None:
            return False
        name, port = _split(header)
        if port != self.port:
            return False
        if name in LOOPBACK or name == self.host.lower():
            return True
        return is_wildcard(self.host) and is_address(name)

    def allows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a WebSocket comes from a page of this server: its origin is the host that it connects to."""
        return origin is not None and host is not None and origin.lower() == f"http://{host.lower()}"

    def allows_token(self, query: bytes) -> bool:
        """Whether a query contains the token of this run."""
        try:
            tokens = parse_qs(query.decode("latin-1"), max_num_fields=16).get("token", [""])
        except ValueError:
            return False
        # In constant time: the duration of a plain comparison would reveal how many characters match.
        return len(tokens) == 1 and secrets.compare_digest(tokens[0].encode("utf-8", "replace"), self._token)


class AccessMiddleware:
    """ASGI middleware that refuses requests against the policy and adds HEADERS to every response."""

    def __init__(self, app: ASGIApp, policy: AccessPolicy) -> None:
        self.app, self.policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        refusal = self._refusal(scope)
        await (self.app if refusal is None else refusal)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = _headers(scope)
        host = headers.get("host")
        if not self.policy.allows_host(host):
            return PlainTextResponse("This server does not go by that name.", status_code=400)
        if scope["type"] == "websocket":
            if not self.policy.allows_origin(headers.get("origin"), host):
                return PlainTextResponse("The console talks only to its own page.", status_code=403)
            if not self.policy.allows_token(scope["query_string"]):
                return PlainTextResponse(SENTENCE, status_code=403)
        return None


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    """Headers by name, without those that occur twice: the application might read the other one."""
    headers: dict[str, str] = {}
    repeated: set[str] = set()
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        repeated |= {name} if name in headers else set()
        headers[name] = value.decode("latin-1")
    return {name: value for name, value in headers.items() if name not in repeated}


def _split(header: str) -> tuple[str, int]:
    """Name and port of a Host header, [::1]:80 as ::1 and 80; the port is 80 if missing and -1 if invalid."""
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or name.endswith(":") or (header.endswith("]")):  # the last colon belongs to an IPv6 address
        name, port = header.strip().lower(), "80"
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1
