"""rosbridge beside a flight: what roslibpy and roslibjs speak, without ROS.

The server lives in a thread of its own. The simulation hands over copies of its ticks and takes the newest sticks and
waiting orders between two ticks; it never waits. There is no authentication: whoever reaches the port can watch and
steer. It listens on this machine only unless told otherwise, and refuses pages of a browser that are not of it.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.errors import MessageError, PelagosError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.relay import RunStart, Tick, tick_messages
from pelagos.links.ros.rosbridge import orders
from pelagos.links.ros.rosbridge.protocol import RosbridgeRequest, answer, publish_text, response_text, status_text
from pelagos.links.ros.rosbridge.server import RosbridgeClient, RosbridgeServer
from pelagos.links.ros.topics import TF_STATIC, static_message, taken, topics_of
from pelagos.links.ros.vehicle import ros_vehicles_of
from pelagos.session.links import LinkedSession
from pelagos.session.source import CENTRED, Input

PORT = 9090
MOST_TICKS = 100  # that wait for the thread of the server
MOST_ORDERS = 64  # that wait for the simulation


class Stick(NamedTuple):
    """The newest sticks, when they came and from whom."""

    sticks: Input
    time_s: float
    client: RosbridgeClient


class Rosbridge:
    """A link that serves at ws://HOST:PORT.

    Args:
        host: to listen at.
        port: 0 for any that is free; see `port`.
        allow_remote: needed for a host that others can reach.
        say: gets sentences about what was dropped.
        origins: pages that may connect besides those of this machine, such as http://lab.example:8080.
        clock: seconds, for the time-out of sticks.
    """

    name = "rosbridge"

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        say: Callable[[str], None] | None = None,
        *,
        origins: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_bind("rosbridge", host, allow_remote)
        self._counts, self._clock = Counts("rosbridge", say), clock
        self._lock = threading.Lock()
        self._stick: Stick | None = None  # under the lock
        self._steered = False  # whether our sticks are those of the flight
        self._orders: queue.Queue[tuple[RosbridgeClient, RosbridgeRequest]] = queue.Queue(MOST_ORDERS)
        self._ticks: deque[Tick] = deque(maxlen=MOST_TICKS)
        self._begun: RunStart | None = None
        self._topics: dict[str, str] = {}
        self._static, self._time_s = "", 0.0
        self._steerable = self._woken = False
        self._wanted: frozenset[str] = frozenset()  # topics that anybody has subscribed to
        self._server = RosbridgeServer(host, port, self._counts, self._follow, self._gone, origins)
        self.host, self.port = host, self._server.port

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"ws://{self.host}:{self.port}"

    # ---- in the thread of the simulation ---------------------------------------------------------------------------

    def begin(self, session: LinkedSession) -> None:
        """The simulations are new; sticks of before count no more."""
        begun = RunStart(tuple(ros_vehicles_of(session.sims)), session.time_s)
        static = static_message(begun.vehicles, session.time_s)
        self._static = publish_text(static.topic, static.values)
        self._topics, self._begun, self._time_s = topics_of(begun.vehicles), begun, session.time_s
        self._steerable = hasattr(session, "input")  # a flight; others have somebody at the controls
        with self._lock:
            self._stick, self._steered = None, False

    def before(self, session: LinkedSession) -> None:
        """Sticks and orders that came."""
        if not self._steer(session):
            self._obey(session)

    def after(self, session: LinkedSession, events: Sequence[Mapping[str, Any]]) -> None:
        """Copy the tick, if anybody wants it."""
        self._time_s = session.time_s
        if self._begun is None or not self._wanted:
            return
        if len(self._ticks) == MOST_TICKS:
            self._counts.drop("stalled", "the server does not keep up with the simulation; the oldest is left out")
        self._ticks.append(Tick(self._begun, session.time_s, tuple(map(taken, session.sims)), tuple(events)))
        if not self._woken:
            self._woken = True
            self._server.call(self._pass_on)

    def idle(self, session: LinkedSession) -> None:
        """Time stands still: orders are followed all the same."""
        self.before(session)

    def counts(self) -> Mapping[str, int]:
        """What came, went and was dropped."""
        return self._counts.all()

    def close(self) -> None:
        """Say goodbye to the clients."""
        self._server.close()

    def _steer(self, session: Any) -> bool:
        """Give on the newest sticks. True when they were let go just now: the holds they moved settle in this tick."""
        with self._lock:
            stick = self._stick
            if stick is not None and self._clock() - stick.time_s > orders.TIMEOUT_S:
                self._stick = stick = None
                self._counts.drop("late", f"no /cmd_vel for {orders.TIMEOUT_S:g} s: sticks to the middle", 1)
        if stick is not None:
            self._steered = True
            session.input(stick.sticks)
            if any(stick.sticks[:6]):
                session.waits = False
        elif self._steered:
            self._steered = False
            session.input(CENTRED)
            return True
        return False

    def _obey(self, session: Any) -> None:
        for _ in range(self._orders.qsize()):
            client, request = self._orders.get_nowait()
            try:
                if request.op == "call_service":
                    done = orders.service(session, request.name, request.values)
                    self._server.call(client.put, response_text(request, done))
                    continue
                goal = orders.steering(request.name, self._root) == "/goal_pose"
                session.order("setpoint", orders.goal(request.values) if goal else orders.setpoint(request.values))
            except PelagosError as refusal:
                self._server.call(client.put, status_text(f"{request.name}: {refusal}", request.id))
            except Exception as problem:  # a fault of ours: what one client says must not end the bridge for all
                self._counts.drop("failed", f"{request.name}: {type(problem).__name__}: {problem}")
                self._server.call(client.put, status_text(f"{request.name} failed", request.id))

    @property
    def _root(self) -> str:
        """Of the topics of the vehicle that is flown."""
        return self._begun.vehicles[0].root if self._begun else ""

    # ---- in the thread of the server -------------------------------------------------------------------------------

    def _follow(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        topic = request.name
        if request.op == "subscribe":
            if topic not in self._topics:
                raise MessageError("there is no topic", value=topic, names=self._topics)
            orders.check_type(topic, request.type, self._topics[topic])
            client.subscribe(topic, request.id, request.throttle_s, request.queue_length)
            self._look()
            if topic == TF_STATIC:
                client.put(self._static)
        elif request.op == "unsubscribe":
            client.unsubscribe(topic, request.id)
            self._look()
        elif request.op == "call_service":
            self._serve_call(client, request)
        elif request.op != "set_level":
            self._publish(client, request)

    def _publish(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        steers = orders.steering(request.name, self._root)
        if not steers:
            raise MessageError(f"nothing is published to {request.name}", expected=f"one of {', '.join(orders.STEERS)}")
        orders.check_type(request.name, request.type, orders.STEERS[steers])
        if request.op != "publish":
            return
        if not self._steerable:
            raise MessageError("this run is steered by its own program; a flight takes sticks and setpoints")
        if steers != "/cmd_vel":
            self._let_go(client)  # or sticks that are still out would move what is to be held
            self._queue(client, request)
            return
        sticks = orders.sticks(request.values)
        with self._lock:
            if self._stick is not None and self._stick.client is not client:
                raise MessageError("another client has the sticks; they are free when it stops sending")
            self._stick = Stick(sticks, self._clock(), client)

    def _serve_call(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        if request.name in orders.SERVICES and self._steerable:
            self._queue(client, request)
            return
        try:
            client.put(response_text(request, answer(request, self._topics, self._root, self._time_s)))
        except MessageError as problem:
            client.put(response_text(request, str(problem), False))

    def _queue(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        try:
            self._orders.put_nowait((client, request))
        except queue.Full:
            raise MessageError("too many orders wait already; this one is not done") from None

    def _gone(self, client: RosbridgeClient) -> None:
        self._look()
        self._let_go(client)

    def _let_go(self, client: RosbridgeClient) -> None:
        """If the sticks are this client's, they are nobody's now: the flight puts them into the middle."""
        with self._lock:
            if self._stick is not None and self._stick.client is client:
                self._stick = None

    def _look(self) -> None:
        """Which topics anybody wants."""
        self._wanted = frozenset(topic for client in self._server.clients for topic in client.topics)

    def _pass_on(self) -> None:
        """Messages of the ticks that wait, to those who want them."""
        self._woken = False
        while self._ticks:
            for message in tick_messages(self._ticks.popleft()):
                if message.topic in self._wanted:
                    text = publish_text(message.topic, message.values)
                    for client in self._server.clients:
                        client.offer(message.topic, text)
