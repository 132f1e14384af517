"""Small questions that every ground station asks: are you there, what time is it, have you got files.

There are no files. A FILE_TRANSFER_PROTOCOL request is answered by a NAK, so that a station which tries to read the
parameters from a file turns to PARAM_REQUEST_LIST at once and not after its time-outs. Payload of that message:
`seq u16, session u8, opcode u8, size u8, asked opcode u8, last u8, 0 u8, offset u32, data[239]`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from pelagos.links.datagrams import Address
from pelagos.links.mavlink.peers import Heard

HEAD = struct.Struct("<HBBBBBBI")
PAYLOAD = 251
REPLIES = 128  # opcodes from here on are answers
NAK, NO_SUCH_COMMAND = 129, 7


class Answers:
    """Answers them.

    Args:
        messages: the dialect.
        send: sends a message to an address.
        boot_ms: simulated time since the link began.
    """

    def __init__(self, messages: Any, send: Callable[[Any, Address], object], boot_ms: Callable[[], int]) -> None:
        self._messages, self._send, self._boot_ms = messages, send, boot_ms

    def ping(self, heard: Heard) -> None:
        """PING to everybody: the same back to the one who sent it."""
        asked = heard.message
        if asked.target_system == 0:
            make = self._messages.MAVLink_ping_message
            self._send(make(asked.time_usec, asked.seq, heard.system, heard.component), heard.sender)

    def timesync(self, heard: Heard) -> None:
        """TIMESYNC: our time, in ns."""
        if heard.message.tc1 == 0:
            make = self._messages.MAVLink_timesync_message
            self._send(make(self._boot_ms() * 1_000_000, heard.message.ts1), heard.sender)

    def file_transfer(self, heard: Heard) -> None:
        """FILE_TRANSFER_PROTOCOL: not here."""
        seq, session, opcode, *_ = HEAD.unpack(bytes(heard.message.payload[: HEAD.size]))
        if opcode >= REPLIES:
            return  # an answer is not answered
        payload = HEAD.pack((seq + 1) & 0xFFFF, session, NAK, 1, opcode, 0, 0, 0) + bytes([NO_SUCH_COMMAND])
        make = self._messages.MAVLink_file_transfer_protocol_message
        data = list(payload.ljust(PAYLOAD, b"\0"))
        self._send(make(0, heard.system, heard.component, data), heard.sender)
