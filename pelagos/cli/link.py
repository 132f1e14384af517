"""`pelagos link`: connect a simulated vehicle to a robot's program, ArduSub, ground stations, DIS or ROS tools."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.cli.fly import print_status
from pelagos.cli.options import (
    LINK_FLAGS,
    PLACE,
    TETHER,
    VEHICLE,
    Add,
    add_flight,
    add_links,
    check_log,
    flight_builder,
    open_links,
    print_counts,
    requested_links,
    resolve_links,
    scenario_of,
    scenario_tables,
    surplus_option,
)
from pelagos.cli.run import add_tether

if TYPE_CHECKING:
    from pelagos.scenario.spec import Scenario

LINK_EXAMPLES = """\
The robot link: your program sends commands as lines of JSON and receives state and readings. docs/robot-link.md
  pelagos link phoenix-hover                      lockstep at 127.0.0.1:9100: a command, an interval, an answer
  pelagos link mine.toml --clock realtime --rate 10   in real time, ten exchanges per second
  pelagos link mine.toml --clock scaled --speed 5     five times as fast
  pelagos link phoenix --udp --log run.csv        a vehicle without a scenario; UDP as well; a log
  pelagos link run.csv                            a log, served by the same protocol to the same program

ArduSub: Pelagos is the physics of the autopilot, which speaks to QGroundControl. docs/ardusub.md
  pelagos link --ardusub bluerov2_heavy           then: ArduSub with --model JSON:127.0.0.1
  pelagos link --ardusub bluerov2 --world harbour --depth-m 3 --log dive.csv
  pelagos link --ardusub --reverse 5,6            MOT_5_DIRECTION and MOT_6_DIRECTION are -1 there

A MAVLink vehicle, without ArduSub: a submarine for a ground station, pymavlink or mavsdk. docs/mavlink.md
  pelagos link --mavlink                          QGroundControl on this machine finds it by itself, and arms it
  pelagos link --mavlink udpin:127.0.0.1:14551 rov-pipeline   wait for a client there; a scenario flies its mission

Additional links work with any of these except ArduSub, and with pelagos fly:
  pelagos link phoenix-hover --dis            the robot in a DIS exercise at 127.0.0.1:3000. docs/dis.md
  pelagos link phoenix --dis 239.1.2.3:3000 --dis-id 7:1:1 --dis-rate 10 --allow-remote
  pelagos link --mavlink --foxglove --mcap dive.mcap   look at it, and keep it, as ROS messages. docs/foxglove.md
  pelagos link --rosbridge bluerov2_heavy         flown by roslibpy or roslibjs
  pelagos fly --dis --mavlink                     all of it beside the pilot's page
  pelagos fly --task hover --mavlink              a training task, with a ground station beside the page

