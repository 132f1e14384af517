"""`pelagos link`: the sea for programs that are there already: a robot's own, ArduSub, ground stations, exercises."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.cli.fly import tell_terminal
from pelagos.cli.options import (
    LINK_FLAGS,
    PLACE,
    TETHER,
    VEHICLE,
    add_flight,
    add_links,
    check_log,
    links_of,
    scenario_of,
    scenario_tables,
    sort_out,
    source_of,
    wanted,
)
from pelagos.cli.run import add_tether
from pelagos.errors import foreign_text

if TYPE_CHECKING:
    from pelagos.scenario.spec import Scenario

LINK_EXAMPLES = """\
The robot link: your program sends orders as lines of JSON and gets state and readings back. docs/robot-link.md
  pelagos link phoenix-hover                      lockstep at 127.0.0.1:9100: an order, an interval, an answer
  pelagos link mine.toml --clock realtime --rate 10   by the clock on the wall, ten exchanges a second
  pelagos link mine.toml --clock scaled --speed 5     five times as fast
  pelagos link phoenix --udp --log run.csv        a vehicle alone; datagrams too; a log
  pelagos link run.csv                            a log, served by the same protocol to the same program

ArduSub: Pelagos is the physics of the autopilot, which speaks to QGroundControl. docs/ardusub.md
  pelagos link --ardusub bluerov2_heavy           then: ArduSub with --model JSON:127.0.0.1
  pelagos link --ardusub bluerov2 --world harbour --depth-m 3 --log dive.csv
  pelagos link --ardusub --reverse 5,6            MOT_5_DIRECTION and MOT_6_DIRECTION are -1 there

A MAVLink vehicle, without ArduSub: a submarine for a ground station, pymavlink or mavsdk. docs/mavlink.md
  pelagos link --mavlink                          QGroundControl on this machine finds it by itself, and arms it
  pelagos link --mavlink udpin:127.0.0.1:14551 rov-pipeline   wait for a client there; a scenario flies its mission

Links ride along with any of these but ArduSub, and with pelagos fly:
  pelagos link phoenix-hover --dis            the robot in a DIS exercise at 127.0.0.1:3000. docs/dis.md
  pelagos link phoenix --dis 239.1.2.3:3000 --dis-id 7:1:1 --dis-rate 10 --allow-remote
  pelagos link --mavlink --foxglove --mcap dive.mcap   look at it, and keep it, as ROS messages. docs/foxglove.md
  pelagos link --rosbridge bluerov2_heavy         flown by roslibpy or roslibjs
  pelagos fly --dis --mavlink                     all of it beside the pilot's page
  pelagos fly --task hover --mavlink              a training task, with a ground station beside the page

Everything listens on this machine alone unless --host and --allow-remote say otherwise; none of these protocols has
authentication. Ctrl-C or SIGTERM ends it: logs are complete, sockets closed, what came and went is counted.
Which link for whom: docs/links.md
"""
ROBOT_PORT, ARDUSUB_PORT = 9100, 9002
SPEEDS = 1e-3, 1e4  # of the scaled clock
CLOCKS = ("lockstep", "realtime", "scaled")
FRAMES = ("vectored", "vectored_6dof")
LOGS = (".csv", ".parquet", ".npz")
_ALL = ("host", "allow_remote", "quiet", "command")
_SERVED = ("what", "clock", "rate", "speed", "port", "udp")
TAKES = {  # which words go with each way
    "robot": (*_ALL, *_SERVED, "log", "seed", "world", "current", "current_to", *TETHER, *LINK_FLAGS),
    "vehicle": (*_ALL, *_SERVED, "log", "seed", "world", "current", "current_to", *PLACE, *TETHER, *LINK_FLAGS),
    "log": (*_ALL, *_SERVED),
    "ardusub": (*_ALL, "ardusub", "port", "frame", "motors", "reverse", "world", "log", "seed", *PLACE),
    "flight": (*_ALL, "what", "log", "rate", "seed", "world", "current", "current_to", "visibility", "sensors",
               *PLACE, *TETHER, *LINK_FLAGS),
}  # fmt: skip
SAID = {
    "robot": "the robot link of a scenario",
    "vehicle": "the robot link of a vehicle",
    "log": "a log",
    "ardusub": "--ardusub",
    "flight": "a vehicle for ground stations",
}
Add = Callable[..., argparse.ArgumentParser]


def add_link(add: Add) -> None:
    """Put `pelagos link` into the parser."""
    text = "be the sea for another program: a robot's own, ArduSub, a ground station, a DIS exercise, ROS tools"
    link_ = add("link", link, text, LINK_EXAMPLES)
    link_.usage = "pelagos link [SCENARIO | VEHICLE | LOG | --ardusub [VEHICLE] | --mavlink [WHERE]] [options]"
    link_.add_argument(
        "what", nargs="?", metavar="SCENARIO|VEHICLE|LOG", help="library name or .toml file; or the log of a run"
    )
    served = link_.add_argument_group("robot link")
    served.add_argument("--clock", choices=CLOCKS, help="default lockstep; --rate: exchanges in a simulated second")
    served.add_argument("--speed", type=float, metavar="F", help="of the scaled clock: times as fast as the wall's")
    served.add_argument("--port", type=int, metavar="N", help=f"default {ROBOT_PORT}; with --ardusub {ARDUSUB_PORT}")
    served.add_argument("--udp", action="store_true", help="take datagrams as well, at the same port")
    other = link_.add_argument_group("other ways")
    other.add_argument(
        "--ardusub", nargs="?", const=VEHICLE, metavar="VEHICLE", help=f"physics for ArduSub; default {VEHICLE}"
    )
    other.add_argument("--frame", choices=FRAMES, help="of ArduSub; default: by the number of thrusters")
    names = "thrusters in the order of the motors, where geometry does not find them; -NAME runs backwards"
    other.add_argument("--motors", type=_names, metavar="A,B,...", help=f"of ArduSub: {names}: --motors=-A,B")
    numbers = "motors that ArduSub has reversed (MOT_n_DIRECTION -1)"
    other.add_argument("--reverse", type=_numbers, metavar="N,N,...", help=f"of ArduSub: {numbers}")
    kept = link_.add_argument_group("for all")
    kept.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen at, default 127.0.0.1")
    kept.add_argument("--allow-remote", action="store_true", help="needed for addresses that others can reach")
    kept.add_argument("--log", metavar="FILE", help="log of the run, .csv or .parquet")
    kept.add_argument("--quiet", action="store_true", help="print nothing but mistakes")
    add_links(link_)
    add_flight(link_, "default 50; of a robot link: exchanges, default its control rate")
    add_tether(link_)
    link_.set_defaults(task=None, replay=None, pilot=None, record=None)


def link(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, SIGTERM, or the end."""
    sort_out(arguments)
    way = way_of(arguments)
    _check_words(way, arguments)
    say = None if arguments.quiet else _say
    with stopping() as stop:
        if way == "ardusub":
            return _ardusub(arguments, say, stop)
        if way == "flight":
            return _flight(arguments, stop)
        return _robot(way, arguments, say, stop)


