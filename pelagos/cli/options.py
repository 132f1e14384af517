"""Command-line options that `pelagos fly` and `pelagos link` share, and the flights and links made from them.

The first group of options is about additional links (DIS, MAVLink, MCAP, Foxglove, rosbridge), the second about
vehicle, world, start and recording of a flight. Link modules are imported only when their option is present, so the
packages that they need are optional.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pelagos.files.library import Library
    from pelagos.session.flight import Flight
    from pelagos.session.links import Link, LinkSet
    from pelagos.session.record.playback import Playback


DIS, MAVLINK, FOXGLOVE, ROSBRIDGE = "127.0.0.1:3000", "127.0.0.1:14550", "8765", "9090"
LINKS = ("dis", "mavlink", "mcap", "foxglove", "rosbridge")
DIS_OPTIONS = {  # option of the command line: keyword of `Exercise`
    "dis_version": "version",
    "dis_drm": "algorithm",
    "dis_rate": "fixed_hz",
    "dis_threshold_m": "threshold_m",
    "dis_threshold_deg": "threshold_deg",
    "dis_id": "ident",
    "dis_exercise": "exercise",
    "dis_ttl": "ttl",
    "dis_peer": "allowed",
}
LINK_FLAGS = (*LINKS, *DIS_OPTIONS, "mavlink_id")
LISTENING = {  # printed when the link is open; the DIS link prints its own line
    "mavlink": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
    "foxglove": "listens on port {port}; it has no authentication: whoever reaches the port can watch",
    "rosbridge": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
}
# IPv4, localhost, [IPv6] or HOST:, each with an optional protocol and port (or port/port), or a port alone. A bare name
# without a port does not match: it is a vehicle or a scenario.
ADDRESS = re.compile(r"(\w+:)?(\d+\.\d+\.\d+\.\d+|localhost|\[[0-9a-fA-F:]+\]|[\w.-]+(?=:))(:\d+(/\d+)?)?|\d+")
VEHICLE, WORLD, CURRENT_M_S = "bluerov2_heavy", "royer_field", 0.2
CONDITIONS = {"current": "current_m_s", "current_to": "current_to_deg", "visibility": "visibility_m"}
PLACE = ("north_m", "east_m", "depth_m", "heading_deg")
RATE_HZ = 5.0, 200.0
TETHER = ("tether", "tether_length_m", "tether_ratio", "cable", "ship")
_ANY = ("name", "current", "current_to", "rate", "seed", "pilot", "record", *TETHER, *LINK_FLAGS)
TAKES = {  # options of each kind of flight; those of the page belong to all kinds
    "hand": (*_ANY, "world", "visibility", "sensors", *PLACE),
    "task": (*_ANY, "task", "visibility", "sensors"),
    "scenario": (*_ANY, "world"),
    "replay": ("replay",),
}
REFUSALS = {
    "task": "a task has its own world and start",
    "scenario": "a scenario has its own mission, start and instruments",
    "replay": "--replay shows the flight of its log",
}
RATIO = 1.5  # length over distance of a tether whose default length does not reach the start
Add = Callable[..., argparse.ArgumentParser]  # adds a command to the parser: name, function, help, examples
Build = Callable[[], "Flight | Playback"]


def add_links(parser: argparse.ArgumentParser) -> None:
    """Add the options of additional links to a parser."""
    group = parser.add_argument_group(
        "additional links", "any combination of them, beside the command's own link; none can slow the simulation"
    )

    def address(flag: str, default: str, name: str, text: str) -> None:
        group.add_argument(flag, nargs="?", const=default, metavar=name, help=f"{text}; default {default}")

    address("--dis", DIS, "ADDRESS:PORT", "an IEEE 1278 exercise: loopback, x.x.x.255 broadcast or 224-239 multicast")
    group.add_argument("--dis-version", type=int, choices=(6, 7), help="of the PDUs, default 7")
    group.add_argument("--dis-drm", type=int, metavar="N", help="dead reckoning algorithm, 1 to 9, default 4")
    for flag, name, text in (
        ("--dis-rate", "HZ", "send at this rate in place of thresholds"),
        ("--dis-threshold-m", "X", "send when the dead-reckoned position is off by X"),
        ("--dis-threshold-deg", "X", "send when the dead-reckoned attitude is off by X"),
    ):
        group.add_argument(flag, type=float, metavar=name, help=text)
    group.add_argument("--dis-id", type=_ident, metavar="SITE:APP:ENTITY", help="of the first vehicle, default 1:1:1")
    group.add_argument("--dis-exercise", type=int, metavar="N", help="1 to 255, default 1")
    group.add_argument("--dis-ttl", type=int, metavar="N", help="of multicast: 0 (default) stays on this machine")
    group.add_argument(
        "--dis-peer", action="append", metavar="ADDRESS", help="accept PDUs from this address only; may be repeated"
    )
    address("--mavlink", MAVLINK, "WHERE", "a submarine for ground stations: where one listens, or udpin:ADDRESS:PORT")
    group.add_argument("--mavlink-id", type=int, metavar="N", help="system id, 1 to 254, default 1")
    group.add_argument("--mcap", metavar="FILE", help="record ROS 2 messages, for Foxglove and rosbag tools")
    address("--foxglove", FOXGLOVE, "PORT", "a live socket for Foxglove")
    address("--rosbridge", ROSBRIDGE, "PORT", "a rosbridge server, to watch and to fly by roslibpy or roslibjs")


def resolve_links(arguments: argparse.Namespace) -> None:
    """Read a value of a link option that is not an address as the vehicle or scenario, and check all link options.

    argparse takes `phoenix` in `--dis phoenix` for the value of --dis, but the user means the vehicle.
    """
    from pelagos.errors import CommandError

    for link, default in (("dis", DIS), ("mavlink", MAVLINK), ("foxglove", FOXGLOVE), ("rosbridge", ROSBRIDGE)):
        value = getattr(arguments, link)
        if value is None or ADDRESS.fullmatch(value):
            continue
        if arguments.name is not None:
            raise CommandError(key=f"--{link}", value=value, expected=f"an address or a port, such as {default}")
        arguments.name = value
        setattr(arguments, link, default)
    _check(arguments)


def requested_links(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the names of the links whose options are present."""
    return tuple(name for name in LINKS if getattr(arguments, name) is not None)


