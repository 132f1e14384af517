"""`pelagos fly`: the console of a pilot in the browser; `--replay` shows a log there."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from pelagos.cli.options import VEHICLE, Build, add_flight, add_links, links_of, print_counts, sort_out, source_of
from pelagos.cli.run import add_tether

FLY_EXAMPLES = """\
examples:
  pelagos fly                                  a BlueROV2 Heavy before the wellhead of Royer's field
  pelagos fly seagrant1 --world royer_field --current 0.75 --tether
  pelagos fly iver3 --world gavia_bottom       an AUV: it steers while it moves
  pelagos fly rov-pipeline                     a ready scenario flies its mission until you take the sticks
  pelagos fly --task hover --pilot Ann         a training task; pelagos training lists them
  pelagos fly --record                         a new log in this folder, from the start; O in the page does the same
  pelagos fly --replay run.parquet             any log or recording, with a time bar
  pelagos fly --dis --mavlink                  in a DIS exercise and with a ground station besides; see pelagos link
  pelagos fly --mcap dive.mcap --foxglove      recorded and shown for the tools of ROS
  pelagos fly --host 192.168.1.7 --allow-remote    others on the network may watch, and take over when asked

The program prints an address with a token; whoever opens it can watch, one at a time has the controls. Ctrl-C ends the
flight and closes its recording. Keys, gamepad and everything else: docs/console.md, or H in the page.
"""

PORT = 8460  # the same every time, so that the browser finds the settings it keeps for this page
Add = Callable[..., argparse.ArgumentParser]


def add_fly(add: Add) -> None:
    """Put `pelagos fly` into the parser."""
    fly_ = add("fly", fly, "pilot a vehicle in the browser, or replay a log there", FLY_EXAMPLES)
    fly_.add_argument(
        "what", nargs="?", metavar="VEHICLE|SCENARIO", help=f"library name or .toml file of either, default {VEHICLE}"
    )
    add_flight(fly_)
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
    add_links(fly_)


def fly(arguments: argparse.Namespace) -> int:
    """Serve the console until Ctrl-C."""
    _check_host(arguments.host, arguments.allow_remote)
    sort_out(arguments)
    build = source_of(arguments)
    from pelagos.console.server import Console
    from pelagos.session.security import is_loopback

    links = links_of(arguments)
    try:
        console = _console(build, arguments, Console, links)
        print(f"open {console.address}", flush=True)
        if not is_loopback(arguments.host):
            _warn(console)
        if not arguments.no_browser:
            _open(console.address)
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does: nothing is lost
        try:
            console.run()
        finally:
            signal.signal(signal.SIGTERM, before)
    finally:
        links.close()
    print_counts(links)
    print("the console is closed", flush=True)
    return 0


def _console(build: Build, arguments: argparse.Namespace, make: Any, links: Any) -> Any:
    """At the port that is asked for, or at the usual one, or at any."""
    from pelagos.errors import CommandError

    tasks = () if arguments.task is None else (arguments.task,)
    told = {"host": arguments.host, "tasks": tasks, "on_message": tell_terminal, "links": links}
    if arguments.port is not None:
        return make(build, port=arguments.port, **told)
    try:
        return make(build, port=PORT, **told)
    except CommandError:
        return make(build, port=0, **told)


def tell_terminal(message: Mapping[str, Any]) -> None:
    """Print what somebody at the terminal wants to know of what goes to the pages."""
    if message["type"] == "status" and message["text"] and "compiling_s" not in message:  # engine.waiting tells that
        print(f"{message['phase']}: {message['text']}", file=sys.stderr, flush=True)
    elif message.get("kind") in ("record", "link"):
        print(message["text"], file=sys.stderr, flush=True)


def _check_host(host: str, allowed: bool) -> None:
    """Refuse an address that others can reach unless that is wanted."""
    from pelagos.errors import CommandError
    from pelagos.session.security import is_loopback

    if not is_loopback(host) and not allowed:
        raise CommandError(f"--host {host} lets other machines in", expected="--allow-remote with it if that is wanted")


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
