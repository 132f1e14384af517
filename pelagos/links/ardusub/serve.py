"""`pelagos link --ardusub`: a UDP socket, one autopilot, its packets answered one by one as they come.

The first that sends a sound packet owns the vehicle; packets of others are counted and dropped until it has been silent
for SILENT_S. After that silence the thrusters are off, time stands still, and any autopilot may come: another one finds
the world anew. However much others send, the packets of the owner are answered first (`doors`). There is no
authentication, and none is possible: whoever can send to the port can drive the thrusters.
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

PORT = 9002  # where ArduPilot looks for its physics
SILENT_S = 1.5  # ArduPilot sends again after 1.1 s: one lost packet is no silence
MOST_BEHIND = 500  # datagrams; a queue of the kernel holds fewer
WAIT_S = 0.2  # how soon a stop is noticed
Say = Callable[[str], None]


class ArduSub:
    """The socket and who owns the vehicle. Everything happens in the thread of `run`.

    Args:
        physics: answers packets.
        host, port: where to listen; port 0 takes any that is free.
        clock: seconds that only grow; of the silence.
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
        self._doors = Sockets(host, port, self.counts)
        self.owner: Address | None = None
        self._heard_s = -SILENT_S
        self._silent = True
        self._ready: tuple[bytes, Address] | None = None  # an answer that goes out when the owner sends nothing more
        self._behind = 0  # at most so many of the owner's packets still wait at the public door

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._doors.port

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the port back."""
        self._doors.close()

    def run(self, stop: threading.Event | None = None) -> None:
        """Answer until told to stop. DivergedError ends it: the motion left the finite numbers."""
        while stop is None or not stop.is_set():
            got = self._next()
            if got is None:
                self._mind_silence()
                self._doors.wait(WAIT_S)
            else:
                self._take(*got)

    # ---- details -------------------------------------------------------------------------------------------------

    def _next(self) -> Datagram | None:
        """What comes next: the owner first, then our answer to it, then anybody."""
        got = self._doors.from_autopilot()
        if got is None and self._behind > 0:
            got = self._doors.from_anybody()
            self._behind = 0 if got is None else self._behind - 1
        if got is None:
            self._send()
            got = self._doors.from_anybody()
            if got is not None and got[1] == self.owner:  # it has no door of its own
                self._behind = MOST_BEHIND
        return got

    def _take(self, data: bytes, sender: Address) -> None:
        """One datagram, whatever it is."""
        self.counts.add("received")
        try:
            servos = read_servos(data)
        except MessageError as problem:
            self.counts.drop("malformed", f"{problem}; from {sender[0]}:{sender[1]}, dropped")
            self._mind_silence()
            return
        if sender != self.owner and not self._welcome(sender):
            return
        if self._silent:
            self._silent = False
            self.physics.tell("back", f"packets come from {sender[0]}:{sender[1]}, frame {servos.frame}")
        self._heard_s = self._clock()
        if self._ready is not None and servos.frame == self.physics.frame:
            self.counts.add("resent")  # sent again while the answer was made: one answer is enough
            return
        self._send()
        self._ready = self.physics.answer(servos), sender

    def _welcome(self, sender: Address) -> bool:
        """Whether a sender may own the vehicle from now on."""
        self._mind_silence()
        if self.owner is not None:
            if not self._silent:
                mine = f"{self.owner[0]}:{self.owner[1]}"
                self.counts.drop("stranger", f"{sender[0]}:{sender[1]} is a second autopilot; {mine} flies; dropped")
                return False
            self.physics.restart(f"another autopilot came, {sender[0]}:{sender[1]}")
        self.owner = sender
        self._doors.open_to(sender)
        self._behind = MOST_BEHIND
        return True

    def _mind_silence(self) -> None:
        if not self._silent and self._clock() - self._heard_s >= SILENT_S:
            self._silent = True
            self.physics.stop()
            self.counts.add("silences")
            self.physics.tell("silent", f"no packet for {SILENT_S:g} s: thrusters off, time stands still")

    def _send(self) -> None:
        """Send the answer that is ready."""
        ready, self._ready = self._ready, None
        if ready is not None:
            self._doors.send(*ready)


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
    say: Say | None = None,
    stop: threading.Event | None = None,
) -> dict[str, int]:
    """Be the sea of one ArduSub until `stop` is set or Ctrl-C; the counts of the link.

    Args:
        vehicle: a library name, a file or a Vehicle.
        world: the same for the sea; without one calm sea water, 50 m deep.
        frame: "vectored" or "vectored_6dof"; by the number of thrusters if not given.
        motors: thrusters in the order of ArduSub's motors, where geometry does not find them; "-name" runs backwards.
        reversed_motors: numbers of the motors that ArduSub has reversed (MOT_n_DIRECTION = -1).
        host: where to listen.
        port: the same; 0 takes any that is free.
        allow_remote: needed for a host that other machines can reach.
        start: north_m, east_m, depth_m, heading_deg ... as `Simulation.place` takes them.
        seed: of the errors of altimeters and battery.
        log: file for the run; each restart of the autopilot begins another.
        say: gets sentences for the user; None: nobody listens.
        stop: ends it from another thread.
    """
    tell = say or (lambda text: None)
    counts = Counts("ardusub", say)
    check_bind("ardusub", host, allow_remote)
    udp_socket(host, port).close()  # a port that is taken is told before anything is compiled or written
    physics = Physics(
        vehicle, world, frame=frame, motors=motors, reversed_motors=reversed_motors, start=start, seed=seed, log=log,
        counts=counts, say=say,
    )  # fmt: skip
    complete = False
    try:
        tell("preparing the simulation; on a new machine the engine is compiled first, for a minute or two")
        warm_up(physics)
        with ArduSub(physics, host=host, port=port, allow_remote=allow_remote) as server:
            for text in physics.motors.described():
                tell(text)
            tell(f"waiting for ArduSub at {host}:{server.port}; there is no authentication")
            try:
                server.run(stop)
            except KeyboardInterrupt:
                tell("ardusub: ended")
        complete = True
    finally:
        physics.close(complete=complete)
        for path in physics.logs:
            tell(f"recorded {path}")
    return counts.all()


def warm_up(physics: Physics) -> None:
    """Have the kernels compiled before the first packet, which the autopilot would send again and again meanwhile."""
    sim = physics.sim
    plant = copy.deepcopy(sim.plant)
    for near in (None, True):
        plant.advance(sim.vehicle.step_s, 1, sim.integrator, near)
    plant.settle_actuators()
