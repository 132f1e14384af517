"""An exercise on real sockets: PDUs sent, requests followed, packets dropped, timeouts, a network that fails."""

import math
import os
import socket

import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.geodesy import DEFAULT_ORIGIN, Origin
from pelagos.links.dis.exercise import MAX_SCHEDULED, Exercise, Freeze, answer, is_for
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import DEACTIVATED, FROZEN, appearance
from pelagos.links.dis.wire.header import ClockTime
from pelagos.links.dis.wire.management import (
    Acknowledge,
    Answered,
    Frozen,
    RemoveEntity,
    Response,
    StartResume,
    StopFreeze,
)
from pelagos.links.dis.wire.pdu import encode
from pelagos.links.dis.wire.records import EntityId
from tests.links.dis.afloat import Afloat, Clock, Peer, until
from tests.links.dis.at_sea import MANAGER, OTHER, ship_state, simulation

US = EntityId(1, 2, 3)
NOW = 1_800_000_000.0


def test_it_says_where_it_is_held_and_where_the_world_lies(sea):
    assert any("no authentication" in text for text in sea.messages)
    assert any("Monterey Bay" in text for text in sea.messages)
    assert sea.exercise.entities == (EntityId(1, 1, 1),)


def test_a_vehicle_is_told_of_at_its_place_on_the_earth(sea):
    sea.tick()
    state = sea.peer.receive(EntityState)
    assert DEFAULT_ORIGIN.to_ned(state.location) == pytest.approx(sea.sim.evaluate().position_n, abs=1e-8)
    assert state.marking == "bluerov2_he" and state.header.version == 7 and state.header.exercise == 1


def test_the_worlds_own_origin_and_one_that_is_given():
    world = pelagos.World(depth_m=60.0, origin_lat_deg=60.4, origin_lon_deg=5.3)
    for given, expected in ((None, Origin(60.4, 5.3)), (Origin(1.0, 2.0), Origin(1.0, 2.0))):
        messages = []
        with Peer() as peer:
            session = Afloat(simulation(world=world))
            exercise = Exercise(f"127.0.0.1:{peer.port}", origin=given, report=messages.append)
            exercise.begin(session)
            session.tick(exercise)
            state = peer.receive(EntityState)
            exercise.close()
        assert expected.to_ned(state.location) == pytest.approx(session.sims[0].evaluate().position_n, abs=1e-8)
        assert not any("Monterey" in text for text in messages)


def test_version_6_and_a_fixed_rate():
    clock = Clock()
    with Peer() as peer:
        session = Afloat(simulation())
        exercise = Exercise(f"127.0.0.1:{peer.port}", version=6, fixed_hz=5.0, exercise=33, clock=clock)
        exercise.begin(session)
        for _ in range(40):  # 4 s
            clock.now_s += 0.1
            session.tick(exercise)
        states = [peer.receive(EntityState) for _ in range(20)]
        assert exercise.counts()["entity_states"] == pytest.approx(20, abs=1)
        exercise.close()
    assert {(s.header.version, s.header.exercise) for s in states} == {(6, 33)}


def test_the_heartbeat_is_of_the_wall_and_a_pause_is_told_as_rest(sea):
    sea.tick()
    first = sea.peer.receive(EntityState)
    assert not first.appearance & FROZEN
    sea.exercise.idle(sea.session)  # somebody pauses
    still = sea.peer.receive(EntityState)
    assert still.appearance & FROZEN and still.velocity == (0.0, 0.0, 0.0)
    sent = sea.exercise.counts()["entity_states"]
    for _ in range(99):  # 9.9 s of real time go by, and none in the simulation
        sea.clock.now_s += 0.1
        sea.exercise.idle(sea.session)
    assert sea.exercise.counts()["entity_states"] == sent + 1


