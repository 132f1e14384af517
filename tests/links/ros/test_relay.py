"""The thread of a relay: the simulation never waits for it, and its errors are reported."""

import threading

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.links.ros.relay import MOST_PICTURES, Relay, Tick
from pelagos.links.ros.topics import vehicle_tick
from pelagos.sim.simulation import Simulation
from tests.links.ros.afloat import Afloat, wait_for


class Kept(Relay):
    """Keeps what it is given; can be held up, and can fail."""

    def __init__(self, **options):
        self.begun, self.written, self.finished = [], [], 0
        self.go = threading.Event()
        self.go.set()
        self.failing: Exception | None = None
        super().__init__("kept", **options)

    def start(self, begun):
        self.begun.append(begun)

    def write(self, messages):
        self.go.wait(30.0)
        if self.failing:
            raise self.failing
        self.written.append(messages)

    def finish(self):
        self.finished += 1


@pytest.fixture
def session():
    return Afloat(Simulation("bluerov2_heavy"))


def test_all_is_passed_on_before_the_end(session):
    relay = Kept()
    relay.begin(session)
    for _ in range(20):
        session.tick(relay)
    relay.close()
    assert [messages[0].time_ns for messages in relay.written] == [k * 100_000_000 for k in range(21)]
    assert relay.finished == 1 and not relay._thread.is_alive()


def test_a_stalled_thread_holds_nobody_up_and_is_counted(session):
    relay, messages = Kept(most=5), []
    relay._counts._report = messages.append
    relay.go.clear()
    relay.begin(session)
    for _ in range(30):
        session.tick(relay)  # returns at once, or this test would wait half a minute for each
    assert relay.counts()["dropped_stalled"] >= 24  # 31 ticks, 5 in the queue and at most 1 in hand
    assert len(messages) == 1 and "left out" in messages[0]
    relay.go.set()
    relay.close()
    assert len(relay.written) == 31 - relay.counts()["dropped_stalled"]


def test_a_new_beginning_is_known_even_if_its_first_tick_was_left_out(session):
    relay = Kept(most=2)
    relay.go.clear()
    relay.begin(session)
    for _ in range(5):
        session.tick(relay)
    session.sims[0].reset()
    relay.begin(session)  # the queue is full: this tick goes
    relay.go.set()
    wait_for(relay._queue.empty)
    session.tick(relay)
    relay.close()
    assert len(relay.begun) == 2
    assert relay.written[-1][0].time_ns == 100_000_000


def test_a_failure_is_raised_at_the_next_tick_in_a_sentence(session):
    relay = Kept()
    relay.begin(session)
    wait_for(lambda: relay.written)
    relay.failing = OSError("no space left")
    session.tick(relay)
    wait_for(lambda: relay._problem is not None)
    with pytest.raises(CommandError, match="kept failed: OSError: no space left"):
        session.tick(relay)
    relay.close()
    assert relay.finished == 1


def test_pictures_do_not_pile_up_before_a_stalled_thread(session):
    """A megabyte each: only the first MOST_PICTURES ticks may wait with theirs; the motion of all of them waits."""
    relay = Kept()
    relay.go.clear()
    relay.begin(session)
    picture = {"sonar": np.zeros((2, 2))}
    for _ in range(3 * MOST_PICTURES):
        relay._put(Tick(relay._begun, 0.0, (vehicle_tick(session.sims[0])._replace(pictures=picture),)))
    with relay._queue.mutex:
        waiting = list(relay._queue.queue)
    assert sum(bool(tick.instants[0].pictures) for tick in waiting) <= MOST_PICTURES + 1
    assert relay.counts()["dropped_pictures"] >= 2 * MOST_PICTURES - 2 and "dropped_stalled" not in relay.counts()
    relay.go.set()
    relay.close()
    assert len(relay.written) == 3 * MOST_PICTURES + 1