def open_links(arguments: argparse.Namespace, armed: bool = True) -> LinkSet:
    """Open the sockets and files of all requested links; CommandError if that fails.

    The caller closes them; `Runner` and `LockstepSession` do. `armed` is False for a vehicle that stays disarmed until
    a ground station arms it.
    """
    from pelagos.errors import CommandError
    from pelagos.session.links import LinkSet

    links = LinkSet()
    make: dict[str, Callable[[argparse.Namespace, Any], Link]] = {
        "dis": _dis, "mavlink": functools.partial(_mavlink, armed=armed), "mcap": _mcap,
        "foxglove": functools.partial(_live, link="foxglove"), "rosbridge": functools.partial(_live, link="rosbridge"),
    }  # fmt: skip
    try:
        for name in requested_links(arguments):
            try:
                link = make[name](arguments, links.post)
            except CommandError as problem:
                raise problem.at(file=problem.file or name) from None
            links.add(link)
            if name in LISTENING:
                links.post(f"{name}: {LISTENING[name].format(port=getattr(link, 'port', '?'))}")
    except BaseException:  # also Ctrl-C: the links already open have sockets and files
        links.close()
        raise
    return links


def print_counts(counts: Mapping[str, Mapping[str, int]]) -> None:
    """Print the message counts of each link on a line."""
    from pelagos.session.links import count_lines

    for line in count_lines(counts):
        print(line, file=sys.stderr, flush=True)


