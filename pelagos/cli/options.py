"""What is flown: the words about vehicle, sea and start that `pelagos fly` and `pelagos link` share, and the flight.

The words for links that ride along, shared by `pelagos fly` and `pelagos link`: which, where, and how.

Factories are imported when their word is said: a link that nobody asks for needs nothing installed.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pelagos.session.flight import Flight
    from pelagos.session.links import Link, LinkSet
    from pelagos.session.record.playback import Playback


DIS, MAVLINK, FOXGLOVE, ROSBRIDGE = "127.0.0.1:3000", "127.0.0.1:14550", "8765", "9090"
LINKS = ("dis", "mavlink", "mcap", "foxglove", "rosbridge")
OF_DIS = {  # word of the command line: option of the exercise
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
LINK_FLAGS = (*LINKS, *OF_DIS, "mavlink_id")
SAID = {  # DIS says it itself
    "mavlink": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
    "foxglove": "listens on port {port}; it has no authentication: whoever reaches the port can watch",
    "rosbridge": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
}
ADDRESS = re.compile(r"(\w+:)?(\d+\.\d+\.\d+\.\d+|localhost|\[[0-9a-fA-F:]+\]|[\w.-]+(?=:))(:\d+(/\d+)?)?|\d+")
Add = Callable[..., argparse.ArgumentParser]


def add_links(parser: argparse.ArgumentParser) -> None:
    """The options of links that ride along."""
    group = parser.add_argument_group(
        "links that ride along", "beside whatever else goes on, any of them together; none can slow the simulation"
    )

    def where(flag: str, usual: str, name: str, text: str) -> None:
        group.add_argument(flag, nargs="?", const=usual, metavar=name, help=f"{text}; default {usual}")

    where("--dis", DIS, "ADDRESS:PORT", "an IEEE 1278 exercise: loopback, x.x.x.255 broadcast or 224-239 multicast")
    group.add_argument("--dis-version", type=int, choices=(6, 7), help="of the PDUs, default 7")
    group.add_argument("--dis-drm", type=int, metavar="N", help="dead reckoning algorithm, 1 to 9, default 4")
    for flag, name, text in (
        ("--dis-rate", "HZ", "send at this rate in place of thresholds"),
        ("--dis-threshold-m", "X", "send when dead reckoning is so far off"),
        ("--dis-threshold-deg", "X", "send when dead reckoning is turned so far off"),
    ):
        group.add_argument(flag, type=float, metavar=name, help=text)
    group.add_argument("--dis-id", type=_ident, metavar="SITE:APP:ENTITY", help="of the first vehicle, default 1:1:1")
    group.add_argument("--dis-exercise", type=int, metavar="N", help="1 to 255, default 1")
    group.add_argument("--dis-ttl", type=int, metavar="N", help="of multicast: 0 (default) stays on this machine")
    group.add_argument(
        "--dis-peer", action="append", metavar="ADDRESS", help="listen to this one only; may be repeated"
    )
    where("--mavlink", MAVLINK, "WHERE", "a submarine for ground stations: where one listens, or udpin:ADDRESS:PORT")
    group.add_argument("--mavlink-id", type=int, metavar="N", help="system id, 1 to 254, default 1")
    group.add_argument("--mcap", metavar="FILE", help="record ROS 2 messages, for Foxglove and rosbag tools")
    where("--foxglove", FOXGLOVE, "PORT", "a live socket for Foxglove")
    where("--rosbridge", ROSBRIDGE, "PORT", "a rosbridge server, to watch and to fly by roslibpy or roslibjs")


def sort_out(arguments: argparse.Namespace) -> None:
    """`--dis phoenix` means the vehicle, not an address: such a word behind a link is what shall be flown.

    CommandError if it can be neither.
    """
    from pelagos.errors import CommandError

    for name, usual in (("dis", DIS), ("mavlink", MAVLINK), ("foxglove", FOXGLOVE), ("rosbridge", ROSBRIDGE)):
        said = getattr(arguments, name)
        if said is None or ADDRESS.fullmatch(said):
            continue
        if arguments.what is not None:
            raise CommandError(f"--{name} {said}: expected where, such as {usual}")
        arguments.what = said
        setattr(arguments, name, usual)
    _check(arguments)


def wanted(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The links that are asked for."""
    return tuple(name for name in LINKS if getattr(arguments, name) is not None)


