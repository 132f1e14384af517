"""Subscriptions on a clock that only the test moves: how often, how many wait, who is counted."""

import asyncio

import pytest

from pelagos.errors import MessageError
from pelagos.links.counts import Counts
from pelagos.links.ros.rosbridge.server import (
    MOST_DROPPED,
    MOST_SUBSCRIPTIONS,
    MOST_WAITING,
    PER_S,
    RosbridgeClient,
    Subscription,
)


class Clock:
    """The part of an event loop that a subscription uses."""

    def __init__(self):
        self.now, self.timers = 100.0, []

    def time(self):
        return self.now

    def call_at(self, when, function, *values):
        timer = [when, function, values]
        self.timers.append(timer)
        timer_handle = type("Handle", (), {"cancel": lambda handle: self.timers.remove(timer)})
        return timer_handle()

    def go(self, seconds):
        end = self.now + seconds
        while due := sorted((t for t in self.timers if t[0] <= end), key=lambda t: t[0]):
            self.timers.remove(due[0])
            self.now = max(self.now, due[0][0])
            due[0][1](*due[0][2])
        self.now = end


def test_without_a_rate_all_go_out():
    clock, got = Clock(), []
    one = Subscription(0.0, 0, got.append)
    for k in range(5):
        one.offer(str(k), clock)
    assert got == ["0", "1", "2", "3", "4"]


def test_a_rate_without_a_queue_leaves_out_what_comes_between():
    clock, got = Clock(), []
    one = Subscription(0.1, 0, got.append)
    for k in range(10):  # every 40 ms: 0, 120, 240, 360 ms go out
        one.offer(str(k), clock)
        clock.go(0.04)
    assert got == ["0", "3", "6", "9"]


def test_a_queue_keeps_the_newest_for_their_turn():
    clock, got = Clock(), []
    one = Subscription(0.1, 2, got.append)
    for k in range(6):
        one.offer(str(k), clock)
    assert got == ["0"]
    clock.go(0.11)
    assert got == ["0", "4"]
    clock.go(0.11)
    assert got == ["0", "4", "5"]
    one.cancel()
    assert not clock.timers


def client():
    clock = Clock()
    return RosbridgeClient(None, Counts("rosbridge"), clock), clock


def test_a_client_that_takes_nothing_loses_the_oldest_and_is_counted():
    one, _ = client()
    for k in range(MOST_WAITING + 10):
        one.put(str(k))
    assert one._counts["dropped_stalled"] == 10
    assert asyncio.run(one.take()) == "10"


def test_two_subscriptions_of_one_topic_are_served_by_the_more_eager():
    one, _clock = client()
    one.subscribe("/a", "slow", 10.0, 0)
    one.subscribe("/a", "fast", 0.0, 0)
    for k in range(3):
        one.offer("/a", str(k))
    assert list(one._waiting) == ["0", "1", "2"]
    one.unsubscribe("/a", "fast")
    one.offer("/a", "3")
    one.offer("/a", "4")
    assert list(one._waiting) == ["0", "1", "2", "3"]
    one.unsubscribe("/a", None)
    assert one.topics == set()


def test_subscriptions_have_an_end():
    one, _ = client()
    for k in range(MOST_SUBSCRIPTIONS):
        one.subscribe("/a", str(k), 0.0, 0)
    with pytest.raises(MessageError, match="subscriptions already"):
        one.subscribe("/b", "more", 0.0, 0)


def test_a_flood_is_noticed():
    one, clock = client()
    read = sum(one.allowed() for _ in range(int(2 * PER_S) + MOST_DROPPED))
    assert read == 2 * PER_S and one.floods  # twice as many at once as in a second
    clock.go(1.0)
    assert one.allowed()
