"""Uploads and downloads over a real socket, with items lost, late, repeated and wrong."""

import pymap3d
import pytest

from pelagos.links.mavlink.mission import MOST_ITEMS
from pelagos.links.mavlink.mission_protocol import MAX_RETRIES, RETRY_S

ACCEPTED, UNSUPPORTED, NO_SPACE, INVALID, SEQUENCE, DENIED, CANCELLED = 0, 3, 4, 5, 13, 14, 15


@pytest.fixture(autouse=True)
def anew(deck):
    deck.link.plan.put(())
    deck.station.heard.clear()
    deck.station.texts.clear()


def item(seq, north=5.0, east=0.0, alt=-6.0, command=16, kind=0):
    lat, lon, _ = pymap3d.ned2geodetic(north, east, 0.0, 36.8, -121.9, 0.0)
    return 1, 1, seq, 6, command, 0, 1, 0.0, 0.0, 0.0, 0.0, round(lat * 1e7), round(lon * 1e7), alt, kind


def requested(deck):
    return [message.seq for message in deck.station.of("MISSION_REQUEST_INT")]


def acks(deck):
    return [message.type for message in deck.station.of("MISSION_ACK")]


def upload(deck, items):
    deck.arrives(("mission_count", 1, 1, len(items), 0))
    for seq, mission_item in enumerate(items):
        deck.until(lambda seq=seq: seq in requested(deck) or acks(deck))
        deck.arrives(("mission_item_int", *mission_item))
    deck.until(lambda: acks(deck))
    return acks(deck)[-1]


def test_what_goes_up_comes_down_again(deck):
    sent = [item(0), item(1, 5.0, 3.0, -6.5), item(2, -4.0, 2.0, -8.25)]
    assert upload(deck, sent) == ACCEPTED
    assert requested(deck) == [0, 1, 2]
    count = deck.answer("MISSION_COUNT", "mission_request_list", 1, 1, 0)
    assert count.count == 3
    for seq, mission_item in enumerate(sent):
        got = deck.answer("MISSION_ITEM_INT", "mission_request_int", 1, 1, seq, 0)
        assert (got.seq, got.frame, got.command, got.x, got.y, got.z) == (
            seq,
            6,
            16,
            mission_item[11],
            mission_item[12],
            mission_item[13],
        )
        old = deck.answer("MISSION_ITEM", "mission_request", 1, 1, seq, 0)
        assert (old.x, old.y) == pytest.approx(
            (mission_item[11] / 1e7, mission_item[12] / 1e7), abs=1e-5
        )  # single precision
    assert deck.answer("MISSION_ACK", "mission_request_int", 1, 1, 3, 0).type == SEQUENCE
    value = deck.answer("PARAM_VALUE", "param_request_read", 1, 1, b"MIS_TOTAL", -1)
    assert value.param_value == 3


def test_a_lost_item_is_asked_for_again_and_a_doubled_one_does_no_harm(deck):
    deck.arrives(("mission_count", 1, 1, 3, 0))
    deck.arrives(("mission_item_int", *item(0)), ("mission_item_int", *item(0)), ("mission_item_int", *item(2)))
    deck.until(lambda: requested(deck).count(1) >= 2)  # a second later
    assert requested(deck)[0] == 0 and set(requested(deck)[1:]) == {1}
    deck.arrives(("mission_item_int", *item(1)), ("mission_item_int", *item(2)))
    deck.until(lambda: acks(deck))
    assert acks(deck) == [ACCEPTED] and len(deck.link.plan.items) == 3


@pytest.mark.slow
def test_an_upload_that_stalls_is_given_up_and_the_old_mission_stays(deck):
    assert upload(deck, [item(0), item(1)]) == ACCEPTED
    deck.station.heard.clear()
    deck.arrives(("mission_count", 1, 1, 9, 0))
    begun = deck.now_s
    deck.until(lambda: acks(deck))
    assert acks(deck) == [CANCELLED] and not deck.link.missions.uploading
    assert requested(deck) == [0] * (MAX_RETRIES + 1)
    # it waits for each answer; a tick of the clock at most is added to each
    assert deck.now_s - begun == pytest.approx((MAX_RETRIES + 1) * RETRY_S, abs=0.5)
    assert len(deck.link.plan.items) == 2


