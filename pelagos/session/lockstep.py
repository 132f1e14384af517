"""A scenario whose first vehicle another program steers, in lockstep: the program calls `tick`.

The first vehicle rests until it receives an order; the others follow their tables in the scenario. Each vehicle has a
log as of `pelagos run`. At least once a second of wall time the samples go to the disk, so that memory stays small and
a crash leaves a readable file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pelagos.scenario.build import prepare
from pelagos.scenario.spec import Scenario
from pelagos.session.authority import Authority
from pelagos.session.links import Link, LinkSet
from pelagos.session.record.recording import free_path
from pelagos.session.session import Session
from pelagos.sim.commands import DirectControl
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation


class LockstepSession(Session):
    """A session of a scenario that another program steers and ticks.

    Args:
        scenario: vehicles, world, faults and events; the mission of the first vehicle does not fly.
        log: file to write, .csv or .parquet; with several vehicles their names are appended to its stem.
        links: links to other programs; the session closes them.

    files    paths of the logs by vehicle
    """

    def __init__(
        self, scenario: Scenario, *, log: str | Path | None = None, links: LinkSet | Iterable[Link] = ()
    ) -> None:
        super().__init__(links=links, needs_logs=False)
        self.scenario = scenario
        self._log = None if log is None else Path(log)
        self._closed = False
        self.reset()

    @property
    def over(self) -> bool:
        """Whether the scenario has ended: by its duration, its end condition, or an event that stops it."""
        longest = self.scenario.duration_s
        if longest is not None and self.time_s >= longest - 1e-9:  # the time is a sum of rounded intervals
            return True
        return self.rules is not None and self.rules.stopped

    def reset(self) -> None:
        """Start anew at time zero, with a new log under a free name."""
        # All that may raise comes first and into local variables: a failed reset leaves the session as it was.
        ready = prepare(self.scenario)
        sims = ready.fleet.sims
        sims[0].control(DirectControl(sims[0].vehicle))
        for sim in sims:
            sim.make_ready(sim.interval_s)
            sim.in_run(True)
        ready.begin()
        recorders = self._new_recorders(sims)
        try:
            self.close_logs(complete=True)
        except LogError as problem:  # the old log is no reason to refuse the reset
            self.links.post(f"the log before the reset is not whole: {problem}")
        self.files = {recorder.sim.name: str(recorder.path) for recorder in recorders}
        self.start(sims, ready.fleet, ready, authority=Authority.PROGRAM, recorders=recorders)
        self.begin_links()

    def compile(self) -> None:
        """Compile all kernels that the first tick needs, with simulations that are then discarded."""
        prepare(self.scenario).fleet.tick()

    def close(self, *, complete: bool = True) -> None:
        """Finish logs and close links; complete=False if the session was cut short. A second call does nothing."""
        if not self._closed:
            self._closed = True
            super().close(complete=complete)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        # Ctrl-C is the usual way to end a session without a duration: what was logged until then is complete.
        self.close(complete=kind is None or issubclass(kind, KeyboardInterrupt))

    def _path(self, sim: Simulation, path: Path) -> Path:
        named = path if len(self.scenario.vehicles) == 1 else path.with_name(f"{path.stem}-{sim.name}{path.suffix}")
        return free_path(named) if self.begun > 0 else named

    def _new_recorders(self, sims: Sequence[Simulation]) -> list[RunRecorder]:
        """Open a log for each vehicle, or none if one of them cannot be written."""
        recorders: list[RunRecorder] = []
        if self._log is None:
            return recorders
        meta = {"scenario": self.scenario.name, "scenario_tables": self.scenario.raw}
        rate = self.scenario.log_rate_hz
        try:
            for sim in sims:
                path = self._path(sim, self._log)
                recorder = RunRecorder(
                    sim, path=path, log_rate_hz=rate, forces=False, meta={**meta, "name": sim.name}, in_memory=False
                )
                recorder.begin()
                recorders.append(recorder)
        except Exception:
            for recorder in recorders:
                recorder.recorder.close(complete=False)
            raise
        return recorders
