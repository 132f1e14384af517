"""The two things that links ride on, and what they are shown of them."""

import pytest

from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.links import Link, LinkedSession
from pelagos.session.lockstep import LockstepDriver
from pelagos.world.spec import World
from tests.console.riding_along import Watcher


@pytest.fixture(params=["flight", "driver"])
def session(request):
    if request.param == "flight":
        made = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0})
    else:
        made = LockstepDriver(load_scenario("first-dive"))
    yield made
    made.close()


def test_a_flight_and_a_voyage_are_afloat(session):
    seen: LinkedSession = session
    assert seen.time_s == 0.0
    (sim,) = seen.sims
    session.tick()
    assert seen.time_s == sim.time_s == pytest.approx(sim.interval_s)


def test_both_take_contacts_as_orders(session):
    place = {"key": "x", "position_m": [10.0, 0.0, 5.0], "time_s": 0.0}
    session.order("contact", place)
    assert [one.contact.key for one in session.sims[0].contacts.at(0.0)] == ["x"]
    session.order("contact_gone", {"key": "x"})
    assert list(session.sims[0].contacts.at(0.0)) == []


def test_a_watcher_has_all_that_a_rider_needs():
    link: Link = Watcher()
    wanted = [name for name in vars(Link) if not name.startswith("_")]
    assert {"begin", "before", "after", "idle", "counts", "close"} <= set(wanted)
    assert all(callable(getattr(link, name)) for name in wanted)
