"""Wire format of the JSON interface of ArduPilot: servo packets in, one line of JSON out.

The autopilot sends one datagram for each step, little-endian, with the pulse widths of its servos:

    u16 magic   18458: 16 channels, 40 bytes; 29569: 32 channels (SERVO_32_ENABLE), 72 bytes
    u16 rate    Hz: the inverse of the step; it changes while running
    u32 frame   counts up; the same number again: the answer was lost; a lower number: the autopilot has restarted
    u16 pwm     microseconds, one for each channel; 0 for a channel without output

The answer is a line of JSON with a newline before and after it. Released versions of ArduPilot do not parse JSON: they
search the text of a section, then the text of a key, skip two characters, and read a number or the numbers between [
and ]. Hence the line has no spaces and no exponents, vectors are [a,b,c], no key is part of another key or field, and
every number is finite. It has both `attitude` and `quaternion`: the first releases read only the angles, later ones
prefer the quaternion, and some read `rng_1` only from a line with angles.

The time stamp has all digits of a double: ArduPilot computes its next rate from the difference of two stamps as a
32-bit float truncated to an integer, and a relative error of 1e-7 would slow it down.

Frames: NED and body axes. Units: s, rad/s, m/s2, m, rad, m/s, V, A.
References: ArduPilot, libraries/SITL/SIM_JSON and libraries/SITL/examples/JSON (facts, no code).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from pelagos.errors import MessageError

MAGIC = {40: 18458, 72: 29569}  # by the number of bytes
LAYOUT = {40: struct.Struct("<HHI16H"), 72: struct.Struct("<HHI32H")}
LONGEST = 72  # bytes of a packet, from LAYOUT
_LINE = (
    '\n{"timestamp":%.15f,"imu":{"gyro":[%.9f,%.9f,%.9f],"accel_body":[%.9f,%.9f,%.9f]},'
    '"position":[%.6f,%.6f,%.6f],"attitude":[%.9f,%.9f,%.9f],"quaternion":[%.9f,%.9f,%.9f,%.9f],'
    '"velocity":[%.7f,%.7f,%.7f]%s}\n'
)
MOST_RANGES = 6  # rng_1 to rng_6 of the JSON interface


class Servos(NamedTuple):
    """Servo packet of the autopilot."""

    rate_hz: int
    frame: int
    pwm: tuple[int, ...]  # microseconds, 16 or 32 channels


def read_servos(data: bytes) -> Servos:
    """Decode a servo packet; MessageError for anything else.

    Pulse widths are not checked: `motors` treats those outside 1000 to 2000 as stop.
    """
    size = len(data)
    layout = LAYOUT.get(size)
    if layout is None:
        expected = "40 bytes (16 channels) or 72 bytes (32 channels)"
        raise MessageError(key="size of the packet", value=size, expected=expected)
    magic, rate_hz, frame, *pwm = layout.unpack(data)
    if magic != MAGIC[size]:
        raise MessageError(key="magic", value=magic, expected=f"{MAGIC[size]} in a packet of {size} bytes")
    if rate_hz == 0:
        raise MessageError(key="rate_hz", value=rate_hz, expected="1 or more")
    return Servos(rate_hz, frame, tuple(pwm))


def line(
    time_s: float,
    gyro: Sequence[float],
    accel: Sequence[float],
    position_n: Sequence[float],
    euler: Sequence[float],
    quaternion: Sequence[float],
    velocity_n: Sequence[float],
    more: str = "",
) -> bytes:
    """Return the answer; `more` is the text of `sensor_fields`."""
    return (_LINE % (time_s, *gyro, *accel, *position_n, *euler, *quaternion, *velocity_n, more)).encode()


def sensor_fields(ranges_m: Sequence[float], battery: tuple[float, float] | None) -> str:
    """Return the fields of range finders (at most six) and battery (V, A) for the end of a line."""
    text = "".join(f',"rng_{i}":{metres:.3f}' for i, metres in enumerate(ranges_m[:MOST_RANGES], start=1))
    if battery is not None:
        text += f',"battery":{{"voltage":{battery[0]:.3f},"current":{battery[1]:.3f}}}'
    return text
