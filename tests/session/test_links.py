"""Links of flights and lockstep drivers: the order of their calls, and errors that close a link but not the flight."""

import logging

import pytest

from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.links import LONGEST_S, MOST_LONG, MOST_POSTS, Link, LinkSet, count_lines
from pelagos.session.lockstep import LockstepSession
from pelagos.session.session import Session
from pelagos.world.spec import World
from tests.console.buoy import Buoy
from tests.console.flown import Wall
from tests.console.riding_along import Watcher


@pytest.fixture(params=["flight", "session"])
def session(request):
    if request.param == "flight":
        made = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0})
    else:
        made = LockstepSession(load_scenario("first-dive"))
    yield made
    made.close()


def test_a_flight_and_a_voyage_are_afloat(session):
    linked: Session = session
    assert linked.time_s == 0.0
    (sim,) = linked.sims
    session.tick()
    assert linked.time_s == sim.time_s == pytest.approx(sim.interval_s)


def test_both_take_contacts_as_orders(session):
    place = {"key": "x", "position_m": [10.0, 0.0, 5.0], "time_s": 0.0}
    session.order("contact", place)
    assert [item.contact.key for item in session.sims[0].contacts.at(0.0)] == ["x"]
    session.order("contact_gone", {"key": "x"})
    assert list(session.sims[0].contacts.at(0.0)) == []


def test_a_watcher_has_all_that_a_rider_needs():
    link: Link = Watcher()
    methods = [name for name in vars(Link) if not name.startswith("_")]
    assert {"begin", "before", "after", "idle", "counts", "close"} <= set(methods)
    assert all(callable(getattr(link, name)) for name in methods)


@pytest.fixture(autouse=True)
def quiet(caplog):
    """A link that fails is logged with its trace, on purpose."""
    caplog.set_level(logging.CRITICAL, "pelagos.console")


def test_each_is_called_in_turn_with_what_happened():
    first, second = Watcher("one"), Watcher("two")
    links, buoy = LinkSet([first, second]), Buoy()
    links.begin(buoy)
    links.before(buoy)
    links.note([{"type": "event", "kind": "order", "text": "before"}, {"type": "result"}])
    links.after(buoy, [{"type": "event", "kind": "leg", "text": "in it"}])
    links.after(buoy)
    links.idle(buoy)
    links.close()
    assert first.calls == second.calls == ["begin", "before", "after", "after", "idle"]
    assert [event["kind"] for event in first.events] == ["order", "leg"]  # each once; a result is no event
    assert (first.closed, second.closed) == (1, 1)
    assert links.counts() == {"one": {"calls": 5}, "two": {"calls": 5}}  # they stay after the end


@pytest.mark.parametrize("method", ["begin", "before", "after", "idle", "counts"])
def test_one_that_raises_is_closed_told_of_and_left_out(method):
    bad, good, texts = Watcher("bad", fails=method), Watcher("good"), []
    links, buoy = LinkSet([bad, good], texts.append), Buoy()
    for _ in range(3):
        links.begin(buoy)
        links.before(buoy)
        links.after(buoy)
        links.idle(buoy)
        links.counts()
    assert bad.closed == 1 and bad.calls.count(method) <= 1
    assert good.calls == ["begin", "before", "after", "idle"] * 3
    assert links.names == ("good",)
    links.idle(buoy)
    assert len(texts) == 1 and texts[0].startswith(
        "bad: the link is closed, the flight goes on without it (RuntimeError"
    )
    assert "RuntimeError" in links.dropped["bad"]
    links.close()
    assert bad.closed == 1 and good.closed == 1


def test_one_that_cannot_even_be_closed_harms_nobody():
    texts, worst, good = [], Watcher("worst", fails="close"), Watcher("good")
    links = LinkSet([good, worst], texts.append)
    links.close()
    links.close()
    assert (worst.closed, good.closed) == (1, 1)
    assert texts == ["worst: could not be closed properly (OSError: it does not close)"]


def test_one_that_holds_up_the_flight_is_dropped_but_an_accident_is_forgiven():
    wall, texts = Wall(), []
    took = {"slow": 2.0 * LONGEST_S, "hiccup": 0.0}

    def slow(method, session):
        wall.now += took["slow"] if method == "before" else 0.0

    def hiccup(method, session):
        wall.now += took["hiccup"]

    first, second = Watcher("slow", act=slow), Watcher("hiccup", act=hiccup)
    links, buoy = LinkSet([first, second], texts.append, wall.clock), Buoy()
    for tick in range(3 * MOST_LONG):
        took["hiccup"] = 0.0 if tick % (MOST_LONG - 1) == 0 else 10.0  # many seconds, but never so often in a row
        links.before(buoy)
        links.after(buoy)
    assert first.calls.count("before") == MOST_LONG and first.closed == 1
    assert second.calls.count("before") == 3 * MOST_LONG and second.closed == 0
    assert len(texts) == 1 and "slow: the link is closed" in texts[0] and "holds up the flight" in texts[0]


def test_a_slow_beginning_is_no_fault():
    wall = Wall()
    first = Watcher(act=lambda method, session: setattr(wall, "now", wall.now + 60.0))
    links = LinkSet([first], clock=wall.clock)
    for _ in range(2 * MOST_LONG):
        links.begin(Buoy())
    assert first.closed == 0


def test_what_is_said_in_another_thread_waits_for_the_thread_of_the_flight_and_does_not_pile_up():
    texts = []
    links = LinkSet((), texts.append)
    for n in range(3 * MOST_POSTS):
        links.post(f"sentence {n}")
    assert texts == []
    links.after(Buoy())
    assert texts == [f"sentence {n}" for n in range(2 * MOST_POSTS, 3 * MOST_POSTS)]


def test_counts_are_reported_once_a_second():
    wall, messages = Wall(), []
    links = LinkSet([Watcher("dis")], clock=wall.clock)
    for _ in range(41):
        links.report(messages.append)
        wall.now += 0.125
    assert len(messages) == 6  # at 0, 1, 2, 3, 4 and 5 s
    assert messages[0] == {"type": "links", "links": {"dis": {"calls": 0}}, "dropped": {}}
    LinkSet().report(messages.append)
    assert len(messages) == 6  # nobody rides: nothing to report


def test_any_rider_can_have_time_stand_still():
    first, second = Watcher("one"), Watcher("two")
    links = LinkSet([first, second])
    assert not links.frozen
    second.frozen = True
    assert links.frozen


def test_counts_in_words():
    assert count_lines({"dis": {"sent": 3, "received": 1}, "mcap": {}}) == [
        "dis: received 1, sent 3",
        "mcap: nothing came or went",
    ]
