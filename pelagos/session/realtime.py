"""The thread that drives a source on the wall clock: ticks, orders, sticks, snapshots.

One turn of its loop: do the orders that came, look whether the link lives, make the tick that is due, tell what
happened, send a snapshot if it is time; then sleep to the next deadline. Orders and sticks act between ticks only.
The source is built in this thread, so that the page can be told that something is being compiled; an error of the
source becomes a status with its sentence, and the order `reset` builds it anew.

When the next tick is due on the wall clock, how late the ticks are, and how much of the time they take.

Deadlines are absolute, base + n interval / scale, so that lateness of one tick never adds to that of the next. Whoever
falls behind by more than BEHIND_S gives up the missed intervals and says so: they are counted as overruns, and ticks
made and intervals given up together fill the time.

The sticks of the pilot, as the newest message has them, and what becomes of them when no message comes.

Written by the thread of the server, read by that of the simulation. Without a message for DEAD_MAN_S of wall time
the sticks go to the middle: a page that was closed or hangs must not go on flying.
"""

from __future__ import annotations

import logging
import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar, cast

import numpy as np

from pelagos.checks import number
from pelagos.engine.waiting import WATCH
from pelagos.errors import CommandError, PelagosError
from pelagos.session.links import Link, LinkedSession, LinkSet
from pelagos.session.order_fields import FASTEST, SLOWEST
from pelagos.session.source import CENTRED, Input, StampedInput, StampedSnapshot, TickSource

BEHIND_S = 0.25
WINDOW_S = 1.0  # over which the load is averaged


class Pacer:
    """Deadlines of ticks of `interval_s` simulated seconds each; all other times are of the wall clock."""

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
        """When the next tick is due."""
        return self._base_s + self._n * self.period_s

    def begin(self, now_s: float) -> None:
        """The next tick is due one period from now."""
        self._base_s, self._n = now_s, 1

    def rescale(self, scale: float, now_s: float) -> None:
        """Another speed from now on."""
        self.scale = scale
        self.begin(now_s)

    def ticked(self, begin_s: float, end_s: float) -> int:
        """A tick was made; gives the number of intervals given up because of it, mostly none."""
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
        """How late the latest tick began since the last call; zero if none was."""
        worst, self._worst_s = self._worst_s, 0.0
        return worst

    def watch(self, now_s: float) -> None:
        """Renew the load once a second."""
        if now_s - self._window_s >= WINDOW_S:
            self.load_percent = 100.0 * self._busy_s / (now_s - self._window_s)
            self._window_s, self._busy_s = now_s, 0.0


# ---- dead man --------------------------------------------------------------------------------------------------------


DEAD_MAN_S = 0.5


NOBODY = StampedInput(CENTRED, 0, 0.0)


def moved(new: Input, before: Input, now: Input) -> Input:
    """What shall act when the page's sticks change: all of them, or only the camera while others fly.

    Looking round is not flying: sticks that the page holds still stay with whoever moved them last, such as a ground
    station.

    Args:
        new: of the page.
        before: of the page.
        now: that act.
    """
    return new if new[:6] != before[:6] else Input(*now[:6], *new[6:])


