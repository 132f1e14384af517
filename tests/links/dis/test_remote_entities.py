"""Remote entities: conversion from geocentric axes and back, arrivals, timeouts and limits."""

import math

import numpy as np
import pytest

from pelagos.errors import MessageError
from pelagos.frames import angle_between, quaternion_from_euler, rotation_from_quaternion
from pelagos.geodesy import Origin, geocentric_euler
from pelagos.links.counts import Counts
from pelagos.links.dis.remote_entities import RemoteEntities, contact_fields, contact_key
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.enumerations import appearance
from pelagos.links.dis.wire.header import Header, stamp
from pelagos.links.dis.wire.records import DeadReckoning, EntityId, EntityType
from pelagos.sim.contacts import Contact

ORIGIN = Origin(36.8, -121.9)
SHIP, UUV = EntityType.of("1:3:225:61"), EntityType.of("1:4:225:8:1")
WHO = EntityId(4, 5, 6)


def state_of(place, attitude, velocity=(0.0, 0.0, 0.0), acceleration=(0.0, 0.0, 0.0), algorithm=2, who=WHO, **more):
    """What a program that knows the earth would send of a body in our NED axes."""
    R_en = ORIGIN.R_en
    turn = np.eye(3) if algorithm >= 6 else R_en
    return EntityState(
        who,
        more.pop("type", UUV),
        tuple(ORIGIN.to_geocentric(place)),
        tuple(turn @ np.array(velocity)),
        geocentric_euler(R_en @ rotation_from_quaternion(attitude)),
        DeadReckoning(algorithm, tuple(turn @ np.array(acceleration)), more.pop("rates", (0.0, 0.0, 0.0))),
        **more,
    )


@pytest.mark.parametrize("algorithm", [2, 4, 8])
@pytest.mark.parametrize("euler", [(0.0, 0.0, 0.0), (0.3, -0.6, 2.5), (0.0, math.pi / 2, 1.0), (3.0, 0.1, -3.0)])
def test_a_body_comes_to_the_place_and_attitude_it_has(algorithm, euler):
    place, attitude = np.array([120.0, -340.0, 55.0]), quaternion_from_euler(*euler)
    v, a, w = (1.0, 2.0, -0.5), (0.1, 0.0, 0.2), (0.01, 0.02, 0.03)
    contact = Contact.of(contact_fields(state_of(place, attitude, v, a, algorithm, rates=w), ORIGIN, 7.0))
    assert contact.position_m == pytest.approx(place, abs=1e-8)  # one bit of the earth's radius
    assert angle_between(contact.quaternion, attitude) < 1e-7  # pitch of 90 deg costs half the digits
    assert contact.velocity_m_s == pytest.approx(v, abs=1e-12)
    assert contact.acceleration_m_s2 == pytest.approx(a, abs=1e-12)
    assert contact.rates_rad_s == pytest.approx(w) and contact.algorithm == algorithm and contact.time_s == 7.0


def test_names_and_sizes():
    named = Contact.of(contact_fields(state_of((0, 0, 0), (1, 0, 0, 0), marking="Point Sur", type=SHIP), ORIGIN, 0.0))
    assert (named.name, named.kind, named.key) == ("Point Sur", "ship", "dis:4:5:6")
    assert named.length_m > 20.0 > 5.0 > named.height_m / 3.0
    unnamed = Contact.of(contact_fields(state_of((0, 0, 0), (1, 0, 0, 0)), ORIGIN, 0.0))
    assert unnamed.name == "AUV 4:5:6" and unnamed.length_m < 5.0


def test_what_is_frozen_or_reckoned_by_nobody_knows_what_stands_still():
    frozen = state_of((0, 0, 5), (1, 0, 0, 0), (3.0, 0.0, 0.0), appearance=appearance(frozen=True))
    other = state_of((0, 0, 5), (1, 0, 0, 0), (3.0, 0.0, 0.0), algorithm=0)
    for state in (frozen, other):
        assert Contact.of(contact_fields(state, ORIGIN, 0.0)).at(100.0).position_n == pytest.approx([0, 0, 5], abs=1e-8)


def test_the_other_side_of_the_earth_has_no_place_in_a_flat_world():
    with pytest.raises(MessageError, match=r"of 4:5:6 from the origin of the world \(km\) is \d+; expected at most"):
        contact_fields(state_of((150e3, 0.0, 0.0), (1, 0, 0, 0)), ORIGIN, 0.0)


def remote_state(entity=6, time_s=None, **more):
    header = Header(timestamp=0 if time_s is None else stamp(time_s))
    return state_of((0, 0, 5), (1, 0, 0, 0), who=EntityId(4, 5, entity), header=header, **more)


