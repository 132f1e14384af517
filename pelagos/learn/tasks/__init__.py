"""The tasks by name, one module each."""

from __future__ import annotations

from importlib import import_module

from pelagos.errors import CommandError, one_of
from pelagos.learn.task import Task

CLASSES = {  # name of a task -> module:class
    "StationKeeping": "station_keeping:StationKeeping",
    "DepthHeading": "depth_heading:DepthHeading",
    "Trackline": "trackline:TracklineFollowing",
    "Docking": "docking:Docking",
    "PipelineFollowing": "pipeline:PipelineFollowing",
    "TerrainFollowing": "terrain:TerrainFollowing",
    "TetheredHover": "tethered_hover:TetheredHover",
    "ThrusterFault": "thruster_fault:ThrusterFault",
}


def resolve_task(task: str | type[Task]) -> type[Task]:
    """Return the class of a task from its name, from "module:Class", or from the class itself."""
    if isinstance(task, type) and issubclass(task, Task):
        return task
    if isinstance(task, str) and task in CLASSES:
        module, _, name = CLASSES[task].partition(":")
        return getattr(import_module(f"pelagos.learn.tasks.{module}"), name)
    if isinstance(task, str) and ":" in task:
        return _import_task(task)
    expected = f"{one_of(CLASSES)}, a subclass of Task, or module:Class"
    raise CommandError("there is no task", value=task, expected=expected, names=CLASSES)


def _import_task(task: str) -> type[Task]:
    """The class that "module:Class" names."""
    name, _, class_name = task.partition(":")
    if not all(part.isidentifier() for part in (*name.split("."), class_name)):
        raise CommandError(key="the task", value=task, expected="module:Class, such as my_tasks:Dive")
    try:
        module = import_module(name)
    except ModuleNotFoundError as problem:
        if not f"{name}.".startswith(f"{problem.name}."):  # the module exists, and one that it imports is missing
            raise
        raise CommandError(f"there is no module {name} on the path of Python", key="the task", value=task) from None
    kind = getattr(module, class_name, None)
    if isinstance(kind, type) and issubclass(kind, Task):
        return kind
    tasks = [key for key, item in vars(module).items() if isinstance(item, type) and issubclass(item, Task)]
    expected = f"{class_name} to be a subclass of Task in {name}"
    names = [f"{name}:{key}" for key in tasks]
    raise CommandError(key="the task", value=task, expected=expected, names=names)
