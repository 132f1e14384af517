"""What ArduPilot sends to its physics: one datagram a step, little-endian, with the pulse widths of its servos.

    u16 magic   18458: 16 channels, 40 bytes; 29569: 32 channels (SERVO_32_ENABLE), 72 bytes
    u16 rate    Hz: the step that is asked for is its inverse; it changes under way
    u32 frame   counts up; the same again: it heard no answer; lower: the autopilot was started again
    u16 pwm     microseconds, one for each channel; 0 for a channel that gives nothing

Reference: ArduPilot, libraries/SITL/examples/JSON, the description of the interface (facts, no code).
"""

from __future__ import annotations

import struct
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
        raise MessageError(f"a packet of {size} bytes; expected 40 (16 channels) or 72 (32 channels)")
    magic, rate_hz, frame, *pwm = layout.unpack(data)
    if magic != MAGIC[size]:
        raise MessageError(f"a packet of {size} bytes with magic {magic}; expected {MAGIC[size]}")
    if rate_hz == 0:
        raise MessageError("a packet with a rate of 0 Hz; expected 1 or more")
    return Servos(rate_hz, frame, tuple(pwm))


def write_servos(servos: Servos) -> bytes:
    """The datagram of a packet, as an autopilot makes it: for tests and benchmarks."""
    size = 8 + 2 * len(servos.pwm)
    if size not in LAYOUT:
        raise MessageError(f"a packet of {len(servos.pwm)} channels; expected 16 or 32")
    return LAYOUT[size].pack(MAGIC[size], servos.rate_hz, servos.frame, *servos.pwm)