def links_of(arguments: argparse.Namespace, armed: bool = True) -> LinkSet:
    """The links, with their sockets open and their files made; CommandError if one cannot be.

    Whoever has them closes them, which `Runner` and `LockstepDriver` do. `armed`: False for a vehicle that rests until
    a ground station arms it.
    """
    from pelagos.errors import CommandError
    from pelagos.session.links import LinkSet

    links = LinkSet()
    make: dict[str, Callable[[argparse.Namespace, Any], Link]] = {
        "dis": _dis, "mavlink": functools.partial(_mavlink, armed=armed), "mcap": _mcap,
        "foxglove": _foxglove, "rosbridge": _rosbridge,
    }  # fmt: skip
    try:
        for name in wanted(arguments):
            try:
                link = make[name](arguments, links.post)
            except CommandError as problem:
                raise problem.at(file=problem.file or name) from None
            links.add(link)
            if name in SAID:
                links.post(f"{name}: {SAID[name].format(port=getattr(link, 'port', '?'))}")
    except BaseException:
        links.close()
        raise
    return links


def print_counts(links: LinkSet) -> None:
    """What came and went, a line a link."""
    from pelagos.session.links import count_lines

    for line in count_lines(links.counts()):
        print(line, file=sys.stderr, flush=True)


# ---- details ---------------------------------------------------------------------------------------------------------


def _ident(text: str) -> tuple[int, int, int]:
    """SITE:APP:ENTITY."""
    parts = text.split(":")
    if len(parts) != 3 or not all(part.isdigit() and int(part) <= 65535 for part in parts):
        raise argparse.ArgumentTypeError(f"{text} is no SITE:APP:ENTITY; expected three numbers from 0 to 65535")
    return int(parts[0]), int(parts[1]), int(parts[2])


def _check(arguments: argparse.Namespace) -> None:
    """Refuse words that would do nothing, and numbers out of range."""
    from pelagos.checks import number
    from pelagos.errors import CommandError

    said = vars(arguments)
    for word in (*OF_DIS, "mavlink_id"):
        link = word.partition("_")[0]
        if said[word] is not None and said[link] is None:
            raise CommandError(f"--{word.replace('_', '-')} goes with --{link}", expected="that as well")
    for word, low, high in (
        ("dis_drm", 1, 9), ("dis_rate", 0.01, 100.0), ("dis_threshold_m", 1e-6, 1e6),
        ("dis_threshold_deg", 1e-6, 180.0), ("dis_exercise", 1, 255), ("dis_ttl", 0, 255), ("mavlink_id", 1, 254),
    ):  # fmt: skip
        if said[word] is not None:
            number(f"--{word.replace('_', '-')}", said[word], low, high)


def _port(word: str, said: str) -> int:
    from pelagos.errors import CommandError

    if not said.isdigit() or int(said) > 65535:
        raise CommandError(f"--{word} {said}: expected a port, 0 to 65535")
    return int(said)


def _dis(arguments: argparse.Namespace, say: Any) -> Link:
    from pelagos.links.dis.exercise import Exercise

    said = vars(arguments)
    options = {name: said[word] for word, name in OF_DIS.items() if said[word] is not None}
    return Exercise(where=arguments.dis, allow_remote=arguments.allow_remote, say=say, **options)


def _mavlink(arguments: argparse.Namespace, say: Any, armed: bool) -> Link:
    from pelagos.links.mavlink.vehicle import MavlinkVehicle

    system = 1 if arguments.mavlink_id is None else arguments.mavlink_id
    return MavlinkVehicle(
        where=arguments.mavlink, system=system, allow_remote=arguments.allow_remote, say=say, armed=armed
    )


def _mcap(arguments: argparse.Namespace, say: Any) -> Link:
    from pelagos.links.ros.mcap import McapRecorder

    return McapRecorder(arguments.mcap, say=say)


def _foxglove(arguments: argparse.Namespace, say: Any) -> Link:
    from pelagos.links.ros.foxglove import FoxgloveServer

    port = _port("foxglove", arguments.foxglove)
    return FoxgloveServer(host=arguments.host, port=port, allow_remote=arguments.allow_remote, say=say)


def _rosbridge(arguments: argparse.Namespace, say: Any) -> Link:
    from pelagos.links.ros.rosbridge.link import Rosbridge

    port = _port("rosbridge", arguments.rosbridge)
    return Rosbridge(host=arguments.host, port=port, allow_remote=arguments.allow_remote, say=say)


# ---- cli flight ------------------------------------------------------------------------------------------------------


