"""Experiments of chapter 7: tasks, conditions and seeds of the simulated pilots.

Both tasks are those of `training` (Royer 7.1), on Sea Grant I in Royer's field. "The acquisition of the data was
allowed to start at will" (7.1.a): here the pilot takes over a vehicle at rest, with the sticks that hold it. Hovering
begins 2 m from the place and is recorded for 60 s from when the triangles first overlap. The pipe goes "from the
structure to the NE corner of the environment" (7.7): 40 m on a course of 45 degrees, of which the first 12 m are not
recorded; its length and the speed of 0.5 m/s are assumed. As in the thesis the sticks are read 4 times a second, and
the cube does not stop the vehicle: inside it a bell sounds, and the distance counts as negative.

The cable is static, as his was (7.5), of 20 elements (its pull is within 0.2 % of that of 50), and tied where the
vehicle file has it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from pelagos.control.base import SURGE
from pelagos.control.pilot.helm import Helm
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.frames import rotation_from_euler
from pelagos.session.rig import TrialRig
from pelagos.sim.simulation import Simulation
from pelagos.training.conditions import Conditions, named_conditions
from pelagos.training.observation import Observation, Observer
from pelagos.training.targets.hover import CENTROID, Hover
from pelagos.training.targets.pipeline import Pipeline
from pelagos.training.task import TaskStart, TrainingTask, load_task
from pelagos.training.trial import Trial
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos_evidence.rows import Array
from pelagos_evidence.royer.pilots.pilot import NOVICE, TRAINED, Display, Operator, SimulatedPilot
from pelagos_evidence.royer.pilots.view import (
    LATEST,
    MIDDLE,
    REDUCED_SCENE,
    DisplayHistory,
    DisplayReader,
    Picture,
    TargetReading,
    read_pipe,
    read_spot,
)

RATE_HZ = 4.0  # of the link module, which reads the sticks and draws (6.3, 7.3)
HOVER_S, LIMIT_S = 60.0, 180.0  # recorded; at most
SETTLED_S, PULL_S = 90.0, 30.0  # under auto-position on the cable; the last of it
BOW_M = 1.5  # from the middle of the vehicle
START_M = 2.0  # from the place to hover at
SPEED_M_S = 0.5
LEAD_IN_M, PIPE_M = 12.0, 28.0
PIPE_START_M = (12.0, 12.0)  # at the north-east column
PIPE_TOP_M = 99.0
Sea = str  # calm, current, cable


@dataclass(frozen=True)
class PilotCase:
    """One experiment: a figure of the thesis, or one that completes a comparison."""

    key: str
    figure: str
    sea: Sea
    display: Display
    depth_by_hand: bool = False
    operator: Operator = TRAINED
    back: bool = False  # the pipe from its far end
    picture: Picture = REDUCED_SCENE
    by_thrusters: bool = False  # depth control by the thrusters, not by numbers

    def conditions(self) -> Conditions:
        """Conditions of the training task."""
        named = named_conditions(f"{self.sea}-camera" if self.display == "camera" else self.sea)
        control = "off" if self.depth_by_hand else "autopilot" if self.by_thrusters else "perfect"
        return replace(named, depth_control=control)

    def sentence(self) -> str:
        """The case in words."""
        sea = {"calm": "no current", "current": "current 1 m/s", "cable": "current 0.75 m/s and cable"}[self.sea]
        view = {"ship up": "top view", "north up": "top view, north up", "camera": "camera only"}[self.display]
        view += f", {self.picture.late_s:g} s late" if self.picture != REDUCED_SCENE else ""
        depth = "no depth control" if self.depth_by_hand else "depth control"
        return ", ".join((sea, view, depth, *(("novice",) if self.operator is NOVICE else ())))


CASES = (
    PilotCase("4", "7.4", "calm", "ship up", True),
    PilotCase("5", "7.5", "calm", "camera", True),
    PilotCase("6", "7.6", "calm", "ship up"),
    PilotCase("7", "7.7", "calm", "camera"),
    PilotCase("8", "7.8", "current", "ship up"),
    PilotCase("9", "7.9", "current", "camera"),
    PilotCase("10", "7.10", "cable", "ship up"),
    PilotCase("11", "7.11", "current", "camera", operator=NOVICE),
    PilotCase("12", "7.12", "cable", "ship up", operator=NOVICE),
)
HOVER_NORTH_UP = PilotCase("6n", "7.7 (text)", "calm", "north up")
OUT, BACK = PilotCase("13", "7.13", "calm", "north up"), PilotCase("14", "7.14", "calm", "north up", back=True)
BACK_CAMERA = PilotCase("14c", "7.7 (text)", "calm", "camera", back=True)
LATE = tuple(
    PilotCase(key, "6.2 (text)", "calm", "camera", picture=late) for key, late in (("7m", MIDDLE), ("7l", LATEST))
)
HOVERED = (*CASES, HOVER_NORTH_UP, *LATE)
REAL_CONTROL = PilotCase("6r", "7.2 (text)", "calm", "ship up", by_thrusters=True)


class HoverGoal:
    """Goal of hovering: the two triangles on each other."""

    cruising = False

    def __init__(self, target: Hover, world: World, bow_m: float) -> None:
        self._target = target
        self._middle = target.triangle_n(world).mean(axis=0)[:2]
        self._spot_n = target.spot_n(world)
        self._own_m = bow_m + CENTROID * target.triangle_m
        self.heading_rad, self.altitude_m = math.radians(target.heading_deg), target.altitude_m

    def _own_n(self, observation: Observation) -> Array:
        return observation.position_n[:2] + self._own_m * np.array(
            [math.cos(observation.euler[2]), math.sin(observation.euler[2])]
        )

    def error_n(self, observation: Observation) -> Array:
        """From the triangle on the bow to that at the cube."""
        return self._middle - self._own_n(observation)

    def lag_n(self, now: Observation, before: Observation, dt: float) -> Array:
        """Velocity error: minus the velocity of the vehicle's triangle."""
        return (self._own_n(before) - self._own_n(now)) / dt

    def by_camera(self, history: DisplayHistory, reader: DisplayReader) -> TargetReading | None:
        """Reading of the spot on the face; the camera is at the bow."""
        return read_spot(history, reader, self._spot_n, self._target.spot_m, self._target.triangle_m)

    def blind_surge(self, helm: Helm) -> float | None:
        """None: the size of the spot shows its distance."""
        return None


