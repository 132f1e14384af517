"""More connections than anybody needs, that say nothing, half of something, or take no answer: over real sockets."""

import contextlib
import os
import socket
import subprocess
import sys

import pytest

from pelagos.console import clients, server
from tests.console.browser import ROOT
from tests.console.served import PATIENCE_S, Page, console, get, until

MANY = 500
LARGE = "/vendor/three.js"  # half a megabyte
SERVED = """
import resource, sys
from tests.console.served import console
from tests.console.buoy import Buoy
with console() as one:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    print(one.port, one.token, flush=True)
    while sys.stdin.readline():
        print(len(one._server.server_state.connections), flush=True)
"""


@pytest.fixture
def room_for_many():
    """Descriptors for the clients, which are in this process too."""
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 4096), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def opened(stack, port, sent=b"", n=1, **options):
    """Connections that have said something, or nothing."""
    lines = []
    for _ in range(n):
        line = stack.enter_context(socket.socket())
        line.settimeout(PATIENCE_S)
        for option, value in options.items():
            line.setsockopt(socket.SOL_SOCKET, getattr(socket, option), value)
        line.connect(("127.0.0.1", port))
        with contextlib.suppress(ConnectionError):  # it was cut already
            line.sendall(sent)
        lines.append(line)
    return lines


def is_closed(line):
    """Whether the other side has closed it; what it said is thrown away."""
    line.setblocking(False)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


SENT = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "half a handshake": b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_a_connection_of_which_nothing_comes_is_cut(monkeypatch, sent):
    monkeypatch.setattr(server, "REQUEST_S", 0.3)
    with console() as served, contextlib.ExitStack() as stack:
        (line,) = opened(stack, served.port, sent)
        until(lambda: is_closed(line))
        until(lambda: not served._server.server_state.connections)


@pytest.mark.slow
def test_a_connection_that_takes_no_answer_is_cut(monkeypatch):
    monkeypatch.setattr(server, "ANSWER_S", 0.3)
    monkeypatch.setattr(server, "SEND_BUFFER", 4096)
    with console() as served, contextlib.ExitStack() as stack:
        request = f"GET {LARGE} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
        opened(stack, served.port, request, SO_RCVBUF=4096)
        until(lambda: served._server.server_state.tasks)
        until(lambda: not served._server.server_state.connections)
        assert served._server.server_state.total_requests == 0  # the answer did not get to its end


@pytest.mark.slow
def test_five_hundred_half_open_connections_do_not_stay(room_for_many):
    with console() as served, Page(served) as pilot, contextlib.ExitStack() as stack:
        lines = opened(stack, served.port, b"GET / HT", MANY)
        for _ in range(3):
            head, body = get(served, f"/?token={served.token}")  # a page gets in among them
            assert head.startswith("http/1.1 200") and b"<script" in body
        open_ = [line for line in lines if not is_closed(line)]
        assert len(open_) <= server.MOST_VISITORS
        assert not open_ or lines.index(open_[0]) >= MANY - server.MOST_VISITORS  # those that came last
        assert len(served._server.server_state.connections) <= server.MOST_VISITORS + 1
        pilot.stick(surge=1.0)
        pilot.await_snapshot(lambda snapshot: snapshot.values[1] == 1.0)


@pytest.mark.slow
def test_sockets_that_find_no_place_and_do_not_go_are_cut(room_for_many):
    with console() as served, contextlib.ExitStack() as stack:
        request = (
            f"GET /ws?token={served.token} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nOrigin: {served.origin}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n"
        )
        most = clients.MOST_CLIENTS + server.MOST_VISITORS
        lines = opened(stack, served.port, request.encode(), 2 * most)
        assert get(served, f"/check?token={served.token}")[0].startswith("http/1.1 204")
        assert len(served.clients.all) == clients.MOST_CLIENTS
        assert len(served._server.server_state.connections) <= most
        assert sum(not is_closed(line) for line in lines) <= most


@pytest.mark.slow
def test_idle_connections_beyond_the_descriptors_leave_the_loop_and_the_snapshots_alone(room_for_many):
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVED], env=place, **pipes) as child, contextlib.ExitStack() as stack:
        port, token = child.stdout.readline().split()
        opened(stack, int(port), n=400)
        where = type("", (), {"port": int(port), "token": token, "origin": f"http://127.0.0.1:{port}"})
        with Page(where, "Ann") as pilot:
            first = pilot.await_snapshot().seq
            while pilot.await_snapshot().seq < first + 50:
                pass
            child.stdin.write("how many?\n")
            child.stdin.flush()
            assert int(child.stdout.readline()) <= server.MOST_VISITORS + 1
        _, errors = child.communicate(timeout=PATIENCE_S)
    assert errors == ""  # asyncio logs every connection that it could not accept