class DeadMan:
    """A mailbox for one message, the newest, with a time-out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: StampedInput = NOBODY
        self._heard_s: float | None = None  # when the last message came; None before the first
        self.lost = False

    def put(self, sticks: StampedInput, now_s: float) -> None:
        """Sticks of the pilot; the newest win."""
        with self._lock:
            self._newest = sticks
            self._heard_s = now_s

    def clear(self, now_s: float) -> None:
        """Another pilot, or none: what the last one held is let go, and the next has a moment to begin."""
        with self._lock:
            self._newest = NOBODY
            if self._heard_s is not None:
                self._heard_s = now_s

    def take(self, now_s: float) -> tuple[StampedInput, bool]:
        """What shall act now, and whether the link was lost or found again with this call."""
        with self._lock:
            lost = self._heard_s is not None and now_s - self._heard_s > DEAD_MAN_S
            turned, self.lost = lost != self.lost, lost
            if lost:
                self._newest = self._newest._replace(sticks=CENTRED)
            return self._newest, turned


# ---- runner ----------------------------------------------------------------------------------------------------------


COLUMNS = ("paused", "waiting", "time_scale", "overruns", "lateness_ms", "load_percent", "link_lost", "clients")
SNAPSHOT_HZ = 25.0
IDLE_S = 0.02  # longest sleep: orders are looked for at least so often
MOST_ORDERS = 256  # waiting
SAY_AGAIN_S = 1.0  # between two messages about overruns
QUIET = ("camera", "lights", "conditions", "task", "pilot_name", "message", "record", "reset")  # do not begin a flight
SWITCH_S = 0.0005  # of the interpreter: with its usual 5 ms the server's thread delays ticks by as much
BUILDING = "preparing the simulation"

_log = logging.getLogger("pelagos.console")


Source = TypeVar("Source", bound=TickSource)


class WaitingOrder(NamedTuple):
    """An order that waits for the next boundary between ticks."""

    name: str
    values: Mapping[str, Any]
    refused: Callable[[str], None]


class Runner(Generic[Source]):
    """Drives what `build` makes. `publish`, `tell` and `hello` are called in the runner's thread.

    Args:
        build: makes the source; called again after a failure, when the page asks for a reset.
        publish: takes a snapshot.
        tell: takes a message to all pages: hello, status, event, result.
        hello: makes the message that presents the source and its columns to pages; None if there is no page.
        clock: seconds of the wall.
        sleep: waits so many of them.
        snapshot_hz: at most so many snapshots in a second of wall time.
        links: links that go along on a source with `sims`; closed when the runner ends.
        piloted: False where nobody sits at a page: time runs at once, and no snapshots are made.
    """

    def __init__(
        self,
        build: Callable[[], Source],
        publish: Callable[[StampedSnapshot], None],
        tell: Callable[[dict[str, Any]], None],
        *,
        hello: Callable[[Source, list[str]], dict[str, Any]] | None = None,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
        snapshot_hz: float = SNAPSHOT_HZ,
        links: LinkSet | Iterable[Link] = (),
        piloted: bool = True,
    ) -> None:
        self._build, self._publish, self._tell, self._hello = build, publish, tell, hello
        self._clock, self._sleep, self.snapshot_hz = clock, sleep, snapshot_hz
        self._orders: queue.Queue[WaitingOrder] = queue.Queue(MOST_ORDERS)
        self.dead_man = DeadMan()
        self.paused, self.phase = False, ""
        self.clients = 0  # written by the server
        self._piloted, self._had_clients = piloted, not piloted
        self.links = links if isinstance(links, LinkSet) else LinkSet(links)
        self.links.tell = lambda text: self._event("link", text)
        self._pacer = Pacer(1.0, clock())
        self._source: Source | None = None
        self._row, self._applied = np.full(len(COLUMNS), np.nan, np.float32), NOBODY
        self._seq = self._begun = 0
        self._send_s = self._said_s = -math.inf  # when the next snapshot is due, and when overruns were told
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # ---- called by other threads -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin in a thread of its own."""
        self._switch_s = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        self._thread = threading.Thread(target=self.run, name="pelagos-runner", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End after the tick that is under way; recordings are closed when this returns.

        What is being built or compiled is not waited for: there is nothing to lose yet.
        """
        self._stop.set()
        if self._thread is not None:
            while self._thread.is_alive() and self.phase != "compiling":
                self._thread.join(0.05)
            if self._thread.is_alive():
                self.links.close()
            self._thread = None
            sys.setswitchinterval(self._switch_s)

    @property
    def link_lost(self) -> bool:
        """Whether the pilot's input stays away."""
        return self.dead_man.lost

    def input(self, sticks: StampedInput) -> None:
        """Sticks of the pilot."""
        self.dead_man.put(sticks, self._clock())

    def let_go(self) -> None:
        """The pilot is another one, or nobody: the sticks of the last one count no more."""
        self.dead_man.clear(self._clock())

    def order(self, name: str, values: Mapping[str, Any], refused: Callable[[str], None]) -> None:
        """Do something at the next boundary between ticks; `refused` is told why it was not done."""
        try:
            self._orders.put_nowait(WaitingOrder(name, values, refused))
        except queue.Full:
            refused("too many orders at once; this one was not done")

    # ---- the loop --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Build the source and turn until stopped."""
        try:
            self.build()
            while not self._stop.is_set():
                self._sleep(self.turn())
            self._close()
        finally:
            self.links.close()

    def build(self) -> None:
        """Make the source and its first tick, which compiles what is not compiled yet."""
        self._status("compiling", BUILDING)
        try:
            with WATCH.listening(self._tell_compiling):
                self._source = source = self._build()
                self._greet(source)
                source.tick()
        except Exception as problem:
            self._fail(problem)
            return
        self._begin(source)
        scale, overruns, now = self._pacer.scale, self._pacer.overruns, self._clock()
        self._pacer = Pacer(1.0 / source.rate_hz, now)
        self._pacer.rescale(scale, now)
        self._pacer.overruns = overruns
        self._status("ready", "")

    def turn(self) -> float:
        """All that is due now; gives the time to sleep, s."""
        self._had_clients = self._had_clients or self.clients > 0
        self._do_orders()
        now, source = self._clock(), self._source
        if source is None or self.phase == "failed":
            return IDLE_S
        try:
            if self._piloted:
                self._hear(source, now)
            if self.paused or source.done or source.waits or not self._had_clients or self.links.frozen:
                self._stand(source, now)
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
        self.links.before(self._afloat)
        self._begin_if_new(source)
        source.tick()
        end = self._clock()
        lost = self._pacer.ticked(now, end)
        self._pacer.watch(end)
        if lost and end - self._said_s >= SAY_AGAIN_S:
            self._said_s = end
            text = f"this machine is too slow for the time scale: {self._pacer.overruns} intervals given up so far"
            self._event("overrun", text)
        self._report(source)
        self.links.after(self._afloat)
        # Half a tick early is as near as half a tick late: the mean is snapshot_hz, whatever the rate of ticks.
        if end >= self._send_s - 0.5 * min(self._pacer.period_s, 1.0 / self.snapshot_hz):
            self._send(source, end)
        self.links.report(self._tell)

    def _stand(self, source: Source, now: float) -> None:
        """Time stands still, the page is kept informed."""
        self._phase_is("ended" if source.done else "ready")
        self._pacer.begin(now)
        self._pacer.watch(now)
        waited = source.waits
        self.links.idle(self._afloat)
        self._had_clients = self._had_clients or waited > source.waits  # a link flies: no page is waited for
        self._begin_if_new(source)
        self._report(source)
        if now >= self._send_s:
            self._send(source, now)
        self.links.report(self._tell)

    def _hear(self, source: Source, now: float) -> None:
        """Give the newest sticks to the source, or none if the link is dead."""
        newest, turned = self.dead_man.take(now)
        if newest.sticks != self._applied.sticks:
            source.input(moved(newest.sticks, self._applied.sticks, getattr(source, "sticks", newest.sticks)))
            source.waits = source.waits and not any(newest.sticks[:6])  # looking round is not flying
        self._applied = newest
        if turned and not source.waits:  # while nobody flies there is no link to lose
            gone = "no input of the pilot for half a second: sticks to the middle"
            lost = self.dead_man.lost
            self._event("link_lost" if lost else "link_back", gone if lost else "the pilot's input is back")

    # ---- orders ----------------------------------------------------------------------------------------------------

    def _do_orders(self) -> None:
        for _ in range(self._orders.qsize()):
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
        """A source that began anew has its sticks in the middle; the time that took is no slowness of ticks."""
        if source.begun != self._begun:
            self._applied = NOBODY
            self._begin(source)
            self._pacer.begin(self._clock())

    def _begin(self, source: Source) -> None:
        self._begun = source.begun
        source.waits = source.waits and self._piloted
        self._afloat = cast(LinkedSession, source)  # links are given for flights only, not for a replay
        self.links.begin(self._afloat)

    def _do(self, name: str, values: Mapping[str, Any]) -> None:
        if name == "time_scale":
            factor = number("the time scale", values.get("factor"), SLOWEST, FASTEST)
            self._pacer.rescale(factor, self._clock())
            self._event("order", f"time scale {factor:g}")
        elif name == "pause":
            on = values.get("on")
            if not isinstance(on, bool):
                raise CommandError(key="pause on", value=on, expected="true or false")
            self.paused = on
            if self._source is not None:
                self._source.waits = False
            self._event("order", "paused" if on else "time goes on")
        elif self._source is None or self.phase == "failed":
            if name != "reset":
                raise CommandError("the simulation has failed; a reset begins anew")
            self.build()
        else:
            self._source.order(name, values)
            self._source.waits = self._source.waits and name in QUIET

    # ---- to the page -----------------------------------------------------------------------------------------------

    def _report(self, source: Source) -> None:
        """Send what happened, and a new hello if anything else changed."""
        if source.changed:
            self._greet(source)
        events = source.take_events()
        self.links.note(events)
        for event in events:
            self._tell(event)

    def _greet(self, source: Source) -> None:
        columns = [*source.columns, *COLUMNS]
        self._row = np.full(len(columns), np.nan, np.float32)
        if self._hello is not None:
            self._tell(self._hello(source, columns))
        source.changed = False

    def _send(self, source: Source, now: float) -> None:
        step = 1.0 / self.snapshot_hz
        self._send_s = self._send_s + step if self._send_s + step > now else now + step
        if not self._piloted:
            return
        row, pacer = self._row, self._pacer
        source.snapshot_into(row)
        late_ms = 1e3 * pacer.take_lateness_s()
        told = self.paused, source.waits, pacer.scale, pacer.overruns, late_ms, pacer.load_percent
        row[-len(COLUMNS) :] = *told, self.dead_man.lost, self.clients
        self._seq += 1
        self._publish(StampedSnapshot(self._seq, self._applied.seq, source.time_s, self._applied.sent_ms, row))

    def _event(self, kind: str, text: str) -> None:
        time_s = self._source.time_s if self._source is not None else 0.0
        self._tell({"type": "event", "time_s": time_s, "kind": kind, "text": text})

    def _phase_is(self, phase: str) -> None:
        if phase != self.phase:
            self._status(phase, "the end is reached" if phase == "ended" else "")

    def _tell_compiling(self, text: str, seconds: float) -> None:
        self._tell({"type": "status", "phase": "compiling", "text": text, "compiling_s": round(seconds, 1)})

    def _status(self, phase: str, text: str) -> None:
        self.phase = phase
        self._tell({"type": "status", "phase": phase, "text": text})

    def _fail(self, problem: Exception) -> None:
        """Say why it ended; what was recorded is closed and can be read."""
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
            try:
                self._source.close()
                for event in self._source.take_events():  # such as where the recording is
                    self._tell(event)
            except Exception as problem:
                _log.error("the source could not be closed", exc_info=problem)
        self._source = None if self.phase == "failed" else self._source
        self._applied = self._applied._replace(sticks=CENTRED)
