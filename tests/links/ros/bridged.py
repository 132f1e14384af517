"""A flight with rosbridge in a separate thread, and clients."""

import json
import threading

from websockets.sync.client import connect

from pelagos.links.ros.rosbridge.link import Rosbridge
from pelagos.session.flight import Flight

LIMIT_S = 60.0
ROOT = "/pelagos/bluerov2_heavy"


class Flown:
    """A flight with the bridge, in a separate thread."""

    def __init__(self, record=None, **options):
        start = {"north_m": -30.0, "east_m": 0.0, "depth_m": 50.0, "heading_deg": 0.0}
        self.flight = Flight("bluerov2_heavy", "royer_field", start=start, conditions={"current_m_s": 0.0})
        if record is not None:
            self.flight.record(record)
        self.messages = []
        self.bridge = Rosbridge(port=0, report=self.messages.append, **options)
        self.inputs, self.ticks = [], 0
        self.bridge.begin(self.flight)
        self._stop, self._thread = threading.Event(), threading.Thread(target=self._fly)
        self._thread.start()

    def _fly(self):
        while not self._stop.wait(0.004):
            self.bridge.before(self.flight)
            self.flight.tick()
            self.inputs.append(self.flight._input)
            self.bridge.after(self.flight, self.flight.take_events())
            self.ticks += 1

    def close(self):
        self._stop.set()
        self._thread.join()
        self.bridge.close()
        self.flight.close()


def talk(flown, **options):
    return connect(flown.bridge.address, open_timeout=LIMIT_S, close_timeout=0.2, **options)


def say(socket, **message):
    socket.send(json.dumps(message))


def hear(socket, op):
    while True:
        got = json.loads(socket.recv(LIMIT_S))
        if got["op"] == op:
            return got
