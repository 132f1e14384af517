"""`pelagos campaign`: run a scenario many times with varied keys and seeds, and report the results."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from pelagos.cli.options import Add, print_library

if TYPE_CHECKING:
    from pelagos.campaign.spec import Campaign

CAMPAIGN_EXAMPLES = """\
examples:
  pelagos campaign --list                      the campaigns that come with Pelagos
  pelagos campaign sweep.toml                  run one: on all cores, into NAME-campaign/
  pelagos campaign sweep.toml --dry-run        how many runs, which engine and why, how long
  pelagos campaign sweep.toml --runs 1000 --seed 2 --set world.depth_m=50 --out deep
  pelagos campaign sweep.toml --scheduler tcp://HOST:8786        on a Dask cluster (docs/cluster.md)
  pelagos campaign deep                        continue the campaign in a folder
  pelagos campaign deep --retry-failed         and repeat its failed runs
  pelagos campaign report deep                 intervals, probabilities, sensitivities and regions of failure
  pelagos campaign report deep --limit "off_max_m > 2" --figures    one more probability; figures as files

A campaign file names a scenario, the keys that vary and how (grid, random, lhs, sobol; morris and saltelli for
sensitivity) and the metrics of each run (docs/campaigns.md). Each finished run is a row of the Parquet files in
FOLDER/runs, with its exact values and seed; that of a failed run has the reason. After Ctrl-C, a crash or a power cut
the same command continues the campaign. Same file and seed: same rows, whatever the number of workers.
"""


def add_campaign(add: Add) -> None:
    """Add `pelagos campaign` to the parser."""
    about = "run a scenario many times with varied keys and seeds, on all cores or a cluster"
    command = add("campaign", campaign, about, CAMPAIGN_EXAMPLES)
    command.add_argument(
        "name", nargs="?", metavar="CAMPAIGN", help="ready campaign, campaign file, or folder of results to continue"
    )
    command.add_argument("folder", nargs="?", metavar="FOLDER", help="folder of results, after the word report")
    command.add_argument("--list", action="store_true", help="the campaigns that come with Pelagos")
    command.add_argument(
        "--out", metavar="FOLDER", help="folder of results, default NAME-campaign; of report: its file"
    )
    command.add_argument("--runs", type=int, metavar="N", help="number of runs, in place of the file's")
    command.add_argument("--seed", type=int, metavar="S", help="seed of the campaign, in place of the file's")
    command.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="set any key of the scenario, in every run"
    )
    command.add_argument("--workers", type=int, metavar="K", help="processes on this machine; default: one a core")
    command.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask cluster, such as tcp://HOST:8786")
    command.add_argument("--dry-run", action="store_true", help="print the plan and the estimated time; run nothing")
    command.add_argument("--figures", action="store_true", help="of report: write its figures as PNG files too")
    command.add_argument(
        "--limit", action="append", default=[], metavar="LIMIT", help="of report: probability and region of METRIC > X"
    )
    which = command.add_mutually_exclusive_group()
    which.add_argument("--resume", action="store_true", help="only continue: an error without earlier results")
    command.add_argument("--retry-failed", action="store_true", help="repeat the failed runs")
    command.add_argument(
        "--accept-other-version",
        action="store_true",
        help="continue although Pelagos or a file has changed; each row has the version it was run with",
    )
    which.add_argument("--fresh", action="store_true", help="delete earlier results of the folder first")


def campaign(arguments: argparse.Namespace) -> int:
    """Run, estimate, list or report; return the exit code, 130 after Ctrl-C."""
    from pelagos.checks import whole
    from pelagos.errors import CommandError

    if arguments.list:
        return _list()
    if arguments.name == "report":
        return _report(arguments)
    if arguments.name is None:
        raise CommandError(
            file="campaign", expected="a campaign or a file; pelagos campaign --list shows the ready ones"
        )
    if arguments.folder is not None:
        message = f"{arguments.folder} is one word too many"
        raise CommandError(message, file="campaign", expected=f"--out {arguments.folder}?")
    if arguments.workers is not None:
        whole("--workers", arguments.workers, 1)
    return _dry_run(arguments) if arguments.dry_run else _run(arguments)


def resolve_campaign(arguments: argparse.Namespace) -> tuple[Campaign, str]:
    """Return the campaign of the command line and its folder."""
    from pathlib import Path

    from pelagos.campaign.read import FILE, load_campaign
    from pelagos.errors import CommandError
    from pelagos.scenario.read import parse_change

    changes = dict(parse_change(text) for text in arguments.set)
    campaign = load_campaign(arguments.name, changes, runs=arguments.runs, seed=arguments.seed)
    is_folder = (Path(arguments.name) / FILE).is_file()  # earlier results, to continue in the same folder
    out = arguments.out or (arguments.name if is_folder else f"{campaign.name}-campaign")
    if arguments.resume and not (Path(out) / FILE).is_file():
        raise CommandError("there is no campaign to resume", file=out)
    return campaign, out


def _run(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.progress import CampaignProgress
    from pelagos.campaign.runner import run_campaign
    from pelagos.campaign.summary import summary_text

    begin = time.perf_counter()
    campaign, out = resolve_campaign(arguments)
    names = ("workers", "scheduler", "fresh", "retry_failed", "accept_other_version")
    options = {name: getattr(arguments, name) for name in names}
    try:
        with CampaignProgress() as progress:
            results = run_campaign(campaign, out, **options, progress=progress)
    except KeyboardInterrupt:
        print(f"pelagos: interrupted; finished runs are in {out}, pelagos campaign {out} goes on", file=sys.stderr)
        return 130
    print(summary_text(results))
    print(f"\n  results {out}")
    print(f"  took    {time.perf_counter() - begin:.1f} s, loading and compiling included")
    print(f"  next    pelagos campaign report {out}")
    return 0


def _dry_run(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.progress import CampaignProgress, estimate

    campaign, _ = resolve_campaign(arguments)
    workers = arguments.workers
    if arguments.scheduler:
        from pelagos.campaign.executors.cluster import check_scheduler

        workers = max(1, check_scheduler(arguments.scheduler))
    with CampaignProgress():
        print(estimate(campaign, workers))
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from pelagos.campaign.report.report import draw_report, report_summary
    from pelagos.errors import CommandError

    if arguments.folder is None:
        raise CommandError(file="campaign report", expected="the folder of a campaign")
    page = draw_report(arguments.folder, arguments.out, figures=arguments.figures, limits=arguments.limit)
    print(f"{report_summary(page)}\n\n  report  {page}")
    return 0


def _list() -> int:
    from pelagos.files.library import CAMPAIGNS

    return print_library(CAMPAIGNS)
