"""An attempt at a training task: ready, running, over; columns of the score at each tick, a `Result` at the end.

A trial takes a task, its conditions, the vehicle and the world `task.world_for(conditions, seed)`. Call `start()`, then
`observe(observation)` at every tick until `phase` is "over", then `result(pilot, date)`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pelagos.errors import CommandError
from pelagos.training.conditions import Conditions
from pelagos.training.judge import Judge, Mark
from pelagos.training.observation import Observation
from pelagos.training.results import Result, score
from pelagos.training.task import TrainingTask
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

PHASES = ("none", "ready", "running", "over")  # the code of a phase is its index
CURVE_COLUMNS = ("time_s", "north_m", "east_m", "depth_m", "heading_deg", "progress", "altitude_m")
CURVE_EVERY_S = 0.2
CURVE_MOST = 600  # points; at this number every second one is dropped and the interval doubles


class Trial:
    """An attempt of a pilot at a task."""

    def __init__(
        self, task: TrainingTask, conditions: Conditions | None, vehicle: Vehicle, world: World, seed: int = 0
    ) -> None:
        self.task = task
        self.conditions = conditions or task.conditions
        self.vehicle, self.world, self.seed = vehicle, world, seed
        self.judge: Judge = task.target.judge(world, vehicle, seed)
        self.columns: tuple[str, ...] = (*self.judge.columns, "score_points")
        self.reset()

    def reset(self) -> None:
        """Return to the phase "ready"."""
        self.judge.begin()
        self.phase = "ready"
        self.ended = ""
        self._curve: list[tuple[float, ...]] = []
        self._every_s, self._next_s = CURVE_EVERY_S, 0.0

    @property
    def phase_code(self) -> int:
        """Code of the phase: 1 ready, 2 running, 3 over."""
        return PHASES.index(self.phase)

    @property
    def time_s(self) -> float:
        """Time since the start of the attempt."""
        return self.judge.time_s

    @property
    def left_s(self) -> float:
        """Time until the limit."""
        return max(self.task.time_limit_s - self.judge.time_s, 0.0)

    @property
    def progress(self) -> float:
        """Completed share of the task, 0 to 1."""
        return self.judge.progress

    def start(self) -> None:
        """Start the attempt; a trial that is over starts again."""
        if self.phase == "running":
            raise CommandError("is already running; abort it before starting again", key=f"task {self.task.name}")
        self.reset()
        self.phase = "running"

    def abort(self) -> None:
        """End the attempt now."""
        if self.phase != "running":
            raise CommandError("is not running; there is nothing to abort", key=f"task {self.task.name}")
        self._end("aborted")

    def update(self, observation: Observation) -> None:
        """Process a tick of the flight, in any phase."""
        self.judge.update(observation)  # also before the start, so that the pilot sees the errors
        if self.phase != "running":
            return
        self.judge.count(observation)
        if self.judge.completed:
            self._end("completed")
        # Half an interval of tolerance: the sum of intervals has rounding errors.
        elif self.judge.time_s >= self.task.time_limit_s - 0.5 * observation.dt:
            self._end("time limit")
        self._keep(observation)

    def values(self) -> tuple[float, ...]:
        """Present values in the order of `columns`; the last one is the score if the attempt ended now."""
        points = self._score(self.judge.measures()) if self.phase in ("running", "over") else math.nan
        return (*self.judge.values(), points)

    def marks(self) -> list[Mark]:
        """Marks that are drawn for the pilot, NED; more may appear during the task."""
        return [*self.task.marks(self.world), *self.judge.marks()]

    @property
    def marks_version(self) -> int:
        """A number that changes whenever `marks` changes."""
        return self.judge.marks_version

    def vehicle_marks(self) -> list[Mark]:
        """Marks that are drawn on the vehicle, body axes."""
        return self.task.target.vehicle_marks(self.vehicle)

    def result(self, pilot: str = "", date: str = "") -> Result:
        """The result of a trial that is over; `date` is stored as it is."""
        if self.phase != "over":
            raise CommandError("is not over; there is no result yet", key=f"task {self.task.name}")
        measures = self.judge.measures()
        names = (*CURVE_COLUMNS, *self.judge.judged)
        return Result(
            task=self.task.name, title=self.task.header.title, vehicle=self.vehicle.key,
            world=self.world.name, seed=self.seed, pilot=pilot, date=date, conditions=self.conditions,
            ended=self.ended, score=self._score(measures),
            shares={criterion.measure: criterion.share(measures) for criterion in self.task.criteria},
            measures=measures, curve={name: tuple(row[k] for row in self._curve) for k, name in enumerate(names)},
        )  # fmt: skip

    def _score(self, measures: Mapping[str, float]) -> float:
        return score(measures, self.task.criteria, self.task.header.collision_points)

    def _end(self, how: str) -> None:
        self.phase, self.ended = "over", how

    def _keep(self, observation: Observation) -> None:
        """Record a point of the curve at its interval, and at the end."""
        running = self.phase == "running"
        if running and self.judge.time_s < self._next_s - 0.5 * observation.dt:
            return
        place: Sequence[float] = observation.position_n.tolist()
        heading = math.degrees(observation.euler[2]) % 360.0
        judged = (self.judge.now[name] for name in self.judge.judged)
        self._curve.append((self.judge.time_s, *place, heading, self.judge.progress, observation.altitude_m, *judged))
        self._next_s = self.judge.time_s + self._every_s
        if running and len(self._curve) >= CURVE_MOST:
            self._curve = self._curve[::2]
            self._every_s *= 2.0
            self._next_s = self._curve[-1][0] + self._every_s
