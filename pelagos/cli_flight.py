"""What is flown: the words about vehicle, sea and start that `pelagos fly` and `pelagos link` share, and the flight."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pelagos.cli_riders import RIDERS

if TYPE_CHECKING:
    from pelagos.console.source import Source

VEHICLE, WORLD, CURRENT_M_S = "bluerov2_heavy", "royer_field", 0.2
CONDITIONS = {"current": "current_m_s", "current_to": "current_to_deg", "visibility": "visibility_m"}
PLACE = ("north_m", "east_m", "depth_m", "heading_deg")
RATE_HZ = 5.0, 200.0
TETHER = ("tether", "tether_length_m", "tether_ratio", "cable", "ship")
_ANY = ("what", "current", "current_to", "rate", "seed", "pilot", "record", *TETHER, *RIDERS)
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
Build = Callable[[], "Source"]


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
        raise CommandError(f"{OWN[way]}; expected no {word} with it")


def _check_values(arguments: argparse.Namespace) -> None:
    """What would else be found only when the flight is built, in the page."""
    from pelagos.messages import number
    from pelagos.sim import given

    if arguments.seed is not None:
        given.a_seed(arguments.seed)
    if arguments.rate is not None:
        number("--rate", arguments.rate, *RATE_HZ)
    given.a_place({name: vars(arguments)[name] for name in PLACE})
    if arguments.record:
        check_log("--record", arguments.record)


def check_log(word: str, name: str) -> None:
    """A log that can be begun: a name that is free, in a folder that is made if need be; CommandError if not."""
    from pelagos.console.recording import usable_path
    from pelagos.errors import CommandError, MissingExtraError

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
    from pelagos.console.start import start_at, start_in
    from pelagos.training.conditions import Conditions
    from pelagos.vehicle.load import load_vehicle
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

    def build() -> Source:
        from pelagos.console.flight import Flight
        from pelagos.console.recording import free_path

        flight = Flight(**(options() if callable(options) else options))
        if arguments.record is not None:
            flight.record(free_path(Path(arguments.record)) if arguments.record else None)
        return flight

    return build


def _replay(log: str) -> Build:
    from pelagos.console.playback import Playback

    read = [Playback(log)]  # now: a file that is no log is a mistake for the terminal

    def build() -> Source:
        return read.pop() if read else Playback(log)

    return build


def scenario_tables(what: str) -> tuple[Path, Any] | None:
    """File and tables of the scenario of this name; None if it is a vehicle."""
    from pelagos.errors import ScenarioError, nearest
    from pelagos.sim.scenario_read import find_scenario, parse_scenario, scenario_names
    from pelagos.vehicle import library

    path = find_scenario(what)
    tables = None if path is None else parse_scenario(path)
    if path is not None and tables is not None and "vehicle" in tables:
        return path, tables
    if path is None and not what.endswith(".toml") and what not in library.keys():
        close = nearest(what, [*scenario_names(), *library.keys()])
        raise ScenarioError(f'"{what}"', expected="no scenario and no vehicle of this name", suggestion=close)
    return None


def scenario_of(path: Path, tables: Any, arguments: argparse.Namespace) -> Any:
    """The scenario, changed by the words."""
    from pelagos.sim import quick
    from pelagos.sim.scenario_read import scenario_from

    said = {name: vars(arguments)[name] for name in ("seed", "world", *TETHER)}
    said |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
    return scenario_from(tables, path.name, path.parent, quick.changes(said), path=str(path))


def _tether(arguments: argparse.Namespace, vehicle: str) -> dict[str, Any] | None:
    """The keys of a tether that the words ask for; None without any."""
    from pelagos.sim import quick

    changes = quick.changes({name: vars(arguments)[name] for name in TETHER}, vehicle)
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
