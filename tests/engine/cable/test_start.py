"""The initial shape of a cable: a catenary between two points under a uniform load, against its closed form."""

import math

import numpy as np
import pytest

from tests.engine.chain_probe import Bare, ask_hang

A = np.array([3.0, -2.0, 5.0])


def hung(length, chord, load, n=400, stiffness=1e6):
    b = Bare(n, stiffness=stiffness)
    ask_hang(b.line, b.chain, n, float(length), A, A + np.asarray(chord, float), np.asarray(load, float))
    return b


def parameter(length, across, along):
    """a with sqrt(L^2 - v^2) = 2 a sinh(h/2a), by halving."""
    expected = math.sqrt(length**2 - along**2)
    low, high = across / 200.0, 1e6 * across
    for _ in range(200):
        a = math.sqrt(low * high)
        low, high = (a, high) if 2.0 * a * math.sinh(0.5 * across / a) > expected else (low, a)
    return a


CASES = [
    (120.0, (60.0, 0.0, 80.0), (0.0, 0.0, 2.0)),
    (120.0, (60.0, 30.0, -20.0), (0.0, 0.0, 2.0)),
    (100.0, (20.0, 10.0, 30.0), (3.0, -1.0, 0.5)),  # a load to the side
    (100.0, (20.0, 10.0, 30.0), (0.0, 0.0, -0.7)),  # floats
    (1000.0, (50.0, 0.0, 0.0), (0.0, 0.0, 1e-3)),
    (100.5, (60.0, 0.0, 80.0), (0.0, 0.0, 2.0)),  # almost straight
]


@pytest.mark.slow
@pytest.mark.parametrize(("length", "chord", "load"), CASES)
def test_it_is_the_catenary(length, chord, load):
    """Ends, length, and the tension at each element's middle from the closed form of the ends' forces."""
    b = hung(length, chord, load)
    r, n = b.nodes["r"], b.n
    q = np.linalg.norm(load)
    e = np.asarray(load) / q
    along = float(np.dot(chord, e))
    across = float(np.linalg.norm(np.asarray(chord) - along * e))
    a = parameter(length, across, along)
    np.testing.assert_allclose(r[0], A, atol=1e-9 * length)
    np.testing.assert_allclose(r[n], A + chord, atol=0.0)
    np.testing.assert_allclose(r[n - 1] + (r[n - 1] - r[n - 2]), r[n], atol=0.05 * length / n)  # comes there smoothly
    # a chord is shorter than its arc by (l/R)^2/24, R > a where it is sharpest
    sizes = np.linalg.norm(np.diff(r, axis=0), axis=1)
    np.testing.assert_allclose(sizes, length / n, rtol=(length / n / a) ** 2 / 24.0 + 1e-9)
    # pull across the load: q a; along it at A: q/2 (v coth(h/2a) + L), less by q per metre
    s = (np.arange(n) + 0.5) * length / n
    upright = 0.5 * q * (along / math.tanh(0.5 * across / a) + length) - q * s
    np.testing.assert_allclose(b.nodes["tension"][:n], np.hypot(q * a, upright), rtol=1e-6)


@pytest.mark.parametrize(("length", "chord", "load"), CASES)
def test_its_pulls_balance_the_load(length, chord, load):
    """At each node: T t of the middles differ by the load on what lies between, to second order in l/a."""
    b = hung(length, chord, load)
    step = np.diff(b.nodes["r"], axis=0)
    pull = b.nodes["tension"][: b.n, None] * step / np.linalg.norm(step, axis=1)[:, None]
    q, l = np.linalg.norm(load), length / b.n
    e = np.asarray(load) / q
    along = float(np.dot(chord, e))
    a = parameter(length, float(np.linalg.norm(np.asarray(chord) - along * e)), along)
    left = np.linalg.norm(np.diff(pull, axis=0) + np.asarray(load) * l, axis=1)
    assert left.max() < (0.25 * (l / a) ** 2 + 1e-6) * q * l


@pytest.mark.parametrize("chord", [(0.0, 0.0, 0.0), (0.0, 0.0, 50.0), (0.3, 0.0, -50.0)])
def test_legs_along_the_load_are_opened(chord):
    """Two percent of the length wide somewhere, both ends where they belong, everything finite."""
    b = hung(100.0, chord, (0.0, 0.0, 1.0), n=50)
    r = b.nodes["r"]
    assert np.isfinite(b.chain).all()
    np.testing.assert_allclose(r[0], A, atol=1e-9)
    np.testing.assert_allclose(r[50], A + np.asarray(chord), atol=1e-9)
    sizes = np.linalg.norm(np.diff(r, axis=0), axis=1)
    # opened by 2 m and sheared back: elements change by 2 %; those that span the fold are cut short
    assert np.sort(np.abs(sizes / 2.0 - 1.0))[-4] < 0.02
    assert np.ptp(r[:, 0]) + np.ptp(r[:, 1]) > 0.005 * 100.0


def test_too_short_a_cable_is_straight_and_stretched():
    """Tension EA (d/L - 1), and a tenth of the load so that it is never without any."""
    b = hung(99.0, (60.0, 0.0, 80.0), (0.0, 0.0, 2.0), n=10)
    np.testing.assert_allclose(b.nodes["r"], A + np.outer(np.linspace(0, 1, 11), (60.0, 0.0, 80.0)), atol=1e-9)
    np.testing.assert_allclose(b.nodes["tension"][:10], 1e6 / 99.0 + 0.1 * 2.0 * 99.0, rtol=1e-9)


def test_without_a_load_it_hangs_under_next_to_nothing():
    b = hung(100.0, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), n=50)
    assert np.isfinite(b.chain).all()
    assert 0.0 < b.nodes["tension"][:50].max() < 1e-6
    sizes = np.linalg.norm(np.diff(b.nodes["r"], axis=0), axis=1)
    np.testing.assert_allclose(sizes, 2.0, rtol=0.01)
