"""Single contacts of the chain: detection, forces, stored state and status bits."""

import math

import numpy as np
import pytest

from pelagos.engine.cable import layout as rec
from pelagos.engine.water.sea import SEABED
from pelagos.tether.spec import Cable
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.structure import Structure
from tests.tether.flown import HEAVY, column, endless, fly, rigged, stay

LIGHT = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e5, damping_Ns=200.0)


def contacts(line):
    """The TOUCHING records of the last step that were active."""
    n = int(line.head["n"])
    first = (n + 1) * rec.N_SCRATCH
    table = line._work[first : first + 3 * (n + 1) * rec.N_TOUCHING].view(rec.TOUCHING.dtype)
    # the last that was noted is followed by what earlier steps have left: take as many as the head says
    return table[np.nonzero(table["active"] > 0.0)[0][: int(line.head["touching"])]]


def over_a_bar(friction, length, elements=20):
    """A cable over a bar along east: one end is flown down on the far side, then it is hauled in to its length."""
    bar = Structure(kind="cylinder", from_m=(0.0, -5.0, 0.0), to_m=(0.0, 5.0, 0.0), radius_m=0.3, friction=friction)
    line = rigged(LIGHT, endless(bar), (-4.0, 0.0, 2.0), (4.0, 0.0, -6.0), 11.4, elements=elements)
    fly(line, (4.0, 0.0, 2.0), speed_m_s=0.5)
    line.haul(rate_m_s=-0.2)
    stay(line, (11.4 - length) / 0.2)
    line.haul(fixed=True)
    return line


def test_push_of_a_bar_balances_the_pull_of_both_legs():
    line = over_a_bar(0.0, length=9.1)
    stay(line, 30.0)
    computed = contacts(line)
    push = (computed["push"][:, None] * computed["n"]).sum(axis=0)
    weight = LIGHT.weight_in(1025.0, 9.81) * 9.1
    # forces on the cable: both ends, the bar, its own weight; 1 %: the push noted is that before the last iteration
    total = -line.force_on_ship_n - line.force_on_vehicle_n + push + np.array([0.0, 0.0, weight])
    assert np.linalg.norm(line.force_on_vehicle_n) > 100.0
    np.testing.assert_allclose(total, 0.0, atol=0.01 * float(np.linalg.norm(push)))


def test_wrap_is_the_angle_between_the_two_legs():
    line = over_a_bar(0.3, length=9.1)
    stay(line, 20.0)
    first, last = np.diff(line.shape_n, axis=0)[[0, -1]]
    legs = math.acos(first @ last / np.linalg.norm(first) / np.linalg.norm(last))
    # 1 deg: the sag of legs that pull with kilonewtons
    assert float(line.head["wrap"]) == pytest.approx(legs, abs=math.radians(1.0))
    assert int(line.head["obstacle"]) == 0


def test_contacts_lie_on_the_skin():
    line = over_a_bar(0.3, length=9.1)
    for c in contacts(line):
        away = math.hypot(c["at"][0], c["at"][2]) - 0.3 - 0.5 * LIGHT.diameter_m
        assert away == pytest.approx(float(c["gap"]), abs=1e-6)
        np.testing.assert_allclose(c["n"], np.array([c["at"][0], 0.0, c["at"][2]]) / np.hypot(c["at"][0], c["at"][2]))


def test_friction_never_exceeds_its_limit():
    mu, line = 0.3, over_a_bar(0.3, length=9.1)
    seen = []

    def each(q):
        for c in contacts(q):
            e, s = int(c["element"]), float(c["s"])
            slip = q.nodes["hold" if s > 0.0 else "grip"][e]
            seen.append((c["along"] * np.linalg.norm(slip), float(c["limit"])))

    fly(line, (4.0, 3.0, 2.0), (4.0, -3.0, 2.0), speed_m_s=0.5, each=each)
    pull, limit = np.array(seen).T
    assert np.all(pull <= limit * (1.0 + 1e-9))
    assert np.mean(pull > 0.99 * limit) > 0.2  # it did slide
    assert mu * line.tensions_N.max() > 0.0


def test_the_ends_touch_nothing_themselves():
    """A vehicle whose fairlead is in the ground gets no push from it through the cable."""
    sea = endless(seabed=Seabed(depth_m=10.0))
    line = rigged(HEAVY, sea, (0.0, 0.0, 0.0), (8.0, 0.0, 9.9), 14.0, elements=20)
    stay(line, 5.0)
    pull = line.force_on_vehicle_n
    fly(line, (8.0, 0.0, 10.2), speed_m_s=0.1)
    stay(line, 5.0)
    # less than the weight of two elements: it lies there; a push on the end would be 1e4 x 0.35 x 0.2 = 700 N
    assert np.linalg.norm(line.force_on_vehicle_n - pull) < 30.0
    computed = contacts(line)
    assert np.all(computed["obstacle"] == SEABED)
    assert computed["element"].min() >= 1
    assert computed["element"].max() <= 19


def test_no_contact_is_missed_however_far_apart_the_nodes_are():
    """Nodes are skipped by their distance to a structure: every element that crosses is still found, in any order."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        north, radius = rng.uniform(-8.0, 8.0), rng.uniform(0.05, 0.6)
        bar = column(radius, 0.0, north_m=float(north), east_m=float(-radius - 0.02))
        line = rigged(
            LIGHT, endless(bar), (-10.0, 0.0, 0.0), (10.0, 0.0, 0.0), 20.001, elements=int(rng.integers(4, 40))
        )
        fly(line, (10.0, -0.5, 0.0), speed_m_s=0.5)
        crossing = -0.25 * (north + 10.0) / 10.0
        stay(line, 1.0)
        assert line.head["obstacle"] == 0, (north, radius, crossing)
        near = np.hypot(line.points(2000)[:, 0] - north, line.points(2000)[:, 1] + radius + 0.02)
        assert near.min() > radius - 0.01


def test_a_long_element_on_a_flat_face_rests_on_both_its_ends():
    box = Structure(kind="box", center_m=(0.0, 0.0, 1.0), size_m=(8.0, 8.0, 2.0), friction=0.4)
    line = rigged(
        HEAVY, endless(box), (-4.5, 0.0, -0.8), (4.5, 0.0, -0.8), 9.05, elements=6, payout="rate", rate_m_s=0.05
    )
    stay(line, 20.0)
    line.haul(fixed=True)
    stay(line, 20.0)
    on = [int(c["element"]) for c in contacts(line) if c["s"] == 0.0]
    assert len(on) >= 3
    used, before = [], line.shape_n
    stay(line, 30.0, each=lambda q: used.append(int(q.head["used"])))
    assert max(used) == 1  # no chatter
    np.testing.assert_allclose(line.shape_n, before, atol=1e-7)
