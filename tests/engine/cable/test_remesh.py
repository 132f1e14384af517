"""Adding and removing elements of a cable: the quantities that stay the same."""

import numpy as np
import pytest

from pelagos.tether.spec import Cable
from pelagos.world.structure import Structure
from tests.tether.flown import HEAVY, endless, fly, rigged, stay

LIGHT = Cable(diameter_m=0.02, mass_kg_m=0.34, stiffness_N=1e5, damping_Ns=200.0)


def one_step(line, rate):
    """Haul with a rate for one step of 1 ms: elements change, nothing has time to move."""
    line.haul(rate_m_s=rate)
    line.step(1e-3, line.shape_n[-1], np.zeros(3))


def hanging(elements=20, length=24.0):
    return rigged(HEAVY, endless(), (0.0, 0.0, 0.0), (12.0, 0.0, 8.0), length, elements=elements, payout="rate")


def bends(shape):
    d = np.diff(shape, axis=0)
    d /= np.linalg.norm(d, axis=1)[:, None]
    return np.arccos(np.clip((d[1:] * d[:-1]).sum(axis=1), -1.0, 1.0))


def test_a_split_changes_neither_shape_nor_tension():
    line = hanging()
    element = 24.0 / 20
    before, pulls = line.shape_n, line.tensions_N
    one_step(line, 0.51 * element / 1e-3)  # to just over one and a half
    assert line.head["n"] == 21
    np.testing.assert_allclose(line.nodes["length"][:2], [0.51 * element, element], rtol=1e-9)
    # what comes off at once is slack, so the tension goes; the old nodes have moved by 1e-6 s^2 of gravity, no more
    np.testing.assert_allclose(line.shape_n[2:], before[1:], atol=1e-4)
    assert np.isfinite(line.tensions_N).all()
    assert len(pulls) == 20


def test_the_node_of_a_join_goes_and_the_others_hardly_move():
    line = hanging()
    stay(line, 1.0)
    line.haul(rate_m_s=-0.2)
    before, n, moved = line.shape_n, int(line.head["n"]), []
    while int(line.head["n"]) == n:
        before = line.shape_n
        line.step(0.02, line.shape_n[-1], np.zeros(3))
    moved = np.abs(line.shape_n[1:] - before[2:]).max()
    # in a step of 20 ms the cable runs in by 4 mm; making room for the chord of a bend b moves a node by l b/8
    assert moved < 0.004 + 1.2 * bends(before).max() / 4.0
    assert line.nodes["length"][0] == pytest.approx(1.3 * 1.2, abs=0.01)  # what was left, 0.3, and the next
    assert line.nodes["length"][:-1].sum() == pytest.approx(line.length_m, rel=1e-12)


def test_tension_outlasts_a_join_of_bent_elements():
    """A stiff cable with 0.1 rad between elements: its chord is 0.1 %, or 1000 N, short of two elements."""
    stiff = Cable(diameter_m=0.02, mass_kg_m=1.0, stiffness_N=1e6)
    line = rigged(stiff, endless(), (0.0, 0.0, 0.0), (20.0, 0.0, 0.0), 22.0, elements=20, payout="rate")
    stay(line, 5.0)
    line.haul(rate_m_s=-0.1)
    seen = []
    stay(line, 30.0, each=lambda q: seen.append((q.head["n"], q.head["tension_a"], q.head["least"])))
    n, pull, least = np.array(seen).T
    joins = np.nonzero(np.diff(n) < 0)[0]
    assert len(joins) >= 2
    for k in joins:
        assert pull[k + 1] > 0.9 * pull[k]
        assert pull[k + 1] < 1.1 * pull[k]
        assert least[k + 1] > 0.5 * least[k]  # nowhere slack


def test_too_few_elements_are_halved_and_too_many_joined():
    line = hanging(elements=8, length=16.0)
    counts = []
    line.haul(rate_m_s=1.0)
    stay(line, 40.0, each=lambda q: counts.append(int(q.head["n"])))
    assert line.length_m == pytest.approx(56.0, rel=1e-9)
    assert max(counts) == 16
    line.haul(rate_m_s=-1.0)
    stay(line, 39.0, each=lambda q: counts.append(int(q.head["n"])))
    assert min(counts) >= 4
    lengths = line.nodes["length"][:-1]
    assert lengths.sum() == pytest.approx(line.length_m, rel=1e-12)
    assert lengths[1:].max() < 2.1 * lengths[1:].min()


def test_elements_round_a_bar_are_not_joined():
    """Cable is paid out until elements are joined in pairs; a chord over the bend would cut through the bar."""
    bar = Structure(kind="cylinder", from_m=(0.0, -9.0, 0.0), to_m=(0.0, 9.0, 0.0), radius_m=0.05, friction=1.0)
    line = rigged(LIGHT, endless(bar), (-0.3, 0.0, -4.0), (-0.3, 0.0, 4.0), 8.05, elements=10)
    fly(line, (2.5, 0.0, 3.0), speed_m_s=0.5)
    assert line.head["wrap"] > 0.3
    sides = []
    line.haul(rate_m_s=0.5)

    def each(q):
        shape = q.shape_n
        k = np.argmax((shape[:-1, 2] < 0.0) & (shape[1:, 2] >= 0.0))
        share = shape[k, 2] / (shape[k, 2] - shape[k + 1, 2])
        sides.append((int(q.head["n"]), shape[k, 0] + share * (shape[k + 1, 0] - shape[k, 0])))

    fly(line, (25.0, 0.0, 3.0), speed_m_s=0.6, each=each)
    n, north = np.array(sides).T
    assert (np.diff(n) < -1).any()  # pairs were joined
    assert north.max() < 0.0  # and the cable still passes the bar on the south side


def test_what_is_left_at_the_ship_is_never_without_length():
    line = hanging(elements=6, length=18.0)
    shortest = []
    line.haul(rate_m_s=-2.0)
    stay(line, 1.4, each=lambda q: shortest.append(float(q.nodes["length"][:-1].min())))
    assert min(shortest) > 0.0
    assert line.length_m == pytest.approx(18.0 - 2.8, rel=1e-9)
