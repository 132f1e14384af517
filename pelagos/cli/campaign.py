"""`pelagos campaign`: fly a scenario many times with changed keys and seeds, and report what came of it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pelagos.campaign.spec import Campaign

CAMPAIGN_EXAMPLES = """\
examples:
  pelagos campaign --list                      the campaigns that come with Pelagos
  pelagos campaign sweep.toml                  run one: on all cores, into NAME-campaign/
  pelagos campaign sweep.toml --dry-run        how many runs, which engine and why, how long
  pelagos campaign sweep.toml --runs 1000 --seed 2 --set world.depth_m=50 --out deep
  pelagos campaign sweep.toml --scheduler tcp://HOST:8786        on a Dask cluster (docs/cluster.md)
  pelagos campaign deep                        go on with what a folder has not finished
  pelagos campaign deep --retry-failed         and fly the runs that failed again
  pelagos campaign report deep                 intervals, probabilities, what depends on what, where it fails
  pelagos campaign report deep --limit "off_max_m > 2" --figures    one more probability; pictures as files

A campaign file names a scenario, the keys that vary and how (grid, random, lhs, sobol; morris and saltelli for
sensitivity) and the numbers to keep of each run (docs/campaigns.md). Each finished run is a row of the Parquet files in
FOLDER/runs, with its exact values and seed. A run that fails is a row that says why. After Ctrl-C, a crash or a power
cut the same command goes on with what is not finished. Same file and seed: same rows, whatever the number of workers.
"""
Add = Callable[..., argparse.ArgumentParser]


def add_campaign(add: Add) -> None:
    """Put the command of this module into the parser."""
    about = "fly a scenario many times with changed keys and seeds, on all cores or a cluster"
    command = add("campaign", campaign, about, CAMPAIGN_EXAMPLES)
    command.add_argument(
        "what", nargs="?", metavar="CAMPAIGN", help="ready campaign, campaign file, or folder of results to go on with"
    )
    command.add_argument("folder", nargs="?", metavar="FOLDER", help="of the results, after the word report")
    command.add_argument("--list", action="store_true", help="the campaigns that come with Pelagos")
    command.add_argument("--out", metavar="FOLDER", help="where results go, default NAME-campaign; of report: its file")
    command.add_argument("--runs", type=int, metavar="N", help="number of runs, in place of the file's")
    command.add_argument("--seed", type=int, metavar="S", help="seed of the campaign, in place of the file's")
    command.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set any key of the scenario, in every run"
    )
    command.add_argument("--workers", type=int, metavar="K", help="processes on this machine; default: one a core")
    command.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://HOST:8786")
    command.add_argument("--dry-run", action="store_true", help="tell the plan and how long it would take; run nothing")
    command.add_argument("--figures", action="store_true", help="of report: its pictures as PNG files too")
    command.add_argument(
        "--limit", action="append", default=[], metavar="LIMIT", help="of report: how likely is METRIC > X, and where"
    )
    which = command.add_mutually_exclusive_group()
    which.add_argument("--resume", action="store_true", help="only go on: refuse if there are no earlier results")
    command.add_argument("--retry-failed", action="store_true", help="fly the runs that failed again")
    command.add_argument(
        "--accept-other-version",
        action="store_true",
        help="go on although Pelagos or a file has changed since; each row says what it was flown with",
    )
    which.add_argument("--fresh", action="store_true", help="take earlier results of the folder away first")


def campaign(arguments: argparse.Namespace) -> int:
    """Run, tell; 130 if interrupted."""
    from pelagos.errors import CommandError

    if arguments.list:
        return _list()
    if arguments.what == "report":
        return _report(arguments)
    if arguments.what is None:
        raise CommandError("campaign: expected a campaign or a file; pelagos campaign --list shows the ready ones")
    if arguments.folder is not None:
        raise CommandError(f"campaign: {arguments.folder} is one word too many", expected=f"--out {arguments.folder}?")
    if arguments.workers is not None and arguments.workers < 1:
        raise CommandError(f"--workers {arguments.workers}: expected 1 or more")
    return _dry_run(arguments) if arguments.dry_run else _run(arguments)


def resolve_campaign(arguments: argparse.Namespace) -> tuple[Campaign, str]:
    """The campaign that the words of the command line ask for, and its folder."""
    from pathlib import Path

    from pelagos.campaign.read import FILE, load_campaign
    from pelagos.errors import CommandError
    from pelagos.scenario.read import parse_change

    changes = dict(parse_change(text) for text in arguments.set)
    made = load_campaign(arguments.what, changes, runs=arguments.runs, seed=arguments.seed)
    going_on = (Path(arguments.what) / FILE).is_file()  # a folder of results: what is left of it
    out = arguments.out or (arguments.what if going_on else f"{made.name}-campaign")
    if arguments.resume and not (Path(out) / FILE).is_file():
        raise CommandError(f"--resume: there is no campaign in {out}")
    return made, out


def _run(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.progress import CampaignProgress
    from pelagos.campaign.runner import run_campaign
    from pelagos.campaign.summary import told

    begin = time.perf_counter()
    made, out = resolve_campaign(arguments)
    how = {name: getattr(arguments, name) for name in ("workers", "scheduler", "fresh")}
    how |= {name: getattr(arguments, name) for name in ("retry_failed", "accept_other_version")}
    try:
        with CampaignProgress() as progress:
            results = run_campaign(made, out, **how, progress=progress)
    except KeyboardInterrupt:
        print(f"pelagos: interrupted; finished runs are in {out}, pelagos campaign {out} goes on", file=sys.stderr)
        return 130
    print(told(results))
    print(f"\n  results {out}")
    print(f"  took    {time.perf_counter() - begin:.1f} s, loading and compiling included")
    print(f"  next    pelagos campaign report {out}")
    return 0


def _dry_run(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.progress import CampaignProgress, estimate

    made, _ = resolve_campaign(arguments)
    workers = arguments.workers
    if arguments.scheduler:
        from pelagos.campaign.executors.cluster import check_scheduler

        workers = max(1, check_scheduler(arguments.scheduler))
    with CampaignProgress():
        told = estimate(made, workers)
    print(told)
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.report.report import draw_report, told_report
    from pelagos.errors import CommandError

    if arguments.folder is None:
        raise CommandError("campaign report: expected the folder of a campaign")
    page = draw_report(arguments.folder, arguments.out, figures=arguments.figures, limits=arguments.limit)
    print(f"{told_report(page)}\n\n  report  {page}")
    return 0


def _list() -> int:
    from pelagos.campaign.read import campaign_names, find_campaign
    from pelagos.scenario.read import parse_scenario

    names = campaign_names()
    width = max((len(name) for name in names), default=0)
    for name in names:
        print(f"{name:<{width}}  {parse_scenario(find_campaign(name)).get('summary', '')}")
    return 0
