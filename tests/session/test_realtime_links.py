"""Links of a runner: when they are called, and that they never delay a tick."""

import logging

import pytest

from pelagos.session.authority import Authority, Signal
from pelagos.session.links import LONGEST_S, MOST_LONG, LinkSet
from pelagos.session.realtime import Runner
from pelagos.session.source import CENTRED, Input
from tests.console.buoy import Buoy
from tests.console.flown import AHEAD, Flown
from tests.console.riding_along import Watcher
from tests.console.served import Page, console, until


@pytest.fixture(autouse=True)
def quiet(caplog):
    """A link that fails is logged with its trace, on purpose."""
    caplog.set_level(logging.CRITICAL, "pelagos.console")


def test_a_rider_is_called_before_and_after_every_tick():
    link = Watcher()
    flown = Flown(links=[link])
    flown.fly(2.0)
    ticks = flown.source.ticks - 1  # the first compiles
    assert ticks >= 98
    assert link.calls == ["begin", *["before", "after"] * ticks]
    assert link.times == [k / 50.0 for k in range(2, ticks + 2)]


def test_while_time_stands_still_it_is_called_idle():
    link = Watcher()
    flown = Flown(links=[link])
    flown.order("pause", on=True)
    flown.fly(1.0)
    assert set(link.calls) == {"begin", "idle"} and link.calls.count("idle") >= 50  # every 20 ms at least
    assert [event["text"] for event in link.events] == []
    flown.order("pause", on=False)
    flown.fly(0.1)
    assert "after" in link.calls


def test_a_reset_begins_riders_anew_whoever_asks_for_it():
    def wants(method, session):
        if method == "before" and session.ticks == 20:
            session.order("reset", {})

    link = Watcher(act=wants)
    flown = Flown(links=[link])
    flown.fly(1.0)
    assert link.calls.count("begin") == 3  # after 20 ticks, and again after 20 more
    flown.order("reset")
    flown.fly(0.02)
    assert link.calls.count("begin") == 4
    assert {"reset"} <= {event["text"] for event in link.events}


def test_orders_of_a_page_reach_riders_as_events():
    link = Watcher()
    flown = Flown(links=[link])
    flown.order("lights", level=1.0)
    flown.fly(0.1)
    assert [event["text"] for event in link.events] == ["lights"]


def test_a_page_that_looks_round_does_not_take_the_sticks_of_a_ground_station():
    def station(method, session):
        if method == "before" and session.ticks == 10:
            session.input(Input(surge=0.5))

    flown = Flown(links=[Watcher(act=station)])
    flown.fly(0.5, CENTRED)
    assert flown.source.sticks == Input(surge=0.5)
    flown.fly(0.5, Input(pan=1.0))
    assert flown.source.sticks == Input(surge=0.5, pan=1.0)
    flown.fly(0.5, CENTRED)
    assert flown.source.sticks == Input(surge=0.5)
    flown.fly(0.5, AHEAD)  # and one that flies does
    assert flown.source.sticks == AHEAD


@pytest.mark.parametrize("method", ["begin", "before", "after", "counts"])
def test_a_rider_that_raises_costs_no_tick(method):
    alone, with_it = Flown(), Flown(links=[Watcher("bad", fails=method), good := Watcher("good")])
    for item in (alone, with_it):
        item.fly(3.0, AHEAD)
    assert with_it.source.ticks == alone.source.ticks > 100
    assert with_it.source.north_m == alone.source.north_m
    assert good.calls.count("after") == with_it.source.ticks - 1
    messages = [item for item in with_it.messages if item.get("kind") == "link"]
    assert len(messages) == 1 and messages[0]["text"].startswith("bad: the link is closed")
    assert with_it.runner.phase == "ready"


