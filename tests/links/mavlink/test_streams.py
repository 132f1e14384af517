"""Message rates with a manual clock."""

import math

import pymavlink.dialects.v20.ardupilotmega as mavlink
import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.streams import GROUPS, STREAMS, Streams

ATTITUDE, QUATERNION = 30, 31


class Clock:
    s = 50.0

    def __call__(self):
        return self.s


@pytest.fixture
def made():
    clock, parameters = Clock(), Parameters()
    make = {name: lambda name=name: name for name in ("HEARTBEAT", *STREAMS)}
    make["DISTANCE_SENSOR"] = lambda: None
    make["NAMED_VALUE_FLOAT"] = lambda: ["a", "b"]
    return Streams(mavlink, parameters, make, clock), clock, parameters


def count(streams, clock, seconds=10.0, tick=0.02):
    sent = []
    for _ in range(round(seconds / tick)):
        clock.s += tick
        sent += streams.due()
    return {name: sent.count(name) for name in set(sent)}


def test_each_message_comes_at_the_rate_of_its_group(made):
    streams, clock, parameters = made
    sent = count(streams, clock)
    assert sent.pop("HEARTBEAT") == pytest.approx(10, abs=1)
    assert sent.pop("a") == sent.pop("b") == pytest.approx(10 * parameters["SR0_EXTRA3"], abs=1)
    for name, n in sent.items():
        assert n == pytest.approx(10 * parameters[STREAMS[name]], abs=1), name
    assert not {"ATTITUDE_QUATERNION", "DISTANCE_SENSOR", "HOME_POSITION"} & sent.keys()


def test_a_message_has_a_rate_of_its_own_until_it_is_given_back(made):
    streams, clock, _ = made
    streams.set_interval(QUATERNION, 1e6 / 25)
    streams.set_interval(ATTITUDE, -1)
    sent = count(streams, clock)
    assert sent["ATTITUDE_QUATERNION"] == pytest.approx(250, abs=1) and "ATTITUDE" not in sent
    assert streams.interval_us("ATTITUDE_QUATERNION") == 40000 and streams.interval_us("ATTITUDE") == -1
    streams.set_interval(ATTITUDE, 0)
    assert streams.interval_us("ATTITUDE") == 100000


def test_groups_are_set_by_their_numbers(made):
    streams, _, parameters = made
    streams.request(10, 20, 1)
    assert parameters["SR0_EXTRA1"] == 20.0
    streams.request(0, 4, 1)
    assert {parameters[name] for name in GROUPS.values()} == {4.0}
    streams.request(6, 4, 0)
    assert streams.rate_hz("LOCAL_POSITION_NED") == 0.0


@pytest.mark.parametrize(("number", "interval"), [(30, 100.0), (30, math.nan), (99999, 1e5), (math.inf, 1e5), (0, 1e5)])
def test_what_cannot_be_is_refused(made, number, interval):
    with pytest.raises(CommandError):
        made[0].set_interval(number, interval)


def test_groups_that_are_not_there_or_too_fast_are_refused(made):
    with pytest.raises(CommandError, match="no data stream 77; expected 0 or one of"):
        made[0].request(77, 4, 1)
    with pytest.raises(CommandError, match="a number from"):
        made[0].request(10, 500, 1)


def test_after_a_long_stop_nothing_is_made_up_for(made):
    streams, clock, _ = made
    streams.due()
    clock.s += 100.0
    assert streams.due().count("ATTITUDE") == 1
    assert "ATTITUDE" not in streams.due()
