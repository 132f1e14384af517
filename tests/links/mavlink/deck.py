"""A flight with a MAVLink vehicle, ticked by hand with its own clock, and a station at a real socket."""

import socket
import time

import pymavlink.dialects.v20.ardupilotmega as mavlink

from pelagos.links.mavlink.vehicle import MavlinkVehicle
from pelagos.session.flight import Flight

MOST_TURNS = 4000


class Caller:
    """A station: packs and parses with pymavlink, sends to a port of this machine."""

    def __init__(self, port, system=255):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.setblocking(False)
        self.there = ("127.0.0.1", port)
        self.codec = mavlink.MAVLink(None, system, 190)
        self.parser = mavlink.MAVLink(None)
        self.heard, self.texts = [], []

    def pack(self, message):
        return bytes(message.pack(self.codec))

    def send(self, name, *values):
        self.socket.sendto(self.pack(getattr(mavlink, f"MAVLink_{name}_message")(*values)), self.there)

    def listen(self):
        while True:
            try:
                data = self.socket.recv(65535)
            except BlockingIOError:
                return
            for message in self.parser.parse_buffer(data) or []:
                self.heard.append(message)
                if message.get_type() == "STATUSTEXT":
                    self._piece(message)

    def _piece(self, message):
        """Sentences come in parts that follow each other."""
        if message.id and message.chunk_seq:
            self.texts[-1] += message.text
        else:
            self.texts.append(message.text)

    def of(self, kind):
        return [reply for reply in self.heard if reply.get_type() == kind]

    def close(self):
        self.socket.close()


class Deck:
    """The clock of the link goes with the ticks of the flight."""

    def __init__(self, vehicle="bluerov2_heavy", start=None, flight=None, **options):
        self.now_s = 1000.0
        self.messages = []
        self.flight = flight or Flight(vehicle, start=start or {"depth_m": 5.0}, **options)
        self.link = MavlinkVehicle("udpin:127.0.0.1:0", report=self.messages.append, clock=lambda: self.now_s)
        self.callers, self.events = [], []
        self.link.begin(self.flight)
        self.station = self.call()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        for caller in self.callers:
            caller.close()
        self.link.close()
        self.flight.close()

    def call(self, system=255):
        self.callers.append(Caller(self.link.port, system))
        return self.callers[-1]

    def turn(self, n=1):
        for _ in range(n):
            self.now_s += self.flight.sim.interval_s
            self.link.before(self.flight)
            self.flight.tick()
            events = self.flight.take_events()
            self.events += events
            self.link.after(self.flight, events)
            for caller in self.callers:
                caller.listen()

    def until(self, fits, what="it"):
        """Turn until something is so; sockets get a moment each time."""
        for _ in range(MOST_TURNS):
            if fits():
                return
            self.turn()
            time.sleep(0.0005)
        raise AssertionError(f"{what} did not happen")

    def arrives(self, *messages, caller=None):
        """Send (name, values...) and turn until they were taken."""
        caller = caller or self.station
        taken = self.link.counts().get("received", 0) + len(messages)
        for name, *values in messages:
            caller.send(name, *values)
        self.until(lambda: self.link.counts().get("received", 0) >= taken, "the arrival")
        self.turn(2)

    def answer(self, kind, *message, caller=None, fits=lambda reply: True):
        """Send a message and give the answer."""
        caller = caller or self.station
        caller.heard.clear()
        self.arrives(message, caller=caller)
        self.until(lambda: any(fits(reply) for reply in caller.of(kind)), kind)
        return next(reply for reply in caller.of(kind) if fits(reply))

    def command(self, number, *params, caller=None):
        """The result of a COMMAND_LONG."""
        values = [*params, *[0.0] * (7 - len(params))]
        ack = self.answer("COMMAND_ACK", "command_long", 1, 1, number, 0, *values, caller=caller,
                          fits=lambda reply: reply.command == number)  # fmt: skip
        return ack.result

    def beat(self):
        self.arrives(("heartbeat", 6, 8, 0, 0, 4, 3))

    @property
    def mode(self):
        return self.link.modes.now(self.flight)

    def texts(self):
        return list(self.station.texts)
