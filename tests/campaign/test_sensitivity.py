"""Indices against closed forms: Ishigami's function, a linear model; gaps in a design; what cannot be said."""

import numpy as np
import pytest
from pytest import approx

pytest.importorskip("SALib")
from SALib.sample import morris, sobol

from pelagos.campaign.sensitivity import base_rows, saltelli_step, sensitivity

KEYS = ("x1", "x2", "x3")
UNIT = {"num_vars": 3, "names": list(KEYS), "bounds": [[0.0, 1.0]] * 3}
CIRCLE = {"num_vars": 3, "names": list(KEYS), "bounds": [[-np.pi, np.pi]] * 3}
A, B = 7.0, 0.1
SLOPES = np.array([3.0, -2.0, 1.0])


def ishigami(x):
    """sin x1 + 7 sin2 x2 + 0.1 x3^4 sin x1 (Ishigami and Homma 1990)."""
    return np.sin(x[:, 0]) + A * np.sin(x[:, 1]) ** 2 + B * x[:, 2] ** 4 * np.sin(x[:, 0])


def ishigami_indices():
    """S1 and ST in closed form."""
    variance = A**2 / 8.0 + B * np.pi**4 / 5.0 + B**2 * np.pi**8 / 18.0 + 0.5
    v1, v2 = 0.5 * (1.0 + B * np.pi**4 / 5.0) ** 2, A**2 / 8.0
    v13 = B**2 * np.pi**8 * (1.0 / 18.0 - 1.0 / 50.0)
    return np.array([v1, v2, 0.0]) / variance, np.array([v1 + v13, v2, v13]) / variance


@pytest.mark.parametrize("second", [True, False])
def test_sobol_indices_of_ishigami(second):
    x = sobol.sample(CIRCLE, 1024, calc_second_order=second, seed=1)
    found = sensitivity("saltelli", KEYS, x, ishigami(x))
    first, total = ishigami_indices()
    # An estimate from N independent blocks is off by about 1 / sqrt(N) = 0.03; the points of Sobol fill better
    assert found.indices["S1"].value == approx(first, abs=0.03)
    assert found.indices["ST"].value == approx(total, abs=0.03)
    assert np.all(found.indices["ST"].low < total) and np.all(total < found.indices["ST"].high)
    assert found.order == ("x1", "x2", "x3") and found.used == len(x)


def test_sobol_indices_of_a_linear_model():
    x = sobol.sample(UNIT, 512, calc_second_order=False, seed=1)
    found = sensitivity("saltelli", KEYS, x, 5.0 + x @ SLOPES)
    share = SLOPES**2 / (SLOPES**2).sum()  # no interactions: first and total are the same
    assert found.indices["S1"].value == approx(share, abs=0.03)  # 1 / sqrt(512) is 0.044
    assert found.indices["ST"].value == approx(share, abs=0.03)


def test_a_failed_run_takes_its_block_out():
    x = sobol.sample(UNIT, 256, calc_second_order=False, seed=1)
    y = x @ SLOPES
    y[[0, 17, 18]] = np.nan  # blocks of five rows: the first and the fourth
    found = sensitivity("saltelli", KEYS, x, y)
    assert found.used == len(x) - 10
    assert found.indices["S1"].value == approx(SLOPES**2 / (SLOPES**2).sum(), abs=0.06)  # 1 / sqrt(254)


def test_one_run_that_went_astray_does_not_hide_the_others():
    x = sobol.sample(UNIT, 256, calc_second_order=False, seed=1)
    y = x @ SLOPES
    y[3] = 1e6  # in one of the mixed rows: neither of A nor of B
    found = sensitivity("saltelli", KEYS, x, y)
    assert found.of_ranks
    # of ranks as of the metric, but for the ranks of a sum not being quite the sum of ranks
    assert found.indices["S1"].value == approx(SLOPES**2 / (SLOPES**2).sum(), abs=0.1)
    assert not sensitivity("saltelli", KEYS, x, x @ SLOPES).of_ranks


def test_a_design_is_recognised_by_its_rows():
    for second, step in ((True, 8), (False, 5)):
        x = sobol.sample(UNIT, 16, calc_second_order=second, seed=3)
        assert saltelli_step(x) == step
        assert base_rows("saltelli", x).sum() == 32
        assert base_rows("lhs", x).all()
        mixed = x[np.random.default_rng(1).permutation(len(x))]
        assert saltelli_step(mixed) == 0
        assert "no Saltelli design" in sensitivity("saltelli", KEYS, mixed, mixed @ SLOPES).reason


def test_morris_of_a_linear_model_is_exact():
    x = morris.sample({**UNIT, "groups": None}, 20, num_levels=4, seed=1)
    y = x @ SLOPES
    y[2] = np.nan  # one of twenty trajectories
    found = sensitivity("morris", KEYS, x, y)
    # every step of a key changes a linear model by the same amount: its slope times the range, to rounding
    assert found.indices["mu_star"].value == approx(np.abs(SLOPES), rel=1e-12)
    assert found.indices["mu"].value == approx(SLOPES, rel=1e-12)
    assert found.indices["sigma"].value == approx(np.zeros(3), abs=1e-12)
    assert found.used == len(x) - 4 and found.order == KEYS


def test_nothing_is_said_of_a_metric_that_stays_the_same_or_of_too_few_runs():
    x = np.random.default_rng(1).random((64, 3))
    same = sensitivity("random", KEYS, x, np.ones(64))
    assert same.reason == "it is 1 in every run" and same.order == KEYS and not same.indices
    few = sensitivity("random", KEYS, x[:9], x[:9, 0])
    assert few.reason.startswith("9 runs")
    assert "seed" in sensitivity("random", (), x[:, :0], x[:, 0]).reason


def test_the_same_seed_gives_the_same_numbers():
    x = np.random.default_rng(1).random((100, 3))
    one, two = (sensitivity("random", KEYS, x, x @ SLOPES, seed=5) for _ in range(2))
    for name, estimates in one.indices.items():
        assert np.array_equal(estimates.low, two.indices[name].low, equal_nan=True)
    assert one.floor == two.floor
