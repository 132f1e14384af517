"""Rates of telemetry messages: the stream groups of ArduPilot, and rates of single messages.

Rates refer to the wall clock, whatever the real-time factor, because people read the displays of a ground station.
REQUEST_DATA_STREAM and the SR0_ parameters set groups; SET_MESSAGE_INTERVAL sets one message (0: the rate of its group,
-1: off). The limit is 50 Hz for each message, and one message per tick.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pelagos.checks import number
from pelagos.errors import CommandError, one_of
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.wire import message_id

FASTEST_HZ = 50.0  # the default tick rate; more would repeat values
HEARTBEAT_HZ = 1.0  # as the heartbeat protocol of MAVLink recommends
# Parameter with the rate of each message; "": only on request.
STREAMS: dict[str, str] = {
    "SYS_STATUS": "SR0_EXT_STAT",
    "GPS_RAW_INT": "SR0_EXT_STAT",
    "MISSION_CURRENT": "SR0_EXT_STAT",
    "GLOBAL_POSITION_INT": "SR0_POSITION",
    "LOCAL_POSITION_NED": "SR0_POSITION",
    "SERVO_OUTPUT_RAW": "SR0_RC_CHAN",
    "SCALED_PRESSURE": "SR0_RAW_SENS",
    "SCALED_PRESSURE2": "SR0_RAW_SENS",
    "ATTITUDE": "SR0_EXTRA1",
    "ATTITUDE_QUATERNION": "",
    "VFR_HUD": "SR0_EXTRA2",
    "BATTERY_STATUS": "SR0_EXTRA3",
    "DISTANCE_SENSOR": "SR0_EXTRA3",
    "EKF_STATUS_REPORT": "SR0_EXTRA3",
    "NAMED_VALUE_FLOAT": "SR0_EXTRA3",
    "SYSTEM_TIME": "SR0_EXTRA3",
    "GPS_GLOBAL_ORIGIN": "",
    "HOME_POSITION": "",
    "AUTOPILOT_VERSION": "",
}
# MAV_DATA_STREAM numbers of REQUEST_DATA_STREAM.
GROUPS = {
    1: "SR0_RAW_SENS", 2: "SR0_EXT_STAT", 3: "SR0_RC_CHAN", 6: "SR0_POSITION", 10: "SR0_EXTRA1", 11: "SR0_EXTRA2",
    12: "SR0_EXTRA3",
}  # fmt: skip
ALL = 0

Make = Callable[[], Any]  # a message, several in a list, or None


class Streams:
    """Schedule of the telemetry messages.

    Args:
        messages: pymavlink dialect module.
        parameters: parameters with the rates of the groups.
        make: functions that make a message, by name.
        clock: wall clock, s.
    """

    def __init__(
        self, messages: Any, parameters: Parameters, make: Mapping[str, Make], clock: Callable[[], float]
    ) -> None:
        self._parameters, self._make, self._clock = parameters, dict(make), clock
        self.ids = {message_id(messages, name): name for name in make}
        self._single_hz: dict[str, float] = {}  # rates set by SET_MESSAGE_INTERVAL
        self._due: dict[str, float] = {}

    def rate_hz(self, name: str) -> float:
        """Return the rate of a message; 0 if it is not sent."""
        if name == "HEARTBEAT":
            return HEARTBEAT_HZ
        if name in self._single_hz:
            return self._single_hz[name]
        group = STREAMS.get(name, "")
        return self._parameters[group] if group else 0.0

    def due(self) -> list[Any]:
        """Return the messages that are due now."""
        now, made = self._clock(), []
        for name in self._make:
            rate = self.rate_hz(name)
            if rate <= 0.0:
                continue
            due_s = self._due.get(name, -math.inf)
            if now < due_s:
                continue
            step = 1.0 / rate
            # The next time follows from the last one, not from now, unless a whole period was missed.
            self._due[name] = due_s + step if due_s + step > now else now + step
            made += self.make(name)
        return made

    def now(self, name: str) -> None:
        """Make a message due at once."""
        self._due.pop(name, None)

    def make(self, name: str) -> list[Any]:
        """Make a message now; the list is empty if there is no data and may have several messages."""
        made = self._make[name]()
        return made if isinstance(made, list) else [] if made is None else [made]

    def named(self, ident: float) -> str | None:
        """Return the name of a message number, or None if it cannot be sent."""
        return self.ids.get(int(ident)) if math.isfinite(ident) else None

    def set_interval(self, ident: float, interval_us: float) -> None:
        """Apply SET_MESSAGE_INTERVAL; CommandError for an unknown message or too short an interval."""
        name = self.named(ident)
        if name is None:
            raise CommandError("Pelagos does not send message", value=ident)
        number(f"interval of {name} (us)", interval_us)
        if name == "HEARTBEAT":
            raise CommandError("HEARTBEAT is sent once a second; its interval cannot be changed")
        if interval_us > 0.0 and 1e6 / interval_us > FASTEST_HZ * 1.001:
            expected = f"at least {1e6 / FASTEST_HZ:g}, which is {FASTEST_HZ:g} Hz"
            raise CommandError(key=f"interval of {name} (us)", value=interval_us, expected=expected)
        if interval_us == 0.0:
            self._single_hz.pop(name, None)
        else:
            self._single_hz[name] = 1e6 / interval_us if interval_us > 0.0 else 0.0
        self._due.pop(name, None)

    def interval_us(self, name: str) -> int:
        """Return the interval for MESSAGE_INTERVAL in us; -1 if the message is not sent."""
        rate = self.rate_hz(name)
        return round(1e6 / rate) if rate > 0.0 else -1

    def request(self, group: int, rate_hz: int, start: int) -> None:
        """Apply REQUEST_DATA_STREAM; CommandError for an unknown group or too high a rate."""
        names = list(GROUPS.values()) if group == ALL else [GROUPS[group]] if group in GROUPS else []
        if not names:
            expected = f"0 or {one_of(map(str, GROUPS))}"
            raise CommandError("there is no data stream", value=group, expected=expected)
        for name in names:
            self._parameters.set(name, float(rate_hz) if start else 0.0)
