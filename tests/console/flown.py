"""A runner on a clock that only the test advances, with all its messages and snapshots."""

from pelagos.console.hello import SceneCache, hello_message
from pelagos.session.realtime import Runner
from pelagos.session.source import Input, StampedInput
from tests.console.buoy import Buoy

AHEAD = Input(surge=1.0)


class Wall:
    """A wall clock and the sleep that advances it."""

    def __init__(self):
        self.now = 1000.0
        self.slept = 0

    def clock(self):
        return self.now

    def sleep(self, seconds):
        assert 0.0 <= seconds <= 0.02 + 1e-9  # orders never wait longer than that
        self.now += seconds
        self.slept += 1


class Flown:
    """A runner, the messages and snapshots it sent, and its wall clock."""

    def __init__(self, build=Buoy, clients=1, **options):
        self.wall, self.snapshots, self.messages, self.refused = Wall(), [], [], []
        self.sources = []

        def made():
            self.sources.append(build())
            return self.sources[-1]

        def hello(source, columns):
            return hello_message(source, columns, self.runner.snapshot_hz, SceneCache())

        self.runner = Runner(
            made, self.publish, self.messages.append,
            hello=hello, clock=self.wall.clock, sleep=self.wall.sleep, **options,
        )  # fmt: skip
        self.runner.clients = clients
        self.runner.build()

    @property
    def source(self):
        return self.sources[-1]

    def publish(self, snapshot):
        self.snapshots.append(snapshot._replace(values=snapshot.values.copy()))

    def fly(self, seconds, say=None, every_s=0.025):
        """Advance the wall clock; with stick input `say`, send it every 25 ms."""
        end = self.wall.now + seconds
        sent_s = -1.0
        while self.wall.now < end - 1e-9:
            if say is not None and self.wall.now - sent_s >= every_s:
                sent_s = self.wall.now
                self.runner.input(StampedInput(say, len(self.source.inputs) + 1, 1e3 * sent_s))
            self.wall.sleep(min(self.runner.turn(), max(0.0, end - self.wall.now)))

    def order(self, name, **values):
        self.runner.order(name, values, self.refused.append)

    def kinds(self):
        return [message.get("kind", message["type"]) for message in self.messages]

    def last(self, column):
        return float(self.snapshots[-1].values[self.columns().index(column)])

    def columns(self):
        return next(message for message in reversed(self.messages) if message["type"] == "hello")["columns"]
