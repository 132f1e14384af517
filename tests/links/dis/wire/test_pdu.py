"""Round trips of arbitrary PDUs, and damaged bytes."""

import math
import random
import struct
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.errors import MessageError
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import ClockTime, Header, OtherPduError, unbundle
from pelagos.links.dis.wire.management import Acknowledge, RemoveEntity, StartResume, StopFreeze
from pelagos.links.dis.wire.pdu import KINDS, decode, encode
from pelagos.links.dis.wire.records import Articulation, Attachment, DeadReckoning, EntityId, EntityType

BYTE, SHORT, LONG = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32))


def single(limit):
    """Numbers that a single holds exactly."""
    limit = struct.unpack(">f", struct.pack(">f", limit * (1.0 - 1e-6)))[0]
    return st.floats(-limit, limit, width=32)


def three(numbers):
    return st.tuples(numbers, numbers, numbers)


IDS = st.builds(EntityId, SHORT, SHORT, SHORT)
TYPES = st.builds(EntityType, BYTE, BYTE, SHORT, BYTE, BYTE, BYTE, BYTE)
CLOCKS = st.builds(ClockTime, st.integers(-(2**31), 2**31 - 1), LONG)
HEADERS = st.builds(Header, st.just(7), BYTE, LONG, BYTE)
RECKONINGS = st.builds(
    DeadReckoning, st.integers(0, 9), three(single(1e6)), three(single(1e4)), st.binary(min_size=15, max_size=15)
)
PARTS = st.one_of(
    st.builds(Articulation, LONG, single(1e12), BYTE, SHORT), st.builds(Attachment, LONG, TYPES, BYTE, SHORT)
)
MARKINGS = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=11)
STATES = st.builds(
    EntityState,
    IDS,
    TYPES,
    three(st.floats(-1e9, 1e9)),
    three(single(1e5)),
    three(single(100.0)),
    RECKONINGS,
    BYTE,
    MARKINGS,
    LONG,
    LONG,
    TYPES,
    st.lists(PARTS, max_size=12).map(tuple),
    HEADERS,
)
COLLISIONS = st.builds(
    CollisionPdu, IDS, IDS, IDS, BYTE, three(single(1e5)), single(1e12).map(abs), three(single(1e6)), HEADERS
)
PDUS = st.one_of(
    STATES,
    COLLISIONS,
    st.builds(StartResume, IDS, IDS, CLOCKS, CLOCKS, LONG, HEADERS),
    st.builds(StopFreeze, IDS, IDS, CLOCKS, BYTE, BYTE, LONG, HEADERS),
    st.builds(Acknowledge, IDS, IDS, SHORT, SHORT, LONG, HEADERS),
    st.builds(RemoveEntity, IDS, IDS, LONG, HEADERS),
)


@pytest.mark.slow
@settings(max_examples=300)
@given(PDUS, st.sampled_from([6, 7]))
def test_a_pdu_comes_back(pdu, version):
    data = encode(pdu, version)
    status = pdu.header.status if version == 7 else 0
    assert decode(data) == replace(pdu, header=replace(pdu.header, version=version, status=status))
    assert int.from_bytes(data[8:10], "big") == len(data)
    assert encode(decode(data)) == data


@settings(max_examples=300)
@given(st.binary(max_size=300))
def test_rubbish_is_refused_and_nothing_else_happens(data):
    with pytest.raises(MessageError):
        decode(data if data[:1] not in (b"\6", b"\7") else b"\1" + data)


@settings(max_examples=200)
@given(st.sampled_from([6, 7]), BYTE, st.binary(max_size=300))
def test_a_sound_header_before_rubbish(version, kind, rest):
    data = struct.pack(">BBBBIHBB", version, 1, kind, 1, 0, 12 + len(rest), 0, 0) + rest
    try:
        pdu = decode(data)
    except OtherPduError:
        assert kind not in set(KINDS.values())
    except MessageError:
        assert kind in set(KINDS.values())
    else:
        assert KINDS[type(pdu)] == kind


A, B = EntityId(1, 2, 3), EntityId(4, 5, 6)
SOUND = [
    encode(pdu, version)
    for version in (6, 7)
    for pdu in (
        EntityState(A, EntityType(1, 4, 225, 8), (6e6, 1e6, 2e6), (1.0, 2.0, 3.0), marking="phoenix"),
        EntityState(
            A,
            EntityType(1, 4, 225, 8),
            (6e6, 1e6, 2e6),
            reckoning=DeadReckoning(4, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
            parts=(Articulation(1296, 40.0), Attachment(513, EntityType(1, 4, 225, 8)), Articulation(1035, 0.1)),
        ),
        CollisionPdu(A, B, EntityId(1, 2, 7), 0, (1.0, 2.0, 3.0), 400.0),
        StartResume(A, B, ClockTime(1, 2), ClockTime(3, 4), 5),
        StopFreeze(A, B, ClockTime(1, 2), 3, 4, 5),
        Acknowledge(A, B, 3, 1, 5),
        RemoveEntity(A, B, 5),
    )
]
SPECIAL = [struct.pack(">f", x) for x in (math.nan, math.inf, -math.inf, 3e38)] + [b"\xff" * 8, b"\0" * 8, b"\x80\0"]
FRAMING = (0, 2, 3, 8, 9, 19)  # bytes that decide what is read next: version, type, family, length, count


def damaged(rng, data):
    """One damaged copy: bits, bytes, numbers that are none, cuts, tails, headers that lie."""
    way = rng.randrange(8)
    if way == 0:
        return data[: rng.randrange(len(data) + 1)]
    if way == 1:
        return data + rng.randbytes(rng.randrange(40))
    changed = bytearray(data)
    if way == 2:
        changed[rng.choice(FRAMING)] = rng.randrange(256)
    elif way == 3:
        at = rng.randrange(len(changed))
        put = rng.choice(SPECIAL)
        changed[at : at + len(put)] = put
    elif way == 4:  # cut or lengthened with a length field that agrees
        changed = (changed + rng.randbytes(64))[: rng.randrange(12, len(changed) + 64)]
        changed[8:10] = len(changed).to_bytes(2, "big")
    elif way == 5:
        other = rng.choice(SOUND)
        at = rng.randrange(min(len(other), len(changed)))
        changed[at:] = other[at:]
    else:
        for _ in range(rng.randrange(1, 6)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.slow
def test_a_hundred_thousand_damaged_packets_raise_nothing_unexpected():
    rng = random.Random(1278)
    met = Counter()
    for _ in range(100_000):
        data = damaged(rng, rng.choice(SOUND))
        try:
            parts = unbundle(data)
            pdus = [decode(part) for part in parts]
        except MessageError as refused:
            met[type(refused)] += 1
            assert str(refused)[-1] not in ".;: " and "\n" not in str(refused)
            continue
        met["sound"] += 1
        if met["sound"] % 10 == 0:  # what was let in is sound: it can be sent on, and is the same then
            for pdu in pdus:
                assert decode(encode(pdu)) == pdu
    # each way out is taken by thousands, so that none of them is untested
    assert min(met["sound"], met[MessageError]) > 10_000 and met[OtherPduError] > 1000
