"""The first 12 bytes of every PDU, and the checks that come before anything else is read.

    version u8, exercise u8, type u8, family u8, timestamp u32, length u16, status u8 (version 7), padding

All numbers of DIS are big-endian. Versions 6 (IEEE 1278.1a-1998) and 7 (IEEE 1278.1-2012) differ here in one byte only.
"""

from __future__ import annotations

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
    timestamp  32 bits as sent, see `timestamp.py`
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
        raise MessageError(f"a PDU of {len(data)} bytes; expected at least {SIZE}.")
    version, exercise, kind, _family, timestamp, length, status, _ = HEADER.unpack_from(data)
    if version not in VERSIONS:
        raise MessageError(f"a PDU of DIS version {version}; expected 6 or 7.")
    if not SIZE <= length <= min(len(data), LONGEST):
        raise MessageError(f"a PDU that claims {length} bytes in a datagram of {len(data)}.")
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
        raise MessageError(f"DIS version {version}; expected 6 or 7.")
    if length > LONGEST:
        raise MessageError(f"a PDU of {length} bytes; expected at most {LONGEST}.")
    status = header.status if version == 7 else 0
    return HEADER.pack(version, header.exercise, kind, FAMILY[kind], header.timestamp, length, status, 0)
