"""Descriptions of the environments as text and as Markdown tables, made from the tasks."""

from __future__ import annotations

import sys

from pelagos.learn.observation import Field
from pelagos.learn.registration import EPISODE_STEPS, identifier
from pelagos.learn.task import Task
from pelagos.learn.tasks import resolve_task
from pelagos.vehicle.load.vehicle import load_vehicle


def describe(task: str | type[Task]) -> str:
    """Return a text about a task: its docstring, and its actions and observation in order, with units and scales."""
    kind = resolve_task(task)
    vehicle = load_vehicle(kind.vehicle)
    actions = ", ".join(
        [*(f"thruster {t.name}" for t in vehicle.thrusters), *(f"surface {s.name}" for s in vehicle.surfaces)]
    )
    rows = [f"{k:>3}  {f.name:<20}{f.unit:<7}{f.scale:>6g}  {f.about}" for k, f in enumerate(kind.fields)]
    ranges = ", ".join(f"{name} {low:g} to {high:g}" for name, (low, high) in kind.ranges.items())
    about = sys.modules[kind.__module__].__doc__ or ""
    head = (
        f"{identifier(kind.key)}: {kind.vehicle}, {kind.rate_hz:g} actions a second, episodes of {kind.episode_s:g} s"
    )
    return "\n".join([head, "", about.strip(), "", f"randomised: {ranges or 'nothing'}", "", f"actions: {actions}", "",
                      f"{'':>3}  {'observation':<20}{'unit':<7}{'scale':>6}", *rows])  # fmt: skip


def task_table() -> list[str]:
    """Return the ids, vehicles, durations and sizes of all tasks, as lines of Markdown."""
    lines = ["| id | vehicle | episode | observation | actions | randomised |", "|---|---|---|---|---|---|"]
    for name in EPISODE_STEPS:
        kind = resolve_task(name)
        vehicle = load_vehicle(kind.vehicle)
        actions = len(vehicle.thrusters) + len(vehicle.surfaces)
        time_s = f"{kind.episode_s:g} s, {EPISODE_STEPS[name]} steps"
        ranges = ", ".join(f"{key} {low:g} to {high:g}" for key, (low, high) in kind.ranges.items())
        lines.append(
            f"| `{identifier(name)}` | {kind.vehicle} | {time_s} | {len(kind.fields)} | {actions} | {ranges} |"
        )
    return lines


def field_table() -> list[str]:
    """Return the fields of all observations with their tasks, as lines of Markdown."""
    lines = ["| number | unit | shown as 1 | held at | noise | what it is | tasks |", "|---|---|---|---|---|---|---|"]
    tasks_of: dict[Field, list[str]] = {}
    for name in EPISODE_STEPS:
        for item in resolve_task(name).fields:
            tasks_of.setdefault(item, []).append(name)
    for f, tasks in tasks_of.items():
        listed = "all" if len(tasks) == len(EPISODE_STEPS) else ", ".join(tasks)
        lines.append(f"| `{f.name}` | {f.unit} | {f.scale:g} | {f.limit:g} | {f.noise:g} | {f.about} | {listed} |")
    return lines
