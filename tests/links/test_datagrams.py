"""A UDP reader that no sender can overload, on real sockets of this machine."""

import itertools
import socket
import sys
import time

import pytest

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import SLICE_S, Datagrams, check_bind, udp_socket
from tests.console.served import until


@pytest.fixture
def peer():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(20.0)
        yield sock


@pytest.fixture
def opened():
    made = []

    def make(take, **options):
        counts = Counts("test")
        made.append(Datagrams(udp_socket("127.0.0.1", 0), take, counts, **options))
        return made[-1], counts

    yield make
    for reader in made:
        reader.close()


def test_what_is_sent_arrives_with_its_sender_and_is_answered(opened, peer):
    heard = []
    link, counts = opened(lambda data, sender: heard.append((data, sender)))
    peer.sendto(b"hello", ("127.0.0.1", link.port))
    until(lambda: heard)
    assert heard == [(b"hello", peer.getsockname())]
    assert link.send(b"answer", heard[0][1])
    assert peer.recvfrom(100) == (b"answer", ("127.0.0.1", link.port))
    assert counts.all() == {"received": 1, "sent": 1}


def test_long_ones_and_strangers_are_dropped_before_anybody_parses_them(opened, peer):
    heard = []
    link, counts = opened(lambda data, sender: heard.append(data), largest=10)
    for data in (b"x" * 11, b"x" * 60000, b"short"):
        peer.sendto(data, ("127.0.0.1", link.port))
    until(lambda: heard)
    assert heard == [b"short"] and counts["dropped_malformed"] == 2
    shut, counts = opened(lambda data, sender: heard.append(data), allowed=("192.0.2.1",))
    peer.sendto(b"let me in", ("127.0.0.1", shut.port))
    until(lambda: counts["dropped_stranger"])
    assert heard == [b"short"]


def test_a_parser_that_fails_is_counted_and_the_next_one_comes_through(opened, peer):
    heard = []

    def take(data, sender):
        if data == b"bad":
            raise ZeroDivisionError("a fault of ours")
        heard.append(data)

    link, counts = opened(take)
    for data in (b"bad", b"bad", b"good"):
        peer.sendto(data, ("127.0.0.1", link.port))
    until(lambda: heard)
    assert counts["dropped_failed"] == 2 and heard == [b"good"]


def test_a_flood_is_read_within_the_budget_and_ends_nothing(opened, peer):
    per_s = 1000.0
    slices = []
    link, counts = opened(lambda data, sender: None, per_s=per_s)
    wait = link._stop.wait
    link._stop.wait = lambda timeout=None: (slices.append(counts["received"]), wait(timeout))[1]
    for _ in range(3000):
        peer.sendto(b"x" * 100, ("127.0.0.1", link.port))
    until(lambda: len(slices) > 10)
    # between two rests no more than a slice of the budget is read
    budget = round(per_s * SLICE_S)
    assert max(b - a for a, b in itertools.pairwise(slices)) <= budget


def test_after_a_flood_the_link_listens_and_every_datagram_is_accounted_for(opened, peer):
    """The kernel's buffer holds some hundreds of them: the rest is lost there, and the link reports how many."""
    heard, messages = [], []
    link, counts = opened(lambda data, sender: heard.append(data), per_s=5000.0)
    counts._report = messages.append
    sent = 4000
    for _ in range(sent):
        peer.sendto(b"x" * 100, ("127.0.0.1", link.port))

    def over():
        """A datagram that arrives reports how many were lost before it."""
        nonlocal sent
        peer.sendto(b"still there?", ("127.0.0.1", link.port))
        sent += 1
        time.sleep(0.05)
        return heard[-1:] == [b"still there?"] and counts["received"] + counts["dropped_flood"] == sent

    if sys.platform == "linux":
        until(over)
        assert counts["dropped_flood"] > 1000
    else:
        until(lambda: counts["dropped_flood"] > 0)
    assert any("more than 5000 datagrams a second come; the rest is dropped" in message for message in messages)


def test_a_burst_that_the_budget_only_delays_is_no_flood(opened, peer):
    heard = []
    link, counts = opened(lambda data, sender: heard.append(data), per_s=1000.0)
    for _ in range(50):  # five slices of the budget; all of them fit into the kernel's buffer
        peer.sendto(b"x", ("127.0.0.1", link.port))
    until(lambda: len(heard) == 50)
    if sys.platform == "linux":
        assert counts.all() == {"received": 50}


def test_an_answer_that_nobody_takes_is_no_error(opened, peer):
    heard = []
    link, counts = opened(lambda data, sender: heard.append(data))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as gone:
        gone.bind(("127.0.0.1", 0))
        nobody = gone.getsockname()
    for _ in range(20):
        link.send(b"x", nobody)  # an ICMP answer comes back to the socket
    peer.sendto(b"go on", ("127.0.0.1", link.port))
    until(lambda: heard)
    assert link.send(b"x" * 70000, nobody) is False  # too long for a datagram
    assert counts["dropped_unsent"] >= 1


def test_a_port_that_is_taken_and_a_host_that_others_reach_are_sentences(opened):
    link, _ = opened(lambda data, sender: None)
    with pytest.raises(CommandError, match=rf"127.0.0.1:{link.port}'; cannot listen there .*; expected .* a free port"):
        udp_socket("127.0.0.1", link.port)
    with pytest.raises(
        CommandError,
        match=r"dis: host = .* the link has no authentication; expected a loopback address, or --allow-remote",
    ):
        check_bind("dis", "0.0.0.0", False)
    check_bind("dis", "0.0.0.0", True)
    check_bind("dis", "127.0.0.1", False)


def test_closing_ends_the_thread_and_frees_the_port():
    link = Datagrams(udp_socket("127.0.0.1", 0), lambda data, sender: None, Counts("test"))
    port = link.port
    link.close()
    assert not link._thread.is_alive()
    udp_socket("127.0.0.1", port).close()


def test_sending_never_waits(tmp_path):
    """A peer whose queue is full: with a time-out on the socket Python would wait it out, despite the flags."""
    deaf, counts = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), Counts("test")
    with deaf:
        deaf.bind(str(tmp_path / "deaf"))
        link = Datagrams(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM), lambda data, sender: None, counts)
        try:
            assert link._out.gettimeout() == 0.0
            sent = [link.send(bytes(100), deaf.getsockname()) for _ in range(2000)]
        finally:
            link.close()
    assert not sent[-1] and counts["sent"] == sum(sent) and counts["dropped_stalled"] == 2000 - sum(sent)
