"""Sockets of an exercise: real ones, on this machine."""

import queue
import socket
import threading
import time
from contextlib import ExitStack, closing

import pytest

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.dis.network import Network, Where, a_place

WAIT_S = 20.0  # for something that must come: machines stall
GROUP = "239.255.77.31"
EVERYONE = "127.255.255.255"


def free_port():
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def multicast_works():
    """Whether a datagram to a group comes back on the loopback of this machine."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as sock:
        try:
            sock.bind((GROUP, 0))
            member = socket.inet_aton(GROUP) + socket.inet_aton("127.0.0.1")
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            sock.settimeout(2.0)
            sock.sendto(b"x", (GROUP, sock.getsockname()[1]))
            return sock.recv(10) == b"x"
        except OSError:
            return False


class Party:
    """One program of an exercise, what it heard and its counts."""

    def __init__(self, stack, where, **options):
        self.heard = queue.Queue()
        self.counts = Counts("dis")
        self.network = Network(where, lambda data, sender: self.heard.put((data, sender)), self.counts, **options)
        stack.callback(self.network.close)

    def next(self):
        return self.heard.get(timeout=WAIT_S)

    def until(self, name, count=1):
        end = time.monotonic() + WAIT_S
        while self.counts[name] < count and time.monotonic() < end:
            time.sleep(0.005)
        return self.counts[name]


@pytest.fixture
def stack():
    with ExitStack() as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1", Where("127.0.0.1", 3000, 0, "unicast")),
        ("localhost:4000", Where("127.0.0.1", 4000, 0, "unicast")),
        ("127.0.0.1:4000/4001", Where("127.0.0.1", 4000, 4001, "unicast")),
        ("127.255.255.255:3000", Where("127.255.255.255", 3000, 3000, "broadcast")),
        ("192.168.1.255:3000", Where("192.168.1.255", 3000, 3000, "broadcast")),
        ("255.255.255.255", Where("255.255.255.255", 3000, 3000, "broadcast")),
        ("239.1.2.3:62040", Where("239.1.2.3", 62040, 62040, "multicast")),
        ("10.0.0.7", Where("10.0.0.7", 3000, 3000, "unicast")),
    ],
)
def test_the_address_says_how_it_is_sent(text, place):
    assert a_place(text) == place


@pytest.mark.parametrize(
    "text", ["", "here", "::1", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:3000/", "127.0.0.1:x", "1.2.3", "a:1/2"]
)
def test_an_address_that_is_none_is_refused(text):
    with pytest.raises(CommandError, match="DIS address"):
        a_place(text)


@pytest.mark.parametrize(
    ("where", "options"),
    [
        ("10.0.0.7:3000", {}),
        ("192.168.1.255:3000", {}),
        ("255.255.255.255:3000", {}),
        (f"{GROUP}:3000", {"ttl": 1}),
    ],
)
def test_what_leaves_the_machine_has_to_be_allowed(where, options, stack):
    with pytest.raises(CommandError, match="no authentication"):
        Party(stack, where, **options)


@pytest.mark.parametrize("ttl", [-1, 256, 1.5, True])
def test_a_ttl_that_is_none_is_refused(ttl, stack):
    with pytest.raises(CommandError, match="ttl"):
        Party(stack, f"{GROUP}:3000", ttl=ttl)


def test_two_programs_talk_to_each_other(stack):
    a_port, b_port = free_port(), free_port()
    a = Party(stack, f"127.0.0.1:{b_port}/{a_port}")
    b = Party(stack, f"127.0.0.1:{a_port}/{b_port}")
    assert a.network.port == a_port and a.network.to == ("127.0.0.1", b_port)
    assert a.network.send(b"from a") and b.next() == (b"from a", ("127.0.0.1", a_port))
    assert b.network.send(b"from b") and a.next()[0] == b"from b"
    assert a.counts["sent"] == b.counts["sent"] == 1
    assert "no authentication" in a.network.said() and str(b_port) in a.network.said()


def test_an_answer_goes_to_one(stack):
    a = Party(stack, f"127.0.0.1:{free_port()}")
    b = Party(stack, f"127.0.0.1:{free_port()}")
    assert a.network.send(b"for b", ("127.0.0.1", b.network.port)) and b.next()[0] == b"for b"


def test_a_broadcast_reaches_all_and_not_oneself(stack):
    where = f"{EVERYONE}:{free_port()}"
    a, b, c = (Party(stack, where) for _ in range(3))
    assert a.network.send(b"all")
    assert b.next()[0] == c.next()[0] == b"all"
    assert a.until("own") == 1 and a.heard.empty()


@pytest.mark.skipif(not multicast_works(), reason="no multicast on the loopback of this machine")
def test_a_group_reaches_all_and_not_oneself(stack):
    where = f"{GROUP}:{free_port()}"
    a, b, c = (Party(stack, where) for _ in range(3))
    assert a.network.send(b"all")
    assert b.next()[0] == c.next()[0] == b"all"
    assert a.until("own") == 1 and a.heard.empty()


def test_strangers_are_not_heard(stack):
    a = Party(stack, f"127.0.0.1:{free_port()}", allowed=["127.0.0.9"])
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as stranger:
        stranger.sendto(b"hello", ("127.0.0.1", a.network.port))
        assert a.until("dropped_stranger") == 1
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as friend:
        friend.bind(("127.0.0.9", 0))
        friend.sendto(b"hello", ("127.0.0.1", a.network.port))
        assert a.next()[0] == b"hello"
    assert a.heard.empty()


def test_nobody_there_is_no_error(stack):
    a = Party(stack, f"127.0.0.1:{free_port()}")
    results = {a.network.send(b"anybody?") for _ in range(20)}
    assert results <= {True, False} and a.counts["sent"] + a.counts["unheard"] == 20


def test_a_closed_one_leaves_no_thread_and_no_port(stack):
    before = set(threading.enumerate())
    where = f"{EVERYONE}:{free_port()}"
    a = Party(stack, where)
    assert set(threading.enumerate()) - before
    a.network.close()
    assert not set(threading.enumerate()) - before
    port = a_place(where).port
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as again:
        again.bind((EVERYONE, port))  # without SO_REUSEADDR: refused if it were still held
        assert again.getsockname()[1] == port
