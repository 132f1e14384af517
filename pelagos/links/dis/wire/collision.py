"""The Collision PDU: an entity says that it has hit something.

Layout after the header: who says so 6, what was hit 6, event 6, type u8, padding 1, velocity of the sayer 3 f32
(geocentric axes, m/s), its mass f32 (kg), where on the thing hit 3 f32 (that entity's body axes, m): 60 bytes in all.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import PLAIN, SIZE, Header
from pelagos.links.dis.wire.records import NOBODY, EntityId, EventId, Vector, check_finite

BODY = struct.Struct(">HHH HHH HHH Bx 3f f 3f")
FASTEST_M_S, HEAVIEST_KG, FARTHEST_M = 1e5, 1e12, 1e6


class CollisionType(IntEnum):
    """What the crash was like; others exist and pass through as numbers."""

    INELASTIC = 0
    ELASTIC = 1


@dataclass(frozen=True, slots=True)
class CollisionPdu:
    """A crash, as the one that noticed it tells it.

    entity    who tells
    other     what it hit; `NOBODY` for the seabed and structures, which are no entities
    event     number of the event of this application, so that two reports of one crash can be told apart
    type      see `CollisionType`
    velocity  of the teller at that moment, m/s, geocentric axes
    mass_kg   of the teller
    location  m from the other's centre, in the other's body axes; with `NOBODY`, in the teller's own
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
    """Everything after the header."""
    _check(pdu)
    a, b, c = pdu.entity, pdu.other, pdu.event
    return BODY.pack(
        a.site, a.application, a.entity, b.site, b.application, b.entity, c.site, c.application, c.entity,
        pdu.type, *pdu.velocity, pdu.mass_kg, *pdu.location,
    )  # fmt: skip


def read(header: Header, data: bytes) -> CollisionPdu:
    """The PDU of all its bytes, header and all."""
    if len(data) != SIZE + BODY.size:
        raise MessageError(f"a Collision PDU of {len(data)} bytes", expected=f"{SIZE + BODY.size}")
    v = BODY.unpack_from(data, SIZE)
    ids = (EntityId(*v[0:3]), EntityId(*v[3:6]), EventId(*v[6:9]))
    pdu = CollisionPdu(*ids, v[9], v[10:13], v[13], v[14:17], header)
    _check(pdu)
    return pdu


def _check(pdu: CollisionPdu) -> None:
    check_finite("velocity (m/s)", pdu.velocity, FASTEST_M_S)
    check_finite("mass (kg)", (pdu.mass_kg,), HEAVIEST_KG)
    check_finite("location (m)", pdu.location, FARTHEST_M)
    if pdu.mass_kg < 0.0:
        raise MessageError(f"mass is {pdu.mass_kg:g} kg", expected="0 or more")
