"""The line, read by text search as the autopilot does, and as JSON."""

import json

import numpy as np
import pytest

from pelagos.links.ardusub.wire import instruments, line
from tests.links.ardusub.fake_autopilot import KEYS, UnreadError, read_line

VALUES = {
    "time_s": 1234.0 + 1.0 / 1200.0,
    "gyro": (0.01, -0.02, 1e-9),
    "accel": (1.5e-7, 0.2, -9.80665),
    "position_n": (-1234.5, 0.0, 4.4),
    "euler": (0.1, -0.2, 3.1),
    "quaternion": (0.5, -0.5, 0.5, -0.5),
    "velocity_n": (0.25, -1e-7, 0.0),
}
MORE = instruments([4.1234, 101.0], (16.59, 3.33))


def test_the_text_search_finds_every_number():
    found = read_line(line(**VALUES, more=MORE))
    assert found["/timestamp"] == VALUES["time_s"]  # all digits
    for key, name, places in (
        ("imu/gyro", "gyro", 9), ("imu/accel_body", "accel", 9), ("/position", "position_n", 6),
        ("/attitude", "euler", 9), ("/quaternion", "quaternion", 9), ("/velocity", "velocity_n", 7),
    ):  # fmt: skip
        assert found[key] == pytest.approx(VALUES[name], abs=0.5000001 * 10.0**-places)  # the digits that are sent
    assert found["/rng_1"] == 4.123 and found["/rng_2"] == 101.0
    assert found["battery/voltage"] == 16.59 and found["battery/current"] == 3.33
    sent = {"/timestamp", "imu/gyro", "imu/accel_body", "/position", "/attitude", "/quaternion", "/velocity"}
    assert set(found) == sent | {"/rng_1", "/rng_2", "battery/voltage", "battery/current"}  # and finds nothing else


def test_it_is_json_too_and_compact():
    data = line(**VALUES, more=MORE)
    assert data.startswith(b"\n{") and data.endswith(b"}\n") and data.count(b"\n") == 2
    assert b" " not in data and b"e-" not in data  # neither spaces nor exponents: the oldest reader takes [a,b,c] only
    parsed = json.loads(data)
    assert parsed["imu"]["accel_body"][2] == -9.80665
    assert parsed["battery"] == {"voltage": 16.59, "current": 3.33}
    assert len(data) < 700  # bytes: one datagram of any network


def test_no_key_is_inside_another():
    text = line(**VALUES, more=instruments([1.0] * 8, (16.0, 1.0))).decode()
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
