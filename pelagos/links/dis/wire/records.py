"""Records that DIS PDUs consist of: identifiers, entity types, dead reckoning, markings and variable parameters.

A variable parameter record has 16 bytes:

    articulated part  record type 0, change u8 (incremented at each change), attached to u16 (0 the entity itself, else
                      the number of a part, from 1), parameter type u32 = class (a multiple of 32) + metric (0..31),
                      value f32, padding 4
    attached part     record type 1, detached u8, attached to u16, station u32, entity type of the attached object
"""

from __future__ import annotations

import struct
import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from pelagos.checks import number_text
from pelagos.errors import MessageError

Vector = tuple[float, float, float]
MARKING = 11  # characters of a marking
ASCII = 1  # the character set of a marking
OTHER_PARAMETERS = 15  # bytes of dead reckoning parameters besides the algorithm
RECORD = 16  # bytes of a variable parameter record
ARTICULATED = struct.Struct(">BBHIf4x")
ATTACHED = struct.Struct(">BBHIBBHBBBB")
LARGEST = 1e12  # no part has a larger value; a packet that has one is damaged


class EntityId(NamedTuple):
    """Identifier: site, application, entity, each 0..65535. In the last two, 0 means none and 65535 all."""

    site: int = 0
    application: int = 0
    entity: int = 0

    def __str__(self) -> str:
        return ":".join(map(str, self))


EventId = EntityId  # same six bytes; the last number counts the events of the application
NOBODY = EntityId(0, 0, 0)
EVERYBODY = EntityId(0xFFFF, 0xFFFF, 0xFFFF)


class EntityType(NamedTuple):
    """Entity type: the seven numbers of SISO-REF-010, kind:domain:country:category:subcategory:specific:extra."""

    kind: int = 0
    domain: int = 0
    country: int = 0
    category: int = 0
    subcategory: int = 0
    specific: int = 0
    extra: int = 0

    def __str__(self) -> str:
        return ":".join(map(str, self))

    @classmethod
    def of(cls, text: str) -> EntityType:
        """Parse a type such as `1:4:225:8`; numbers omitted at the end are 0."""
        parts = text.split(":")
        limits = (255, 255, 65535, 255, 255, 255, 255)
        if not 1 <= len(parts) <= 7 or not all(p.isascii() and p.isdigit() for p in parts):
            expected = "up to seven numbers, such as 1:4:225:8:0:0:0"
            raise MessageError(key="entity type", value=text, expected=expected)
        values = [int(part) for part in parts]
        if any(value > limit for value, limit in zip(values, limits, strict=False)):
            expected = "numbers up to 255, the third up to 65535"
            raise MessageError(key="entity type", value=text, expected=expected)
        return cls(*values)


UNTYPED = EntityType()


@dataclass(frozen=True, slots=True)
class DeadReckoning:
    """Parameters by which receivers extrapolate an entity between its PDUs.

    algorithm         0..9, see `pelagos.dead_reckoning`
    acceleration      m/s2, geocentric axes (1..5) or body axes (6..9)
    angular_velocity  rad/s, body axes
    other             15 bytes; version 7 may repeat the attitude here
    """

    algorithm: int = 1
    acceleration: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    other: bytes = bytes(OTHER_PARAMETERS)


STATIC = DeadReckoning()


def marking_bytes(text: str) -> bytes:
    """Encode a marking as 11 bytes of ASCII, padded with zeros.

    Accents are removed (é -> e). Other characters outside printable ASCII, and more than 11 characters, are rejected:
    two vehicles shortened to the same marking could not be distinguished.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    if not plain.isascii() or not plain.isprintable():
        raise MessageError(key="marking", value=text, expected="printable ASCII")
    if len(plain) > MARKING:
        raise MessageError(key="marking", value=text, expected=f"at most {MARKING} characters")
    return plain.encode("ascii").ljust(MARKING, b"\0")


def marking_text(data: bytes) -> str:
    """Decode a marking up to its first zero; characters outside printable ASCII become `?`."""
    text = data.split(b"\0", 1)[0].decode("latin-1").rstrip(" ")
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)


def check_finite(name: str, values: tuple[float, ...], limit: float) -> None:
    """Raise MessageError if a value is not finite or exceeds a limit that no vehicle reaches."""
    for value in values:
        if not -limit <= value <= limit:  # also catches NaN
            raise MessageError(key=name, value=value, expected=number_text(-limit, limit))


@dataclass(frozen=True, slots=True)
class Articulation:
    """Position or rate of an articulated part: `kind` = class + metric, value in m, rad, m/s or rad/s."""

    kind: int
    value: float
    change: int = 0
    attached_to: int = 0

    @property
    def part_class(self) -> int:
        """Class of the part, a multiple of 32."""
        return self.kind & ~31

    @property
    def metric(self) -> int:
        """Quantity measured, 0..31, see `ArticulationMetric`."""
        return self.kind & 31


@dataclass(frozen=True, slots=True)
class Attachment:
    """Object attached to the entity at a numbered station; `detached` is 1 once it was released."""

    station: int
    type: EntityType
    detached: int = 0
    attached_to: int = 0


Part = Articulation | Attachment


def write_parts(parts: tuple[Part, ...]) -> bytes:
    """Encode part records one after the other."""
    return b"".join(_write(part) for part in parts)


def _write(part: Part) -> bytes:
    if isinstance(part, Articulation):
        check_finite("a part's value", (part.value,), LARGEST)
        return ARTICULATED.pack(0, part.change, part.attached_to, part.kind, part.value)
    return ATTACHED.pack(1, part.detached, part.attached_to, part.station, *part.type)


def read_parts(data: bytes, start: int, count: int) -> tuple[Part, ...]:
    """Decode the articulated and attached parts among `count` records; other kinds of records are skipped."""
    if len(data) < start + count * RECORD:
        expected = f"at least {count * RECORD} bytes"
        raise MessageError(key=f"size of {count} part records", value=len(data) - start, expected=expected)
    parts: list[Part] = []
    for at in range(start, start + count * RECORD, RECORD):
        if data[at] == 0:
            _, change, attached_to, kind, value = ARTICULATED.unpack_from(data, at)
            check_finite("a part's value", (value,), LARGEST)
            parts.append(Articulation(kind, value, change, attached_to))
        elif data[at] == 1:
            v = ATTACHED.unpack_from(data, at)
            parts.append(Attachment(v[3], EntityType(*v[4:]), v[1], v[2]))
    return tuple(parts)
