"""Time of DIS: 31 bits of the past hour and one bit that says whose clock; and the two-part clock time of an exercise.

A unit is 3600 s / 2^31 = 1.676 us. The last bit is 1 for an absolute timestamp (the clock is set to UTC) and 0 for a
relative one (the sender's own clock, of which only differences mean anything).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pelagos.errors import MessageError

HOUR_S = 3600.0
UNITS = 1 << 31  # in an hour


def _hours_and_units(time_s: float) -> tuple[int, int]:
    if not math.isfinite(time_s):
        raise MessageError(f"a time of {time_s} s; expected a finite number.")
    return divmod(math.floor(time_s / HOUR_S * UNITS), UNITS)  # cut down in whole units, so that both parts agree


def stamp(time_s: float, absolute: bool = False) -> int:
    """32 bits of a time, in seconds of any hour: the part within the hour, cut down to a unit, and the clock bit."""
    return _hours_and_units(time_s)[1] << 1 | absolute


def seconds(timestamp: int) -> float:
    """Seconds past the hour of a timestamp, 0 <= s < 3600."""
    return (timestamp >> 1) * (HOUR_S / UNITS)


def is_absolute(timestamp: int) -> bool:
    """Whether the sender's clock is set to UTC."""
    return bool(timestamp & 1)


def elapsed_s(earlier: int, later: int) -> float:
    """Seconds from one timestamp of a sender to another, -1800 <= s < 1800: an hour's end between them is no matter."""
    half = HOUR_S / 2.0
    return (seconds(later) - seconds(earlier) + half) % HOUR_S - half


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A moment of an exercise: whole hours since 1970-01-01 0 h UTC (or since its start), and the time past the hour.

    hours  signed 32 bits
    past   32 bits as in a timestamp
    """

    hours: int = 0
    past: int = 0

    @classmethod
    def of(cls, time_s: float, absolute: bool = False) -> ClockTime:
        """The clock time of seconds since 1970 (absolute) or since the start of the exercise."""
        hours, units = _hours_and_units(time_s)
        return cls(hours, units << 1 | absolute)

    @property
    def time_s(self) -> float:
        """Seconds since 1970, or since the start of the exercise."""
        return self.hours * HOUR_S + seconds(self.past)


AT_ONCE = ClockTime()
