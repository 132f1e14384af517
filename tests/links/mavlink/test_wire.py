"""Frames against the parser of pymavlink, and damaged frames."""

import struct

import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest

from pelagos.errors import MessageError
from pelagos.links.mavlink.wire import MOST_FRAMES, Wire, frames


def packed(message, **how):
    return bytes(message.pack(mavlink.MAVLink(None, 7, 9), **how))


HEARTBEAT = mavlink.MAVLink_heartbeat_message(12, 3, 81, 19, 4, 3)
ATTITUDE = mavlink.MAVLink_attitude_message(1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)


def test_a_datagram_of_both_versions_is_taken_apart_as_pymavlink_does_it():
    data = packed(HEARTBEAT) + packed(HEARTBEAT, force_mavlink1=True) + packed(ATTITUDE)
    theirs = mavlink.MAVLink(None).parse_buffer(data)
    ours = [Wire(mavlink, 1, 1).decode(frame) for frame in frames(data)]
    assert [str(message) for message in ours] == [str(message) for message in theirs]
    assert b"".join(frames(data)) == data
    assert [message.get_srcSystem() for message in ours] == [7, 7, 7]


def test_a_signed_frame_has_its_signature_cut_off():
    codec = mavlink.MAVLink(None, 7, 9)
    codec.signing.secret_key, codec.signing.sign_outgoing, codec.signing.link_id = b"k" * 32, True, 1
    codec.signing.timestamp = 1
    data = bytes(ATTITUDE.pack(codec)) + packed(HEARTBEAT)
    first, second = frames(data)
    assert len(first) == 12 + 28 + 13 and len(second) == 12 + 9
    assert Wire(mavlink, 1, 1).decode(first).pitch == pytest.approx(0.2, abs=1e-7)  # single precision


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00\x01", "start of a frame"),
        (b"\xfd", "at least"),
        (packed(ATTITUDE)[:-1], "cut off"),
        (packed(HEARTBEAT) + b"\xff", "start of a frame"),
        (b"\xfd\x09\x02" + packed(HEARTBEAT)[3:], "incompatibility"),
        (packed(HEARTBEAT) * (MOST_FRAMES + 1), "too many messages; expected at most"),
    ],
)
def test_what_is_no_frame_is_refused_in_a_sentence(data, reason):
    with pytest.raises(MessageError, match=reason):
        frames(data)


def test_a_wrong_checksum_is_refused_and_an_unknown_message_is_nothing():
    wire = Wire(mavlink, 1, 1)
    broken = bytearray(packed(HEARTBEAT))
    broken[-1] ^= 1
    with pytest.raises(MessageError, match="CRC"):
        wire.decode(bytes(broken))
    unknown = struct.pack("<BBBBBBBHBBH", 0xFD, 1, 0, 0, 0, 7, 9, 60000, 0, 5, 0)
    assert wire.decode(unknown) is None


def test_what_we_pack_is_version_2_with_numbers_that_count_up():
    wire = Wire(mavlink, 42, 1)
    parser = mavlink.MAVLink(None)
    heard = [parser.parse_char(wire.pack(HEARTBEAT)) for _ in range(257)]
    assert [message.get_seq() for message in heard] == [i % 256 for i in range(257)]
    assert {(message.get_srcSystem(), message.get_srcComponent()) for message in heard} == {(42, 1)}
    assert wire.pack(HEARTBEAT)[0] == 0xFD
