"""MAVLink vehicle: a session link that lets ground stations control a flight by MAVLink 2, like ArduSub.

There is no authentication: every program that reaches the port and uses the system number SYSID_MYGCS controls the
vehicle. By default only this machine can reach it. All work is done between ticks in the thread of the simulation,
without waiting; only the decoding of frames runs in the thread of the socket.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pelagos.checks import whole
from pelagos.errors import CommandError, MessageError
from pelagos.links.counts import Counts
from pelagos.links.mavlink.commands import Answers, Commands
from pelagos.links.mavlink.failsafe import Failsafe
from pelagos.links.mavlink.guided import check_target, global_target, item_target, local_target
from pelagos.links.mavlink.mission import Item, ItemError, MissionLimits, MissionPlan, check
from pelagos.links.mavlink.mission_protocol import MissionProtocol
from pelagos.links.mavlink.modes import GUIDED, Modes
from pelagos.links.mavlink.parameters import ParameterProtocol, Parameters
from pelagos.links.mavlink.peers import DEFAULT_ADDRESS, Peers, ReceivedMessage
from pelagos.links.mavlink.sticks import Buttons, StationSticks
from pelagos.links.mavlink.streams import Streams
from pelagos.links.mavlink.telemetry import Telemetry
from pelagos.links.mavlink.texts import StatusTexts
from pelagos.links.mavlink.wire import GROUND_STATION, dialect
from pelagos.session.session import Session

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

LONGEST_TURN_S = 0.004  # wall time for received messages between two ticks; the rest waits for the next tick
FRAMES_OF_THRUSTERS = {6: 1.0, 8: 2.0}  # FRAME_CONFIG
OTHER_FRAME = 7.0  # FRAME_CONFIG of a custom frame
MOVES = (
    "SET_MODE", "MANUAL_CONTROL", "RC_CHANNELS_OVERRIDE", "SET_POSITION_TARGET_LOCAL_NED",
    "SET_POSITION_TARGET_GLOBAL_INT", "MISSION_SET_CURRENT",
)  # fmt: skip
WRITES = ("MISSION_COUNT", "MISSION_ITEM_INT", "MISSION_ITEM", "MISSION_CLEAR_ALL", "MISSION_WRITE_PARTIAL_LIST")
GO_THERE_NOW = 2  # value of `current` that makes a mission item a setpoint for GUIDED


class MavlinkVehicle:
    """Session link for ground stations.

    Args:
        where: `udpout:HOST:PORT` sends to a station that listens there, by default QGroundControl on this machine, and
            answers other stations that send to the local port; `udpin:HOST:PORT` listens there for stations.
        system: MAVLink system number of the vehicle.
        allow_remote: whether addresses that other machines can reach are allowed.
        report: callback for messages about dropped packets.
        armed: False: every flight starts disarmed, as with ArduSub; True: it starts armed, as flights do.
        clock: wall clock, s.
    """

    name = "mavlink"

    def __init__(
        self,
        where: str = DEFAULT_ADDRESS,
        system: int = 1,
        allow_remote: bool = False,
        report: Callable[[str], None] | None = None,
        *,
        armed: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        whole("MAVLink system", system, 1, 255)
        self.messages = dialect()
        self._counts, self._armed = Counts(self.name, report), armed
        self.parameters = Parameters()
        self.parameters.put("SYSID_THISMAV", system)
        self.telemetry = Telemetry(self.messages)
        self.plan = MissionPlan(self._limits, lambda: self.parameters["MIS_RESTART"] > 0.0)
        self.modes = Modes(self.plan.fly, self._surface_m)
        self.sticks = StationSticks(clock)
        self.buttons = Buttons(self.parameters, self.modes.enter)
        self.peers = Peers(self.messages, where, system, allow_remote, self._counts, clock)
        self._texts = StatusTexts(self.messages, self.peers.send, clock)
        self.text = self._texts.report
        self.failsafe = Failsafe(self.parameters, self.modes, self.sticks, self.text, clock)
        self.missions = MissionProtocol(
            self.messages, self.plan, self.peers.send, self._check_item, clock, lambda text: self.text(text, "warning")
        )
        self.commands = Commands(self)
        self.streams = Streams(self.messages, self.parameters, self._makers(), clock)
        self.parameters.on_change("JS_GAIN_DEFAULT", self._set_gain)
        self.parameters.on_change("WPNAV_SPEED", self._check_speed)
        self._listing = ParameterProtocol(
            self.messages, self.parameters, self.peers.send, lambda: self._counts.add("unknown_parameter")
        )
        self._answers = Answers(self.messages, self.peers.send, lambda: self.telemetry.boot_ms)
        self._flight: Flight | None = None
        self.acted = False
        self._last_heartbeat: tuple[int, bool] | None = None  # mode and arming in the last heartbeat
        self._handlers = self._make_handlers()

    def begin(self, session: Session) -> None:
        """Start a new flight; mission and parameters are kept."""
        if not hasattr(session, "order") or not hasattr(session, "helm"):
            raise CommandError("there is no vehicle to steer here", file="mavlink", expected="a flight")
        self._flight = flight = cast("Flight", session)
        self.acted = False
        for part in (self.modes, self.sticks, self.failsafe, self.plan):
            part.reset()
        self.telemetry.begin(flight)
        if not self.telemetry.placed:
            at = self.telemetry.origin
            self.text(f"this world lies nowhere on earth: taken to be at {at.lat_deg:g}, {at.lon_deg:g} deg")
        sim = flight.sim
        for name, value in (
            ("FRAME_CONFIG", FRAMES_OF_THRUSTERS.get(len(sim.vehicle.thrusters), OTHER_FRAME)),
            ("BATT_CAPACITY", round(self.telemetry.capacity_Ah * 1e3)),
            ("BARO_SPEC_GRAV", sim.water.density_kg_m3 / 1e3),
            ("WPNAV_SPEED", round(100.0 * flight.helm.schedule.cruise)),
        ):
            self.parameters.put(name, value)
        self._disarm = not self._armed

    def before(self, session: Session) -> None:
        """Handle received messages and check the failsafes before a tick."""
        flight = self._flight
        if flight is None:
            return
        if self._disarm:
            self._disarm = False
            flight.order("arm", {"on": False})
        begun = time.perf_counter()
        for received in self.peers.take():
            self._handle(flight, received)
            if time.perf_counter() - begun > LONGEST_TURN_S:
                break
        self.missions.update()
        self.failsafe.update(flight, self.acted)
        self.parameters.put("JS_GAIN_DEFAULT", flight.helm.gain)
        self.parameters.put("MIS_TOTAL", len(self.plan.items))

    def after(self, session: Session, events: Sequence[Mapping[str, Any]]) -> None:
        """Send events and telemetry after a tick."""
        if self._flight is None:
            return
        self.telemetry.update()
        for event in events:
            self._texts.event(event)
        for seq in self.plan.reached():
            self.peers.send(self.messages.MAVLink_mission_item_reached_message(seq))
        self._send_due()

    def idle(self, session: Session) -> None:
        """Answer stations while time stands still."""
        self.before(session)
        if self._flight is not None:
            self._send_due()

    def counts(self) -> Mapping[str, int]:
        """Return the packet counters."""
        return self._counts.all()

    def close(self) -> None:
        """Close the socket."""
        self.peers.close()

    @property
    def port(self) -> int:
        """Local UDP port."""
        return self.peers.port

    def controls(self, received: ReceivedMessage) -> bool:
        """Return whether the sender may control the vehicle; other senders are counted."""
        if received.system == int(self.parameters["SYSID_MYGCS"]):
            return True
        controlling = f"only {self.parameters['SYSID_MYGCS']:g} controls (SYSID_MYGCS)"
        text = f"{received.kind} of system {received.system}; {controlling}"
        self._counts.drop("stranger", text)
        return False

    def go(self, flight: Flight, setpoint: Mapping[str, Any], change: bool = False) -> None:
        """Hold a setpoint in GUIDED; in another mode raise CommandError unless `change` allows entering GUIDED."""
        if self.modes.now(flight) != GUIDED:
            if not change:
                raise CommandError("position targets need mode GUIDED")
            self.modes.enter(flight, GUIDED)
        check_target(setpoint, flight)
        flight.order("setpoint", setpoint)
        self.modes.mark(flight, GUIDED)

    def _makers(self) -> dict[str, Callable[[], Any]]:
        """Return the functions that make each message that is streamed or sent on request."""
        t = self.telemetry
        special: dict[str, Callable[[], Any]] = {
            "HEARTBEAT": lambda: t.heartbeat(self.modes.now(t.flight), self.failsafe.active),
            "SYS_STATUS": lambda: t.sys_status(self.modes.now(t.flight)),
            "MISSION_CURRENT": self._mission_current,
            "NAMED_VALUE_FLOAT": t.named_values,
        }
        named = (
            "ATTITUDE", "ATTITUDE_QUATERNION", "LOCAL_POSITION_NED", "GLOBAL_POSITION_INT", "VFR_HUD", "GPS_RAW_INT",
            "SCALED_PRESSURE", "SCALED_PRESSURE2", "SERVO_OUTPUT_RAW", "BATTERY_STATUS", "DISTANCE_SENSOR",
            "EKF_STATUS_REPORT", "SYSTEM_TIME", "GPS_GLOBAL_ORIGIN", "HOME_POSITION", "AUTOPILOT_VERSION",
        )  # fmt: skip
        return special | {name: getattr(t, name.lower()) for name in named}

    def _mission_current(self) -> Any:
        plan, flight = self.plan, self.telemetry.flight
        total = max(len(plan.items) - 1, 0)
        return self.messages.MAVLink_mission_current_message(plan.current(), total, plan.state(flight))

    def _limits(self, flight: Flight) -> MissionLimits:
        p = self.parameters
        depth = max(float(flight.sim.feedback().pos_n[2]), 0.0)
        return MissionLimits(
            self.telemetry.origin, flight.helm.can("position"), p["WPNAV_SPEED"] / 100.0, p["WPNAV_RADIUS"] / 100.0,
            depth, self._surface_m(), flight.helm.schedule.top_speed, flight.sim.vehicle.depth_rating_m,
            flight.sim.world.bottom_m,
        )  # fmt: skip

    def _check_item(self, item: Item) -> None:
        check(item, self._limits(self.telemetry.flight))

    def _surface_m(self) -> float:
        return -self.parameters["SURFACE_DEPTH"] / 100.0

    def _set_gain(self, factor: float) -> None:
        self.telemetry.flight.order("gain", {"factor": round(factor, 6)})

    def _check_speed(self, cm_s: float) -> None:
        flight = self.telemetry.flight
        if cm_s > 100.0 * flight.helm.schedule.top_speed:
            top = 100.0 * flight.helm.schedule.top_speed
            expected = f"at most {top:.4g} cm/s, the top speed of {flight.sim.vehicle.name}"
            raise CommandError(key="WPNAV_SPEED", value=cm_s, expected=expected)

    def _make_handlers(self) -> dict[str, tuple[bool, Callable[[Flight, ReceivedMessage], None]]]:
        """Return by message whether it needs control of the vehicle, and its handler."""
        missions = self.missions
        return {
            "HEARTBEAT": (False, self._heartbeat),
            "PING": (False, lambda flight, received: self._answers.ping(received)),
            "TIMESYNC": (False, lambda flight, received: self._answers.timesync(received)),
            "FILE_TRANSFER_PROTOCOL": (False, lambda flight, received: self._answers.file_transfer(received)),
            "PARAM_REQUEST_LIST": (False, lambda flight, received: self._listing.list(received)),
            "PARAM_REQUEST_READ": (False, lambda flight, received: self._listing.read(received)),
            "PARAM_SET": (True, lambda flight, received: self._listing.set(received)),
            "COMMAND_LONG": (False, self.commands.take),
            "COMMAND_INT": (False, self.commands.take),
            "SET_MODE": (True, lambda flight, received: self.modes.enter(flight, received.message.custom_mode)),
            "REQUEST_DATA_STREAM": (True, self._data_stream),
            "MANUAL_CONTROL": (True, self._manual),
            "RC_CHANNELS_OVERRIDE": (True, self._override),
            "SET_POSITION_TARGET_LOCAL_NED": (
                True, lambda flight, received: self.go(flight, local_target(received.message, flight))),
            "SET_POSITION_TARGET_GLOBAL_INT": (
                True, lambda flight, received: self.go(flight, global_target(received.message, self.telemetry.origin))),
            "MISSION_REQUEST_LIST": (False, lambda flight, received: missions.list(received)),
            "MISSION_REQUEST_INT": (False, lambda flight, received: missions.request(received)),
            "MISSION_REQUEST": (False, lambda flight, received: missions.request(received)),
            "MISSION_COUNT": (True, lambda flight, received: missions.count(received)),
            "MISSION_ITEM_INT": (True, self._item),
            "MISSION_ITEM": (True, self._item),
            "MISSION_CLEAR_ALL": (True, lambda flight, received: missions.clear(received)),
            "MISSION_WRITE_PARTIAL_LIST": (True, lambda flight, received: missions.refuse_partial(received)),
            "MISSION_REQUEST_PARTIAL_LIST": (False, lambda flight, received: missions.refuse_partial(received)),
            "MISSION_ACK": (False, lambda flight, received: missions.acknowledged(received)),
            "MISSION_SET_CURRENT": (
                True, lambda flight, received: self.plan.set_current(flight, int(received.message.seq))),
        }  # fmt: skip

    def _handle(self, flight: Flight, received: ReceivedMessage) -> None:
        controls, handler = self._handlers.get(received.kind, (False, None))
        if handler is None:
            self._counts.add("ignored")
            return
        if controls and not self.controls(received):
            if received.kind in WRITES:
                self.missions.refuse(received)
            return
        try:
            handler(flight, received)
            self.acted = self.acted or received.kind in MOVES
        except (CommandError, ItemError) as refusal:
            self.text(str(refusal), "warning")
        except MessageError as problem:
            self._counts.drop("malformed", f"{received.kind} of system {received.system}: {problem}")

    def _heartbeat(self, flight: Flight, received: ReceivedMessage) -> None:
        if received.system == int(self.parameters["SYSID_MYGCS"]) and received.message.type == GROUND_STATION:
            self.failsafe.heartbeat()

    def _data_stream(self, flight: Flight, received: ReceivedMessage) -> None:
        request = received.message
        self.streams.request(request.req_stream_id, request.req_message_rate, request.start_stop)

    def _manual(self, flight: Flight, received: ReceivedMessage) -> None:
        self.sticks.manual(flight, received.message, self.parameters["JS_THR_GAIN"])
        self.failsafe.sticks_received()
        self.buttons.press(flight, int(received.message.buttons))

    def _override(self, flight: Flight, received: ReceivedMessage) -> None:
        self.sticks.override(flight, received.message)
        self.failsafe.sticks_received()

    def _item(self, flight: Flight, received: ReceivedMessage) -> None:
        if received.message.current == GO_THERE_NOW:
            self.go(flight, item_target(Item.of(received.message), self.telemetry.origin))
        else:
            self.missions.item(received)

    def _send_due(self) -> None:
        """Send the messages that are due; a change of mode or arming makes the heartbeat due at once."""
        now = (self.modes.now(self.telemetry.flight), self.telemetry.flight.armed)
        if now != self._last_heartbeat:
            self._last_heartbeat = now
            self.streams.now("HEARTBEAT")
        for message in self.streams.due():
            self.peers.send(message)
        self._listing.update()
        self._texts.send()
