"""Access control and limits: rates, queues, connections, addresses; hosts, origins and tokens over real sockets."""

import asyncio
import ipaddress
import os
import select
import socket

import pytest

from pelagos.session.security import (
    MOST_TEXTS,
    AccessPolicy,
    Listener,
    Outbox,
    RateLimit,
    is_address,
    is_loopback,
    is_wildcard,
    new_token,
    own_address,
)
from tests.console.served import asked, console, get, handshake


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


def test_which_addresses_are_of_this_machine_only():
    assert all(is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.7", "example.org", ""))


def test_which_addresses_are_all_of_them():
    assert is_wildcard("0.0.0.0") and is_wildcard("::") and is_wildcard("")
    assert not is_wildcard("127.0.0.1") and not is_wildcard("example.org")


def test_digits_are_addresses_and_names_are_none():
    assert is_address("10.0.0.1") and is_address("fe80::1")
    assert not is_address("example.org") and not is_address("10.0.0.1:80") and not is_address("")


def test_the_own_address_is_one_or_none():
    address = own_address()
    assert address == "" or not ipaddress.ip_address(address).is_unspecified


@pytest.fixture(scope="module")
def served():
    with console() as server:
        yield server


def test_the_own_page_gets_a_socket(served):
    assert handshake(served).startswith("HTTP/1.1 101")
    assert handshake(served, host=f"localhost:{served.port}", origin=f"http://localhost:{served.port}").startswith(
        "HTTP/1.1 101"
    )


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://127.0.0.1"]
)
def test_a_foreign_origin_gets_none(served, origin):
    assert handshake(served, origin=origin.format(port=served.port)).startswith("HTTP/1.1 403")


def test_one_loopback_name_is_not_the_origin_of_another(served):
    assert handshake(served, origin=f"http://localhost:{served.port}").startswith("HTTP/1.1 403")


def test_an_origin_that_is_said_twice_is_refused(served):
    assert handshake(served, twice="Origin: http://evil.example\r\n").split()[1] in ("400", "403")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "x:{port}:80", "["]
)
def test_a_foreign_host_is_refused_everywhere(served, host):
    host = host.format(port=served.port)
    assert handshake(served, host=host, origin=f"http://{host}").startswith("HTTP/1.1 400")
    for path in ("/", f"/?token={served.token}", "/css/console.css", "/js/main.js"):
        head, body = get(served, path, host=host)
        assert head.startswith("http/1.1 400")
        assert b"<" not in body


@pytest.mark.parametrize("token", ["", "x", "{right}x", "%FF%00", "a&token={right}", "{wrong_end}"])
def test_a_wrong_token_gets_no_socket(served, token):
    end = "A" if served.token[-1] != "A" else "B"
    token = token.format(right=served.token, wrong_end=served.token[:-1] + end)
    assert handshake(served, token=token).startswith("HTTP/1.1 403")


def test_a_page_without_a_socket_can_ask_whether_its_token_is_still_good(served):
    for path, status in ((f"/check?token={served.token}", "204"), ("/check?token=old", "403"), ("/check", "403")):
        head, body = get(served, path)
        assert head.split()[1] == status and body == b"" and "cache-control: no-store" in head


def test_who_is_refused_leaves_nothing_in_the_terminal(served, caplog):
    assert handshake(served, token="old").startswith("HTTP/1.1 403")
    assert handshake(served, origin="http://evil.example").startswith("HTTP/1.1 403")
    assert handshake(served).startswith("HTTP/1.1 101")  # by now the end of those before has been looked at
    assert caplog.text == ""


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/?token=", "/?token"])
def test_the_page_without_the_token_says_what_to_do(served, path):
    head, body = get(served, path)
    assert head.startswith("http/1.1 403")
    assert b"open the address that the program printed" in body
    assert b"<script" not in body


def test_the_page_comes_with_rules_that_keep_it_at_home(served):
    head, body = get(served, f"/?token={served.token}")
    assert head.startswith("http/1.1 200") and b"<script" in body
    lines = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
    policy = dict(part.split(" ", 1) for part in lines["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["connect-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert lines["x-content-type-options"] == "nosniff"
    assert lines["referrer-policy"] == "no-referrer"
    assert lines["cache-control"] == "no-store"
    assert "server" not in lines and "access-control-allow-origin" not in lines


def test_files_of_the_page_are_served_as_what_they_are(served):
    for path, kind in (("/js/protocol.js", "text/javascript"), ("/css/console.css", "text/css")):
        head, _ = get(served, path)
        assert head.startswith("http/1.1 200") and f"content-type: {kind}" in head
        assert "content-security-policy: default-src 'self'" in head


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/../../errors.py",
        "/%2e%2e/server.py",
        "/js/..%2f..%2fserver.py",
        "/js/%2e%2e/%2e%2e/server.py",
        "//etc/passwd",
        "/..%5c..%5cserver.py",
        "/%00",
        "/js",
        "/js/",
        "/nothing.js",
        "/static/../../server.py",
    ],
)
def test_nothing_outside_of_the_page_is_served(served, path):
    head, body = get(served, path)
    assert head.split()[1] in ("400", "404", "405")
    assert b"import" not in body and b"root:" not in body and b"Traceback" not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"])
def test_a_page_is_only_read(served, method):
    request = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    head, _ = asked(served, request.encode())
    assert head.split()[1] in ("400", "403", "404", "405")


def test_bound_to_every_address_digits_are_a_host_and_foreign_names_are_none():
    policy = AccessPolicy("0.0.0.0", 8000, "secret")
    assert (
        policy.allows_host("192.168.1.7:8000")
        and policy.allows_host("[fe80::1]:8000")
        and policy.allows_host("localhost:8000")
    )
    assert not policy.allows_host("evil.example:8000") and not policy.allows_host("192.168.1.7")


def test_bound_to_one_address_only_that_and_loopback_are_hosts():
    policy = AccessPolicy("192.168.1.7", 8000, "secret")
    assert (
        policy.allows_host("192.168.1.7:8000")
        and policy.allows_host("127.0.0.1:8000")
        and policy.allows_host("[::1]:8000")
    )
    assert not policy.allows_host("192.168.1.8:8000") and not policy.allows_host(None)
    assert AccessPolicy("127.0.0.1", 80, "secret").allows_host("127.0.0.1")  # the usual port is not written


def test_no_two_runs_have_the_same_token():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(len(token) for token in tokens) >= 32  # 24 random bytes
