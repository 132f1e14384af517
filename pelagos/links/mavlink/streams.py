"""What is sent without being asked, and how often: ArduPilot's stream groups, and single messages at their own rate.

Rates are those of the wall clock, whatever the time scale of the simulation: a ground station's screen is read by
people. REQUEST_DATA_STREAM and the SR0_ parameters set groups, SET_MESSAGE_INTERVAL one message (0: as its group, -1:
not at all). At most 50 Hz each, and never more than a tick gives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pelagos.errors import CommandError
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.wire import message_id

FASTEST_HZ = 50.0
HEARTBEAT_HZ = 1.0
# Each message of a stream and the parameter with its rate; "": only on request.
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
    """When each message is due.

    Args:
        messages: the dialect.
        parameters: with the rates of the groups.
        make: by name, what makes a message.
        clock: seconds of the wall.
    """

    def __init__(
        self, messages: Any, parameters: Parameters, make: Mapping[str, Make], clock: Callable[[], float]
    ) -> None:
        self._parameters, self._make, self._clock = parameters, dict(make), clock
        self.ids = {message_id(messages, name): name for name in make}
        self._own: dict[str, float] = {}  # rates of single messages, Hz
        self._due: dict[str, float] = {}

    def rate_hz(self, name: str) -> float:
        """Of one message; 0 if it is not sent."""
        if name == "HEARTBEAT":
            return HEARTBEAT_HZ
        if name in self._own:
            return self._own[name]
        group = STREAMS.get(name, "")
        return self._parameters[group] if group else 0.0

    def due(self) -> list[Any]:
        """Messages whose time has come."""
        now, made = self._clock(), []
        for name in self._make:
            rate = self.rate_hz(name)
            if rate <= 0.0:
                continue
            due_s = self._due.get(name, -math.inf)
            if now < due_s:
                continue
            step = 1.0 / rate
            self._due[name] = due_s + step if due_s + step > now else now + step
            made += self.make(name)
        return made

    def now(self, name: str) -> None:
        """Let a message be due at once."""
        self._due.pop(name, None)

    def make(self, name: str) -> list[Any]:
        """One message now, or a few, or none if there is nothing to say."""
        made = self._make[name]()
        return made if isinstance(made, list) else [] if made is None else [made]

    def named(self, number: float) -> str | None:
        """The message of a number that we can send."""
        return self.ids.get(int(number)) if math.isfinite(number) else None

    def set_interval(self, number: float, interval_us: float) -> None:
        """SET_MESSAGE_INTERVAL; CommandError if we do not send that, or not so often."""
        name = self.named(number)
        if name is None or not math.isfinite(interval_us):
            raise CommandError(f"message {number:g} is not sent from here")
        if name == "HEARTBEAT":
            raise CommandError("the heartbeat beats once a second")
        if interval_us > 0.0 and 1e6 / interval_us > FASTEST_HZ * 1.001:
            raise CommandError(f"{name} every {interval_us:g} us is too often; at most {FASTEST_HZ:g} Hz")
        if interval_us == 0.0:
            self._own.pop(name, None)
        else:
            self._own[name] = 1e6 / interval_us if interval_us > 0.0 else 0.0
        self._due.pop(name, None)

    def interval_us(self, name: str) -> int:
        """As MESSAGE_INTERVAL says it: -1 if it is not sent."""
        rate = self.rate_hz(name)
        return round(1e6 / rate) if rate > 0.0 else -1

    def request(self, group: int, rate_hz: int, start: int) -> None:
        """REQUEST_DATA_STREAM; CommandError for a group that is not there or too fast."""
        names = list(GROUPS.values()) if group == ALL else [GROUPS[group]] if group in GROUPS else []
        if not names:
            raise CommandError(
                f"there is no data stream {group}", expected=f"0 or one of {', '.join(map(str, GROUPS))}"
            )
        for name in names:
            self._parameters.set(name, float(rate_hz) if start else 0.0)
