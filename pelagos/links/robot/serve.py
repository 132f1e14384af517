"""Serve a scenario, or a log, to a robot's program: the way in for the command line."""

from __future__ import annotations

import threading
from collections.abc import Callable

from pelagos.links.robot.host import Sea, Voyaging
from pelagos.links.robot.recorded import Recorded
from pelagos.links.robot.server import RobotServer


def serve(
    host_: Voyaging | Recorded,
    *,
    clock: str = "lockstep",
    rate_hz: float | None = None,
    speed: float = 1.0,
    host: str = "127.0.0.1",
    port: int = 9100,
    udp: bool = False,
    allow_remote: bool = False,
    deadman_s: float = 2.0,
    title: str = "",
    say: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
) -> dict[str, int]:
    """Serve until the controller ends it, `stop` is set or Ctrl-C; the world is closed then. The counts of the link.

    Args:
        host_: a voyage, or a log.
        clock: "lockstep" (an order, an interval, an answer), "realtime" or "scaled".
        rate_hz: exchanges in a simulated second; the control rate, or it divided by a whole number.
        speed: of the scaled clock: simulated seconds in a second.
        host: address to listen at.
        allow_remote: let it be one that other machines reach; nobody is asked who he is.
        port: of TCP, and of UDP; 0 for any.
        udp: listen to datagrams too.
        deadman_s: silence of the controller after which what it drives by hand is put to rest; not in lockstep.
        title: of the scenario, for the hello.
        say: gets sentences for people: where it listens, what was dropped and why.
        stop: set it to end.
    """
    world = host_ if isinstance(host_, Recorded) else Sea(host_, title)
    server = RobotServer(
        world, clock=clock, rate_hz=rate_hz, speed=speed, host=host, port=port, udp=udp, allow_remote=allow_remote,
        deadman_s=deadman_s, say=say,
    )  # fmt: skip
    if say is not None:
        over = "TCP and UDP" if udp else "TCP"
        say(f"robot link: listens at {host}:{server.port} ({over}, {clock}, no authentication)")
    server.run(stop)
    return server.counts.all()