def _ident(text: str) -> tuple[int, int, int]:
    """Parse SITE:APP:ENTITY."""
    parts = text.split(":")
    if len(parts) != 3 or not all(part.isdigit() and int(part) <= 65535 for part in parts):
        raise argparse.ArgumentTypeError(f"{text} is not SITE:APP:ENTITY; expected three numbers from 0 to 65535")
    return int(parts[0]), int(parts[1]), int(parts[2])


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options of a link that is not requested, and numbers out of range."""
    from pelagos.checks import number
    from pelagos.errors import CommandError

    options = vars(arguments)
    for name in (*DIS_OPTIONS, "mavlink_id"):
        link = name.partition("_")[0]
        if options[name] is not None and options[link] is None:
            raise CommandError("has no effect alone", key=f"--{name.replace('_', '-')}", expected=f"--{link} as well")
    for name, low, high in (
        ("dis_drm", 1, 9), ("dis_rate", 0.01, 100.0), ("dis_threshold_m", 1e-6, 1e6),
        ("dis_threshold_deg", 1e-6, 180.0), ("dis_exercise", 1, 255), ("dis_ttl", 0, 255), ("mavlink_id", 1, 254),
    ):  # fmt: skip
        if options[name] is not None:
            number(f"--{name.replace('_', '-')}", options[name], low, high)


def _port(link: str, text: str) -> int:
    from pelagos.errors import CommandError

    if not text.isdigit() or int(text) > 65535:
        raise CommandError(key=f"--{link}", value=text, expected="a port, 0 to 65535")
    return int(text)


def _dis(arguments: argparse.Namespace, report: Any) -> Link:
    from pelagos.links.dis.exercise import Exercise

    keywords = {key: value for name, key in DIS_OPTIONS.items() if (value := vars(arguments)[name]) is not None}
    return Exercise(where=arguments.dis, allow_remote=arguments.allow_remote, report=report, **keywords)


def _mavlink(arguments: argparse.Namespace, report: Any, armed: bool) -> Link:
    from pelagos.links.mavlink.vehicle import MavlinkVehicle

    system = 1 if arguments.mavlink_id is None else arguments.mavlink_id
    return MavlinkVehicle(
        where=arguments.mavlink, system=system, allow_remote=arguments.allow_remote, report=report, armed=armed
    )


def _mcap(arguments: argparse.Namespace, report: Any) -> Link:
    from pelagos.links.ros.mcap import McapRecorder

    return McapRecorder(arguments.mcap, report=report)


def _live(arguments: argparse.Namespace, report: Any, link: str) -> Link:
    """A server of ROS messages at a port: for Foxglove, or a rosbridge."""
    if link == "foxglove":
        from pelagos.links.ros.foxglove import FoxgloveServer as Server
    else:
        from pelagos.links.ros.rosbridge.link import Rosbridge as Server
    port = _port(link, getattr(arguments, link))
    return Server(host=arguments.host, port=port, allow_remote=arguments.allow_remote, report=report)


def add_flight(parser: argparse.ArgumentParser, rate: str = "default 50") -> None:
    """Add the options about world, start and sensors to a parser; `rate` is the help text on the default of --rate."""
    sea = parser.add_argument_group("where and how")
    calm = f"default {WORLD} with its current calmed to {CURRENT_M_S:g} m/s"
    sea.add_argument("--world", metavar="WORLD", help=f"library world or .toml file; {calm}")
    for flag, name, text in (
        ("--current", "SPEED", "speed of a uniform current in place of those of the world, m/s"),
        ("--current-to", "DEG", "where it flows to, clockwise from north; default 0, from the south"),
        ("--visibility", "M", "range of sight in the water; default: the world's"),
        ("--north-m", "X", "start; default: in open water, facing a structure"),
        ("--east-m", "X", "start"),
        ("--depth-m", "X", "start; default: 3 m above the bottom, or 10 m where that is very deep"),
        ("--heading-deg", "X", "start"),
        ("--rate", "HZ", f"control rate, 5 to 200 ticks per simulated second, {rate}"),
    ):
        sea.add_argument(flag, type=float, metavar=name, help=text)
    sea.add_argument("--sensors", action="store_true", help="simulate all sensors of the vehicle")
    sea.add_argument("--seed", type=int, metavar="N", help="seed of every random number, default 1")


def flight_builder(arguments: argparse.Namespace) -> Build:
    """Return the function that builds the flight or the playback.

    Names and values are checked here, so that a mistake ends the command before a page is served.
    """
    if arguments.replay is not None:
        _check_options("replay", arguments)
        return _replay(arguments.replay)
    tables = None if arguments.name is None else scenario_tables(arguments.name)
    kind = "scenario" if tables is not None else "hand" if arguments.task is None else "task"
    _check_options(kind, arguments)
    _check_values(arguments)
    if tables is not None:
        options = {"scenario": scenario_of(*tables, arguments), "pilot": arguments.pilot or ""}
        return _recorded({**options, "rate_hz": arguments.rate}, arguments)
    return _by_hand(arguments)


def surplus_option(arguments: argparse.Namespace, takes: Mapping[str, Sequence[str]], kind: str) -> str:
    """Return the first option on the command line that other kinds of `takes` take, this one not; "" without any."""
    known = {name for names in takes.values() for name in names} - set(takes[kind])
    for name, value in vars(arguments).items():
        if name in known and value is not None and value is not False:
            return str(value) if name == "name" else f"--{name.replace('_', '-')}"
    return ""


def _check_options(kind: str, arguments: argparse.Namespace) -> None:
    """Refuse an option that has no effect on this kind of flight."""
    from pelagos.errors import CommandError

    if option := surplus_option(arguments, TAKES, kind):
        raise CommandError(REFUSALS[kind], expected=f"no {option} with it")


def _check_values(arguments: argparse.Namespace) -> None:
    """Check values that the flight would refuse later, when it is built for the page."""
    from pelagos.checks import number
    from pelagos.sim import inputs

    if arguments.seed is not None:
        inputs.check_seed(arguments.seed)
    if arguments.rate is not None:
        number("--rate", arguments.rate, *RATE_HZ)
    inputs.check_place({name: vars(arguments)[name] for name in PLACE})
    if arguments.record:
        check_log("--record", arguments.record)


def check_log(option: str, name: str) -> None:
    """Refuse a log file that cannot be written: a wrong suffix, an existing file, a folder that cannot be made."""
    from pelagos.errors import CommandError, MissingExtraError
    from pelagos.session.record.recording import usable_path

    path = Path(name)
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise CommandError(key=option, value=str(path), expected="a name that ends in .csv or .parquet")
    if path.suffix.lower() == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("pyarrow", "a Parquet log", "log")
    usable_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):  # os.access is not reliable on network drives and Windows
            pass
    except OSError as problem:
        message = f"nothing can be written there ({problem.strerror})"
        raise CommandError(message, key=option, value=str(path)) from None


def _by_hand(arguments: argparse.Namespace) -> Build:
    """Return the builder of a flight that a pilot steers, with or without a training task."""
    from pelagos.sim.start import start_at, start_in
    from pelagos.training.conditions import Conditions
    from pelagos.vehicle.load.vehicle import load_vehicle
    from pelagos.world.load import load_world

    values = vars(arguments)
    conditions = {key: values[name] for name, key in CONDITIONS.items() if values[name] is not None}
    if "current_to_deg" in conditions and "current_m_s" not in conditions:  # a direction alone has no effect
        conditions["current_m_s"] = CURRENT_M_S
    options: dict[str, Any] = {"seed": 1 if arguments.seed is None else arguments.seed, "rate_hz": arguments.rate}
    options |= {"sensors": arguments.sensors, "conditions": conditions, "pilot": arguments.pilot or ""}
    if arguments.task is not None:
        from pelagos.training.task import load_task

        task = load_task(arguments.task)
        Conditions.of(conditions, task.conditions)
        vehicle = task.vehicle() if arguments.name is None else load_vehicle(arguments.name)
        options |= {"task": arguments.task, "vehicle": vehicle, "tether": _tether(arguments, vehicle.key)}
        return _recorded(options, arguments)
    vehicle = load_vehicle(arguments.name or VEHICLE)
    if arguments.world is None and "current_m_s" not in conditions:
        conditions["current_m_s"] = CURRENT_M_S
    world = load_world(arguments.world or WORLD)
    changed_world = Conditions.of(conditions).apply(world)
    place = {name: values[name] for name in PLACE if values[name] is not None}
    if {"north_m", "east_m"} & place.keys():
        place = start_at(vehicle, changed_world, place)
    tether = _tether(arguments, arguments.name or VEHICLE)
    options |= {"vehicle": vehicle, "world": world}

    def complete() -> dict[str, Any]:  # later, while the page is already open: the search for a start casts rays
        start = place
        if "north_m" not in place:
            start = start_at(vehicle, changed_world, {**start_in(vehicle, changed_world), **place})
        return {**options, "start": start, "tether": _long_enough(tether, vehicle, start)}

    return _recorded(complete, arguments)


def _recorded(options: Mapping[str, Any] | Callable[[], Mapping[str, Any]], arguments: argparse.Namespace) -> Build:
    """Return the builder of a flight with these options, recorded from its start with --record.

    A restart builds the flight again; its recording gets a new file name.
    """

    def build() -> Flight:
        from pelagos.session.flight import Flight
        from pelagos.session.record.recording import free_path

        flight = Flight(**(options() if callable(options) else options))
        if arguments.record is not None:
            flight.record(free_path(Path(arguments.record)) if arguments.record else None)
        return flight

    return build


def _replay(log: str) -> Build:
    from pelagos.session.record.playback import Playback

    first = [Playback(log)]  # read now, so that an error about the file appears in the terminal

    def build() -> Playback:
        return first.pop() if first else Playback(log)

    return build


def print_library(library: Library) -> int:
    """List the files of a library with their summaries."""
    print_table([(entry.key, entry.summary) for entry in library.entries()])
    return 0


def print_table(rows: Sequence[Sequence[str]], numbers: Container[int] = ()) -> None:
    """Print rows of cells in columns; those of `numbers` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:{'>' if k in numbers else '<'}{widths[k]}}" for k, cell in enumerate(row)]
        print("  ".join(cells).rstrip())