def test_another_ship_is_a_contact_dead_reckoned_and_timed_out(sea):
    sea.hear(ship_state())
    until(lambda: len(sea.sim.contacts), lambda: sea.exercise.before(sea.session))
    begun = sea.sim.time_s
    contact = next(iter(sea.sim.contacts))
    assert (contact.name, contact.kind, contact.key) == ("Sur", "ship", "dis:7:7:1")
    assert contact.position_m == pytest.approx([100.0, 0.0, 0.0], abs=1e-6)
    sea.tick(100)  # 10 s
    gone = sea.sim.time_s - begun
    assert sea.sim.contacts.at(sea.sim.time_s)[0].position_n == pytest.approx([100.0 + 2.0 * gone, 0, 0], abs=1e-4)
    sea.tick(25)  # 12.5 s, more than 2.4 heartbeats
    assert len(sea.sim.contacts) == 0 and sea.exercise.counts()["timed_out"] == 1


def test_a_new_world_has_the_contacts_that_are_known(sea):
    sea.hear(ship_state())
    until(lambda: len(sea.sim.contacts), lambda: sea.exercise.before(sea.session))
    other = Afloat(simulation())
    sea.clock.now_s += 3.0
    sea.exercise.begin(other)
    contacts = other.sims[0].contacts.at(other.time_s)
    assert contacts[0].position_n[0] == pytest.approx(106.0, abs=1e-4)  # 3 s at 2 m/s since it was heard


@pytest.mark.parametrize("way", ["deactivated", "removed"])
def test_one_that_leaves_is_gone_at_once(sea, way):
    sea.hear(ship_state())
    until(lambda: len(sea.sim.contacts), lambda: sea.exercise.before(sea.session))
    last = ship_state(time_s=1.0, appearance=appearance(deactivated=True))
    sea.hear(last if way == "deactivated" else RemoveEntity(OTHER, OTHER))
    until(lambda: len(sea.sim.contacts) == 0, lambda: sea.exercise.before(sea.session))


def test_stop_and_start_are_followed_and_answered(sea):
    sea.tick()
    assert not sea.exercise.frozen
    sea.hear(StopFreeze(MANAGER, frozen=Frozen.TRANSMIT, request=5))
    until(lambda: sea.exercise.frozen, lambda: sea.exercise.before(sea.session))
    reply = sea.peer.receive(Acknowledge)
    assert (reply.answered, reply.response, reply.request) == (Answered.STOP_FREEZE, Response.ABLE, 5)
    assert reply.receiver == MANAGER and (reply.sender.site, reply.sender.application) == (1, 1)
    sea.exercise.idle(sea.session)
    assert sea.peer.receive(EntityState).appearance & FROZEN
    sea.hear(StartResume(MANAGER, request=6))
    until(lambda: not sea.exercise.frozen, lambda: sea.exercise.idle(sea.session))
    assert sea.peer.receive(Acknowledge).request == 6


def test_frozen_without_transmission_one_pdu_says_so_and_then_there_is_silence(sea):
    sea.tick()
    sea.hear(StopFreeze(MANAGER))
    until(lambda: sea.exercise.frozen, lambda: sea.exercise.before(sea.session))
    sent = sea.exercise.counts()["entity_states"]
    for _ in range(30):
        sea.clock.now_s += 1.0
        sea.exercise.idle(sea.session)
    assert sea.exercise.counts()["entity_states"] == sent + 1
    sea.hear(ship_state())
    sea.exercise.idle(sea.session)
    assert len(sea.sim.contacts) == 0  # nor is anything taken in


def test_requests_to_others_are_left_alone(sea):
    sea.hear(StopFreeze(MANAGER, EntityId(1, 2, 1)))
    sea.hear(RemoveEntity(MANAGER, EntityId(4, 4, 4)))
    sea.tick()
    assert not sea.exercise.frozen and "requests" not in sea.exercise.counts()


