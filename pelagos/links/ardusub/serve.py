"""Server for one ArduSub autopilot on UDP (`pelagos link --ardusub`): answers its packets one by one.

The first sender of a valid packet owns the vehicle; packets of other senders are counted and dropped until the owner
has been silent for SILENT_S. Then the thrusters stop, time stands still, and any autopilot may connect; a new owner
gets a restarted simulation. Packets of the owner are answered first, however many others arrive (see `sockets`).
The protocol has no authentication: every program that can send to the port can control the thrusters.
"""

from __future__ import annotations

import copy
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

from pelagos.errors import MessageError
from pelagos.links.ardusub.physics import Physics
from pelagos.links.ardusub.sockets import Datagram, Sockets
from pelagos.links.ardusub.wire import read_servos
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, check_bind, udp_socket
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

PORT = 9002  # the port to which ArduPilot sends by default
SILENT_S = 1.5  # ArduPilot repeats a packet after 1.1 s, so one lost packet does not count as silence
MOST_BEHIND = 500  # datagrams; a queue of the kernel holds fewer
WAIT_S = 0.2  # longest delay until `stop` is noticed


class ArduSub:
    """Server with the owner of the vehicle; everything runs in the thread of `run`.

    Args:
        physics: simulation that answers packets.
        host, port: address to listen on; port 0 takes any free one.
        clock: monotonic clock for the silence, s.
    """

    def __init__(
        self,
        physics: Physics,
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_bind("ardusub", host, allow_remote)
        self.physics, self.counts = physics, physics.counts
        self._clock = clock
        self._sockets = Sockets(host, port, self.counts)
        self.owner: Address | None = None
        self._received_s = -SILENT_S
        self._silent = True
        self._ready: tuple[bytes, Address] | None = None  # answer held back until the queue of the owner is empty
        self._behind = 0  # upper bound of the owner's packets still queued at the public socket

    @property
    def port(self) -> int:
        """Port that the server listens on."""
        return self._sockets.port

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the sockets."""
        self._sockets.close()

    def run(self, stop: threading.Event | None = None) -> None:
        """Answer packets until `stop` is set; DivergedError if the motion is no longer finite."""
        while stop is None or not stop.is_set():
            datagram = self._next()
            if datagram is None:
                self._check_silence()
                self._sockets.wait(WAIT_S)
            else:
                self._take(*datagram)

    def _next(self) -> Datagram | None:
        """Return the next datagram: those of the owner first, then, after sending its answer, those of others."""
        datagram = self._sockets.from_autopilot()
        if datagram is None and self._behind > 0:
            datagram = self._sockets.from_others()
            self._behind = 0 if datagram is None else self._behind - 1
        if datagram is None:
            self._send()
            datagram = self._sockets.from_others()
            if datagram is not None and datagram[1] == self.owner:  # it has no private socket
                self._behind = MOST_BEHIND
        return datagram

    def _take(self, data: bytes, sender: Address) -> None:
        """Handle one datagram."""
        self.counts.add("received")
        try:
            servos = read_servos(data)
        except MessageError as problem:
            self.counts.drop("malformed", f"{problem}; from {sender[0]}:{sender[1]}, dropped")
            self._check_silence()
            return
        if sender != self.owner and not self._accept_owner(sender):
            return
        if self._silent:
            self._silent = False
            self.physics.report("back", f"packets come from {sender[0]}:{sender[1]}, frame {servos.frame}")
        self._received_s = self._clock()
        if self._ready is not None and servos.frame == self.physics.frame:
            self.counts.add("resent")  # repeated while the answer was computed: one answer is enough
            return
        # An answer still held back goes out before the next one, so that none is lost.
        self._send()
        self._ready = self.physics.answer(servos), sender

    def _accept_owner(self, sender: Address) -> bool:
        """Make a sender the owner if it may be; return whether it is."""
        self._check_silence()
        if self.owner is not None:
            if not self._silent:
                mine = f"{self.owner[0]}:{self.owner[1]}"
                self.counts.drop("stranger", f"{sender[0]}:{sender[1]} is a second autopilot; {mine} flies; dropped")
                return False
            self.physics.restart(f"another autopilot came, {sender[0]}:{sender[1]}")
        self.owner = sender
        self._sockets.connect(sender)
        self._behind = MOST_BEHIND
        return True

    def _check_silence(self) -> None:
        if not self._silent and self._clock() - self._received_s >= SILENT_S:
            self._silent = True
            self.physics.stop()
            self.counts.add("silences")
            self.physics.report("silent", f"no packet for {SILENT_S:g} s: thrusters off, time stands still")

    def _send(self) -> None:
        """Send the answer that was held back."""
        ready, self._ready = self._ready, None
        if ready is not None:
            self._sockets.send(*ready)


def serve(
    vehicle: Vehicle | str | os.PathLike[str],
    world: World | str | os.PathLike[str] | None = None,
    *,
    frame: str | None = None,
    motors: Sequence[str] | None = None,
    reversed_motors: Sequence[int] = (),
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_remote: bool = False,
    start: Mapping[str, Any] | None = None,
    seed: int = 0,
    log: str | os.PathLike[str] | None = None,
    report: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
) -> dict[str, int]:
    """Simulate the vehicle of one ArduSub until `stop` is set or Ctrl-C; returns the counters of the link.

    Args:
        vehicle: library name, file or Vehicle.
        world: library name, file or World; the default is calm sea water 50 m deep.
        frame: "vectored" or "vectored_6dof"; by default chosen by the number of thrusters.
        motors: thrusters in the order of ArduSub's motors, if the geometry is ambiguous; "-name" runs in reverse.
        reversed_motors: numbers of the motors that ArduSub reverses (MOT_n_DIRECTION = -1).
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        allow_remote: required for an address that other machines can reach.
        start: initial state as for `Simulation.place`: north_m, east_m, depth_m, heading_deg, ...
        seed: seed of the errors of altimeters and battery.
        log: log file; each restart of the autopilot begins another.
        report: callback for messages to the user.
        stop: event that ends the server from another thread.
    """
    report = report or (lambda text: None)
    counts = Counts("ardusub", report)
    check_bind("ardusub", host, allow_remote)
    udp_socket(host, port).close()  # fails before anything is compiled or written if the port is taken
    physics = Physics(
        vehicle, world, frame=frame, motors=motors, reversed_motors=reversed_motors, start=start, seed=seed, log=log,
        counts=counts, report=report,
    )  # fmt: skip
    complete = False
    try:
        report("preparing the simulation; on a new machine the engine is compiled first, for a minute or two")
        warm_up(physics)
        with ArduSub(physics, host=host, port=port, allow_remote=allow_remote) as server:
            for text in physics.motors.described():
                report(text)
            report(f"waiting for ArduSub at {host}:{server.port}; there is no authentication")
            try:
                server.run(stop)
            except KeyboardInterrupt:
                report("ardusub: ended")
        complete = True
    finally:
        physics.close(complete=complete)
        for path in physics.logs:
            report(f"recorded {path}")
    return counts.all()


def warm_up(physics: Physics) -> None:
    """Compile the kernels before the first packet; the autopilot would repeat its packets meanwhile."""
    sim = physics.sim
    plant = copy.deepcopy(sim.plant)
    for near in (None, True):
        plant.advance(sim.vehicle.step_s, 1, sim.integrator, near)
    plant.settle_actuators()
