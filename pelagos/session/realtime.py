"""Real-time loop: a thread that advances a flight or a playback on the wall clock.

One turn of the loop carries out waiting orders, checks the pilot's link, makes the tick that is due, publishes events
and, when one is due, a snapshot; then it sleeps until the next deadline. Orders and sticks act between ticks only.

Deadlines are absolute, base + n interval / scale, so that a late tick does not delay the ones after it. A loop that is
more than BEHIND_S late skips the missed intervals and counts them as overruns.

Threads:

- The runner's thread (`Runner.run`) owns the source with its simulation, the pacer and the links. It builds the source
  too, so that the page can show that kernels are being compiled.
- Any thread may call `Runner.input`, `let_go` and `order`. Sticks pass through `DeadManSwitch`, whose lock guards its
  three attributes; orders pass through a `queue.Queue`, which has a lock of its own. No lock is held while the source
  ticks, so neither side waits for the other.
- The thread that called `start` calls `stop`. It closes the links itself if the runner's thread is still compiling.
- The server writes the number `clients`; other threads only read `paused`, `phase` and `link_lost`. Each is one
  reference, which Python replaces atomically.

An error of the source becomes a status message, and the order `reset` builds a new source.
"""

from __future__ import annotations

import logging
import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from pelagos.engine.waiting import WATCH
from pelagos.errors import CommandError, PelagosError
from pelagos.session.authority import Signal
from pelagos.session.links import Link, LinkSet
from pelagos.session.orders.table import order_named
from pelagos.session.session import Session
from pelagos.session.source import CENTRED, Input, StampedInput, StampedSnapshot, TickSource

BEHIND_S = 0.25  # up to this lateness the loop catches up, by ticks without sleep; beyond, it skips intervals
WINDOW_S = 1.0  # over which the load is averaged
DEAD_MAN_S = 0.5  # wall time without a message of the pilot until the sticks are centred
COLUMNS = ("paused", "waiting", "time_scale", "overruns", "lateness_ms", "load_percent", "link_lost", "clients")
SNAPSHOT_HZ = 25.0
IDLE_S = 0.02  # longest sleep, so that an order waits no longer
MOST_ORDERS = 256  # in the queue
OVERRUN_EVENT_S = 1.0  # between two events about overruns
# Orders that do not start the flight of a pilot who has not moved a stick yet.
QUIET = ("camera", "lights", "conditions", "task", "pilot_name", "message", "record", "reset")
SWITCH_S = 0.0005  # of the interpreter: with its default of 5 ms the server's thread delays ticks by as much
BUILDING = "preparing the simulation"
NO_INPUT = StampedInput(CENTRED, 0, 0.0)

_log = logging.getLogger("pelagos.console")

Source = TypeVar("Source", bound=TickSource)


class Pacer:
    """Deadlines, lateness and load of ticks of `interval_s` simulated seconds; other times are of the wall clock."""

    def __init__(self, interval_s: float, now_s: float) -> None:
        self.interval_s = interval_s
        self.scale = 1.0
        self.overruns = 0
        self.load_percent = 0.0
        self._worst_s = 0.0
        self._window_s, self._busy_s = now_s, 0.0
        self.begin(now_s)

    @property
    def period_s(self) -> float:
        """Wall time from tick to tick."""
        return self.interval_s / self.scale

    @property
    def due_s(self) -> float:
        """Deadline of the next tick."""
        return self._base_s + self._n * self.period_s

    def begin(self, now_s: float) -> None:
        """Set the next deadline one period from now."""
        self._base_s, self._n = now_s, 1

    def rescale(self, scale: float, now_s: float) -> None:
        """Change the real-time factor from now on."""
        self.scale = scale
        self.begin(now_s)

    def ticked(self, begin_s: float, end_s: float) -> int:
        """Account for a tick; returns the number of skipped intervals, normally 0."""
        self._worst_s = max(self._worst_s, begin_s - self.due_s)
        self._busy_s += end_s - begin_s
        self._n += 1
        behind = end_s - self.due_s
        if behind <= BEHIND_S:
            return 0
        lost = max(1, math.floor(behind / self.period_s))
        self.overruns += lost
        self._n += lost
        return lost

    def take_lateness_s(self) -> float:
        """Largest lateness of a tick since the last call; 0 if none was late."""
        worst, self._worst_s = self._worst_s, 0.0
        return worst

    def watch(self, now_s: float) -> None:
        """Update the load once in WINDOW_S."""
        if now_s - self._window_s >= WINDOW_S:
            self.load_percent = 100.0 * self._busy_s / (now_s - self._window_s)
            self._window_s, self._busy_s = now_s, 0.0


