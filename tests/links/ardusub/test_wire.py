"""Packets of the autopilot: golden bytes of both lengths, and nothing but MessageError for whatever else comes."""

import random
import struct

import pytest

from pelagos.errors import MessageError
from pelagos.links.ardusub.wire import Servos, read_servos, write_servos

# magic 18458 = 0x481A, rate 1200 = 0x04B0, frame 66051 = 0x00010203, channels 1500 = 0x05DC and 0
GOLDEN_16 = bytes.fromhex("1a48 b004 03020100" + "dc05" * 8 + "0000" * 8)
# magic 29569 = 0x7381, rate 301 = 0x012D, frame 0, the first channel 1100 = 0x044C
GOLDEN_32 = bytes.fromhex("8173 2d01 00000000 4c04" + "0000" * 31)


def test_golden_bytes_of_16_and_32_channels():
    assert read_servos(GOLDEN_16) == Servos(1200, 66051, (1500,) * 8 + (0,) * 8)
    assert read_servos(GOLDEN_32) == Servos(301, 0, (1100,) + (0,) * 31)
    for golden in (GOLDEN_16, GOLDEN_32):
        assert write_servos(read_servos(golden)) == golden


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes"),
        (GOLDEN_16[:-1], "39 bytes"),
        (GOLDEN_16 + b"\0", "41 bytes"),
        (b"\x81\x73" + GOLDEN_16[2:], "magic 29569; expected 18458"),
        (b"\x1a\x48" + GOLDEN_32[2:], "magic 18458; expected 29569"),
        (GOLDEN_16[::-1], "expected 18458"),
        (GOLDEN_16[:2] + b"\0\0" + GOLDEN_16[4:], "rate of 0 Hz"),
    ],
)
def test_what_is_no_packet_gets_a_sentence(data, said):
    with pytest.raises(MessageError, match=said):
        read_servos(data)


def test_a_packet_of_other_channels_cannot_be_made():
    with pytest.raises(MessageError, match="8 channels; expected 16 or 32"):
        write_servos(Servos(400, 1, (1500,) * 8))


def test_mutated_packets_raise_nothing_else():
    draw = random.Random(4)
    sound = refused = 0
    for _ in range(20_000):
        data = bytearray(draw.choice((GOLDEN_16, GOLDEN_32)))
        for _ in range(draw.randrange(4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        if draw.random() < 0.3:
            del data[draw.randrange(len(data)) :]
        try:
            got = read_servos(bytes(data))
        except MessageError:
            refused += 1
        else:
            sound += 1
            channels = (len(data) - 8) // 2
            assert struct.pack(f"<{channels}H", *got.pwm) == bytes(data[8:])
            assert got.rate_hz > 0
    assert sound > 1000 and refused > 1000
