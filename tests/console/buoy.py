"""A session without simulations, light enough for tests of the runner: the sticks push a body north, in closed form."""

import threading

from pelagos.errors import CommandError, DivergedError
from pelagos.session.authority import Authority, Signal
from pelagos.session.session import Session
from pelagos.session.source import CENTRED

RATE_HZ = 50.0


class Buoy(Session):
    """Moves with 1 m/s at full surge. Counts all that reaches it."""

    columns = ("north_m", "stick_surge", "ticks")
    rate_hz = time_s = 0.0
    first = Authority.PILOT

    def __init__(self, rate_hz=RATE_HZ, diverges_at=None, lasts_s=None):
        super().__init__()
        self.rate_hz, self.diverges_at, self.lasts_s = rate_hz, diverges_at, lasts_s
        self.changed = False
        self.inputs, self.orders = [], []
        self.closed = 0
        self.on_tick = self.on_begin = lambda: None
        self.thread = threading.current_thread().name
        self.begin()

    def begin(self):
        self.start((), authority=self.first)
        self.north_m, self.sticks, self.time_s = 0.0, CENTRED, 0.0
        self.on_begin()

    @property
    def done(self):
        return self.lasts_s is not None and self.time_s >= self.lasts_s

    def hello(self):
        return {"mode": "live", "vehicle": {"key": "buoy"}, "scene": {"name": "nowhere"}}

    def input(self, sticks):
        self.inputs.append((self.ticks, sticks))
        self.sticks = sticks
        if any(sticks[:6]):
            self.signal(Signal.START)

    def order(self, name, values):
        self.orders.append((self.ticks, name, dict(values)))
        if name == "hold":
            raise CommandError("a buoy holds nothing")
        if name in ("reset", "task_start", "conditions"):
            self.begin()
        if name == "seek":
            self.ticks = round(values["time_s"] * self.rate_hz)
            self.time_s = self.ticks / self.rate_hz
            self.begun += 1
        self.publish({"type": "event", "time_s": self.time_s, "kind": "order", "text": name})

    def steer(self):
        self.on_tick()
        if self.ticks == self.diverges_at:
            raise DivergedError(self.time_s, "thrusters", {})
        self.north_m += self.sticks.surge / self.rate_hz
        self.time_s = (self.ticks + 1) / self.rate_hz

    def snapshot_into(self, row):
        row[:3] = self.north_m, self.sticks.surge, self.ticks

    def close(self):
        self.closed += 1
