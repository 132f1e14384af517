"""Special cases of an exercise: unknown PDUs in a bundle, requests to all, timeouts, a network that fails."""

import os
import socket

import pytest

from pelagos.links.dis.exercise import Exercise
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import DEACTIVATED, FROZEN
from pelagos.links.dis.wire.management import Acknowledge, RemoveEntity, Response, StartResume, StopFreeze
from pelagos.links.dis.wire.pdu import encode
from pelagos.links.dis.wire.records import EntityId
from tests.links.dis.afloat import Afloat, Clock, Peer, until
from tests.links.dis.at_sea import MANAGER, OTHER, a_ship, a_sim

EVERYBODY = EntityId(0xFFFF, 0xFFFF, 0xFFFF)


def test_what_a_bundle_holds_beside_strange_parts_is_heard(sea):
    """A radio, a ship with a bad number and one of another exercise stand before the ship that is meant."""
    radio, bad = bytearray(encode(a_ship())), bytearray(encode(a_ship()))
    radio[2] = 25
    bad[48:56] = b"\x7f\xf0" + bytes(6)
    sea.hear(bytes(radio) + bytes(bad) + encode(a_ship(exercise=2)) + encode(a_ship()))
    sea.tick()
    counts = sea.exercise.counts()
    assert [counts[name] for name in ("other_pdus", "dropped_malformed", "other_exercise", "contacts")] == [1, 1, 1, 1]
    assert f"dis:{OTHER}" in sea.sim.contacts


def test_removing_all_entities_means_ours_too():
    session = Afloat(a_sim(name="one"), a_sim(name="two", north_m=30.0))
    with Peer() as peer:
        exercise = Exercise(f"127.0.0.1:{peer.port}", clock=Clock())
        try:
            exercise.begin(session)
            session.tick(exercise)
            peer.send(RemoveEntity(MANAGER, EVERYBODY, request=3), exercise.network.port)
            until(lambda: exercise.counts().get("requests"), lambda: exercise.before(session))
            gone = [peer.receive(EntityState) for _ in range(4)][2:]
            assert {state.entity.entity for state in gone} == {1, 2}
            assert all(state.appearance & DEACTIVATED for state in gone)
            answer = peer.receive(Acknowledge)
            assert (answer.request, answer.response) == (3, Response.ABLE)
        finally:
            exercise.close()


def test_a_stop_of_minutes_loses_no_contact(sea):
    """Everybody was told to be silent; the others are there when it goes on, and have 12 s to speak."""
    sea.hear(a_ship())
    sea.tick()
    sea.hear(StopFreeze(MANAGER, request=1))
    for _ in range(300):
        sea.clock.now_s += 1.0
        sea.exercise.idle(sea.session)
    assert sea.exercise.frozen and len(sea.sim.contacts) == 1
    sea.hear(StartResume(MANAGER, request=2))
    sea.tick(100)
    assert not sea.exercise.frozen and len(sea.sim.contacts) == 1
    sea.tick(30)
    assert len(sea.sim.contacts) == 0


class Deaf:
    """A socket that takes nothing, as one whose buffer is full; `taken` once it does."""

    def __init__(self, sock):
        self.sock, self.full = sock, True

    def sendto(self, data, to):
        if self.full:
            raise BlockingIOError
        return self.sock.sendto(data, to)

    def close(self):
        self.sock.close()


def test_a_state_that_the_network_did_not_take_is_told_again(sea):
    """It must not stay unsaid until the next heartbeat that the vehicle stands still."""
    sea.tick()
    sea.peer.receive(EntityState)
    sea.exercise.network._sends = deaf = Deaf(sea.exercise.network._sends)
    sea.exercise.idle(sea.session)
    assert sea.exercise.counts()["dropped_stalled"] == 1
    deaf.full = False
    sea.clock.now_s += 0.1
    sea.exercise.idle(sea.session)
    assert sea.peer.receive(EntityState).appearance & FROZEN


@pytest.mark.parametrize("where", ["127.0.0.1", "127.255.255.255"])
def test_sending_never_waits(where):
    """Python waits for a socket's time-out before it looks at MSG_DONTWAIT: what sends must have none."""
    with Peer() as peer:
        exercise = Exercise(f"{where}:{peer.port}")
        try:
            sends = exercise.network._sends
            assert sends.gettimeout() == 0.0 and not os.get_blocking(sends.fileno())
        finally:
            exercise.close()
    full, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with full, _other:  # the same settings on a socket that can be filled
        full.setblocking(False)
        with pytest.raises(BlockingIOError):
            for _ in range(100_000):
                full.send(bytes(1000))
