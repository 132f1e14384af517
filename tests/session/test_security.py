"""How much a client may send, and in which order it is sent things; connections without descriptors."""

import asyncio
import os
import select
import socket

import pytest

from pelagos.session.security import MOST_TEXTS, Listener, Outbox, RateLimit


def test_an_allowance_holds_in_the_long_run_and_lets_a_burst_through():
    now = [0.0]
    allowance = RateLimit(200.0, lambda: now[0])
    burst = sum(allowance.take() for _ in range(1000))
    assert burst == 400  # twice the rate at once
    passed = 0
    for _ in range(100_000):  # 10 s at 10 kHz
        now[0] += 1e-4
        passed += allowance.take()
    assert passed == pytest.approx(2000, abs=1)  # 200 a second
    now[0] += 60.0
    assert sum(allowance.take() for _ in range(1000)) == 400  # rest is not saved up for ever


def test_forty_inputs_a_second_are_never_too_many():
    now = [0.0]
    allowance = RateLimit(200.0, lambda: now[0])
    for _ in range(4000):
        now[0] += 0.025
        assert allowance.take()


def test_texts_come_in_order_and_before_the_newest_snapshot():
    async def scene():
        outbox = Outbox()
        outbox.put_snapshot(b"old")
        outbox.put_text("one")
        outbox.put_snapshot(b"new")
        outbox.put_text("two")
        got = [await outbox.take() for _ in range(3)]
        assert got == ["one", "two", b"new"]
        assert outbox.skipped == 1
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(outbox.take(), 0.01)  # nothing is left
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        outbox.put_snapshot(b"next")
        assert await waiting == b"next"

    asyncio.run(scene())


def test_of_what_says_how_things_are_only_the_newest_is_sent():
    async def scene():
        outbox = Outbox()
        for k in range(2 * MOST_TEXTS):
            outbox.put_newest("roster", f"roster {k}")
        outbox.put_newest("pong", "pong")
        outbox.put_snapshot(b"state")
        outbox.put_text("event")
        assert [await outbox.take() for _ in range(4)] == ["event", f"roster {2 * MOST_TEXTS - 1}", "pong", b"state"]

    asyncio.run(scene())


def test_no_more_than_so_many_texts_wait():
    async def scene():
        outbox = Outbox()
        assert all(outbox.put_text(str(k)) for k in range(MOST_TEXTS))
        assert not outbox.put_text("one more")
        assert await outbox.take() == "0"
        assert outbox.put_text("now there is room")

    asyncio.run(scene())


def test_without_file_descriptors_a_connection_is_closed_and_does_not_wait_in_the_queue():
    resource = pytest.importorskip("resource", reason="no limits of files on this system")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with Listener("127.0.0.1", 0) as listener, socket.socket() as first, socket.socket() as second:
        listener.setblocking(False)
        for line in (first, second):
            line.settimeout(60.0)
            line.connect(listener.getsockname())
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))  # the next descriptor would have this number
        try:
            for _ in range(2):
                with pytest.raises(ConnectionAbortedError, match="no file descriptors left"):
                    listener.accept()
            assert select.select([listener], [], [], 0)[0] == []  # nothing is left that would wake a loop
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert first.recv(1) == second.recv(1) == b""
        with socket.create_connection(listener.getsockname()) as third, listener.accept()[0] as accepted:
            third.sendall(b"x")
            accepted.setblocking(True)
            assert accepted.recv(1) == b"x"
