"""Values of a key at shares of its distribution."""

import numpy as np
import pytest
from scipy import stats

from pelagos.campaign.sampling import drawn, on_grid
from pelagos.campaign.spec import Vary

SHARES = np.array([0.0, 0.125, 0.5, 0.875, 1.0 - 2.0**-53])


def test_a_range():
    assert drawn(Vary(key="a", low=-2.0, high=2.0), SHARES) == pytest.approx([-2.0, -1.5, 0.0, 1.5, 2.0])


def test_even_in_the_logarithm():
    assert drawn(Vary(key="a", low=1.0, high=256.0, log=True), SHARES) == pytest.approx([1, 2, 16, 128, 256])


def test_normal():
    inside = SHARES[1:4]
    found = drawn(Vary(key="a", mean=1.0, sigma=0.1), inside)
    assert found == pytest.approx(stats.norm(1.0, 0.1).ppf(inside), rel=1e-14)  # another route to the same function
    assert np.isfinite(drawn(Vary(key="a", mean=1.0, sigma=0.1), SHARES)).all()


def test_normal_cut_off():
    vary = Vary(key="a", mean=1.0, sigma=0.5, low=0.5, high=3.0)
    other = stats.truncnorm(-1.0, 4.0, 1.0, 0.5).ppf(SHARES[:4])
    assert drawn(vary, SHARES[:4]) == pytest.approx(other, rel=1e-9)  # scipy goes by logarithms
    assert drawn(Vary(key="a", mean=1.0, sigma=5.0, low=0.0), np.random.default_rng(1).random(1000)).min() >= 0.0


def test_whole_numbers_come_equally_often():
    found = drawn(Vary(key="a", low=1, high=4, whole=True), np.linspace(0.0, 1.0, 401)[:-1])
    assert found.dtype == np.int64
    assert np.bincount(found).tolist() == [0, 100, 100, 100, 100]
    assert drawn(Vary(key="seed", low=1, high=2), np.array([0.0, 0.999])).tolist() == [1, 2]


def test_choices():
    assert drawn(Vary(key="a", values=("lauv", "gavia")), SHARES).tolist() == [
        "lauv",
        "lauv",
        "gavia",
        "gavia",
        "gavia",
    ]
    assert drawn(Vary(key="a", values=(True, False)), SHARES[1:3]).tolist() == [True, False]
    assert drawn(Vary(key="a", values=(1, 2)), SHARES).dtype == np.int64
    assert drawn(Vary(key="a", values=(1, 2.5)), SHARES).dtype == np.float64


def test_points_of_a_grid():
    assert on_grid(Vary(key="a", low=0.0, high=1.0, points=5)).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert on_grid(Vary(key="a", low=1.0, high=100.0, log=True, points=3)) == pytest.approx([1.0, 10.0, 100.0])
    assert on_grid(Vary(key="a", values=(3, 1))).tolist() == [3, 1]
    assert on_grid(Vary(key="seed", low=1, high=3, points=3)).tolist() == [1, 2, 3]
    # evenly in probability: the thirds' middles of a normal distribution
    assert on_grid(Vary(key="a", mean=0.0, sigma=1.0, points=3)) == pytest.approx(stats.norm.ppf([1 / 6, 0.5, 5 / 6]))