VEHICLE, WORLD, CURRENT_M_S = "bluerov2_heavy", "royer_field", 0.2
CONDITIONS = {"current": "current_m_s", "current_to": "current_to_deg", "visibility": "visibility_m"}
PLACE = ("north_m", "east_m", "depth_m", "heading_deg")
RATE_HZ = 5.0, 200.0
TETHER = ("tether", "tether_length_m", "tether_ratio", "cable", "ship")
_ANY = ("what", "current", "current_to", "rate", "seed", "pilot", "record", *TETHER, *LINK_FLAGS)
TAKES = {  # which words go with each way to fly; those of the page go with all
    "hand": (*_ANY, "world", "visibility", "sensors", *PLACE),
    "task": (*_ANY, "task", "visibility", "sensors"),
    "scenario": (*_ANY, "world"),
    "replay": ("replay",),
}
OWN = {
    "task": "a task has its own world and start",
    "scenario": "a scenario has its own mission, start and instruments",
    "replay": "--replay shows the flight of its log",
}
RATIO = 1.5  # of a cable whose own length does not reach down
Build = Callable[[], "Flight | Playback"]


def add_flight(parser: argparse.ArgumentParser, rate: str = "default 50") -> None:
    """The options about the sea and the start of a flight; `rate`: what is said of that of the ticks."""
    sea = parser.add_argument_group("where and how")
    calm = f"default {WORLD} with its current calmed to {CURRENT_M_S:g} m/s"
    sea.add_argument("--world", metavar="WORLD", help=f"library world or .toml file; {calm}")
    for flag, name, text in (
        ("--current", "SPEED", "speed of a uniform current in place of those of the world, m/s"),
        ("--current-to", "DEG", "where it flows to, clockwise from north; default 0, from the south"),
        ("--visibility", "M", "how far one sees; default: the world's"),
        ("--north-m", "X", "start; default: in the open, before something to look at"),
        ("--east-m", "X", "start"),
        ("--depth-m", "X", "start; default: 3 m above the bottom, or 10 m where that is very deep"),
        ("--heading-deg", "X", "start"),
        ("--rate", "HZ", f"ticks of the controls in a simulated second, 5 to 200, {rate}"),
    ):
        sea.add_argument(flag, type=float, metavar=name, help=text)
    sea.add_argument("--sensors", action="store_true", help="all instruments of the vehicle measure")
    sea.add_argument("--seed", type=int, metavar="N", help="seed of every random number, default 1")


def source_of(arguments: argparse.Namespace) -> Build:
    """What makes the flight or the playback; mistakes of names are found now, not in the page."""
    if arguments.replay is not None:
        _check_words("replay", arguments)
        return _replay(arguments.replay)
    tables = None if arguments.what is None else scenario_tables(arguments.what)
    way = "scenario" if tables is not None else "hand" if arguments.task is None else "task"
    _check_words(way, arguments)
    _check_values(arguments)
    if tables is not None:
        options = {"scenario": scenario_of(*tables, arguments), "pilot": arguments.pilot or ""}
        return _recorded({**options, "rate_hz": arguments.rate}, arguments)
    return _of_vehicle(arguments)


def _check_words(way: str, arguments: argparse.Namespace) -> None:
    """Refuse a word that would do nothing."""
    from pelagos.errors import CommandError

    for name, value in vars(arguments).items():
        if name in TAKES[way] or value is None or value is False or not any(name in known for known in TAKES.values()):
            continue
        word = value if name == "what" else f"--{name.replace('_', '-')}"
        raise CommandError(OWN[way], expected=f"no {word} with it")


def _check_values(arguments: argparse.Namespace) -> None:
    """What would else be found only when the flight is built, in the page."""
    from pelagos.checks import number
    from pelagos.sim import inputs

    if arguments.seed is not None:
        inputs.check_seed(arguments.seed)
    if arguments.rate is not None:
        number("--rate", arguments.rate, *RATE_HZ)
    inputs.check_place({name: vars(arguments)[name] for name in PLACE})
    if arguments.record:
        check_log("--record", arguments.record)


def check_log(word: str, name: str) -> None:
    """A log that can be begun: a name that is free, in a folder that is made if need be; CommandError if not."""
    from pelagos.errors import CommandError, MissingExtraError
    from pelagos.session.record.recording import usable_path

    path = Path(name)
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise CommandError(f"{word} {path}: expected a name that ends in .csv or .parquet")
    if path.suffix.lower() == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise MissingExtraError("pyarrow", "a Parquet log", "log")
    usable_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as problem:
        raise CommandError(f"{word} {path}: nothing can be written there ({problem.strerror})") from None