Everything listens on this machine alone unless --host and --allow-remote say otherwise; none of these protocols has
authentication. Ctrl-C or SIGTERM ends it: logs are complete, sockets closed, message counts printed.
Which link for whom: docs/links.md
"""
ROBOT_PORT, ARDUSUB_PORT = 9100, 9002
SPEEDS = 1e-3, 1e4  # range of the real-time factor of the scaled clock
CLOCKS = ("lockstep", "realtime", "scaled")
FRAMES = ("vectored", "vectored_6dof")
LOGS = (".csv", ".parquet", ".npz")
_ALL = ("host", "allow_remote", "quiet", "command")
_SERVED = ("name", "clock", "rate", "speed", "port", "udp")
TAKES = {  # options of each mode
    "robot": (*_ALL, *_SERVED, "log", "seed", "world", "current", "current_to", *TETHER, *LINK_FLAGS),
    "vehicle": (*_ALL, *_SERVED, "log", "seed", "world", "current", "current_to", *PLACE, *TETHER, *LINK_FLAGS),
    "log": (*_ALL, *_SERVED),
    "ardusub": (*_ALL, "ardusub", "port", "frame", "motors", "reverse", "world", "log", "seed", *PLACE),
    "flight": (*_ALL, "name", "log", "rate", "seed", "world", "current", "current_to", "visibility", "sensors",
               *PLACE, *TETHER, *LINK_FLAGS),
}  # fmt: skip
MODES = {  # the modes as errors name them
    "robot": "the robot link of a scenario",
    "vehicle": "the robot link of a vehicle",
    "log": "a log",
    "ardusub": "--ardusub",
    "flight": "a vehicle for ground stations",
}


def add_link(add: Add) -> None:
    """Add `pelagos link` to the parser."""
    text = "connect a vehicle to another program: a robot's own, ArduSub, a ground station, a DIS exercise, ROS tools"
    link_ = add("link", link, text, LINK_EXAMPLES)
    link_.usage = "pelagos link [SCENARIO | VEHICLE | LOG | --ardusub [VEHICLE] | --mavlink [WHERE]] [options]"
    link_.add_argument(
        "name", nargs="?", metavar="SCENARIO|VEHICLE|LOG", help="library name or .toml file; or the log of a run"
    )
    served = link_.add_argument_group("robot link")
    served.add_argument("--clock", choices=CLOCKS, help="default lockstep; --rate: exchanges per simulated second")
    served.add_argument("--speed", type=float, metavar="F", help="real-time factor for --clock scaled")
    served.add_argument("--port", type=int, metavar="N", help=f"default {ROBOT_PORT}; with --ardusub {ARDUSUB_PORT}")
    served.add_argument("--udp", action="store_true", help="accept UDP datagrams as well, at the same port")
    other = link_.add_argument_group("ArduSub")
    other.add_argument(
        "--ardusub", nargs="?", const=VEHICLE, metavar="VEHICLE", help=f"physics for ArduSub; default {VEHICLE}"
    )
    other.add_argument("--frame", choices=FRAMES, help="frame of ArduSub; default: by the number of thrusters")
    names = "thrusters in the order of ArduSub's motors, if geometry cannot match them; -NAME runs backwards"
    other.add_argument("--motors", type=_names, metavar="A,B,...", help=f"{names}: --motors=-A,B")
    numbers = "motors that ArduSub has reversed (MOT_n_DIRECTION -1)"
    other.add_argument("--reverse", type=_numbers, metavar="N,N,...", help=numbers)
    kept = link_.add_argument_group("for all modes")
    kept.add_argument("--host", default="127.0.0.1", metavar="H", help="address to listen at, default 127.0.0.1")
    kept.add_argument("--allow-remote", action="store_true", help="needed for addresses that others can reach")
    kept.add_argument("--log", metavar="FILE", help="log of the run, .csv or .parquet")
    kept.add_argument("--quiet", action="store_true", help="print errors only")
    add_links(link_)
    add_flight(link_, "default 50; of a robot link: exchanges, default its control rate")
    add_tether(link_)
    link_.set_defaults(
        task=None, replay=None, pilot=None, record=None
    )  # `flight_builder` reads them; only fly has them


def link(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C, SIGTERM or the end of the run; return the exit code."""
    resolve_links(arguments)
    mode = mode_of(arguments)
    _check_options(mode, arguments)
    report = None if arguments.quiet else _report
    with stopping() as stop:
        if mode == "ardusub":
            return _ardusub(arguments, report, stop)
        if mode == "flight":
            return _flight(arguments, stop)
        return _robot(mode, arguments, report, stop)


