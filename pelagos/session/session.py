"""A session: simulations of one world that advance together, with the rules of their scenario, links and logs.

`tick` is the only loop body of the package that advances simulations for people and programs. Drivers decide when to
call it: `session.run` until the end, `session.realtime` on the wall clock, a robot's program in lockstep, or
`session.record.rerun` from a journal.

A session has no thread, no clock and no lock: all calls come from the thread that owns its simulations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pelagos.messages import Event
from pelagos.session.authority import Authority, ControlAuthority, Signal
from pelagos.session.links import Link, LinkSet
from pelagos.session.source import EventCursor, unknown
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation

if TYPE_CHECKING:
    from pelagos.scenario.build import Prepared
    from pelagos.sim.fleet import Fleet


class Session:
    """Simulations of one world, with the rules of their scenario, links to other programs and logs.

    Args:
        sims: one simulation for each vehicle; orders go to the first. None: `start` brings them.
        fleet: the fleet of the simulations, whose vehicles may collide.
        rules: events and end of the scenario; None without a scenario.
        recorders: one for each log.
        links: links to other programs; the session closes them.
        authority: who steers the first vehicle.
        needs_logs: a log that cannot be written ends the session; otherwise the log ends, and the session continues.

    begun      number of starts and resets
    ticks      control intervals since the start
    """

    piloted = False  # whether the first vehicle has a helm

    def __init__(
        self,
        sims: Sequence[Simulation] = (),
        fleet: Fleet | None = None,
        rules: Prepared | None = None,
        *,
        recorders: Sequence[RunRecorder] = (),
        links: LinkSet | Iterable[Link] = (),
        authority: Authority = Authority.MISSION,
        needs_logs: bool = True,
    ) -> None:
        self.links = links if isinstance(links, LinkSet) else LinkSet(links)
        self.needs_logs = needs_logs
        self.begun = 0
        self.sims: tuple[Simulation, ...] = ()
        self.recorders: list[RunRecorder] = []
        self._messages: list[dict[str, Any]] = []
        if sims:
            self.start(sims, fleet, rules, authority=authority, recorders=recorders)

    def start(
        self,
        sims: Sequence[Simulation],
        fleet: Fleet | None = None,
        rules: Prepared | None = None,
        *,
        authority: Authority,
        recorders: Sequence[RunRecorder] = (),
    ) -> None:
        """Take up new simulations at their start."""
        self.sims, self.fleet, self.rules, self.recorders = tuple(sims), fleet, rules, list(recorders)
        self.authority = ControlAuthority(authority)
        self.ticks = 0
        self._cursor = EventCursor()
        self.begun += 1
        self.links.discard_events()
        self._restarted = True  # the links have not begun with these simulations

    @property
    def sim(self) -> Simulation:
        """The simulation that orders go to."""
        return self.sims[0]

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self.sims[0].time_s

    @property
    def rate_hz(self) -> float:
        """Ticks per simulated second."""
        return self.sims[0].control_rate_hz

    @property
    def waits(self) -> bool:
        """Whether simulated time stands still until the pilot or a program acts."""
        return self.authority.waits

    @property
    def frozen(self) -> bool:
        """Whether a link stops simulated time; call `idle` instead of `tick` meanwhile."""
        return self.links.frozen

    @property
    def over(self) -> bool:
        """Whether the scenario has ended."""
        return self.rules is not None and self.rules.over()

    def tick(self) -> None:
        """Advance all vehicles by one control interval."""
        self.begin_links()
        self.links.before(self)
        self.begin_links()  # an order of a link may have restarted the session
        self.steer()
        try:
            for sim in self.sims:
                sim.tick()
            self.ticks += 1
            if self.fleet is not None:
                self.fleet.collide()
            self.apply_rules()
            self.observe()
            self.log_tick(self.new_events())
        except Exception:  # any error at all must leave logs that are marked as incomplete
            self.close_logs(complete=False)
            raise
        self.links.after(self)

    def steer(self) -> None:
        """Act on the vehicle before an interval: a session without a pilot does nothing."""

    def apply_rules(self) -> None:
        """Apply the events of the scenario after an interval."""
        if self.rules is not None:
            self.rules.update()

    def observe(self) -> None:
        """Look at the state after an interval: a session without a task does nothing."""

    def new_events(self) -> list[tuple[Simulation, Event]]:
        """Publish the events of simulations and controllers that are not published yet, and return them."""
        new = [
            (sim, event)
            for sim in self.sims
            for events in (sim.events, getattr(sim.controller, "events", ()))
            for event in self._cursor.of(events)
        ]
        for sim, event in new:
            self.publish(self.message_of(sim, event))
        return new

    def message_of(self, sim: Simulation, event: Event) -> dict[str, Any]:
        """An event as links and pages receive it."""
        message = {"type": "event", "time_s": event.time_s, "kind": event.kind, "text": event.text}
        return message | {"vehicle": event.vehicle or sim.name}

    def publish(self, message: dict[str, Any]) -> None:
        """Queue a message for `take_events` and for the links."""
        self._messages.append(message)
        self.links.note((message,))

    def take_events(self) -> list[dict[str, Any]]:
        """Messages and events since the last call, oldest first."""
        messages, self._messages = self._messages, []
        return messages

    def log_tick(self, events: Sequence[tuple[Simulation, Event]]) -> None:
        """Record a sample of each vehicle, if one is due, and its new events."""
        for recorder in list(self.recorders):
            try:
                recorder.after([event for sim, event in events if sim is recorder.sim])
            except LogError as problem:
                self._end_log(recorder, problem)

    def attach(self, links: LinkSet) -> None:
        """Use these links from now on."""
        self.links, self._restarted = links, True

    def signal(self, signal: Signal) -> None:
        """Change who steers."""
        self.authority.apply(signal)

    def vehicle_of(self, values: Mapping[str, Any]) -> Simulation:
        """The simulation of the vehicle that an order names, the first if it names none."""
        name = values.get("vehicle", "")
        by_name = {sim.name: sim for sim in self.sims}
        if name and name not in by_name:
            raise unknown("there is no vehicle", name, tuple(by_name))
        return by_name[name] if name else self.sims[0]

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Carry out an order of `session.orders.table` now; CommandError, and no change, if that is impossible."""
        from pelagos.session.orders.table import WITH_PILOT, WITHOUT_PILOT, order_named  # a run needs no orders

        order = order_named(name, WITH_PILOT if self.piloted else WITHOUT_PILOT)
        order.do(self, order.checked(name, values))

    def idle(self) -> None:
        """While simulated time stands still: let links answer requests, and write waiting samples to the disk."""
        self.begin_links()
        for recorder in list(self.recorders):
            try:
                recorder.recorder.flush_due()
            except LogError as problem:
                self._end_log(recorder, problem)
        self.links.idle(self)

    def close(self, *, complete: bool = True) -> None:
        """Finish the logs and close the links; complete=False if the session was cut short."""
        try:
            self.close_logs(complete=complete)
        finally:
            for sim in self.sims:
                sim.in_run(False)
            self.links.close()

    def close_logs(self, *, complete: bool) -> None:
        """Finish the logs; complete=False if the session was cut short."""
        recorders, self.recorders = self.recorders, []
        with ExitStack() as closing:  # an error in one file must not leave the others open
            for recorder in recorders:
                closing.callback(recorder.recorder.close, complete=complete)

    def _end_log(self, recorder: RunRecorder, problem: LogError) -> None:
        """End a log that cannot be written, and the session too if it needs its logs."""
        if self.needs_logs:
            raise problem
        self.recorders.remove(recorder)
        recorder.recorder.close(complete=False)
        self.links.post(f"nothing more is logged to {recorder.path}: {problem}")

    def begin_links(self) -> None:
        """Tell the links of new simulations, if there are any."""
        if self._restarted:
            self._restarted = False
            self.links.begin(self)
