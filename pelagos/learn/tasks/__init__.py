"""The tasks, one file each."""

from __future__ import annotations

from importlib import import_module

from pelagos.errors import CommandError, nearest
from pelagos.learn.task import Task
from pelagos.messages import shown

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


def the_task(task: str | type[Task]) -> type[Task]:
    """A task by its name, or a user's own: the class, or "module:Class"."""
    if isinstance(task, type) and issubclass(task, Task):
        return task
    if isinstance(task, str) and task in CLASSES:
        module, _, name = CLASSES[task].partition(":")
        return getattr(import_module(f"pelagos.learn.tasks.{module}"), name)
    if isinstance(task, str) and ":" in task:
        return _own(task)
    close = nearest(task, tuple(CLASSES)) if isinstance(task, str) else ""
    expected = f"expected one of {', '.join(CLASSES)}, a subclass of Task, or module:Class"
    hint = f"did you mean {close}?" if close else expected
    raise CommandError(f"there is no task {shown(task)}; {hint}")


def _own(task: str) -> type[Task]:
    """The class that "module:Class" names."""
    name, _, called = task.partition(":")
    if not all(part.isidentifier() for part in (*name.split("."), called)):
        raise CommandError(f"the task is {shown(task)}; expected module:Class, such as my_tasks:Dive")
    try:
        module = import_module(name)
    except ModuleNotFoundError as problem:
        if not f"{name}.".startswith(f"{problem.name}."):  # something that the user's module imports
            raise
        raise CommandError(f"the task is {shown(task)}; there is no module {name} on the path of Python") from None
    kind = getattr(module, called, None)
    if isinstance(kind, type) and issubclass(kind, Task):
        return kind
    there = [key for key, item in vars(module).items() if isinstance(item, type) and issubclass(item, Task)]
    close = nearest(called, there)
    hint = f'; did you mean "{name}:{close}"?' if close else ""
    raise CommandError(f"the task is {shown(task)}; expected {called} to be a subclass of Task in {name}{hint}")
