"""Interface between the real-time runner and a flight or a playback: sticks and orders in, snapshots and events out.

A source has no clock, no socket and no thread. Sticks and orders reach it between two ticks only, through `input` and
`order`, so a flight can be repeated exactly from the list of its inputs and their tick numbers.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.errors import CommandError, one_of
from pelagos.messages import Event, PilotCommand
from pelagos.session.authority import Signal


class Input(NamedTuple):
    """Positions of the pilot's sticks, each -1 to 1; zero is centred.

    Positive is ahead, to starboard, down, starboard side down, bow up, bow to starboard. `pan` to starboard, `tilt` up
    and `zoom` in are fractions of the fastest rate of the camera.
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
        """Sticks by name, the others centred; CommandError unless all are numbers from -1 to 1."""
        for name in values:
            if name not in cls._fields:
                raise unknown("there is no stick", name, cls._fields)
        return cls(**{name: number(f"stick {name}", value, -1.0, 1.0) for name, value in values.items()})

    @property
    def sticks(self) -> PilotCommand:
        """The six axes of the vehicle."""
        return PilotCommand(*self[:6])

    @property
    def centred(self) -> bool:
        """Whether all sticks are centred."""
        return not any(self)


CENTRED = Input()


class StampedInput(NamedTuple):
    """Stick positions with the sequence number of their message and the sender's clock in ms."""

    sticks: Input
    seq: int
    sent_ms: float


class StampedSnapshot(NamedTuple):
    """Values of all columns at `time_s`, and the input in force: its number `ack` and its sender's clock `echo_ms`.

    The runner reuses `values` for the next snapshot, so a subscriber copies what it keeps.
    """

    seq: int
    ack: int
    time_s: float
    echo_ms: float
    values: NDArray[np.float32]


class TickSource(Protocol):
    """A flight or a playback that the runner advances tick by tick.

    A source has no locks: the runner's thread builds it and is the only one that calls it.
    """

    @property
    def rate_hz(self) -> float:
        """Ticks per simulated second."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values of a snapshot, constant until `changed` is true."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...

    changed: bool  # columns, scene or task differ from the last hello message; the runner sends a new one and clears it
    begun: int  # number of starts, resets and seeks so far; each of them centres the sticks

    @property
    def waits(self) -> bool:
        """Whether simulated time stands still until the pilot or a program acts."""
        ...

    def signal(self, signal: Signal) -> None:
        """Change who steers."""
        ...

    @property
    def done(self) -> bool:
        """Whether the end of the log or of the mission is reached."""
        ...

    def input(self, sticks: Input) -> None:
        """Set the sticks from the next tick on."""
        ...

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Carry out an order now; CommandError if that is impossible."""
        ...

    def tick(self) -> None:
        """Advance by one interval."""
        ...

    def snapshot_into(self, row: NDArray[np.float32]) -> None:
        """Write the present state into `row[:len(columns)]`, NaN where it is unknown."""
        ...

    def take_events(self) -> list[dict[str, Any]]:
        """Events since the last call, oldest first."""
        ...

    def close(self) -> None:
        """Finish recordings; no other call follows."""
        ...


class ViewOnlySource:
    """Parts of a source that pages only show: nothing steers it, and it holds no resources."""

    _events: list[dict[str, Any]]  # for the next `take_events`

    @property
    def waits(self) -> bool:
        """False: it starts at once."""
        return False

    def signal(self, signal: Signal) -> None:
        """Do nothing: a source that is only watched has no authority to change."""

    def input(self, sticks: Input) -> None:
        """Do nothing: sticks have no effect."""

    def take_events(self) -> list[dict[str, Any]]:
        """Events since the last call, oldest first."""
        events, self._events = self._events, []
        return events

    def close(self) -> None:
        """Do nothing: no file is open."""


class EventCursor:
    """Returns each event of growing lists once: the lists of simulations and of their controllers.

    Lists are compared by identity, because each controller has a list of its own and two lists may be equal. The entry
    in `_lists` keeps a list alive, so that its identity is not used again.
    """

    def __init__(self) -> None:
        self._lists: list[tuple[Sequence[Event], int]] = []  # each list, and how many of its events were returned

    def of(self, events: Sequence[Event]) -> Sequence[Event]:
        """The events of a list that no earlier call returned."""
        if not events:
            return ()
        k = next((k for k, (known, _) in enumerate(self._lists) if known is events), None)
        if k is None:
            k = len(self._lists)
            self._lists.append((events, 0))
        count = self._lists[k][1]
        self._lists[k] = (events, len(events))
        return events[count:]


def unknown(message: str, name: object, valid: tuple[str, ...]) -> CommandError:
    """The error for a name that is not one of the valid names."""
    return CommandError(message, value=name, expected=one_of(valid), names=valid)


def plain(value: Any) -> Any:
    """A value as JSON can hold it: lists for arrays, None for NaN and infinity, base64 for bytes."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def to_lists(value: Any) -> Any:
    """A value with lists and numbers in place of NumPy arrays and scalars, so that the journal can write it.

    NaN stays: the check of the value it stands for refuses it.
    """
    if isinstance(value, Mapping):
        return {name: to_lists(item) for name, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [to_lists(item) for item in cast("list[Any]", value)]
    return value
