"""Sensitivity indices against closed forms, with and without a design; missing runs; keys without influence."""

import numpy as np
import pytest
from pytest import approx

pytest.importorskip("SALib")

from SALib.analyze import pawn as salib_pawn
from SALib.analyze import rbd_fast
from SALib.sample import morris, sobol

from pelagos.campaign.sensitivity import (
    base_rows,
    explained_by_values,
    first_order,
    pawn,
    rank_regression,
    saltelli_step,
    sensitivity,
    slices,
)

KEYS = ("x1", "x2", "x3")
UNIT = {"num_vars": 3, "names": list(KEYS), "bounds": [[0.0, 1.0]] * 3}
CIRCLE = {"num_vars": 3, "names": list(KEYS), "bounds": [[-np.pi, np.pi]] * 3}
A, B = 7.0, 0.1
SLOPES = np.array([3.0, -2.0, 1.0])
RNG = np.random.default_rng(7)


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
    analysis = sensitivity("saltelli", KEYS, x, ishigami(x))
    first, total = ishigami_indices()
    # An estimate from N independent blocks is off by about 1 / sqrt(N) = 0.03; the points of Sobol fill better
    assert analysis.indices["S1"].value == approx(first, abs=0.03)
    assert analysis.indices["ST"].value == approx(total, abs=0.03)
    assert np.all(analysis.indices["ST"].low < total) and np.all(total < analysis.indices["ST"].high)
    assert analysis.order == ("x1", "x2", "x3") and analysis.used == len(x)


def test_sobol_indices_of_a_linear_model():
    x = sobol.sample(UNIT, 512, calc_second_order=False, seed=1)
    analysis = sensitivity("saltelli", KEYS, x, 5.0 + x @ SLOPES)
    share = SLOPES**2 / (SLOPES**2).sum()  # no interactions: first and total are the same
    assert analysis.indices["S1"].value == approx(share, abs=0.03)  # 1 / sqrt(512) is 0.044
    assert analysis.indices["ST"].value == approx(share, abs=0.03)


def test_a_failed_run_takes_its_block_out():
    x = sobol.sample(UNIT, 256, calc_second_order=False, seed=1)
    y = x @ SLOPES
    y[[0, 17, 18]] = np.nan  # blocks of five rows: the first and the fourth
    analysis = sensitivity("saltelli", KEYS, x, y)
    assert analysis.used == len(x) - 10
    assert analysis.indices["S1"].value == approx(SLOPES**2 / (SLOPES**2).sum(), abs=0.06)  # 1 / sqrt(254)


def test_one_run_that_went_astray_does_not_hide_the_others():
    x = sobol.sample(UNIT, 256, calc_second_order=False, seed=1)
    y = x @ SLOPES
    y[3] = 1e6  # in one of the mixed rows: neither of A nor of B
    analysis = sensitivity("saltelli", KEYS, x, y)
    assert analysis.of_ranks
    # of ranks as of the metric, but for the ranks of a sum not being quite the sum of ranks
    assert analysis.indices["S1"].value == approx(SLOPES**2 / (SLOPES**2).sum(), abs=0.1)
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
    analysis = sensitivity("morris", KEYS, x, y)
    # every step of a key changes a linear model by the same amount: its slope times the range, to rounding
    assert analysis.indices["mu_star"].value == approx(np.abs(SLOPES), rel=1e-12)
    assert analysis.indices["mu"].value == approx(SLOPES, rel=1e-12)
    assert analysis.indices["sigma"].value == approx(np.zeros(3), abs=1e-12)
    assert analysis.used == len(x) - 4 and analysis.order == KEYS


def test_nothing_is_said_of_a_metric_that_stays_the_same_or_of_too_few_runs():
    x = np.random.default_rng(1).random((64, 3))
    same = sensitivity("random", KEYS, x, np.ones(64))
    assert same.reason == "it is 1 in every run" and same.order == KEYS and not same.indices
    few = sensitivity("random", KEYS, x[:9], x[:9, 0])
    assert few.reason.startswith("9 runs")
    assert "seed" in sensitivity("random", (), x[:, :0], x[:, 0]).reason


@pytest.mark.slow
def test_the_same_seed_gives_the_same_numbers():
    x = np.random.default_rng(1).random((100, 3))
    first, second = (sensitivity("random", KEYS, x, x @ SLOPES, seed=5) for _ in range(2))
    for name, estimates in first.indices.items():
        assert np.array_equal(estimates.low, second.indices[name].low, equal_nan=True)
    assert first.floor == second.floor


def test_first_order_of_ishigami_without_a_design():
    x = np.random.default_rng(2).uniform(*CIRCLE["bounds"][0], (2000, 3))
    analysis = sensitivity("random", KEYS, x, ishigami(x), resamples=50)
    first, _ = ishigami_indices()
    # 1 / sqrt(2000) is 0.022; twice that
    assert analysis.indices["S1"].value == approx(first, abs=0.045)
    assert np.all(analysis.indices["S1"].low < first) and np.all(first < analysis.indices["S1"].high)
    # x3 explains nothing alone, but the distribution widens with it: pawn sees that
    assert np.all(analysis.indices["pawn"].value > analysis.floor)


