"""Contacts: checked fields, expiry, predicted positions; the table agrees with single contacts."""

import json
import math

import numpy as np
import pytest

import pelagos
from pelagos.errors import CommandError
from pelagos.frames import quaternion_from_euler
from pelagos.sim.contacts import Contact, Contacts, ContactTable
from pelagos.sim.simulation import Simulation

SHIP = {
    "key": "dis:1:2:3", "name": "Point Sur", "kind": "ship", "length_m": 41.0, "beam_m": 9.8, "height_m": 6.0,
    "position_m": [100.0, -50.0, 0.0], "quaternion": [1.0, 0.0, 0.0, 0.0], "velocity_m_s": [3.0, 4.0, 0.0],
    "acceleration_m_s2": [0.0, 0.0, 0.0], "rates_rad_s": [0.0, 0.0, 0.0], "algorithm": 2, "time_s": 10.0,
    "expires_s": 22.0,
}  # fmt: skip


def test_a_contact_goes_through_json_and_back():
    contact = Contact.of(json.loads(json.dumps(SHIP)))
    assert contact.table() == SHIP
    endless = Contact.of({**SHIP, "expires_s": None})
    assert math.isinf(endless.expires_s)
    assert json.loads(json.dumps(endless.table()))["expires_s"] is None
    assert Contact.of(endless.table()).table() == endless.table()


def test_required_fields_are_few():
    contact = Contact.of({"key": "k", "position_m": [1, 2, 3], "time_s": 0})
    assert contact.at(100.0).position_n.tolist() == [1.0, 2.0, 3.0]
    assert contact.quaternion.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_it_is_dead_reckoned():
    predicted = Contact.of(SHIP).at(15.0)
    assert predicted.position_n == pytest.approx([115.0, -30.0, 0.0], abs=1e-12)
    turned = {**SHIP, "algorithm": 6, "quaternion": quaternion_from_euler(0.0, 0.0, math.pi / 2).tolist()}
    contact = Contact.of(turned)  # 3 m/s ahead, which is east, and 4 m/s to starboard, which is south
    assert contact.velocity_n == pytest.approx([-4.0, 3.0, 0.0], abs=1e-12)
    assert contact.at(15.0).position_n == pytest.approx([80.0, -35.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"key": ""}, "contact key is ''; expected 1 to 64"),
        ({"key": 7}, "contact key is 7"),
        ({"name": "x" * 65}, "contact name is .*expected at most 64"),
        ({"length_m": 0.0}, "contact length_m is 0; expected a number from 0.01 to 2000"),
        ({"beam_m": "wide"}, "contact beam_m is 'wide'"),
        ({"position_m": [1.0, 2.0]}, "contact position_m is .*; expected 3 numbers"),
        ({"position_m": [math.nan, 0.0, 0.0]}, r"contact position_m\[0\] is nan"),
        ({"position_m": [1e8, 0.0, 0.0]}, "contact position_m is .*within"),
        ({"velocity_m_s": [0.0, 1e5, 0.0]}, "contact velocity_m_s"),
        ({"quaternion": [1.0, 1.0, 0.0, 0.0]}, "length of contact quaternion is 1.414213562373[0-9]*; expected 1"),
        ({"quaternion": [0.0, 0.0, 0.0, 0.0]}, "length of contact quaternion is 0; expected 1"),
        ({"algorithm": 0}, "dead reckoning algorithm is 0"),
        ({"time_s": math.inf}, "contact time_s is inf"),
        ({"expires_s": math.nan}, "contact expires_s is nan"),
        ({"lenght_m": 3.0}, 'a contact has no key .lenght_m.; expected one of .*; did you mean "length_m"'),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change, sentence):
    with pytest.raises(CommandError, match=sentence):
        Contact.of({**SHIP, **change})


@pytest.mark.parametrize("missing", ["key", "position_m", "time_s"])
def test_missing_fields_are_named(missing):
    with pytest.raises(CommandError, match=f"a contact needs the key .{missing}."):
        Contact.of({key: value for key, value in SHIP.items() if key != missing})


def test_a_later_one_of_the_same_key_takes_its_place_and_there_is_a_most():
    contacts = Contacts()
    contacts.most = 2
    contacts.put(Contact.of(SHIP))
    contacts.put(Contact.of({**SHIP, "name": "Western Flyer"}))
    assert [contact.name for contact in contacts] == ["Western Flyer"]
    contacts.put(Contact.of({**SHIP, "key": "b"}))
    with pytest.raises(CommandError, match="there is no room for contact 'c'; expected at most 2 contacts"):
        contacts.put(Contact.of({**SHIP, "key": "c"}))
    contacts.put(Contact.of({**SHIP, "key": "b", "name": "news"}))  # news of a known one is no more
    assert contacts.remove("b") and not contacts.remove("b")
    assert "dis:1:2:3" in contacts and len(contacts) == 1
    assert Contacts.most == 1000


