"""Parameter table and checks of values; lists, reads and changes over a real socket."""

import math

import pytest

from pelagos.errors import CommandError
from pelagos.links.mavlink.parameters import REAL32, TABLE, Parameters

NAMES = [parameter.name for parameter in TABLE]


def test_the_table_is_sound():
    assert len({parameter.name for parameter in TABLE}) == len(TABLE)
    for parameter in TABLE:
        assert (
            1 <= len(parameter.name) <= 16 and parameter.name == parameter.name.upper()
        )  # what a PARAM_VALUE can hold
        assert parameter.low <= parameter.value <= parameter.high
        assert parameter.kind == REAL32 or float(parameter.value).is_integer()
        assert len(parameter.words) > 3
        assert (
            float.fromhex(float(parameter.high).hex()) <= 2**24 or parameter.fixed
        )  # whole numbers that a float keeps


def test_values_are_set_and_read():
    p = Parameters()
    p.set("FS_PILOT_TIMEOUT", 2.5)
    assert p["FS_PILOT_TIMEOUT"] == 2.5
    assert len(p) == len(TABLE) and p.names[0] == TABLE[0].name


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("FS_PILOT_TIMEOUT", math.nan, "expected"),
        ("FS_PILOT_TIMEOUT", 99.0, "a number from"),
        ("FS_GCS_ENABLE", 1.5, "whole"),
        ("FS_GCS_ENABL", 1.0, "FS_GCS_ENABLE"),
        ("FRAME_CONFIG", 1.0, "follows from the vehicle and cannot be set"),
        ("BTN3_FUNCTION", 40.0, "expected one of"),
    ],
)
def test_what_cannot_be_is_refused_and_the_old_value_stays(name, value, reason):
    p = Parameters()
    before = {parameter: p[parameter] for parameter in p.names}
    with pytest.raises(CommandError, match=reason):
        p.set(name, value)
    assert {parameter: p[parameter] for parameter in p.names} == before


def test_something_may_refuse_before_a_value_is_taken():
    p, taken = Parameters(), []

    def refuse(value):
        taken.append(value)
        raise CommandError("no")

    p.on_change("JS_GAIN_DEFAULT", refuse)
    with pytest.raises(CommandError):
        p.set("JS_GAIN_DEFAULT", 0.7)
    assert taken == [0.7] and p["JS_GAIN_DEFAULT"] == 0.5


def values(caller):
    return {value_message.param_index: value_message for value_message in caller.of("PARAM_VALUE")}


def test_all_are_listed_once_and_a_second_request_begins_anew(deck):
    deck.station.heard.clear()
    deck.arrives(("param_request_list", 1, 1), ("param_request_list", 1, 1))
    deck.until(lambda: len(values(deck.station)) == len(NAMES), "the list")
    listed = values(deck.station)
    assert [listed[i].param_id for i in range(len(NAMES))] == NAMES
    assert {value_message.param_count for value_message in listed.values()} == {len(NAMES)}
    deck.turn(20)
    assert len(deck.station.of("PARAM_VALUE")) < 2 * len(NAMES)


def test_one_that_was_missed_is_read_by_its_number_or_name(deck):
    for i in (0, 17, len(NAMES) - 1):
        reply = deck.answer("PARAM_VALUE", "param_request_read", 1, 1, b"", i)
        assert (reply.param_id, reply.param_index) == (NAMES[i], i)
    assert deck.answer("PARAM_VALUE", "param_request_read", 1, 1, b"FS_GCS_TIMEOUT", -1).param_value == 5.0


@pytest.mark.parametrize(("name", "index"), [(b"NO_SUCH_THING", -1), (b"", 9999), (b"", -7)])
def test_one_that_is_not_there_is_counted(deck, name, index):
    before = deck.link.counts().get("unknown_parameter", 0)
    deck.station.heard.clear()
    deck.arrives(("param_request_read", 1, 1, name, index))
    assert deck.link.counts()["unknown_parameter"] == before + 1 and not deck.station.of("PARAM_VALUE")


def test_all_stations_are_told_of_a_change_and_a_guest_may_only_read(deck):
    guest = deck.call(77)
    assert deck.answer("PARAM_VALUE", "param_request_read", 1, 1, b"WPNAV_RADIUS", -1, caller=guest).param_value == 100
    guest.heard.clear()
    assert deck.answer("PARAM_VALUE", "param_set", 1, 1, b"WPNAV_RADIUS", 250.0, 9).param_value == 250.0
    deck.until(lambda: guest.of("PARAM_VALUE"), "the news")
    deck.arrives(("param_set", 1, 1, b"WPNAV_RADIUS", 900.0, 9), caller=guest)
    assert deck.link.parameters["WPNAV_RADIUS"] == 250.0


def test_what_is_refused_is_answered_with_the_value_in_force_and_a_sentence(deck):
    top = 100.0 * deck.flight.helm.schedule.top_speed
    was = deck.link.parameters["WPNAV_SPEED"]
    reply = deck.answer("PARAM_VALUE", "param_set", 1, 1, b"WPNAV_SPEED", 2.0 * top, 9)
    assert reply.param_value == pytest.approx(was)
    deck.until(lambda: any("cm/s, the top speed of" in text for text in deck.texts()))
    assert deck.answer("PARAM_VALUE", "param_set", 1, 1, b"WPNAV_SPEED", 0.5 * top, 9).param_value == pytest.approx(
        0.5 * top
    )
