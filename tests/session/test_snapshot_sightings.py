"""What pages are told of contacts: where they are by dead reckoning, not too often, and when the last is gone."""

import asyncio
import json

import numpy as np
from pytest import approx

from pelagos.console.clients import Clients
from pelagos.session.flight import Flight
from pelagos.session.security import MOST_TEXTS
from pelagos.session.snapshot import MOST, PERIOD_S, ContactReports, message_of
from pelagos.sim.contacts import Contact, Contacts

SHIP = {
    "key": "1:1:7", "name": "Point Sur", "kind": "ship", "length_m": 41.0, "beam_m": 10.0, "height_m": 8.0,
    "position_m": [100.0, -20.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "velocity_m_s": [3.0, 4.0, 0.0],
    "algorithm": 2, "time_s": 10.0, "expires_s": 22.0,
}  # fmt: skip


def told(contact, time_s):
    contacts = Contacts()
    contacts.put(Contact.of(contact))
    (one,) = message_of(contacts, time_s, np.zeros(3))["contacts"]
    return one


def test_a_contact_is_where_it_is_reckoned_to_be_with_the_velocity_it_has_then():
    one = told(SHIP, 12.0)
    assert one["position_m"] == approx([106.0, -12.0, 0.0])  # p + v t
    assert one["velocity_m_s"] == approx([3.0, 4.0, 0.0])
    assert (one["heard_s"], one["expires_s"]) == (10.0, 22.0)
    assert {key: one[key] for key in ("key", "name", "kind", "length_m", "beam_m", "height_m")} == {
        key: SHIP[key] for key in ("key", "name", "kind", "length_m", "beam_m", "height_m")
    }
    still = told({**SHIP, "algorithm": 1}, 12.0)  # static, whatever velocity it has
    assert still["position_m"] == approx([100.0, -20.0, 0.0]) and still["velocity_m_s"] == approx([0.0, 0.0, 0.0])
    # with acceleration: p + v t + a t^2 / 2; the velocity is the mean of the next 0.1 s, v + a (t + 0.05)
    faster = told({**SHIP, "algorithm": 5, "acceleration_m_s2": [1.0, 0.0, 0.0]}, 12.0)
    assert faster["position_m"] == approx([108.0, -12.0, 0.0])
    assert faster["velocity_m_s"] == approx([3.0 + 2.05, 4.0, 0.0], abs=1e-3)  # told to the mm/s
    assert told({**SHIP, "expires_s": None}, 12.0)["expires_s"] is None


def test_of_many_the_nearest_are_told():
    contacts = Contacts()
    for k in range(MOST + 50):
        contacts.put(Contact.of({"key": str(k), "position_m": [1000.0 - k, 0.0, 0.0], "time_s": 0.0}))
    message = message_of(contacts, 0.0, np.zeros(3))
    assert {one["key"] for one in message["contacts"]} == {str(k) for k in range(50, MOST + 50)}
    assert len(json.dumps(message)) < 100_000  # bytes: ten times a second to every page


class Ticking:
    """A clock that the test moves."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def messages(flight):
    return [event for event in flight.take_events() if event["type"] == "contacts"]


def test_a_flight_tells_at_most_ten_times_a_second_while_there_are_any_and_once_that_there_are_none():
    flight = Flight("bluerov2_heavy", rate_hz=50.0)
    clock = Ticking()
    flight._snapshot._sightings = ContactReports(clock)
    row = np.zeros(len(flight.columns), np.float32)
    for _ in range(5):
        clock.now += 1.0
        flight.snapshot_into(row)
    assert messages(flight) == []  # nobody is about: nothing is said
    flight.order("contact", {**SHIP, "time_s": 0.0, "expires_s": 60.0})
    for _ in range(50):  # 2 s at 25 pictures a second
        clock.now += 0.04
        flight.snapshot_into(row)
    often = messages(flight)
    assert 2.0 / PERIOD_S / 1.5 < len(often) <= 2.0 / PERIOD_S  # whole pictures apart: every third of 0.04 s
    flight.order("contact_gone", {"key": "1:1:7"})
    for _ in range(10):
        clock.now += 0.04
        flight.snapshot_into(row)
    (last,) = messages(flight)
    assert last["contacts"] == []
    flight.close()


def test_contacts_of_a_flight_are_told_with_their_time_and_go_with_it():
    flight = Flight("bluerov2_heavy", rate_hz=50.0)
    flight.order("contact", {**SHIP, "time_s": 0.0, "expires_s": 0.5})
    for _ in range(20):
        flight.tick()
    flight.snapshot_into(np.zeros(len(flight.columns), np.float32))
    (message,) = messages(flight)
    assert message["time_s"] == approx(0.4)
    assert message["contacts"][0]["position_m"] == approx([101.2, -18.4, 0.0])
    for _ in range(10):
        flight.tick()
    flight.snapshot_into(np.zeros(len(flight.columns), np.float32))
    (message,) = messages(flight)
    assert message["contacts"] == []  # nothing was heard of it for too long
    flight.close()


def test_a_page_that_does_not_read_gets_the_last_of_them_and_is_not_sent_away():
    class Nobody:
        clients, link_lost = 0, False

        def let_go(self):
            """There is nobody."""

    async def spread():
        clients = Clients(lambda: 0.0)
        clients.runner = Nobody()
        client = clients.join("Ann")
        for k in range(2 * MOST_TEXTS):
            clients.broadcast("contacts", f'{{"type":"contacts","time_s":{k}}}', float(k))
            clients.broadcast("links", f'{{"type":"links","k":{k}}}', 0.0)
        assert not client.dropped.is_set()
        texts = []
        while not texts or '"links"' not in texts[-1]:
            texts.append(await client.outbox.take())
        return texts

    texts = [json.loads(text) for text in asyncio.run(spread())]
    assert [text["time_s"] for text in texts if text["type"] == "contacts"] == [2 * MOST_TEXTS - 1]
    assert [text["k"] for text in texts if text["type"] == "links"] == [2 * MOST_TEXTS - 1]
