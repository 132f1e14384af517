"""The real-time loop, on a clock that the test moves."""

import json
import re
import threading

import pytest

from pelagos.console.protocol import text_of
from pelagos.engine.waiting import WATCH
from pelagos.errors import ScenarioError
from pelagos.session.authority import Authority, ControlAuthority
from pelagos.session.realtime import COLUMNS, MOST_ORDERS, Runner
from pelagos.session.source import CENTRED, Input
from tests.console.buoy import Buoy
from tests.console.flown import AHEAD, Flown, Wall


def test_simulated_time_keeps_pace_with_the_wall():
    flown = Flown()
    flown.fly(10.0)
    assert flown.source.time_s == pytest.approx(10.0, abs=0.04)  # the first tick compiles, the last is not due yet
    assert flown.last("overruns") == 0.0
    assert flown.last("time_scale") == 1.0


@pytest.mark.parametrize("factor", [0.1, 2.0, 20.0])
def test_the_time_scale_multiplies(factor):
    flown = Flown()
    flown.order("time_scale", factor=factor)
    flown.fly(5.0)
    assert flown.source.time_s == pytest.approx(5.0 * factor, rel=0.01, abs=0.03)
    assert flown.last("time_scale") == pytest.approx(factor)


@pytest.mark.parametrize("factor", [0.05, 21.0, "fast", None, True])
def test_a_time_scale_that_cannot_be_is_refused(factor):
    flown = Flown()
    flown.order("time_scale", factor=factor)
    flown.fly(0.1)
    assert len(flown.refused) == 1 and "time_scale factor" in flown.refused[0]
    assert flown.last("time_scale") == 1.0


def test_pause_stops_time_and_not_the_snapshots():
    flown = Flown()
    flown.fly(1.0)
    flown.order("pause", on=True)
    flown.fly(0.1)
    ticks, sent = flown.source.ticks, len(flown.snapshots)
    flown.fly(5.0)
    assert flown.source.ticks == ticks
    assert len(flown.snapshots) > sent + 10
    assert flown.last("paused") == 1.0
    flown.order("pause", on=False)
    flown.fly(1.0)
    assert flown.source.ticks == pytest.approx(ticks + 50, abs=2)  # nothing is caught up
    assert flown.last("paused") == 0.0 and flown.last("overruns") == 0.0


@pytest.mark.parametrize(
    ("rate_hz", "factor", "work_s", "expected"),
    [
        (50.0, 1.0, 0.0, 25.0), (50.0, 1.0, 3e-4, 25.0), (30.0, 1.0, 3e-4, 25.0), (10.0, 1.0, 0.0, 10.0),
        (100.0, 20.0, 0.0, 25.0), (100.0, 20.0, 3e-3, 25.0), (50.0, 1.0, 0.03, 25.0), (50.0, 1.0, 0.1, 10.0),
    ],
)  # fmt: skip
def test_snapshots_come_at_25_a_second_or_with_every_tick(rate_hz, factor, work_s, expected):
    flown = Flown(lambda: Buoy(rate_hz))
    flown.source.on_tick = lambda: setattr(flown.wall, "now", flown.wall.now + work_s)
    flown.order("time_scale", factor=factor)
    flown.fly(10.0)
    assert len(flown.snapshots) == pytest.approx(10.0 * expected, abs=2)
    numbers = [snapshot.seq for snapshot in flown.snapshots]
    assert numbers == list(range(1, len(numbers) + 1))


def test_snapshots_come_as_often_while_time_stands():
    flown = Flown()
    flown.order("pause", on=True)
    flown.fly(10.0)
    assert len(flown.snapshots) == pytest.approx(250, abs=2)


@pytest.mark.parametrize("name", ["reset", "task_start", "conditions"])
def test_a_stick_that_is_held_goes_on_when_the_source_begins_anew(name):
    flown = Flown()
    flown.fly(1.0, say=AHEAD)
    flown.order(name)
    flown.fly(1.0, say=AHEAD)
    assert flown.source.north_m == pytest.approx(1.0, abs=0.06)  # 1 m/s since then


def test_the_time_that_a_new_beginning_takes_is_no_overrun():
    """The source takes 2 s to begin anew, and the new hello another one: a hundred intervals, of which none is lost."""
    flown = Flown()
    flown.fly(1.0)

    def long():
        flown.wall.now += 2.0
        flown.source.changed = True

    def hello():
        flown.wall.now += 1.0
        return {"mode": "live"}

    flown.source.on_begin, flown.source.hello = long, hello
    flown.order("task_start")
    flown.fly(4.0)
    assert flown.kinds().count("hello") == 2
    assert flown.last("overruns") == 0.0 and flown.last("lateness_ms") < 1.0
    assert flown.source.ticks == pytest.approx(50, abs=2)  # the second that is left of the four