def test_a_linear_model_and_a_key_that_does_nothing():
    x = np.random.default_rng(3).random((1000, 4))
    analysis = sensitivity("lhs", (*KEYS, "idle"), x, x[:, :3] @ SLOPES, resamples=100)
    share = np.append(SLOPES**2 / (SLOPES**2).sum(), 0.0)
    assert analysis.indices["S1"].value == approx(share, abs=0.06)  # 2 / sqrt(1000)
    # ranks of a sum of uniform keys are nearly the sum of their ranks: coefficients are the roots of the shares
    signed = np.append(np.sign(SLOPES) * np.sqrt(share[:3]), 0.0)
    assert analysis.indices["rank"].value == approx(signed, abs=0.03)
    assert analysis.explained == approx(1.0, abs=0.03)
    pawned = analysis.indices["pawn"].value
    assert np.all(pawned[:3] > analysis.floor)
    assert pawned[3] < 1.3 * analysis.floor  # beyond the floor in one of twenty cases, and then not by much
    assert analysis.order == (*KEYS, "idle")


def test_pawn_is_that_of_salib():
    x = np.random.default_rng(4).random((400, 3))
    y = ishigami(2.0 * np.pi * x - np.pi)
    problem = {"num_vars": 3, "names": list(KEYS), "bounds": [[0.0, 1.0]] * 3}
    theirs = salib_pawn.analyze(problem, x, y, S=8)["mean"]
    ours = [pawn(slices(x[:, k]), y) for k in range(3)]
    # slices of 50 runs; theirs are cut at interpolated quantiles and leave out the largest value: one run more or less
    assert ours == approx(np.asarray(theirs, float), abs=1.5 / 50.0)


def test_pawn_of_a_metric_that_is_zero_or_one():
    part = np.repeat([0, 1, 2, 3], 25)
    y = (part == 3).astype(float)
    # shares 0, 0, 0, 1 against 1/4: the gaps are three quarters of them 1/4 and once 3/4
    assert pawn(part, y) == approx((3 * 0.25 + 0.75) / 4.0)


def test_keys_of_few_values_are_taken_value_by_value():
    column = np.tile([0.1, 0.2, 0.4], 200)
    assert set(slices(column)) == {0, 1, 2}
    noise = np.random.default_rng(5).normal(size=600)
    y = np.where(column == 0.2, 2.0, 0.0) + noise  # variance between 8/9, within 1
    assert explained_by_values(column, y) == approx((8.0 / 9.0) / (8.0 / 9.0 + 1.0), abs=0.05)  # 1 / sqrt(600) is 0.04
    assert abs(explained_by_values(column, noise)) < 0.02  # corrected: nothing is left of what three means explain
    analysis = sensitivity("grid", ("a", "b"), np.column_stack([column, RNG.permutation(column)]), y, resamples=50)
    assert analysis.order[0] == "a"
    assert analysis.indices["S1"].low[0] < 8.0 / 17.0 < analysis.indices["S1"].high[0]


def test_ranks_do_not_care_how_large_a_step_is():
    x = np.random.default_rng(6).random((300, 2))
    y = np.exp(20.0 * x[:, 0])  # far from a line, but always upwards
    coefficients, explained = rank_regression(x, y)
    assert coefficients[0] == approx(1.0, abs=1e-12) and explained == approx(1.0, abs=1e-12)


def test_first_order_is_that_of_salib_and_its_interval_covers_the_truth():
    problem = {"num_vars": 1, "names": ["x1"], "bounds": [[0.0, 1.0]]}
    truth, hits = SLOPES[0] ** 2 / (SLOPES**2).sum(), 0
    for seed in range(20):
        x = np.random.default_rng(seed).random((200, 3))
        y = x @ SLOPES
        value, low, high = first_order(x[:, 0], y, np.random.default_rng(1), 60, 0.95)
        hits += low < truth < high
        if seed == 0:
            theirs = rbd_fast.analyze(problem, x[:, :1], y, M=10, num_resamples=2, seed=1)["S1"][0]
            assert value == approx(theirs, rel=1e-12)  # the same estimator, from its parts
    assert hits >= 16  # of 20: at 95 % fewer happen once in 400 times


def test_a_rare_event_gets_an_interval_too():
    x = np.random.default_rng(8).random((64, 2))
    y = (x[:, 0] > 0.92).astype(float)  # some half without any of them is likely
    analysis = sensitivity("random", ("a", "b"), x, y, resamples=100)
    assert 0 < y.sum() < 10
    assert np.all(np.isfinite(analysis.indices["S1"].low)) and analysis.order[0] == "a"
