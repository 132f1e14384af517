"""Two sockets at one port: strangers cannot push the autopilot's packets out, and nobody else gets the port."""

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
    doors = Sockets("127.0.0.1", 0, counts)
    with (
        contextlib.closing(doors),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as autopilot,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
    ):
        for one in (autopilot, stranger):
            one.bind(("127.0.0.1", 0))
            one.settimeout(PATIENCE_S)
        yield doors, autopilot, stranger, counts


def test_each_comes_by_its_own_door():
    with parties() as (doors, autopilot, stranger, counts):
        at = ("127.0.0.1", doors.port)
        autopilot.sendto(b"first", at)
        doors.wait(PATIENCE_S)
        assert doors.from_autopilot() is None
        assert doors.from_anybody() == (b"first", autopilot.getsockname())
        assert doors.open_to(autopilot.getsockname())
        stranger.sendto(b"me too", at)
        autopilot.sendto(b"second", at)
        doors.wait(PATIENCE_S)
        assert doors.from_autopilot() == (b"second", autopilot.getsockname())
        assert doors.from_anybody() == (b"me too", stranger.getsockname())
        assert doors.from_autopilot() is None and doors.from_anybody() is None
        doors.send(b"answer", autopilot.getsockname())
        assert autopilot.recvfrom(100) == (b"answer", at)  # from where it was asked
        assert counts["sent"] == 1


def test_a_flood_does_not_push_the_autopilot_out():
    with parties() as (doors, autopilot, stranger, _):
        at = ("127.0.0.1", doors.port)
        assert doors.open_to(autopilot.getsockname())
        for _ in range(FLOOD):
            stranger.sendto(bytes(40), at)
        autopilot.sendto(b"mine", at)
        assert doors.from_autopilot() == (b"mine", autopilot.getsockname())
        waiting = 0
        while doors.from_anybody() is not None:
            waiting += 1
        assert 0 < waiting < FLOOD  # the public queue did overflow


def test_the_private_door_goes_to_another():
    with parties() as (doors, autopilot, stranger, _):
        at = ("127.0.0.1", doors.port)
        assert doors.open_to(autopilot.getsockname()) and doors.open_to(stranger.getsockname())
        autopilot.sendto(b"old", at)
        stranger.sendto(b"new", at)
        doors.wait(PATIENCE_S)
        assert doors.from_autopilot() == (b"new", stranger.getsockname())
        assert doors.from_anybody() == (b"old", autopilot.getsockname())


@pytest.mark.parametrize("opened", [False, True])
def test_no_other_program_gets_the_port(opened):
    with parties() as (doors, autopilot, _, counts):
        if opened:
            assert doors.open_to(autopilot.getsockname())
        with pytest.raises(CommandError, match="expected a free port"):
            Sockets("127.0.0.1", doors.port, counts)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thief:
            thief.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, match="in use"):
                thief.bind(("127.0.0.1", doors.port))


def test_an_autopilot_that_is_gone_is_counted_and_raises_nothing():
    with parties() as (doors, autopilot, _, counts):
        assert doors.open_to(autopilot.getsockname())
        address = autopilot.getsockname()
        autopilot.close()
        doors.send(b"answer", address)
        doors.wait(PATIENCE_S)  # the refusal makes the socket readable
        assert doors.from_autopilot() is None and doors.from_autopilot() is None
        assert counts["refused"] == 1
