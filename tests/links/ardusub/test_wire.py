"""Servo packets against golden bytes, and the answer read by text search, as the autopilot does, and as JSON."""

import json
import random
import struct

import numpy as np
import pytest

from pelagos.errors import MessageError
from pelagos.links.ardusub.wire import Servos, line, read_servos, sensor_fields
from tests.links.ardusub.fake_autopilot import KEYS, UnreadError, read_line

# magic 18458 = 0x481A, rate 1200 = 0x04B0, frame 66051 = 0x00010203, channels 1500 = 0x05DC and 0
GOLDEN_16 = bytes.fromhex("1a48 b004 03020100" + "dc05" * 8 + "0000" * 8)
# magic 29569 = 0x7381, rate 301 = 0x012D, frame 0, the first channel 1100 = 0x044C
GOLDEN_32 = bytes.fromhex("8173 2d01 00000000 4c04" + "0000" * 31)
VALUES = {
    "time_s": 1234.0 + 1.0 / 1200.0,
    "gyro": (0.01, -0.02, 1e-9),
    "accel": (1.5e-7, 0.2, -9.80665),
    "position_n": (-1234.5, 0.0, 4.4),
    "euler": (0.1, -0.2, 3.1),
    "quaternion": (0.5, -0.5, 0.5, -0.5),
    "velocity_n": (0.25, -1e-7, 0.0),
}
MORE = sensor_fields([4.1234, 101.0], (16.59, 3.33))


def test_golden_bytes_of_16_and_32_channels():
    assert read_servos(GOLDEN_16) == Servos(1200, 66051, (1500,) * 8 + (0,) * 8)
    assert read_servos(GOLDEN_32) == Servos(301, 0, (1100,) + (0,) * 31)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "size of the packet is 0; expected 40 bytes"),
        (GOLDEN_16[:-1], "size of the packet is 39; expected 40 bytes"),
        (GOLDEN_16 + b"\0", "size of the packet is 41; expected 40 bytes"),
        (b"\x81\x73" + GOLDEN_16[2:], "magic is 29569; expected 18458"),
        (b"\x1a\x48" + GOLDEN_32[2:], "magic is 18458; expected 29569"),
        (GOLDEN_16[::-1], "expected 18458"),
        (GOLDEN_16[:2] + b"\0\0" + GOLDEN_16[4:], "rate_hz is 0; expected 1 or more"),
    ],
)
def test_what_is_no_packet_gets_a_sentence(data, message):
    with pytest.raises(MessageError, match=message):
        read_servos(data)


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


def test_the_text_search_finds_every_number():
    values = read_line(line(**VALUES, more=MORE))
    assert values["/timestamp"] == VALUES["time_s"]  # all digits
    for key, name, places in (
        ("imu/gyro", "gyro", 9), ("imu/accel_body", "accel", 9), ("/position", "position_n", 6),
        ("/attitude", "euler", 9), ("/quaternion", "quaternion", 9), ("/velocity", "velocity_n", 7),
    ):  # fmt: skip
        assert values[key] == pytest.approx(VALUES[name], abs=0.5000001 * 10.0**-places)  # the digits that are sent
    assert values["/rng_1"] == 4.123 and values["/rng_2"] == 101.0
    assert values["battery/voltage"] == 16.59 and values["battery/current"] == 3.33
    sent = {"/timestamp", "imu/gyro", "imu/accel_body", "/position", "/attitude", "/quaternion", "/velocity"}
    assert set(values) == sent | {"/rng_1", "/rng_2", "battery/voltage", "battery/current"}  # and finds nothing else


def test_it_is_json_too_and_compact():
    data = line(**VALUES, more=MORE)
    assert data.startswith(b"\n{") and data.endswith(b"}\n") and data.count(b"\n") == 2
    assert b" " not in data and b"e-" not in data  # neither spaces nor exponents: the oldest reader takes [a,b,c] only
    parsed = json.loads(data)
    assert parsed["imu"]["accel_body"][2] == -9.80665
    assert parsed["battery"] == {"voltage": 16.59, "current": 3.33}
    assert len(data) < 700  # bytes: one datagram of any network


def test_no_key_is_inside_another():
    text = line(**VALUES, more=sensor_fields([1.0] * 8, (16.0, 1.0))).decode()
    for _, key, _, _ in KEYS:
        assert text.count(key) <= 1
        assert text.count(f'"{key}":') == text.count(key)
    assert '"rng_6"' in text and '"rng_7"' not in text  # ArduPilot has six
    for section in ("windvane", "rc"):
        assert section not in text  # else the reader would look for the keys of a section that is not there


def test_differences_of_time_stamps_keep_the_rate():
    """The autopilot's rate is a 32-bit float of 1 / difference, cut to a whole number: it must not fall below."""
    for rate in (301, 777, 1199):
        first = 9876.54321
        stamps = [read_line(line(**{**VALUES, "time_s": t}))["/timestamp"] for t in (first, first + 1.0 / rate)]
        assert int(np.float32(1.0 / (stamps[1] - stamps[0]))) == rate


@pytest.mark.parametrize("lost", ["timestamp", "gyro", "accel_body", "position", "velocity"])
def test_the_fake_refuses_a_line_without_a_required_key(lost):
    data = line(**VALUES)
    assert read_line(data)
    with pytest.raises(UnreadError):
        read_line(data.replace(lost.encode(), b"x"))
    with pytest.raises(UnreadError):
        read_line(data.strip())