def test_a_rider_that_holds_up_the_flight_is_dropped_and_the_ticks_come_again():
    def stall(method, session):
        flown.wall.now += 5.0 * LONGEST_S if method == "before" else 0.0

    link = Watcher("stalled", act=stall)
    links = LinkSet([link], clock=lambda: flown.wall.now)
    flown = Flown()
    flown.runner.links = links
    flown.source.attach(links)
    flown.fly(5.0 * LONGEST_S * MOST_LONG + 2.0)
    assert link.calls.count("before") == MOST_LONG
    ticks = flown.source.ticks
    flown.fly(10.0)
    assert flown.source.ticks - ticks == pytest.approx(500, abs=2)


def test_a_frozen_exercise_stops_time_and_nothing_else():
    link = Watcher()
    flown = Flown(links=[link])
    flown.fly(1.0)
    link.frozen = True
    ticks, sent = flown.source.ticks, len(flown.snapshots)
    flown.fly(2.0)
    assert flown.source.ticks == ticks and len(flown.snapshots) >= sent + 49
    link.frozen = False
    flown.fly(1.0)
    assert flown.source.ticks == pytest.approx(ticks + 50, abs=2)
    assert flown.last("overruns") == 0.0  # nothing is caught up


def test_pages_are_told_the_counts_once_a_second():
    flown = Flown()
    links = LinkSet([Watcher("dis")], clock=flown.wall.clock)
    flown.runner.links = links
    flown.source.attach(links)
    flown.fly(5.0)
    links = [item for item in flown.messages if item["type"] == "links"]
    assert len(links) == pytest.approx(5, abs=1)
    assert links[-1]["links"]["dis"]["calls"] > 0


def test_without_a_page_time_runs_at_once_and_nobody_is_missed():
    class Moored(Buoy):
        first = Authority.WAITING  # for a pilot, who does not come

    link = Watcher()
    flown = Flown(Moored, clients=0, links=[link], piloted=False)
    flown.fly(3.0)
    assert flown.source.ticks == pytest.approx(150, abs=2)
    assert flown.snapshots == []
    assert "link_lost" not in flown.kinds()
    assert link.calls.count("after") == flown.source.ticks - 1


def test_a_link_that_flies_waits_for_no_page_and_one_that_watches_does():
    class Moored(Buoy):
        first = Authority.WAITING

    def fly(method, session):
        if len(link.calls) >= 20:
            session.signal(Signal.START)  # as an order to arm does

    link = Watcher()
    flown = Flown(Moored, clients=0, links=[link])
    flown.fly(2.0)
    assert flown.source.ticks == 1  # the one that compiles
    link.act = fly
    flown.fly(2.0)
    assert flown.source.ticks == pytest.approx(100, abs=5)


def test_sticks_of_a_rider_are_not_centred_by_a_page_that_has_none():
    def steer(method, session):
        if method == "before":
            session.input(Input(surge=0.5))

    flown = Flown(links=[Watcher(act=steer)])
    flown.fly(2.0)
    assert flown.source.sticks == Input(surge=0.5)
    assert flown.source.north_m == pytest.approx(0.5 * (flown.source.ticks - 1) / 50.0)
    assert CENTRED not in [sticks for _, sticks in flown.source.inputs]


@pytest.mark.slow
def test_the_end_of_the_runner_closes_riders_whatever_happened():
    for build in (Buoy, lambda: Buoy(diverges_at=30), lambda: 1 / 0):
        link = Watcher()
        runner = Runner(build, lambda data: None, lambda message: None, links=[link], piloted=False)
        runner.start()
        until(lambda runner=runner, link=link: len(link.calls) > 40 or runner.phase == "failed")
        runner.stop()
        assert link.closed == 1


@pytest.mark.slow
def test_a_served_console_takes_riders_along_and_tells_its_pages():
    link = Watcher("dis")
    with console(links=[link]) as served, Page(served) as page:
        links = page.await_text("links")
        assert set(links["links"]) == {"dis"}
        until(lambda: "after" in link.calls)
        link.fails = "after"
        event = page.await_text("event", kind="link")
        assert event["text"].startswith("dis: the link is closed")
        before = served.sources[0].ticks
        until(lambda: served.sources[0].ticks > before + 50)  # it goes on
    assert link.closed == 1
