"""The table of contacts against the contacts themselves, reckoned one by one."""

import numpy as np
import pytest

from pelagos.frames import quaternion_from_euler
from pelagos.sim.contacts import Contact, Contacts, ContactTable

RNG = np.random.default_rng(12)


def a_contact(key, algorithm=None):
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
    seen = contacts.at(time_s)
    assert len(spheres) == len(seen) == len(contacts)
    for row, sighting in zip(spheres, seen, strict=True):
        contact = sighting.contact
        # reckoned by other sums over the same numbers: rounding of a few km
        assert row[:3] == pytest.approx(sighting.position_n, abs=1e-8)
        assert row[3] == 0.5 * max(contact.length_m, contact.beam_m, contact.height_m)


@pytest.mark.parametrize("algorithm", range(1, 10))
def test_places_are_those_of_each_algorithm(algorithm):
    contacts = Contacts()
    for k in range(30):
        contacts.put(a_contact(f"k{k}", algorithm))
    for time_s in (-20.0, 0.0, 0.1, 30.0):
        agree(contacts, time_s)


def test_rows_follow_what_comes_changes_and_goes():
    contacts, names = Contacts(), [f"k{k}" for k in range(60)]
    for step in range(400):
        key = str(RNG.choice(names))
        if RNG.random() < 0.4:
            contacts.remove(key)
        else:
            contacts.put(a_contact(key))
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
        table.add(a_contact(f"k{k}"))
        assert len(table) == k + 1
    assert np.isfinite(table.spheres(0.0)).all()
