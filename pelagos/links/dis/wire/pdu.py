"""Encode DIS PDUs to bytes and decode them; every failure is a `MessageError`."""

from __future__ import annotations

import struct

from pelagos.errors import MessageError, foreign_text
from pelagos.links.dis.wire import collision, entity_state, management
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import KNOWN, SIZE, Header, OtherPduError, PduType, outline, write_header
from pelagos.links.dis.wire.management import Acknowledge, RemoveEntity, StartResume, StopFreeze

Pdu = EntityState | CollisionPdu | StartResume | StopFreeze | Acknowledge | RemoveEntity
KINDS = {
    EntityState: PduType.ENTITY_STATE,
    CollisionPdu: PduType.COLLISION,
    RemoveEntity: PduType.REMOVE_ENTITY,
    StartResume: PduType.START_RESUME,
    StopFreeze: PduType.STOP_FREEZE,
    Acknowledge: PduType.ACKNOWLEDGE,
}


def encode(pdu: Pdu, version: int | None = None) -> bytes:
    """Encode a PDU in the version of its header or in another one.

    Raises MessageError for a version that is not 6 or 7 and for values that do not fit their fields.
    """
    header: Header = pdu.header
    version = header.version if version is None else version
    try:
        if isinstance(pdu, EntityState):
            body = entity_state.write_body(pdu)
        elif isinstance(pdu, CollisionPdu):
            body = collision.write_body(pdu)
        else:
            body = management.write_body(pdu)
        return write_header(header, version, KINDS[type(pdu)], SIZE + len(body)) + body
    except (struct.error, OverflowError, TypeError, ValueError) as error:
        raise MessageError(f"a {type(pdu).__name__} cannot be written ({foreign_text(error)})") from None


def decode(data: bytes) -> Pdu:
    """Decode a single PDU; `header.unbundle` splits a datagram with several.

    Raises MessageError, and its subclass OtherPduError for a valid header of a type that Pelagos does not use.
    """
    header, kind, length = outline(data)
    if kind not in KNOWN:
        raise OtherPduError("Pelagos does not use this type", key="PDU type", value=kind)
    if length != len(data):
        expected = f"{len(data)}, the number of bytes received"
        raise MessageError(key="length in the header of a PDU", value=length, expected=expected)
    if kind == PduType.ENTITY_STATE:
        return entity_state.read(header, data)
    if kind == PduType.COLLISION:
        return collision.read(header, data)
    return management.read(PduType(kind), header, data)
