"""`pelagos fly`: the console of a pilot in the browser; `--replay` shows a log there."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pelagos.cli_tether import add_tether

if TYPE_CHECKING:
    from pelagos.console.source import Source

FLY_EXAMPLES = """\
examples:
  pelagos fly                                  a BlueROV2 Heavy before the wellhead of Royer's field
  pelagos fly seagrant1 --world royer_field --current 0.75 --tether
  pelagos fly iver3 --world gavia_bottom       an AUV: it steers while it moves
  pelagos fly rov-pipeline                     a ready scenario flies its mission until you take the sticks
  pelagos fly --task hover --pilot Ann         a training task; pelagos training lists them
  pelagos fly --record                         a new log in this folder, from the start; O in the page does the same
  pelagos fly --replay run.parquet             any log or recording, with a time bar
  pelagos fly --host 192.168.1.7 --allow-remote    others on the network may watch, and take over when asked

The program prints an address with a token; whoever opens it can watch, one at a time has the controls. Ctrl-C ends the
flight and closes its recording. Keys, gamepad and everything else: docs/console.md, or H in the page.
"""

VEHICLE, WORLD, CURRENT_M_S = "bluerov2_heavy", "royer_field", 0.2
PORT = 8460  # the same every time, so that the browser finds the settings it keeps for this page
CONDITIONS = {"current": "current_m_s", "current_to": "current_to_deg", "visibility": "visibility_m"}
PLACE = ("north_m", "east_m", "depth_m", "heading_deg")
RATE_HZ = 5.0, 200.0
TETHER = ("tether", "tether_length_m", "tether_ratio", "cable", "ship")
_ANY = ("what", "current", "current_to", "rate", "seed", "pilot", "record", *TETHER)
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
Add = Callable[..., argparse.ArgumentParser]
Build = Callable[[], "Source"]


def add_fly(add: Add) -> None:
    """Put `pelagos fly` into the parser."""
    fly_ = add("fly", fly, "pilot a vehicle in the browser, or replay a log there", FLY_EXAMPLES)
    fly_.add_argument(
        "what", nargs="?", metavar="VEHICLE|SCENARIO", help=f"library name or .toml file of either, default {VEHICLE}"
    )
    sea = fly_.add_argument_group("where and how")
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
        ("--rate", "HZ", "ticks of the controls in a simulated second, 5 to 200, default 50"),
    ):
        sea.add_argument(flag, type=float, metavar=name, help=text)
    sea.add_argument("--sensors", action="store_true", help="all instruments of the vehicle measure")
    sea.add_argument("--seed", type=int, metavar="N", help="seed of every random number, default 1")
    kept = fly_.add_argument_group("training, recording, replay")
    kept.add_argument("--task", metavar="NAME", help="a training task, with its own world and start")
    kept.add_argument("--pilot", metavar="NAME", help="who flies, for the results")
    kept.add_argument(
        "--record", nargs="?", const="", metavar="FILE", help=".csv or .parquet; without a name a new one"
    )
    kept.add_argument("--replay", metavar="LOG", help="show a log in place of a flight")
    served = fly_.add_argument_group("the page")
    served.add_argument("--port", type=int, metavar="N", help=f"default {PORT}, or any that is free")
    served.add_argument("--host", default="127.0.0.1", metavar="H", help="address to serve at, default 127.0.0.1")
    served.add_argument("--allow-remote", action="store_true", help="needed for a host that others can reach")
    served.add_argument("--no-browser", action="store_true", help="only print the address")
    add_tether(fly_)


def fly(arguments: argparse.Namespace) -> int:
    """Serve the console until Ctrl-C."""
    _check_host(arguments.host, arguments.allow_remote)
    build = source_of(arguments)
    from pelagos.console.hosts import is_loopback
    from pelagos.console.server import Console

    console = _console(build, arguments, Console)
    print(f"open {console.address}", flush=True)
    if not is_loopback(arguments.host):
        _warn(console)
    if not arguments.no_browser:
        _open(console.address)
    console.run()
    print("the console is closed", flush=True)
    return 0


def source_of(arguments: argparse.Namespace) -> Build:
    """What makes the flight or the playback; mistakes of names are found now, not in the page."""
    if arguments.replay is not None:
        _check_words("replay", arguments)
        return _replay(arguments.replay)
    tables = None if arguments.what is None else _scenario_tables(arguments.what)
    way = "scenario" if tables is not None else "hand" if arguments.task is None else "task"
    _check_words(way, arguments)
    _check_values(arguments)
    if tables is not None:
        options = {"scenario": _scenario(*tables, arguments), "pilot": arguments.pilot or ""}
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
    from pelagos.errors import CommandError, MissingExtraError
    from pelagos.messages import number
    from pelagos.sim import given

    if arguments.seed is not None:
        given.a_seed(arguments.seed)
    if arguments.rate is not None:
        number("--rate", arguments.rate, *RATE_HZ)
    given.a_place({name: vars(arguments)[name] for name in PLACE})
    if arguments.record:
        from pelagos.console.recording import free_path

        path = Path(arguments.record)
        if path.suffix.lower() not in (".csv", ".parquet"):
            raise CommandError(f"--record {path}: expected a name that ends in .csv or .parquet")
        if path.suffix.lower() == ".parquet" and importlib.util.find_spec("pyarrow") is None:
            raise MissingExtraError("pyarrow", "a Parquet log", "log")
        if free_path(path) != path:
            raise CommandError(f"{path} exists; expected a new name for the recording")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as problem:
            raise CommandError(f"--record {path}: nothing can be written there ({problem.strerror})") from None


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


def _scenario_tables(what: str) -> tuple[Path, Any] | None:
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


def _scenario(path: Path, tables: Any, arguments: argparse.Namespace) -> Any:
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


def _console(build: Build, arguments: argparse.Namespace, make: Any) -> Any:
    """At the port that is asked for, or at the usual one, or at any."""
    from pelagos.errors import CommandError

    tasks = () if arguments.task is None else (arguments.task,)
    told = {"host": arguments.host, "tasks": tasks, "hear": _print}
    if arguments.port is not None:
        return make(build, port=arguments.port, **told)
    try:
        return make(build, port=PORT, **told)
    except CommandError:
        return make(build, port=0, **told)


def _print(message: Mapping[str, Any]) -> None:
    """What somebody at the terminal wants to know."""
    if message["type"] == "status" and message["text"]:
        print(f"{message['phase']}: {message['text']}", file=sys.stderr, flush=True)
    elif message.get("kind") == "record":
        print(message["text"], file=sys.stderr, flush=True)


def _check_host(host: str, allowed: bool) -> None:
    """Refuse an address that others can reach unless that is wanted."""
    from pelagos.console.hosts import is_loopback
    from pelagos.errors import CommandError

    if not is_loopback(host) and not allowed:
        raise CommandError(f"--host {host} lets other machines in; expected --allow-remote with it if that is wanted")


def _warn(console: Any) -> None:
    print(
        "warning: other machines can reach this console. Whoever has the address with its token can watch and fly;\n"
        "         the link is not encrypted: use it on a network that you trust.",
        file=sys.stderr,
        flush=True,
    )
    for address in console.reachable():
        print(f"  from elsewhere: {address}", file=sys.stderr, flush=True)


def _open(address: str) -> None:
    """Open the browser beside; without a screen there is none, and a browser of the terminal would take it over."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        print("no screen here: open the address in a browser yourself", file=sys.stderr, flush=True)
        return
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
