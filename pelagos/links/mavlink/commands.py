"""Commands of ground stations, each answered by a COMMAND_ACK, and replies to PING, TIMESYNC and file transfers.

| command | number | effect |
|---|---|---|
| COMPONENT_ARM_DISARM | 400 | param1 1 or 0; no arming checks, so the force code in param2 (21196) has no effect |
| DO_SET_MODE | 176 | param2: mode number |
| REQUEST_MESSAGE | 512 | param1: message number |
| SET_MESSAGE_INTERVAL, GET_MESSAGE_INTERVAL | 511, 510 | param1: message number, param2: interval in us |
| REQUEST_AUTOPILOT_CAPABILITIES | 520 | sends AUTOPILOT_VERSION |
| GET_HOME_POSITION | 410 | sends HOME_POSITION |
| DO_SET_HOME | 179 | refused: home is the origin of the world |
| MISSION_START | 300 | mode AUTO from the first item |
| DO_SET_MISSION_CURRENT | 224 | param1: item number |
| DO_REPOSITION | 192 | go to a position in GUIDED; param2 1: change to GUIDED, param4: heading in rad |
| DO_PAUSE_CONTINUE | 193 | param1 0: POSHOLD, 1: AUTO |

Commands that change something are accepted from the station SYSID_MYGCS only and denied to all others; requests are
answered for every station. Unknown commands are answered with UNSUPPORTED.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pelagos.checks import whole
from pelagos.errors import CommandError, MessageError
from pelagos.links.datagrams import Address
from pelagos.links.mavlink.guided import item_target
from pelagos.links.mavlink.mission import Item, TooSoonError
from pelagos.links.mavlink.modes import AUTO, POSHOLD
from pelagos.links.mavlink.peers import ReceivedMessage

if TYPE_CHECKING:
    from pelagos.links.mavlink.vehicle import MavlinkVehicle
    from pelagos.session.flight import Flight

ACCEPTED, NOT_NOW, DENIED, UNSUPPORTED, FAILED = 0, 1, 2, 3, 4  # MAV_RESULT
SET_INTERVAL = 511
CUSTOM_MODE = 1  # MAV_MODE_FLAG
CHANGE_MODE = 1  # MAV_DO_REPOSITION_FLAGS
FTP_HEAD = struct.Struct("<HBBBBBBI")  # seq, session, opcode, size, requested opcode, last, padding, offset
FTP_PAYLOAD = 251
FTP_REPLIES = 128  # opcodes from here on are replies
FTP_NAK, FTP_UNKNOWN_COMMAND = 129, 7


class Command(NamedTuple):
    """Command from COMMAND_LONG or COMMAND_INT; x and y are degrees times 1e7."""

    number: int
    params: tuple[float, float, float, float]
    frame: int
    x: int
    y: int
    z: float
    sender: ReceivedMessage

    @classmethod
    def of(cls, received: ReceivedMessage) -> Command:
        """Return the command of a message; coordinates of a COMMAND_LONG that are no angles become invalid ones."""
        message = received.message
        params = tuple(float(getattr(message, f"param{i}")) for i in range(1, 5))
        first = (params[0], params[1], params[2], params[3])
        if received.kind == "COMMAND_INT":
            return cls(
                int(message.command), first, int(message.frame), message.x, message.y, float(message.z), received
            )
        lat, lon, alt = (float(getattr(message, f"param{i}")) for i in (5, 6, 7))
        valid = all(math.isfinite(angle) and abs(angle) <= 200.0 for angle in (lat, lon))
        x, y = (round(lat * 1e7), round(lon * 1e7)) if valid else (0x7FFFFFFF, 0x7FFFFFFF)
        # COMMAND_LONG has no frame; ArduPilot assumes MAV_FRAME_GLOBAL_RELATIVE_ALT (3).
        return cls(int(message.command), first, 3, x, y, alt, received)

    def whole(self, index: int) -> int:
        """Return a parameter that must be an integer up to 1e6."""
        value = self.params[index]
        as_int = int(value) if value.is_integer() else value  # parameters are floats on the wire
        return whole(f"param{index + 1} of command {self.number}", as_int, -1_000_000, 1_000_000)


class Commands:
    """Executes commands and acknowledges them."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self._vehicle = vehicle
        self._requests: dict[int, Callable[[Flight, Command], int | None]] = {
            512: self._request,
            510: self._interval,
            520: lambda flight, command: self._send(command, "AUTOPILOT_VERSION"),
            410: lambda flight, command: self._send(command, "HOME_POSITION"),
        }
        self._actions: dict[int, Callable[[Flight, Command], int | None]] = {
            400: self._arm,
            176: self._mode,
            SET_INTERVAL: self._set_interval,
            179: self._home,
            300: self._start,
            224: self._current,
            192: self._reposition,
            193: self._pause,
        }

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the commands that are supported."""
        return (*self._requests, *self._actions)

    def take(self, flight: Flight, received: ReceivedMessage) -> None:
        """Execute one command and send the COMMAND_ACK."""
        command = Command.of(received)
        number, vehicle = command.number, self._vehicle
        result: int | None = UNSUPPORTED
        try:
            if number in self._requests:
                result = self._requests[number](flight, command)
            elif number in self._actions and not vehicle.controls(received):
                result = DENIED
            elif number in self._actions:
                result = self._actions[number](flight, command)
                # Message intervals do not move the vehicle, so they do not arm the heartbeat failsafe.
                vehicle.acted = vehicle.acted or (result in (None, ACCEPTED) and number != SET_INTERVAL)
        except (CommandError, MessageError) as refusal:
            result = NOT_NOW if isinstance(refusal, TooSoonError) else DENIED
            vehicle.text(str(refusal), "warning")
        make = vehicle.messages.MAVLink_command_ack_message
        answer = make(number, ACCEPTED if result is None else result, 255, 0, received.system, received.component)
        vehicle.peers.send(answer, received.sender)

    def _request(self, flight: Flight, command: Command) -> int | None:
        name = self._vehicle.streams.named(command.params[0])
        return UNSUPPORTED if name is None else self._send(command, name)

    def _send(self, command: Command, name: str) -> int | None:
        made = self._vehicle.streams.make(name)
        for message in made:
            self._vehicle.peers.send(message, command.sender.sender)
        return ACCEPTED if made else FAILED

    def _interval(self, flight: Flight, command: Command) -> int | None:
        streams, number = self._vehicle.streams, command.params[0]
        name = streams.named(number)
        if name is None:
            return UNSUPPORTED
        make = self._vehicle.messages.MAVLink_message_interval_message
        self._vehicle.peers.send(make(int(number), streams.interval_us(name)), command.sender.sender)
        return ACCEPTED

    def _arm(self, flight: Flight, command: Command) -> int | None:
        armed = command.whole(0)
        if armed not in (0, 1):
            raise CommandError(key="arm", value=armed, expected="1, or 0 to disarm")
        flight.order("arm", {"on": armed == 1})
        return ACCEPTED

    def _mode(self, flight: Flight, command: Command) -> int | None:
        if not command.whole(0) & CUSTOM_MODE:
            raise CommandError("the base mode alone sets no mode; expected a custom mode number")
        self._vehicle.modes.enter(flight, command.whole(1))
        return ACCEPTED

    def _set_interval(self, flight: Flight, command: Command) -> int | None:
        if self._vehicle.streams.named(command.params[0]) is None:
            return UNSUPPORTED
        self._vehicle.streams.set_interval(command.params[0], command.params[1])
        return ACCEPTED

    def _home(self, flight: Flight, command: Command) -> int | None:
        raise CommandError("home is the origin of the world and cannot be moved")

    def _start(self, flight: Flight, command: Command) -> int | None:
        plan = self._vehicle.plan
        if len(plan.items) > 1:
            first = command.params[0]
            plan.set_current(flight, max(int(first), 1) if math.isfinite(first) and 0 <= first < 1e6 else 1)
        self._vehicle.modes.enter(flight, AUTO)
        return ACCEPTED

    def _current(self, flight: Flight, command: Command) -> int | None:
        self._vehicle.plan.set_current(flight, command.whole(0))
        return ACCEPTED

    def _reposition(self, flight: Flight, command: Command) -> int | None:
        flags = command.params[1]
        change = math.isfinite(flags) and 0 <= flags < 256 and int(flags) & CHANGE_MODE
        item = Item(0, command.frame, 16, command.params, command.x, command.y, command.z)
        setpoint = item_target(item, self._vehicle.telemetry.origin, math.degrees(command.params[3]))
        self._vehicle.go(flight, setpoint, change=bool(change))
        return ACCEPTED

    def _pause(self, flight: Flight, command: Command) -> int | None:
        self._vehicle.modes.enter(flight, AUTO if command.whole(0) else POSHOLD)
        return ACCEPTED


class Answers:
    """Replies to PING, TIMESYNC and FILE_TRANSFER_PROTOCOL, which ground stations send without being configured to.

    Args:
        messages: pymavlink dialect module.
        send: sends a message to an address.
        boot_ms: simulated time since the link began.
    """

    def __init__(self, messages: Any, send: Callable[[Any, Address], object], boot_ms: Callable[[], int]) -> None:
        self._messages, self._send, self._boot_ms = messages, send, boot_ms

    def ping(self, received: ReceivedMessage) -> None:
        """Return a PING that is addressed to all systems to its sender."""
        request = received.message
        if request.target_system == 0:
            make = self._messages.MAVLink_ping_message
            self._send(make(request.time_usec, request.seq, received.system, received.component), received.sender)

    def timesync(self, received: ReceivedMessage) -> None:
        """Answer a TIMESYNC request with the simulated time in ns."""
        if received.message.tc1 == 0:
            make = self._messages.MAVLink_timesync_message
            self._send(make(self._boot_ms() * 1_000_000, received.message.ts1), received.sender)

    def file_transfer(self, received: ReceivedMessage) -> None:
        """Answer a file request with a NAK: there are no files.

        A station that tries to read the parameters from a file then uses PARAM_REQUEST_LIST at once, without waiting
        for its timeouts.
        """
        seq, session, opcode, *_ = FTP_HEAD.unpack(bytes(received.message.payload[: FTP_HEAD.size]))
        if opcode >= FTP_REPLIES:
            return  # replying to replies could go on forever
        head = FTP_HEAD.pack((seq + 1) & 0xFFFF, session, FTP_NAK, 1, opcode, 0, 0, 0)
        payload = head + bytes([FTP_UNKNOWN_COMMAND])
        make = self._messages.MAVLink_file_transfer_protocol_message
        data = list(payload.ljust(FTP_PAYLOAD, b"\0"))
        self._send(make(0, received.system, received.component, data), received.sender)
