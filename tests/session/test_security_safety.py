"""The door: foreign hosts, foreign origins and wrong tokens stay outside, over real sockets."""

import pytest

from pelagos.session.security import AccessPolicy, new_token
from tests.console.served import asked, console, get, handshake


@pytest.fixture(scope="module")
def served():
    with console() as one:
        yield one


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
    door = AccessPolicy("0.0.0.0", 8000, "secret")
    assert (
        door.knows_host("192.168.1.7:8000") and door.knows_host("[fe80::1]:8000") and door.knows_host("localhost:8000")
    )
    assert not door.knows_host("evil.example:8000") and not door.knows_host("192.168.1.7")


def test_bound_to_one_address_only_that_and_loopback_are_hosts():
    door = AccessPolicy("192.168.1.7", 8000, "secret")
    assert door.knows_host("192.168.1.7:8000") and door.knows_host("127.0.0.1:8000") and door.knows_host("[::1]:8000")
    assert not door.knows_host("192.168.1.8:8000") and not door.knows_host(None)
    assert AccessPolicy("127.0.0.1", 80, "secret").knows_host("127.0.0.1")  # the usual port is not written


def test_no_two_runs_have_the_same_token():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(len(token) for token in tokens) >= 32  # 24 random bytes
