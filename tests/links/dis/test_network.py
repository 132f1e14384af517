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
    with Heard("127.0.0.1:9") as one, Heard(f"127.0.0.1:{one.network.port}") as two:
        assert two.network.send(b"hello")
        until(lambda: one.heard)
        assert one.heard == [(b"hello", ("127.0.0.1", two.network.port))]
        assert one.network.send(b"answer", one.heard[0][1])
        until(lambda: two.heard)
        assert two.heard[0][0] == b"answer"
        assert str(two.network.port) in two.network.notice() and "no authentication" in two.network.notice()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["127.255.255.255", "239.77.1.3"])
def test_a_group_is_heard_by_all_on_this_machine_but_not_by_oneself(address):
    where = f"{address}:{free_port()}"
    with Heard(where) as one, Heard(where) as two, Heard(where) as three:
        if address.startswith("239") and not one.network.send(b"0"):
            pytest.skip("this machine has no multicast on its loopback")
        one.network.send(b"1")
        two.network.send(b"2")
        until(lambda: {d for d, _ in three.heard} >= {b"1", b"2"})
        until(lambda: {d for d, _ in two.heard} >= {b"1"})
        until(lambda: one.counts["own"] >= 1 and two.counts["own"] >= 1 and one.heard)
        assert {d for d, _ in one.heard} == {b"2"}
        assert b"2" not in {d for d, _ in two.heard}


def test_strangers_are_counted_and_not_heard():
    with (
        Heard("127.0.0.1:9", allowed=["192.0.2.7"]) as one,
        Heard(f"127.0.0.1:{one.network.port}") as two,
    ):
        two.network.send(b"hello")
        until(lambda: one.counts["dropped_stranger"] == 1)
        assert one.heard == []


def test_a_port_that_is_taken_is_said():
    with Heard("127.0.0.1:9") as one, pytest.raises(CommandError, match="cannot listen there"):
        Network(f"127.0.0.1:9/{one.network.port}", lambda data, sender: None, Counts("dis"))


def test_an_address_of_no_network_of_ours_is_said():
    with pytest.raises(CommandError, match=r"DIS address is '203\.0\.113\.255:3000'; cannot listen there"):
        Network("203.0.113.255:3000", lambda data, sender: None, Counts("dis"), allow_remote=True)
