"""Properties of a campaign description; test_read covers most errors."""

import math

import pytest

from pelagos.campaign.spec import Campaign, Metric, Vary
from pelagos.errors import ScenarioError

NORTH = Metric(name="north_m", column="north_m")


def test_keys_and_metrics():
    vary = (Vary(key="seed", low=1, high=9), Vary(key="a", values=("x", "y")), Vary(key="b", mean=1.0, sigma=2.0))
    campaign = Campaign(name="c", runs=3, vary=vary, metric=(NORTH,))
    assert campaign.keys == ("a", "b") and campaign.metrics == ("north_m",)  # the seed has its own column anyway
    assert [item.is_whole for item in vary] == [True, False, False]
    assert [item.bounded for item in vary] == [True, True, False]


def test_a_grid_needs_no_number_of_runs():
    grid = Campaign(name="c", method="grid", vary=(Vary(key="a", low=0.0, high=1.0, points=3),), metric=(NORTH,))
    assert grid.runs is None and grid.seed == 1


def test_nothing_but_the_seed_may_vary():
    assert Campaign(name="c", runs=10, metric=(NORTH,)).keys == ()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"low": -math.inf, "high": 1.0}, "low = -inf: expected a finite number"),
        ({"low": -1e308, "high": 1e308}, "is too far from low"),
        ({"mean": 0.0, "sigma": 0.01, "low": 0.5, "high": 0.6}, "hardly anything of the distribution lies between"),
        ({"mean": 0.0, "sigma": 0.01, "high": -0.5}, "hardly anything of the distribution lies between"),
        ({"key": "seed", "low": -5, "high": 6}, "low = -5: expected 0 or above for a seed"),
        ({"key": "seed", "values": (3, -1)}, "expected 0 or above for a seed"),
    ],
)
def test_what_cannot_be_drawn_from(given, sentence):
    with pytest.raises(ScenarioError, match=sentence):
        Vary(**{"key": "a", **given})


def test_a_distribution_may_be_cut_off():
    assert Vary(key="a", mean=0.0, sigma=1.0, low=3.0).low == 3.0  # 1 in 740 lies there, which can be drawn


def test_one_key_in_two_spellings_is_one_key():
    dotted, bracketed = "mission.0.depth_m", "mission[0].depth_m"
    with_dots, with_brackets = Vary(key=dotted, values=(1.0,)), Vary(key=bracketed, values=(2.0,))
    with pytest.raises(ScenarioError, match="is varied already"):
        Campaign(name="c", runs=3, vary=(with_dots, with_brackets), metric=(NORTH,))
    with pytest.raises(ScenarioError, match="is set to one value"):
        Campaign(name="c", runs=3, vary=(with_dots,), set={bracketed: 3.0}, metric=(NORTH,))
