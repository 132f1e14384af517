"""Training tasks: target, world, start, time limit and criteria of the score, read from TOML files.

`load_task("hover")` reads a built-in task, `load_task("my_task.toml")` your own file. The keys of a file are the fields
of the classes here and of the targets; docs/training.md lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pelagos.checks import number
from pelagos.files import library
from pelagos.files.reader import Place, build, build_rows, in_file, read_table, require
from pelagos.files.schema import kinds_of, section_of
from pelagos.files.source import read_toml
from pelagos.training.conditions import Conditions
from pelagos.training.judge import Mark, Target
from pelagos.training.results import Criterion
from pelagos.training.targets.kinds import KINDS
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure


@dataclass(frozen=True, kw_only=True)
class TaskStart:
    """Position and heading of the vehicle at the start of a task, at rest."""

    north_m: float = 0.0
    east_m: float = 0.0
    depth_m: float = 0.0
    heading_deg: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TaskHeader:
    """The keys of a task file outside its tables: texts, vehicle, world and limits."""

    name: str
    title: str
    summary: str
    briefing: str
    vehicle: str
    world: str
    time_limit_s: float = 600.0
    collision_points: float = 10.0

    def __post_init__(self) -> None:
        """Validate the numbers."""
        number("time_limit_s", self.time_limit_s, 1.0, 86400.0)
        number("collision_points", self.collision_points, 0.0, 100.0)


@dataclass(frozen=True, kw_only=True)
class TrainingTask:
    """A training task as in its file; `world_for` and `vehicle` load what the simulation needs."""

    header: TaskHeader
    start: TaskStart
    target: Target
    conditions: Conditions
    criteria: tuple[Criterion, ...]
    structures: tuple[Structure, ...] = ()
    folder: Path = field(default=library.TASKS.folder, compare=False)

    @property
    def name(self) -> str:
        """Name of the task, one word."""
        return self.header.name

    @property
    def time_limit_s(self) -> float:
        """Longest duration of an attempt."""
        return self.header.time_limit_s

    def vehicle(self) -> Vehicle:
        """Load the vehicle of the task."""
        return load_vehicle(_resolve(self.header.vehicle, self.folder))

    def world_for(self, conditions: Conditions | None = None, seed: int = 0) -> World:
        """The world with the structures of the task, under conditions (default: those of the task)."""
        world = load_world(_resolve(self.header.world, self.folder))
        world = replace(world, structures=(*world.structures, *self.structures))
        # After the task's structures: the target places its own away from them.
        world = replace(world, structures=(*world.structures, *self.target.solids(world, seed)))
        return (conditions or self.conditions).apply(world)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the structures to be found, which no map shows."""
        return tuple(getattr(self.target, "hidden", ()))

    def described(self) -> dict[str, Any]:
        """The task as a table for JSON."""
        return asdict(self.header) | {
            "kind": self.target.kind, "start": asdict(self.start), "conditions": self.conditions.described(),
            "target": asdict(self.target),  # type: ignore[call-overload]  # all kinds are dataclasses
            "criteria": [asdict(criterion) for criterion in self.criteria], "hidden": list(self.hidden),
        }  # fmt: skip

    def marks(self, world: World) -> list[Mark]:
        """Marks that are drawn for the pilot, NED."""
        return self.target.marks(world)


TASK = replace(
    section_of(TaskHeader),
    tables={
        "start": section_of(TaskStart),
        "target": kinds_of(KINDS, "what is to be reached or seen", needed=True),
        "conditions": section_of(Conditions),
        "criterion": replace(section_of(Criterion), many=True),
        "structure": replace(section_of(Structure), many=True),
    },
)


def load_task(name_or_path: str | Path) -> TrainingTask:
    """Load a task by the name of a built-in one, or from a .toml file."""
    path = library.TASKS.path(name_or_path)
    return task_from(read_toml(path), Place(path.name, path.parent))


def task_from(raw: Mapping[str, Any], place: Place) -> TrainingTask:
    """Make a task from the tables of a file; all mistakes in the file are reported here."""
    table = read_table(raw, TASK, place)
    require(table)
    task = TrainingTask(
        header=build(replace(table, tables={}, lists={})),
        start=build(table.table("start")),
        target=build(table.table("target")),
        conditions=build(table.table("conditions")),
        criteria=build_rows(table, "criterion"),
        structures=build_rows(table, "structure"),
        folder=place.folder,
    )
    _check(task, place)
    return task


def _check(task: TrainingTask, place: Place) -> None:
    """Check that world, vehicle, target and criteria fit together."""
    with in_file(place.within("world")):
        load_world(_resolve(task.header.world, task.folder))
    with in_file(place.within("vehicle")):
        vehicle = task.vehicle()
    with in_file(place.within("target")):
        world = task.world_for()
        known = list(task.target.judge(world, vehicle, 0).measures())  # a judge names its measures before it counts
    for k, criterion in enumerate(task.criteria):
        if criterion.measure not in known:
            inner = place.within(f"criterion[{k}]")
            inner.fail("measure", value=criterion.measure, names=known)


def _resolve(name: str, folder: Path) -> str | Path:
    """A library name unchanged, a file name relative to the folder of the task."""
    return folder / name if name.endswith(".toml") else name
