"""The first 12 bytes of every PDU, and the checks that come before anything else is read.

    version u8, exercise u8, type u8, family u8, timestamp u32, length u16, status u8 (version 7), padding

All numbers of DIS are big-endian. Versions 6 (IEEE 1278.1a-1998) and 7 (IEEE 1278.1-2012) differ here in one byte only.

Time of DIS: 31 bits of the past hour and one bit that says whose clock; and the two-part clock time of an exercise.

A unit is 3600 s / 2^31 = 1.676 us. The last bit is 1 for an absolute timestamp (the clock is set to UTC) and 0 for a
relative one (the sender's own clock, of which only differences mean anything).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from pelagos.errors import MessageError

VERSIONS = (6, 7)
HEADER = struct.Struct(">BBBBIHBB")
SIZE = HEADER.size
LONGEST = 8192  # bytes of a PDU; IEEE 1278.1 limits it so
BOUNDARY = 8  # bytes, that PDUs of one datagram may be filled up to


class PduType(IntEnum):
    """The PDUs that Pelagos reads and writes."""

    ENTITY_STATE = 1
    COLLISION = 4
    REMOVE_ENTITY = 12
    START_RESUME = 13
    STOP_FREEZE = 14
    ACKNOWLEDGE = 15


FAMILY = {  # of a PDU type: 1 entity information and interaction, 5 simulation management
    PduType.ENTITY_STATE: 1,
    PduType.COLLISION: 1,
    PduType.REMOVE_ENTITY: 5,
    PduType.START_RESUME: 5,
    PduType.STOP_FREEZE: 5,
    PduType.ACKNOWLEDGE: 5,
}
KNOWN = frozenset(int(kind) for kind in PduType)


class OtherPduError(MessageError):
    """A sound header of a PDU type that Pelagos has no use for (a radio, an emitter): skipped, nobody's mistake."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first bytes say besides type, family and length, which follow from the PDU.

    version    6 or 7
    exercise   number of the exercise, 1..255; PDUs of others are not for us
    timestamp  32 bits as sent, see `stamp`
    status     PDU status of version 7 (0 in version 6)
    """

    version: int = 7
    exercise: int = 1
    timestamp: int = 0
    status: int = 0


PLAIN = Header()


class Outline(NamedTuple):
    """Header, type and length of a PDU that was not read further."""

    header: Header
    kind: int
    length: int


def outline(data: bytes | memoryview) -> Outline:
    """The header of the PDU at the start of `data`, checked: size, version, length. Its type may be any."""
    if len(data) < SIZE:
        raise MessageError(f"a PDU of {len(data)} bytes", expected=f"at least {SIZE}")
    version, exercise, kind, _family, timestamp, length, status, _ = HEADER.unpack_from(data)
    if version not in VERSIONS:
        raise MessageError(f"a PDU of DIS version {version}", expected="6 or 7")
    if not SIZE <= length <= min(len(data), LONGEST):
        raise MessageError(f"a PDU that claims {length} bytes in a datagram of {len(data)}")
    return Outline(Header(version, exercise, timestamp, status if version == 7 else 0), kind, length)


def unbundle(data: bytes) -> Iterator[bytes]:
    """The PDUs of a datagram, one after the other; version 7 allows several.

    Zeros between them, and at the end, that fill up to a multiple of 8 bytes are left out. What cannot be read is
    raised when it is come to: those before it are given out.
    """
    if len(data) >= SIZE and HEADER.unpack_from(data)[5] == len(data):
        yield data
        return
    at = 0
    while at < len(data):
        length = outline(data[at:]).length
        yield data[at : at + length]
        at += length
        fill = data[at : at + -at % BOUNDARY]
        if not any(fill):
            at += len(fill)


def write_header(header: Header, version: int, kind: PduType, length: int) -> bytes:
    """The 12 bytes. Status goes out in version 7 only."""
    if version not in VERSIONS:
        raise MessageError(f"DIS version {version}", expected="6 or 7")
    if length > LONGEST:
        raise MessageError(f"a PDU of {length} bytes", expected=f"at most {LONGEST}")
    status = header.status if version == 7 else 0
    return HEADER.pack(version, header.exercise, kind, FAMILY[kind], header.timestamp, length, status, 0)


# ---- timestamp -------------------------------------------------------------------------------------------------------


HOUR_S = 3600.0
UNITS = 1 << 31  # in an hour


def _hours_and_units(time_s: float) -> tuple[int, int]:
    if not math.isfinite(time_s):
        raise MessageError(f"a time of {time_s} s", expected="a finite number")
    return divmod(math.floor(time_s / HOUR_S * UNITS), UNITS)  # cut down in whole units, so that both parts agree


def stamp(time_s: float, absolute: bool = False) -> int:
    """32 bits of a time, in seconds of any hour: the part within the hour, cut down to a unit, and the clock bit."""
    return _hours_and_units(time_s)[1] << 1 | absolute


def seconds(timestamp: int) -> float:
    """Seconds past the hour of a timestamp, 0 <= s < 3600."""
    return (timestamp >> 1) * (HOUR_S / UNITS)


def is_absolute(timestamp: int) -> bool:
    """Whether the sender's clock is set to UTC."""
    return bool(timestamp & 1)


def elapsed_s(earlier: int, later: int) -> float:
    """Seconds from one timestamp of a sender to another, -1800 <= s < 1800: an hour's end between them is no matter."""
    half = HOUR_S / 2.0
    return (seconds(later) - seconds(earlier) + half) % HOUR_S - half


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A moment of an exercise: whole hours since 1970-01-01 0 h UTC (or since its start), and the time past the hour.

    hours  signed 32 bits
    past   32 bits as in a timestamp
    """

    hours: int = 0
    past: int = 0

    @classmethod
    def of(cls, time_s: float, absolute: bool = False) -> ClockTime:
        """The clock time of seconds since 1970 (absolute) or since the start of the exercise."""
        hours, units = _hours_and_units(time_s)
        return cls(hours, units << 1 | absolute)

    @property
    def time_s(self) -> float:
        """Seconds since 1970, or since the start of the exercise."""
        return self.hours * HOUR_S + seconds(self.past)


AT_ONCE = ClockTime()
