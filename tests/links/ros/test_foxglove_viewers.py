"""What the package says of viewers, counted; and lines that are cut, by the socket at their other end."""

import contextlib
import logging
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from pelagos.links.counts import Counts
from pelagos.links.ros import foxglove
from pelagos.links.ros.foxglove import (
    DEAF_S,
    LOGGER,
    MOST_HEARD,
    MOST_LINES,
    FoxgloveServer,
    ViewerLog,
    hang_up,
    stop_within,
)
from tests.links.ros.afloat import is_cut, wait_for

LIMIT_S = 60.0
ROOT = Path(__file__).parents[3]
SERVED = """
import resource, sys
from pelagos.links.ros.foxglove import FoxgloveServer
server = FoxgloveServer(port=0)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
print(server.port, flush=True)
sys.stdin.readline()
server.close()
"""


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def heard(now):
    counts = Counts("foxglove")
    overheard = ViewerLog(counts, lambda: now[0])
    yield counts, overheard
    overheard.close()


def test_a_flood_of_lines_is_counted_up_to_a_limit_and_again_after_a_while(heard, now):
    counts, overheard = heard
    logger = logging.getLogger(f"{LOGGER}.websocket.connected_client")
    for _ in range(10 * MOST_HEARD):
        logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_HEARD
    overheard.listen()
    logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_HEARD  # still deaf
    now[0] += DEAF_S
    overheard.listen()
    logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_HEARD + 1


def test_a_viewer_whose_line_is_full_is_stalled_and_other_news_is_none(heard):
    counts, _ = heard
    logger = logging.getLogger(f"{LOGGER}.websocket")
    logger.info("outbox for client 127.0.0.1:1 full")
    logger.info("Registered client 127.0.0.1:1")
    assert counts.all() == {"dropped_stalled": 1}


def test_the_logger_is_as_before_in_the_end():
    logger = logging.getLogger(LOGGER)
    before = logger.level, logger.propagate, list(logger.handlers)
    overheard = ViewerLog(Counts("foxglove"))
    assert not logger.propagate
    overheard.close()
    assert (logger.level, logger.propagate, list(logger.handlers)) == before


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="a system that does not list open files")
def test_lines_of_a_port_are_cut_and_others_are_not():
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        port = one.getsockname()[1]
        with (
            socket.create_connection(("127.0.0.1", port), 30.0) as caller,
            socket.create_connection(other.getsockname(), 30.0) as friend,
        ):
            line, kept = one.accept()[0], other.accept()[0]
            with line, kept:
                assert hang_up(port) == 1
                assert caller.recv(10) == b""
                kept.send(b"still here")
                assert friend.recv(10) == b"still here"
            with socket.create_connection(("127.0.0.1", port), 30.0), one.accept()[0]:
                pass  # the port itself is left alone


def test_what_ends_by_itself_is_not_cut_and_what_never_ends_is_told():
    assert stop_within(lambda: None, 1)
    never = threading.Event()
    try:
        assert not stop_within(never.wait, 1, 0.01)
    finally:
        never.set()


def viewer(port):
    """One that shakes hands."""
    return connect(f"ws://127.0.0.1:{port}", subprotocols=["foxglove.sdk.v1"], open_timeout=LIMIT_S, close_timeout=0.2)


@pytest.mark.skipif(sys.platform != "linux", reason="a system that does not list the lines of a process")
def test_lines_that_do_not_shake_hands_are_few_and_do_not_stay(monkeypatch):
    server = FoxgloveServer(port=0)
    try:
        with contextlib.ExitStack() as stack:
            stays = stack.enter_context(viewer(server.port))
            assert "serverInfo" in stays.recv(LIMIT_S)
            lines = [socket.create_connection(("127.0.0.1", server.port), LIMIT_S) for _ in range(2 * MOST_LINES)]
            for line in lines:
                stack.enter_context(line)
            wait_for(lambda: sum(not is_cut(line) for line in lines) < MOST_LINES)
            assert not is_cut(lines[-1])
            monkeypatch.setattr(foxglove, "HANDSHAKE_S", 0.1)
            wait_for(lambda: all(map(is_cut, lines)))
            assert server.counts()["dropped_crowd"] == len(lines)
            stays.ping().wait(LIMIT_S)
    finally:
        server.close()


@pytest.mark.skipif(sys.platform != "linux", reason="a system that does not list the lines of a process")
def test_it_comes_back_when_there_are_file_descriptors_again():
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVED], env=place, **pipes) as child, contextlib.ExitStack() as stack:
        port = int(child.stdout.readline())
        with contextlib.suppress(OSError):  # the server of the package has ended
            for _ in range(200):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), 5.0))

        def sees():
            with contextlib.suppress(OSError, EOFError, WebSocketException), viewer(port) as one:
                return "serverInfo" in one.recv(5.0)
            return False

        wait_for(sees)
        child.stdin.close()