def test_nothing_moves_before_somebody_watches():
    flown = Flown(clients=0)
    flown.fly(5.0)
    assert flown.source.ticks == 1
    flown.runner.clients = 1
    flown.fly(1.0)
    flown.runner.clients = 0  # a reload of the page does not stop the flight
    flown.fly(1.0)
    assert flown.source.ticks == pytest.approx(101, abs=2)


def test_a_machine_that_is_too_slow_is_said_to_be_so():
    flown = Flown()
    flown.source.on_tick = lambda: setattr(flown.wall, "now", flown.wall.now + 0.04)  # 40 ms for 20
    flown.fly(20.0)
    ticks, overruns = flown.source.ticks, flown.last("overruns")
    assert ticks == pytest.approx(500, abs=3)
    assert overruns == pytest.approx(500, rel=0.1)  # every other deadline
    assert flown.last("load_percent") == pytest.approx(100.0, abs=1.0)
    assert 1 <= flown.kinds().count("overrun") <= 20  # shown, but not with every tick
    assert flown.last("lateness_ms") > 0.0


def test_sticks_move_the_source_and_are_acknowledged():
    flown = Flown()
    flown.fly(2.0, say=AHEAD)
    assert flown.source.north_m == pytest.approx(2.0, abs=0.06)  # 1 m/s; the first message acts at the next tick
    assert flown.last("stick_surge") == 1.0
    last = flown.snapshots[-1]
    assert last.ack > 0 and 0.0 <= 1e3 * flown.wall.now - last.echo_ms <= 100.0  # ms: a message, a tick, a snapshot
    assert [sticks for _, sticks in flown.source.inputs] == [AHEAD]  # unchanged sticks are not sent again


def test_without_a_word_of_the_pilot_for_half_a_second_the_sticks_are_let_go():
    flown = Flown()
    flown.fly(1.0, say=AHEAD)
    flown.fly(0.45)
    assert flown.source.sticks == AHEAD and flown.last("link_lost") == 0.0
    flown.fly(0.2)
    assert flown.source.sticks == CENTRED and flown.last("link_lost") == 1.0
    assert flown.kinds().count("link_lost") == 1
    flown.fly(0.2, say=AHEAD)
    assert flown.source.sticks == AHEAD and flown.last("link_lost") == 0.0
    assert flown.kinds().count("link_back") == 1


def test_the_dead_man_acts_while_time_stands_still():
    flown = Flown()
    flown.fly(0.2, say=AHEAD)
    flown.order("pause", on=True)
    flown.fly(1.0)
    assert flown.source.sticks == CENTRED


def test_another_pilot_does_not_inherit_the_sticks():
    flown = Flown()
    flown.fly(0.5, say=AHEAD)
    flown.runner.let_go()
    flown.fly(0.1)
    assert flown.source.sticks == CENTRED
    assert flown.snapshots[-1].ack == 0


def test_orders_are_done_in_order_and_refusals_go_back():
    flown = Flown()
    flown.order("lights", level=0.5)
    flown.order("hold", hold="depth", on=True)
    flown.order("trim_reset")
    flown.fly(0.1)
    assert [name for _, name, _ in flown.source.orders] == ["lights", "hold", "trim_reset"]
    assert flown.refused == ["a buoy holds nothing"]
    assert [message["text"] for message in flown.messages if message.get("kind") == "order"] == ["lights", "trim_reset"]


def test_too_many_orders_are_refused_and_the_rest_is_done():
    flown = Flown()
    for _ in range(MOST_ORDERS + 5):
        flown.order("lights", level=0.5)
    assert len(flown.refused) == 5 and "too many" in flown.refused[0]
    flown.fly(0.1)
    assert len(flown.source.orders) == MOST_ORDERS


def test_the_page_is_told_about_compiling_and_then_who_is_there():
    flown = Flown()
    assert [(message["type"], message.get("phase")) for message in flown.messages] == [
        ("status", "compiling"), ("hello", None), ("status", "ready"),
    ]  # fmt: skip
    hello = flown.messages[1]
    assert hello["columns"] == [*Buoy.columns, *COLUMNS]
    assert (hello["version"], hello["mode"], hello["rate_hz"], hello["snapshot_hz"]) == (1, "live", 50.0, 25.0)
    assert json.loads(text_of(hello))["source"]["vehicle"] == {"key": "buoy"}


@pytest.mark.slow
def test_the_page_is_told_what_is_compiled_and_for_how_long():
    def build():
        WATCH.begin("advance")
        WATCH.stage("function 7, drag")
        heard, twice = [], threading.Event()
        with WATCH.listening(lambda *messages: (heard.append(messages), len(heard) < 2 or twice.set())):
            assert twice.wait(60.0)
        WATCH.end(made=False)
        return Buoy()

    messages = Flown(build).messages
    compiling = [message for message in messages if "compiling_s" in message]
    assert len(compiling) >= 2 and {message["phase"] for message in compiling} == {"compiling"}
    assert all(
        re.fullmatch(r"compiling advance, [\d:]+( s)?: function 7, drag", message["text"]) for message in compiling
    )
    assert compiling[-1]["compiling_s"] > compiling[0]["compiling_s"]
    assert messages[-1] == {"type": "status", "phase": "ready", "text": ""}


