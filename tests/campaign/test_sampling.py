"""Designs: what each promises, and that they depend on seed and number of the run alone."""

import numpy as np
import pytest
from scipy.stats import qmc

from pelagos.campaign.sampling import SEEDS, make_plan, sample, shares
from pelagos.errors import ScenarioError
from tests.campaign.tiny import CURRENT, SURGE, tiny


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
