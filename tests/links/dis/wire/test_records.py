"""Records: entity types, markings, dead reckoning parameters, articulated and attached parts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.errors import MessageError
from pelagos.links.dis.wire.records import (
    Articulation,
    Attachment,
    EntityId,
    EntityType,
    check_finite,
    marking_bytes,
    marking_text,
    read_parts,
    write_parts,
)

RUDDER = bytes.fromhex("00 05 0002 0000040B 3F000000 00000000")  # change 5, on part 2, 1024 + 11, 0.5
POD = bytes.fromhex("01 01 0000 00000201 08 04 00E1 01 02 03 04")  # detached, on the hull, station 513
OTHERS = [bytes([kind]) + bytes(range(1, 16)) for kind in (2, 3, 4, 20, 26, 200, 255)]


def test_entities_are_named_by_three_numbers():
    assert str(EntityId(1, 2, 3)) == "1:2:3" and len({EntityId(1, 2, 3), EntityId(1, 2, 3)}) == 1
    assert sorted([EntityId(2, 1, 1), EntityId(1, 9, 9)])[0].site == 1


def test_a_type_is_read_from_text():
    assert EntityType.of("1:4:225:8") == EntityType(1, 4, 225, 8)
    assert str(EntityType.of("1:4:225:8:1:2:3")) == "1:4:225:8:1:2:3"


@pytest.mark.parametrize("text", ["", "1:4:x", "1:4:70000", "256", "1:2:3:4:5:6:7:8", "-1", "1::2", "1:4:²"])
def test_a_type_that_is_none_is_refused(text):
    with pytest.raises(MessageError, match="entity type"):
        EntityType.of(text)


def test_a_marking_is_eleven_bytes():
    assert marking_bytes("AUV 1") == b"AUV 1\0\0\0\0\0\0"
    assert marking_bytes("exactly 11!") == b"exactly 11!"


def test_accents_are_taken_off():
    assert marking_bytes("Nérée") == b"Neree\0\0\0\0\0\0"
    assert marking_bytes("Åse Öz") == b"Ase Oz\0\0\0\0\0"


@pytest.mark.parametrize("text", ["twelve chars", "深海", "tab\t", "nul\0", "ß", "🐟"])
def test_a_marking_that_would_lose_something_is_refused(text):
    with pytest.raises(MessageError, match="marking"):
        marking_bytes(text)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"AUV 1\0junk", "AUV 1"),
        (b"padded     ", "padded"),
        (b"\xe9t\xe9 \x07\x1b[2J", "?t? ??[2J"),  # nothing that a terminal would obey
        (b"\0\0\0", ""),
    ],
)
def test_a_marking_from_outside_is_made_printable(data, text):
    assert marking_text(data) == text


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=11))
def test_markings_come_back(text):
    assert marking_text(marking_bytes(text)) == text.rstrip(" ")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 10.5, -10.5])
def test_numbers_beyond_their_limit_are_named(bad):
    with pytest.raises(MessageError, match="speed is"):
        check_finite("speed", (0.0, bad), 10.0)
    check_finite("speed", (10.0, -10.0), 10.0)


def test_records_laid_out_by_hand():
    parts = (Articulation(1035, 0.5, 5, 2), Attachment(513, EntityType(8, 4, 225, 1, 2, 3, 4), 1))
    assert write_parts(parts) == RUDDER + POD
    assert read_parts(RUDDER + POD, 0, 2) == parts


def test_a_type_is_a_class_and_a_metric():
    part = Articulation(2304 + 13, 0.1)
    assert (part.part_class, part.metric) == (2304, 13)


def test_records_of_other_kinds_are_skipped():
    data = b"head" + b"".join([OTHERS[0], RUDDER, *OTHERS[1:], POD])
    assert [type(part) for part in read_parts(data, 4, 9)] == [Articulation, Attachment]
    assert read_parts(b"".join(OTHERS), 0, len(OTHERS)) == ()


def test_padding_of_a_part_is_not_looked_at():
    assert read_parts(RUDDER[:12] + b"\xff" * 4, 0, 1) == read_parts(RUDDER, 0, 1)


def test_fewer_bytes_than_records_are_refused():
    with pytest.raises(MessageError, match="size of 2 part records is 31; expected at least 32 bytes"):
        read_parts((RUDDER + POD)[:-1], 0, 2)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e13])
def test_a_value_that_is_none_is_refused(value):
    with pytest.raises(MessageError, match="value"):
        write_parts((Articulation(1035, value),))
