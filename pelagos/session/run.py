"""The driver that ticks a session to its end: of `Simulation.run`, `Fleet.run`, `pelagos run` and campaigns."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pelagos.errors import CommandError
from pelagos.session.session import Session
from pelagos.sim import inputs
from pelagos.sim.log.log import Log
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation

if TYPE_CHECKING:
    from pelagos.scenario.build import Prepared
    from pelagos.sim.fleet import Fleet


def run(
    recorders: Sequence[RunRecorder],
    seconds: float,
    *,
    fleet: Fleet | None = None,
    rules: Prepared | None = None,
    progress: Callable[[float], None] | None = None,
    until: Callable[[], bool] | None = None,
    speed: float | None = None,
) -> list[Log]:
    """Advance recorded simulations together to the end, and return their logs.

    A run that ends in an error still writes its files; the error carries the first log as `log`.

    Args:
        recorders: one for each simulation; all with the same control rate.
        seconds: simulated time, rounded to whole control intervals.
        fleet: the fleet of the simulations, whose vehicles may collide.
        rules: events and end of the scenario; None without a scenario.
        progress: called with the simulated time done, once per simulated second.
        until: called after each interval; True ends the run.
        speed: largest real-time factor; None for as fast as possible.
    """
    sims = [recorder.sim for recorder in recorders]
    rate, n_ticks = _length(sims, seconds)
    real_time_factor = None if speed is None else inputs.positive("speed", speed)
    for sim in sims:
        sim.make_ready(sim.time_s + seconds)
    begun: list[RunRecorder] = []
    try:
        for recorder in recorders:
            recorder.sim.in_run(True)  # before `begin`, whose first sample uses the cached state
            recorder.begin()
            begun.append(recorder)
        session = Session(sims, fleet, rules, recorders=recorders)
        began = time.monotonic()
        per_second = max(1, round(rate))
        for n in range(1, n_ticks + 1):
            session.tick()
            if progress is not None and n % per_second == 0:
                progress(n / rate)
            if session.over or (until is not None and until()):
                break
            if real_time_factor is not None:
                # Measured from the start of the run, so that a slow interval is caught up on.
                time.sleep(max(0.0, began + n / rate / real_time_factor - time.monotonic()))
        session.close_logs(complete=True)
        return [recorder.recorder.log() for recorder in recorders]
    except (Exception, KeyboardInterrupt) as error:
        if begun:
            # An exception of any class, also one of the controller, carries the log of the run that it ended.
            error.log = begun[0].recorder.log(complete=False)  # type: ignore[attr-defined]
        raise
    finally:
        for sim in sims:
            sim.in_run(False)
        with ExitStack() as closing:  # an error in one file must not leave the others open
            for recorder in begun:
                closing.callback(recorder.recorder.close, complete=False)


def _length(sims: Sequence[Simulation], seconds: float) -> tuple[float, int]:
    """The common control rate and the number of intervals."""
    rate = sims[0].control_rate_hz
    for sim in sims:
        if sim.control_rate_hz != rate:
            raise CommandError(
                key=f"control_rate_hz of {sim.name}",
                value=sim.control_rate_hz,
                expected=f"{rate:g}, the rate of {sims[0].name}",
            )
    return rate, inputs.intervals_in(seconds, rate)
