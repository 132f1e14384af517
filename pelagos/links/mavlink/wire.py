"""MAVLink frames in datagrams: taken apart with every length checked before anything is decoded, and packed.

A MAVLink 2 frame is `FD len incompat compat seq sys comp id[3] payload crc[2] [signature 13]`, one of MAVLink 1
`FE len seq sys comp id payload crc[2]`. A datagram holds whole frames; whatever is not a frame ends it. Signatures are
read over: who sent something is not checked, MAVLink between a vehicle and a ground station has no authentication.
"""

from __future__ import annotations

from typing import Any

from pelagos.errors import MessageError

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
            raise MessageError(f"byte {at} is {magic:#04x}; expected the start of a frame")
        if left < SHORTEST[magic]:
            raise MessageError(f"{left} bytes; a frame has {SHORTEST[magic]} at least")
        size = SHORTEST[magic] + data[at + 1]
        if magic == V2:
            flags = data[at + 2]
            if flags & ~SIGNED:
                raise MessageError(f"incompatibility flags {flags:#04x}; expected none, or a signature")
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
