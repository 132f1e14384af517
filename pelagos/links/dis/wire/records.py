"""The small records that PDUs are made of: who, what, how it moves on, and what stands written on it.

Variable parameter records: the moving parts of an entity and what hangs on it, 16 bytes each.

An articulated part: record type 0, change u8 (counts up at each change), attached to u16 (0 the entity itself, else the
number of a part, from 1), parameter type u32 = class (a multiple of 32) + metric (0..31), value f32, padding 4.
An attached part: record type 1, detached u8, attached to u16, station u32, entity type of what hangs there.
"""

from __future__ import annotations

import math
import struct
import unicodedata
from dataclasses import dataclass
from enum import IntEnum

from pelagos.errors import MessageError

Vector = tuple[float, float, float]
MARKING = 11  # characters of a marking
ASCII = 1  # the character set of a marking
OTHER_PARAMETERS = 15  # bytes beside the algorithm's number


@dataclass(frozen=True, slots=True, order=True)
class EntityId:
    """Who: site, application, entity, each 0..65535. 0 means none, 65535 all, in the last two."""

    site: int = 0
    application: int = 0
    entity: int = 0

    def __str__(self) -> str:
        return f"{self.site}:{self.application}:{self.entity}"


EventId = EntityId  # same six bytes; the last number counts the events of the application
NOBODY = EntityId(0, 0, 0)
EVERYBODY = EntityId(0xFFFF, 0xFFFF, 0xFFFF)


@dataclass(frozen=True, slots=True)
class EntityType:
    """What: the seven numbers of SISO-REF-010, kind:domain:country:category:subcategory:specific:extra."""

    kind: int = 0
    domain: int = 0
    country: int = 0
    category: int = 0
    subcategory: int = 0
    specific: int = 0
    extra: int = 0

    def __str__(self) -> str:
        parts = (self.kind, self.domain, self.country, self.category, self.subcategory, self.specific, self.extra)
        return ":".join(str(part) for part in parts)

    @classmethod
    def of(cls, text: str) -> EntityType:
        """The type written as `1:4:225:8`; what is left out at the end is 0."""
        parts = text.split(":")
        limits = (255, 255, 65535, 255, 255, 255, 255)
        if not 1 <= len(parts) <= 7 or not all(p.isascii() and p.isdigit() for p in parts):
            raise MessageError(f'entity type "{text}"', expected="up to seven numbers, as 1:4:225:8:0:0:0")
        values = [int(part) for part in parts]
        if any(value > limit for value, limit in zip(values, limits, strict=False)):
            raise MessageError(f'entity type "{text}"', expected="numbers up to 255, the third up to 65535")
        return cls(*values)


UNTYPED = EntityType()


class Algorithm(IntEnum):
    """How others reckon an entity on: F(ixed) or R(otating) attitude, P(osition rate) or V(elocity rate), W(orld) or
    B(ody) axes."""

    OTHER = 0
    STATIC = 1
    FPW = 2
    RPW = 3
    RVW = 4
    FVW = 5
    FPB = 6
    RPB = 7
    RVB = 8
    FVB = 9

    @property
    def rotates(self) -> bool:
        """Whether the attitude turns on with the angular velocity."""
        return self in (3, 4, 7, 8)

    @property
    def accelerates(self) -> bool:
        """Whether the velocity changes with the acceleration."""
        return self in (4, 5, 8, 9)

    @property
    def in_body_axes(self) -> bool:
        """Whether velocity and acceleration are given in body axes."""
        return self in (6, 7, 8, 9)


@dataclass(frozen=True, slots=True)
class DeadReckoning:
    """How an entity moves on between its PDUs.

    algorithm         0..9, see `Algorithm`
    acceleration      m/s2, geocentric axes (1..5) or body axes (6..9)
    angular_velocity  rad/s, body axes
    other             15 bytes; version 7 may repeat the attitude here, see `local_euler` and `quaternion`
    """

    algorithm: int = 1
    acceleration: Vector = (0.0, 0.0, 0.0)
    angular_velocity: Vector = (0.0, 0.0, 0.0)
    other: bytes = bytes(OTHER_PARAMETERS)


STATIC = DeadReckoning()
_EULER = struct.Struct(">B2x3f")
_QUATERNION = struct.Struct(">BH3f")


def local_euler(yaw: float, pitch: float, roll: float) -> bytes:
    """Other parameters of a fixed-attitude algorithm in version 7: type 1, heading, pitch and roll, rad, in NED."""
    return _EULER.pack(1, yaw, pitch, roll)


