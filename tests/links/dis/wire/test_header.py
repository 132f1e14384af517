"""Headers, datagrams with several PDUs, and timestamps."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pelagos.errors import MessageError
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.header import (
    FAMILY,
    ClockTime,
    Header,
    OtherPduError,
    PduType,
    elapsed_s,
    is_absolute,
    outline,
    seconds,
    stamp,
    unbundle,
    write_header,
)
from pelagos.links.dis.wire.management import RemoveEntity
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import EntityId

A, B = EntityId(1, 2, 3), EntityId(4, 5, 6)
UNIT_S = 3600.0 / 2**31


def test_an_outline_reads_any_type():
    peeked = outline(bytes.fromhex("07 05 1D 06 00000010 000C 08 00"))  # Underwater Acoustic, nothing after the header
    assert peeked == (Header(7, 5, 16, 8), 29, 12)


def test_the_last_bytes_of_version_6_are_padding():
    assert outline(bytes.fromhex("06 05 01 01 00000010 000C FF FF")).header == Header(6, 5, 16, 0)


def test_a_type_that_is_not_ours_is_told_apart_from_damage():
    with pytest.raises(OtherPduError, match="PDU type is 29"):
        decode(bytes.fromhex("07 05 1D 06 00000010 000C 00 00"))
    with pytest.raises(MessageError) as caught:
        decode(bytes.fromhex("07 05 01 01 00000010 000C 00 00"))
    assert not isinstance(caught.value, OtherPduError)


def test_several_pdus_in_a_datagram():
    pdus = [RemoveEntity(A, B, 1), CollisionPdu(A, B), RemoveEntity(A, B, 2)]
    data = b"".join(encode(pdu) for pdu in pdus)
    assert [decode(part) for part in unbundle(data)] == pdus
    assert list(unbundle(encode(pdus[0]))) == [encode(pdus[0])]
    with pytest.raises(MessageError, match="length in the header of a PDU is"):
        decode(data)


def test_zeros_that_fill_up_to_eight_bytes_are_left_out():
    """28, 60 and 28 bytes: 4 of fill behind each, also behind the last."""
    pdus = [RemoveEntity(A, B, 1), CollisionPdu(A, B), RemoveEntity(A, B, 2)]
    assert [decode(part) for part in unbundle(b"".join(encode(pdu) + bytes(4) for pdu in pdus))] == pdus
    assert [decode(part) for part in unbundle(encode(pdus[0]) + bytes(4))] == pdus[:1]


def test_what_stands_before_rubbish_is_given_out():
    first, parts = encode(RemoveEntity(A, B)), []
    with pytest.raises(MessageError):
        for part in unbundle(first + b"\x63" * 20):
            parts.append(part)
    assert parts == [first]


@pytest.mark.parametrize("tail", [b"\x07", b"\0" * 12, b"\x07\x01\x01\x01\0\0\0\0\0\0\0\0"])
def test_a_bundle_with_rubbish_at_its_end_is_refused(tail):
    with pytest.raises(MessageError):
        list(unbundle(encode(RemoveEntity(A, B)) + tail))


def test_an_empty_datagram_holds_nothing():
    assert list(unbundle(b"")) == []
    with pytest.raises(MessageError, match="size of a PDU is 0; expected at least 12 bytes"):
        decode(b"")


def test_a_pdu_is_no_longer_than_the_standard_lets_it():
    with pytest.raises(MessageError, match="8192"):
        write_header(Header(), 7, PduType.ENTITY_STATE, 8193)
    with pytest.raises(MessageError, match="length in the header of a PDU is 8193"):
        outline(bytes.fromhex("07 05 01 01 00000010 2001 00 00") + bytes(9000))


def test_every_type_has_its_family():
    assert {int(kind): family for kind, family in FAMILY.items()} == {1: 1, 4: 1, 12: 5, 13: 5, 14: 5, 15: 5}


def test_quarters_of_an_hour_are_powers_of_two():
    assert stamp(900.0) == 0x40000000 and stamp(900.0, True) == 0x40000001
    assert stamp(1800.0) == 0x80000000 and stamp(0.0) == 0 and stamp(3600.0) == 0
    assert seconds(0x80000001) == 1800.0 and is_absolute(0x80000001) and not is_absolute(0x80000000)
    assert seconds(0xFFFFFFFF) == 3600.0 - UNIT_S


@given(st.floats(-1e10, 1e10), st.booleans())
def test_a_time_comes_back_within_a_unit(time_s, absolute):
    timestamp = stamp(time_s, absolute)
    assert 0 <= timestamp < 2**32 and is_absolute(timestamp) == absolute
    lost = (time_s - seconds(timestamp)) % 3600.0
    near = 1e-14 * abs(time_s) + 1e-9  # what is left of a large number of seconds
    assert lost < UNIT_S + near or lost > 3600.0 - near


@given(st.floats(0.0, 1e9), st.floats(-1799.0, 1799.0))
def test_time_passes_over_the_hour(start_s, passed_s):
    assert elapsed_s(stamp(start_s), stamp(start_s + passed_s)) == pytest.approx(passed_s, abs=2.0 * UNIT_S)


@given(st.floats(-7e12, 7e12))
def test_a_clock_time_comes_back(time_s):
    clock = ClockTime.of(time_s)
    assert 0 <= clock.past < 2**32
    assert clock.time_s == pytest.approx(time_s, rel=1e-15, abs=UNIT_S)


def test_a_clock_time_of_a_known_day():
    clock = ClockTime.of(1753200060.0, absolute=True)  # 22 July 2025, 16:01 UTC: 487000 hours since 1970 and 1 minute
    assert clock.hours == 487000 and is_absolute(clock.past)
    assert seconds(clock.past) == pytest.approx(60.0, abs=2.0 * UNIT_S)


def test_just_before_an_hour_both_parts_agree():
    assert ClockTime.of(-1e-20) == ClockTime(-1, 0xFFFFFFFE)
    assert ClockTime.of(math.nextafter(7200.0, 0.0)).time_s == pytest.approx(7200.0, abs=2.0 * UNIT_S)


@pytest.mark.parametrize("time_s", [math.nan, math.inf, -math.inf])
def test_a_time_that_is_none_is_refused(time_s):
    with pytest.raises(MessageError, match="finite"):
        stamp(time_s)
    with pytest.raises(MessageError, match="finite"):
        ClockTime.of(time_s)