def mode_of(arguments: argparse.Namespace) -> str:
    """Return the mode that the options select, a key of TAKES."""
    from pelagos.errors import CommandError

    if arguments.ardusub is not None:
        return "ardusub"
    is_log, links = (arguments.name or "").endswith(LOGS), requested_links(arguments)
    if steering := {"mavlink", "rosbridge"} & set(links):
        if is_log:
            option = f"--{min(steering)}"
            raise CommandError("is a log", file=arguments.name, expected=f"a vehicle or a scenario with {option}")
        return "flight"
    if arguments.name is None:
        message, valid = "there is nothing to link", "a scenario, a vehicle, a log, --ardusub or --mavlink"
        if links:
            message, valid = f"--{links[0]} is an additional link", "a scenario, a vehicle or --mavlink with it"
        raise CommandError(message, expected=f"{valid}: pelagos link --help has examples")
    if is_log:
        return "log"
    return "vehicle" if scenario_tables(arguments.name) is None else "robot"


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C and SIGTERM set; a second signal interrupts at once, also a compilation."""
    stop = threading.Event()

    def end(number: int, frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt  # compiled code and blocking calls do not read the event
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _robot(mode: str, arguments: argparse.Namespace, report: Any, stop: threading.Event) -> int:
    """Serve a scenario, a vehicle or a log by the robot link."""
    from pelagos.links.robot.server import RobotServer, ticks_per_exchange

    options = {**_clock(arguments), "host": arguments.host, "port": _port(arguments, ROBOT_PORT)}
    options |= {"udp": arguments.udp, "allow_remote": arguments.allow_remote, "report": report}
    if mode == "log":
        from pelagos.links.robot.recorded import RecordedHost

        _print_counts({"robot link": RobotServer(RecordedHost(arguments.name), **options).run(stop)}, arguments)
        return 0
    from pelagos.links.robot.host import SimulationHost
    from pelagos.session.lockstep import LockstepSession

    scenario = _scenario(mode, arguments)
    ticks_per_exchange(scenario.control_rate_hz, arguments.rate)
    _check_free("the robot link", arguments, options["port"], *(["udp"] if arguments.udp else []), "tcp")
    if arguments.log is not None:
        check_log("--log", arguments.log)
    links = open_links(arguments)
    links.publish = report or (lambda text: None)
    try:
        with LockstepSession(scenario, log=arguments.log, links=links) as session:
            if report is not None:
                report("preparing the simulation; on a new machine the engine is compiled first, for a minute or two")
            session.compile()
            counts = RobotServer(SimulationHost(session, scenario.name), **options).run(stop)
            files = session.files
    finally:
        links.close()
    _print_counts({"robot link": counts, **links.counts()}, arguments)
    if report is not None:
        for path in files.values():
            report(f"recorded {path}")
    return 0


def _ardusub(arguments: argparse.Namespace, report: Any, stop: threading.Event) -> int:
    """Serve the physics of ArduSub."""
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
        seed=arguments.seed or 0, log=arguments.log, report=report, stop=stop,
    )  # fmt: skip
    _print_counts({"ardusub": counts}, arguments)
    return 0


def _flight(arguments: argparse.Namespace, stop: threading.Event) -> int:
    """Run a flight without a page, steered by its links."""
    from pelagos.session.realtime import Runner

    arguments.record = arguments.log
    if arguments.log is not None:
        check_log("--log", arguments.log)
    build = flight_builder(arguments)
    is_scenario = arguments.name is not None and scenario_tables(arguments.name) is not None
    links = open_links(arguments, armed=is_scenario)  # a scenario starts its mission; a vehicle waits to be armed
    on_message = _print_failures if arguments.quiet else _print_messages
    runner = Runner(build, lambda data: None, on_message, links=links, piloted=False)
    try:
        runner.start()
        while not stop.wait(0.1) and runner.phase != "failed":  # the flight runs in the thread of the runner
            pass
    finally:
        runner.stop()
        links.close()
    _print_counts(links.counts(), arguments)
    return 1 if runner.phase == "failed" else 0


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _print_messages(message: Mapping[str, Any]) -> None:
    """Print a message of the runner, which the console would send to its pages."""
    print_status(message)
    if message["type"] == "status" and message["phase"] == "ready":
        _report("the vehicle is in the water; Ctrl-C ends")


def _print_failures(message: Mapping[str, Any]) -> None:
    if message["type"] == "status" and message["phase"] == "failed":
        print_status(message)


def _print_counts(counts: Mapping[str, Mapping[str, int]], arguments: argparse.Namespace) -> None:
    if not arguments.quiet:
        print_counts(counts)


def _check_options(mode: str, arguments: argparse.Namespace) -> None:
    """Refuse an option that has no effect in this mode."""
    from pelagos.errors import CommandError

    if option := surplus_option(arguments, TAKES, mode):
        raise CommandError(f"{MODES[mode]} takes no {option}", expected="the command without it")


def _clock(arguments: argparse.Namespace) -> dict[str, Any]:
    from pelagos.checks import number
    from pelagos.errors import CommandError

    clock = arguments.clock or ("lockstep" if arguments.speed is None else "scaled")
    if arguments.speed is not None and clock != "scaled":
        raise CommandError("--speed goes with --clock scaled", key="--clock", value=clock)
    speed = 1.0 if arguments.speed is None else number("--speed", arguments.speed, *SPEEDS)
    return {"clock": clock, "rate_hz": arguments.rate, "speed": speed}


def _port(arguments: argparse.Namespace, default: int) -> int:
    from pelagos.checks import number

    return default if arguments.port is None else int(number("--port", arguments.port, 0, 65535))


def _check_free(link: str, arguments: argparse.Namespace, port: int, *kinds: str) -> None:
    """Refuse a port in use, before anything is compiled or written."""
    from pelagos.links.datagrams import check_bind, udp_socket
    from pelagos.session.security import listen_at

    check_bind(link, arguments.host, arguments.allow_remote)
    # The port is opened and closed again. Another program can take it before the link opens it, which is then an error
    # as well, but after the minute of a first compilation.
    for kind in kinds:
        (udp_socket if kind == "udp" else listen_at)(arguments.host, port, link).close()


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"{text} is not a list of motors; expected numbers such as 5,6")
    return tuple(int(part) for part in parts)


def _scenario(mode: str, arguments: argparse.Namespace) -> Scenario:
    """Return the scenario of a file with the changes of the options, or of a vehicle with all its sensors."""
    from pelagos.scenario import shortcuts
    from pelagos.scenario.read import scenario_from
    from pelagos.vehicle.load.vehicle import load_vehicle

    if mode == "robot":
        file_and_tables = scenario_tables(arguments.name)
        assert file_and_tables is not None
        return scenario_of(*file_and_tables, arguments)
    options = {name: vars(arguments)[name] for name in ("seed", "world", "depth_m", *TETHER)}
    options |= {"current_m_s": arguments.current, "current_to_deg": arguments.current_to}
    tables = shortcuts.vehicle_tables(arguments.name, options)
    tables["start"] = {name: value for name in PLACE if (value := vars(arguments)[name]) is not None}
    tables["sensor"] = bool(load_vehicle(arguments.name).sensors)
    del options["depth_m"], tables["control"]  # --depth-m is the start; the robot commands the first setpoints
    return scenario_from(tables, changes=shortcuts.changes(options, arguments.name))
