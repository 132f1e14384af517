"""A training task in a flight: what its judge sees each tick, how it ends, and what a page must know of it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pelagos.errors import CommandError
from pelagos.session.make import BuiltFlight
from pelagos.session.source import plain
from pelagos.training.conditions import Conditions
from pelagos.training.observation import Observer
from pelagos.training.results import history
from pelagos.training.trial import Trial

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

NO_TASK = (0.0, float("nan"))


class Attempt:
    """One attempt at a task, judged from what the flight does."""

    def __init__(self, made: BuiltFlight, seed: int) -> None:
        assert made.task is not None
        sim = made.sim
        self.trial = Trial(made.task, made.conditions, sim.vehicle, sim.world, seed)
        self._observer = Observer(sim, visibility_m=made.conditions.visibility_m)
        self.columns = self.trial.columns
        self._marks = self.trial.marks_version

    def change(self, conditions: Conditions) -> None:
        """Go on under conditions that differ only for the eye."""
        self.trial.conditions = conditions
        seen = conditions.visibility_m
        self._observer.visibility_m = self.trial.world.visibility_m if seen is None else seen

    def update(self, flight: Flight) -> bool:
        """Judge the instant; True if the attempt has just ended."""
        aim = flight.aim
        self._observer.camera = aim.eye
        state = self._observer.observe(flight.applied, pan_rad=aim.pan_rad, tilt_rad=aim.tilt_rad, zoom=aim.zoom)
        before = self.trial.phase
        self.trial.observe(state)
        if self._marks != self.trial.marks_version:
            self._marks, flight.changed = self.trial.marks_version, True
        return before == "running" and self.trial.phase == "over"

    def score(self) -> tuple[float, ...]:
        """Phase, time, and the judge's columns."""
        return (float(self.trial.phase_code), self.trial.time_s, *self.trial.values())

    def described(self) -> dict[str, Any]:
        """For a hello."""
        trial = self.trial
        return trial.task.described() | {"phase": trial.phase, "columns": list(self.columns)}

    def tell_end(self, flight: Flight) -> None:
        """Events of an attempt that is over: a sentence, and the whole result beside the earlier ones of this pilot."""
        trial = self.trial
        result = trial.result(flight.pilot, datetime.now().astimezone().isoformat(timespec="seconds"))
        flight.tell("task", f"{trial.task.header.title}: {result.ended}, {result.score:.0f} points")
        attempts = [result]
        if flight.results is not None:
            try:
                flight.results.keep(result)
                attempts = list(flight.results.read(flight.pilot).results)
            except CommandError as problem:
                flight.tell("warning", f"the result is not kept: {problem}")
        said = {**result.described(), "history": history(attempts, result)}
        flight.say({"type": "result", "time_s": flight.time_s, **plain(said)})
