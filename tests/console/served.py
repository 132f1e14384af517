"""A console on a real port with a buoy behind it, and pages that talk to it over real sockets."""

import contextlib
import json
import socket
import time

from websockets.sync.client import connect

from pelagos.console.protocol import unpack_snapshot
from pelagos.console.server import Console
from tests.console.buoy import Buoy

PATIENCE_S = 60.0  # for what happens within milliseconds on a machine that is not busy


@contextlib.contextmanager
def console(build=None, **options):
    """One that runs; its first source is `session.source`."""
    sources = []

    def made():
        sources.append(build() if build else Buoy())
        return sources[-1]

    server = Console(made, **options)
    server.sources = sources
    server.start()
    try:
        until(lambda: sources and server.runner.phase != "compiling")
        yield server
    finally:
        server.stop()


def until(true, patience_s=PATIENCE_S):
    """Wait for something; an assertion if it does not come."""
    end = time.monotonic() + patience_s
    while not (got := true()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)
    return got


class Page:
    """A browser without a window."""

    def __init__(self, console, name="", token=None, origin=None, **options):
        where = f"ws://127.0.0.1:{console.port}/ws?token={console.token if token is None else token}&name={name}"
        options = {"max_size": None, "max_queue": None, "compression": None, **options}
        self._open = contextlib.ExitStack()
        origin = console.origin if origin is None else origin
        self.socket = self._open.enter_context(connect(where, origin=origin, **options))
        self.texts, self.snapshots = [], []
        self.seq = 0

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        self._open.close()

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def stick(self, **sticks):
        self.seq += 1
        self.say(type="input", seq=self.seq, t=1e3 * time.monotonic(), sticks=sticks)

    def order(self, name, **values):
        self.say(type="order", name=name, **values)

    def hear(self):
        """One message, kept."""
        got = self.socket.recv(timeout=PATIENCE_S)
        if isinstance(got, bytes):
            self.snapshots.append(unpack_snapshot(got))
        else:
            self.texts.append(json.loads(got))
        return got

    def await_text(self, message_type, **like):
        """The next text of a type that has these values; those heard before count once."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for k, text in enumerate(self.texts):
                if text["type"] == message_type and all(text.get(key) == value for key, value in like.items()):
                    del self.texts[: k + 1]
                    return text
            self.hear()
        raise AssertionError(f"no {message_type} {like}")

    def await_snapshot(self, like=lambda snapshot: True):
        """The next snapshot that fulfils a condition."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if isinstance(self.hear(), bytes) and like(self.snapshots[-1]):
                return self.snapshots[-1]
        raise AssertionError("no such snapshot")


def asked(console, request):
    """Raw bytes in, the head and the body of the answer out."""
    with socket.create_connection(("127.0.0.1", console.port), timeout=PATIENCE_S) as line:
        line.sendall(request)
        answer = b""
        with contextlib.suppress(TimeoutError, ConnectionResetError):
            while part := line.recv(65536):
                answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.decode("latin-1").lower(), body


def get(console, path, host=None, extra=""):
    """A page by its raw path, which no library tidies up."""
    host = host or f"127.0.0.1:{console.port}"
    return asked(console, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{extra}\r\n".encode())


def handshake(console, *, host=None, origin=None, token=None, twice=""):
    """The answer to a request for a socket."""
    host = host or f"127.0.0.1:{console.port}"
    origin = f"Origin: {console.origin if origin is None else origin}\r\n" if origin != "" else ""
    token = console.token if token is None else token
    request = (
        f"GET /ws?token={token} HTTP/1.1\r\nHost: {host}\r\n{origin}{twice}Upgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", console.port), timeout=PATIENCE_S) as line:
        line.sendall(request.encode())
        return line.recv(65536).decode("latin-1")