def test_a_vehicle_that_is_removed_is_told_of_no_more(sea):
    sea.tick()
    sea.peer.receive(EntityState)
    sea.hear(RemoveEntity(MANAGER, EntityId(1, 1, 1), request=8))
    until(lambda: sea.exercise.counts().get("requests"), lambda: sea.exercise.before(sea.session))
    assert sea.peer.receive(EntityState).appearance & DEACTIVATED
    assert sea.peer.receive(Acknowledge).request == 8
    sent = sea.exercise.counts()["entity_states"]
    sea.tick(80)
    assert sea.exercise.counts()["entity_states"] == sent
    sea.hear(RemoveEntity(MANAGER, EntityId(1, 1, 1), request=9))
    until(lambda: sea.exercise.counts()["requests"] == 2, lambda: sea.exercise.before(sea.session))
    assert sea.peer.receive(Acknowledge).response == Response.UNABLE


def test_a_collision_is_told(sea):
    sea.tick(events=[{"time_s": 0.1, "kind": "collision", "text": "hit wall at 0.5 m/s", "with": "wall"}])
    crash = sea.peer.receive(CollisionPdu)
    assert crash.entity == EntityId(1, 1, 1) and crash.event.entity == 1
    assert crash.mass_kg == sea.sim.vehicle.body.mass_kg
    sea.tick(events=[{"time_s": 0.2, "kind": "touch", "text": "rests on the seabed"}])
    sea.tick(
        events=[{"time_s": 0.3, "kind": "collision", "text": "hit", "north_m": 1.0, "east_m": 0.0, "depth_m": 20.0}]
    )
    crash = sea.peer.receive(CollisionPdu)
    assert crash.event.entity == 2 and math.hypot(*crash.location) == pytest.approx(1.0, abs=0.1)


def test_vehicles_that_meet_are_told_as_the_entities_they_are():
    with Peer() as peer:
        session = Afloat(simulation(name="a"), simulation(name="b", north_m=9.0))
        exercise = Exercise(f"127.0.0.1:{peer.port}", ident=(3, 4, 10))
        exercise.begin(session)
        event = {"time_s": 0.1, "kind": "collision", "text": "a and b collided at 0.4 m/s", "vehicle": "b"}
        session.tick(exercise, [event])
        crash = peer.receive(CollisionPdu)
        exercise.close()
    assert (crash.entity, crash.other) == (EntityId(3, 4, 11), EntityId(3, 4, 10))


def test_at_the_end_it_says_goodbye_and_takes_its_contacts_along():
    with Peer() as peer:
        session = Afloat(simulation())
        exercise = Exercise(f"127.0.0.1:{peer.port}")
        exercise.begin(session)
        session.tick(exercise)
        peer.send(ship_state(), exercise.network.port)
        until(lambda: len(session.sims[0].contacts), lambda: exercise.before(session))
        exercise.close()
        assert not peer.receive(EntityState).appearance & DEACTIVATED
        assert peer.receive(EntityState).appearance & DEACTIVATED
        goodbye = peer.receive(RemoveEntity)
        assert (goodbye.sender, goodbye.receiver) == (EntityId(1, 1, 1), EntityId(1, 1, 1))
    assert len(session.sims[0].contacts) == 0


def test_contacts_go_through_the_orders_of_who_keeps_a_journal(sea):
    kept = []

    class Flown(Afloat):
        def order(self, name, values):
            kept.append((name, dict(values)))

    flown = Flown(*sea.session.sims)
    sea.hear(ship_state())
    until(lambda: kept, lambda: sea.exercise.before(flown))
    sea.clock.now_s += 12.1
    sea.exercise.before(flown)
    assert [name for name, _ in kept] == ["contact", "contact_gone"]
    assert kept[1][1] == {"key": kept[0][1]["key"]} == {"key": "dis:7:7:1"}


def dropped(sea, pdu, name):
    sea.hear(pdu)
    until(lambda: sea.exercise.counts().get(name))
    sea.tick()
    assert len(sea.sim.contacts) == 0 and not sea.exercise.frozen


def test_other_exercises_are_left_alone(sea):
    dropped(sea, ship_state(exercise=2), "other_exercise")