def scenario_tables(name: str) -> tuple[Path, Any] | None:
    """Return file and tables of the scenario of this name; None for a vehicle, an error for neither."""
    from pelagos.errors import ScenarioError
    from pelagos.files.library import SCENARIOS, VEHICLES
    from pelagos.files.source import read_toml

    path = SCENARIOS.find(name)
    tables = None if path is None else read_toml(path)
    if path is not None and tables is not None and "vehicle" in tables:
        return path, tables
    if path is None and not name.endswith(".toml") and VEHICLES.find(name) is None:
        raise ScenarioError(
            "no scenario and no vehicle of this name",
            file=f'"{name}"',
            names=[*SCENARIOS.names(), *VEHICLES.names()],
            misspelt=name,
        )
    return None


def scenario_of(path: Path, tables: Any, arguments: argparse.Namespace) -> Any:
    """Return the scenario with the changes of the command line."""
    from pelagos.scenario import shortcuts
    from pelagos.scenario.read import scenario_from

    options = {name: vars(arguments)[name] for name in ("seed", "world", *TETHER)}
    options |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
    return scenario_from(tables, path.name, path.parent, shortcuts.changes(options), path=str(path))


def _tether(arguments: argparse.Namespace, vehicle: str) -> dict[str, Any] | None:
    """Return the tether keys of the options; None without any."""
    from pelagos.scenario import shortcuts

    changes = shortcuts.changes({name: vars(arguments)[name] for name in TETHER}, vehicle)
    return {key.removeprefix("tether."): value for key, value in changes.items()} or None


def _long_enough(tether: dict[str, Any] | None, vehicle: Any, start: Mapping[str, float]) -> dict[str, Any] | None:
    """Return the tether; one of default length that does not reach the start is paid out by a ratio instead."""
    if tether is None or "length_m" in tether or "ratio" in tether or vehicle.tether is None:
        return tether
    depth = start.get("depth_m", 0.0)
    if vehicle.tether.length_m >= 1.1 * depth:  # a tenth of slack
        return tether
    reason = f"the tether of {vehicle.key}, {vehicle.tether.length_m:g} m, does not reach {depth:g} m down"
    print(f"{reason}: {RATIO:g} times the distance is paid out; see --tether-length-m", file=sys.stderr)
    return {**tether, "payout": "ratio", "ratio": RATIO}