def test_a_change_of_the_source_brings_a_new_hello_before_the_next_snapshot():
    flown = Flown()
    flown.fly(0.1)
    flown.source.columns = (*Buoy.columns, "extra")
    flown.source.changed = True
    sent = len(flown.snapshots)
    flown.fly(0.2)
    assert flown.kinds().count("hello") == 2 and flown.source.changed is False
    assert {snapshot.values.size for snapshot in flown.snapshots[sent:]} == {4 + len(COLUMNS)}


def test_a_motion_that_diverges_is_told_and_a_reset_begins_anew():
    flown = Flown(lambda: Buoy(diverges_at=30))
    flown.fly(2.0)
    status = next(message for message in reversed(flown.messages) if message["type"] == "status")
    assert status["phase"] == "failed" and "diverged at 0.600 s" in status["text"]
    assert flown.sources[0].closed == 1  # what was recorded can be read
    sent = len(flown.snapshots)
    flown.order("lights", level=0.5)
    flown.fly(0.5)
    assert "reset begins anew" in flown.refused[0] and len(flown.snapshots) == sent
    flown.order("reset")
    flown.fly(0.2)
    assert len(flown.sources) == 2 and flown.runner.phase == "ready"
    assert len(flown.snapshots) > sent


def test_an_error_of_the_program_does_not_end_the_thread(caplog):
    flown = Flown()

    def broken():
        raise ZeroDivisionError("in the middle")

    flown.source.on_tick = broken
    flown.fly(0.1)
    status = next(message for message in reversed(flown.messages) if message["type"] == "status")
    assert status["phase"] == "failed" and "ZeroDivisionError: in the middle" in status["text"]
    assert "ended in an error" in caplog.text


def test_a_source_that_cannot_be_built_says_why():
    def impossible():
        raise ScenarioError(file="world", key="depth_m", value=-1, expected="a depth")

    wall, messages = Wall(), []
    runner = Runner(impossible, print, messages.append, clock=wall.clock, sleep=wall.sleep)
    runner.build()
    assert messages[-1] == {"type": "status", "phase": "failed", "text": "world: depth_m = -1: expected a depth"}
    assert runner.turn() > 0.0


def test_the_end_of_a_log_is_told_and_left_again_by_seeking():
    flown = Flown(lambda: Buoy(lasts_s=1.0))
    flown.fly(3.0)
    assert flown.runner.phase == "ended" and flown.source.time_s == 1.0
    flown.order("seek", time_s=0.5)
    flown.fly(0.3)
    assert flown.runner.phase == "ready" and 0.5 < flown.source.time_s < 1.0


def test_in_its_own_thread_it_builds_runs_and_closes():
    built, snapshot = [], threading.Event()

    def build():
        built.append(Buoy())
        return built[0]

    runner = Runner(build, lambda data: snapshot.set(), lambda message: None)
    runner.clients = 1
    runner.start()
    assert snapshot.wait(20.0)
    runner.stop()
    assert built[0].thread == "pelagos-runner"
    assert built[0].ticks > 0 and built[0].closed == 1


def test_what_is_still_being_compiled_is_not_waited_for():
    begun, go_on = threading.Event(), threading.Event()

    def build():
        begun.set()
        go_on.wait(20.0)
        return Buoy()

    runner = Runner(build, lambda data: None, lambda message: None)
    runner.start()
    assert begun.wait(20.0)
    runner.stop()  # comes back although the source is not there yet
    assert not go_on.is_set()
    go_on.set()


def patient():
    buoy = Buoy()
    buoy.authority = ControlAuthority(Authority.WAITING)
    return buoy


def test_time_stands_until_the_pilot_moves_a_stick():
    flown = Flown(patient)
    flown.fly(2.0, say=Input(pan=1.0))  # looking round is not flying
    assert flown.source.ticks == 1 and flown.last("waiting") == 1.0  # the one that compiles
    flown.fly(1.0, say=AHEAD)
    assert flown.source.ticks == pytest.approx(51, abs=2) and flown.last("waiting") == 0.0


def test_a_page_that_is_slow_to_begin_is_no_lost_link():
    flown = Flown(patient)
    flown.fly(0.2, say=CENTRED)
    flown.fly(3.0)
    assert not [message for message in flown.messages if message.get("kind") == "link_lost"]
    flown.fly(0.5, say=AHEAD)
    flown.fly(1.0)
    assert [message["kind"] for message in flown.messages if message["type"] == "event"].count("link_lost") == 1


@pytest.mark.parametrize(("name", "begins"), [("ship", True), ("task_start", True), ("lights", False)])
def test_an_order_that_flies_begins_the_flight_too(name, begins):
    flown = Flown(patient)
    flown.order(name)
    flown.fly(1.0)
    assert (flown.source.ticks > 1) == begins
