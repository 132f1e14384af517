"""`pelagos fly`: the console of a pilot in the browser; `--replay` shows a log there."""

from __future__ import annotations

import argparse
import os
import sys
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
        ("--depth-m", "X", "start; default: 3 m above the bottom"),
        ("--heading-deg", "X", "start"),
        ("--rate", "HZ", "ticks of the controls in a simulated second, default 50"),
    ):
        sea.add_argument(flag, type=float, metavar=name, help=text)
    sea.add_argument("--sensors", action="store_true", help="all instruments of the vehicle measure")
    sea.add_argument("--seed", type=int, metavar="N", help="seed of every random number, default 1")
    kept = fly_.add_argument_group("training, recording, replay")
    kept.add_argument("--task", metavar="NAME", help="a training task, with its own world and start")
    kept.add_argument("--pilot", metavar="NAME", default="", help="who flies, for the results")
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
    from pelagos.errors import CommandError

    said = {key: value for key, value in vars(arguments).items() if value not in (None, False, "")}
    if arguments.replay is not None:
        others = [name for name in ("what", "world", "task", "record", "tether") if name in said]
        if others:
            raise CommandError(f"--replay shows the flight of its log; expected no {others[0]} with it")
        return _replay(arguments.replay)
    if arguments.record and Path(arguments.record).exists():
        raise CommandError(f"{arguments.record} exists; expected a new name for the recording")
    if arguments.task is not None and arguments.world is not None:
        raise CommandError("a task has its own world; expected --task or --world")
    scenario = None if arguments.what is None else _scenario(arguments.what, arguments)
    if scenario is not None:
        if arguments.task is not None:
            raise CommandError("a scenario has its own mission; expected it or --task")
        return _recorded({"scenario": scenario, "rate_hz": arguments.rate}, arguments)
    return _of_vehicle(arguments)


def _of_vehicle(arguments: argparse.Namespace) -> Build:
    """A flight by hand."""
    from pelagos.training.conditions import Conditions
    from pelagos.vehicle.load import load_vehicle
    from pelagos.world.load import load_world

    said = vars(arguments)
    conditions = {name: said[word] for word, name in CONDITIONS.items() if said[word] is not None}
    if "current_to_deg" in conditions and "current_m_s" not in conditions:
        conditions["current_m_s"] = CURRENT_M_S
    options: dict[str, Any] = {"seed": 1 if arguments.seed is None else arguments.seed, "rate_hz": arguments.rate}
    options |= {"sensors": arguments.sensors, "conditions": conditions, "pilot": arguments.pilot}
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
    tether = _tether(arguments, arguments.what or VEHICLE)
    options |= {"vehicle": vehicle, "world": world}

    def complete() -> dict[str, Any]:
        from pelagos.console.start import start_in

        start = place if {"north_m", "east_m"} & place.keys() else {**start_in(vehicle, flown), **place}
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
    from pelagos.errors import CommandError

    if not Path(log).is_file():
        raise CommandError(f"{log}: there is no such log")

    def build() -> Source:
        from pelagos.console.playback import Playback

        return Playback(log)

    return build


def _scenario(what: str, arguments: argparse.Namespace) -> Any:
    """The scenario of this name or file; None if it is a vehicle."""
    from pelagos.errors import ScenarioError, nearest
    from pelagos.sim import quick
    from pelagos.sim.scenario_read import find_scenario, parse_scenario, scenario_from, scenario_names
    from pelagos.vehicle import library

    path = find_scenario(what)
    tables = None if path is None else parse_scenario(path)
    if path is not None and tables is not None and "vehicle" in tables:
        words = ("seed", "world", "tether", "tether_length_m", "tether_ratio", "cable", "ship")
        said = {name: vars(arguments)[name] for name in words}
        said |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
        return scenario_from(tables, path.name, path.parent, quick.changes(said), path=str(path))
    if path is None and not what.endswith(".toml") and what not in library.keys():
        close = nearest(what, [*scenario_names(), *library.keys()])
        raise ScenarioError(f'"{what}"', expected="no scenario and no vehicle of this name", suggestion=close)
    return None


def _tether(arguments: argparse.Namespace, vehicle: str) -> dict[str, Any] | None:
    """The keys of a tether that the words ask for; None without any."""
    from pelagos.sim import quick

    words = ("tether", "tether_length_m", "tether_ratio", "cable", "ship")
    changes = quick.changes({name: vars(arguments)[name] for name in words}, vehicle)
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

    told = {"host": arguments.host, "hear": _print}
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
