"""Sticks of a ground station: MANUAL_CONTROL and RC_CHANNELS_OVERRIDE, and what happens when they stay away.

    MANUAL_CONTROL   x ahead, y to starboard, r to starboard, -1000..1000; z 0..1000, 500 in the middle, more is UP
                     s bow up and t starboard side down, -1000..1000, if enabled_extensions says they are there
    channels         1 pitch (bow up), 2 roll, 3 throttle (up), 4 yaw, 5 forward, 6 lateral; 9 lights
                     1500 in the middle, 1100 and 1900 full; beyond is full too
                     0 lets go of one, 65535 leaves it as it is (9 and on: 65534 lets go)

The pilot at a page and the station fly with the same sticks: whoever moved them last has them. Sticks that the station
holds still do not fight those that the page moves. When nothing comes for FS_PILOT_TIMEOUT the sticks go to the middle,
unless the page has moved them since.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pelagos.console.source import Input
from pelagos.errors import MessageError

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

FULL, NONE = 1000, 0x7FFF  # of MANUAL_CONTROL; an axis that is not there
MIDDLE_US, FULL_US = 1500, 400
SHORTEST_US, LONGEST_US = 800, 2200  # of a pulse that is one
LET_GO, AS_IT_IS, LET_GO_HIGH = 0, 0xFFFF, 0xFFFE
CHANNELS = ("pitch", "roll", "heave", "yaw", "surge", "sway")
LIGHTS = 9
AXES = ("surge", "sway", "heave", "roll", "pitch", "yaw")


def manual(message: Any, thrust_gain: float = 1.0) -> dict[str, float]:
    """Sticks of a MANUAL_CONTROL; MessageError if one is out of range. Heave is positive down."""
    up = 0.0
    if message.z != NONE:
        if not 0 <= message.z <= FULL:
            raise MessageError(f"MANUAL_CONTROL z is {message.z}; expected 0 to {FULL}, {FULL // 2} in the middle")
        up = (message.z - 500) / 500.0
    extra = message.enabled_extensions
    return {
        "surge": _axis("x", message.x),
        "sway": _axis("y", message.y),
        "heave": -min(max(up * thrust_gain, -1.0), 1.0),
        "roll": _axis("t", message.t) if extra & 2 else 0.0,
        "pitch": _axis("s", message.s) if extra & 1 else 0.0,
        "yaw": _axis("r", message.r),
    }


def _axis(name: str, value: int) -> float:
    if value == NONE:
        return 0.0
    if not -FULL <= value <= FULL:
        raise MessageError(f"MANUAL_CONTROL {name} is {value}; expected -{FULL} to {FULL}")
    return value / FULL


def channel(number: int, pulse: int) -> float | None:
    """A channel as a stick, -1..1; None: as it is. MessageError if it is no pulse."""
    if pulse == AS_IT_IS or (number > 8 and pulse == LET_GO):
        return None
    if pulse == LET_GO or (number > 8 and pulse == LET_GO_HIGH):
        return 0.0
    if not SHORTEST_US <= pulse <= LONGEST_US:
        raise MessageError(f"channel {number} is {pulse}; expected {SHORTEST_US} to {LONGEST_US} us, 0 or 65535")
    return min(max((pulse - MIDDLE_US) / FULL_US, -1.0), 1.0)


class Sticks:
    """The station's sticks on their way to the flight."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.forget()

    def forget(self) -> None:
        """The flight is a new one, with its sticks in the middle."""
        self._axes = dict.fromkeys(AXES, 0.0)
        self._given: Input | None = None  # what the flight has of us
        self._heard_s: float | None = None

    @property
    def held(self) -> bool:
        """Whether the station is at the sticks."""
        return self._heard_s is not None

    def ours(self, flight: Flight) -> bool:
        """Whether the sticks of the flight are as the station has them."""
        return self._given is not None and flight.sticks == self._given

    def manual(self, flight: Flight, message: Any, thrust_gain: float) -> None:
        """All sticks at once."""
        self._move(flight, manual(message, thrust_gain))

    def override(self, flight: Flight, message: Any) -> None:
        """Some channels; the others stay."""
        pulses = [int(getattr(message, f"chan{i}_raw")) for i in range(1, 7)]
        told = {name: channel(i, pulse) for i, (name, pulse) in enumerate(zip(CHANNELS, pulses, strict=True), 1)}
        lights = channel(LIGHTS, int(message.chan9_raw))
        axes = {name: value for name, value in told.items() if value is not None}
        if "heave" in axes:
            axes["heave"] = -axes["heave"]
        self._move(flight, self._axes | axes)
        if not any(pulses):  # it lets go of all: nobody is missed then
            self._heard_s = self._given = None
        if lights is not None:
            level = 0.5 + 0.5 * lights
            if level != flight.aim.lights:
                flight.order("lights", {"level": level})

    def expire(self, flight: Flight, after_s: float) -> bool:
        """Sticks to the middle if nothing has come for that long; True when that happens."""
        if self._heard_s is None or self._clock() - self._heard_s <= after_s:
            return False
        self._heard_s = None
        self._axes = dict.fromkeys(AXES, 0.0)
        if self.ours(flight):
            flight.input(flight.sticks._replace(**self._axes))
        self._given = None
        return True

    def _move(self, flight: Flight, axes: dict[str, float]) -> None:
        """Sticks that have moved go to the flight; the camera stays the page's."""
        first = self._heard_s is None
        self._heard_s = self._clock()
        if axes == self._axes and (not first or not any(axes.values())):
            return
        self._axes = dict(axes)
        self._given = flight.sticks._replace(**axes)
        flight.input(self._given)
        flight.waits = flight.waits and not any(axes.values())