class PipeGoal:
    """Goal of following the pipe at a speed."""

    cruising = True

    def __init__(self, target: Pipeline) -> None:
        self.heading_rad, self.altitude_m = math.radians(target.course_deg), target.altitude_m
        self._ahead = np.array([math.cos(self.heading_rad), math.sin(self.heading_rad)])
        self._from = np.array(target.from_m[:2])
        along = np.arange(-LEAD_IN_M, PIPE_M + 10.0, 0.25)
        level = self._from + along[:, np.newaxis] * self._ahead
        self._line_n = np.column_stack([level, np.full(len(level), PIPE_TOP_M)])

    def error_n(self, observation: Observation) -> Array:
        """Square to the pipe."""
        away = self._from - observation.position_n[:2]
        return away - (away @ self._ahead) * self._ahead

    def lag_n(self, now: Observation, before: Observation, dt: float) -> Array:
        """Shortfall from the speed setpoint."""
        return SPEED_M_S * self._ahead - (now.position_n[:2] - before.position_n[:2]) / dt

    def by_camera(self, history: DisplayHistory, reader: DisplayReader) -> TargetReading | None:
        """Reading of the pipe where it enters the picture."""
        return read_pipe(history, reader, self._line_n)

    def blind_surge(self, helm: Helm) -> float | None:
        """A plain pipe does not show the speed: the stick that gives it in still water."""
        push = helm.schedule.response.resistance(SURGE, SPEED_M_S)
        return push / helm.schedule.allocation.limit(SURGE, 1.0)


@dataclass(frozen=True)
class PilotFlight:
    """One attempt that was recorded: measures of the judge, and curves every 0.2 s."""

    case: PilotCase
    seed: int
    ended: str
    measures: dict[str, float]
    curve: dict[str, Array]
    blind_share: float

    @property
    def size_m(self) -> float:
        """Rms of the distance of the triangles, or of the path error."""
        return self.measures.get("distance_rms_m", self.measures.get("path_error_rms_m", math.nan))

    @property
    def average_m(self) -> float:
        """Average size of the distance of the triangles while it was recorded."""
        begin = self.measures["time_s"] - self.measures["hovered_s"]
        return float(np.abs(self.curve["distance_m"][self.curve["time_s"] >= begin]).mean())


_task = cache(load_task)


@cache
def _vehicle(name: str) -> Vehicle:
    return load_vehicle(name)


@cache
def _world(task: str, conditions: Conditions) -> World:
    """The world of a task; nothing in it depends on a seed."""
    return _task(task).world_for(conditions)


def hover_task() -> TrainingTask:
    """Hovering as it is recorded here."""
    task = _task("hover")
    target = task.target
    assert isinstance(target, Hover)
    target = replace(target, hover_s=HOVER_S, begin_within_m=target.triangle_m)
    ahead = target.triangle_n(_world("hover", task.conditions)).mean(axis=0)[0] + BOW_M + CENTROID * target.triangle_m
    start = replace(task.start, north_m=float(ahead) + START_M)
    return replace(task, header=replace(task.header, time_limit_s=LIMIT_S), target=target, start=start)


def pipe_task(back: bool) -> TrainingTask:
    """The pipe to the north-east, or back."""
    task = _task("pipeline")
    target = task.target
    assert isinstance(target, Pipeline)
    course = math.radians(225.0 if back else 45.0)
    ahead = np.array([math.cos(course), math.sin(course)])
    length = LEAD_IN_M + PIPE_M
    start = np.array(PIPE_START_M) - (length * ahead if back else 0.0)
    begin, end = start + LEAD_IN_M * ahead, start + length * ahead
    way = replace(target, from_m=(*begin.tolist(), PIPE_TOP_M), to_m=(*end.tolist(), PIPE_TOP_M), corridor_m=50.0)
    place = TaskStart(
        north_m=float(start[0]), east_m=float(start[1]), depth_m=task.start.depth_m, heading_deg=math.degrees(course)
    )
    return replace(task, header=replace(task.header, time_limit_s=LIMIT_S), target=way, start=place)


