"""Simulation management PDUs: Start/Resume, Stop/Freeze, Acknowledge and Remove Entity.

Each has, after the header, sender (6 bytes) and receiver (6), and ends in a request number u32 that the answer repeats.
Between them: Start/Resume real-world time 8 and simulation time 8 (44 bytes in all); Stop/Freeze real-world time 8,
reason u8, frozen behaviour u8, padding 2 (40); Acknowledge the type acknowledged u16 and the response u16 (32); Remove
Entity nothing (28). A clock time is hours i32 and a time past the hour u32.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import AT_ONCE, PLAIN, SIZE, ClockTime, Header, PduType
from pelagos.links.dis.wire.records import EVERYBODY, EntityId

START = struct.Struct(">6H iI iI I")
STOP = struct.Struct(">6H iI BB2x I")
ACKNOWLEDGE = struct.Struct(">6H HH I")
REMOVE = struct.Struct(">6H I")


class Reason(IntEnum):
    """Reason of a Stop/Freeze request."""

    OTHER = 0
    RECESS = 1
    TERMINATION = 2
    SYSTEM_FAILURE = 3
    SECURITY_VIOLATION = 4
    ENTITY_RECONSTITUTION = 5
    STOP_FOR_RESET = 6
    STOP_FOR_RESTART = 7
    ABORT_TRAINING = 8


class Frozen(IntEnum):
    """Frozen behaviour bits: what continues while the exercise is frozen."""

    RUN_CLOCK = 1
    TRANSMIT = 2
    RECEIVE = 4


class Answered(IntEnum):
    """Type of request that an Acknowledge answers."""

    CREATE_ENTITY = 1
    REMOVE_ENTITY = 2
    START_RESUME = 3
    STOP_FREEZE = 4
    TRANSFER = 5


class Response(IntEnum):
    """Result of a request."""

    OTHER = 0
    ABLE = 1
    UNABLE = 2
    PENDING = 3


@dataclass(frozen=True, slots=True)
class StartResume:
    """Request to start or resume at the UTC time `real_time`, with the simulation clock at `simulation_time`."""

    sender: EntityId
    receiver: EntityId = EVERYBODY
    real_time: ClockTime = AT_ONCE
    simulation_time: ClockTime = AT_ONCE
    request: int = 0
    header: Header = PLAIN


@dataclass(frozen=True, slots=True)
class StopFreeze:
    """Request to stop at `real_time`, with a reason (`Reason`) and the frozen behaviour (bits of `Frozen`)."""

    sender: EntityId
    receiver: EntityId = EVERYBODY
    real_time: ClockTime = AT_ONCE
    reason: int = Reason.OTHER
    frozen: int = 0
    request: int = 0
    header: Header = PLAIN


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Answer to a request: its type (`Answered`), the result (`Response`) and the request number."""

    sender: EntityId
    receiver: EntityId
    answered: int = Answered.START_RESUME
    response: int = Response.ABLE
    request: int = 0
    header: Header = PLAIN


@dataclass(frozen=True, slots=True)
class RemoveEntity:
    """Request to remove `receiver` from the exercise; a sender that leaves sends it for its own entity."""

    sender: EntityId
    receiver: EntityId
    request: int = 0
    header: Header = PLAIN


Management = StartResume | StopFreeze | Acknowledge | RemoveEntity
_LAYOUT = {
    PduType.START_RESUME: START,
    PduType.STOP_FREEZE: STOP,
    PduType.ACKNOWLEDGE: ACKNOWLEDGE,
    PduType.REMOVE_ENTITY: REMOVE,
}


def write_body(pdu: Management) -> bytes:
    """Encode everything after the header."""
    ids = (*pdu.sender, *pdu.receiver)
    if isinstance(pdu, StartResume):
        return START.pack(*ids, *pdu.real_time, *pdu.simulation_time, pdu.request)
    if isinstance(pdu, StopFreeze):
        return STOP.pack(*ids, *pdu.real_time, pdu.reason, pdu.frozen, pdu.request)
    if isinstance(pdu, Acknowledge):
        return ACKNOWLEDGE.pack(*ids, pdu.answered, pdu.response, pdu.request)
    return REMOVE.pack(*ids, pdu.request)


def read(kind: PduType, header: Header, data: bytes) -> Management:
    """Decode a PDU from all its bytes, including the header."""
    layout = _LAYOUT[kind]
    if len(data) != SIZE + layout.size:
        key = f"size of a PDU of type {kind:d}"
        raise MessageError(key=key, value=len(data), expected=f"{SIZE + layout.size} bytes")
    *ids, request = layout.unpack_from(data, SIZE)
    sender, receiver, between = EntityId(*ids[:3]), EntityId(*ids[3:6]), ids[6:]
    if kind is PduType.START_RESUME:
        real_hours, real_past, hours, past = between
        return StartResume(
            sender, receiver, ClockTime(real_hours, real_past), ClockTime(hours, past), request, header
        )  # fmt: skip
    if kind is PduType.STOP_FREEZE:
        hours, past, reason, frozen = between
        return StopFreeze(sender, receiver, ClockTime(hours, past), reason, frozen, request, header)
    if kind is PduType.ACKNOWLEDGE:
        answered, response = between
        return Acknowledge(sender, receiver, answered, response, request, header)
    return RemoveEntity(sender, receiver, request, header)
