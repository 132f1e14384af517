"""What the console shows and steers: a live flight or the playback of a log, ticked by the runner.

A source knows nothing of clocks, browsers or sockets. Everything that acts on it comes through `input` and `order`
between two ticks, so a flight can be flown again from the list of what came when.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, shown
from pelagos.messages import PilotCommand


class Input(NamedTuple):
    """Sticks and camera rates, each -1..1: ahead, to starboard, down, starboard side down, bow up, to starboard.

    `pan` to starboard, `tilt` up and `zoom` in are shares of the fastest rate of the camera.
    """

    surge: float = 0.0
    sway: float = 0.0
    heave: float = 0.0
    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    pan: float = 0.0
    tilt: float = 0.0
    zoom: float = 0.0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """From names; what is not named is in the middle. CommandError unless all are numbers from -1 to 1."""
        for name, value in values.items():
            if name not in cls._fields:
                raise unknown("there is no stick", name, cls._fields)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1.0:
                raise CommandError(key=f"stick {name}", value=value, expected="a number from -1 to 1")
        return cls(**{name: float(value) for name, value in values.items()})

    @property
    def sticks(self) -> PilotCommand:
        """The six axes of the vehicle."""
        return PilotCommand(*self[:6])

    @property
    def centred(self) -> bool:
        """Whether nothing is moved."""
        return not any(self)


CENTRED = Input()


class StampedInput(NamedTuple):
    """Sticks of the pilot, with the number of their message and the sender's clock in ms."""

    sticks: Input
    seq: int
    sent_ms: float


class StampedSnapshot(NamedTuple):
    """Values of all columns at `time_s`, and the input that acted then: its number `ack`, its sender's clock `echo_ms`.

    The runner overwrites `values` with the next snapshot: keep a copy.
    """

    seq: int
    ack: int
    time_s: float
    echo_ms: float
    values: NDArray[np.float32]


class TickSource(Protocol):
    """Something with a state that goes on tick by tick. Called by one thread at a time."""

    @property
    def rate_hz(self) -> float:
        """Ticks in a simulated second."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values of a snapshot; they stay the same until `changed`."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...

    changed: bool  # columns, scene or task are other than the last hello said; whoever sends the new one clears it
    begun: int  # how often it began anew or went to another time: each time its sticks are in the middle
    waits: bool  # time shall stand until the pilot does something; whoever drives it clears it

    @property
    def done(self) -> bool:
        """Nothing more will happen: the end of a log, or of a mission."""
        ...

    def input(self, sticks: Input) -> None:
        """Sticks as they are from now on."""
        ...

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Do something now; CommandError with a sentence if it cannot be done."""
        ...

    def tick(self) -> None:
        """One interval on."""
        ...

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """Write the state now into `row[:len(columns)]`, NaN where it is not known."""
        ...

    def take_events(self) -> list[dict[str, Any]]:
        """What happened since the last call, in order."""
        ...

    def close(self) -> None:
        """End recordings; the source is not used any more."""
        ...


def unknown(what: str, name: object, valid: tuple[str, ...]) -> CommandError:
    """The refusal of a name that does not exist."""
    return CommandError(
        f"{what} {shown(name)}", expected=f"one of {', '.join(valid) or 'none'}", names=valid, misspelt=name
    )


def plain(value: Any) -> Any:
    """A value as JSON can hold it: no NaN or infinity, no arrays."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
