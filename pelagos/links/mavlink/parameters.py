"""Parameters of the vehicle with the names, units and ranges of ArduSub, and the MAVLink parameter protocol.

The table has only parameters that have an effect. All are sent as 32-bit floats, as by ArduPilot. Fixed parameters
follow from the vehicle: a PARAM_SET of one is answered with its unchanged value.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pelagos.checks import number
from pelagos.errors import CommandError, one_of
from pelagos.links.datagrams import Address
from pelagos.links.mavlink.sticks import BUTTONS, FUNCTIONS, USUAL_FUNCTIONS, USUAL_SHIFTED

if TYPE_CHECKING:
    from pelagos.links.mavlink.peers import ReceivedMessage


INT8, INT16, INT32, REAL32 = 2, 4, 6, 9  # MAV_PARAM_TYPE
STREAM_HZ = (0.0, 50.0)
PER_TICK = 8  # values sent between two ticks
MOST_LISTS = 4  # lists that wait to be sent; a station repeats requests for missing values


@dataclass(frozen=True)
class Parameter:
    """Definition of a parameter; `value` is its default, and the vehicle sets fixed parameters itself."""

    name: str
    kind: int
    value: float
    low: float
    high: float
    words: str
    fixed: bool = False
    among: tuple[int, ...] = ()  # allowed values; empty: all between low and high

    @property
    def whole(self) -> bool:
        """Whether the parameter is an integer."""
        return self.kind != REAL32


def _streams() -> Iterator[Parameter]:
    for name, rate, content in (
        ("EXT_STAT", 2.0, "SYS_STATUS, GPS_RAW_INT, MISSION_CURRENT"),
        ("POSITION", 5.0, "GLOBAL_POSITION_INT, LOCAL_POSITION_NED"),
        ("RC_CHAN", 2.0, "SERVO_OUTPUT_RAW"),
        ("RAW_SENS", 5.0, "SCALED_PRESSURE, SCALED_PRESSURE2"),
        ("EXTRA1", 10.0, "ATTITUDE"),
        ("EXTRA2", 5.0, "VFR_HUD"),
        ("EXTRA3", 2.0, "BATTERY_STATUS, DISTANCE_SENSOR, EKF_STATUS_REPORT, NAMED_VALUE_FLOAT, SYSTEM_TIME"),
    ):
        yield Parameter(f"SR0_{name}", INT16, rate, *STREAM_HZ, f"Hz; {content}")


def _buttons() -> Iterator[Parameter]:
    highest = float(max(FUNCTIONS))
    for i in range(BUTTONS):
        usual, shifted = float(USUAL_FUNCTIONS.get(i, 0)), float(USUAL_SHIFTED.get(i, 0))
        for name, value, words in (("", usual, "does"), ("S", shifted, "does with a shift button held")):
            yield Parameter(
                f"BTN{i}_{name}FUNCTION", INT8, value, 0.0, highest, f"what button {i} of MANUAL_CONTROL {words}",
                among=FUNCTIONS,
            )  # fmt: skip


TABLE: tuple[Parameter, ...] = (
    Parameter("SYSID_THISMAV", INT16, 1, 1, 255, "our own system number; `--mavlink-id`", fixed=True),
    Parameter("SYSID_MYGCS", INT16, 255, 1, 255, "the station that controls; all others only read"),
    Parameter("FS_GCS_ENABLE", INT8, 3, 0, 4,
              "no heartbeat of that station: 0 nothing, 1 say so, 2 disarm, 3 hold depth (and place), 4 surface"),
    Parameter("FS_GCS_TIMEOUT", REAL32, 5.0, 2.0, 120.0, "s without its heartbeat until then"),
    Parameter("FS_PILOT_INPUT", INT8, 1, 0, 2,
              "no sticks: 0 to the middle, 1 and say so, 2 and disarm as well"),
    Parameter("FS_PILOT_TIMEOUT", REAL32, 1.0, 0.1, 3.0,
              "s without MANUAL_CONTROL or RC_CHANNELS_OVERRIDE until then"),
    Parameter("JS_GAIN_DEFAULT", REAL32, 0.5, 0.1, 1.0, "gain of the sticks now, where nothing is held"),
    Parameter("JS_GAIN_MAX", REAL32, 1.0, 0.1, 1.0, "highest gain of the gain buttons"),
    Parameter("JS_GAIN_MIN", REAL32, 0.25, 0.1, 0.8, "lowest gain of the gain buttons"),
    Parameter("JS_GAIN_STEPS", INT8, 4, 1, 10, "steps between them"),
    Parameter("JS_THR_GAIN", REAL32, 1.0, 0.5, 4.0, "what z of MANUAL_CONTROL is multiplied by, up to full stick"),
    Parameter("JS_LIGHTS_STEPS", INT8, 8, 1, 10, "steps of the light buttons from dark to bright"),
    Parameter("SURFACE_DEPTH", REAL32, -10.0, -100.0, 0.0, "cm; what mode SURFACE holds, negative below the surface"),
    Parameter("WPNAV_SPEED", REAL32, 50.0, 5.0, 2000.0, "cm/s to waypoints; at the start the vehicle's own"),
    Parameter("WPNAV_RADIUS", REAL32, 100.0, 10.0, 10000.0, "cm; a waypoint counts as reached within it"),
    Parameter("MIS_RESTART", INT8, 0, 0, 1, "AUTO: 0 goes on where it was left, 1 begins anew"),
    Parameter("MIS_TOTAL", INT16, 0, 0, 32766, "items of the mission aboard", fixed=True),
    Parameter("FRAME_CONFIG", INT8, 7, 0, 7, "1 vectored (6 thrusters), 2 vectored 6DOF (8), 7 other", fixed=True),
    Parameter("BATT_CAPACITY", INT32, 0, 0, 1e9, "mAh; 0 without a battery", fixed=True),
    Parameter("BARO_SPEC_GRAV", REAL32, 1.024, 0.98, 1.05, "density of the water over 1000 kg/m3", fixed=True),
    *_streams(),
    *_buttons(),
)  # fmt: skip


class Parameters:
    """Current parameter values by name."""

    def __init__(self) -> None:
        self.table = {parameter.name: parameter for parameter in TABLE}
        self.names = tuple(self.table)
        self._values = {parameter.name: float(parameter.value) for parameter in TABLE}
        self._changed: dict[str, Callable[[float], None]] = {}

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def on_change(self, name: str, callback: Callable[[float], None]) -> None:
        """Call `callback` before a station's new value is set; it may raise CommandError to reject the value."""
        self._changed[name] = callback

    def put(self, name: str, value: float) -> None:
        """Set a value on behalf of the vehicle, without checks."""
        self._values[name] = float(value)

    def set(self, name: str, value: float) -> None:
        """Set a value on behalf of a station; CommandError if it is not allowed."""
        parameter = self.table.get(name)
        if parameter is None:
            raise CommandError("there is no parameter", value=name, names=self.names)
        if parameter.fixed:
            message = "the value follows from the vehicle and cannot be set"
            raise CommandError(message, key=name, value=self._values[name])
        new = number(name, value, parameter.low, parameter.high)
        if parameter.whole and new != math.floor(new):
            raise CommandError(key=name, value=new, expected="a whole number")
        if parameter.among and int(new) not in parameter.among:
            raise CommandError(key=name, value=new, expected=one_of(map(str, sorted(parameter.among))))
        if name in self._changed:
            self._changed[name](new)
        self._values[name] = new


