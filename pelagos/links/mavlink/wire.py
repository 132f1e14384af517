"""MAVLink frames in datagrams: taken apart with every length checked before anything is decoded, and packed.

A MAVLink 2 frame is `FD len incompat compat seq sys comp id[3] payload crc[2] [signature 13]`, one of MAVLink 1
`FE len seq sys comp id payload crc[2]`. A datagram holds whole frames; whatever is not a frame ends it. Signatures are
read over: who sent something is not checked, MAVLink between a vehicle and a ground station has no authentication.

The MAVLink messages of ArduPilot, from pymavlink: an extra, imported when a vehicle is made.
"""

from __future__ import annotations

from typing import Any

from pelagos.errors import MessageError, MissingExtraError

COMPONENT = 1  # of an autopilot
SUBMARINE, ARDUPILOT = 12, 3  # MAV_TYPE, MAV_AUTOPILOT
GROUND_STATION = 6  # MAV_TYPE of those whose heartbeats count
VERSION = (4, 5, 0)  # of ArduSub: whose modes, parameters and messages these are
CAPABILITIES = (
    "MISSION_FLOAT", "PARAM_FLOAT", "MISSION_INT", "COMMAND_INT", "PARAM_ENCODE_C_CAST", "MAVLINK2",
    "SET_POSITION_TARGET_LOCAL_NED", "SET_POSITION_TARGET_GLOBAL_INT",
)  # fmt: skip


def dialect() -> Any:
    """The module with the messages of the ardupilotmega dialect, MAVLink 2."""
    try:
        import pymavlink.dialects.v20.ardupilotmega as messages
    except ImportError:
        raise MissingExtraError("pymavlink", "a MAVLink vehicle", "mavlink") from None
    return messages


def message_id(messages: Any, name: str) -> int:
    """The number of a message by its name."""
    return int(getattr(messages, f"MAVLINK_MSG_ID_{name}"))


def capabilities(messages: Any) -> int:
    """The flags of AUTOPILOT_VERSION."""
    return sum(int(getattr(messages, f"MAV_PROTOCOL_CAPABILITY_{name}")) for name in CAPABILITIES)


# ---- wire ------------------------------------------------------------------------------------------------------------


V1, V2 = 0xFE, 0xFD
SHORTEST = {V1: 8, V2: 12}  # frame without a payload
SIGNED, SIGNATURE = 0x01, 13
MOST_FRAMES = 32  # in a datagram
LONGEST = 280 * MOST_FRAMES // 4  # bytes of a datagram that is read: frames of a usual size


def frames(data: bytes) -> list[bytes]:
    """The frames of a datagram. MessageError with the reason if it is not made of whole frames."""
    found: list[bytes] = []
    at = 0
    while at < len(data):
        left, magic = len(data) - at, data[at]
        if magic not in SHORTEST:
            raise MessageError(f"byte {at} is {magic:#04x}", expected="the start of a frame")
        if left < SHORTEST[magic]:
            raise MessageError(f"{left} bytes; a frame has {SHORTEST[magic]} at least")
        size = SHORTEST[magic] + data[at + 1]
        if magic == V2:
            flags = data[at + 2]
            if flags & ~SIGNED:
                raise MessageError(f"incompatibility flags {flags:#04x}", expected="none, or a signature")
            size += SIGNATURE if flags & SIGNED else 0
        if left < size:
            raise MessageError(f"a frame of {size} bytes is cut off after {left}")
        if len(found) == MOST_FRAMES:
            raise MessageError(f"more than {MOST_FRAMES} messages in a datagram")
        found.append(data[at : at + size])
        at += size
    return found


class Wire:
    """Packs what we say and decodes what others say; one for each thread."""

    def __init__(self, messages: Any, system: int, component: int) -> None:
        self._messages = messages
        self._codec = messages.MAVLink(None, system, component)

    def pack(self, message: Any) -> bytes:
        """A MAVLink 2 frame with the next sequence number."""
        packed = bytes(message.pack(self._codec))
        self._codec.seq = (self._codec.seq + 1) % 256
        return packed

    def decode(self, frame: bytes) -> Any:
        """The message of a frame; None if its number is not known here. MessageError if checksum or payload are bad."""
        try:
            message = self._codec.decode(bytearray(frame))
        except self._messages.MAVError as problem:
            raise MessageError(str(problem)) from None
        return None if isinstance(message, self._messages.MAVLink_unknown) else message