def hover(case: PilotCase, seed: int) -> PilotFlight:
    """One attempt at hovering."""
    task = hover_task()
    target = task.target
    assert isinstance(target, Hover)
    flight = _rigged(task, case.conditions(), seed)
    goal = HoverGoal(target, flight.trial.world, float(flight.trial.judge.bow_b[0]))
    pilot = SimulatedPilot(case.operator, goal, case.display, case.depth_by_hand, seed, case.picture)
    _hand_over(flight, pilot)
    return _recorded(case, seed, flight, pilot)


def follow(case: PilotCase, seed: int) -> PilotFlight:
    """One attempt at the pipe."""
    task = pipe_task(case.back)
    target = task.target
    assert isinstance(target, Pipeline)
    flight = _rigged(task, case.conditions(), seed)
    pilot = SimulatedPilot(case.operator, PipeGoal(target), case.display, case.depth_by_hand, seed, case.picture)
    _hand_over(flight, pilot)
    return _recorded(case, seed, flight, pilot)


def _rigged(task: TrainingTask, conditions: Conditions, seed: int) -> TrialRig:
    """As `session.rig`, but without contact with structures, as in the thesis; the judge still has them."""
    vehicle, world = _vehicle(task.header.vehicle), _world(task.header.name, conditions)
    start, cable = task.start, conditions.tether()
    simulation = Simulation(
        vehicle,
        replace(world, structures=()),
        seed=seed,
        control_rate_hz=RATE_HZ,
        tether=replace(cable, mode="static", elements=20, step_s=0.1) if cable else None,
        hold=NumericalHold(depth_m=start.depth_m) if conditions.depth_control == "perfect" else None,
    )
    simulation.place(north_m=start.north_m, east_m=start.east_m, depth_m=start.depth_m, heading_deg=start.heading_deg)
    helm = Helm(vehicle, simulation.water, simulation.interval_s)
    if conditions.depth_control == "autopilot":
        helm.hold("depth", True, simulation.state(), start.depth_m)
    simulation.control(helm)
    return TrialRig(simulation, helm, Observer(simulation), Trial(task, conditions, vehicle, world, seed))


def _hand_over(flight: TrialRig, pilot: SimulatedPilot) -> None:
    """The pilot takes the vehicle at rest with the sticks that hold it."""
    if flight.simulation.tether is None:
        pilot.take(flight, -sum(flight.simulation.plant.forces().values(), np.zeros(6)))
    else:
        pilot.take(flight, held_on_cable(flight.trial.task.start)[0].mean(axis=0))


@cache
def held_on_cable(start: TaskStart) -> tuple[Array, Array]:
    """The wrench of the thrusters, and the cable's pull with its yaw (N in NED, N m), auto-position at rest."""
    flight = _rigged(replace(hover_task(), start=start), PilotCase("held", "", "cable", "ship up").conditions(), 1)
    state = flight.simulation.state()
    flight.helm.hold("position", True, state, (start.north_m, start.east_m))
    flight.helm.hold("heading", True, state, start.heading_deg)
    thrusts: list[Array] = []
    pulls: list[Array] = []
    for _ in range(round(SETTLED_S * RATE_HZ)):
        observation = flight.tick()
        forces = flight.simulation.plant.forces()
        thrusts.append(forces["thrusters"])
        pull = rotation_from_euler(*observation.euler) @ forces["tether"][:3]
        pulls.append(np.append(pull, forces["tether"][5]))
    n = round(PULL_S * RATE_HZ)
    return np.array(thrusts[-n:]), np.array(pulls[-n:])


def pulls() -> tuple[Array, Array]:
    """The cable's pull at the start of hovering and of the pipe."""
    hovering, following = (held_on_cable(task.start)[1] for task in (hover_task(), pipe_task(back=False)))
    return hovering, following


def _recorded(case: PilotCase, seed: int, flight: TrialRig, pilot: SimulatedPilot) -> PilotFlight:
    result = flight.fly(pilot, pilot=case.operator.name)
    curve = {name: np.array(values) for name, values in result.curve.items()}
    blind = pilot.blind_looks / max(pilot.place_looks, 1)
    return PilotFlight(case, seed, result.ended, dict(result.measures), curve, blind)


def fly(
    attempt: Callable[[PilotCase, int], PilotFlight],
    seeds: Mapping[PilotCase, Sequence[int]],
    progress: Callable[[float], None],
) -> dict[str, list[PilotFlight]]:
    """All attempts by the key of their case; `progress` receives the share that is done, 0 to 1."""
    every = [(case, seed) for case, each in seeds.items() for seed in each]
    flown: dict[str, list[PilotFlight]] = {case.key: [] for case in seeds}
    for k, (case, seed) in enumerate(every):
        flown[case.key].append(attempt(case, seed))
        progress((k + 1) / len(every))
    return flown