def test_noise_is_counted(sea):
    dropped(sea, b"\x07\x01\x01\x01" + bytes(200), "dropped_malformed")


def test_a_bad_number_is_counted(sea):
    data = bytearray(encode(ship_state()))
    data[48:56] = b"\x7f\xf0" + bytes(6)  # location x: infinity
    dropped(sea, bytes(data), "dropped_malformed")


def test_pdus_of_no_use_are_counted(sea):
    data = bytearray(encode(ship_state()))
    data[2] = 25  # a transmitter
    dropped(sea, bytes(data), "other_pdus")


def test_somebody_with_our_id_is_told_of(sea):
    dropped(sea, ship_state(entity=EntityId(1, 1, 7)), "dropped_same_id")
    assert any("--dis-id" in text for text in sea.messages)


def test_what_is_too_far_is_not_shown(sea):
    sea.hear(ship_state(north_m=2e5))
    until(lambda: sea.exercise.counts().get("dropped_far"), lambda: sea.exercise.before(sea.session))
    assert len(sea.sim.contacts) == 0


def test_only_those_who_may_are_heard():
    with Peer() as peer:
        session = Afloat(simulation())
        exercise = Exercise(f"127.0.0.1:{peer.port}", allowed=["192.0.2.1"])
        exercise.begin(session)
        peer.send(StopFreeze(MANAGER), exercise.network.port)
        until(lambda: exercise.counts().get("dropped_stranger"))
        exercise.before(session)
        assert not exercise.frozen
        exercise.close()


@pytest.mark.slow
def test_a_flood_of_entities_takes_only_its_share_of_a_tick(sea):
    """A thousand entities wait; each tick takes some of them, the first that came first, until all are there."""
    ships = [ship_state(north_m=100.0 + k, entity=EntityId(7, 8, k + 1)) for k in range(1200)]
    for ship in ships:
        sea.exercise._remote.receive(ship, sea.clock())
    assert sea.exercise.counts()["dropped_full"] == 200
    sea.exercise.before(sea.session)
    first = len(sea.sim.contacts)
    assert 0 < first < 1000
    until(lambda: len(sea.sim.contacts) == 1000, lambda: sea.exercise.before(sea.session))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"version": 5}, "DIS version is 5; expected 6 or 7"),
        ({"ident": (1, 2)}, "DIS id is"),
        ({"ident": (0, 1, 1)}, "DIS id is 0; expected a whole number from 1 to 65533"),
        ({"exercise": 0}, "DIS exercise is 0; expected a whole number from 1 to 255"),
        ({"algorithm": 11}, "dead reckoning algorithm is 11"),
        ({"where": "10.0.0.1:3000"}, "no authentication"),
    ],
)
def test_what_cannot_be_is_refused(options, sentence):
    with pytest.raises(CommandError, match=sentence):
        Exercise(**{"where": "127.0.0.1:9", **options})


def test_articulated_parts_of_nobody_are_refused():
    with Peer() as peer:
        exercise = Exercise(f"127.0.0.1:{peer.port}", parts={"wing": [1]})
        with pytest.raises(CommandError, match="no vehicle has an articulated part"):
            exercise.begin(Afloat(simulation()))
        exercise.close()


@pytest.mark.parametrize(
    ("receiver", "meant"),
    [
        ((1, 2, 3), True),
        ((1, 2, 4), True),
        ((1, 2, 5), False),
        ((1, 2, 0), True),
        ((1, 2, 0xFFFF), True),
        ((1, 0xFFFF, 0xFFFF), True),
        ((0xFFFF, 0xFFFF, 0xFFFF), True),
        ((1, 3, 0xFFFF), False),
        ((2, 2, 3), False),
    ],
)
def test_an_address_means_us_by_each_of_its_parts(receiver, meant):
    assert is_for(EntityId(*receiver), 1, 2, {3, 4}) is meant


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        (StartResume(MANAGER, US, request=77), Answered.START_RESUME),
        (StopFreeze(MANAGER, US, request=77), Answered.STOP_FREEZE),
        (RemoveEntity(MANAGER, US, request=77), Answered.REMOVE_ENTITY),
    ],
)
def test_the_answer_names_the_request(request_, kind):
    reply = answer(request_, US, able=True)
    assert (reply.sender, reply.receiver, reply.answered, reply.request) == (US, MANAGER, kind, 77)
    assert reply.response == Response.ABLE and answer(request_, US, able=False).response == Response.UNABLE