def merged_input(new: Input, before: Input, active: Input) -> Input:
    """The input that acts after a change on the page: all of it, or its camera part only.

    The last stick input wins, and camera input does not count as such: sticks that the page has not moved stay with
    the link, such as a ground station, that moved them last.

    Args:
        new: input of the page.
        before: input of the page before the change.
        active: input in force, of the page or of a link.
    """
    return new if new[:6] != before[:6] else Input(*active[:6], *new[6:])


class DeadManSwitch:
    """The newest stick input of the pilot; centred after DEAD_MAN_S without a message.

    A page that was closed or hangs must not steer on. The server's thread calls `put` and `clear`, the runner's `take`;
    the lock makes input and time of arrival change together.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: StampedInput = NO_INPUT
        self._received_s: float | None = None  # arrival of the last message; None before the first
        self.lost = False

    def put(self, sticks: StampedInput, now_s: float) -> None:
        """Replace the input."""
        with self._lock:
            self._newest = sticks
            self._received_s = now_s

    def clear(self, now_s: float) -> None:
        """Centre the sticks when the pilot changes, and give the next one DEAD_MAN_S for a first message."""
        with self._lock:
            self._newest = NO_INPUT
            if self._received_s is not None:
                self._received_s = now_s

    def take(self, now_s: float) -> tuple[StampedInput, bool]:
        """The input in force, and whether the link was lost or restored since the last call."""
        with self._lock:
            lost = self._received_s is not None and now_s - self._received_s > DEAD_MAN_S
            changed, self.lost = lost != self.lost, lost
            if lost:
                self._newest = self._newest._replace(sticks=CENTRED)
            return self._newest, changed


class WaitingOrder(NamedTuple):
    """An order in the queue, and the function that receives the reason of a refusal."""

    name: str
    values: Mapping[str, Any]
    refused: Callable[[str], None]


class Runner(Generic[Source]):
    """Advances a source on the wall clock in a thread of its own.

    Callbacks run in the runner's thread and must not block. `publish` alone is called by a second thread too, that of
    `pelagos.engine.waiting`, which reports the progress of compiling while the runner's thread is in `build`.

    Args:
        build: makes the source; called again on the order `reset` after a failure.
        publish_snapshot: receives snapshots.
        publish: receives messages for all pages: hello, status, event, result.
        hello: makes the message that describes the source and its columns; None without a page.
        clock: wall clock, s.
        sleep: waits for a number of seconds.
        snapshot_hz: maximum number of snapshots per second of wall time.
        links: links to other programs, for a source with `sims`; the runner closes them.
        piloted: False without a page: time runs at once, and no snapshots are made.
    """

    def __init__(
        self,
        build: Callable[[], Source],
        publish_snapshot: Callable[[StampedSnapshot], None],
        publish: Callable[[dict[str, Any]], None],
        *,
        hello: Callable[[Source, list[str]], dict[str, Any]] | None = None,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
        snapshot_hz: float = SNAPSHOT_HZ,
        links: LinkSet | Iterable[Link] = (),
        piloted: bool = True,
    ) -> None:
        self._build, self._publish_snapshot, self._publish, self._hello = build, publish_snapshot, publish, hello
        self._clock, self._sleep, self.snapshot_hz = clock, sleep, snapshot_hz
        self._orders: queue.Queue[WaitingOrder] = queue.Queue(MOST_ORDERS)
        self.dead_man = DeadManSwitch()
        self.paused, self.phase = False, ""
        self.clients = 0  # written by the server's thread
        self._piloted, self._had_clients = piloted, not piloted
        self.links = links if isinstance(links, LinkSet) else LinkSet(links)
        self.links.publish = lambda text: self._event("link", text)
        self._pacer = Pacer(1.0, clock())
        self._source: Source | None = None
        self._row, self._applied = np.full(len(COLUMNS), np.nan, np.float32), NO_INPUT
        self._seq = self._begun = 0
        self._send_s = -math.inf  # when the next snapshot is due
        self._overrun_s = -math.inf  # when the last event about overruns was published
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._switch_s = sys.getswitchinterval()  # of the whole process: `stop` restores it
        sys.setswitchinterval(SWITCH_S)
        self._thread = threading.Thread(target=self.run, name="pelagos-runner", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread after its present tick; recordings are closed when this returns.

        It does not wait for a source that is being built or compiled: nothing of that can be lost.
        """
        self._stop.set()
        if self._thread is not None:
            # In slices, because the phase may change to "compiling" while this waits: a reset was in the queue.
            while self._thread.is_alive() and self.phase != "compiling":
                self._thread.join(0.05)
            if self._thread.is_alive():  # compiling: it cannot close the links in time, and does not use them yet
                self.links.close()
            self._thread = None
            sys.setswitchinterval(self._switch_s)

    @property
    def link_lost(self) -> bool:
        """Whether the pilot's input is missing for longer than DEAD_MAN_S."""
        return self.dead_man.lost

    def input(self, sticks: StampedInput) -> None:
        """Set the sticks of the pilot. Any thread may call it."""
        self.dead_man.put(sticks, self._clock())

    def let_go(self) -> None:
        """Centre the sticks because the pilot changes or leaves. Any thread may call it."""
        self.dead_man.clear(self._clock())

    def order(self, name: str, values: Mapping[str, Any], refused: Callable[[str], None]) -> None:
        """Carry out an order between two ticks. Any thread may call it.

        `refused` receives the reason if the order is impossible, normally in the runner's thread.
        """
        try:
            self._orders.put_nowait(WaitingOrder(name, values, refused))
        except queue.Full:
            refused("too many orders at once; this one was not done")

    def run(self) -> None:
        """Build the source and advance it until `stop`: the body of the thread."""
        try:
            self.build()
            while not self._stop.is_set():
                self._sleep(self.turn())
            self._close()
        finally:
            self.links.close()

    def build(self) -> None:
        """Build the source and make its first tick, which compiles missing kernels."""
        self._status("compiling", BUILDING)
        try:
            with WATCH.listening(self._publish_compiling):
                self._source = source = self._build()
                self._greet(source)
                source.tick()
        except Exception as problem:
            self._fail(problem)
            return
        if isinstance(source, Session):  # a playback has no links
            source.attach(self.links)
        self._begin(source)
        # A new pacer for the rate of the new source; real-time factor and count of overruns survive a rebuild.
        scale, overruns, now = self._pacer.scale, self._pacer.overruns, self._clock()
        self._pacer = Pacer(1.0 / source.rate_hz, now)
        self._pacer.rescale(scale, now)
        self._pacer.overruns = overruns
        self._status("ready", "")

    def turn(self) -> float:
        """Do all that is due now; returns the time to sleep, s."""
        self._had_clients = self._had_clients or self.clients > 0
        self._do_orders()
        now, source = self._clock(), self._source
        if source is None or self.phase == "failed":
            return IDLE_S
        try:
            if self._piloted:
                self._apply_input(source, now)
            if self.paused or source.done or source.waits or not self._had_clients or self.links.frozen:
                self._idle(source, now)
                return min(IDLE_S, max(0.0, self._send_s - self._clock()))
            self._phase_is("ready")
            if now < self._pacer.due_s:
                return min(IDLE_S, self._pacer.due_s - now)
            self._tick(source, now)
        except Exception as problem:
            self._fail(problem)
            return IDLE_S
        return min(IDLE_S, max(0.0, self._pacer.due_s - self._clock()))

    def _tick(self, source: Source, now: float) -> None:
        source.tick()
        self._begin_if_new(source)  # an order of a link may have restarted the flight
        end = self._clock()
        lost = self._pacer.ticked(now, end)
        self._pacer.watch(end)
        if lost and end - self._overrun_s >= OVERRUN_EVENT_S:
            self._overrun_s = end
            text = f"this machine is too slow for the time scale: {self._pacer.overruns} intervals given up so far"
            self._event("overrun", text)
        self._report(source)
        # Half a tick early is as near as half a tick late: the mean is snapshot_hz, whatever the rate of ticks.
        if end >= self._send_s - 0.5 * min(self._pacer.period_s, 1.0 / self.snapshot_hz):
            self._send(source, end)
        self.links.report(self._publish)

    def _idle(self, source: Source, now: float) -> None:
        """Keep pages and links informed while simulated time stands still."""
        self._phase_is("ended" if source.done else "ready")
        self._pacer.begin(now)  # time that stood still is not lateness
        self._pacer.watch(now)
        waited = source.waits
        if isinstance(source, Session):
            source.idle()
        # A link that cleared `waits` steers the flight: then time runs before the first page has connected.
        self._had_clients = self._had_clients or waited > source.waits
        self._begin_if_new(source)
        self._report(source)
        if now >= self._send_s:
            self._send(source, now)
        self.links.report(self._publish)

    def _apply_input(self, source: Source, now: float) -> None:
        """Give the source the newest input of the pilot, centred if the link is lost."""
        newest, changed = self.dead_man.take(now)
        if newest.sticks != self._applied.sticks:
            source.input(merged_input(newest.sticks, self._applied.sticks, getattr(source, "sticks", newest.sticks)))
        self._applied = newest
        if changed and not source.waits:  # before the flight starts there is no link to lose
            text = "no input of the pilot for half a second: sticks to the middle"
            lost = self.dead_man.lost
            source.signal(Signal.LINK_LOST if lost else Signal.LINK_BACK)
            self._event("link_lost" if lost else "link_back", text if lost else "the pilot's input is back")

    def _do_orders(self) -> None:
        for _ in range(self._orders.qsize()):  # a fixed number: orders that arrive meanwhile must not delay the tick
            order = self._orders.get_nowait()
            try:
                self._do(order.name, order.values)
            except PelagosError as refusal:
                order.refused(str(refusal))
            except Exception as problem:
                self._fail(problem)
                order.refused(self._sentence(problem))
            if self._source is not None and self.phase != "failed":
                self._report(self._source)
                self._begin_if_new(self._source)

    def _begin_if_new(self, source: Source) -> None:
        """Follow a source that restarted: its sticks are centred, and the restart does not count as lateness."""
        if source.begun != self._begun:
            self._applied = NO_INPUT
            self._begin(source)
            self._pacer.begin(self._clock())

    def _begin(self, source: Source) -> None:
        self._begun = source.begun
        if not self._piloted:
            source.signal(Signal.START)
        if isinstance(source, Session):
            source.begin_links()

    def _do(self, name: str, values: Mapping[str, Any]) -> None:
        if name == "time_scale":
            factor = order_named(name).checked(name, values)["factor"]
            self._pacer.rescale(factor, self._clock())
            self._event("order", f"time scale {factor:g}")
        elif name == "pause":
            self.paused = on = order_named(name).checked(name, values)["on"]
            if self._source is not None:
                self._source.signal(Signal.START)
            self._event("order", "paused" if on else "time goes on")
        elif self._source is None or self.phase == "failed":
            if name != "reset":
                raise CommandError("the simulation has failed; a reset begins anew")
            self.build()
        else:
            self._source.order(name, values)
            if name not in QUIET:
                self._source.signal(Signal.START)

    def _report(self, source: Source) -> None:
        """Publish new events, after a new hello if the source changed."""
        if source.changed:
            self._greet(source)
        for event in source.take_events():
            self._publish(event)

    def _greet(self, source: Source) -> None:
        columns = [*source.columns, *COLUMNS]
        self._row = np.full(len(columns), np.nan, np.float32)
        if self._hello is not None:
            self._publish(self._hello(source, columns))
        source.changed = False

    def _send(self, source: Source, now: float) -> None:
        step = 1.0 / self.snapshot_hz
        # Absolute deadlines keep the mean rate; after a gap the count starts again from now.
        self._send_s = self._send_s + step if self._send_s + step > now else now + step
        if not self._piloted:  # no subscriber, but the idle loop sleeps until the deadline above
            return
        row, pacer = self._row, self._pacer
        source.snapshot_into(row)
        late_ms = 1e3 * pacer.take_lateness_s()
        timing = pacer.scale, pacer.overruns, late_ms, pacer.load_percent
        row[-len(COLUMNS) :] = self.paused, source.waits, *timing, self.dead_man.lost, self.clients
        self._seq += 1
        self._publish_snapshot(StampedSnapshot(self._seq, self._applied.seq, source.time_s, self._applied.sent_ms, row))

    def _event(self, kind: str, text: str) -> None:
        time_s = self._source.time_s if self._source is not None else 0.0
        self._publish({"type": "event", "time_s": time_s, "kind": kind, "text": text})

    def _phase_is(self, phase: str) -> None:
        if phase != self.phase:
            self._status(phase, "the end is reached" if phase == "ended" else "")

    def _publish_compiling(self, text: str, seconds: float) -> None:
        self._publish({"type": "status", "phase": "compiling", "text": text, "compiling_s": round(seconds, 1)})

    def _status(self, phase: str, text: str) -> None:
        self.phase = phase
        self._publish({"type": "status", "phase": phase, "text": text})

    def _fail(self, problem: Exception) -> None:
        """Publish why the source failed, and close it, so that its recording can be read."""
        if not isinstance(problem, PelagosError):
            _log.error("the simulation ended in an error", exc_info=problem)
        self._status("failed", self._sentence(problem))
        self._close()

    @staticmethod
    def _sentence(problem: Exception) -> str:
        known = isinstance(problem, PelagosError)
        return str(problem) if known else f"the simulation ended in an error: {type(problem).__name__}: {problem}"

    def _close(self) -> None:
        if self._source is not None:
            if isinstance(self._source, Session):
                self._source.links = LinkSet()  # the runner closes them, or the next source takes them over
            try:
                self._source.close()
                for event in self._source.take_events():  # such as the path of the recording
                    self._publish(event)
            except Exception as problem:
                _log.error("the source could not be closed", exc_info=problem)
        # A failed source is discarded, and `reset` builds another; one that was stopped keeps its last state.
        self._source = None if self.phase == "failed" else self._source
        self._applied = self._applied._replace(sticks=CENTRED)
