"""`pelagos training`: the tasks for pilots, what each asks for, and what a pilot has done."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pelagos.training.results import PilotProgress

TRAINING_EXAMPLES = """\
examples:
  pelagos training                             the tasks, and the pilots of whom results are kept
  pelagos training hover                       what the pilot shall do, and how it is marked
  pelagos training --pilot Ann                 her attempts: median, best, trend
  pelagos training --pilot Ann --figure ann.png
  pelagos training hover --pilot Ann --figure hover.png    her latest attempt at one task, as curves

Results are kept in the folder of PELAGOS_DATA_DIR, or where the system keeps a user's data: docs/training.md.
"""
Add = Callable[..., argparse.ArgumentParser]
WIDTH = 100
HEADS = ("task", "vehicle", "attempts", "completed", "median", "best", "latest", "trend", "least time", "conditions")
NUMBERS = range(2, 9)  # columns of the table that stand at the right


def add_training(add: Add) -> None:
    """Put the command of this module into the parser."""
    command = add(
        "training", training, "tasks for pilots: what they ask for, and results over attempts", TRAINING_EXAMPLES
    )
    command.add_argument("task", nargs="?", help="a task, or the .toml file of one; without it: the list")
    command.add_argument("--pilot", metavar="NAME", help="results of this pilot")
    command.add_argument("--figure", metavar="FILE", help="draw them; with a task, the latest attempt at it")


def training(arguments: argparse.Namespace) -> int:
    """List, brief or compare, by what is given."""
    from pelagos.errors import CommandError

    if arguments.pilot is not None:
        return _results(arguments)
    if arguments.figure is not None:
        raise CommandError("--figure draws the results of a pilot", expected="--pilot NAME as well")
    return _list() if arguments.task is None else _brief(arguments.task)


def _list() -> int:
    from pelagos.training.catalogue import task_list
    from pelagos.training.results import ResultStore

    rows = task_list()
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:<{width}}  {row['summary']}")
    pilots = ResultStore().pilots()
    if pilots:
        print(f"\nresults are kept of {', '.join(pilots)}; pelagos training --pilot NAME shows them")
    return 0


def _brief(name: str) -> int:
    from pelagos.training.conditions import THESIS
    from pelagos.training.task import load_task

    task = load_task(name)
    words = task.header
    print(f"{words.title}\n")
    print(textwrap.fill(" ".join(words.briefing.split()), WIDTH))
    whole = sum(one.weight for one in task.criteria)
    print(f"\n  vehicle     {words.vehicle}\n  world       {words.world}\n  time limit  {words.time_limit_s:g} s")
    print(f"  conditions  {task.conditions.sentence()}; also {', '.join(THESIS)}")
    print(f"  collision   costs {words.collision_points:g} points")
    print(f"\n  {'marked':<28} weight   half marks at")
    for one in task.criteria:
        print(f"  {one.measure:<28} {100.0 * one.weight / whole:>4.0f} %   {one.half:g}")
    return 0


def _results(arguments: argparse.Namespace) -> int:
    from pelagos.errors import CommandError
    from pelagos.training.results import ResultStore, compare
    from pelagos.training.task import load_task

    store = ResultStore()
    kept = store.read(arguments.pilot)
    if not kept.results:
        raise CommandError(
            f'no results are kept of "{arguments.pilot}" in {store.folder}',
            names=store.pilots(),
            misspelt=arguments.pilot,
        )
    task = load_task(arguments.task).name if arguments.task is not None else ""
    results = [one for one in kept.results if one.task == task or not task]
    if not results:
        raise CommandError(f'"{arguments.pilot}" has not yet tried {task}')
    if arguments.figure is not None:
        from pelagos.training.figures import draw_attempt, draw_progress

        if task:
            draw_attempt(results[-1], arguments.figure)
        else:
            draw_progress(results, arguments.figure)
    _table(compare(results))
    if kept.broken:
        print(f"\n{kept.broken} of the lines in {store.path(arguments.pilot)} cannot be read and were left out")
    if arguments.figure is not None:
        print(f"\n  figure  {arguments.figure}")
    return 0


def _table(groups: list[PilotProgress]) -> None:
    rows = [list(HEADS), *(_row(one) for one in groups)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
    for row in rows:
        parts = [row[k].rjust(w) if k in NUMBERS else row[k].ljust(w) for k, w in enumerate(widths)]
        print("  ".join(parts).rstrip())


def _row(one: PilotProgress) -> list[str]:
    trend = "-" if one.trend is None else f"{one.trend:+.1f}"
    least = "-" if one.least_time_s is None else f"{one.least_time_s:.0f} s"
    scores = [f"{score:.1f}" for score in (one.median, one.best, one.latest)]
    counts = [str(one.attempts), str(one.completed)]
    return [one.task, one.vehicle, *counts, *scores, trend, least, one.conditions.sentence()]
