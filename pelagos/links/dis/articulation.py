"""Variable parameter records: the moving parts of an entity and what hangs on it, 16 bytes each.

An articulated part: record type 0, change u8 (counts up at each change), attached to u16 (0 the entity itself, else the
number of a part, from 1), parameter type u32 = class (a multiple of 32) + metric (0..31), value f32, padding 4.
An attached part: record type 1, detached u8, attached to u16, station u32, entity type of what hangs there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pelagos.errors import MessageError
from pelagos.links.dis.records import EntityType, check_finite

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
        raise MessageError(f"{count} part records in {len(data) - start} bytes; expected {count * RECORD} bytes.")
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
