"""The line ArduPilot reads: JSON with a newline before and after it, made for readers that do not parse JSON.

For years the reader has looked for the text of a section, from there for the text of a key, skipped two characters
and read a number, or the numbers between [ and ]. Hence: no spaces, no exponents, three numbers as [a,b,c]; a key is
inside no other key and in no other field; every number is finite. Newer development versions parse,
and read the same line.

Both `attitude` and `quaternion` are there: the first releases know only the angles, the later ones prefer the
quaternion, and some take `rng_1` only from a line that has angles in it.

The time stamp has all digits of a double: ArduPilot makes its next rate of the difference of two of them, as a 32-bit
float that is then cut to a whole number, and a difference that is off by 1e-7 of itself would hold it back.

Reference: ArduPilot, libraries/SITL/SIM_JSON (facts, no code).
Frames: NED and body axes, as ours. Units: s, rad/s, m/s2, m, rad, m/s, V, A.

What ArduPilot sends to its physics: one datagram a step, little-endian, with the pulse widths of its servos.

    u16 magic   18458: 16 channels, 40 bytes; 29569: 32 channels (SERVO_32_ENABLE), 72 bytes
    u16 rate    Hz: the step that is asked for is its inverse; it changes under way
    u32 frame   counts up; the same again: it heard no answer; lower: the autopilot was started again
    u16 pwm     microseconds, one for each channel; 0 for a channel that gives nothing

Reference: ArduPilot, libraries/SITL/examples/JSON, the description of the interface (facts, no code).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from pelagos.errors import MessageError

MAGIC = {40: 18458, 72: 29569}  # by the length in bytes
LAYOUT = {40: struct.Struct("<HHI16H"), 72: struct.Struct("<HHI32H")}
LONGEST = 72


class Servos(NamedTuple):
    """One packet of the autopilot."""

    rate_hz: int
    frame: int
    pwm: tuple[int, ...]  # microseconds, 16 or 32 channels


def read_servos(data: bytes) -> Servos:
    """The packet of a datagram; MessageError for anything else.

    A pulse width is any number here: what lies outside 1000 to 2000 means stop, which is for the motors to know.
    """
    size = len(data)
    layout = LAYOUT.get(size)
    if layout is None:
        raise MessageError(f"a packet of {size} bytes", expected="40 (16 channels) or 72 (32 channels)")
    magic, rate_hz, frame, *pwm = layout.unpack(data)
    if magic != MAGIC[size]:
        raise MessageError(f"a packet of {size} bytes with magic {magic}", expected=f"{MAGIC[size]}")
    if rate_hz == 0:
        raise MessageError("a packet with a rate of 0 Hz", expected="1 or more")
    return Servos(rate_hz, frame, tuple(pwm))


def write_servos(servos: Servos) -> bytes:
    """The datagram of a packet, as an autopilot makes it: for tests and benchmarks."""
    size = 8 + 2 * len(servos.pwm)
    if size not in LAYOUT:
        raise MessageError(f"a packet of {len(servos.pwm)} channels", expected="16 or 32")
    return LAYOUT[size].pack(MAGIC[size], servos.rate_hz, servos.frame, *servos.pwm)


# ---- reply -----------------------------------------------------------------------------------------------------------


_LINE = (
    '\n{"timestamp":%.15f,"imu":{"gyro":[%.9f,%.9f,%.9f],"accel_body":[%.9f,%.9f,%.9f]},'
    '"position":[%.6f,%.6f,%.6f],"attitude":[%.9f,%.9f,%.9f],"quaternion":[%.9f,%.9f,%.9f,%.9f],'
    '"velocity":[%.7f,%.7f,%.7f]%s}\n'
)
MOST_RANGES = 6


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
    """The whole answer; `more` is what `instruments` made."""
    return (_LINE % (time_s, *gyro, *accel, *position_n, *euler, *quaternion, *velocity_n, more)).encode()


def instruments(ranges_m: Sequence[float], battery: tuple[float, float] | None) -> str:
    """The fields of range finders (at most six) and battery (V, A), to be put at the end of a line."""
    text = "".join(f',"rng_{i}":{metres:.3f}' for i, metres in enumerate(ranges_m[:MOST_RANGES], start=1))
    if battery is not None:
        text += f',"battery":{{"voltage":{battery[0]:.3f},"current":{battery[1]:.3f}}}'
    return text
