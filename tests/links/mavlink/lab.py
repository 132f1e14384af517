"""A flight with a MAVLink vehicle, driven by a thread, and the clients of the tests."""

import os
import threading
import time

os.environ["MAVLINK20"] = "1"  # mavutil looks at it when it is imported

from pymavlink import mavutil

from pelagos.links.mavlink.vehicle import MavlinkVehicle
from pelagos.session.flight import Flight

PATIENCE_S = 60.0  # a busy machine stands still for seconds


class Lab:
    """Ticks a flight until the end of the `with` block, `scale` times as fast as the clock if the machine can."""

    def __init__(self, vehicle="bluerov2_heavy", scale=10.0, start=None, link=None, **options):
        self.flight = Flight(vehicle, start=start or {"depth_m": 5.0}, **options)
        self.flight.order("hold", {"hold": "depth", "on": True})  # it is a little too heavy to wait
        self.messages = []
        self.link = link or MavlinkVehicle("udpin:127.0.0.1:0", report=self.messages.append)
        self.events, self.problem = [], None
        self._period, self._stop = self.flight.sim.interval_s / scale, threading.Event()
        self._thread = threading.Thread(target=self._run, name="lab")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *why):
        self._stop.set()
        self._thread.join(PATIENCE_S)
        self.link.close()
        self.flight.close()
        assert self.problem is None, self.problem

    def _run(self):
        flight, link = self.flight, self.link
        begun = 0
        due = time.perf_counter()
        try:
            while not self._stop.is_set():
                if flight.begun != begun:
                    begun = flight.begun
                    link.begin(flight)
                link.before(flight)
                flight.tick()
                events = flight.take_events()
                self.events += events
                link.after(flight, events)
                due = max(due + self._period, time.perf_counter() - 0.1)
                time.sleep(max(0.0, due - time.perf_counter()))
        except Exception as problem:
            self.problem = problem

    @property
    def depth_m(self):
        return float(self.flight.sim.plant.position_n[2])


class Station:
    """A ground station by pymavlink, with a thread for its heartbeats."""

    def __init__(self, port, system=255, beats=True):
        self.link = mavutil.mavlink_connection(
            f"udpout:127.0.0.1:{port}", source_system=system, source_component=190, dialect="ardupilotmega"
        )
        self.link.target_system, self.link.target_component = 1, 1
        self.texts, self.reached, self._stop = [], set(), threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._beat, name="station")
        self.beating = beats

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *why):
        self._stop.set()
        self._thread.join(PATIENCE_S)
        self.link.close()

    def _beat(self):
        while not self._stop.wait(0.3):
            if self.beating:
                self.send("heartbeat", 6, 8, 0, 0, 4)

    @property
    def mav(self):
        return self.link.mav

    def send(self, name, *values):
        with self._lock:  # one sequence number each
            getattr(self.link.mav, f"{name}_send")(*values)

    def wait(self, kind, fits=lambda message: True, again=None):
        """The next message of a kind that fits; `again` is done every half second until it comes."""
        until, next_s = time.monotonic() + PATIENCE_S, 0.0
        while time.monotonic() < until:
            if again is not None and time.monotonic() >= next_s:
                again()
                next_s = time.monotonic() + 0.5
            message = self.link.recv_match(blocking=True, timeout=0.1)
            if message is None:
                continue
            if message.get_type() == "STATUSTEXT":
                self.texts.append(message)
            if message.get_type() == "MISSION_ITEM_REACHED":
                self.reached.add(message.seq)
            if message.get_type() == kind and fits(message):
                return message
        raise AssertionError(f"no such {kind} came")

    def command(self, number, *params):
        """Send a COMMAND_LONG; gives the result of its acknowledgement."""
        values = [*params, *[0.0] * (7 - len(params))]

        def again():
            self.send("command_long", 1, 1, number, 0, *values)

        return self.wait("COMMAND_ACK", lambda ack: ack.command == number, again).result

    def mode(self, number):
        assert self.command(176, 1, number) == 0
        return self.wait("HEARTBEAT", lambda beat: beat.custom_mode == number and beat.type == 12)