@pytest.mark.parametrize(
    ("wrong", "result"),
    [(item(1, alt=5.0), 12), (item(1, command=22), UNSUPPORTED), (item(1, north=1e6), 10)],
)
def test_an_item_that_cannot_be_flown_ends_the_upload(deck, wrong, result):
    assert upload(deck, [item(0), wrong, item(2)][:2]) == result
    assert deck.link.plan.items == () and not deck.link.missions.uploading
    deck.until(lambda: any("item 1" in text for text in deck.texts()))


def test_counts_that_are_too_many_or_none(deck):
    assert deck.answer("MISSION_ACK", "mission_count", 1, 1, MOST_ITEMS + 1, 0).type == NO_SPACE
    upload(deck, [item(0), item(1)])
    assert deck.answer("MISSION_ACK", "mission_count", 1, 1, 0, 0).type == ACCEPTED
    assert deck.link.plan.items == ()


def test_an_answer_that_was_lost_is_given_again(deck):
    """A station that did not get our MISSION_ACK sends its last item again."""
    sent = [item(0), item(1)]
    assert upload(deck, sent) == ACCEPTED
    assert deck.answer("MISSION_ACK", "mission_item_int", *sent[-1]).type == ACCEPTED
    assert len(deck.link.plan.items) == 2
    assert deck.answer("MISSION_ACK", "mission_item_int", *sent[0]).type == INVALID
    other = deck.call()
    assert deck.answer("MISSION_ACK", "mission_item_int", *sent[-1], caller=other).type == INVALID
    deck.arrives(("mission_clear_all", 1, 1, 0))
    assert deck.answer("MISSION_ACK", "mission_item_int", *sent[-1]).type == INVALID


def test_parts_of_missions_are_refused_not_passed_over(deck):
    upload(deck, [item(0), item(1)])
    assert deck.answer("MISSION_ACK", "mission_write_partial_list", 1, 1, 1, 1, 0).type == UNSUPPORTED
    assert deck.answer("MISSION_ACK", "mission_request_partial_list", 1, 1, 1, 1, 0).type == UNSUPPORTED
    guest = deck.call(7)
    assert deck.answer("MISSION_ACK", "mission_write_partial_list", 1, 1, 1, 1, 0, caller=guest).type == DENIED


def test_clearing(deck):
    upload(deck, [item(0), item(1)])
    assert deck.answer("MISSION_ACK", "mission_clear_all", 1, 1, 0).type == ACCEPTED
    assert deck.answer("MISSION_COUNT", "mission_request_list", 1, 1, 0).count == 0


@pytest.mark.parametrize("kind", [1, 2])
def test_fences_and_rallies_are_empty(deck, kind):
    reply = deck.answer("MISSION_COUNT", "mission_request_list", 1, 1, kind)
    assert (reply.count, reply.mission_type) == (0, kind)
    assert deck.answer("MISSION_ACK", "mission_count", 1, 1, 0, kind).type == ACCEPTED
    assert deck.answer("MISSION_ACK", "mission_count", 1, 1, 2, kind).type == UNSUPPORTED
    assert deck.answer("MISSION_ACK", "mission_clear_all", 1, 1, kind).type == ACCEPTED


def test_an_item_that_nobody_asked_for(deck):
    assert deck.answer("MISSION_ACK", "mission_item_int", *item(1)).type == INVALID


def test_only_the_station_that_controls_may_write(deck):
    upload(deck, [item(0), item(1)])
    other = deck.call(7)
    assert deck.answer("MISSION_ACK", "mission_count", 1, 1, 2, 0, caller=other).type == DENIED
    assert deck.answer("MISSION_ACK", "mission_clear_all", 1, 1, 0, caller=other).type == DENIED
    assert deck.answer("MISSION_COUNT", "mission_request_list", 1, 1, 0, caller=other).count == 2


def test_a_station_gives_its_upload_up(deck):
    deck.arrives(("mission_count", 1, 1, 2, 0))
    assert deck.link.missions.uploading
    deck.arrives(("mission_ack", 1, 1, 1, 0))
    assert not deck.link.missions.uploading