def test_a_contact_expires_without_updates():
    contacts = Contacts()
    for k in range(3):
        contacts.put(Contact.of({**SHIP, "key": str(k), "expires_s": 20.0 + k}))
    assert contacts.expire(20.0) == []
    assert contacts.expire(20.5) == ["0"]
    contacts.put(Contact.of({**SHIP, "key": "1", "expires_s": 40.0}))
    assert contacts.expire(30.0) == ["2"]
    assert contacts.expire(41.0) == ["1"]
    assert contacts.expire(1e9) == []


def test_all_are_reckoned_once_and_again_after_news():
    contacts = Contacts()
    contacts.put(Contact.of(SHIP))
    first = contacts.at(12.0)
    assert contacts.at(12.0) is first
    contacts.put(Contact.of({**SHIP, "position_m": [0.0, 0.0, 0.0]}))
    assert contacts.at(12.0)[0].position_n == pytest.approx([6.0, 8.0, 0.0], abs=1e-12)
    contacts.remove(SHIP["key"])
    assert contacts.at(12.0) == []


def test_a_simulation_keeps_them_saves_them_and_lets_them_go():
    sim = Simulation("bluerov2_heavy", pelagos.World(depth_m=50.0))
    sim.place(depth_m=10.0)
    sim.contacts.put(Contact.of({**SHIP, "time_s": 0.0, "expires_s": 0.25}))
    saved = sim.save()
    sim.tick()
    sim.tick()
    assert len(sim.contacts) == 1  # 0.2 s
    sim.tick()
    assert len(sim.contacts) == 0  # 0.3 s
    sim.restore(saved)
    assert np.array_equal(sim.contacts.at(0.0)[0].position_n, SHIP["position_m"])
    sim.reset()
    assert len(sim.contacts) == 0


RNG = np.random.default_rng(12)


def random_contact(key, algorithm=None):
    """Anything: ships that stand, planes that loop, numbers of all algorithms."""
    return Contact(
        key,
        RNG.normal(size=3) * 1e3,
        float(RNG.uniform(-20.0, 0.0)),
        quaternion=quaternion_from_euler(*RNG.uniform(-3.0, 3.0, 3)),
        velocity_m_s=RNG.normal(size=3) * 5.0,
        acceleration_m_s2=RNG.normal(size=3) * 0.3,
        rates_rad_s=RNG.normal(size=3) * RNG.choice([0.0, 1e-6, 0.01, 1.0]),
        algorithm=int(RNG.integers(1, 10)) if algorithm is None else algorithm,
        length_m=float(RNG.uniform(1.0, 100.0)),
        beam_m=5.0,
    )


def agree(contacts, time_s):
    spheres = contacts.spheres(time_s)
    predicted = contacts.at(time_s)
    assert len(spheres) == len(predicted) == len(contacts)
    for row, sighting in zip(spheres, predicted, strict=True):
        contact = sighting.contact
        # reckoned by other sums over the same numbers: rounding of a few km
        assert row[:3] == pytest.approx(sighting.position_n, abs=1e-8)
        assert row[3] == 0.5 * max(contact.length_m, contact.beam_m, contact.height_m)


@pytest.mark.parametrize("algorithm", range(1, 10))
def test_places_are_those_of_each_algorithm(algorithm):
    contacts = Contacts()
    for k in range(30):
        contacts.put(random_contact(f"k{k}", algorithm))
    for time_s in (-20.0, 0.0, 0.1, 30.0):
        agree(contacts, time_s)


def test_rows_follow_what_comes_changes_and_goes():
    contacts, names = Contacts(), [f"k{k}" for k in range(60)]
    for step in range(400):
        key = str(RNG.choice(names))
        if RNG.random() < 0.4:
            contacts.remove(key)
        else:
            contacts.put(random_contact(key))
        if step % 20 == 0:
            agree(contacts, 0.1 * step)
            assert contacts.names == tuple(contact.name or contact.key for contact in contacts)
    saved = contacts.save()
    contacts.clear()
    assert contacts.spheres(1.0).shape == (0, 4) and contacts.names == ()
    contacts.restore(saved)
    agree(contacts, 3.0)
    contacts.put(Contact("k1", np.zeros(3), 0.0, name="Point Sur", expires_s=5.0))
    assert "Point Sur" in contacts.names and contacts.expire(6.0) == ["k1"]
    agree(contacts, 6.0)


def test_a_table_grows():
    table = ContactTable()
    for k in range(100):
        table.add(random_contact(f"k{k}"))
        assert len(table) == k + 1
    assert np.isfinite(table.spheres(0.0)).all()
