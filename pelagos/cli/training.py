"""`pelagos training`: list the training tasks for pilots, describe one, or show the results of a pilot."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

from pelagos.cli.options import Add, print_library, print_table

if TYPE_CHECKING:
    from pelagos.training.results import PilotProgress

TRAINING_EXAMPLES = """\
examples:
  pelagos training                             the tasks, and the pilots of whom results are kept
  pelagos training hover                       the task of the pilot, and how it is marked
  pelagos training --pilot Ann                 her attempts: median, best, trend
  pelagos training --pilot Ann --figure ann.png
  pelagos training hover --pilot Ann --figure hover.png    her latest attempt at one task, as curves

Results are kept in the folder of PELAGOS_DATA_DIR, or where the system keeps a user's data: docs/training.md.
"""
WIDTH = 100
HEADS = ("task", "vehicle", "attempts", "completed", "median", "best", "latest", "trend", "least time", "conditions")
NUMBERS = range(2, 9)  # columns of numbers, which are aligned to the right


def add_training(add: Add) -> None:
    """Add `pelagos training` to the parser."""
    command = add(
        "training", training, "tasks for pilots: what they ask for, and results over attempts", TRAINING_EXAMPLES
    )
    command.add_argument("task", nargs="?", help="a task, or the .toml file of one; without it: the list")
    command.add_argument("--pilot", metavar="NAME", help="results of this pilot")
    command.add_argument("--figure", metavar="FILE", help="draw them; with a task, the latest attempt at it")


def training(arguments: argparse.Namespace) -> int:
    """List the tasks, print the briefing of one, or compare the results of a pilot."""
    from pelagos.errors import CommandError

    if arguments.pilot is not None:
        return _results(arguments)
    if arguments.figure is not None:
        raise CommandError("--figure draws the results of a pilot", expected="--pilot NAME as well")
    return _list() if arguments.task is None else _brief(arguments.task)


def _list() -> int:
    from pelagos.files.library import TASKS
    from pelagos.training.results import ResultStore

    print_library(TASKS)
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
    total_weight = sum(criterion.weight for criterion in task.criteria)
    print(f"\n  vehicle     {words.vehicle}\n  world       {words.world}\n  time limit  {words.time_limit_s:g} s")
    print(f"  conditions  {task.conditions.sentence()}; also {', '.join(THESIS)}")
    print(f"  collision   costs {words.collision_points:g} points")
    print(f"\n  {'marked':<28} weight   half marks at")
    for criterion in task.criteria:
        print(f"  {criterion.measure:<28} {100.0 * criterion.weight / total_weight:>4.0f} %   {criterion.half:g}")
    return 0


def _results(arguments: argparse.Namespace) -> int:
    from pelagos.errors import CommandError, one_of
    from pelagos.training.results import ResultStore, compare
    from pelagos.training.task import load_task

    store = ResultStore()
    kept = store.read(arguments.pilot)
    if not kept.results:
        message = "there are no results of the pilot"
        raise CommandError(message, file=store.folder, value=arguments.pilot, names=store.pilots())
    task = load_task(arguments.task).name if arguments.task is not None else ""
    results = [result for result in kept.results if result.task == task or not task]
    if not results:
        tried = sorted({result.task for result in kept.results})
        message = f'"{arguments.pilot}" has not tried this task yet'
        raise CommandError(message, key="task", value=task, expected=one_of(tried))
    if arguments.figure is not None:
        from pelagos.training.figures import draw_attempt, draw_progress

        if task:
            draw_attempt(results[-1], arguments.figure)
        else:
            draw_progress(results, arguments.figure)
    print_table([HEADS, *(_row(group) for group in compare(results))], NUMBERS)
    if kept.broken:
        print(f"\n{kept.broken} of the lines in {store.path(arguments.pilot)} cannot be read and were left out")
    if arguments.figure is not None:
        print(f"\n  figure  {arguments.figure}")
    return 0


def _row(group: PilotProgress) -> list[str]:
    trend = "-" if group.trend is None else f"{group.trend:+.1f}"
    least = "-" if group.least_time_s is None else f"{group.least_time_s:.0f} s"
    scores = [f"{score:.1f}" for score in (group.median, group.best, group.latest)]
    counts = [str(group.attempts), str(group.completed)]
    return [group.task, group.vehicle, *counts, *scores, trend, least, group.conditions.sentence()]
