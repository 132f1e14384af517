"""Collision PDUs against bytes laid out by hand."""

import math
from dataclasses import replace

import pytest

from pelagos.errors import MessageError
from pelagos.links.dis.wire.collision import CollisionPdu, CollisionType
from pelagos.links.dis.wire.header import Header
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import NOBODY, EntityId
from tests.links.dis.wire.test_entity_state import by_hand

BODY = """
    0001 0002 0003              who tells
    0004 0005 0006              whom it hit
    0001 0002 0007              event 7 of application 1:2
    01 00                       elastic; padding
    3FC00000 C0100000 3E800000  velocity 1.5 -2.25 0.25
    43CE4000                    mass 412.5 = 1.1001110010b 2^8, exponent 135
    3F000000 BF800000 40000000  0.5 -1 2
"""
HEADER_7 = "07 09 04 01 40000001 003C 02 00"
HEADER_6 = "06 09 04 01 40000001 003C 0000"
CRASH = CollisionPdu(
    EntityId(1, 2, 3),
    EntityId(4, 5, 6),
    EntityId(1, 2, 7),
    CollisionType.ELASTIC,
    (1.5, -2.25, 0.25),
    412.5,
    (0.5, -1.0, 2.0),
    Header(7, 9, 0x40000001, 2),
)


@pytest.mark.parametrize(("version", "first"), [(6, HEADER_6), (7, HEADER_7)])
def test_bytes_of_both_versions(version, first):
    data = by_hand(first) + by_hand(BODY)
    assert len(data) == 60
    assert encode(CRASH, version) == data
    assert decode(data) == replace(CRASH, header=Header(version, 9, 0x40000001, 2 if version == 7 else 0))


def test_the_seabed_is_nobody():
    pdu = decode(encode(CollisionPdu(EntityId(1, 2, 3))))
    assert isinstance(pdu, CollisionPdu) and pdu.other == NOBODY and str(pdu.other) == "0:0:0"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mass_kg", -1.0),
        ("mass_kg", math.nan),
        ("velocity", (math.inf, 0.0, 0.0)),
        ("location", (0.0, 0.0, 1e9)),
        ("type", 256),
    ],
)
def test_what_cannot_be_sent_is_refused(field, value):
    with pytest.raises(MessageError):
        encode(replace(CRASH, **{field: value}))


@pytest.mark.parametrize(("start", "digits"), [(44, "C3CE4000"), (44, "7FC00000"), (32, "7F800000"), (48, "FF800000")])
def test_damage_is_refused(start, digits):
    data = bytearray(encode(CRASH))
    data[start : start + 4] = bytes.fromhex(digits)
    with pytest.raises(MessageError):
        decode(bytes(data))


def test_a_length_that_is_not_the_standard_s_is_refused():
    data = bytearray(encode(CRASH) + b"\0" * 4)
    data[8:10] = (64).to_bytes(2, "big")
    with pytest.raises(MessageError, match="expected 60"):
        decode(bytes(data))
