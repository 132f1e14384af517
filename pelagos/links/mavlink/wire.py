"""MAVLink frames: splitting datagrams with every length checked, encoding, decoding, and the pymavlink dialect.

A MAVLink 2 frame is `FD len incompat compat seq sys comp id[3] payload crc[2] [signature 13]`, one of MAVLink 1
`FE len seq sys comp id payload crc[2]`. A datagram holds whole frames; anything else makes it invalid. Signatures
are skipped and senders are not authenticated. pymavlink is an extra and is imported when a vehicle is made.
"""

from __future__ import annotations

from typing import Any

from pelagos.errors import MessageError, MissingExtraError, foreign_text

COMPONENT = 1  # MAV_COMP_ID_AUTOPILOT1
SUBMARINE, ARDUPILOT = 12, 3  # MAV_TYPE, MAV_AUTOPILOT
GROUND_STATION = 6  # MAV_TYPE_GCS; only heartbeats of this type count
VERSION = (4, 5, 0)  # ArduSub version with the modes, parameters and messages used here
CAPABILITIES = (
    "MISSION_FLOAT", "PARAM_FLOAT", "MISSION_INT", "COMMAND_INT", "PARAM_ENCODE_C_CAST", "MAVLINK2",
    "SET_POSITION_TARGET_LOCAL_NED", "SET_POSITION_TARGET_GLOBAL_INT",
)  # fmt: skip
V1, V2 = 0xFE, 0xFD
SHORTEST = {V1: 8, V2: 12}  # bytes of a frame without a payload
SIGNED, SIGNATURE = 0x01, 13
MOST_FRAMES = 32  # in a datagram
LONGEST = 280 * MOST_FRAMES // 4  # bytes of a datagram: most frames are far shorter than the largest, 280


def dialect() -> Any:
    """Import and return the pymavlink module of the ardupilotmega dialect, MAVLink 2."""
    try:
        import pymavlink.dialects.v20.ardupilotmega as messages
    except ImportError:
        raise MissingExtraError("pymavlink", "a MAVLink vehicle", "mavlink") from None
    return messages


def message_id(messages: Any, name: str) -> int:
    """Return the number of a message by its name."""
    return int(getattr(messages, f"MAVLINK_MSG_ID_{name}"))


def capabilities(messages: Any) -> int:
    """Return the capability flags of AUTOPILOT_VERSION."""
    return sum(int(getattr(messages, f"MAV_PROTOCOL_CAPABILITY_{name}")) for name in CAPABILITIES)


def frames(data: bytes) -> list[bytes]:
    """Split a datagram into frames; MessageError if it does not consist of whole frames."""
    split: list[bytes] = []
    at = 0
    while at < len(data):
        left, magic = len(data) - at, data[at]
        if magic not in SHORTEST:
            expected = f"the start of a frame, {V1} or {V2}"
            raise MessageError(key=f"byte {at}", value=magic, expected=expected)
        if left < SHORTEST[magic]:
            raise MessageError(key="size of a frame", value=left, expected=f"at least {SHORTEST[magic]} bytes")
        size = SHORTEST[magic] + data[at + 1]
        if magic == V2:
            flags = data[at + 2]
            if flags & ~SIGNED:
                raise MessageError(key="incompatibility flags", value=flags, expected=f"0, or {SIGNED} (signed)")
            size += SIGNATURE if flags & SIGNED else 0
        if left < size:
            raise MessageError("the frame is cut off", key="size of a frame", value=left, expected=f"{size} bytes")
        if len(split) == MOST_FRAMES:
            raise MessageError("the datagram has too many messages", expected=f"at most {MOST_FRAMES}")
        split.append(data[at : at + size])
        at += size
    return split


class Wire:
    """Encoder and decoder of frames; not thread-safe, so each thread has one."""

    def __init__(self, messages: Any, system: int, component: int) -> None:
        self._messages = messages
        self._codec = messages.MAVLink(None, system, component)

    def pack(self, message: Any) -> bytes:
        """Encode a message as a MAVLink 2 frame with the next sequence number."""
        packed = bytes(message.pack(self._codec))
        self._codec.seq = (self._codec.seq + 1) % 256
        return packed

    def decode(self, frame: bytes) -> Any:
        """Decode a frame; None for an unknown message number, MessageError for a bad checksum or payload."""
        try:
            message = self._codec.decode(bytearray(frame))
        except self._messages.MAVError as problem:
            raise MessageError(f"cannot be decoded ({foreign_text(problem)})", key="MAVLink frame") from None
        return None if isinstance(message, self._messages.MAVLink_unknown) else message
