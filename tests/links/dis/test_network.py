"""Addresses and sockets of an exercise: unicast, broadcast and multicast on this machine, with real datagrams."""

import socket
import threading

import pytest

from pelagos.errors import CommandError
from pelagos.links.counts import Counts
from pelagos.links.dis.network import Network, parse_address
from tests.links.dis.afloat import until


class Heard:
    """A network and what it heard."""

    def __init__(self, where, **more):
        self.counts, self.heard, self.lock = Counts("dis"), [], threading.Lock()
        self.network = Network(where, self.take, self.counts, **more)

    def take(self, data, sender):
        with self.lock:
            self.heard.append((data, sender))

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.network.close()


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1:3000", ("127.0.0.1", 3000, 0, "unicast")),
        ("127.0.0.1:3000/3001", ("127.0.0.1", 3000, 3001, "unicast")),
        ("localhost", ("127.0.0.1", 3000, 0, "unicast")),
        ("192.168.1.7:62040", ("192.168.1.7", 62040, 62040, "unicast")),
        ("192.168.1.255:3000", ("192.168.1.255", 3000, 3000, "broadcast")),
        ("255.255.255.255", ("255.255.255.255", 3000, 3000, "broadcast")),
        ("127.255.255.255:3000", ("127.255.255.255", 3000, 3000, "broadcast")),
        ("239.1.2.3:3000", ("239.1.2.3", 3000, 3000, "multicast")),
    ],
)
def test_the_address_says_what_it_is(text, place):
    assert tuple(parse_address(text)) == place


@pytest.mark.parametrize(
    "text", ["", "here:3000", "127.0.0.1:x", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.1:1/", ":3"]
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(CommandError, match="expected ADDRESS:PORT"):
        parse_address(text)


@pytest.mark.parametrize(
    ("where", "more"), [("192.168.1.255:3000", {}), ("10.1.2.3:3000", {}), ("239.1.2.3:3000", {"ttl": 1})]
)
def test_other_machines_have_to_be_allowed(where, more):
    with pytest.raises(CommandError, match=r"DIS: host = .* the link has no authentication"):
        Network(where, lambda data, sender: None, Counts("dis"), **more)


def test_a_ttl_is_a_number_of_a_byte():
    with pytest.raises(CommandError, match="DIS ttl is 256"):
        Network("239.1.2.3:3000", lambda data, sender: None, Counts("dis"), ttl=256)


def test_unicast_goes_to_one_and_is_heard_on_a_port_of_its_own():
    with Heard("127.0.0.1:9") as first, Heard(f"127.0.0.1:{first.network.port}") as second:
        assert second.network.send(b"hello")
        until(lambda: first.heard)
        assert first.heard == [(b"hello", ("127.0.0.1", second.network.port))]
        assert first.network.send(b"answer", first.heard[0][1])
        until(lambda: second.heard)
        assert second.heard[0][0] == b"answer"
        assert str(second.network.port) in second.network.notice() and "no authentication" in second.network.notice()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.255.255.255", "239.77.1.3"])
def test_a_group_is_heard_by_all_on_this_machine_but_not_by_oneself(address):
    where = f"{address}:{free_port()}"
    with Heard(where) as first, Heard(where) as second, Heard(where) as third:
        if address.startswith("239") and not first.network.send(b"0"):
            pytest.skip("this machine has no multicast on its loopback")
        first.network.send(b"1")
        second.network.send(b"2")
        until(lambda: {d for d, _ in third.heard} >= {b"1", b"2"})
        until(lambda: {d for d, _ in second.heard} >= {b"1"})
        until(lambda: first.counts["own"] >= 1 and second.counts["own"] >= 1 and first.heard)
        assert {d for d, _ in first.heard} == {b"2"}
        assert b"2" not in {d for d, _ in second.heard}


def test_strangers_are_counted_and_not_heard():
    with (
        Heard("127.0.0.1:9", allowed=["192.0.2.7"]) as first,
        Heard(f"127.0.0.1:{first.network.port}") as second,
    ):
        second.network.send(b"hello")
        until(lambda: first.counts["dropped_stranger"] == 1)
        assert first.heard == []


def test_a_port_that_is_taken_is_said():
    with Heard("127.0.0.1:9") as first, pytest.raises(CommandError, match="cannot listen there"):
        Network(f"127.0.0.1:9/{first.network.port}", lambda data, sender: None, Counts("dis"))


def test_an_address_of_no_network_of_ours_is_said():
    with pytest.raises(CommandError, match=r"DIS address is '203\.0\.113\.255:3000'; cannot listen there"):
        Network("203.0.113.255:3000", lambda data, sender: None, Counts("dis"), allow_remote=True)
