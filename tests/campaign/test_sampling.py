"""Plans of campaigns: quantiles of distributions, properties of each design, exact values and seeds."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import qmc

from pelagos.campaign.sampling import SEEDS, grid_points, make_plan, sample, shares, values_at
from pelagos.campaign.spec import Vary
from pelagos.errors import ScenarioError
from tests.campaign.tiny import CURRENT, SURGE, tiny

SHARES = np.array([0.0, 0.125, 0.5, 0.875, 1.0 - 2.0**-53])


def test_a_latin_hypercube_has_one_point_in_each_slice():
    points = shares(tiny(method="lhs", runs=20))
    for column in points.T:
        assert sorted((column * 20).astype(int).tolist()) == list(range(20))


def test_sobol_points_fill_every_dyadic_box():
    points = shares(tiny(method="sobol", runs=16))
    for boxes in ((16, 1), (8, 2), (4, 4), (2, 8), (1, 16)):  # a (0, 4, 2) net: one point in each
        cells = {tuple((point * boxes).astype(int)) for point in points}
        assert len(cells) == 16
    assert qmc.discrepancy(points) < qmc.discrepancy(shares(tiny(method="random", runs=16)))


@pytest.mark.parametrize("method", ["random", "sobol"])
def test_more_runs_leave_the_first_ones_alone(method):
    few, many = make_plan(tiny(method=method, runs=11)), make_plan(tiny(method=method, runs=37))
    assert many.begins_like(few.table) and few.begins_like(many.table)
    assert not make_plan(tiny(method=method, runs=11, seed=4)).begins_like(few.table)


def test_a_grid_has_every_combination():
    axes = [{"key": "world.current_m_s", "values": [0.0, 0.1, 0.2]}, {**SURGE, "points": 2}]
    plan = make_plan(tiny(method="grid", runs=None, vary=axes))
    pairs = [tuple(plan.run(k).values.values()) for k in range(len(plan))]
    assert pairs == [(a, b) for a in (0.0, 0.1, 0.2) for b in (-1.0, 1.0)]


def test_a_saltelli_design_comes_in_blocks_of_one_seed():
    plan = make_plan(tiny(method="saltelli", runs=40))  # 10 blocks of 4 have room, 8 is a power of two
    assert len(plan) == 32
    x = np.column_stack(list(plan.columns.values()))
    for at in range(0, 32, 4):
        a, ab0, ab1, b = x[at : at + 4]
        assert ab0.tolist() == [b[0], a[1]] and ab1.tolist() == [a[0], b[1]]
    assert len(set(plan.seeds.tolist())) == 8 and (np.diff(plan.seeds.reshape(-1, 4), axis=1) == 0).all()
    assert len(make_plan(tiny(method="saltelli", runs=48, second_order=True))) == 48


def test_a_morris_design_moves_one_key_at_a_time():
    plan = make_plan(tiny(method="morris", runs=14))
    assert len(plan) == 12
    x = np.column_stack(list(plan.columns.values())).reshape(4, 3, 2)
    assert ((np.diff(x, axis=1) != 0).sum(axis=2) == 1).all()
    assert x[..., 0].min() >= -1.0 and x[..., 0].max() <= 1.0


def test_seeds_of_runs():
    seeds, _ = sample(tiny(runs=500))
    assert len(set(seeds.tolist())) == 500 and 0 <= seeds.min() and seeds.max() < SEEDS
    assert sample(tiny(set={"seed": 7}))[0].tolist() == [7] * 8
    varied, columns = sample(tiny(method="grid", runs=None, vary=[{"key": "seed", "values": [5, 6]}]))
    assert varied.tolist() == [5, 6] and not columns


def test_a_design_without_room_is_refused():
    with pytest.raises(ScenarioError) as refusal:
        make_plan(tiny(method="saltelli", runs=7))
    assert str(refusal.value).endswith("a saltelli design of 2 keys has blocks of 4 runs; expected at least 8")


def test_the_values_of_a_run_are_exact():
    plan = make_plan(tiny(vary=[CURRENT]))
    share = shares(tiny(vary=[CURRENT]))[5, 0]
    assert plan.run(5).values == {"world.current_m_s": float(0.0 + share * 0.5)}
    assert type(plan.run(5).values["world.current_m_s"]) is float


def test_a_range():
    assert values_at(Vary(key="a", low=-2.0, high=2.0), SHARES) == pytest.approx([-2.0, -1.5, 0.0, 1.5, 2.0])


def test_even_in_the_logarithm():
    assert values_at(Vary(key="a", low=1.0, high=256.0, log=True), SHARES) == pytest.approx([1, 2, 16, 128, 256])


def test_normal():
    inside = SHARES[1:4]
    drawn = values_at(Vary(key="a", mean=1.0, sigma=0.1), inside)
    assert drawn == pytest.approx(stats.norm(1.0, 0.1).ppf(inside), rel=1e-14)  # another route to the same function
    assert np.isfinite(values_at(Vary(key="a", mean=1.0, sigma=0.1), SHARES)).all()


def test_normal_cut_off():
    vary = Vary(key="a", mean=1.0, sigma=0.5, low=0.5, high=3.0)
    other = stats.truncnorm(-1.0, 4.0, 1.0, 0.5).ppf(SHARES[:4])
    assert values_at(vary, SHARES[:4]) == pytest.approx(other, rel=1e-9)  # scipy goes by logarithms
    assert values_at(Vary(key="a", mean=1.0, sigma=5.0, low=0.0), np.random.default_rng(1).random(1000)).min() >= 0.0


def test_whole_numbers_come_equally_often():
    drawn = values_at(Vary(key="a", low=1, high=4, whole=True), np.linspace(0.0, 1.0, 401)[:-1])
    assert drawn.dtype == np.int64
    assert np.bincount(drawn).tolist() == [0, 100, 100, 100, 100]
    assert values_at(Vary(key="seed", low=1, high=2), np.array([0.0, 0.999])).tolist() == [1, 2]


def test_choices():
    assert values_at(Vary(key="a", values=("lauv", "gavia")), SHARES).tolist() == [
        "lauv",
        "lauv",
        "gavia",
        "gavia",
        "gavia",
    ]
    assert values_at(Vary(key="a", values=(True, False)), SHARES[1:3]).tolist() == [True, False]
    assert values_at(Vary(key="a", values=(1, 2)), SHARES).dtype == np.int64
    assert values_at(Vary(key="a", values=(1, 2.5)), SHARES).dtype == np.float64


def test_points_of_a_grid():
    assert grid_points(Vary(key="a", low=0.0, high=1.0, points=5)).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert grid_points(Vary(key="a", low=1.0, high=100.0, log=True, points=3)) == pytest.approx([1.0, 10.0, 100.0])
    assert grid_points(Vary(key="a", values=(3, 1))).tolist() == [3, 1]
    assert grid_points(Vary(key="seed", low=1, high=3, points=3)).tolist() == [1, 2, 3]
    # evenly in probability: the thirds' middles of a normal distribution
    assert grid_points(Vary(key="a", mean=0.0, sigma=1.0, points=3)) == pytest.approx(
        stats.norm.ppf([1 / 6, 0.5, 5 / 6])
    )


def test_a_run_has_plain_values():
    vary = [SURGE, {"key": "vehicle", "values": ["lauv", "gavia"]}, {"key": "tether", "values": [True, False]}]
    run = make_plan(tiny(vary=vary)).run(3)
    assert [type(value) for value in run.values.values()] == [float, str, bool]
    assert type(run.seed) is int and run.run == 3


def test_the_table_numbers_the_runs():
    plan = make_plan(tiny(runs=5))
    assert list(plan.table) == ["run", "seed", SURGE["key"], CURRENT["key"]]
    assert plan.table["run"].tolist() == [0, 1, 2, 3, 4]


def test_a_plan_begins_like_another_or_not():
    plan = make_plan(tiny(runs=5))
    assert plan.begins_like(make_plan(tiny(runs=9)).table)
    changed = {**plan.table, CURRENT["key"]: np.nextafter(plan.table[CURRENT["key"]], 1.0)}  # the last bit
    assert not plan.begins_like(changed)
    assert not plan.begins_like({"run": plan.table["run"]})
