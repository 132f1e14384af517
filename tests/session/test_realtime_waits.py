"""A flight that waits for its pilot."""

import pytest

from pelagos.session.source import CENTRED, Input
from tests.console.buoy import Buoy
from tests.console.flown import AHEAD, Flown


def patient():
    buoy = Buoy()
    buoy.waits = True
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
    assert not [one for one in flown.told if one.get("kind") == "link_lost"]
    flown.fly(0.5, say=AHEAD)
    flown.fly(1.0)
    assert [one["kind"] for one in flown.told if one["type"] == "event"].count("link_lost") == 1


@pytest.mark.parametrize(("name", "begins"), [("ship", True), ("task_start", True), ("lights", False)])
def test_an_order_that_flies_begins_the_flight_too(name, begins):
    flown = Flown(patient)
    flown.order(name)
    flown.fly(1.0)
    assert (flown.source.ticks > 1) == begins
