"""Header and timestamps of DIS PDUs, and the checks before anything else of a packet is read.

Every PDU starts with 12 bytes:

    version u8, exercise u8, type u8, family u8, timestamp u32, length u16, status u8 (version 7), padding

All numbers in DIS are big-endian. Versions 6 (IEEE 1278.1a-1998) and 7 (IEEE 1278.1-2012) differ only in the status.

A timestamp has 31 bits for the time past the hour, in units of 3600 s / 2^31 = 1.676 us, and a last bit that is 1 if
the clock is set to UTC (absolute) and 0 if only differences are meaningful (relative). A clock time adds the hours.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from pelagos.checks import LINK, number
from pelagos.errors import MessageError

VERSIONS = (6, 7)
HEADER = struct.Struct(">BBBBIHBB")
SIZE = HEADER.size
LONGEST = 8192  # bytes of a PDU, the limit of IEEE 1278.1
BOUNDARY = 8  # bytes: PDUs in one datagram may be padded to a multiple of this
HOUR_S = 3600.0
UNITS = 1 << 31  # timestamp units in an hour


class PduType(IntEnum):
    """PDU types that Pelagos reads and writes."""

    ENTITY_STATE = 1
    COLLISION = 4
    REMOVE_ENTITY = 12
    START_RESUME = 13
    STOP_FREEZE = 14
    ACKNOWLEDGE = 15


FAMILY = {  # protocol family: 1 entity information and interaction, 5 simulation management
    PduType.ENTITY_STATE: 1,
    PduType.COLLISION: 1,
    PduType.REMOVE_ENTITY: 5,
    PduType.START_RESUME: 5,
    PduType.STOP_FREEZE: 5,
    PduType.ACKNOWLEDGE: 5,
}
KNOWN = frozenset(int(kind) for kind in PduType)


class OtherPduError(MessageError):
    """Valid PDU of a type that Pelagos does not use, such as a radio or an emitter; it is skipped without an error."""


@dataclass(frozen=True, slots=True)
class Header:
    """Header fields that do not follow from the PDU itself, as type, family and length do.

    version    6 or 7
    exercise   number of the exercise, 1..255; PDUs of other exercises are ignored
    timestamp  32 bits as sent, see `stamp`
    status     PDU status of version 7 (0 in version 6)
    """

    version: int = 7
    exercise: int = 1
    timestamp: int = 0
    status: int = 0


PLAIN = Header()


class Outline(NamedTuple):
    """Header, type and length of a PDU whose body is not decoded."""

    header: Header
    kind: int
    length: int


def outline(data: bytes | memoryview) -> Outline:
    """Decode the header at the start of `data` and check size, version and length; any PDU type is accepted."""
    # Plain comparisons instead of `pelagos.checks`: this runs for every datagram that the socket receives.
    if len(data) < SIZE:
        raise MessageError(key="size of a PDU", value=len(data), expected=f"at least {SIZE} bytes")
    version, exercise, kind, _family, timestamp, length, status, _ = HEADER.unpack_from(data)
    if version not in VERSIONS:
        raise MessageError(key="DIS version", value=version, expected="6 or 7")
    longest = min(len(data), LONGEST)
    if not SIZE <= length <= longest:
        expected = f"{SIZE} to {longest} bytes"
        raise MessageError(key="length in the header of a PDU", value=length, expected=expected)
    return Outline(Header(version, exercise, timestamp, status if version == 7 else 0), kind, length)


def unbundle(data: bytes) -> Iterator[bytes]:
    """Yield the PDUs of a datagram; version 7 allows several.

    Zero padding to a multiple of 8 bytes after a PDU is skipped. An unreadable header raises MessageError only after
    the PDUs before it were yielded.
    """
    # The usual case, one PDU in a datagram, needs no slicing.
    if len(data) >= SIZE and HEADER.unpack_from(data)[5] == len(data):
        yield data
        return
    at = 0
    while at < len(data):
        length = outline(data[at:]).length
        yield data[at : at + length]
        at += length
        # A version of 6 or 7 is never 0, so zeros cannot be the start of a PDU.
        fill = data[at : at + -at % BOUNDARY]
        if not any(fill):
            at += len(fill)


def write_header(header: Header, version: int, kind: PduType, length: int) -> bytes:
    """Encode the 12 bytes of a header; only version 7 has the status."""
    if version not in VERSIONS:
        raise MessageError(key="DIS version", value=version, expected="6 or 7")
    if length > LONGEST:
        raise MessageError(key="size of a PDU", value=length, expected=f"at most {LONGEST} bytes")
    status = header.status if version == 7 else 0
    return HEADER.pack(version, header.exercise, kind, FAMILY[kind], header.timestamp, length, status, 0)


def _hours_and_units(time_s: float) -> tuple[int, int]:
    time_s = number("time_s", time_s, context=LINK)
    return divmod(math.floor(time_s / HOUR_S * UNITS), UNITS)  # floor before splitting, so that both parts agree


def stamp(time_s: float, absolute: bool = False) -> int:
    """Return the 32-bit timestamp of a time in s: its part within the hour, rounded down, and the clock bit."""
    return _hours_and_units(time_s)[1] << 1 | absolute


def seconds(timestamp: int) -> float:
    """Return the seconds past the hour of a timestamp, 0 <= s < 3600."""
    return (timestamp >> 1) * (HOUR_S / UNITS)


def is_absolute(timestamp: int) -> bool:
    """Return whether the sender's clock is set to UTC."""
    return bool(timestamp & 1)


def elapsed_s(earlier: int, later: int) -> float:
    """Return the seconds between two timestamps of a sender, -1800 <= s < 1800, across the full hour if needed."""
    half = HOUR_S / 2.0
    return (seconds(later) - seconds(earlier) + half) % HOUR_S - half


class ClockTime(NamedTuple):
    """Clock time: whole hours since 1970-01-01 0 h UTC or since the start of the exercise, and the time past the hour.

    hours  signed 32 bits
    past   32 bits as in a timestamp
    """

    hours: int = 0
    past: int = 0

    @classmethod
    def of(cls, time_s: float, absolute: bool = False) -> ClockTime:
        """Return the clock time of seconds since 1970 (absolute) or since the start of the exercise."""
        hours, units = _hours_and_units(time_s)
        return cls(hours, units << 1 | absolute)

    @property
    def time_s(self) -> float:
        """Seconds since 1970, or since the start of the exercise."""
        return self.hours * HOUR_S + seconds(self.past)


AT_ONCE = ClockTime()