def test_the_newest_of_each_is_given_out_once():
    entities = RemoteEntities(Counts("dis"))
    for time_s, marking in ((1.0, "old"), (2.0, "new")):
        entities.receive(remote_state(1, time_s, marking=marking), time_s)
    entities.receive(remote_state(2, 2.0), 2.0)
    assert [heard.state.entity.entity for heard in entities.take_updates(2.0)] == [1, 2]
    assert list(entities.take_updates(2.0)) == []
    entities.requeue_all()
    assert [heard.state.marking for heard in entities.take_updates(2.0)] == ["new", ""]


def test_those_that_are_not_asked_for_wait_and_news_of_them_does_not_put_them_back():
    entities = RemoteEntities(Counts("dis"))
    for k in range(5):
        entities.receive(remote_state(k + 1, 1.0), 1.0)
    first = next(iter(entities.take_updates(2.0)))
    entities.receive(remote_state(2, 2.0, marking="again"), 2.0)
    rest = [(heard.state.entity.entity, heard.state.marking) for heard in entities.take_updates(2.0)]
    assert first.state.entity.entity == 1 and rest == [(2, "again"), (3, ""), (4, ""), (5, "")]


def test_silence_farewell_and_removal():
    entities = RemoteEntities(Counts("dis"), heartbeat_s=5.0)
    for entity in (1, 2, 3):
        entities.receive(remote_state(entity, 1.0), 100.0)
    entities.receive(remote_state(1, 8.0), 108.0)
    assert entities.take_departed(112.0) == []  # 2.4 heartbeats are 12 s
    assert entities.take_departed(112.1) == [EntityId(4, 5, 2), EntityId(4, 5, 3)]
    assert entities.take_departed(112.2) == []
    entities.receive(remote_state(1, 9.0, appearance=appearance(deactivated=True)), 113.0)
    assert entities.take_departed(113.0) == [EntityId(4, 5, 1)] and len(entities) == 0
    entities.receive(remote_state(1, 10.0), 114.0)
    assert entities.remove(EntityId(4, 5, 1)) and not entities.remove(EntityId(4, 5, 1))


def test_what_was_overtaken_is_left_but_a_sender_that_begins_anew_is_not():
    counts = Counts("dis")
    entities = RemoteEntities(counts)
    entities.receive(remote_state(1, 3599.0, marking="first"), 0.0)
    entities.receive(remote_state(1, 3598.0, marking="late"), 0.1)
    assert counts["late"] == 1
    entities.receive(remote_state(1, 3601.0, marking="after"), 0.2)  # past the full hour
    assert [heard.state.marking for heard in entities.take_updates(2.0)] == ["after"]
    entities.receive(remote_state(1, 1000.0, marking="anew"), 0.3)
    assert [heard.state.marking for heard in entities.take_updates(2.0)] == ["anew"]


def test_there_is_a_most_and_it_is_said_rarely():
    messages = []
    counts = Counts("dis", messages.append)
    entities = RemoteEntities(counts, most=3)
    for entity in range(1, 50):
        entities.receive(remote_state(entity, 1.0), 1.0)
    assert len(entities) == 3 and counts["dropped_full"] == 46 and len(messages) == 1
    entities.receive(remote_state(2, 2.0), 2.0)  # news of a known one
    assert counts["dropped_full"] == 46
    assert contact_key(EntityId(1, 2, 3)) == "dis:1:2:3"


def test_in_a_frozen_exercise_silence_is_no_sign_and_counts_anew_after():
    """All were told to stop and be silent at 105 s, and go on at 200 s: who says nothing then is gone 12 s later."""
    entities = RemoteEntities(Counts("dis"), heartbeat_s=5.0)
    for entity in (1, 2):
        entities.receive(remote_state(entity, 1.0), 100.0)
    assert [entities.take_departed(now, frozen=True) for now in (105.0, 150.0, 200.0)] == [[], [], []]
    entities.receive(remote_state(1, 101.0), 201.0)
    assert entities.take_departed(211.9) == []
    assert entities.take_departed(212.1) == [EntityId(4, 5, 2)]
    assert entities.take_departed(213.1) == [EntityId(4, 5, 1)]


@pytest.mark.slow
def test_news_come_at_a_rate_that_a_journal_can_hold():
    """Three entities that speak a thousand times a second for ten seconds: a table full, and 500 of them a second."""
    entities, updates = RemoteEntities(Counts("dis"), most=3), []
    for k in range(10_000):
        now = 1.0 + k / 1000.0
        for entity in (1, 2, 3):
            entities.receive(remote_state(entity, now), now)
        updates += entities.take_updates(now)
    assert len(updates) == pytest.approx(500 * 9.999 + 3, abs=2)
    last = {heard.state.entity.entity: heard.at_s for heard in updates}
    assert set(last) == {1, 2, 3} and min(last.values()) > 10.99  # each has its share, and what it gets is the newest
