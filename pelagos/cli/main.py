"""Entry point of the command `pelagos`, its parser and its short sub-commands.

Functions import the modules that they need, so that `pelagos list` and `--help` start at once. A mistake of the user
ends with one sentence on stderr and exit code 2, Ctrl-C with 130.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pelagos
from pelagos.cli.campaign import add_campaign
from pelagos.cli.convert import add_convert
from pelagos.cli.fly import add_fly
from pelagos.cli.link import add_link
from pelagos.cli.options import print_table
from pelagos.cli.run import add_cable, add_run
from pelagos.cli.training import add_training
from pelagos.cli.world import add_commands
from pelagos.errors import CommandError, PelagosError, escaped, foreign_text

EXAMPLES = """\
examples:
  pelagos run first-dive                       a first mission: summary, log and figure
  pelagos run remus100 --depth-m 10 --speed-m-s 1.5 --seconds 120
  pelagos run my_rov.toml --depth-m 3 --current-m-s 0.2 --current-to-deg 180
  pelagos fly                                  pilot an ROV in the browser
  pelagos link phoenix-hover                   your program in the loop; also ArduSub, MAVLink, DIS
  pelagos list                                 the vehicles that come with Pelagos
  pelagos describe bluerov2_heavy              every number, its unit and its source
  pelagos check my_rov.toml                    is this vehicle physically possible?
  pelagos derive --length-m 2 --radius-m 0.1 --mass-kg 55 --out mine.toml
  pelagos plot first-dive.csv depth_m heading_deg
  pelagos world harbour                        the contents of a world, and a figure
  pelagos reproduce                            the five documents, recomputed: every claim with its error
  pelagos run bluerov2_heavy --tether          the same on its tether; pelagos cable lists cables
  pelagos campaign remus-trackline             thousands of runs and their statistics; also on a cluster

