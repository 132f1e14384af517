"""Simulation management PDUs against bytes laid out by hand."""

from dataclasses import replace

import pytest

from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import ClockTime, Header
from pelagos.links.dis.wire.management import (
    Acknowledge,
    Answered,
    Frozen,
    Reason,
    RemoveEntity,
    Response,
    StartResume,
    StopFreeze,
)
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import EntityId
from tests.links.dis.wire.test_entity_state import by_hand

A, B = EntityId(1, 2, 3), EntityId(4, 5, 6)
HEADER = Header(7, 9, 0x40000001, 2)
IDS = "0001 0002 0003 0004 0005 0006"
ON = ClockTime(487000, 0x40000001)
CASES = [
    (
        StartResume(A, B, ON, ClockTime(-2, 0x80000000), 0x01020304, HEADER),
        "0D",
        f"{IDS} 00076E58 40000001 FFFFFFFE 80000000 01020304",  # 487000 = 0x76E58
        44,
    ),
    (
        StopFreeze(A, B, ON, Reason.STOP_FOR_RESET, Frozen.TRANSMIT | Frozen.RECEIVE, 0x01020304, HEADER),
        "0E",
        f"{IDS} 00076E58 40000001 06 06 0000 01020304",
        40,
    ),
    (
        Acknowledge(A, B, Answered.STOP_FREEZE, Response.UNABLE, 0x01020304, HEADER),
        "0F",
        f"{IDS} 0004 0002 01020304",
        32,
    ),
    (RemoveEntity(A, B, 0x01020304, HEADER), "0C", f"{IDS} 01020304", 28),
]
NAMES = [type(case[0]).__name__ for case in CASES]


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize(("pdu", "kind", "body", "size"), CASES, ids=NAMES)
def test_bytes_of_both_versions(pdu, kind, body, size, version):
    status = "02 00" if version == 7 else "0000"
    data = by_hand(f"0{version} 09 {kind} 05 40000001 {size:04X} {status} {body}")
    assert len(data) == size
    assert encode(pdu, version) == data
    assert decode(data) == replace(pdu, header=Header(version, 9, 0x40000001, 2 if version == 7 else 0))


@pytest.mark.parametrize(("pdu", "kind", "body", "size"), CASES, ids=NAMES)
@pytest.mark.parametrize("more", [-4, 4])
def test_a_length_that_is_not_the_standard_s_is_refused(pdu, kind, body, size, more):
    data = bytearray((encode(pdu) + b"\0" * 4)[: size + more])
    data[8:10] = len(data).to_bytes(2, "big")
    with pytest.raises(MessageError, match=f"expected {size}"):
        decode(bytes(data))


@pytest.mark.parametrize(
    "pdu",
    [
        RemoveEntity(A, B, 1 << 32),
        RemoveEntity(A, B, -1),
        Acknowledge(A, B, 70000),
        StopFreeze(A, B, reason=256),
        StartResume(A, B, ClockTime(1 << 31, 0)),
        StartResume(A, EntityId(1, 2, -3)),
    ],
)
def test_what_does_not_fit_is_refused(pdu):
    with pytest.raises(MessageError, match="cannot be written"):
        encode(pdu)
