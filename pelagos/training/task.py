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
from pelagos.files.reader import Place, in_file, read_kind, read_spec, read_values
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

TABLES = ("start", "target", "conditions", "criterion", "structure")


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


def load_task(name_or_path: str | Path) -> TrainingTask:
    """Load a task by the name of a built-in one, or from a .toml file."""
    path = library.TASKS.path(name_or_path)
    return task_from(read_toml(path), Place(path.name, path.parent))


def task_from(raw: Mapping[str, Any], place: Place) -> TrainingTask:
    """Make a task from the tables of a file; all mistakes in the file are reported here."""
    plain = {key: item for key, item in raw.items() if key not in TABLES}
    read_values(TaskHeader, plain, place, also=TABLES)  # a misspelt table is a misspelt key
    header = read_spec(TaskHeader, plain, place)
    if "target" not in raw:
        place.fail("target", "is missing")
    task = TrainingTask(
        header=header,
        start=read_spec(TaskStart, raw.get("start", {}), place.within("start")),
        target=read_kind(KINDS, raw["target"], place.within("target")),
        conditions=read_spec(Conditions, raw.get("conditions", {}), place.within("conditions")),
        criteria=_rows(Criterion, raw, "criterion", place),
        structures=_rows(Structure, raw, "structure", place),
        folder=place.folder,
    )
    _check(task, place)
    return task


def _rows(spec: type[Any], raw: Mapping[str, Any], name: str, place: Place) -> tuple[Any, ...]:
    rows = place.tables(raw, name)
    return tuple(read_spec(spec, row, place.within(f"{name}[{k}]")) for k, row in enumerate(rows))


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
