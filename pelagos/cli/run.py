"""`pelagos run`, `pelagos scenario` and `pelagos cable`: run a scenario or a vehicle, list scenarios and cables."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pelagos.cli.options import Add, print_library, print_table, scenario_tables
from pelagos.tether.spec import Cable

RUN_EXAMPLES = """\
examples:
  pelagos run first-dive                       a ready scenario; pelagos scenario lists them
  pelagos run survey.toml --seed 3 --set world.current_m_s=0.5 --report
  pelagos run remus-lawnmower --duration 600 --set "mission[0].spacing_m=40"
  pelagos run rov-pipeline --speed 10          at most ten times real time
  pelagos run bluerov2_heavy --depth-m 5 --heading-deg 90 --current-m-s 0.3 --current-to-deg 90
  pelagos run lauv --speed-m-s 1.2 --seconds 300 --integrator rk4 --step-s 0.02 --out survey
  pelagos run bluerov2_heavy --world harbour --tether --tether-ratio 1.2 --ship follow

A scenario file contains vehicle, world, start, mission, sensors, faults and duration (docs/scenarios.md); every key can
be changed with --set KEY=VALUE. A vehicle without a scenario dives to 5 m, turns east and stays for a minute.
The run writes NAME.csv while it goes (Ctrl-C, a crash or a power cut leave a readable log) and NAME.json beside it, at
the end figures and, with --report, NAME.html. Same scenario and seed: same bytes.
"""

SCENARIO_EXAMPLES = """\
examples:
  pelagos scenario                             the scenarios that come with Pelagos
  pelagos scenario remus-lawnmower             the file of one
  pelagos scenario remus-lawnmower > mine.toml as a start for yours
"""

CABLE_EXAMPLES = """\
examples:
  pelagos cable                                the cables that come with Pelagos
  pelagos cable fathom_7_6mm                   every number of one
  pelagos cable my_cable.toml                  of your file
  pelagos run bluerov2_heavy --cable my_cable.toml --tether-length-m 80