def quaternion(w: float, x: float, y: float, z: float) -> bytes:
    """Other parameters of a rotating algorithm in version 7: type 2, the rotation from body to geocentric axes.

    The vector part goes out whole and the scalar part, made positive, in 16 bits (65535 is 1): whoever wants it exact
    takes it from the length of 1.
    """
    n = math.copysign(math.sqrt(w * w + x * x + y * y + z * z), w)
    if n == 0.0 or not math.isfinite(n):
        raise MessageError("a quaternion without length", expected="one of length 1")
    return _QUATERNION.pack(2, round(w / n * 65535), x / n, y / n, z / n)


def other_attitude(other: bytes) -> tuple[float, ...] | None:
    """What other parameters say: (yaw, pitch, roll), a quaternion (w, x, y, z), or None if nothing that we know."""
    if len(other) == OTHER_PARAMETERS and other[0] == 1:
        found = _EULER.unpack(other)[1:]
        return found if all(map(math.isfinite, found)) else None
    if len(other) == OTHER_PARAMETERS and other[0] == 2:
        x, y, z = _QUATERNION.unpack(other)[2:]
        rest = 1.0 - (x * x + y * y + z * z)
        return (math.sqrt(max(rest, 0.0)), x, y, z) if rest > -1e-3 else None  # also refuses NaN
    return None


def marking_bytes(text: str) -> bytes:
    """A marking as 11 bytes of ASCII, the rest zeros.

    Accents are taken off (é -> e). Any other character outside printable ASCII, or more than 11, is refused: two
    vehicles cut to the same marking would be one to the people who read it.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    if not plain.isascii() or not plain.isprintable():
        raise MessageError(f"marking {text!r}", expected="printable ASCII")
    if len(plain) > MARKING:
        raise MessageError(f"marking {text!r}", expected=f"at most {MARKING} characters")
    return plain.encode("ascii").ljust(MARKING, b"\0")


def marking_text(data: bytes) -> str:
    """The text of a marking up to its first zero; what is not printable ASCII becomes `?`."""
    text = data.split(b"\0", 1)[0].decode("latin-1").rstrip(" ")
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)


def check_finite(what: str, values: tuple[float, ...], limit: float) -> None:
    """Refuse numbers that are not finite or beyond a limit that no vehicle reaches."""
    for value in values:
        if not -limit <= value <= limit:  # also catches NaN
            shown = "not finite" if not math.isfinite(value) else f"{value:g}"
            raise MessageError(f"{what} is {shown}", expected=f"a number within {limit:g}")


# ---- articulation ----------------------------------------------------------------------------------------------------


RECORD = 16
ARTICULATED = struct.Struct(">BBHIf4x")
ATTACHED = struct.Struct(">BBHIBBHBBBB")
LARGEST = 1e12


@dataclass(frozen=True, slots=True)
class Articulation:
    """How a moving part stands: `kind` = class + metric, value in the unit of the metric (m, rad, m/s, rad/s)."""

    kind: int
    value: float
    change: int = 0
    attached_to: int = 0

    @property
    def part_class(self) -> int:
        """The class, a multiple of 32."""
        return self.kind & ~31

    @property
    def metric(self) -> int:
        """The metric, 0..31."""
        return self.kind & 31


@dataclass(frozen=True, slots=True)
class Attachment:
    """Something that hangs on the entity, at a numbered station; `detached` once it has left."""

    station: int
    type: EntityType
    detached: int = 0
    attached_to: int = 0


Part = Articulation | Attachment


def write_parts(parts: tuple[Part, ...]) -> bytes:
    """The records one after the other."""
    return b"".join(_write(part) for part in parts)


def _write(part: Part) -> bytes:
    if isinstance(part, Articulation):
        check_finite("a part's value", (part.value,), LARGEST)
        return ARTICULATED.pack(0, part.change, part.attached_to, part.kind, part.value)
    t = part.type
    return ATTACHED.pack(
        1, part.detached, part.attached_to, part.station,
        t.kind, t.domain, t.country, t.category, t.subcategory, t.specific, t.extra,
    )  # fmt: skip


def read_parts(data: bytes, start: int, count: int) -> tuple[Part, ...]:
    """The articulated and attached parts among `count` records; those of other kinds are skipped."""
    if len(data) < start + count * RECORD:
        raise MessageError(f"{count} part records in {len(data) - start} bytes", expected=f"{count * RECORD} bytes")
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