def _of_vehicle(arguments: argparse.Namespace) -> Build:
    """A flight by hand."""
    from pelagos.session.start import start_at, start_in
    from pelagos.training.conditions import Conditions
    from pelagos.vehicle.load.vehicle import load_vehicle
    from pelagos.world.load import load_world

    said = vars(arguments)
    conditions = {name: said[word] for word, name in CONDITIONS.items() if said[word] is not None}
    if "current_to_deg" in conditions and "current_m_s" not in conditions:
        conditions["current_m_s"] = CURRENT_M_S
    options: dict[str, Any] = {"seed": 1 if arguments.seed is None else arguments.seed, "rate_hz": arguments.rate}
    options |= {"sensors": arguments.sensors, "conditions": conditions, "pilot": arguments.pilot or ""}
    if arguments.task is not None:
        from pelagos.training.task import load_task

        task = load_task(arguments.task)
        Conditions.of(conditions, task.conditions)
        vehicle = task.vehicle() if arguments.what is None else load_vehicle(arguments.what)
        options |= {"task": arguments.task, "vehicle": vehicle, "tether": _tether(arguments, vehicle.key)}
        return _recorded(options, arguments)
    vehicle = load_vehicle(arguments.what or VEHICLE)
    if arguments.world is None and "current_m_s" not in conditions:
        conditions["current_m_s"] = CURRENT_M_S
    world = load_world(arguments.world or WORLD)
    flown = Conditions.of(conditions).apply(world)
    place = {name: said[name] for name in PLACE if said[name] is not None}
    if {"north_m", "east_m"} & place.keys():
        place = start_at(vehicle, flown, place)
    tether = _tether(arguments, arguments.what or VEHICLE)
    options |= {"vehicle": vehicle, "world": world}

    def complete() -> dict[str, Any]:
        start = place if "north_m" in place else start_at(vehicle, flown, {**start_in(vehicle, flown), **place})
        return {**options, "start": start, "tether": _long_enough(tether, vehicle, start)}

    return _recorded(complete, arguments)


def _recorded(options: Mapping[str, Any] | Callable[[], Mapping[str, Any]], arguments: argparse.Namespace) -> Build:
    """The flight with these options, recorded from the start if that is asked for; each anew under a new name."""

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

    read = [Playback(log)]  # now: a file that is no log is a mistake for the terminal

    def build() -> Playback:
        return read.pop() if read else Playback(log)

    return build


def scenario_tables(what: str) -> tuple[Path, Any] | None:
    """File and tables of the scenario of this name; None if it is a vehicle."""
    from pelagos.errors import ScenarioError
    from pelagos.scenario.read import find_scenario, parse_scenario, scenario_names
    from pelagos.vehicle import library

    path = find_scenario(what)
    tables = None if path is None else parse_scenario(path)
    if path is not None and tables is not None and "vehicle" in tables:
        return path, tables
    if path is None and not what.endswith(".toml") and what not in library.keys():
        raise ScenarioError(
            "no scenario and no vehicle of this name",
            file=f'"{what}"',
            names=[*scenario_names(), *library.keys()],
            misspelt=what,
        )
    return None


def scenario_of(path: Path, tables: Any, arguments: argparse.Namespace) -> Any:
    """The scenario, changed by the words."""
    from pelagos.scenario import shortcuts
    from pelagos.scenario.read import scenario_from

    said = {name: vars(arguments)[name] for name in ("seed", "world", *TETHER)}
    said |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
    return scenario_from(tables, path.name, path.parent, shortcuts.changes(said), path=str(path))


def _tether(arguments: argparse.Namespace, vehicle: str) -> dict[str, Any] | None:
    """The keys of a tether that the words ask for; None without any."""
    from pelagos.scenario import shortcuts

    changes = shortcuts.changes({name: vars(arguments)[name] for name in TETHER}, vehicle)
    return {key.removeprefix("tether."): value for key, value in changes.items()} or None


def _long_enough(tether: dict[str, Any] | None, vehicle: Any, start: Mapping[str, float]) -> dict[str, Any] | None:
    """The tether; where nobody says how long it is and the vehicle's own does not reach, a ratio of the distance."""
    if tether is None or "length_m" in tether or "ratio" in tether or vehicle.tether is None:
        return tether
    depth = start.get("depth_m", 0.0)
    if vehicle.tether.length_m >= 1.1 * depth:
        return tether
    own = f"the tether of {vehicle.key}, {vehicle.tether.length_m:g} m, does not reach {depth:g} m down"
    print(f"{own}: {RATIO:g} times the distance is paid out; see --tether-length-m", file=sys.stderr)
    return {**tether, "payout": "ratio", "ratio": RATIO}
