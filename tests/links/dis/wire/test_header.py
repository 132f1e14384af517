"""The first bytes of a PDU, and datagrams of several."""

import pytest

from pelagos.errors import MessageError
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.header import FAMILY, Header, OtherPduError, PduType, outline, unbundle, write_header
from pelagos.links.dis.wire.management import RemoveEntity
from pelagos.links.dis.wire.pdu import decode, encode
from pelagos.links.dis.wire.records import EntityId

A, B = EntityId(1, 2, 3), EntityId(4, 5, 6)


def test_an_outline_reads_any_type():
    found = outline(bytes.fromhex("07 05 1D 06 00000010 000C 08 00"))  # Underwater Acoustic, nothing after the header
    assert found == (Header(7, 5, 16, 8), 29, 12)


def test_the_last_bytes_of_version_6_are_padding():
    assert outline(bytes.fromhex("06 05 01 01 00000010 000C FF FF")).header == Header(6, 5, 16, 0)


def test_a_type_that_is_not_ours_is_told_apart_from_damage():
    with pytest.raises(OtherPduError, match="type 29"):
        decode(bytes.fromhex("07 05 1D 06 00000010 000C 00 00"))
    with pytest.raises(MessageError) as caught:
        decode(bytes.fromhex("07 05 01 01 00000010 000C 00 00"))
    assert not isinstance(caught.value, OtherPduError)


def test_several_pdus_in_a_datagram():
    pdus = [RemoveEntity(A, B, 1), CollisionPdu(A, B), RemoveEntity(A, B, 2)]
    data = b"".join(encode(pdu) for pdu in pdus)
    assert [decode(part) for part in unbundle(data)] == pdus
    assert list(unbundle(encode(pdus[0]))) == [encode(pdus[0])]
    with pytest.raises(MessageError, match="claims"):
        decode(data)


def test_zeros_that_fill_up_to_eight_bytes_are_left_out():
    """28, 60 and 28 bytes: 4 of fill behind each, also behind the last."""
    pdus = [RemoveEntity(A, B, 1), CollisionPdu(A, B), RemoveEntity(A, B, 2)]
    assert [decode(part) for part in unbundle(b"".join(encode(pdu) + bytes(4) for pdu in pdus))] == pdus
    assert [decode(part) for part in unbundle(encode(pdus[0]) + bytes(4))] == pdus[:1]


def test_what_stands_before_rubbish_is_given_out():
    first, found = encode(RemoveEntity(A, B)), []
    with pytest.raises(MessageError):
        for part in unbundle(first + b"\x63" * 20):
            found.append(part)
    assert found == [first]


@pytest.mark.parametrize("tail", [b"\x07", b"\0" * 12, b"\x07\x01\x01\x01\0\0\0\0\0\0\0\0"])
def test_a_bundle_with_rubbish_at_its_end_is_refused(tail):
    with pytest.raises(MessageError):
        list(unbundle(encode(RemoveEntity(A, B)) + tail))


def test_an_empty_datagram_holds_nothing():
    assert list(unbundle(b"")) == []
    with pytest.raises(MessageError, match="0 bytes"):
        decode(b"")


def test_a_pdu_is_no_longer_than_the_standard_lets_it():
    with pytest.raises(MessageError, match="8192"):
        write_header(Header(), 7, PduType.ENTITY_STATE, 8193)
    with pytest.raises(MessageError, match="claims 8193"):
        outline(bytes.fromhex("07 05 01 01 00000010 2001 00 00") + bytes(9000))


def test_every_type_has_its_family():
    assert {int(kind): family for kind, family in FAMILY.items()} == {1: 1, 4: 1, 12: 5, 13: 5, 14: 5, 15: 5}
