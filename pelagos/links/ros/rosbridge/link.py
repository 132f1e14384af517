"""Session link for rosbridge: roslibpy and roslibjs clients watch and control a flight, without ROS.

The server runs in its own thread. Between two ticks the simulation hands over copies of its ticks and takes the newest
stick input and the waiting orders; it never waits. There is no authentication: every program that reaches the port can
watch and control. By default only this machine can reach it, and browser pages from elsewhere are rejected.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pelagos.errors import MessageError, PelagosError, one_of
from pelagos.links.counts import Counts
from pelagos.links.datagrams import check_bind
from pelagos.links.ros.relay import RunStart, Tick, tick_messages
from pelagos.links.ros.rosbridge import orders
from pelagos.links.ros.rosbridge.protocol import RosbridgeRequest, answer, publish_text, response_text, status_text
from pelagos.links.ros.rosbridge.server import RosbridgeClient, RosbridgeServer
from pelagos.links.ros.topics import TF_STATIC, static_message, topics_of, vehicle_tick
from pelagos.links.ros.vehicle import ros_vehicles_of
from pelagos.session.session import Session
from pelagos.session.source import CENTRED, Input

PORT = 9090  # default of rosbridge_server
MOST_TICKS = 100  # ticks that wait for the thread of the server
MOST_ORDERS = 64  # orders that wait for the simulation


class Stick(NamedTuple):
    """Newest stick input, with its time and sender."""

    sticks: Input
    time_s: float
    client: RosbridgeClient


class Rosbridge:
    """Session link that serves rosbridge clients at ws://HOST:PORT.

    Args:
        host: address to listen on.
        port: port to listen on; 0 takes any free one.
        allow_remote: required for an address that other machines can reach.
        report: callback for messages about dropped data.
        origins: origins of pages that may connect besides those of this machine, such as http://lab.example:8080.
        clock: wall clock for the timeout of sticks, s.
    """

    name = "rosbridge"

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = PORT,
        allow_remote: bool = False,
        report: Callable[[str], None] | None = None,
        *,
        origins: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_bind("rosbridge", host, allow_remote)
        self._counts, self._clock = Counts("rosbridge", report), clock
        self._lock = threading.Lock()
        self._stick: Stick | None = None  # both threads use it: only under the lock
        self._steered = False  # whether the present sticks of the flight came from here
        self._orders: queue.Queue[tuple[RosbridgeClient, RosbridgeRequest]] = queue.Queue(MOST_ORDERS)
        self._ticks: deque[Tick] = deque(maxlen=MOST_TICKS)
        self._begun: RunStart | None = None
        self._topics: dict[str, str] = {}
        self._static, self._time_s = "", 0.0
        self._steerable = self._scheduled = False
        self._subscribed: frozenset[str] = frozenset()  # topics with subscribers
        self._server = RosbridgeServer(host, port, self._counts, self._handle, self._client_left, origins)
        self.host, self.port = host, self._server.port

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"ws://{self.host}:{self.port}"

    # Called in the thread of the simulation.

    def begin(self, session: Session) -> None:
        """Start a run; earlier stick input is discarded."""
        begun = RunStart(tuple(ros_vehicles_of(session.sims)), session.time_s)
        static = static_message(begun.vehicles, session.time_s)
        self._static = publish_text(static.topic, static.values)
        self._topics, self._begun, self._time_s = topics_of(begun.vehicles), begun, session.time_s
        self._steerable = hasattr(session, "input")  # a flight; other sessions are controlled by their own program
        with self._lock:
            self._stick, self._steered = None, False

    def before(self, session: Session) -> None:
        """Apply the stick input and the orders received."""
        # After a release orders wait one tick, in which the holds that the sticks moved settle.
        if not self._apply_sticks(session):
            self._execute_orders(session)

    def after(self, session: Session, events: Sequence[Mapping[str, Any]]) -> None:
        """Queue a copy of the tick if there are subscribers."""
        self._time_s = session.time_s
        if self._begun is None or not self._subscribed:
            return
        if len(self._ticks) == MOST_TICKS:
            self._counts.drop("stalled", "the server is slower than the simulation; the oldest messages are dropped")
        self._ticks.append(Tick(self._begun, session.time_s, tuple(map(vehicle_tick, session.sims)), tuple(events)))
        if not self._scheduled:
            self._scheduled = True
            self._server.call(self._publish_ticks)

    def idle(self, session: Session) -> None:
        """Apply orders while time stands still."""
        self.before(session)

    def counts(self) -> Mapping[str, int]:
        """Return the counters of received, sent and dropped messages."""
        return self._counts.all()

    def close(self) -> None:
        """Disconnect the clients and stop the server."""
        self._server.close()

    def _apply_sticks(self, session: Any) -> bool:
        """Apply the newest stick input; True if it was just released: the holds that it moved settle in this tick."""
        with self._lock:
            stick = self._stick
            if stick is not None and self._clock() - stick.time_s > orders.TIMEOUT_S:
                self._stick = stick = None
                self._counts.drop("late", f"no /cmd_vel for {orders.TIMEOUT_S:g} s: sticks to the middle", 1)
        if stick is not None:
            self._steered = True
            session.input(stick.sticks)
        elif self._steered:
            self._steered = False
            session.input(CENTRED)
            return True
        return False

    def _execute_orders(self, session: Any) -> None:
        for _ in range(self._orders.qsize()):
            client, request = self._orders.get_nowait()
            try:
                if request.op == "call_service":
                    done = orders.service(session, request.name, request.values)
                    self._server.call(client.put, response_text(request, done))
                    continue
                goal = orders.command_topic(request.name, self._root) == "/goal_pose"
                session.order("setpoint", orders.goal(request.values) if goal else orders.setpoint(request.values))
            except PelagosError as refusal:
                self._server.call(client.put, status_text(f"{request.name}: {refusal}", request.id))
            except Exception as problem:  # a bug here: the request of one client must not end the link for all
                self._counts.drop("failed", f"{request.name}: {type(problem).__name__}: {problem}")
                self._server.call(client.put, status_text(f"{request.name} failed", request.id))

    @property
    def _root(self) -> str:
        """Prefix of the topics of the vehicle under control."""
        return self._begun.vehicles[0].root if self._begun else ""

    # Called in the thread of the server.

    def _handle(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        topic = request.name
        if request.op == "subscribe":
            if topic not in self._topics:
                raise MessageError("there is no topic", value=topic, names=self._topics)
            orders.check_type(topic, request.type, self._topics[topic])
            client.subscribe(topic, request.id, request.throttle_s, request.queue_length)
            self._update_subscribed()
            if topic == TF_STATIC:
                client.put(self._static)
        elif request.op == "unsubscribe":
            client.unsubscribe(topic, request.id)
            self._update_subscribed()
        elif request.op == "call_service":
            self._serve_call(client, request)
        elif request.op != "set_level":
            self._receive_command(client, request)

    def _receive_command(self, client: RosbridgeClient, request: RosbridgeRequest) -> None:
        command = orders.command_topic(request.name, self._root)
        if not command:
            topics = tuple(orders.COMMANDS)
            raise MessageError("clients cannot publish to", value=request.name, expected=one_of(topics), names=topics)
        orders.check_type(request.name, request.type, orders.COMMANDS[command])
        if request.op != "publish":
            return
        if not self._steerable:
            raise MessageError("the program of this run steers the vehicle; only a flight accepts sticks and setpoints")
        if command != "/cmd_vel":
            self._release_sticks(client)  # deflected sticks would move the setpoint
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
            raise MessageError("too many orders are waiting; this one is ignored") from None

    def _client_left(self, client: RosbridgeClient) -> None:
        self._update_subscribed()
        self._release_sticks(client)

    def _release_sticks(self, client: RosbridgeClient) -> None:
        """Release the sticks if this client has them; the flight then centres them."""
        with self._lock:
            if self._stick is not None and self._stick.client is client:
                self._stick = None

    def _update_subscribed(self) -> None:
        """Update the set of topics with subscribers."""
        self._subscribed = frozenset(topic for client in self._server.clients for topic in client.topics)

    def _publish_ticks(self) -> None:
        """Send the messages of the waiting ticks to their subscribers."""
        self._scheduled = False
        while self._ticks:
            for message in tick_messages(self._ticks.popleft()):
                if message.topic in self._subscribed:
                    text = publish_text(message.topic, message.values)
                    for client in self._server.clients:
                        client.offer(message.topic, text)
