"""`pelagos fly`: serve the pilot's console in the browser, for a flight or the replay of a log."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any

from pelagos.cli.options import (
    VEHICLE,
    Add,
    Build,
    add_flight,
    add_links,
    flight_builder,
    open_links,
    print_counts,
    resolve_links,
)
from pelagos.cli.run import add_tether

FLY_EXAMPLES = """\
examples:
  pelagos fly                                  a BlueROV2 Heavy before the wellhead of Royer's field
  pelagos fly seagrant1 --world royer_field --current 0.75 --tether
  pelagos fly iver3 --world gavia_bottom       an AUV: it steers while it moves
  pelagos fly rov-pipeline                     a ready scenario flies its mission until you take the sticks
  pelagos fly --task hover --pilot Ann         a training task; pelagos training lists them
  pelagos fly --record                         record from the start to a new log in this folder; key O does the same
  pelagos fly --replay run.parquet             any log or recording, with a time bar
  pelagos fly --dis --mavlink                  in a DIS exercise and with a ground station; see pelagos link
  pelagos fly --mcap dive.mcap --foxglove      recorded and published as ROS messages
  pelagos fly --host 192.168.1.7 --allow-remote    others on the network may watch, and take over on request

The program prints an address with a token; whoever opens it can watch, one at a time has the controls. Ctrl-C ends the
flight and closes its recording. Keys, gamepad and everything else: docs/console.md, or H in the page.
"""

PORT = 8460  # always the same: the browser keeps the settings of the page by address and port


def add_fly(add: Add) -> None:
    """Add `pelagos fly` to the parser."""
    fly_ = add("fly", fly, "pilot a vehicle in the browser, or replay a log there", FLY_EXAMPLES)
    fly_.add_argument(
        "name", nargs="?", metavar="VEHICLE|SCENARIO", help=f"library name or .toml file of either, default {VEHICLE}"
    )
    add_flight(fly_)
    kept = fly_.add_argument_group("training, recording, replay")
    kept.add_argument("--task", metavar="NAME", help="a training task, with its own world and start")
    kept.add_argument("--pilot", metavar="NAME", help="name of the pilot, for the results")
    kept.add_argument(
        "--record", nargs="?", const="", metavar="FILE", help=".csv or .parquet; without a name a new one"
    )
    kept.add_argument("--replay", metavar="LOG", help="replay a log in place of a flight")
    served = fly_.add_argument_group("the page")
    served.add_argument("--port", type=int, metavar="N", help=f"default {PORT}, or any that is free")
    served.add_argument("--host", default="127.0.0.1", metavar="H", help="address to serve at, default 127.0.0.1")
    served.add_argument("--allow-remote", action="store_true", help="needed for a host that others can reach")
    served.add_argument("--no-browser", action="store_true", help="only print the address")
    add_tether(fly_)
    add_links(fly_)


def fly(arguments: argparse.Namespace) -> int:
    """Serve the console until Ctrl-C."""
    _check_host(arguments.host, arguments.allow_remote)
    resolve_links(arguments)
    build = flight_builder(arguments)
    from pelagos.console.server import Console
    from pelagos.session.security import is_loopback

    links = open_links(arguments)
    try:
        console = _console(build, arguments, Console, links)
        print(f"open {console.address}", flush=True)
        if not is_loopback(arguments.host):
            _warn(console)
        if not arguments.no_browser:
            _open(console.address)
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: recordings are closed
        try:
            console.run()
        finally:
            signal.signal(signal.SIGTERM, before)
    finally:
        links.close()
    print_counts(links.counts())
    print("the console is closed", flush=True)
    return 0


def _console(build: Build, arguments: argparse.Namespace, make: Any, links: Any) -> Any:
    """Make the console at the requested port; without one at the default port, or at a free port if that is in use."""
    from pelagos.errors import CommandError

    tasks = () if arguments.task is None else (arguments.task,)
    options = {"host": arguments.host, "tasks": tasks, "on_message": print_status, "links": links}
    if arguments.port is not None:
        return make(build, port=arguments.port, **options)
    try:
        return make(build, port=PORT, **options)
    except CommandError:
        return make(build, port=0, **options)


def print_status(message: Mapping[str, Any]) -> None:
    """Print the messages to the pages that matter in the terminal: status, recordings and links."""
    if message["type"] == "status" and message["text"] and "compiling_s" not in message:  # engine.waiting prints that
        print(f"{message['phase']}: {message['text']}", file=sys.stderr, flush=True)
    elif message.get("kind") in ("record", "link"):
        print(message["text"], file=sys.stderr, flush=True)


def _check_host(host: str, allowed: bool) -> None:
    """Refuse an address that other machines can reach without --allow-remote."""
    from pelagos.errors import CommandError
    from pelagos.session.security import is_loopback

    if not is_loopback(host) and not allowed:
        message = "other machines can reach this address"
        raise CommandError(message, key="--host", value=host, expected="--allow-remote as well")


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
    """Open the browser; not without a display, where a text browser would take over the terminal."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        print("no screen here: open the address in a browser yourself", file=sys.stderr, flush=True)
        return
    import webbrowser

    # in a thread, because some browsers return only when they are closed
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
