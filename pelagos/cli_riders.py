"""The words for links that ride along, shared by `pelagos fly` and `pelagos link`: which, where, and how.

Factories are imported when their word is said: a link that nobody asks for needs nothing installed.
"""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pelagos.console.rider import Rider
    from pelagos.console.riding import Riders

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
RIDERS = (*LINKS, *OF_DIS, "mavlink_id")
SAID = {  # DIS says it itself
    "mavlink": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
    "foxglove": "listens on port {port}; it has no authentication: whoever reaches the port can watch",
    "rosbridge": "listens on port {port}; it has no authentication: whoever reaches the port can fly the vehicle",
}
PLACE = re.compile(r"(\w+:)?(\d+\.\d+\.\d+\.\d+|localhost|\[[0-9a-fA-F:]+\]|[\w.-]+(?=:))(:\d+(/\d+)?)?|\d+")
Add = Callable[..., argparse.ArgumentParser]


def add_riders(parser: argparse.ArgumentParser) -> None:
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
        if said is None or PLACE.fullmatch(said):
            continue
        if arguments.what is not None:
            raise CommandError(f"--{name} {said}: expected where, such as {usual}")
        arguments.what = said
        setattr(arguments, name, usual)
    _check(arguments)


def wanted(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The links that are asked for."""
    return tuple(name for name in LINKS if getattr(arguments, name) is not None)


def riders_of(arguments: argparse.Namespace, armed: bool = True) -> Riders:
    """The links, with their sockets open and their files made; CommandError if one cannot be.

    Whoever has them closes them, which `Runner` and `Voyage` do. `armed`: False for a vehicle that rests until a ground
    station arms it.
    """
    from pelagos.console.riding import Riders
    from pelagos.errors import CommandError

    riders = Riders()
    make: dict[str, Callable[[argparse.Namespace, Any], Rider]] = {
        "dis": _dis, "mavlink": functools.partial(_mavlink, armed=armed), "mcap": _mcap,
        "foxglove": _foxglove, "rosbridge": _rosbridge,
    }  # fmt: skip
    try:
        for name in wanted(arguments):
            try:
                rider = make[name](arguments, riders.say)
            except CommandError as problem:
                said = str(problem)
                raise problem if name in said.lower() else CommandError(f"{name}: {said}") from None
            riders.add(rider)
            if name in SAID:
                riders.say(f"{name}: {SAID[name].format(port=getattr(rider, 'port', '?'))}")
    except BaseException:
        riders.close()
        raise
    return riders


def print_counts(riders: Riders) -> None:
    """What came and went, a line a link."""
    from pelagos.console.riding import counted

    for line in counted(riders.counts()):
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
    from pelagos.errors import CommandError
    from pelagos.messages import number

    said = vars(arguments)
    for word in (*OF_DIS, "mavlink_id"):
        link = word.partition("_")[0]
        if said[word] is not None and said[link] is None:
            raise CommandError(f"--{word.replace('_', '-')} goes with --{link}; expected that as well")
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


def _dis(arguments: argparse.Namespace, say: Any) -> Rider:
    from pelagos.links.dis.exercise import Exercise

    said = vars(arguments)
    options = {name: said[word] for word, name in OF_DIS.items() if said[word] is not None}
    return Exercise(where=arguments.dis, allow_remote=arguments.allow_remote, say=say, **options)


def _mavlink(arguments: argparse.Namespace, say: Any, armed: bool) -> Rider:
    from pelagos.links.mavlink.vehicle import MavlinkVehicle

    system = 1 if arguments.mavlink_id is None else arguments.mavlink_id
    return MavlinkVehicle(
        where=arguments.mavlink, system=system, allow_remote=arguments.allow_remote, say=say, armed=armed
    )


def _mcap(arguments: argparse.Namespace, say: Any) -> Rider:
    from pelagos.links.ros.mcap import McapRecorder

    return McapRecorder(arguments.mcap, say=say)


def _foxglove(arguments: argparse.Namespace, say: Any) -> Rider:
    from pelagos.links.ros.foxglove import FoxgloveServer

    port = _port("foxglove", arguments.foxglove)
    return FoxgloveServer(host=arguments.host, port=port, allow_remote=arguments.allow_remote, say=say)


def _rosbridge(arguments: argparse.Namespace, say: Any) -> Rider:
    from pelagos.links.ros.rosbridge import Rosbridge

    port = _port("rosbridge", arguments.rosbridge)
    return Rosbridge(host=arguments.host, port=port, allow_remote=arguments.allow_remote, say=say)