def way_of(arguments: argparse.Namespace) -> str:
    """What is asked for: one of the keys of TAKES."""
    from pelagos.errors import CommandError

    if arguments.ardusub is not None:
        return "ardusub"
    is_log, along = (arguments.what or "").endswith(LOGS), wanted(arguments)
    if steers := {"mavlink", "rosbridge"} & set(along):
        if is_log:
            raise CommandError(f"--{min(steers)} flies a vehicle, and {arguments.what} is a log of what was flown")
        return "flight"
    if arguments.what is None:
        said = "there is nothing to link; expected a scenario, a vehicle, a log, --ardusub or --mavlink"
        if along:
            said = f"--{along[0]} rides along with something; expected a scenario, a vehicle or --mavlink with it"
        raise CommandError(f"{said}: pelagos link --help has examples")
    if is_log:
        return "log"
    return "vehicle" if scenario_tables(arguments.what) is None else "robot"


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C and SIGTERM set; a second one ends at once, also what is being compiled."""
    stop = threading.Event()

    def end(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ---- the ways --------------------------------------------------------------------------------------------------------


def _robot(way: str, arguments: argparse.Namespace, say: Any, stop: threading.Event) -> int:
    """A scenario, a vehicle or a log by the robot link."""
    from pelagos.links.robot.server import serve

    options = {**_clock(arguments), "host": arguments.host, "port": _port(arguments, ROBOT_PORT)}
    options |= {"udp": arguments.udp, "allow_remote": arguments.allow_remote, "say": say, "stop": stop}
    if way == "log":
        from pelagos.links.robot.recorded import RecordedHost

        _print_counts({"robot link": serve(RecordedHost(arguments.what), **options)}, arguments)
        return 0
    from pelagos.links.robot.server import ticks_per_exchange
    from pelagos.session.lockstep import LockstepDriver

    scenario = _scenario(way, arguments)
    ticks_per_exchange(scenario.control_rate_hz, arguments.rate)
    _check_free("the robot link", arguments, options["port"], *(["udp"] if arguments.udp else []), "tcp")
    if arguments.log is not None:
        check_log("--log", arguments.log)
    links = links_of(arguments)
    links.publish = say or (lambda text: None)
    try:
        with LockstepDriver(scenario, log=arguments.log, links=links) as driver:
            if say is not None:
                say("preparing the simulation; on a new machine the engine is compiled first, for a minute or two")
            driver.compile()
            counts = serve(driver, title=scenario.name, **options)
            files = driver.files
    finally:
        links.close()
    _print_counts({"robot link": counts, **links.counts()}, arguments)
    if say is not None:
        for path in files.values():
            say(f"recorded {path}")
    return 0


def _ardusub(arguments: argparse.Namespace, say: Any, stop: threading.Event) -> int:
    from pelagos.errors import CommandError
    from pelagos.links.ardusub.serve import serve

    place = {name: value for name in PLACE if (value := vars(arguments)[name]) is not None}
    port = _port(arguments, ARDUSUB_PORT)
    if arguments.frame is not None and arguments.motors is not None:
        raise CommandError("--frame finds motors by geometry, --motors names them", expected="one of the two")
    _check_free("ardusub", arguments, port, "udp")
    if arguments.log is not None:
        check_log("--log", arguments.log)
    counts = serve(
        arguments.ardusub, arguments.world, frame=arguments.frame, motors=arguments.motors,
        reversed_motors=arguments.reverse or (), host=arguments.host, port=port,
        allow_remote=arguments.allow_remote, start=place or None,
        seed=arguments.seed or 0, log=arguments.log, say=say, stop=stop,
    )  # fmt: skip
    _print_counts({"ardusub": counts}, arguments)
    return 0


def _flight(arguments: argparse.Namespace, stop: threading.Event) -> int:
    """A flight without a page, steered by the links that ride along."""
    from pelagos.session.realtime import Runner

    arguments.record = arguments.log
    if arguments.log is not None:
        check_log("--log", arguments.log)
    build = source_of(arguments)
    on_its_own = arguments.what is not None and scenario_tables(arguments.what) is not None
    links = links_of(arguments, armed=on_its_own)
    hear = _hear_mistakes if arguments.quiet else _hear
    runner = Runner(build, lambda data: None, hear, links=links, piloted=False)
    try:
        runner.start()
        while not stop.wait(0.1) and runner.phase != "failed":
            pass
    finally:
        runner.stop()
        links.close()
    _print_counts(links.counts(), arguments)
    return 1 if runner.phase == "failed" else 0


# ---- details ---------------------------------------------------------------------------------------------------------


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _hear(message: Mapping[str, Any]) -> None:
    """What the runner would tell pages."""
    tell_terminal(message)
    if message["type"] == "status" and message["phase"] == "ready":
        _say("the vehicle is in the water; Ctrl-C ends")


def _hear_mistakes(message: Mapping[str, Any]) -> None:
    if message["type"] == "status" and message["phase"] == "failed":
        tell_terminal(message)


def _print_counts(counts: Mapping[str, Mapping[str, int]], arguments: argparse.Namespace) -> None:
    from pelagos.session.links import count_lines

    for line in () if arguments.quiet else count_lines(counts):
        _say(line)


def _check_words(way: str, arguments: argparse.Namespace) -> None:
    """Refuse a word that would do nothing."""
    from pelagos.errors import CommandError

    for name, value in vars(arguments).items():
        if name not in TAKES[way] and value is not None and value is not False:
            word = value if name == "what" else f"--{name.replace('_', '-')}"
            raise CommandError(f"{SAID[way]} takes no {word}", expected="it left out")


def _clock(arguments: argparse.Namespace) -> dict[str, Any]:
    from pelagos.checks import number
    from pelagos.errors import CommandError

    clock = arguments.clock or ("lockstep" if arguments.speed is None else "scaled")
    if arguments.speed is not None and clock != "scaled":
        raise CommandError(f"--speed {arguments.speed:g} goes with --clock scaled, not {clock}")
    speed = 1.0 if arguments.speed is None else number("--speed", arguments.speed, *SPEEDS)
    return {"clock": clock, "rate_hz": arguments.rate, "speed": speed}


def _port(arguments: argparse.Namespace, usual: int) -> int:
    from pelagos.checks import number

    return usual if arguments.port is None else int(number("--port", arguments.port, 0, 65535))


def _check_free(link: str, arguments: argparse.Namespace, port: int, *kinds: str) -> None:
    """Refuse a port that is taken before anything is compiled or written."""
    import socket

    from pelagos.errors import CommandError
    from pelagos.links.datagrams import check_bind, udp_socket

    host = arguments.host
    check_bind(link, host, arguments.allow_remote)
    for kind in kinds:
        try:
            (udp_socket(host, port) if kind == "udp" else socket.create_server((host, port))).close()
        except OSError as problem:
            message = f"{host}:{port} cannot be listened to ({foreign_text(problem)})"
            raise CommandError(message, file=link, expected="a free port") from None
        except CommandError as problem:
            raise problem.at(file=link) from None


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"{text} is no list of motors; expected numbers such as 5,6")
    return tuple(int(part) for part in parts)


def _scenario(way: str, arguments: argparse.Namespace) -> Scenario:
    """That of a file, changed by the words; or a vehicle alone in calm water, with all its instruments."""
    from pelagos.scenario import shortcuts
    from pelagos.scenario.read import scenario_from
    from pelagos.vehicle.load.vehicle import load_vehicle

    if way == "robot":
        found = scenario_tables(arguments.what)
        assert found is not None
        return scenario_of(*found, arguments)
    said = {name: vars(arguments)[name] for name in ("seed", "world", "depth_m", *TETHER)}
    said |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
    tables = shortcuts.alone(arguments.what, said)
    tables["start"] = {name: value for name in PLACE if (value := vars(arguments)[name]) is not None}
    tables["sensor"] = bool(load_vehicle(arguments.what).sensors)
    del said["depth_m"], tables["control"]  # nothing is held until the robot says so
    return scenario_from(tables, changes=shortcuts.changes(said, arguments.what))