def test_at_once_unless_the_time_lies_ahead():
    freeze = Freeze()
    assert not freeze.frozen and freeze.transmit and freeze.receive
    assert freeze.apply_or_schedule(StopFreeze(MANAGER), NOW)
    assert freeze.frozen and not freeze.transmit and not freeze.receive
    later = ClockTime.of(NOW + 10.0, absolute=True)
    assert freeze.apply_or_schedule(StartResume(MANAGER, real_time=later), NOW)
    freeze.apply_due(NOW + 9.9)
    assert freeze.frozen
    freeze.apply_due(NOW + 10.1)
    assert not freeze.frozen and freeze.transmit


@pytest.mark.parametrize(
    "when", [ClockTime.of(NOW - 5.0, True), ClockTime.of(NOW + 1e6, True), ClockTime.of(NOW + 5.0)]
)
def test_a_time_that_is_past_or_of_another_clock_means_now(when):
    freeze = Freeze()
    freeze.apply_or_schedule(StopFreeze(MANAGER, real_time=when), NOW)
    assert freeze.frozen


def test_what_goes_on_meanwhile():
    freeze = Freeze()
    freeze.apply_or_schedule(StopFreeze(MANAGER, frozen=Frozen.TRANSMIT), NOW)
    assert freeze.transmit and not freeze.receive
    freeze.apply_or_schedule(StopFreeze(MANAGER, frozen=Frozen.RECEIVE | Frozen.RUN_CLOCK), NOW)
    assert not freeze.transmit and freeze.receive and freeze.frozen


def test_those_that_wait_are_followed_in_the_order_of_their_times():
    freeze = Freeze()
    freeze.apply_or_schedule(StartResume(MANAGER, real_time=ClockTime.of(NOW + 20.0, True)), NOW)
    freeze.apply_or_schedule(StopFreeze(MANAGER, real_time=ClockTime.of(NOW + 10.0, True)), NOW)
    freeze.apply_due(NOW + 15.0)
    assert freeze.frozen
    freeze.apply_due(NOW + 25.0)
    assert not freeze.frozen


def test_only_so_many_may_wait():
    freeze = Freeze()
    accepted = [
        freeze.apply_or_schedule(StopFreeze(MANAGER, real_time=ClockTime.of(NOW + 60.0 + k, True)), NOW)
        for k in range(MAX_SCHEDULED + 3)
    ]
    assert accepted == [True] * MAX_SCHEDULED + [False] * 3


EVERYBODY = EntityId(0xFFFF, 0xFFFF, 0xFFFF)


def test_what_a_bundle_holds_beside_strange_parts_is_heard(sea):
    """A radio, a ship with a bad number and one of another exercise stand before the ship that is meant."""
    radio, bad = bytearray(encode(ship_state())), bytearray(encode(ship_state()))
    radio[2] = 25
    bad[48:56] = b"\x7f\xf0" + bytes(6)
    sea.hear(bytes(radio) + bytes(bad) + encode(ship_state(exercise=2)) + encode(ship_state()))
    sea.tick()
    counts = sea.exercise.counts()
    assert [counts[name] for name in ("other_pdus", "dropped_malformed", "other_exercise", "contacts")] == [1, 1, 1, 1]
    assert f"dis:{OTHER}" in sea.sim.contacts


def test_removing_all_entities_means_ours_too():
    session = Afloat(simulation(name="one"), simulation(name="two", north_m=30.0))
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
    sea.hear(ship_state())
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
