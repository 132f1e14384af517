"""A source that is light enough for tests of the link: a body that the sticks push along north, with a closed form."""

import threading

from pelagos.errors import CommandError, DivergedError
from pelagos.session.source import CENTRED

RATE_HZ = 50.0


class Buoy:
    """Moves with 1 m/s at full surge. Counts all that reaches it."""

    columns = ("north_m", "stick_surge", "ticks")

    def __init__(self, rate_hz=RATE_HZ, diverges_at=None, lasts_s=None):
        self.rate_hz, self.diverges_at, self.lasts_s = rate_hz, diverges_at, lasts_s
        self.changed = self.waits = False
        self.begun = 0
        self.sticks = CENTRED
        self.north_m = 0.0
        self.ticks = 0
        self.inputs, self.orders, self.events = [], [], []
        self.closed = 0
        self.on_tick = self.on_begin = lambda: None
        self.thread = threading.current_thread().name

    @property
    def time_s(self):
        return self.ticks / self.rate_hz

    @property
    def done(self):
        return self.lasts_s is not None and self.time_s >= self.lasts_s

    def hello(self):
        return {"mode": "live", "vehicle": {"key": "buoy"}, "scene": {"name": "nowhere"}}

    def input(self, sticks):
        self.inputs.append((self.ticks, sticks))
        self.sticks = sticks

    def order(self, name, values):
        self.orders.append((self.ticks, name, dict(values)))
        if name == "hold":
            raise CommandError("a buoy holds nothing")
        if name in ("reset", "task_start", "conditions"):
            self.ticks, self.north_m, self.sticks = 0, 0.0, CENTRED
            self.begun += 1
            self.on_begin()
        if name == "seek":
            self.ticks = round(values["time_s"] * self.rate_hz)
            self.begun += 1
        self.events.append({"type": "event", "time_s": self.time_s, "kind": "order", "text": name})

    def tick(self):
        self.on_tick()
        if self.ticks == self.diverges_at:
            raise DivergedError(self.time_s, "thrusters", {})
        self.north_m += self.sticks.surge / self.rate_hz
        self.ticks += 1

    def snapshot_into(self, row):
        row[:3] = self.north_m, self.sticks.surge, self.ticks

    def take_events(self):
        taken, self.events = self.events, []
        return taken

    def close(self):
        self.closed += 1
