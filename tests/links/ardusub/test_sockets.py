"""Two sockets on one port: other senders cannot displace packets of the autopilot, and no program can bind the port."""

import contextlib
import socket

import pytest

from pelagos.errors import CommandError
from pelagos.links.ardusub.sockets import Sockets
from pelagos.links.counts import Counts

FLOOD = 5000  # datagrams: several times what a queue of the kernel holds
PATIENCE_S = 60.0


@contextlib.contextmanager
def parties():
    counts = Counts("ardusub")
    sockets = Sockets("127.0.0.1", 0, counts)
    with (
        contextlib.closing(sockets),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as autopilot,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
    ):
        for party in (autopilot, stranger):
            party.bind(("127.0.0.1", 0))
            party.settimeout(PATIENCE_S)
        yield sockets, autopilot, stranger, counts


def test_each_comes_by_its_own_door():
    with parties() as (sockets, autopilot, stranger, counts):
        at = ("127.0.0.1", sockets.port)
        autopilot.sendto(b"first", at)
        sockets.wait(PATIENCE_S)
        assert sockets.from_autopilot() is None
        assert sockets.from_others() == (b"first", autopilot.getsockname())
        assert sockets.connect(autopilot.getsockname())
        stranger.sendto(b"me too", at)
        autopilot.sendto(b"second", at)
        sockets.wait(PATIENCE_S)
        assert sockets.from_autopilot() == (b"second", autopilot.getsockname())
        assert sockets.from_others() == (b"me too", stranger.getsockname())
        assert sockets.from_autopilot() is None and sockets.from_others() is None
        sockets.send(b"answer", autopilot.getsockname())
        assert autopilot.recvfrom(100) == (b"answer", at)  # from the address that received the request
        assert counts["sent"] == 1


def test_a_flood_does_not_push_the_autopilot_out():
    with parties() as (sockets, autopilot, stranger, _):
        at = ("127.0.0.1", sockets.port)
        assert sockets.connect(autopilot.getsockname())
        for _ in range(FLOOD):
            stranger.sendto(bytes(40), at)
        autopilot.sendto(b"mine", at)
        assert sockets.from_autopilot() == (b"mine", autopilot.getsockname())
        waiting = 0
        while sockets.from_others() is not None:
            waiting += 1
        assert 0 < waiting < FLOOD  # the public queue did overflow


def test_the_private_door_goes_to_another():
    with parties() as (sockets, autopilot, stranger, _):
        at = ("127.0.0.1", sockets.port)
        assert sockets.connect(autopilot.getsockname()) and sockets.connect(stranger.getsockname())
        autopilot.sendto(b"old", at)
        stranger.sendto(b"new", at)
        sockets.wait(PATIENCE_S)
        assert sockets.from_autopilot() == (b"new", stranger.getsockname())
        assert sockets.from_others() == (b"old", autopilot.getsockname())


@pytest.mark.parametrize("opened", [False, True])
def test_no_other_program_gets_the_port(opened):
    with parties() as (sockets, autopilot, _, counts):
        if opened:
            assert sockets.connect(autopilot.getsockname())
        with pytest.raises(CommandError, match="expected an address of this machine and a free port"):
            Sockets("127.0.0.1", sockets.port, counts)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thief:
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use"):
                thief.bind(("127.0.0.1", sockets.port))


def test_an_autopilot_that_is_gone_is_counted_and_raises_nothing():
    with parties() as (sockets, autopilot, _, counts):
        assert sockets.connect(autopilot.getsockname())
        address = autopilot.getsockname()
        autopilot.close()
        sockets.send(b"answer", address)
        sockets.wait(PATIENCE_S)  # the refusal makes the socket readable
        assert sockets.from_autopilot() is None and sockets.from_autopilot() is None
        assert counts["refused"] == 1
