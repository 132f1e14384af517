"""A link that passes on what happens in a thread of its own: the simulation only copies and never waits.

What does not fit into the queue is dropped and counted, whole ticks at a time. Whatever goes wrong over there is kept
and raised at the next tick: the link is then closed and the flight goes on without it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.errors import CommandError, PelagosError
from pelagos.links.counts import Counts
from pelagos.links.ros.topics import Message, VehicleTick, clock_message, event_message, messages_of, taken
from pelagos.links.ros.vehicle import RosVehicle, ros_vehicles_of
from pelagos.session.links import LinkedSession

MOST = 2000  # ticks that may wait: some seconds of a fast run
MOST_PICTURES = 50  # ticks that wait with pictures of imaging sonars, a megabyte each
REST_S = 0.2  # longest wait of the thread


class RunStart(NamedTuple):
    """The vehicles are new, or at their start again."""

    vehicles: tuple[RosVehicle, ...]
    time_s: float


class Tick(NamedTuple):
    """One tick of all vehicles, what happened in it, and which beginning it belongs to."""

    begun: RunStart
    time_s: float
    instants: tuple[VehicleTick, ...]
    events: tuple[Mapping[str, Any], ...] = ()


def tick_messages(tick: Tick) -> list[Message]:
    """All messages of a tick, in order."""
    out = [clock_message(tick.time_s)]
    for craft, instant in zip(tick.begun.vehicles, tick.instants, strict=True):
        out += messages_of(craft, instant)
    return out + [event_message(event) for event in tick.events if event.get("type", "event") == "event"]


class Relay:
    """A link with a thread; kinds say what to do there: `start`, `wanted`, `write`, `rest`, `finish`."""

    def __init__(
        self, name: str, say: Callable[[str], None] | None = None, most: int = MOST, counts: Counts | None = None
    ) -> None:
        self.name, self._counts = name, counts or Counts(name, say)
        self._queue: queue.Queue[Tick] = queue.Queue(most)
        self._begun: RunStart | None = None
        self._problem: Exception | None = None
        self._last: Tick | None = None  # that was passed on, or would have been; of its own thread
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"pelagos-{name}", daemon=True)
        self._thread.start()

    # ---- in the thread of the simulation ---------------------------------------------------------------------------

    def begin(self, session: LinkedSession) -> None:
        """The simulations are new: tell of them from now on."""
        self._begun = begun = RunStart(tuple(ros_vehicles_of(session.sims)), session.time_s)
        self._put(Tick(begun, session.time_s, tuple(taken(sim, with_readings=False) for sim in session.sims)))

    def before(self, session: LinkedSession) -> None:
        """Nothing is steered by it."""

    def after(self, session: LinkedSession, events: Sequence[Mapping[str, Any]]) -> None:
        """Copy the tick."""
        if self._begun is not None:
            self._put(Tick(self._begun, session.time_s, tuple(map(taken, session.sims)), tuple(events)))

    def idle(self, session: LinkedSession) -> None:
        """Nothing to do: nobody waits for an answer."""

    def counts(self) -> Mapping[str, int]:
        """What went, and what was dropped."""
        return self._counts.all()

    def close(self) -> None:
        """Pass on what waits, and end."""
        self._stop.set()
        self._thread.join(30.0)
        if self._problem is not None:
            self._counts.drop("failed", str(self._problem))

    def _put(self, tick: Tick) -> None:
        if self._problem is not None:
            problem, self._problem = self._problem, None
            known = isinstance(problem, PelagosError)
            raise CommandError(str(problem) if known else f"{self.name} failed: {type(problem).__name__}: {problem}")
        if self._queue.qsize() > MOST_PICTURES and any(now.pictures for now in tick.instants):
            self._counts.drop("pictures", "what is to be passed on comes faster than it can go; pictures are left out")
            tick = tick._replace(instants=tuple(now._replace(pictures={}) for now in tick.instants))
        try:
            self._queue.put_nowait(tick)
        except queue.Full:
            self._counts.drop("stalled", "what is to be passed on comes faster than it can go; a tick is left out")

    # ---- in its own thread -----------------------------------------------------------------------------------------

    def start(self, begun: RunStart) -> None:
        """New vehicles, or a reset."""
        raise NotImplementedError

    def write(self, messages: Sequence[Message]) -> None:
        """Pass on the messages of a tick."""
        raise NotImplementedError

    def wanted(self) -> bool:
        """Whether anybody would get the messages of a tick; if not they are not even made."""
        return True

    def mind(self) -> None:
        """Called again and again, whatever comes."""

    def rest(self) -> None:
        """A moment without anything new."""

    def finish(self) -> None:
        """The end; called once, also after a failure."""

    def _work(self) -> None:
        begun: RunStart | None = None
        try:
            while not (self._stop.is_set() and self._queue.empty()):
                self.mind()
                try:
                    tick = self._queue.get(timeout=REST_S)
                except queue.Empty:
                    self.rest()
                    continue
                if tick.begun is not begun:  # known by every tick: none that is left out can hide a new beginning
                    begun = tick.begun
                    self.start(begun)
                self._last = tick
                if self.wanted():
                    self.write(tick_messages(tick))
        except Exception as problem:  # told in the other thread, which closes this link
            self._problem = problem
        finally:
            try:
                self.finish()
            except Exception as problem:
                self._problem = self._problem or problem
