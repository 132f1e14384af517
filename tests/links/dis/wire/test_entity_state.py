"""Entity State PDUs against bytes laid out by hand, and invalid ones."""

import math
from dataclasses import replace

import pytest

from pelagos.errors import MessageError
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import Header
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import Articulation, Attachment, DeadReckoning, EntityId, EntityType

# Written down from the layout of IEEE 1278.1, number by number. Singles: 1.5 is sign 0, exponent 127, mantissa .5, so
# 0 01111111 100.. = 3FC00000; doubles likewise with 1023. 6378137 = 0x615299 = 1.0101..b 2^22, exponent 1045 = 0x415.
BODY = """
    0001 0002 0003                     entity: site 1, application 2, entity 3
    01 02                              friendly; two variable parameters
    01 04 00E1 08 01 02 03             type 1:4:225:8:1:2:3
    01 03 0062 0A 0B 0C 0D             alternative type 1:3:98:10:11:12:13
    3FC00000 C0100000 3E800000         velocity 1.5 -2.25 0.25
    415854A640000000                   x 6378137
    C000000000000000 3FD0000000000000  y -2, z 0.25
    3F800000 BF000000 40000000         psi 1, theta -0.5, phi 2
    00A01008                           appearance: slight damage, lights, frozen, deactivated
    04                                 algorithm RVW
    02 FFFF 00000000 00000000 00000000 other parameters: quaternion (1, 0, 0, 0)
    3E000000 BE000000 3F400000         acceleration 0.125 -0.125 0.75
    BF800000 3F000000 40400000         angular velocity -1 0.5 3
    01 4155562031 000000000000         ASCII "AUV 1"
    80000001                           capabilities
    00 07 0000 00000510 C2220000 00000000   articulated: change 7, on the hull, type 1296, -40.5
    01 00 0002 00000203 01 04 00E1 08 00 00 00   attached: there, on part 2, station 515, 1:4:225:8:0:0:0
"""
HEADER_7 = "07 09 01 01 40000001 00B0 02 00  version, exercise, type, family, 900 s set, 176 bytes, status"
HEADER_6 = "06 09 01 01 40000001 00B0 0000   version, exercise, type, family, 900 s set, 176 bytes, padding"


def by_hand(text):
    """The bytes of lines of hexadecimal numbers, each number of an even count of digits, until the first other word."""
    digits = ""
    for line in text.splitlines():
        for word in line.split():
            if len(word) % 2 or any(c not in "0123456789ABCDEF" for c in word):
                break
            digits += word
    return bytes.fromhex(digits)


STATE = EntityState(
    entity=EntityId(1, 2, 3),
    type=EntityType(1, 4, 225, 8, 1, 2, 3),
    location=(6378137.0, -2.0, 0.25),
    velocity=(1.5, -2.25, 0.25),
    orientation=(1.0, -0.5, 2.0),
    reckoning=DeadReckoning(4, (0.125, -0.125, 0.75), (-1.0, 0.5, 3.0), b"\x02\xff\xff" + bytes(12)),
    force=1,
    marking="AUV 1",
    appearance=0x00A01008,
    capabilities=0x80000001,
    alternative=EntityType(1, 3, 98, 10, 11, 12, 13),
    parts=(Articulation(1296, -40.5, change=7), Attachment(515, EntityType(1, 4, 225, 8), attached_to=2)),
    header=Header(7, 9, 0x40000001, 2),
)


def test_the_hand_laid_bytes_are_as_many_as_the_standard_says():
    assert len(by_hand(HEADER_7)) == len(by_hand(HEADER_6)) == 12
    assert len(by_hand(BODY)) == 132 + 2 * 16


def test_bytes_of_version_7():
    data = by_hand(HEADER_7) + by_hand(BODY)
    assert encode(STATE) == data
    assert decode(data) == STATE


def test_bytes_of_version_6_have_no_status():
    data = by_hand(HEADER_6) + by_hand(BODY)
    assert encode(STATE, 6) == data
    assert decode(data) == replace(STATE, header=Header(6, 9, 0x40000001, 0))


def test_a_state_without_parts_is_144_bytes():
    assert len(encode(replace(STATE, parts=()))) == 144


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("location", (math.nan, 0.0, 0.0)),
        ("location", (0.0, 1e12, 0.0)),
        ("velocity", (0.0, 0.0, math.inf)),
        ("velocity", (3e5, 0.0, 0.0)),
        ("orientation", (0.0, math.nan, 0.0)),
        ("orientation", (0.0, 0.0)),
        ("reckoning", DeadReckoning(4, (math.nan, 0.0, 0.0))),
        ("reckoning", DeadReckoning(4, (0.0, 0.0, 0.0), (0.0, -math.inf, 0.0))),
        ("reckoning", DeadReckoning(10)),
        ("reckoning", DeadReckoning(4, other=b"short")),
        ("force", 256),
        ("marking", "longer than eleven"),
        ("entity", EntityId(70000, 0, 0)),
        ("parts", (Articulation(1, math.nan),)),
        ("parts", (Articulation(1, 0.0),) * 256),
        ("header", Header(8)),
    ],
)
def test_what_cannot_be_sent_is_refused(field, value):
    with pytest.raises(MessageError):
        encode(replace(STATE, **{field: value}))


def with_bytes(start, digits):
    data = bytearray(encode(STATE))
    changed = bytes.fromhex(digits)
    data[start : start + len(changed)] = changed
    return bytes(data)


@pytest.mark.parametrize(
    ("start", "digits", "sentence"),
    [
        (0, "05", "DIS version is 5; expected 6 or 7"),
        (8, "00AF", "length in the header of a PDU is 175; expected 176"),
        (8, "00B1", "length in the header of a PDU is 177; expected 12 to 176 bytes"),
        (8, "000B", "length in the header of a PDU is 11; expected 12 to 176 bytes"),
        (19, "03", "expected 192 bytes with 3 parts"),
        (19, "01", "expected 160 bytes with 1 parts"),
        (36, "7FC00000", r"velocity \(m/s\) is nan; expected a number from -"),
        (48, "7FF0000000000000", r"location \(m\) is inf; expected a number from -"),
        (48, "4341C37937E08000", r"location \(m\) is 1e\+16"),
        (72, "FF800000", r"orientation \(rad\) is -inf; expected a number from -"),
        (88, "0A", "algorithm is 10; expected a whole number from 0 to 9"),
        (104, "7F800000", r"acceleration \(m/s2\) is inf; expected a number from -"),
        (116, "7FFFFFFF", r"angular velocity \(rad/s\) is nan; expected a number from -"),
        (152, "7FC00001", "a part's value is nan; expected a number from -"),
    ],
)
def test_damage_is_refused_in_a_sentence(start, digits, sentence):
    with pytest.raises(MessageError, match=sentence):
        decode(with_bytes(start, digits))


@pytest.mark.parametrize("size", [*range(12), 143, 175, 177])
def test_a_datagram_of_the_wrong_size_is_refused(size):
    with pytest.raises(MessageError):
        decode((encode(STATE) + b"\0" * 8)[:size])
