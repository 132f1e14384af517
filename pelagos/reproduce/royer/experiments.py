"""The experiments of chapter 7: who flies which task under which conditions, flown with several seeds.

Both tasks are those of `training` (Royer 7.1), on Sea Grant I in Royer's field. "The acquisition of the data was
allowed to start at will" (7.1.a): here auto-position, by the thrusters, holds the vehicle until the cable hangs as it
will and the pilot takes over. Hovering begins 7.5 m from the place and is recorded for 60 s from when the triangles
first overlap. The pipe goes "from the structure to the NE corner of the environment" (7.7): 40 m on a course of 45
degrees, of which the first 12 m are not recorded; its length and the speed of 0.5 m/s are assumed. As in the thesis
the cube stops nobody: who is in it hears a bell, and his distance counts as negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pelagos.control.base import SURGE
from pelagos.control.helm import Helm
from pelagos.control.numerical_hold import Hold
from pelagos.frames import rotation_from_euler
from pelagos.reproduce.royer.pilot import NOVICE, TRAINED, Display, Operator, Pilot
from pelagos.reproduce.royer.view import (
    FULL_SCENE,
    REDUCED_SCENE,
    Array,
    Eye,
    Picture,
    Screens,
    Sight,
    pipe_sight,
    spot_sight,
)
from pelagos.sim.simulation import Simulation
from pelagos.training.conditions import Conditions, named_conditions
from pelagos.training.hover import MIDDLE, Hover
from pelagos.training.observation import Observation, Observer
from pelagos.training.pipeline import Pipeline
from pelagos.training.rig import Rigged
from pelagos.training.task import Start, Task, load_task
from pelagos.training.trial import Trial
from pelagos.world.spec import World

RATE_HZ = 8.0  # two ticks to a frame of the displays
CABLE_S, HOVER_S, LIMIT_S = 30.0, 60.0, 180.0  # until the cable hangs; recorded; at most
SPEED_M_S = 0.5
LEAD_IN_M, PIPE_M = 12.0, 28.0
PIPE_START_M = (12.0, 12.0)  # at the north-east column
PIPE_TOP_M = 99.0
Sea = str  # calm, current, cable


@dataclass(frozen=True)
class Case:
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
        """As the training has them."""
        named = named_conditions(f"{self.sea}-camera" if self.display == "camera" else self.sea)
        control = "off" if self.depth_by_hand else "autopilot" if self.by_thrusters else "perfect"
        return replace(named, depth_control=control)

    def sentence(self) -> str:
        """In words."""
        sea = {"calm": "no current", "current": "current 1 m/s", "cable": "current 0.75 m/s and cable"}[self.sea]
        view = {"ship up": "top view", "north up": "top view, north up", "camera": "camera only"}[self.display]
        view += ", late pictures" if self.picture is FULL_SCENE else ""
        depth = "no depth control" if self.depth_by_hand else "depth control"
        return ", ".join((sea, view, depth, *(("novice",) if self.operator is NOVICE else ())))


CASES = (
    Case("4", "7.4", "calm", "ship up", True),
    Case("5", "7.5", "calm", "camera", True),
    Case("6", "7.6", "calm", "ship up"),
    Case("7", "7.7", "calm", "camera"),
    Case("8", "7.8", "current", "ship up"),
    Case("9", "7.9", "current", "camera"),
    Case("10", "7.10", "cable", "ship up"),
    Case("11", "7.11", "current", "camera", operator=NOVICE),
    Case("12", "7.12", "cable", "ship up", operator=NOVICE),
)
HOVER_NORTH_UP = Case("6n", "7.7 (text)", "calm", "north up")
OUT, BACK = Case("13", "7.13", "calm", "north up"), Case("14", "7.14", "calm", "north up", back=True)
BACK_SHIP_UP = Case("14s", "7.7 (text)", "calm", "ship up", back=True)


BACK_CAMERA = Case("14c", "7.7 (text)", "calm", "camera", back=True)
FULL = Case("7f", "7.3 (text)", "calm", "camera", picture=FULL_SCENE)
REAL_CONTROL = Case("6r", "7.2 (text)", "calm", "ship up", by_thrusters=True)


class HoverGoal:
    """The two triangles on each other."""

    cruising = False

    def __init__(self, target: Hover, world: World, bow_m: float) -> None:
        self._target = target
        self._middle = target.triangle_n(world).mean(axis=0)[:2]
        self._spot_n = target.spot_n(world)
        self._own_m = bow_m + MIDDLE * target.triangle_m
        self.heading_rad, self.altitude_m = math.radians(target.heading_deg), target.altitude_m

    def _own_n(self, seen: Observation) -> Array:
        return seen.position_n[:2] + self._own_m * np.array([math.cos(seen.euler[2]), math.sin(seen.euler[2])])

    def error_n(self, seen: Observation) -> Array:
        """From the triangle on the bow to that at the cube."""
        return self._middle - self._own_n(seen)

    def lag_n(self, now: Observation, before: Observation, dt: float) -> Array:
        """It should not move."""
        return (self._own_n(before) - self._own_n(now)) / dt

    def by_camera(self, screens: Screens, eye: Eye) -> Sight | None:
        """The spot on the face; the camera is at the bow."""
        return spot_sight(screens, eye, self._spot_n, self._target.spot_m, self._target.triangle_m)

    def blind_surge(self, helm: Helm) -> float | None:
        """The size of the spot tells how far it is."""
        return None


class PipeGoal:
    """Along the pipe at a speed."""

    cruising = True

    def __init__(self, target: Pipeline) -> None:
        self.heading_rad, self.altitude_m = math.radians(target.course_deg), target.altitude_m
        self._ahead = np.array([math.cos(self.heading_rad), math.sin(self.heading_rad)])
        self._from = np.array(target.from_m[:2])
        along = np.arange(-LEAD_IN_M, PIPE_M + 10.0, 0.25)
        level = self._from + along[:, np.newaxis] * self._ahead
        self._line_n = np.column_stack([level, np.full(len(level), PIPE_TOP_M)])

    def error_n(self, seen: Observation) -> Array:
        """Square to the pipe."""
        away = self._from - seen.position_n[:2]
        return away - (away @ self._ahead) * self._ahead

    def lag_n(self, now: Observation, before: Observation, dt: float) -> Array:
        """Behind the wanted speed."""
        return SPEED_M_S * self._ahead - (now.position_n[:2] - before.position_n[:2]) / dt

    def by_camera(self, screens: Screens, eye: Eye) -> Sight | None:
        """Where the pipe enters the picture."""
        return pipe_sight(screens, eye, self._line_n)

    def blind_surge(self, helm: Helm) -> float | None:
        """A plain pipe does not show the speed: the stick that gives it in still water."""
        push = helm.schedule.response.resistance(SURGE, SPEED_M_S)
        return push / helm.schedule.allocation.limit(SURGE, 1.0)


@dataclass(frozen=True)
class Flight:
    """One attempt that was recorded: measures of the judge, and curves every 0.2 s."""

    case: Case
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


def hover_task() -> Task:
    """Hovering as it is recorded here."""
    task = load_task("hover")
    target = task.target
    assert isinstance(target, Hover)
    target = replace(target, hover_s=HOVER_S, begin_within_m=target.triangle_m)
    return replace(task, words=replace(task.words, time_limit_s=LIMIT_S), target=target)


def pipe_task(back: bool) -> Task:
    """The pipe to the north-east, or back."""
    task = load_task("pipeline")
    target = task.target
    assert isinstance(target, Pipeline)
    course = math.radians(225.0 if back else 45.0)
    ahead = np.array([math.cos(course), math.sin(course)])
    length = LEAD_IN_M + PIPE_M
    start = np.array(PIPE_START_M) - (length * ahead if back else 0.0)
    begin, end = start + LEAD_IN_M * ahead, start + length * ahead
    way = replace(target, from_m=(*begin.tolist(), PIPE_TOP_M), to_m=(*end.tolist(), PIPE_TOP_M), corridor_m=50.0)
    place = Start(
        north_m=float(start[0]), east_m=float(start[1]), depth_m=task.start.depth_m, heading_deg=math.degrees(course)
    )
    return replace(task, words=replace(task.words, time_limit_s=LIMIT_S), target=way, start=place)


def hover(case: Case, seed: int) -> Flight:
    """One attempt at hovering."""
    task = hover_task()
    target = task.target
    assert isinstance(target, Hover)
    flight = _rigged(task, case.conditions(), seed)
    goal = HoverGoal(target, flight.trial.world, float(flight.trial.judge.bow_b[0]))
    pilot = Pilot(case.operator, goal, case.display, case.depth_by_hand, seed, case.picture)
    _hand_over(flight, pilot)
    return _recorded(case, seed, flight, pilot)


def follow(case: Case, seed: int) -> Flight:
    """One attempt at the pipe."""
    task = pipe_task(case.back)
    target = task.target
    assert isinstance(target, Pipeline)
    flight = _rigged(task, case.conditions(), seed)
    pilot = Pilot(case.operator, PipeGoal(target), case.display, case.depth_by_hand, seed, case.picture)
    _hand_over(flight, pilot)
    return _recorded(case, seed, flight, pilot)


def _rigged(task: Task, conditions: Conditions, seed: int) -> Rigged:
    """As `training.rig`, but what stands in the world stops nobody, as in the thesis; the judge still knows of it."""
    craft, world, start = task.vehicle(), task.world_for(conditions, seed), task.start
    simulation = Simulation(
        craft,
        replace(world, structures=()),
        seed=seed,
        control_rate_hz=RATE_HZ,
        tether=conditions.tether(),
        hold=Hold(depth_m=start.depth_m) if conditions.depth_control == "perfect" else None,
    )
    simulation.place(north_m=start.north_m, east_m=start.east_m, depth_m=start.depth_m, heading_deg=start.heading_deg)
    helm = Helm(craft, simulation.water, simulation.interval_s)
    if conditions.depth_control == "autopilot":
        helm.hold("depth", True, simulation.truth(), start.depth_m)
    simulation.control(helm)
    return Rigged(simulation, helm, Observer(simulation), Trial(task, conditions, craft, world, seed))


def _hand_over(flight: Rigged, pilot: Pilot) -> None:
    """Let auto-position, by the thrusters, hold the vehicle until the cable hangs; then the pilot takes it."""
    simulation, helm, start = flight.simulation, flight.helm, flight.trial.task.start
    if simulation.tether is None:
        pilot.take(flight, -sum(simulation.plant.forces().values(), np.zeros(6)))
        return
    helm.hold("position", True, simulation.truth(), (start.north_m, start.east_m))
    helm.hold("heading", True, simulation.truth(), start.heading_deg)
    pushes, _ = _kept(flight, CABLE_S, 5.0)
    for what in ("position", "heading"):
        helm.hold(what, False, simulation.truth())
    pilot.take(flight, pushes.mean(axis=0))


def cable_pull() -> Array:
    """The pull of the cable, auto-position on, for 30 s: north, east, down, N, and yaw, N m."""
    task = hover_task()
    flight = _rigged(task, Case("pull", "", "cable", "ship up").conditions(), 1)
    truth, start = flight.simulation.truth(), task.start
    flight.helm.hold("position", True, truth, (start.north_m, start.east_m))
    flight.helm.hold("heading", True, truth, start.heading_deg)
    _, pulls = _kept(flight, CABLE_S + 30.0, 30.0)
    return pulls


def _kept(flight: Rigged, seconds: float, last_s: float) -> tuple[Array, Array]:
    """Fly as the helm holds; the thrusters' wrench and the cable's pull with its yaw, of the last seconds."""
    thrusts: list[Array] = []
    pulls: list[Array] = []
    for _ in range(round(seconds * RATE_HZ)):
        seen = flight.tick()
        forces = flight.simulation.plant.forces()
        thrusts.append(forces["thrusters"])
        pull = rotation_from_euler(*seen.euler) @ forces["tether"][:3]
        pulls.append(np.append(pull, forces["tether"][5]))
    n = round(last_s * RATE_HZ)
    return np.array(thrusts[-n:]), np.array(pulls[-n:])


def _recorded(case: Case, seed: int, flight: Rigged, pilot: Pilot) -> Flight:
    result = flight.fly(pilot, pilot=case.operator.name)
    curve = {name: np.array(values) for name, values in result.curve.items()}
    blind = pilot.blind_looks / max(pilot.place_looks, 1)
    return Flight(case, seed, result.ended, dict(result.measures), curve, blind)


def fly(
    attempt: Callable[[Case, int], Flight], cases: Sequence[Case], seeds: Sequence[int], tell: Callable[[float], None]
) -> dict[str, list[Flight]]:
    """All attempts by the key of their case; `tell` hears how much is done, 0 to 1."""
    flown: dict[str, list[Flight]] = {}
    for k, case in enumerate(cases):
        flown[case.key] = []
        for j, seed in enumerate(seeds):
            flown[case.key].append(attempt(case, seed))
            tell((k * len(seeds) + j + 1) / (len(cases) * len(seeds)))
    return flown
