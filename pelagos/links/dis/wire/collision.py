"""Collision PDU: an entity reports that it hit something.

Layout after the header: reporting entity 6, entity hit 6, event 6, type u8, padding 1, velocity of the reporting entity
3 f32 (geocentric axes, m/s), its mass f32 (kg), location on the entity hit 3 f32 (its body axes, m): 60 bytes in all.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from pelagos.checks import LINK, number
from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import PLAIN, SIZE, Header
from pelagos.links.dis.wire.records import NOBODY, EntityId, EventId, Vector, check_finite

BODY = struct.Struct(">HHH HHH HHH Bx 3f f 3f")
# Places of the fields of BODY, in its order.
ENTITY, OTHER, EVENT, TYPE = slice(0, 3), slice(3, 6), slice(6, 9), 9
VELOCITY, MASS, LOCATION = slice(10, 13), 13, slice(14, 17)
# Beyond these limits a packet is damaged; no vehicle reaches them.
FASTEST_M_S, HEAVIEST_KG, FARTHEST_M = 1e5, 1e12, 1e6


class CollisionType(IntEnum):
    """Kind of impact; other values of the standard pass through as numbers."""

    INELASTIC = 0
    ELASTIC = 1


@dataclass(frozen=True, slots=True)
class CollisionPdu:
    """Collision as reported by one entity.

    entity    reporting entity
    other     entity hit; `NOBODY` for the seabed and structures, which are not entities
    event     event number of the application, which distinguishes several reports of one collision
    type      see `CollisionType`
    velocity  of the reporting entity at that moment, m/s, geocentric axes
    mass_kg   of the reporting entity
    location  m from the centre of the entity hit, in its body axes; with `NOBODY`, those of the reporting entity
    """

    entity: EntityId
    other: EntityId = NOBODY
    event: EventId = NOBODY
    type: int = CollisionType.INELASTIC
    velocity: Vector = (0.0, 0.0, 0.0)
    mass_kg: float = 0.0
    location: Vector = (0.0, 0.0, 0.0)
    header: Header = PLAIN


def write_body(pdu: CollisionPdu) -> bytes:
    """Encode everything after the header."""
    _check(pdu)
    ids = (*pdu.entity, *pdu.other, *pdu.event)
    return BODY.pack(*ids, pdu.type, *pdu.velocity, pdu.mass_kg, *pdu.location)


def read(header: Header, data: bytes) -> CollisionPdu:
    """Decode a PDU from all its bytes, including the header."""
    if len(data) != SIZE + BODY.size:
        raise MessageError(key="size of a Collision PDU", value=len(data), expected=f"{SIZE + BODY.size} bytes")
    v = BODY.unpack_from(data, SIZE)
    ids = (EntityId(*v[ENTITY]), EntityId(*v[OTHER]), EventId(*v[EVENT]))
    pdu = CollisionPdu(*ids, v[TYPE], v[VELOCITY], v[MASS], v[LOCATION], header)
    _check(pdu)
    return pdu


def _check(pdu: CollisionPdu) -> None:
    check_finite("velocity (m/s)", pdu.velocity, FASTEST_M_S)
    number("mass (kg)", pdu.mass_kg, 0.0, HEAVIEST_KG, context=LINK)
    check_finite("location (m)", pdu.location, FARTHEST_M)
