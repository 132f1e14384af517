"""Who may talk to the server: the page it served itself, opened by somebody who has the address with the token.

Any page that a browser shows can send requests to 127.0.0.1. So a request must name this server as its host (a foreign
name that resolves to us is DNS rebinding), a socket must come from our own origin and carry the token of this run.
Every answer forbids the page to load or to talk to anything but this server.

How much one client may send, and what waits to be sent to it.

How many connections there may be, and for how long one may say nothing.

Addresses of this machine: which only it can reach, and by which others reach it.
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

MESSAGES_PER_S = 200.0
ORDERS_PER_S = 50.0
SEATS_PER_S = 2.0  # wishes about seats, and names
MOST_TEXTS = 256  # waiting
BACKLOG = 32  # connections that wait to be accepted, and that asyncio accepts before it looks at any of them


class RateLimit:
    """So many a second in the long run, twice as many at once: a bucket that fills while nothing comes."""

    def __init__(self, per_s: float, clock: Callable[[], float]) -> None:
        self._per_s, self._room, self._clock = per_s, 2.0 * per_s, clock
        self._left, self._then = self._room, clock()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = self._clock()
        self._left = min(self._room, self._left + self._per_s * (now - self._then))
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Outbox:
    """What waits for one client: all texts in order; of rosters, answers to pings and snapshots only the newest."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._newest: dict[str, str] = {}
        self._snapshot: bytes | None = None
        self._some = asyncio.Event()
        self.skipped = 0  # snapshots that were replaced before they could be sent

    def put_text(self, text: str) -> bool:
        """Add a text; False if too many wait already."""
        if len(self._texts) >= MOST_TEXTS:
            return False
        self._texts.append(text)
        self._some.set()
        return True

    def put_newest(self, kind: str, text: str) -> None:
        """A text that makes those of its kind before it worthless; it comes behind all others."""
        self._newest.pop(kind, None)
        self._newest[kind] = text
        self._some.set()

    def put_snapshot(self, data: bytes) -> None:
        """The newest state."""
        self.skipped += self._snapshot is not None
        self._snapshot = data
        self._some.set()

    async def take(self) -> str | bytes:
        """The next text, else one of the newest, else the snapshot; waits for one."""
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


# ---- connections -----------------------------------------------------------------------------------------------------


class Listener(socket.socket):
    """A TCP socket that listens. Out of file descriptors it closes what comes.

    What is left in the queue would wake the loop again and again: asyncio then tries as often as the queue is long,
    and has a core busy with it.
    """

    def __init__(self, host: str, port: int, send_buffer: int = 0) -> None:
        super().__init__(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        self._spare = -1  # a descriptor to give up, so that what comes can be accepted and closed
        try:
            if hasattr(socket, "SO_REUSEPORT"):  # not on Windows, where reusing an address means stealing it
                self.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if send_buffer:
                self.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
            self.bind((host, port))
            self.listen(BACKLOG)
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except (OSError, OverflowError):
            self.close()
            raise

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; ConnectionAbortedError for one that had to be closed at once."""
        try:
            return super().accept()
        except OSError as problem:
            if problem.errno not in (errno.EMFILE, errno.ENFILE):
                raise
        self._give_up_spare()
        with contextlib.suppress(OSError):  # another thread was quicker: it is closed the next time
            super().accept()[0].close()
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)
        raise ConnectionAbortedError(errno.ECONNABORTED, "there are no file descriptors left")

    def close(self) -> None:
        """Stop to listen."""
        self._give_up_spare()
        super().close()

    def _give_up_spare(self) -> None:
        spare, self._spare = self._spare, -1
        if spare >= 0:
            os.close(spare)


class ConnectionLimit:
    """Connections that have not shown yet what they are for, so many at a time and each for so long.

    One more than there is room for, and the one that was here first is cut: whoever sends its request at once gets in,
    however many others say nothing.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._timers: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def put(self, transport: asyncio.Transport, seconds: float) -> None:
        """Cut it after so long, counted from now; it is the last to be cut for want of room."""
        self.leave(transport)
        if len(self._timers) >= self._most:
            self._cut(next(iter(self._timers)))
        self._timers[transport] = asyncio.get_running_loop().call_later(seconds, self._cut, transport)

    def leave(self, transport: asyncio.Transport) -> None:
        """It stays, or is gone."""
        timer = self._timers.pop(transport, None)
        if timer is not None:
            timer.cancel()

    def _cut(self, transport: asyncio.Transport) -> None:
        self.leave(transport)
        transport.abort()


# ---- hosts -----------------------------------------------------------------------------------------------------------


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_address(name: str) -> bool:
    """Whether it is an address in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine's own, seen from itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_everywhere(host: str) -> bool:
    """Whether binding to it means every address of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host == ""


def own_address() -> str:
    """The address by which the network knows this machine; "" without a network. Nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))  # an address of documentation: only the way there is looked up
        return str(line.getsockname()[0])
    return ""


# ---- safety ----------------------------------------------------------------------------------------------------------


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


def new_token() -> str:
    """A secret for one run."""
    return secrets.token_urlsafe(24)


class AccessPolicy:
    """What a request must show. `host` is what the server is bound to."""

    def __init__(self, host: str, port: int, token: str) -> None:
        self.host, self.port = host, port
        self._token = token.encode()

    def knows_host(self, header: str | None) -> bool:
        """Whether a Host header names this server: a loopback name or the bound address, and the port.

        Bound to every address, any address in digits will do: a name is what DNS rebinding needs.
        """
        if header is None:
            return False
        name, port = _split(header)
        if port != self.port:
            return False
        if name in LOOPBACK or name == self.host.lower():
            return True
        return is_everywhere(self.host) and is_address(name)

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether the page of a socket is ours: the origin of the very host that it talks to."""
        return origin is not None and host is not None and origin.lower() == f"http://{host.lower()}"

    def knows_token(self, query: bytes) -> bool:
        """Whether the token of this run is in a query, compared in a time that tells nothing of it."""
        try:
            given = parse_qs(query.decode("latin-1"), max_num_fields=16).get("token", [""])
        except ValueError:
            return False
        return len(given) == 1 and secrets.compare_digest(given[0].encode("utf-8", "replace"), self._token)


class AccessMiddleware:
    """The application behind the door: foreign requests are answered here, and every answer gets the headers."""

    def __init__(self, app: ASGIApp, door: AccessPolicy) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
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
        said = _headers(scope)
        host = said.get("host")
        if not self.door.knows_host(host):
            return PlainTextResponse("This server does not go by that name.", status_code=400)
        if scope["type"] == "websocket":
            if not self.door.knows_origin(said.get("origin"), host):
                return PlainTextResponse("The console talks only to its own page.", status_code=403)
            if not self.door.knows_token(scope["query_string"]):
                return PlainTextResponse(SENTENCE, status_code=403)
        return None


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    """Headers by name; one that comes twice is as good as none."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        twice |= {name} if name in found else set()
        found[name] = value.decode("latin-1")
    return {name: value for name, value in found.items() if name not in twice}


def _split(header: str) -> tuple[str, int]:
    """Name and port of a Host header; [::1]:80 is ::1 and 80; without a port it is 80."""
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or name.endswith(":") or (header.endswith("]")):
        name, port = header.strip().lower(), "80"
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1