Units are in the names: --depth-m is metres, --heading-deg degrees clockwise from north.
"""


PLOT_EXAMPLES = """\
examples:
  pelagos plot survey.csv                      the run on one page, and its tether
  pelagos plot survey.csv depth_m heading_deg  columns against time
  pelagos plot survey.csv plan depth sensors   pages: plan depth attitude speed guidance actuators sensors
                                               estimate tether forces, or all
  pelagos plot survey.csv --report             survey.html: everything in one file
  pelagos plot data.txt 1                      a table of numbers with titles, one of them x_pos: all in subplots
  pelagos plot data.txt 2                      each against x_pos
  pelagos plot data.txt 3                      movement over the bottom with the sonar beams: frames, gif, mp4
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = _parser()
    arguments, unknown = parser.parse_known_args(argv)  # parse_args would print them raw, with terminal escapes
    if unknown and arguments.command is not reproduce_missing:  # which takes any options and refuses
        parser.error(f"unrecognized arguments: {escaped(' '.join(unknown))}")
    if arguments.command is None:
        parser.print_help()
        return 0
    try:
        return arguments.command(arguments)
    except PelagosError as error:
        print(f"pelagos: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("pelagos: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe; Python flushes stdout at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def list_vehicles(arguments: argparse.Namespace) -> int:
    """Print a table of the library vehicles."""
    from pelagos.vehicle.library import list_vehicles

    del arguments
    rows = [("name", "vehicle", "class", "mass kg", "length m", "evidence", "actuators")]
    for e in list_vehicles():
        rows.append(
            (e.key, e.name, e.vehicle_class, _digits(e.mass_kg, 4), _digits(e.length_m, 3), e.evidence, e.actuators)
        )
    print_table(rows, (3, 4))
    return 0


def _digits(value: float, n: int) -> str:
    """Format with n significant digits and no exponent: 66020."""
    return f"{float(f'{value:.{n}g}'):.15g}"


def describe(arguments: argparse.Namespace) -> int:
    """Print every number of a vehicle."""
    from pelagos.vehicle.load.vehicle import load_vehicle

    print(load_vehicle(arguments.vehicle))
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Check vehicles against physics and their published figures; return 1 if one fails."""
    from pelagos.vehicle.check.checks import check
    from pelagos.vehicle.load.vehicle import load_vehicle

    ok = True
    for name in arguments.vehicle:
        report = check(load_vehicle(name))
        print(f"{name}: {'passes' if report.ok else 'FAILS'}")
        for level, text in report.lines:
            print(f"  {level:<8}{text}")
        ok = ok and report.ok
    return 0 if ok else 1


def derive(arguments: argparse.Namespace) -> int:
    """Write a vehicle file from length, radius and mass."""
    from pelagos.files.writer import to_toml
    from pelagos.vehicle.derive.torpedo import torpedo

    path = Path(arguments.out)
    if path.exists():
        raise CommandError("exists already", file=path, expected="another name with --out")
    options = {"speed_m_s": arguments.speed_m_s, "added_mass": arguments.added_mass, "name": path.stem}
    text = to_toml(torpedo(arguments.length_m, arguments.radius_m, arguments.mass_kg, **options))
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise CommandError(f"the vehicle cannot be written ({problem.strerror})", file=path) from None
    print(f"{path}: every derived number says how; next: pelagos check {path}, pelagos run {path}")
    return 0


def schema(arguments: argparse.Namespace) -> int:
    """Print the JSON Schema of vehicle, world, scenario or campaign files, or of the robot link."""
    import json

    if arguments.world:
        from pelagos.world.load import world_schema as schema
    elif arguments.scenario:
        from pelagos.scenario.schema import scenario_schema as schema
    elif arguments.campaign:
        from pelagos.campaign.read import campaign_schema as schema
    elif arguments.link:
        from pelagos.links.robot.messages import link_schema as schema
    else:
        from pelagos.vehicle.load.keys import vehicle_schema as schema
    print(json.dumps(schema(), separators=(",", ":")))
    return 0


def bench(arguments: argparse.Namespace) -> int:
    """Run the benchmarks of the clone that Pelagos is installed from, or of the current folder."""
    places = (Path(pelagos.__file__).parents[1], Path.cwd())
    clone = next((place for place in places if (place / "benchmarks" / "bench.py").is_file()), None)
    if clone is None:
        raise CommandError(
            "bench: an installed Pelagos has no benchmarks; run `pelagos bench` in a clone of the repository"
        )
    sys.path.insert(0, str(clone))  # `python -m benchmarks` in the clone
    sys.argv[1:] = ["--json"] if arguments.json else []
    runpy.run_module("benchmarks", run_name="__main__", alter_sys=True)
    return 0


def reproduce_missing(arguments: argparse.Namespace) -> int:
    """Refuse `pelagos reproduce` if the distribution pelagos-evidence is not installed."""
    del arguments
    raise CommandError(
        "reproduce: this command comes with the distribution pelagos-evidence, which is not installed; in a clone of "
        'the repository: pip install ".[full,links]" ./evidence'
    )


def plot(arguments: argparse.Namespace) -> int:
    """Draw figures or the report of a log, or a case of the plotter."""
    from pelagos.analysis.pages.request import draw_request
    from pelagos.world.load import load_world

    world = load_world(arguments.world) if arguments.world else None
    options = {"out": arguments.out, "form": arguments.format, "report": arguments.report, "world": world}
    print("\n".join(draw_request(arguments.log, arguments.items, **options)))
    return 0


def warmup(arguments: argparse.Namespace) -> int:
    """Compile the kernels now instead of at the first run."""
    from pelagos.scenario.build import prepare
    from pelagos.scenario.read import load_scenario
    from pelagos.session.flight import Flight
    from pelagos.session.progress import Progress
    from pelagos.sim.start import start_in
    from pelagos.vehicle.load.vehicle import load_vehicle
    from pelagos.world.load import load_world

    del arguments
    start = time.perf_counter()
    with Progress(0.2):  # short runs of everything that has kernels of its own
        sim = prepare(load_scenario("first-dive")).fleet.sims[0]
        sim.run(0.1)
        sim.place(depth_m=sim.world.depth_m - 0.3)  # near the bottom: contact is compiled too
        sim.run(0.1)
        prepare(load_scenario("iver3-surfacing")).fleet.sims[0].run(1.1)  # a second: every instrument is due
        for mode in ("dynamic", "static", "royer"):
            tethered = load_scenario("first-dive", {"tether.mode": mode, "start.depth_m": 5.0})
            prepare(tethered).fleet.sims[0].run(0.1)
        rov, field = load_vehicle("bluerov2_heavy"), load_world("royer_field")
        Flight(rov, field, start=start_in(rov, field)).tick()  # compiles the kernels of the console
    print(f"the engine is ready, {time.perf_counter() - start:.1f} s")
    return 0


def _maker(point: EntryPoint) -> str:
    """Return the distribution of a plugin command, or the module of its code."""
    return point.dist.name if point.dist is not None else point.value


def _parser() -> argparse.ArgumentParser:
    with contextlib.suppress(AttributeError, ValueError):  # print "?" for "…" on a terminal that has only ASCII
        sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]  # AttributeError is suppressed
    top = argparse.ArgumentParser(
        prog="pelagos",
        description="Pelagos simulates underwater vehicles: AUVs, ROVs, gliders.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"pelagos {pelagos.__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    top.set_defaults(command=None)

    def add(
        name: str, function: Callable[[argparse.Namespace], int], text: str, epilog: str = ""
    ) -> argparse.ArgumentParser:
        raw = argparse.RawDescriptionHelpFormatter
        command = commands.add_parser(name, help=text, description=text, epilog=epilog, formatter_class=raw)
        command.set_defaults(command=function)
        return command

    add_run(add)
    add_fly(add)
    add_link(add)
    add_training(add)
    add_campaign(add)
    add("list", list_vehicles, "the vehicles that come with Pelagos")
    shown = add("describe", describe, "every number of a vehicle, with unit, source and confidence")
    shown.add_argument("vehicle", help="library name or .toml file")
    checked = add("check", check, "test a vehicle against physics and its own published figures")
    checked.add_argument("vehicle", nargs="+", help="library name or .toml file")
    made = add("derive", derive, "a complete torpedo AUV from length, radius and mass, every estimate marked")
    for flag, text in (("--length-m", "hull length"), ("--radius-m", "hull radius"), ("--mass-kg", "mass, neutral")):
        made.add_argument(flag, type=float, required=True, metavar="X", help=text)
    made.add_argument("--speed-m-s", type=float, default=1.5, metavar="X", help="speed to size fins and screw for")
    made.add_argument(
        "--added-mass", choices=("strips", "spheroid", "cylinder"), default="strips", help="how to estimate it"
    )
    made.add_argument("--out", metavar="FILE", default="torpedo.toml", help="file to write, default torpedo.toml")
    described = add("schema", schema, "JSON Schema of vehicle, world, scenario or campaign files, or of the robot link")
    which = described.add_mutually_exclusive_group()
    which.add_argument("--world", action="store_true", help="of world files")
    which.add_argument("--scenario", action="store_true", help="of scenario files")
    which.add_argument("--campaign", action="store_true", help="of campaign files")
    which.add_argument("--link", action="store_true", help="of the messages of the robot link")
    drawn = add("plot", plot, "draw a log: the whole run, pages, columns, a report; or a plotter table", PLOT_EXAMPLES)
    drawn.add_argument("log", help="log of a run (.csv, .parquet, .npz), or a table of the plotter")
    drawn.add_argument(
        "items", nargs="*", metavar="PAGE|COLUMN", help="pages or all; columns such as depth_m; 1, 2 or 3: plotter case"
    )
    drawn.add_argument("--world", metavar="WORLD", help="draw its bottom and structures")
    drawn.add_argument("--report", action="store_true", help="write the HTML report: one file, all figures")
    drawn.add_argument("--format", choices=("png", "svg", "pdf"), help="figure format (default: png)")
    drawn.add_argument("--out", metavar="FILE", help="figure to write; default: beside the log")
    add_convert(add)
    plugins = {point.name: point for point in entry_points(group="pelagos.commands")}  # commands of other distributions
    for name, point in sorted(plugins.items()):
        try:
            point.load()(add)
        except (Exception, SystemExit) as problem:  # a faulty plugin must not disable the other commands
            why = f"{type(problem).__name__}: {foreign_text(problem)}"
            print(f"pelagos: the command {name!r} of {_maker(point)} cannot be loaded ({why})", file=sys.stderr)
    if "reproduce" not in plugins:
        add("reproduce", reproduce_missing, "recompute the results of five documents (needs pelagos-evidence)")
    timed = add("bench", bench, "measure the speed of Pelagos on this machine, in a clone of the repository")
    timed.add_argument("--json", action="store_true", help="for programs")
    add_commands(add)
    add_cable(add)
    add("warmup", warmup, "compile the engine now, so that the first run starts at once")
    return top


if __name__ == "__main__":
    sys.exit(main())
