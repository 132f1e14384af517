"""Base of session links that process ticks in their own thread, so that the simulation only copies and never waits.

Ticks that do not fit into the queue are dropped and counted. An error in the thread is stored and raised at the next
tick: the session then closes the link and continues without it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.errors import CommandError, PelagosError
from pelagos.links.counts import Counts
from pelagos.links.ros.topics import Message, VehicleTick, clock_message, event_message, messages_of, vehicle_tick
from pelagos.links.ros.vehicle import RosVehicle, ros_vehicles_of
from pelagos.session.links import Link
from pelagos.session.session import Session

MOST = 2000  # ticks that may wait: some seconds of a fast run
MOST_PICTURES = 50  # waiting ticks above which images of imaging sonars, a megabyte each, are dropped
REST_S = 0.2  # longest wait of the thread for a tick


class RunStart(NamedTuple):
    """Start of a run: its vehicles and time."""

    vehicles: tuple[RosVehicle, ...]
    time_s: float


class Tick(NamedTuple):
    """One tick of all vehicles, with its events and the run that it belongs to."""

    begun: RunStart
    time_s: float
    instants: tuple[VehicleTick, ...]
    events: tuple[Mapping[str, Any], ...] = ()


def tick_messages(tick: Tick) -> list[Message]:
    """Return all messages of a tick, in order."""
    out = [clock_message(tick.time_s)]
    for vehicle, instant in zip(tick.begun.vehicles, tick.instants, strict=True):
        out += messages_of(vehicle, instant)
    return out + [event_message(event) for event in tick.events if event.get("type", "event") == "event"]


class Relay(Link):
    """Session link with a thread that passes ticks on.

    The thread of the simulation calls the methods of a link, from `begin` to `close`. Subclasses override those that
    the thread of the relay calls: `start`, `has_subscribers`, `write`, `check_connections`, `rest` and `finish`.
    """

    def __init__(
        self, name: str, report: Callable[[str], None] | None = None, most: int = MOST, counts: Counts | None = None
    ) -> None:
        self.name, self._counts = name, counts or Counts(name, report)
        self._queue: queue.Queue[Tick] = queue.Queue(most)
        self._begun: RunStart | None = None
        self._problem: Exception | None = None
        self._last: Tick | None = None  # last tick processed; used in the thread of the relay only
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"pelagos-{name}", daemon=True)
        self._thread.start()

    # Called in the thread of the simulation.

    def begin(self, session: Session) -> None:
        """Start a run: queue its first tick."""
        self._begun = begun = RunStart(tuple(ros_vehicles_of(session.sims)), session.time_s)
        self._put(Tick(begun, session.time_s, tuple(vehicle_tick(sim, with_readings=False) for sim in session.sims)))

    def after(self, session: Session, events: Sequence[Mapping[str, Any]]) -> None:
        """Queue a copy of the tick."""
        if self._begun is not None:
            self._put(Tick(self._begun, session.time_s, tuple(map(vehicle_tick, session.sims)), tuple(events)))

    def counts(self) -> Mapping[str, int]:
        """Return the counters of sent and dropped data."""
        return self._counts.all()

    def close(self) -> None:
        """Process the queued ticks and end the thread."""
        self._stop.set()
        self._thread.join(30.0)
        if self._problem is not None:
            self._counts.drop("failed", str(self._problem))

    def _put(self, tick: Tick) -> None:
        if self._problem is not None:
            problem, self._problem = self._problem, None
            known = isinstance(problem, PelagosError)
            raise CommandError(str(problem) if known else f"{self.name} failed: {type(problem).__name__}: {problem}")
        # A full queue of ticks with images would take gigabytes.
        if self._queue.qsize() > MOST_PICTURES and any(now.pictures for now in tick.instants):
            self._counts.drop("pictures", "messages arrive faster than they can be sent; pictures are dropped")
            tick = tick._replace(instants=tuple(now._replace(pictures={}) for now in tick.instants))
        try:
            self._queue.put_nowait(tick)
        except queue.Full:
            self._counts.drop("stalled", "what is to be passed on comes faster than it can go; a tick is left out")

    # Called in the thread of the relay.

    def start(self, begun: RunStart) -> None:
        """Begin a new run."""
        raise NotImplementedError

    def write(self, messages: Sequence[Message]) -> None:
        """Write or send the messages of a tick."""
        raise NotImplementedError

    def has_subscribers(self) -> bool:
        """Return whether messages have receivers; without any they are not made."""
        return True

    def check_connections(self) -> None:
        """Check connections; called before each tick and at least every REST_S."""

    def rest(self) -> None:
        """Do what is due while no ticks come."""

    def finish(self) -> None:
        """Close everything; called once, also after an error."""

    def _work(self) -> None:
        begun: RunStart | None = None
        try:
            while not (self._stop.is_set() and self._queue.empty()):
                self.check_connections()
                try:
                    tick = self._queue.get(timeout=REST_S)
                except queue.Empty:
                    self.rest()
                    continue
                if tick.begun is not begun:  # every tick names its run, so that a dropped one cannot hide a new run
                    begun = tick.begun
                    self.start(begun)
                self._last = tick
                if self.has_subscribers():
                    self.write(tick_messages(tick))
        except Exception as problem:  # raised in the thread of the simulation, which closes this link
            self._problem = problem
        finally:
            try:
                self.finish()
            except Exception as problem:
                self._problem = self._problem or problem