class ParameterProtocol:
    """Vehicle side of the MAVLink parameter protocol.

    Args:
        messages: pymavlink dialect module.
        parameters: current values.
        send: sends a message to an address, or to all stations.
        unknown: called for each request of an unknown parameter.
    """

    def __init__(
        self,
        messages: Any,
        parameters: Parameters,
        send: Callable[[Any, Address | None], object],
        unknown: Callable[[], None],
    ) -> None:
        self._messages, self._parameters, self._send, self._unknown = messages, parameters, send, unknown
        # Bounded: a station that requests lists in a loop cannot fill the memory.
        self._waiting: deque[tuple[int, Address]] = deque(maxlen=MOST_LISTS * len(parameters))

    def list(self, received: ReceivedMessage) -> None:
        """Queue all parameters on PARAM_REQUEST_LIST, in place of an earlier list for the same station."""
        others = (waiting for waiting in self._waiting if waiting[1] != received.sender)
        self._waiting = deque(others, self._waiting.maxlen)
        self._waiting.extend((i, received.sender) for i in range(len(self._parameters)))

    def read(self, received: ReceivedMessage) -> None:
        """Answer PARAM_REQUEST_READ by number, or by name if the number is negative."""
        index, names = received.message.param_index, self._parameters.names
        name = received.message.param_id if index < 0 else names[index] if index < len(names) else ""
        if name in self._parameters.table:
            self._value(names.index(name), received.sender)
        else:
            self._unknown()

    def set(self, received: ReceivedMessage) -> None:
        """Handle PARAM_SET; CommandError if the value is not allowed. The answer is always the current value."""
        name = received.message.param_id
        try:
            self._parameters.set(name, received.message.param_value)
        finally:
            # Also after a rejected value, so that the station sees that nothing changed.
            if name in self._parameters.table:
                self._value(self._parameters.names.index(name), None)

    def update(self) -> None:
        """Send some of the queued values between two ticks."""
        for _ in range(min(PER_TICK, len(self._waiting))):
            self._value(*self._waiting.popleft())

    def _value(self, index: int, to: Address | None) -> None:
        parameter = self._parameters.table[self._parameters.names[index]]
        make, count = self._messages.MAVLink_param_value_message, len(self._parameters)
        value = self._parameters[parameter.name]
        self._send(make(parameter.name.encode(), value, parameter.kind, count, index), to)