The source of each number of a library cable: `pelagos describe` of a vehicle that has it.
"""

ENDINGS = (".csv", ".parquet", ".json", ".png", ".svg", ".html")  # suffixes of the files that a run writes


def add_run(add: Add) -> None:
    """Add `pelagos run` and `pelagos scenario` to the parser."""
    fly = add("run", run, "run a scenario or a vehicle: summary, log, figures", RUN_EXAMPLES)
    fly.add_argument("name", metavar="SCENARIO|VEHICLE", help="ready scenario, scenario file, library vehicle or file")
    fly.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change any key of the scenario")
    fly.add_argument("--seed", type=int, metavar="N", help="seed of every random number, default 1")
    fly.add_argument(
        "--duration", type=float, metavar="S", help="simulated seconds; default: until the mission is over"
    )
    fly.add_argument("--speed", type=float, metavar="X", help="upper limit of the real-time factor; 1 is real time")
    fly.add_argument("--out", metavar="NAME", help="write NAME.csv, NAME.png, ...; default: the name of the scenario")
    fly.add_argument("--format", choices=("csv", "parquet"), help="log format (default: csv); MCAP: pelagos convert")
    fly.add_argument("--forces", action="store_true", help="log the force of every term as well")
    fly.add_argument("--report", action="store_true", help="write NAME.html: summary, settings and all figures")
    fly.add_argument("--no-figure", action="store_true", help="write the log only")
    group = fly.add_argument_group("short options for keys of a scenario, or for a vehicle without one")
    for flag, text in (
        ("--depth-m", "depth to hold"),
        ("--heading-deg", "heading to hold, clockwise from north"),
        ("--speed-m-s", "forward speed through the water to hold; default: chosen by the autopilot"),
        ("--seconds", "the same as --duration"),
        ("--current-m-s", "speed of the current"),
        ("--current-to-deg", "where the current flows to"),
        ("--step-s", "longest step; a control interval of 0.1 s is divided into equal steps; default: the vehicle's"),
    ):
        group.add_argument(flag, type=float, metavar="X", help=text)
    group.add_argument("--world", metavar="WORLD", help="library world or .toml file; see pelagos world")
    group.add_argument("--integrator", metavar="NAME", help="euler, heun, rk4, adaptive, ...; default: the vehicle's")
    add_tether(fly)
    shown = add("scenario", scenario, "list the ready scenarios, or print the file of one", SCENARIO_EXAMPLES)
    shown.add_argument("name", nargs="?", help="without it: the list")


def add_tether(fly: argparse.ArgumentParser) -> None:
    """Add the options of a tether to a parser; any of them attaches one."""
    group = fly.add_argument_group(
        "tether",
        "a cable from a ship to the vehicle; any of these options attaches it, the vehicle's file has the defaults",
    )
    group.add_argument(
        "--tether", nargs="?", const="dynamic", metavar="MODE",
        help="dynamic (default): moves, stretches, wraps; static: always in equilibrium; royer: the 1985 thesis",
    )  # fmt: skip
    group.add_argument("--tether-length-m", type=float, metavar="X", help="length paid out; default: the vehicle's")
    group.add_argument(
        "--tether-ratio", type=float, metavar="K",
        help="pay out K times the distance from ship to vehicle: 1.1 is tight, 2 is loose",
    )  # fmt: skip
    group.add_argument("--cable", metavar="NAME", help="library cable or .toml file; see pelagos cable")
    group.add_argument(
        "--ship", metavar="HOW", help="moored (default): stays above the start; follow: follows the vehicle"
    )


def resolve_scenario(arguments: argparse.Namespace) -> Any:
    """Return the scenario of the command line."""
    from pelagos.scenario import shortcuts
    from pelagos.scenario.read import parse_change, scenario_from

    options = vars(arguments)
    file_and_tables = scenario_tables(arguments.name)
    if file_and_tables is not None:
        path, tables = file_and_tables
        changes, file, folder, where = shortcuts.changes(options), path.name, path.parent, str(path)
    else:
        name = arguments.name
        tables, file, folder, where = shortcuts.vehicle_tables(name, options), "scenario", Path("."), ""
        changes = shortcuts.changes(options, name)
    changes |= dict(parse_change(text) for text in arguments.set)
    for key, value in (("output.format", arguments.format), ("output.forces", arguments.forces or None)):
        changes |= {} if value is None else {key: value}
    if arguments.report:
        changes["output.report"] = True
    if arguments.no_figure:
        changes["output.figures"] = False
    return scenario_from(tables, file, folder, changes, path=where)


def run(arguments: argparse.Namespace) -> int:
    """Run; write log and figures; print a summary."""
    from pelagos.errors import PelagosError
    from pelagos.session.progress import Progress
    from pelagos.session.scenario_run import run_scenario
    from pelagos.vehicle.load.coefficient_names import unsigned_squares

    begin = time.perf_counter()
    scenario = resolve_scenario(arguments)
    for vehicle in {entry.vehicle.key: entry.vehicle for entry in scenario.vehicles}.values():
        if squares := unsigned_squares(vehicle):
            print(f"pelagos: warning: {vehicle.key} {squares}", file=sys.stderr)
    stem = _stem(arguments.out, Path(scenario.name).name or "run")
    length = scenario.duration_s if scenario.duration_s is not None or scenario.has_mission else scenario.longest_s
    with _locked(stem):
        try:
            with Progress(length) as progress:
                outcome = run_scenario(scenario, stem, progress=progress)
        except PelagosError as error:
            print(f"pelagos: {str(error).rstrip('.')}{_kept(error, scenario, stem)}", file=sys.stderr)
            return 2
        except KeyboardInterrupt as stop:
            print(f"pelagos: interrupted{_kept(stop, scenario, stem)}", file=sys.stderr)
            return 130
        return _print_outcome(outcome, stem, time.perf_counter() - begin)


@contextlib.contextmanager
def _locked(stem: str) -> Iterator[None]:
    """Lock the file names of a run, from the first sample to the last figure; refuse a second run with these names."""
    from pelagos.errors import CommandError
    from pelagos.files.lock import locked

    with contextlib.ExitStack() as stack:
        acquired = True
        with contextlib.suppress(OSError):  # a folder without permission for new files: the log may replace an old one
            acquired = stack.enter_context(locked(Path(stem).parent / f".{Path(stem).name}.lock"))
        if not acquired:
            message = "another run is writing files of this name"
            raise CommandError(message, file=stem, expected="another --out")
        yield


def _stem(out: str | None, name: str) -> str:
    """Return the common start of all file names; make its folder now, before anything is compiled or simulated."""
    from pelagos.errors import CommandError

    stem = out or name
    if Path(stem).is_dir() or stem.endswith("/"):  # a folder: the name of the scenario inside it
        stem = str(Path(stem) / name)
    elif Path(stem).suffix in ENDINGS:
        stem = str(Path(stem).with_suffix(""))
    folder = Path(stem).parent
    if not folder.is_dir():
        try:
            folder.mkdir(parents=True)
        except OSError as problem:
            message = f"the folder {folder} cannot be made ({problem.strerror})"
            raise CommandError(message, key="--out", value=out) from None
        print(f"the folder {folder} is made", file=sys.stderr)
    return stem


def _kept(error: BaseException, scenario: Any, stem: str) -> str:
    """Return the log files of an interrupted run in words; "" if it was not recorded."""
    from pelagos.session.scenario_run import log_files

    where = " and ".join(log_files(scenario, stem).values())
    return f"; the log up to then is in {where}" if getattr(error, "log", None) is not None else ""


def _print_outcome(outcome: Any, stem: str, wall_s: float) -> int:
    """Print summary, notes and files; return 2 if a requested report cannot be drawn."""
    from pelagos.analysis.summary import summarise
    from pelagos.errors import MissingExtraError

    scenario = outcome.scenario
    for name, log in outcome.logs.items():
        if len(outcome.logs) > 1:
            print(f"\n{name}")
        print(summarise(log))
    if outcome.notes:
        print("\n  " + "\n  ".join(outcome.notes))
    print()
    for file in outcome.files.values():
        print(f"  log     {file}")
    code = 0
    try:
        for kind, file in _pictures(outcome, stem):
            print(f"  {kind:<8}{file}")
    except MissingExtraError as error:
        code = 2 if scenario.output.report else 0
        print(f"  {'report' if code else 'figure'}  none: {error}")
    print(f"  took    {wall_s:.1f} s, loading and compiling included{_pace(outcome)}")
    return code


def _pace(outcome: Any) -> str:
    """Return the real-time factor in words, in two digits, without the first interval, which may compile."""
    if outcome.times_real <= 0.0 or outcome.scenario.speed is not None:
        return ""
    return f"; it flew {float(f'{outcome.times_real:.2g}'):g} times faster than real time"


def _pictures(outcome: Any, stem: str) -> list[tuple[str, str]]:
    from pelagos.analysis.plots import draw_pages

    files: list[tuple[str, str]] = []
    output, world = outcome.scenario.output, outcome.scenario.world
    for name, log in outcome.logs.items():
        base = stem if len(outcome.logs) == 1 else f"{stem}-{name}"
        if output.figures:
            files += [("figure", file) for file in draw_pages(log, f"{base}.{output.figure_format}", world=world)]
        if output.report:
            from pelagos.analysis.report import write_report

            write_report(log, f"{base}.html", world=world)
            files.append(("report", f"{base}.html"))
    return files


def scenario(arguments: argparse.Namespace) -> int:
    """List the library scenarios, or print the file of one."""
    from pelagos.files.library import SCENARIOS
    from pelagos.files.source import read_toml

    if arguments.name is None:
        return print_library(SCENARIOS)
    path = SCENARIOS.path(arguments.name)
    read_toml(path)
    print(path.read_text(encoding="utf-8"), end="")
    return 0


def add_cable(add: Add) -> None:
    """Add `pelagos cable` to the parser."""
    shown = add("cable", cable, "list the cables for tethers, or show the numbers of one", CABLE_EXAMPLES)
    shown.add_argument("name", nargs="?", help="library cable or .toml file; without it: the list")


def cable(arguments: argparse.Namespace) -> int:
    """Describe one cable, or list all."""
    from pelagos.vehicle.load.parts import part_names
    from pelagos.vehicle.load.tether import load_cable

    if arguments.name:
        print(describe_cable(load_cable(arguments.name)))
        return 0
    print_table([(name, load_cable(name).summary) for name in part_names("cable")])
    return 0


def describe_cable(cable: Cable) -> str:
    """Return every number of a cable in words and units."""
    sea = 1025.0, 9.80665  # kg/m3 and m/s2 of sea water, for weight and mass per metre
    weight = "neutral in any water" if cable.neutral else f"{cable.weight_in(*sea):.3g} N/m in sea water"
    never = "not known: the cable never parts"
    rows = (
        ("diameter", f"{1e3 * cable.diameter_m:g} mm"),
        ("weight", weight),
        ("mass", f"{cable.mass_in(sea[0]):.3g} kg/m"),
        ("stiffness EA", f"{cable.stiffness_N:.3g} N per unit strain"),
        ("damping BA", f"{cable.damping_Ns:.3g} N s"),
        ("drag across it", f"{cable.normal_drag:g} on its diameter"),
        ("drag along it", f"{cable.tangential_drag:g} on pi times its diameter"),
        ("added mass", f"{cable.added_mass:g} times the water it displaces, across it"),
        ("breaking load", f"{cable.breaking_load_N:.4g} N" if math.isfinite(cable.breaking_load_N) else never),
    )
    title = cable.name or cable.key
    return "\n".join([title, *([cable.summary] if cable.summary else []), "", *(f"  {a:<16}{b}" for a, b in rows)])
