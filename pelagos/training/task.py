"""Piloting tasks: what is to be done, where, from which start, in what time, and how it is marked.

`load_task("hover")` reads a task that comes with Pelagos, `load_task("my_task.toml")` a file of one's own. The keys of
a file are the fields of the descriptions here and of the targets; docs/training.md lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pelagos.checks import number
from pelagos.files.reader import Place, as_table, in_file, read_kind, read_spec, read_values
from pelagos.files.source import read_toml
from pelagos.training.catalogue import TASKS, find_task, task_list, task_names
from pelagos.training.conditions import Conditions
from pelagos.training.judge import Mark, Target
from pelagos.training.results import Criterion
from pelagos.training.targets.kinds import KINDS
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World
from pelagos.world.structure import Structure

__all__ = ["TaskStart", "TaskText", "TrainingTask", "load_task", "task_from", "task_list", "task_names"]

TABLES = ("start", "target", "conditions", "criterion", "structure")


@dataclass(frozen=True, kw_only=True)
class TaskStart:
    """Where the vehicle is when the task is taken up, at rest."""

    north_m: float = 0.0
    east_m: float = 0.0
    depth_m: float = 0.0
    heading_deg: float = 0.0


@dataclass(frozen=True, kw_only=True)
class TaskText:
    """The keys of a task file outside its tables."""

    name: str
    title: str
    summary: str
    briefing: str
    vehicle: str
    world: str
    time_limit_s: float = 600.0
    collision_points: float = 10.0

    def __post_init__(self) -> None:
        """Refuse what gives no time."""
        number("time_limit_s", self.time_limit_s, 1.0, 86400.0)
        number("collision_points", self.collision_points, 0.0, 100.0)


@dataclass(frozen=True, kw_only=True)
class TrainingTask:
    """A task as it stands in its file; `world_for` and `vehicle` make what is flown."""

    words: TaskText
    start: TaskStart
    target: Target
    conditions: Conditions
    criteria: tuple[Criterion, ...]
    structures: tuple[Structure, ...] = ()
    folder: Path = field(default=TASKS, compare=False)

    @property
    def name(self) -> str:
        """One word."""
        return self.words.name

    @property
    def time_limit_s(self) -> float:
        """After which it is over."""
        return self.words.time_limit_s

    def vehicle(self) -> Vehicle:
        """The vehicle of the task."""
        return load_vehicle(_found(self.words.vehicle, self.folder))

    def world_for(self, conditions: Conditions | None = None, seed: int = 0) -> World:
        """Its world with what the task puts there, under conditions; those of the task if not given."""
        world = load_world(_found(self.words.world, self.folder))
        world = replace(world, structures=(*world.structures, *self.structures))
        world = replace(world, structures=(*world.structures, *self.target.solids(world, seed)))
        return (conditions or self.conditions).apply(world)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the structures that no map shows: what is to be found."""
        return tuple(getattr(self.target, "hidden", ()))

    def described(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self.words) | {
            "kind": self.target.kind, "start": asdict(self.start), "conditions": self.conditions.described(),
            "target": asdict(self.target),  # type: ignore[call-overload]  # all kinds are dataclasses
            "criteria": [asdict(one) for one in self.criteria], "hidden": list(self.hidden),
        }  # fmt: skip

    def marks(self, world: World) -> list[Mark]:
        """What is drawn for the pilot, NED."""
        return self.target.marks(world)


def load_task(name_or_path: str | Path) -> TrainingTask:
    """A task by the name of one that comes with Pelagos, or from a .toml file."""
    path = find_task(name_or_path)
    return task_from(read_toml(path), Place(path.name, path.parent))


def task_from(raw: Mapping[str, Any], place: Place) -> TrainingTask:
    """A task from the tables of a file; everything that can be wrong in it is found here."""
    plain = {key: item for key, item in raw.items() if key not in TABLES}
    read_values(TaskText, plain, place, also=TABLES)  # a misspelt table is a misspelt key
    words = read_spec(TaskText, plain, place)
    if "target" not in raw:
        place.fail("target", "is missing")
    task = TrainingTask(
        words=words,
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
    rows = raw.get(name, [])
    if not isinstance(rows, list):
        place.fail(name, value=rows, expected=f"a list of tables, written [[{name}]]")
    return tuple(
        read_spec(spec, as_table(row, inner), inner)
        for k, row in enumerate(rows)
        for inner in (place.within(f"{name}[{k}]"),)
    )


def _check(task: TrainingTask, place: Place) -> None:
    """World, vehicle, target and criteria fit together."""
    with in_file(place.within("world")):
        load_world(_found(task.words.world, task.folder))
    with in_file(place.within("vehicle")):
        vehicle = task.vehicle()
    with in_file(place.within("target")):
        world = task.world_for()
        known = list(task.target.judge(world, vehicle, 0).measures())
    for k, one in enumerate(task.criteria):
        if one.measure not in known:
            inner = place.within(f"criterion[{k}]")
            inner.fail("measure", value=one.measure, names=known)


def _found(name: str, folder: Path) -> str | Path:
    """A library name as it is, a file from the folder of the task's own."""
    return folder / name if name.endswith(".toml") else name
