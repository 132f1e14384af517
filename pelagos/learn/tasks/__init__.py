"""The tasks, one file each."""

from __future__ import annotations

from importlib import import_module

from pelagos.errors import CommandError, nearest
from pelagos.learn.task import Task
from pelagos.messages import shown

MODULES = {
    "StationKeeping": "station_keeping",
    "DepthHeading": "depth_heading",
    "Trackline": "trackline",
    "Docking": "docking",
    "PipelineFollowing": "pipeline",
    "TerrainFollowing": "terrain",
    "TetheredHover": "tethered_hover",
    "ThrusterFault": "thruster_fault",
}


def the_task(task: str | type[Task]) -> type[Task]:
    """A task by its name; a class of a user's own is taken as it is."""
    if isinstance(task, type) and issubclass(task, Task):
        return task
    if isinstance(task, str) and task in MODULES:
        return getattr(import_module(f"pelagos.learn.tasks.{MODULES[task]}"), task)
    close = nearest(task, tuple(MODULES)) if isinstance(task, str) else ""
    hint = f"did you mean {close}?" if close else f"expected one of {', '.join(MODULES)}, or a subclass of Task"
    raise CommandError(f"there is no task {shown(task)}; {hint}")
